//! Units in flight, as a watcher sees them.

use kernel::Duration;
use scenario::watch::{Moving, NextPause, WatchedRun, WatchedStep};

use crate::common::{CROSSING, plan, seed};

/// Packets on a link of a second: 20,000 after 100 ms.
const LONG_LINK: &str = "
duration = '1 s'
[host.a]
[host.b]
[router.r]
buffer.per_output = '100 kB'
[link.in]
between = ['a', 'r']
rate = '100 Mbit/s'
[link.out]
between = ['r', 'b']
rate = '100 Mbit/s'
delay = '1 s'
[flow.f]
from = 'a'
to = 'b'
over.packet = {}
source.constant_rate = { rate = '80 Mbit/s' }
transport.datagram = { packet = '50 B', header = '0 B' }
";

/// The units in flight at instants that are `every` apart.
fn motion(text: &str, every: Duration) -> Vec<Vec<Moving>> {
    let mut run = WatchedRun::new(plan(text, &[]), seed(0));
    let mut seen = Vec::new();
    while !run.has_ended() {
        if let WatchedStep::Paused(snapshot) = run.advance() {
            let now = *snapshot.times.last().expect("a snapshot has a time");
            run.go_on(NextPause {
                until: now + every,
                every: Duration::ZERO,
            });
            seen.push(snapshot.moving);
        }
    }
    seen
}

#[test]
fn units_in_flight_are_between_two_nodes_and_belong_to_a_flow() {
    let flows = plan(CROSSING, &[]).paths.flows.len();
    let moving = motion(CROSSING, Duration::from_us(37)).concat();
    assert!(moving.len() > 1000);
    for seen in moving {
        assert!(seen.head > 0.0 && seen.tail < 1.0 && seen.tail <= seen.head);
        assert!(seen.units > 0 && (seen.flow as usize) < flows);
    }
}

#[test]
fn a_snapshot_has_only_the_first_units_of_a_long_link() {
    let seen = motion(LONG_LINK, Duration::from_ms(100));
    assert!(seen[0].is_empty());
    for moving in &seen[1..] {
        let of_long_link = moving.iter().filter(|unit| unit.hop == 2).count();
        assert!((2990..=3000).contains(&of_long_link), "{of_long_link}");
        assert_eq!(moving.len(), 3000);
    }
}
