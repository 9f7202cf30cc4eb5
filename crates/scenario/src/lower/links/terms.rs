//! The terms of one link, in an order that has no circle: the sizes of its packets, credits, the frames of
//! pauses and credits, retry, whose replay buffer holds the largest of these, and pauses, whose headroom
//! holds what may be replayed.

use kernel::{Duration, Rate};
use models::flow::FlowSpec;
use models::link::LinkSpec;
use models::link::control::{ORDERED_SET, SETS_BEFORE_CONTROL, USED_UPDATE};
use models::link::credit::{CbfcTerms, CreditBuffer, CreditSpec, CreditTerms, Loop};
use models::link::pause::{PauseDemand, PauseSpec, PausedLink};
use models::link::retry::{RetriedLink, RetryLimits};
use models::wire::format::CellFormat;
use models::wire::priority::{Priority, PrioritySet};

use crate::lower::topology::{NodeKind, Topology};
use crate::lower::{Hop, PlannedPaths};
use crate::spec::ScenarioSpec;

/// The terms of a link, and of those after it that are alike.
#[derive(Clone, Debug)]
pub struct LinkTerms {
    /// Number of the first link with these terms.
    pub first: u32,
    pub rate: Rate,
    /// Propagation delay, one way.
    pub delay: Duration,
    /// Octets of the smallest and of the largest packet, in either direction; none without flows.
    pub sizes: Option<[u64; 2]>,
    /// Bits of the shortest unit of a flow, if any may pass.
    pub unit: Option<u64>,
    /// True if flows pass it in cells.
    pub carries_cells: bool,
    /// None without pauses, credits and retry.
    pub control: Option<Box<ControlTerms>>,
}

/// Pauses, credits and retry of a link; what is not the same in both directions is by direction, first
/// that from its first node to its second.
#[derive(Clone, Debug, Default)]
pub struct ControlTerms {
    /// Priorities of the flows.
    pub priorities: PrioritySet,
    /// Credits for whole packets.
    pub packet_credit: Option<CbfcTerms>,
    /// The buffer for cells at the far end.
    pub cell_credit: [Option<CreditBuffer>; 2],
    /// The link as retry sees it, and the limits of retry.
    pub retry: Option<(RetriedLink, RetryLimits)>,
    /// Pauses by the far end.
    pub pause: [Option<PauseDemand>; 2],
}

impl ControlTerms {
    /// Octets of the control frames of each kind that pass a hop.
    pub fn frames(&self, hop: Hop) -> impl Iterator<Item = u64> {
        let credit = self.packet_credit.iter();
        let credit = credit.flat_map(|_| CREDIT_MESSAGES);
        let against = &self.pause[usize::from(!hop.reverse())];
        let pause = against.iter().map(|demand| u64::from(demand.frames.octets));
        credit.chain(pause)
    }
}

/// Octets of the messages about credits for packets, which pass both directions.
const CREDIT_MESSAGES: [u64; 2] = [ORDERED_SET, USED_UPDATE];

/// Reads the terms of links, one after another.
pub struct TermsReader<'a> {
    spec: &'a ScenarioSpec,
    topology: &'a Topology,
    paths: &'a PlannedPaths,
    /// The packets of the flows of each table.
    tables: Box<[TableTerms]>,
    /// Octets of the smallest trimmed packet in the network; none if no output trims.
    trimmed: Option<u64>,
    /// What the last terms follow from.
    last: Option<Carrying>,
}

/// What the terms of a link follow from, beside the scenario.
#[derive(Clone, Copy, PartialEq)]
struct Carrying {
    table: usize,
    load: Load,
    /// True if the far end is a switch, by direction.
    is_switch: [bool; 2],
    /// True if the far end forwards whole packets, by direction.
    is_router: [bool; 2],
}

