//! Two queues, one for trimmed packets and the answers of receivers and one for the other packets, of
//! which the first goes first.
//!
//! Handley, Raiciu, Agache, Voinescu, Moore, Antichi and Wójcik, "Re-architecting datacenter networks
//! and stacks for low latency and high performance" (NDP), SIGCOMM 2017, section 3.1: a queue of low
//! priority for data, and one of high priority for trimmed headers and control packets. So that headers
//! alone cannot take the whole link, the paper sends ten of them at most for each packet of the other
//! queue while both wait; the proposal of SAI leaves the division to the switch, and strict priority is
//! the default here.

use parameters::parameters;

use super::{ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind};

parameters! {
    /// Trimmed packets and answers of receivers have a queue of their own, which goes first.
    pub struct HeadersFirst {
        /// Largest number of packets that the queue of headers sends in a row while another packet
        /// waits; if not given, there is no limit.
        #[range(1, 1_000_000)]
        pub in_a_row: Option<u32>,
    }
}

/// The number of the queue of headers, and of the queue of other packets.
const HEADERS: usize = 0;
const OTHERS: usize = 1;

impl HeadersFirst {
    /// The scheduler of one output.
    pub fn build(&self, _vcs: &OutputVcs) -> Box<dyn Scheduler> {
        Box::new(State {
            most: self.in_a_row,
            waits: [false; 2],
            sent: 0,
        })
    }
}

impl SchedulerKind for HeadersFirst {
    fn queue_per(&self) -> QueuePer {
        QueuePer::Group
    }

    fn groups(&self, vcs: &OutputVcs) -> Box<[u32]> {
        let of_vc = |answers: &bool| if *answers { HEADERS } else { OTHERS };
        vcs.answers.iter().map(|vc| of_vc(vc) as u32).collect()
    }

    fn queue_of_headers(&self) -> Option<u32> {
        Some(HEADERS as u32)
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        None
    }
}

struct State {
    /// Largest number of headers in a row while another packet waits; none without a limit.
    most: Option<u32>,
    /// True for each queue in which a packet waits.
    waits: [bool; 2],
    /// Headers sent in a row while another packet waited.
    sent: u32,
}

impl Scheduler for State {
    fn begin(&mut self, queue: usize, _first: u32) {
        self.waits[queue] = true;
    }

    fn next(&self) -> Option<usize> {
        match self.waits {
            [false, false] => None,
            [false, true] => Some(OTHERS),
            [true, true] if self.most.is_some_and(|most| self.sent >= most) => Some(OTHERS),
            [true, _] => Some(HEADERS),
        }
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        let counts = queue == HEADERS && self.waits[OTHERS];
        self.sent = if counts { self.sent + 1 } else { 0 };
        self.waits[queue] = next.is_some();
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::super::script::order;
    use super::*;
    use crate::wire::class::Class;

    /// The queues in the order in which five headers and three other packets leave.
    fn turns(in_a_row: Option<u32>) -> Vec<usize> {
        let vcs = OutputVcs::new([Class::Ubr].into());
        let mut scheduler = HeadersFirst { in_a_row }.build(&vcs);
        let sent = order(&mut *scheduler, &[&[64; 5], &[1500; 3]]);
        sent.iter().map(|(queue, _)| *queue).collect()
    }

    #[test]
    fn headers_go_first() {
        assert_eq!(turns(None), [0, 0, 0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn another_packet_goes_after_so_many_headers_in_a_row() {
        assert_eq!(turns(Some(2)), [0, 0, 1, 0, 0, 1, 0, 1]);
        assert_eq!(turns(Some(1)), [0, 1, 0, 1, 0, 1, 0, 0]);
    }

    #[test]
    fn headers_that_nothing_waits_for_are_not_counted() {
        let vcs = OutputVcs::new([Class::Ubr].into());
        let in_a_row = Some(1);
        let mut scheduler = HeadersFirst { in_a_row }.build(&vcs);
        scheduler.begin(HEADERS, 64);
        scheduler.served(HEADERS, Some(64));
        scheduler.begin(OTHERS, 1500);
        assert_eq!(scheduler.next(), Some(HEADERS));
        scheduler.served(HEADERS, Some(64));
        assert_eq!(scheduler.next(), Some(OTHERS));
    }

    #[test]
    fn answers_wait_with_headers() {
        let vcs = OutputVcs {
            answers: [false, true, false].into(),
            ..OutputVcs::new([Class::Ubr; 3].into())
        };
        assert_eq!(*HeadersFirst::defaults().groups(&vcs), [1, 0, 1]);
    }
}
