//! Scripts for the sender: the segments it sends for acknowledgments and over time.

use kernel::{Duration, Seed};
use parameters::{Bytes, ParameterTable};

use super::*;
use crate::transport::StateValue;
use crate::transport::tcp::Repeated;
use crate::transport::tcp::backoff::BackoffSpec;
use crate::transport::tcp::congestion::CongestionSpec;
use crate::transport::tcp::congestion::tahoe_gbn::TahoeGbn;
use crate::transport::tcp::nagle::{Nagle, NagleRule};
use crate::transport::tcp::receive_window::ReceiveWindow;
use crate::transport::tcp::timers::TimersSpec;
use crate::transport::tcp::timers::rfc6298::Rfc6298;
use crate::wire::format::CellFormat;

/// A sender of segments of ten octets, numbered from zero, and the segments it has sent.
struct Script {
    sender: TcpSender,
    sent: Vec<u64>,
}

impl Transmit for Vec<u64> {
    fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
        assert_eq!(octets, u64::from(segment.len) + 40);
        self.push(segment.seq / 10);
    }
}

const fn at(ms: u64) -> Time {
    Time::from_ps(ms * 1_000_000_000)
}

impl Script {
    /// Begins with eight segments outstanding.
    fn new(change: impl FnOnce(&mut Tcp)) -> Script {
        let mut tcp = Tcp {
            packet: Bytes(50),
            window: ReceiveWindow::Fixed(Bytes(50 * 20)),
            initial_window: 8,
            timers: TimersSpec::Rfc6298(Rfc6298::defaults()),
            ..Tcp::defaults()
        };
        change(&mut tcp);
        let seed = Seed {
            seed: 1,
            replication: 0,
        };
        let connection = Connection {
            name: "f".into(),
            seed,
            over: crate::bearer::BearerSpec::default().wrapping(CellFormat::ATM),
        };
        let mut script = Script {
            sender: TcpSender::new(&tcp, &connection),
            sent: Vec::new(),
        };
        script.sender.write(at(0), 1_000_000, &mut script.sent);
        assert_eq!(script.sent(), [0, 1, 2, 3, 4, 5, 6, 7]);
        script
    }

    fn go_back(tcp: &mut Tcp) {
        tcp.congestion = CongestionSpec::TahoeGbn(TahoeGbn::defaults());
    }

    /// The segments sent since the last call.
    fn sent(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.sent)
    }

    /// Acknowledges all segments below `next`, and returns the segments sent for it.
    fn ack(&mut self, ms: u64, next: u64) -> Vec<u64> {
        let segment = Segment::acknowledgment(next * 10);
        self.sender.receive(at(ms), &segment, &mut self.sent);
        self.sent()
    }

    fn srtt(&self) -> Duration {
        match self
            .sender
            .state(at(40))
            .and_then(|state| state.get("srtt"))
        {
            Some(StateValue::Time(srtt)) => srtt,
            other => panic!("{other:?} is no round-trip time"),
        }
    }

    /// Advances time, and returns the segments sent when the timer expires.
    fn wait(&mut self, ms: u64) -> Vec<u64> {
        self.sender.wake(at(ms), &mut self.sent);
        self.sent()
    }
}

#[test]
fn slow_start_sends_two_segments_for_each_acknowledged() {
    let mut script = Script::new(|_| ());
    assert_eq!(script.ack(1, 1), [8, 9]);
    assert_eq!(script.ack(1, 3), [10, 11, 12]);
}

#[test]
fn tahoe_of_bsd_resends_one_segment_after_the_third_duplicate() {
    let mut script = Script::new(|_| ());
    assert_eq!(script.ack(1, 1), [8, 9]);
    assert_eq!(
        [script.ack(1, 1), script.ack(1, 1)],
        [[], []] as [[u64; 0]; 2]
    );
    assert_eq!(script.ack(1, 1), [1]);
    assert_eq!(script.ack(1, 1), [] as [u64; 0]);
    // All outstanding data has arrived, so slow start continues beyond it.
    assert_eq!(script.ack(2, 10), [10, 11]);
}

#[test]
fn tahoe_of_the_simulators_goes_back() {
    let mut script = Script::new(Script::go_back);
    (0..2).for_each(|_| assert_eq!(script.ack(1, 0), [] as [u64; 0]));
    assert_eq!(script.ack(1, 0), [0]);
    // Segment 3 is missing too, and 4 is sent although it had arrived.
    assert_eq!(script.ack(2, 3), [3, 4]);
    assert_eq!(script.ack(3, 8), [8, 9, 10]);
}

