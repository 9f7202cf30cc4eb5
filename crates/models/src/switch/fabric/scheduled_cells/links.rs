//! The links of a scheduled fabric: those from each ingress, and those to each egress.
//!
//! Each link sends its cells first in, first out, so that the time at which a cell has been sent
//! follows from that of the cell before: Lindley's recursion.

use kernel::{Duration, Stream, Time};

use super::ScheduledCells;
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
            random.bits();
            random.branch()
        };
        FabricLinks {
            count: links,
            format,
            cell: inputs.cells.octets(),
            octets,
            time: spec.link_rate.transmission(octets * 8).max(Duration::from_ps(1)),
            delays: (0..u64::from(spec.links))
                .map(|link| spec.link_delay + spec.skew * link)
                .collect(),
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
    /// fabric.
    pub fn spray(&mut self, now: Time, input: usize, lane: usize) -> (u32, Time) {
        let count = self.count as u32;
        let link = match &mut self.choice {
            Choice::InTurn(last) => {
                last[lane] = (last[lane] + 1) % count;
                last[lane]
            }
            Choice::Random(streams) => streams[input].below(u64::from(count)) as u32,
        };
        let free = &mut self.from_inputs[input * self.count + link as usize];
        *free = (*free).max(now) + self.time;
        (link, *free + self.delays[link as usize])
    }

    /// Sends a cell that came by this link at `now` on to an output. Returns its arrival there.
    pub fn forward(&mut self, now: Time, output: usize, link: u32) -> Time {
        let free = &mut self.to_outputs[output * self.count + link as usize];
        *free = (*free).max(now) + self.time;
        *free + self.delays[link as usize]
    }
}
