//! Schedulers: the order in which an output sends the units that wait.
//!
//! With the scheduler `fifo` an output knows the departure of each unit when it accepts it, and
//! commits the unit to the link at once. With any other scheduler the output chooses the next unit
//! when the link becomes free.

use parameters::{Bytes, parameters};

pub use super::choice::{OutputVcs, QueuePer, Scheduler};
mod by_arrival;

use crate::link::credit::CreditBuffer;
use crate::link::gate::PacketGate;
use crate::wire::class::{ByClass, Class};
use crate::wire::priority::Priority;

parameters::registry! {
    /// Scheduler: the order in which an output sends the cells or packets that wait.
    pub enum SchedulerSpec builds Box<dyn Scheduler>, for OutputVcs, answers dyn SchedulerKind {
        fifo => Fifo,
        round_robin => RoundRobin,
        strict_priority => StrictPriority,
        multiclass => Multiclass,
        deficit_round_robin => DeficitRoundRobin,
        self_clocked => SelfClocked,
        flow_queue => FlowQueue,
        dual_queue => DualQueue,
        headers_first => HeadersFirst,
    } default fifo open to Outside
}

parameters! {
    /// The turns of schedulers that count octets.
    pub struct Turn {
        /// Octets that a queue may send in each turn.
        #[range("40 B", "1 MB")]
        pub quantum: Bytes = "1500 B",
    }
}

/// The properties of a scheduler before the run, which each member states in its own file.
pub trait SchedulerKind {
    /// The queues among which the scheduler chooses; units of one queue leave in order of arrival.
    fn queue_per(&self) -> QueuePer;

    /// The queue of each virtual channel, if [`QueuePer::Group`] are the queues; empty otherwise.
    fn groups(&self, _vcs: &OutputVcs) -> Box<[u32]> {
        Box::default()
    }

    /// The queue of trimmed packets, which is that of answers too; none if both wait with the other
    /// packets of their VC.
    fn queue_of_headers(&self) -> Option<u32> {
        None
    }

    /// The division of the link among service classes, if the scheduler distinguishes them.
    fn classes(&self) -> Option<&dyn ClassDivision>;

    /// True if the scheduler may serve a link that is controlled by credits: VCs that have both
    /// cells and credit then send one cell each in turn.
    fn serves_by_credit(&self) -> bool {
        false
    }
}

/// The division of a link among service classes.
pub trait ClassDivision {
    /// Cells per second that other classes take from `class`, on a link that carries `link` cells
    /// per second. `class` always has cells waiting.
    fn taken(&self, class: Class, link: f64, demand: &ClassDemand) -> f64;

    /// The share of the link that a class is guaranteed.
    fn guaranteed(&self, class: Class) -> f64;
}

impl SchedulerSpec {
    /// True if units leave in order of arrival, from one queue.
    pub fn is_in_order(&self) -> bool {
        self.queue_per() == QueuePer::Output
    }

    /// True if each virtual channel has a queue of its own.
    pub fn has_queue_per_vc(&self) -> bool {
        self.queue_per() == QueuePer::Vc
    }

    /// True if the scheduler distinguishes service classes.
    pub fn knows_classes(&self) -> bool {
        self.classes().is_some()
    }

    /// Cells per second that other classes take from `class`, on a link that carries `link` cells
    /// per second. `class` always has cells waiting. A scheduler that distinguishes no classes
    /// serves all cells that arrive.
    pub fn taken(&self, class: Class, link: f64, demand: &ClassDemand) -> f64 {
        match self.classes() {
            Some(division) => division.taken(class, link, demand),
            None => demand.arrival_rate(&Class::ALL),
        }
    }

    /// The share of the link that a class is guaranteed.
    pub fn guaranteed(&self, class: Class) -> f64 {
        let division = self.classes();
        division.map_or(0.0, |division| division.guaranteed(class))
    }

    /// The scheduler of one output with its queues; none if units leave in order of arrival.
    pub fn scheduling(&self, vcs: &OutputVcs) -> Option<Scheduling> {
        (!self.is_in_order()).then(|| Scheduling {
            scheduler: self.build(vcs),
            queue_per: self.queue_per(),
            groups: self.groups(vcs),
            of_headers: self.queue_of_headers(),
            by_class: self.knows_classes(),
            credit: None,
            packets: None,
        })
    }
}

/// The demand of the service classes at an output during an interval.
#[derive(Clone, Copy, Debug)]
pub struct ClassDemand {
    /// Cells that arrived during the interval.
    pub arrived: ByClass<u64>,
    /// Cells that waited at the start of the interval.
    pub queued: ByClass<u64>,
    /// Length of the interval, in seconds.
    pub seconds: f64,
}

impl ClassDemand {
    /// No cells, in an interval of any length.
    pub const NONE: ClassDemand = ClassDemand {
        arrived: [0; Class::ALL.len()],
        queued: [0; Class::ALL.len()],
        seconds: 1.0,
    };

