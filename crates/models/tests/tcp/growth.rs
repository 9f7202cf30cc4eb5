//! The growth of congestion windows, and small segments: what holds whatever acknowledgments cover.

use std::collections::VecDeque;

use kernel::{Duration, Time};
use models::transport::tcp::Tcp;
use models::transport::tcp::congestion::{Ack, CongestionControl, Delivery, Limits};
use models::transport::{Segment, Sender, StateValue, Transmit};
use parameters::{Value, ValueTable, understand, value};

use crate::any;

const MSS: u64 = 1448;

/// TCP with this congestion control and 10 segments at first, in segments of [`any::MSS`].
fn tcp_with(congestion: &Value) -> Tcp {
    let mut table = ValueTable::of([("congestion", congestion.clone())]);
    for (name, value) in [
        ("packet", value!("140 B")),
        ("window", value!("1 MiB")),
        ("initial_window", value!(10)),
    ] {
        table.set(name, None, value.into());
    }
    understand(&table.into()).expect("a TCP")
}

/// A congestion control of `tcp` with a window of `initial` segments at first.
fn control(tcp: &Tcp, initial: u64, ssthresh: u64) -> Box<dyn CongestionControl> {
    tcp.congestion.build(&Limits {
        mss: MSS,
        window: 1 << 40,
        initial: initial * MSS,
        ssthresh: ssthresh * MSS,
        header: 40,
    })
}

/// Acknowledges `segments` in acknowledgments of `each`, 10 ms apart.
fn acknowledge(
    control: &mut dyn CongestionControl,
    counts_delivered: bool,
    segments: u64,
    each: u64,
) {
    let (mut done, mut now) = (0, Time::ZERO);
    while done < segments {
        let part = each.min(segments - done);
        done += part;
        now += Duration::from_ms(10);
        let rtt = Some(Duration::from_ms(100));
        control.on_ack(&Ack {
            now,
            octets: part * MSS,
            una: done * MSS,
            max: (done + 1000) * MSS,
            srtt: Duration::from_ms(100),
            rtt,
            limited: true,
            counts_delivered,
            is_paced: false,
        });
        // The window of Prague grows with the sample of the acknowledgment.
        control.on_delivery(&Delivery {
            now,
            rtt,
            ..Delivery::default()
        });
    }
}

/// RFC 5681, section 3.1: a segment a round trip, and not more.
#[test]
fn congestion_avoidance_adds_a_segment_a_window_at_any_window() {
    for congestion in [
        value!({ new_reno = {} }),
        value!({ sack = {} }),
        value!({ dctcp = {} }),
        value!({ prague = {} }),
    ] {
        let tcp = tcp_with(&congestion);
        for window in [10, 100, 731, 1459, 5_000, 24_000, 50_000] {
            for each in [1, 2, 3, 8] {
                let mut control = control(&tcp, window, 2);
                for round in 1..=3 {
                    let segments = control.cwnd() / MSS;
                    acknowledge(&mut *control, tcp.counts_delivered(), segments, each);
                    let grown = control.cwnd() as f64 / MSS as f64 - window as f64;
                    assert!(
                        (grown - f64::from(round)).abs() < 1.0,
                        "{congestion}: {grown} after {round} windows of {window}, {each} at once"
                    );
                }
            }
        }
    }
}

/// The window of slow start after 64 segments, in acknowledgments of `each`, from 10 on.
fn opened(tcp: &Tcp, each: u64) -> u64 {
    let mut control = control(tcp, 10, 1_000_000);
    acknowledge(&mut *control, tcp.counts_delivered(), 64, each);
    control.cwnd() / MSS
}

/// Linux, `tcp_slow_start`; RFC 9406, section 4.2, with a limit of eight segments.
#[test]
fn slow_start_that_counts_what_is_delivered_opens_as_far_whatever_is_acknowledged_at_once() {
    for congestion in [
        value!({ cubic = {} }),
        value!({ cubic = { slow_start = { hystart = {} } } }),
        value!({ cubic = { slow_start = { standard = {} } } }),
        value!({ dctcp = {} }),
        value!({ prague = {} }),
    ] {
        let tcp = tcp_with(&congestion);
        assert_eq!(
            [1, 2, 4, 8].map(|each| opened(&tcp, each)),
            [74; 4],
            "{congestion}"
        );
    }
    for congestion in [value!({ cubic = {} }), value!({ sack = {} })] {
        let preset = ValueTable::of([("preset", value!("linux")), ("congestion", congestion)]);
        let tcp: Tcp = understand(&preset.into()).expect("a TCP");
        assert_eq!([1, 2, 4, 8].map(|each| opened(&tcp, each)), [74; 4]);
    }
}

/// RFC 5681, section 3.1: at most a segment for each acknowledgment.
#[test]
fn slow_start_of_the_standard_opens_by_a_segment_for_each_acknowledgment() {
    for congestion in [
        value!({ tahoe_bsd = {} }),
        value!({ tahoe_gbn = {} }),
        value!({ reno = {} }),
        value!({ new_reno = {} }),
        value!({ sack = {} }),
    ] {
        let tcp = tcp_with(&congestion);
        assert_eq!(
            [1, 2, 4, 8].map(|each| opened(&tcp, each)),
            [74, 42, 26, 18]
        );
    }
}