impl<'a> TermsReader<'a> {
    /// A reader of a scenario whose flows have these paths.
    pub fn new(
        spec: &'a ScenarioSpec,
        topology: &'a Topology,
        paths: &'a PlannedPaths,
    ) -> TermsReader<'a> {
        let trimmed = spec.smallest_trimmed();
        let tables = spec.flow.iter();
        let tables = tables.map(|(_, flow)| TableTerms::new(flow, trimmed, spec.cells()));
        TermsReader {
            tables: tables.collect(),
            spec,
            topology,
            paths,
            trimmed,
            last: None,
        }
    }

    /// The terms of a link; none if they are those of the link before it.
    pub fn link(&mut self, link: usize) -> Option<LinkTerms> {
        let far = [false, true].map(|reverse| self.topology.head(Hop::new(link, reverse)));
        let carrying = Carrying {
            table: self.topology.links[link].member.spec(),
            load: self.load(link),
            is_switch: far.map(|node| self.topology.nodes[node].kind == NodeKind::Switch),
            is_router: far.map(|node| self.paths.is_router(self.topology, node)),
        };
        if self.last == Some(carrying) {
            return None;
        }
        self.last = Some(carrying);
        Some(self.terms_of(link, &carrying))
    }

    fn terms_of(&self, link: usize, carrying: &Carrying) -> LinkTerms {
        let spec = &self.spec.link.0[carrying.table].1;
        let load = carrying.load;
        let has_control = spec.credit.is_some() || spec.pause.is_some() || spec.retry.is_some();
        let trimmed = self.trimmed.map(|octets| octets * 8);
        LinkTerms {
            first: link as u32,
            rate: spec.rate,
            delay: spec.delay.0,
            sizes: load.sizes,
            unit: load.unit.into_iter().chain(trimmed).min(),
            carries_cells: load.carries_cells,
            control: has_control.then(|| Box::new(self.control(spec, carrying))),
        }
    }

    /// The flows of a link together.
    fn load(&self, link: usize) -> Load {
        let mut load = Load::default();
        for planned in self.paths.vcs(Hop::new(link, false)) {
            let table = &self.tables[self.paths.flows[planned.flow].member.spec()];
            let [small, large] = table.sizes;
            let unit = table.unit[usize::from(planned.in_cells)];
            let [smallest, largest] = load.sizes.unwrap_or(table.sizes);
            load.vcs += 1;
            load.sizes = Some([smallest.min(small), largest.max(large)]);
            load.unit = Some(load.unit.map_or(unit, |known| known.min(unit)));
            load.carries_cells |= planned.in_cells;
            load.priorities.set(table.priority, true);
        }
        load
    }

    fn control(&self, spec: &LinkSpec, carrying: &Carrying) -> ControlTerms {
        let (load, is_switch) = (&carrying.load, carrying.is_switch);
        let mut control = ControlTerms {
            priorities: load.priorities,
            ..ControlTerms::default()
        };
        match credit(spec, load, is_switch, self.spec.cells()) {
            Some(CreditTerms::Cells(buffer)) => {
                control.cell_credit = is_switch.map(|is_switch| is_switch.then_some(buffer));
            }
            Some(CreditTerms::Packets(terms)) => control.packet_credit = Some(terms),
            None => {}
        }
        let Some([smallest, largest]) = load.sizes else {
            return control;
        };
        let pause = carrying
            .is_router
            .map(|is_router| spec.pause.as_ref().filter(|_| is_router));
        control.retry = spec.retry.as_ref().map(|retry| {
            let credit = control.packet_credit.iter();
            let credit = credit.flat_map(|_| CREDIT_MESSAGES);
            let frames = pause.iter().flatten();
            let frames = frames.map(|PauseSpec::Pfc(pfc)| pfc.frame.0);
            let link = RetriedLink {
                rate: spec.rate,
                propagation: spec.delay.0,
                largest,
                control: credit.chain(frames).max().unwrap_or(0),
            };
            (link, retry.build(&link))
        });
        let link = PausedLink {
            rate: spec.rate,
            propagation: spec.delay.0,
            largest,
            smallest,
            against: largest,
            replay: control.retry.map(|(_, limits)| limits.octets),
        };
        control.pause = pause.map(|pause| pause.map(|pause| pause.build(&link)));
        control
    }
}

/// The credits of a link; none for cells if neither end is a switch, and none for packets without flows.
fn credit(
    spec: &LinkSpec,
    load: &Load,
    is_switch: [bool; 2],
    cells: CellFormat,
) -> Option<CreditTerms> {
    let credit = spec.credit.as_ref()?;
    let is_used = match credit {
        CreditSpec::Cbfc(_) => load.vcs > 0,
        _ => is_switch != [false; 2],
    };
    let sizes = load.sizes.unwrap_or([cells.octets(); 2]);
    let credit = is_used.then_some(credit)?;
    Some(credit.build(&Loop {
        propagation: spec.delay.0,
        rate: spec.rate,
        cell_time: cells.time(spec.rate),
        vcs: load.vcs,
        priorities: load.priorities,
        sizes,
        against: sizes[1],
        sets: spec.retry.as_ref().map_or(0, |_| SETS_BEFORE_CONTROL),
    }))
}

/// The flows of a link together.
#[derive(Clone, Copy, Default, PartialEq)]
struct Load {
    vcs: u32,
    sizes: Option<[u64; 2]>,
    unit: Option<u64>,
    carries_cells: bool,
    priorities: PrioritySet,
}

/// The packets of the flows of a table.
struct TableTerms {
    /// Octets of the smallest and of the largest packet on a link with whole packets.
    sizes: [u64; 2],
    /// Bits of the shortest unit where packets are whole, and where the flow is in cells.
    unit: [u64; 2],
    priority: Priority,
}

impl TableTerms {
    fn new(flow: &FlowSpec, trimmed: Option<u64>, cells: CellFormat) -> TableTerms {
        let small = flow.transport.facts().smallest_packet;
        let sizes = [small, flow.transport.facts().largest_packet];
        let [smallest, largest] = sizes.map(|octets| flow.wrap(false, octets, cells).0);
        TableTerms {
            sizes: [trimmed.map_or(smallest, |one| one.min(smallest)), largest],
            unit: [false, true].map(|in_cells| match flow.wrap(in_cells, small, cells) {
                (octets, 0) => octets * 8,
                _ => cells.bits(),
            }),
            priority: flow.priority,
        }
    }
}