    /// Cells of `classes` that arrived per second.
    fn arrival_rate(&self, classes: &[Class]) -> f64 {
        let arrived = classes.iter().map(|class| self.arrived[class.index()]);
        arrived.sum::<u64>() as f64 / self.seconds
    }

    /// Cells per second that each class could have sent: the cells that arrived, and those that
    /// waited.
    fn rates(&self) -> ByClass<f64> {
        Class::ALL.map(|class| {
            let cells = self.arrived[class.index()] + self.queued[class.index()];
            cells as f64 / self.seconds
        })
    }
}

/// A scheduler and the queues among which it chooses.
pub struct Scheduling {
    /// The scheduler.
    pub scheduler: Box<dyn Scheduler>,
    /// The owner of each queue: the output, a class or a VC.
    pub queue_per: QueuePer,
    /// The queue of each virtual channel, if groups of them have queues; empty otherwise.
    pub groups: Box<[u32]>,
    /// The queue of trimmed packets; none if they wait with the other packets of their VC.
    pub of_headers: Option<u32>,
    /// True if the scheduler distinguishes service classes.
    pub by_class: bool,
    /// The buffer at the far end of the link, if cells wait for credit.
    pub credit: Option<CreditBuffer>,
    /// The gate of packets, if they wait by priority for credits or for the end of a pause.
    pub packets: Option<Box<PacketGate>>,
}

impl Scheduling {
    /// One FIFO queue whose units are committed when they start, so that queued units can be
    /// withdrawn.
    pub fn one_by_one() -> Scheduling {
        Scheduling {
            scheduler: Box::new(fifo::OneByOne::default()),
            queue_per: QueuePer::Output,
            groups: Box::default(),
            of_headers: None,
            by_class: false,
            credit: None,
            packets: None,
        }
    }

    /// One queue for each priority, of which `priorities` has one for each virtual channel. Units
    /// leave in order of arrival, except those that the gate holds back.
    pub fn by_arrival(priorities: &[Priority], gate: PacketGate) -> Scheduling {
        let groups = priorities.iter().map(|priority| priority.index() as u32);
        Scheduling {
            scheduler: Box::new(by_arrival::ByArrival::default()),
            queue_per: QueuePer::Group,
            groups: groups.collect(),
            packets: Some(Box::new(gate)),
            ..Scheduling::one_by_one()
        }
    }

    /// True if units wait for credit.
    pub fn waits_for_credit(&self) -> bool {
        let packets = self.packets.as_ref();
        self.credit.is_some() || packets.is_some_and(|gate| gate.credit().is_some())
    }

    /// The same scheduler for cells that wait for credit.
    ///
    /// # Panics
    /// If virtual channels share a queue: a VC without credit would then delay the others.
    pub fn with_credit(self, buffer: CreditBuffer) -> Scheduling {
        assert_eq!(
            self.queue_per,
            QueuePer::Vc,
            "each VC that waits for credit has a queue"
        );
        Scheduling {
            credit: Some(buffer),
            ..self
        }
    }
}

/// Scripts for the tests of the schedulers.
#[cfg(test)]
pub(crate) mod script {
    use super::Scheduler;

    /// The queue and the octets of each packet in order of departure, if all packets wait from the
    /// start. `queues` holds the octets of the packets of each queue.
    pub fn order(scheduler: &mut dyn Scheduler, queues: &[&[u32]]) -> Vec<(usize, u32)> {
        let mut rest = queues.to_vec();
        for (queue, packets) in rest.iter().enumerate() {
            scheduler.begin(queue, packets[0]);
        }
        let mut sent = Vec::new();
        while let Some(queue) = scheduler.next() {
            let (first, others) = rest[queue].split_first().expect("a packet waits");
            sent.push((queue, *first));
            rest[queue] = others;
            scheduler.served(queue, others.first().copied());
        }
        sent
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    const BUFFER: CreditBuffer = CreditBuffer {
        cells: 4,
        batch: 2,
        pool: None,
        check: None,
    };

    #[test]
    fn cells_of_vcs_with_a_queue_each_may_wait_for_credit() {
        let spec: SchedulerSpec = understand(&value!({ round_robin = {} })).expect("a scheduler");
        let classes = [Class::Ubr; 2].into();
        let scheduling = spec.scheduling(&OutputVcs::new(classes));
        let scheduling = scheduling.expect("round robin chooses");
        assert_eq!(scheduling.with_credit(BUFFER).credit, Some(BUFFER));
    }

    #[test]
    #[should_panic(expected = "each VC that waits for credit has a queue")]
    fn vcs_that_share_a_queue_cannot_wait_for_credit() {
        Scheduling::one_by_one().with_credit(BUFFER);
    }
}