#[test]
fn a_guarded_sender_ignores_the_duplicates_of_its_own_resends() {
    for (rule, answer) in [(Repeated::Allowed, vec![8]), (Repeated::Guarded, vec![])] {
        let mut script = Script::new(|tcp| {
            Script::go_back(tcp);
            tcp.repeated_fast_retransmit = rule;
        });
        (0..3).for_each(|_| {
            script.ack(1, 0);
        });
        assert_eq!(script.ack(2, 8), [8, 9]);
        script.ack(2, 8);
        script.ack(2, 8);
        assert_eq!(script.ack(2, 8), answer);
    }
}

#[test]
fn a_timeout_goes_back_and_doubles() {
    let mut script = Script::new(|_| ());
    assert_eq!(script.wait(999), [] as [u64; 0]);
    assert_eq!(script.wait(1_000), [0]);
    assert_eq!(script.sender.next_wake(), at(3_000));
    assert_eq!(script.wait(3_000), [0]);
    assert_eq!(script.sender.next_wake(), at(7_000));
    // The acknowledgment of a retransmitted segment gives no round-trip time: Karn keeps the
    // backoff.
    assert_eq!(script.ack(3_001, 8), [8, 9]);
    assert_eq!(script.sender.next_wake(), at(7_001));
}

/// RFC 5681, section 3.1: ssthresh is set once per segment, however often its timer expires.
#[test]
fn timeouts_of_one_segment_set_the_threshold_once() {
    let mut script = Script::new(|tcp| {
        let rule = parameters::value!({ sack = {} });
        tcp.congestion = parameters::understand(&rule).expect("a congestion control");
    });
    let ssthresh = |script: &Script| script.sender.window.control.ssthresh();
    script.wait(1_000);
    assert_eq!(ssthresh(&script), 40);
    script.wait(3_000);
    assert_eq!(ssthresh(&script), 40);
    // The timer has not yet expired for the next segment.
    script.ack(3_001, 1);
    script.wait(7_001);
    assert_eq!(ssthresh(&script), 20);
}

/// Under Karn's rule expiries are counted from the last round-trip time of a segment sent only
/// once, as by `t_rxtshift`, and not from the last acknowledgment. At the fourth expiry BSD
/// discards its mean.
#[test]
fn expiries_are_counted_until_the_backoff_ends() {
    let rule = parameters::value!({ bsd = { tick = "10 ms", initial = "50 ms" } });
    let mut script = Script::new(|tcp| {
        tcp.timers = parameters::understand(&rule).expect("timers");
    });
    script.ack(40, 8);
    assert!(script.srtt() > Duration::ZERO);
    for expiry in 0..4 {
        let due = script.sender.next_wake();
        script.sender.wake(due, &mut script.sent);
        if expiry == 1 {
            let ms = due.ps() / 1_000_000_000 + 1;
            script.ack(ms, 9);
        }
    }
    assert_eq!(script.srtt(), Duration::ZERO);
}

#[test]
fn an_old_acknowledgment_ends_a_row_of_duplicates() {
    let mut script = Script::new(|_| ());
    script.ack(1, 2);
    assert_eq!(
        [2, 2, 1, 2, 2].map(|next| script.ack(1, next).len()),
        [0; 5]
    );
    assert_eq!(script.ack(1, 2), [2]);
}

#[test]
fn backoff_may_end_with_any_new_acknowledgment() {
    let mut script = Script::new(|tcp| {
        let rule = parameters::value!({ reset_on_new_ack = {} });
        tcp.backoff = parameters::understand::<BackoffSpec>(&rule).expect("a rule");
    });
    script.wait(1_000);
    script.ack(1_001, 8);
    assert_eq!(script.sender.next_wake(), at(2_001));
}

#[test]
fn the_timer_stops_when_nothing_is_outstanding() {
    let mut script = Script::new(|_| ());
    script.sender.data.written = 80;
    script.ack(1, 8);
    assert_eq!(script.sender.next_wake(), Time::NEVER);
}

#[test]
fn small_writes_wait_only_with_nagles_algorithm() {
    for (rule, sent) in [(NagleRule::Off, 2), (NagleRule::Rfc896, 1)] {
        let mut script = Script::new(|tcp| tcp.nagle = Nagle(rule));
        script.sender.data.written = 80;
        script.ack(1, 8);
        script.sender.write(at(2), 3, &mut script.sent);
        script.sender.write(at(3), 3, &mut script.sent);
        assert_eq!(script.sent().len(), sent);
    }
}

#[test]
fn the_round_trip_is_timed_from_the_segment_that_was_timed() {
    let mut script = Script::new(|_| ());
    script.ack(40, 8);
    assert_eq!(script.srtt(), Duration::from_ms(40));
}
