//! What is timed and counted: networks, and the ways in which they are run.

use std::sync::Arc;

use scenario::Scenario;
use scenario::lower::Plan;

use super::network::{Network, Traffic};
use super::peers::PEERS;
use super::watched::Look;

/// A network run in one way.
#[derive(Clone)]
pub struct Workload {
    /// How it is asked for, such as `ten-cells-512-slotted`.
    pub id: String,
    /// What sets it apart from others on its network, such as `cells, 512 B, slotted`.
    pub way: String,
    /// The network, and what its flows send.
    pub traffic: Traffic,
    network: Network,
    settings: Vec<(String, String)>,
    /// Seconds to simulate where it is timed.
    pub timed: f64,
    /// Seconds to simulate, once and twice, where its instructions are counted.
    pub counted: f64,
    /// How it is watched where its instructions are counted, if it is.
    pub watched: Option<Look>,
}

/// Workloads under one heading.
pub struct Group {
    /// What they have in common.
    pub title: &'static str,
    /// The ways.
    pub workloads: Vec<Workload>,
}

/// Everything that is timed and counted.
///
/// Instructions are counted while the same is going on as where it is timed: once every connection
/// has started and has lost its first packets.
pub fn groups() -> Vec<Group> {
    use Traffic::{Cells, Packets};
    const PLAIN: Setting = ("switch.s1.discard.tail_drop", "{}");
    const SLOTTED: Setting = (
        "switch.s1.fabric.slotted",
        "{ speedup = 2, order = \"round_robin\" }",
    );
    const ROUND_ROBIN: Setting = ("switch.s1.scheduler.round_robin", "{}");
    let ten = |traffic, size| port(10, traffic, size);
    vec![
        Group {
            title: "ten TCPs, one port, 15 s",
            workloads: vec![
                ten(Cells, "512 B"),
                ten(Cells, "512 B").with("slotted", SLOTTED),
                ten(Cells, "512 B").with("round-robin", ROUND_ROBIN),
                ten(Cells, "9180 B"),
                ten(Cells, "9180 B").with("slotted", SLOTTED),
                ten(Cells, "9180 B").with("round-robin", ROUND_ROBIN),
                ten(Cells, "9180 B").with("plain", PLAIN),
                ten(Packets, "512 B"),
                ten(Packets, "9180 B"),
            ],
        },
        Group {
            title: "three TCPs over 1000 km, 60 s",
            workloads: vec![
                Workload::new("long", Network::Long, Cells, (60.0, 0.5)),
                Workload::new("long", Network::Long, Packets, (60.0, 4.0)),
                without_loss(Cells),
                without_loss(Packets),
            ],
        },
        Group {
            title: "a chain of 16 switches, 4 s",
            workloads: vec![chain(16, Cells), chain(16, Packets)],
        },
        Group {
            title: "a parking lot of 8 switches, 4 s",
            workloads: [Cells, Packets]
                .map(|traffic| {
                    let network = Network::ParkingLot(8);
                    Workload::new("parking-lot", network, traffic, (4.0, 0.1))
                })
                .to_vec(),
        },
        Group {
            title: "a hundred TCPs over ABR, 4 s",
            workloads: [
                ("hundred", Network::Hundred),
                ("one-host", Network::OneHost),
            ]
            .into_iter()
            .flat_map(|(name, network)| over_abr(name, network))
            .collect(),
        },
    ]
}

/// A setting, as `--set` takes it.
pub type Setting<'a> = (&'a str, &'a str);

/// So many TCPs through one port, in cells.
pub fn port_of(flows: usize) -> Workload {
    port(flows, Traffic::Cells, "512 B")
}

fn port(flows: usize, traffic: Traffic, size: &str) -> Workload {
    let mut workload = Workload::new("ten", Network::Port(flows), traffic, (15.0, 0.25));
    let octets = size.trim_end_matches(" B");
    workload.id = format!("{}-{octets}", workload.id);
    workload.way = format!("{}, {size}", workload.way);
    let immediate = ("switch.s1.fabric.immediate", "{}");
    workload
        .set(immediate)
        .set(("flow.bulk.transport.tcp.packet", size))
}

/// Three TCPs over 1000 km whose windows just fill the path in cells, and nearly in packets.
fn without_loss(traffic: Traffic) -> Workload {
    let mut workload = Workload::new("long", Network::Recorded, traffic, (60.0, 0.5));
    workload.id.push_str("-1182");
    workload.way.push_str(", 1182 B, to one host");
    workload
}

fn chain(switches: usize, traffic: Traffic) -> Workload {
    Workload::new("chain", Network::Chain(switches), traffic, (4.0, 0.1))
}

/// A network over UBR, and over ABR whose hosts send as much altogether as the port is to carry: since
/// that is their peak, or since ERICA allows them no more.
fn over_abr(name: &str, network: Network) -> [Workload; 4] {
    const PACED: Setting = ("flow.bulk.over.vbr", "{ peak = \"1.4 Mbit/s\" }");
    const PEAK: Setting = ("flow.bulk.over.abr", "{ pcr = \"1.4 Mbit/s\" }");
    const ALLOWED: Setting = (
        "flow.bulk.over.abr",
        "{ icr = \"1.4 Mbit/s\", rif = \"100 %\" }",
    );
    const ERICA: Setting = ("switch.s1.rate.erica", "{}");
    let ubr = Workload::new(name, network, Traffic::Cells, (4.0, 0.2));
    let paced = ubr.clone().with("paced", PACED);
    let abr = ubr.clone().with("abr", PEAK);
    let erica = ubr.clone().with("erica", ALLOWED).set(ERICA);
    [ubr, paced, abr, erica]
}