/// A sender, and what it has sent.
struct Sending {
    sender: Box<dyn Sender>,
    sent: Sent,
}

#[derive(Default)]
struct Sent(Vec<(Time, Segment)>);

impl Transmit for Sent {
    fn transmit(&mut self, now: Time, segment: Segment, _octets: u64) {
        self.0.push((now, segment));
    }
}

impl Sending {
    fn new(tcp: &Tcp) -> Sending {
        Sending {
            sender: any::ends(tcp).sender,
            sent: Sent::default(),
        }
    }

    /// Writes `octets`; returns the lengths of the segments that leave.
    fn write(&mut self, now: Time, octets: u64) -> Vec<u32> {
        self.sender.write(now, octets, &mut self.sent);
        while self.sender.next_wake() <= now {
            self.sender.wake(now, &mut self.sent);
        }
        let sent = std::mem::take(&mut self.sent.0);
        sent.iter().map(|(_, segment)| segment.len).collect()
    }

    /// Lets time pass until `end` on a path of [`DELAY`] without losses, where each segment is
    /// acknowledged by itself; returns the most octets that were outstanding.
    fn until(&mut self, end: Time, acks: &mut VecDeque<(Time, u64)>) -> u64 {
        let mut most = 0;
        loop {
            for (at, segment) in self.sent.0.drain(..) {
                acks.push_back((at + DELAY, segment.end()));
            }
            let last = acks.back().map_or(0, |(_, octet)| *octet);
            most = most.max(last.saturating_sub(self.sender.acknowledged()));
            let arrival = acks.front().map_or(Time::NEVER, |(at, _)| *at);
            let next = arrival.min(self.sender.next_wake());
            if next > end {
                return most;
            }
            if next < arrival {
                self.sender.wake(next, &mut self.sent);
            } else if let Some((at, octet)) = acks.pop_front() {
                let ack = Segment::acknowledgment(octet);
                self.sender.receive(at, &ack, &mut self.sent);
            }
        }
    }

    fn cwnd(&self, now: Time) -> u64 {
        match self.sender.state(now).and_then(|state| state.get("cwnd")) {
            Some(StateValue::Octets(octets)) => octets,
            _ => panic!("there is a congestion window"),
        }
    }
}

/// Round-trip time of the path of [`Sending::until`].
const DELAY: Duration = Duration::from_ms(50);

/// Linux, `tcp_is_cwnd_limited`: sources of 4, 7 and 12 segments in each 100 ms, for a minute. A control
/// that paces sends them one by one, so that fewer are outstanding.
#[test]
fn a_window_is_at_most_twice_what_the_application_uses_of_it() {
    for congestion in [
        value!({ tahoe_bsd = {} }),
        value!({ tahoe_gbn = {} }),
        value!({ reno = {} }),
        value!({ new_reno = {} }),
        value!({ sack = {} }),
        value!({ cubic = {} }),
        value!({ dctcp = {} }),
        value!({ prague = {} }),
    ] {
        let tcp = tcp_with(&congestion);
        for segments in [4, 7, 12] {
            let (mut sending, mut acks, mut most) = (Sending::new(&tcp), VecDeque::new(), 0);
            let mut now = Time::ZERO;
            for _ in 0..600 {
                sending
                    .sender
                    .write(now, segments * any::MSS, &mut sending.sent);
                now += Duration::from_ms(100);
                most = most.max(sending.until(now, &mut acks));
            }
            let cwnd = sending.cwnd(now) / any::MSS;
            let allowed = 10.max(2 * most / any::MSS) + 1;
            assert!(
                cwnd <= allowed,
                "{congestion}: {cwnd} for {segments} segments, {most} octets outstanding"
            );
        }
    }
}

/// Minshall et al., 2000: a write leaves as a whole if nothing small is outstanding. RFC 896: its end
/// waits unless nothing at all is.
#[test]
fn the_end_of_a_write_waits_for_the_data_before_it_or_only_for_small_segments() {
    for octets in 1..=10 * any::MSS + 1 {
        let lengths = |rule: &Value| {
            let tcp = tcp_with(&value!({ sack = {} }));
            let nagle = understand(rule).expect("a rule");
            Sending::new(&Tcp { nagle, ..tcp }).write(Time::ZERO, octets)
        };
        let (full, rest) = (octets / any::MSS, octets % any::MSS);
        let fits = full < 10 && rest > 0;
        let whole = full.min(10) as usize;
        let at_once = lengths(&value!("minshall"));
        assert_eq!(at_once.len(), whole + usize::from(fits), "{octets}");
        let waits = lengths(&value!("rfc896"));
        assert_eq!(
            waits.len(),
            whole + usize::from(fits && full == 0),
            "{octets}"
        );
        assert_eq!(lengths(&value!("off")), at_once);
    }
}
