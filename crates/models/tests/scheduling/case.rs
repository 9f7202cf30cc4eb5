//! Cases: the arrivals at a switch, its configuration, and its departures.

use std::collections::VecDeque;

use models::wire::class::Class;
use models::wire::format::CellFormat;
use parameters::{Bytes, CellCount, Fraction};

use models::output::choice::classes::IntraClassOrder;
use models::output::scheduler::SchedulerSpec;
use models::output::scheduler::deficit_round_robin::DeficitRoundRobin;
use models::output::scheduler::fifo::Fifo;
use models::output::scheduler::multiclass::{Elastic, Multiclass, Patient, Prompt};
use models::output::scheduler::round_robin::RoundRobin;
use models::output::scheduler::self_clocked::SelfClocked;
use models::output::scheduler::strict_priority::StrictPriority;

/// Transmission time of a cell on every input.
pub const CELL: u64 = 10;

/// Number of VCs.
pub const VCS: u32 = 4;

/// Number of classes.
pub const CLASSES: usize = Class::ALL.len();

/// The configuration of a switch, and its arrivals.
#[derive(Clone, Debug)]
pub struct Case {
    pub sources: Vec<Source>,
    /// Cell time of each output.
    pub outputs: Vec<u64>,
    pub order: Order,
    /// Class of each VC.
    pub classes: [Class; VCS as usize],
    pub memory: Memory,
}

/// The scheduling discipline.
#[derive(Clone, Debug)]
pub enum Order {
    Fifo,
    RoundRobin,
    /// Deficit round robin with a quantum in cells.
    DeficitRoundRobin(u64),
    SelfClocked,
    Strict {
        in_turn: bool,
    },
    Multiclass {
        promises: [Promise; CLASSES],
        in_turn: bool,
    },
}

/// The guarantees of a class, in numbers that no arithmetic rounds.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// Guaranteed share of the link, in sixteenths.
    pub share: u64,
    /// Largest saved credit, in cells.
    pub burst: u64,
    pub greedy: bool,
    /// Weight in the division of the excess: 1, 2 or 4.
    pub weight: u32,
}

/// The buffer layout, with capacities in cells.
#[derive(Clone, Debug)]
pub enum Memory {
    /// One buffer for each output.
    PerOutput(u64),
    /// One buffer for all outputs.
    Shared(u64),
    /// One buffer for each class of each output.
    PerClass([u64; CLASSES]),
}

/// A source that sends all cells on one VC to one output.
#[derive(Clone, Debug)]
pub struct Source {
    pub output: usize,
    pub vc: u32,
    /// Idle time before each train, and the number of its cells.
    pub trains: Vec<(u64, u32)>,
}

impl Source {
    /// The arrival time of each train, and the number of its cells.
    pub fn arrivals(&self) -> VecDeque<(u64, u32)> {
        let mut next = CELL;
        let trains = self.trains.iter().map(|(gap, cells)| {
            let first = next + gap;
            next = first + u64::from(*cells) * CELL;
            (first, *cells)
        });
        trains.collect()
    }
}

/// Departure times and VCs of the cells of each output, in order.
pub type Departures = Vec<Vec<(u64, u32)>>;

impl Order {
    /// The scheduler with this discipline.
    pub fn spec(&self) -> SchedulerSpec {
        let within = |in_turn: bool| {
            if in_turn {
                IntraClassOrder::RoundRobin
            } else {
                IntraClassOrder::Fifo
            }
        };
        match self {
            Order::Fifo => SchedulerSpec::Fifo(Fifo {}),
            Order::RoundRobin => SchedulerSpec::RoundRobin(RoundRobin {}),
            Order::DeficitRoundRobin(cells) => {
                let quantum = Bytes(cells * CellFormat::ATM.octets());
                SchedulerSpec::DeficitRoundRobin(DeficitRoundRobin { quantum })
            }
            Order::SelfClocked => SchedulerSpec::SelfClocked(SelfClocked {}),
            Order::Strict { in_turn } => SchedulerSpec::StrictPriority(StrictPriority {
                within: within(*in_turn),
            }),
            Order::Multiclass { promises, in_turn } => {
                SchedulerSpec::Multiclass(multiclass(promises, within(*in_turn)))
            }
        }
    }
}

fn multiclass(promises: &[Promise; CLASSES], within: IntraClassOrder) -> Multiclass {
    macro_rules! promise {
        ($Record:ident, $class:ident) => {{
            let promise = promises[Class::$class.index()];
            $Record {
                share: Fraction(promise.share as f64 / 16.0),
                burst: CellCount(promise.burst),
                greedy: promise.greedy,
                weight: promise.weight,
            }
        }};
    }
    Multiclass {
        cbr: promise!(Prompt, Cbr),
        rt_vbr: promise!(Prompt, RtVbr),
        nrt_vbr: promise!(Patient, NrtVbr),
        abr: promise!(Elastic, Abr),
        ubr: promise!(Elastic, Ubr),
        within,
    }
}