/// The workload of that name, those that are recorded and those that grow among them.
pub fn find(id: &str) -> Option<Workload> {
    if let Some(plain) = id.strip_suffix("-recorded") {
        return find(plain).map(Workload::recorded);
    }
    for look in Look::ALL {
        if let Some(plain) = id.strip_suffix(look.suffix()) {
            return find(plain).map(|workload| workload.watched(look));
        }
    }
    match id.split_once('=') {
        Some(("flows", number)) => Some(Workload {
            id: id.into(),
            ..port_of(number.parse().ok()?)
        }),
        Some(("switches", number)) => Some(chain(number.parse().ok()?, Traffic::Cells)),
        _ => all().chain(others()).find(|workload| workload.id == id),
    }
}

/// Names of the workloads whose instructions are counted, and for how many simulated seconds.
pub fn counted() -> impl Iterator<Item = (String, f64)> {
    let recorded = ["ten-cells-9180", "ten-packets-512"].map(|id| format!("{id}-recorded"));
    let watched = ["ten-cells-9180", "hundred-cells"].into_iter();
    let watched = watched.flat_map(|id| Look::ALL.map(|look| format!("{id}{}", look.suffix())));
    let more = recorded
        .into_iter()
        .chain(watched)
        .chain(["ten-tcp".into(), "flows=10000".into()]);
    all()
        .chain(more.filter_map(|id| find(&id)))
        .map(|workload| (workload.id, workload.counted))
}

/// Workloads that have comparisons of their own: networks that peers simulate too, and a fat tree.
pub fn others() -> impl Iterator<Item = Workload> {
    let shared = PEERS.into_iter().map(|(name, text)| Workload {
        id: name.into(),
        ..Workload::new(name, Network::Shared(text), Traffic::Packets, (15.0, 0.5))
    });
    shared.chain(
        [Traffic::Cells, Traffic::Packets]
            .map(|traffic| Workload::new("fat-tree", Network::FatTree(8), traffic, (0.02, 0.002))),
    )
}

/// All workloads, one group after another.
fn all() -> impl Iterator<Item = Workload> {
    groups().into_iter().flat_map(|group| group.workloads)
}

impl Workload {
    /// `seconds` to simulate where it is timed, and where its instructions are counted.
    fn new(name: &str, network: Network, traffic: Traffic, seconds: (f64, f64)) -> Workload {
        let way = match traffic {
            Traffic::Cells => "cells",
            Traffic::Packets => "packets",
        };
        Workload {
            id: format!("{name}-{way}"),
            way: way.into(),
            traffic,
            network,
            settings: Vec::new(),
            timed: seconds.0,
            counted: seconds.1,
            watched: None,
        }
    }

    /// With queues, drops and the state of every sender noted ten thousand times a second.
    pub fn recorded(self) -> Workload {
        self.with("recorded", ("record.every", "0.1 ms"))
    }

    /// Watched as the live page does.
    pub fn watched(mut self, look: Look) -> Workload {
        self.id.push_str(look.suffix());
        self.watched = Some(look);
        // Some frames long.
        self.counted = 1.0;
        self
    }

    fn with(mut self, name: &str, setting: Setting) -> Workload {
        self.id = format!("{}-{name}", self.id);
        self.way = format!("{}, {}", self.way, name.replace('-', " "));
        self.set(setting)
    }

    /// With one value changed.
    pub fn set(mut self, (path, value): Setting) -> Workload {
        self.settings.push((path.into(), value.into()));
        self
    }

    /// Lowered, to be run for so many simulated seconds.
    pub fn plan(&self, seconds: f64) -> Arc<Plan> {
        let mut settings = self.settings.clone();
        settings.push(("duration".into(), format!("{seconds} s")));
        let text = self.network.text(self.traffic);
        lowered(&text, &self.id, &settings)
    }
}

/// A scenario with some settings changed, which are as `--set` takes them.
pub fn lowered(text: &str, name: &str, settings: &[(String, String)]) -> Arc<Plan> {
    let scenario = Scenario::read(text, name, settings).unwrap_or_else(|error| panic!("{error}"));
    scenario.plan().clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::run;

    #[test]
    fn every_workload_is_found_by_its_name_and_carries_what_it_says() {
        let counted: Vec<String> = counted().map(|(id, _)| id).collect();
        for id in counted
            .iter()
            .map(String::as_str)
            .chain(["flows=3", "switches=2"])
        {
            let workload = find(id).expect("a workload of that name");
            let events = run(&workload.plan(0.02)).events;
            assert!(events.packet_hops > 0, "{id}");
            assert_eq!(
                events.cell_hops > 0,
                workload.traffic == Traffic::Cells,
                "{id}"
            );
            let times = counted.iter().filter(|other| *other == id).count();
            assert!(times <= 1, "{id} is there {times} times");
        }
        assert!(find("ten-cells-513").is_none());
    }
}
