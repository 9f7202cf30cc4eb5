//! The links of a scheduled fabric: those from each ingress, and those to each egress.
//!
//! Each link sends its cells first in, first out, so that the time at which a cell has been sent
//! follows from that of the cell before: Lindley's recursion.

use kernel::{Duration, Stream, Time};

use super::ScheduledCells;
use super::outages::LinkOutages;
use crate::link::loss::Outages;
use crate::paths::spray::SprayChoice;
use crate::switch::fabric::Inputs;
use crate::wire::format::{CellFormat, CellFormatSpec};

/// The links of a fabric.
pub struct FabricLinks {
    count: usize,
    /// Format of the cells of the fabric; none if those of the network cross.
    format: Option<CellFormat>,
    /// Octets of a cell of the network.
    cell: u64,
    /// Octets of a cell of the fabric.
    octets: u64,
    /// Transmission time of a cell.
    time: Duration,
    /// Propagation delay, by link.
    delays: Box<[Duration]>,
    /// Time at which each link has sent its last cell, by input and link.
    from_inputs: Box<[Time]>,
    /// Time at which each link has sent its last cell, by output and link.
    to_outputs: Box<[Time]>,
    choice: Choice,
    /// The links that the inputs take to be up; all if they take all to be down.
    up: Vec<u32>,
    /// Time until which they do.
    up_until: Time,
    /// The outages, by link; none if no link has any.
    outages: Option<Box<[LinkOutages]>>,
}

/// Choice of the link of a cell.
enum Choice {
    /// The last link that was chosen, by lane.
    InTurn(Box<[u32]>),
    /// A random stream for each input, so that the cells of one input do not depend on those of others.
    Random(Box<[Stream]>),
}

impl FabricLinks {
    /// Idle links.
    pub fn new(spec: &ScheduledCells, inputs: &Inputs, lanes: usize) -> FabricLinks {
        let format = spec.cell.as_ref().map(CellFormatSpec::format);
        let octets = format.unwrap_or(inputs.cells).octets();
        let links = spec.links as usize;
        let mut random = inputs.random.clone();
        let mut branch = || {
            // A branch has the next number of its stream as its seed, and does not take it.
            random.bits();
            random.branch()
        };
        let delays = (0..u64::from(spec.links)).map(|link| spec.link_delay + spec.skew * link);
        let delays: Box<[Duration]> = delays.collect();
        let outages = spec.outages.as_ref().filter(|outages| !outages.is_empty());
        let outages_of = |outages: &Vec<_>| {
            let links = (0..spec.links).zip(&delays);
            links
                .map(|(link, delay)| {
                    let of = Outages {
                        spans: Box::default(),
                        rate: spec.link_rate,
                        delay: *delay,
                    };
                    LinkOutages::new(outages, link + 1, &of, spec.detection)
                })
                .collect()
        };
        FabricLinks {
            outages: outages.map(outages_of),
            up: (0..spec.links).collect(),
            up_until: Time::ZERO,
            count: links,
            format,
            cell: inputs.cells.octets(),
            octets,
            time: spec
                .link_rate
                .transmission(octets * 8)
                .max(Duration::from_ps(1)),
            delays,
            from_inputs: vec![Time::ZERO; inputs.inputs * links].into(),
            to_outputs: vec![Time::ZERO; inputs.outputs * links].into(),
            choice: match spec.spray {
                SprayChoice::InTurn => Choice::InTurn(vec![spec.links - 1; lanes].into()),
                SprayChoice::Random => {
                    Choice::Random((0..inputs.inputs).map(|_| branch()).collect())
                }
            },
        }
    }

    /// Octets of a cell of the fabric.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// Number of cells of the fabric for so many cells of the network.
    pub fn cut(&self, cells: u32) -> u32 {
        let octets = u64::from(cells) * self.cell;
        self.format.map_or(cells, |format| format.cells(octets))
    }

    /// Sends a cell of a lane from its input at `now`. Returns its link, and its arrival in the
    /// fabric; none if the link loses it.
    pub fn spray(&mut self, now: Time, input: usize, lane: usize) -> (u32, Option<Time>) {
        let link = self.choose(now, input, lane);
        let free = &mut self.from_inputs[input * self.count + link as usize];
        let start = join(free, now, self.time);
        (link, self.arrival(start, link))
    }

    /// Sends a cell that came by this link at `now` on to an output. Returns its arrival there; none
    /// if the link loses it.
    pub fn forward(&mut self, now: Time, output: usize, link: u32) -> Option<Time> {
        let free = &mut self.to_outputs[output * self.count + link as usize];
        let start = join(free, now, self.time);
        self.arrival(start, link)
    }

    /// The arrival of a cell whose transmission starts at `start`; none if the link loses it.
    fn arrival(&self, start: Time, link: u32) -> Option<Time> {
        let outages = self.outages.as_ref();
        let is_lost = outages.is_some_and(|of| of[link as usize].lose(start, self.octets));
        (!is_lost).then(|| start + self.time + self.delays[link as usize])
    }

    /// The link for a cell that is sent at `now`.
    fn choose(&mut self, now: Time, input: usize, lane: usize) -> u32 {
        if now >= self.up_until {
            self.find_up(now);
        }
        let up = &self.up;
        match &mut self.choice {
            Choice::InTurn(last) => {
                let next = up.partition_point(|link| *link <= last[lane]);
                last[lane] = up[next % up.len()];
                last[lane]
            }
            Choice::Random(streams) => up[streams[input].below(up.len() as u64) as usize],
        }
    }

    /// Finds the links that the inputs take to be up from `now` on.
    fn find_up(&mut self, now: Time) {
        let all = self.outages.iter().flatten();
        let changes = all.clone().map(|outages| outages.next_change(now));
        self.up_until = changes.min().unwrap_or(Time::NEVER);
        let links = (0..).zip(all);
        let up = links.filter(|(_, outages)| !outages.is_known_down(now));
        self.up.clear();
        self.up.extend(up.map(|(link, _)| link));
        if self.up.is_empty() {
            self.up.extend(0..self.count as u32);
        }
    }
}

/// Adds a cell to the queue of a link that sends its last cell until `free`; returns the start of its
/// transmission.
fn join(free: &mut Time, now: Time, time: Duration) -> Time {
    let start = now.max(*free);
    *free = start + time;
    start
}
