//! Scripts of the two ends: what is sent when a connection opens, closes and is followed by another.

use kernel::{Duration, Seed, Time};
use parameters::{understand, value};

use super::{IdlePath, ends};
use crate::bearer::BearerSpec;
use crate::traffic::arrivals::ArrivalsSpec;
use crate::traffic::connections::Connections;
use crate::traffic::trace::Writes;
use crate::traffic::{Application, FileLines, PacketSizes};
use crate::transport::{Connection, Ends, Segment, Transmit, TransportSpec};
use crate::wire::connection::ConnectionId;
use crate::wire::format::CellFormat;

/// The segments that an end has sent.
#[derive(Default)]
struct Sent(Vec<Segment>);

impl Transmit for Sent {
    fn transmit(&mut self, _now: Time, segment: Segment, _octets: u64) {
        self.0.push(segment);
    }
}

const MS: fn(u64) -> Time = |ms| Time::ZERO + Duration::from_ms(ms);

/// The ends of a flow with connections at these times, of 100 octets each.
fn flow(times: &str, handshake: bool) -> Ends {
    let seed = Seed {
        seed: 1,
        replication: 0,
    };
    let transport = value!({ tcp = { packet = "140 B", acknowledge = { every = {} } } });
    let mut transport: TransportSpec = understand(&transport).expect("a transport");
    if let TransportSpec::Tcp(tcp) = &mut transport {
        tcp.handshake = handshake;
    }
    let text = times.replace(' ', " 100\n") + " 100";
    let traced = value!({ arrivals = { trace = { text = "0 100" } } });
    let mut source: Connections = understand(&traced).expect("a source");
    if let ArrivalsSpec::TraceArrivals(trace) = &mut source.arrivals {
        trace.0.text = Some(Writes::parse(&text).expect("a trace"));
    }
    let application = Application {
        name: "f".into(),
        host: "h".into(),
        seed,
        message: 100,
        message_time: None,
        packets: PacketSizes {
            payload: 100,
            headers: 40,
            added: 40,
            least: 0,
            cells: None,
        },
        carried: 1e6,
        siblings: 1,
        awaited: 0,
    };
    let connection = Connection {
        name: "f".into(),
        seed,
        over: BearerSpec::default().wrapping(CellFormat::ATM),
    };
    let idle = IdlePath {
        propagation: 0.001,
        octet_on_all: 0.0,
        octet_on_slowest: 0.0,
        payload: 100,
    };
    ends(&transport, &connection, source.calls(&application), idle)
}

/// The segments that the sending end sends when its next event is due.
fn woken(flow: &mut Ends, now: Time) -> Vec<Segment> {
    let mut sent = Sent::default();
    flow.sender.wake(now, &mut sent);
    sent.0
}

/// The segments with which the receiving end answers a segment, and the new octets.
fn answered(flow: &mut Ends, now: Time, segment: &Segment) -> (Vec<Segment>, u64) {
    let mut sent = Sent::default();
    let new = flow.receiver.receive(now, segment, false, &mut sent);
    (sent.0, new)
}

/// The segments with which the sending end answers a segment.
fn returned(flow: &mut Ends, now: Time, segment: &Segment) -> Vec<Segment> {
    let mut sent = Sent::default();
    flow.sender.receive(now, segment, &mut sent);
    sent.0
}

#[test]
fn a_connection_opens_sends_and_closes_at_both_ends() {
    let mut flow = flow("0", true);
    let syn = woken(&mut flow, MS(0));
    assert!(syn.len() == 1 && syn[0].flags.syn && !syn[0].fin());
    let (answer, new) = answered(&mut flow, MS(1), &syn[0]);
    assert!(answer.len() == 1 && answer[0].flags.syn && new == 0);
    let data = returned(&mut flow, MS(2), &answer[0]);
    assert!(data.len() == 1 && data[0].len == 100 && data[0].fin());
    let (answer, new) = answered(&mut flow, MS(3), &data[0]);
    assert!(answer.len() == 1 && answer[0].fin() && new == 100);
    let last = returned(&mut flow, MS(4), &answer[0]);
    assert!(last.len() == 1 && last[0].len == 0 && !last[0].fin());
    assert_eq!(answered(&mut flow, MS(5), &last[0]), (vec![], 0));
    // Nothing is left to do, at either end.
    assert_eq!(woken(&mut flow, MS(5_000)), vec![]);
    flow.receiver.wake(MS(5_000), &mut Sent::default());
    let wakes = [flow.sender.next_wake(), flow.receiver.next_wake()];
    assert_eq!(wakes, [Time::NEVER; 2]);
}

#[test]
fn fin_is_sent_until_it_is_acknowledged() {
    let mut flow = flow("0", false);
    let data = woken(&mut flow, MS(0));
    let (first, _) = answered(&mut flow, MS(1), &data[0]);
    // Neither this answer nor the next two arrive: after 1 s, 2 s and 4 s.
    for at in [1_001, 3_001, 7_001] {
        assert_eq!(flow.receiver.next_wake(), MS(at));
        let mut sent = Sent::default();
        flow.receiver.wake(MS(at), &mut sent);
        assert_eq!(sent.0, first);
    }
    // The data again has the same answer.
    assert_eq!(answered(&mut flow, MS(7_500), &data[0]).0, first);
    let last = returned(&mut flow, MS(7_600), &first[0]);
    assert_eq!(last.len(), 1);
    // Its acknowledgment was lost: a further FIN of the closed connection is acknowledged too.
    assert_eq!(returned(&mut flow, MS(7_700), &first[0]), last);
    answered(&mut flow, MS(7_800), &last[0]);
    flow.receiver.wake(MS(60_000), &mut Sent::default());
    assert_eq!(flow.receiver.next_wake(), Time::NEVER);
}

#[test]
fn a_late_segment_of_an_earlier_connection_changes_nothing() {
    let mut flow = flow("0 0.01", false);
    let first = woken(&mut flow, MS(0));
    let (closed, _) = answered(&mut flow, MS(1), &first[0]);
    returned(&mut flow, MS(2), &closed[0]);
    // The acknowledgment of FIN is lost, and the next connection uses the slot again.
    let second = woken(&mut flow, MS(10));
    let [one, two] = [&first[0], &second[0]].map(|data| ConnectionId::of(data.seq));
    assert!(one.slot == two.slot && two.is_after(one));
    let (answer, new) = answered(&mut flow, MS(11), &second[0]);
    assert_eq!((answer.len(), new), (1, 100));
    assert_eq!(answered(&mut flow, MS(12), &first[0]), (vec![], 0));
    // A late FIN of the first is acknowledged as such, and the second goes on.
    let late = returned(&mut flow, MS(13), &closed[0]);
    assert_eq!(ConnectionId::of(late[0].seq), one);
    assert_eq!(flow.sender.acknowledged(), 100);
    returned(&mut flow, MS(14), &answer[0]);
    assert_eq!(flow.sender.acknowledged(), 200);
    flow.sender
        .connections()
        .expect("counts")
        .assert_conservation();
}

#[test]
fn the_idle_path_takes_the_first_packet_on_all_links_and_the_rest_on_the_slowest() {
    let idle = IdlePath {
        propagation: 0.5,
        octet_on_all: 0.002,
        octet_on_slowest: 0.001,
        payload: 100,
    };
    let times = [50, 100, 300].map(|octets| idle.time(octets));
    assert_eq!(times, [600, 700, 900].map(Duration::from_ms));
}
