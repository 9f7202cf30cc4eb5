//! Closed windows over a long time: RFC 1122, section 4.2.2.17.

use kernel::{Duration, Time};
use models::transport::tcp::Tcp;
use models::transport::{Segment, Sender, Transmit};
use parameters::{understand, value};

use crate::any;

struct Sent(Vec<(Time, Segment)>);

impl Transmit for Sent {
    fn transmit(&mut self, now: Time, segment: Segment, _octets: u64) {
        self.0.push((now, segment));
    }
}

/// A sender with an acknowledged segment, a closed window and more data.
fn closed() -> (Box<dyn Sender>, Sent) {
    let tcp: Tcp = understand(&value!({
        give_up = { retries = 2 },
        timers = { rfc6298 = { min = "300 ms" } }
    }))
    .expect("valid");
    let (mut sender, mut sent) = (any::ends(&tcp).sender, Sent(Vec::new()));
    sender.write(Time::ZERO, 2000, &mut sent);
    let ack = Segment::acknowledgment(sent.0[0].1.end()).with_window(0);
    sender.receive(Time::ZERO + Duration::from_ms(100), &ack, &mut sent);
    sent.0.clear();
    (sender, sent)
}

/// The n-th probe leaves (2^n - 1) waits after the window has closed, and as many round trips of the
/// probes before it, until a wait is 120 s; an answer to each keeps the connection for any time.
#[test]
fn a_live_receiver_is_never_given_up() {
    let (mut sender, mut sent) = closed();
    let closed_at = Time::ZERO + Duration::from_ms(100);
    let (base, round_trip) = (Duration::from_ms(300), Duration::from_ms(50));
    let ack = Segment::acknowledgment(sender.acknowledged());
    let mut due = closed_at;
    for number in 0..40 {
        let wait = (base * (1 << number.min(20))).min(Duration::from_ms(120_000));
        due += wait;
        if number < 8 {
            let before = round_trip * number;
            assert_eq!(due, closed_at + base * ((2 << number) - 1) + before);
        }
        assert_eq!(sender.next_wake(), due, "probe {number}");
        sender.wake(due, &mut sent);
        let (at, probe) = sent.0.pop().expect("a probe");
        assert_eq!((at, probe), (due, Segment::probe(ack.ack)));
        due += round_trip;
        sender.receive(due, &ack.with_window(0), &mut sent);
        assert!(sent.0.is_empty() && !sender.meter().gave_up);
    }
    assert!(due > Time::ZERO + Duration::from_ms(3_600_000), "an hour");
    sender.receive(due, &ack.with_window(5000), &mut sent);
    assert!(sent.0.iter().any(|(_, segment)| segment.len > 0));
}

/// Without an answer the connection ends with the third expiry: two probes were allowed.
#[test]
fn a_dead_receiver_is_given_up() {
    let (mut sender, mut sent) = closed();
    for _ in 0..2 {
        sender.wake(sender.next_wake(), &mut sent);
    }
    assert_eq!((sent.0.len(), sender.meter().gave_up), (2, false));
    sender.wake(sender.next_wake(), &mut sent);
    assert_eq!((sent.0.len(), sender.meter().gave_up), (2, true));
    assert_eq!(sender.next_wake(), Time::NEVER);
}
