//! Scripts for an interface on whose link packets wait until they start.

use kernel::{Network, Node, Runner, Stepwise, Wire};

use super::*;
use crate::link::gate::PacketGateRule;
use crate::link::pause::PauseGate;
use crate::wire::between::{ControlFrame, PauseFrame};
use crate::wire::contents::{Cargo, Contents};
use crate::wire::priority::PrioritySet;
use crate::wire::segment::Segment;
use crate::wire::vc::Vc;

const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

/// What happens at the interface: the time in microseconds, and the event.
type Script = Vec<(u64, Event)>;

#[derive(Clone, Copy)]
enum Event {
    /// A packet of 100 octets, which takes 10 us, is handed over on a VC.
    Send(u32),
    /// A pause frame of so many quanta, of 1 us each, arrives for the first priority.
    Pause(u16),
}

enum End {
    Near(Box<Nic>, Script),
    /// The number of each packet and the start of its transmission, in microseconds.
    Far(Vec<(u64, u16)>),
}

impl Node for End {
    type Unit = Unit;
    type Cargo = Cargo;

    fn next_wake(&self) -> Time {
        match self {
            End::Near(nic, script) => {
                let next = script.first().map_or(Time::NEVER, |(us, _)| AT(*us));
                next.min(nic.next_wake())
            }
            End::Far(_) => Time::NEVER,
        }
    }

    fn wake(&mut self, now: Time, out: &mut Outlet<'_>) {
        let End::Near(nic, script) = self else {
            return;
        };
        match script.first().copied() {
            Some((us, event)) if AT(us) == now => {
                script.remove(0);
                match event {
                    Event::Send(vc) => nic.send(now, Vc(vc), contents(), out),
                    Event::Pause(quanta) => {
                        let frame = ControlFrame::Pause(pause(quanta));
                        nic.take_from_link(now, Unit::Control(frame), out);
                    }
                }
            }
            _ => nic.send_paced(out),
        }
    }

    fn receive(&mut self, now: Time, _input: usize, unit: Unit, out: &mut Outlet<'_>) {
        if let (End::Far(arrived), Unit::Packet(packet)) = (self, unit) {
            let number = out.cargo.take(packet.contents).number;
            arrived.push((now.ps() / 1_000_000 - 10, number));
        }
    }
}

fn contents() -> Contents {
    Contents {
        segment: Segment::default(),
        octets: 100,
        cells: 0,
        sent: Time::ZERO,
        number: 0,
        marked: false,
        pdu: 0,
    }
}

fn pause(quanta: u16) -> PauseFrame {
    let first: PrioritySet = Priority::new(1).into_iter().collect();
    let paused = if quanta > 0 {
        first
    } else {
        PrioritySet::default()
    };
    PauseFrame {
        enabled: first,
        paused,
        quanta,
    }
}

/// Runs a script at an interface with priority 1 on VC 0 and priority 4 on VC 1. Returns the start
/// and the number of each packet, and the time until 200 us in which packets of each VC waited.
fn run(script: Script) -> (Vec<(u64, u16)>, [u64; 2]) {
    let rate = Rate::from_bits_per_second(80_000_000);
    let priorities = [1, 4].map(|one| Priority::new(one).expect("a priority"));
    // A quantum of 512 bits takes 1 us at this rate.
    let quanta = Rate::from_bits_per_second(512_000_000);
    let rule = PacketGateRule::Pause(PauseGate::new(quanta, Duration::ZERO));
    let gate = Some(PacketGate::new(rule));
    let waiting = WaitingPackets::new(gate, None, &priorities, rate, CellFormat::ATM);
    let transmitter = Transmitter::new(0, None);
    let pacers = vec![None, None];
    let nic = Nic::new(rate, CellFormat::ATM, pacers, Some(waiting), transmitter);
    let wire = Wire {
        from: 0,
        to: 1,
        shortest: Duration::from_us(10),
        propagation: Duration::ZERO,
    };
    let nodes = vec![End::Near(Box::new(nic), script), End::Far(Vec::new())];
    let mut network = Network::new(nodes, Cargo::default(), &[wire]);
    Stepwise.run(&mut network, AT(200));
    let mut nodes = network.nodes.into_iter();
    let (Some(End::Near(mut nic, _)), Some(End::Far(starts))) = (nodes.next(), nodes.next()) else {
        unreachable!("the network has two ends")
    };
    let waited = [0, 1].map(|vc| {
        let waited = nic.waited(AT(200), Vc(vc)).expect("waits are counted");
        waited.ps() / 1_000_000
    });
    assert_eq!(nic.unstarted(), 0);
    (starts, waited)
}

#[test]
fn without_a_pause_packets_leave_in_the_order_in_which_they_came() {
    let script = [1, 0, 0, 1].map(|vc| (5, Event::Send(vc)));
    let (starts, _) = run(script.to_vec());
    assert_eq!(starts, [(5, 1), (15, 2), (25, 3), (35, 4)]);
}

#[test]
fn a_pause_stops_its_priority_alone_and_the_packet_that_has_started_not() {
    let mut script = [0, 0, 1, 0].map(|vc| (0, Event::Send(vc))).to_vec();
    script.push((5, Event::Pause(100)));
    let (starts, waited) = run(script);
    assert_eq!(starts, [(0, 1), (10, 3), (105, 2), (115, 4)]);
    // The packet of the other VC waited until 10 us, and was sent until 20 us.
    assert_eq!(waited, [125, 20]);
}

#[test]
fn zero_quanta_resume_at_once() {
    let script = vec![
        (0, Event::Pause(100)),
        (1, Event::Send(0)),
        (40, Event::Pause(0)),
    ];
    assert_eq!(run(script).0, [(40, 1)]);
}
