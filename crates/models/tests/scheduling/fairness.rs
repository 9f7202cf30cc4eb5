//! Bounds on the unfairness of schedulers, for packets of any lengths.

use models::output::scheduler::deficit_round_robin::DeficitRoundRobin;
use models::output::scheduler::self_clocked::SelfClocked;
use models::output::scheduler::{OutputVcs, Scheduler, SchedulerSpec};
use models::wire::class::Class;
use parameters::Bytes;
use proptest::prelude::*;

/// Longest packet, in octets.
const LONGEST: u32 = 2000;

fn scheduler(spec: &SchedulerSpec, queues: usize) -> Box<dyn Scheduler> {
    let classes = vec![Class::Ubr; queues].into();
    spec.build(&OutputVcs::new(classes))
}

/// The largest difference in octets sent between any two queues over any interval. Every queue
/// always has a packet, and repeats its list of lengths.
fn unfairness(spec: &SchedulerSpec, lengths: &[Vec<u32>]) -> u64 {
    let mut scheduler = scheduler(spec, lengths.len());
    let mut packets: Vec<_> = lengths.iter().map(|own| own.iter().cycle()).collect();
    let mut first: Vec<u32> = packets
        .iter_mut()
        .filter_map(Iterator::next)
        .copied()
        .collect();
    for (queue, octets) in first.iter().enumerate() {
        scheduler.begin(queue, *octets);
    }
    let mut sent = vec![0i64; lengths.len()];
    // For each pair of queues, the smallest and the largest lead of the first over the second.
    let pairs = lengths.len() * lengths.len();
    let mut ahead = vec![(0i64, 0i64); pairs];
    for _ in 0..2000 {
        let queue = scheduler.next().expect("all have packets");
        sent[queue] += i64::from(first[queue]);
        first[queue] = *packets[queue].next().expect("lengths are repeated");
        scheduler.served(queue, Some(first[queue]));
        for (pair, (least, most)) in ahead.iter_mut().enumerate() {
            let by = sent[pair / lengths.len()] - sent[pair % lengths.len()];
            (*least, *most) = ((*least).min(by), (*most).max(by));
        }
    }
    let spans = ahead
        .iter()
        .map(|(least, most)| (most - least).unsigned_abs());
    spans.max().unwrap_or(0)
}

fn lengths() -> impl Strategy<Value = Vec<Vec<u32>>> {
    prop::collection::vec(prop::collection::vec(1..=LONGEST, 1..6), 2..6)
}

proptest! {
    /// The bound of Shreedhar and Varghese, 1996, is a quantum and two packets.
    #[test]
    fn by_deficit_round_robin_no_queue_gets_ahead_by_more_than_a_quantum_and_two_packets(
        lengths in lengths(),
        quantum in 40u64..5000,
    ) {
        let spec = SchedulerSpec::DeficitRoundRobin(DeficitRoundRobin { quantum: Bytes(quantum) });
        prop_assert!(unfairness(&spec, &lengths) <= quantum + 2 * u64::from(LONGEST));
    }

    /// The bound of Golestani, 1994, is the sum of one packet of each of the two queues.
    #[test]
    fn self_clocked_no_queue_gets_ahead_by_more_than_two_packets(lengths in lengths()) {
        let spec = SchedulerSpec::SelfClocked(SelfClocked {});
        prop_assert!(unfairness(&spec, &lengths) <= 2 * u64::from(LONGEST));
    }
}
