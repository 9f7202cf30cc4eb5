//! Scripts for a transmitter: the units sent at one end of a link, and the units that arrive at the
//! other.

use kernel::{Network, Node, Runner, Stepwise, Wire};
use parameters::{Value, understand, value};

use super::*;
use crate::link::loss::LossSpec;
use crate::link::loss::script::way;
use crate::wire::cell::Data;
use crate::wire::contents::{Cargo, ContentsId};
use crate::wire::ecn::CongestionField;
use crate::wire::format::CellFormat;

/// Transmission time of a cell on the link.
const CELL: Duration = Duration::from_ps(10);
const VC: Vc = Vc(0);
const AT: fn(u64) -> Time = Time::from_ps;

/// The units that the transmitter sends at time zero.
type Script<'a> = dyn FnMut(&mut Transmitter, &mut Outlet<'_>) + 'a;

enum End<'a> {
    /// The near end of the link.
    Near(Transmitter, Option<&'a mut Script<'a>>),
    /// The far end, with the units that have arrived.
    Far(Vec<(u64, Unit)>),
}

impl Node for End<'_> {
    type Unit = Unit;
    type Cargo = Cargo;

    fn next_wake(&self) -> Time {
        match self {
            End::Near(_, Some(_)) => Time::ZERO,
            End::Near(_, None) | End::Far(_) => Time::NEVER,
        }
    }

    fn wake(&mut self, _now: Time, out: &mut Outlet<'_>) {
        if let End::Near(transmitter, script) = self
            && let Some(script) = script.take()
        {
            script(transmitter, out);
        }
    }

    fn receive(&mut self, now: Time, _input: usize, unit: Unit, _out: &mut Outlet<'_>) {
        if let End::Far(arrived) = self {
            arrived.push((now.ps(), unit));
        }
    }
}

/// Runs a script. Returns the transmitter, the units that arrive with their times, and the contents
/// that are still in the network.
fn run<'a>(
    transmitter: Transmitter,
    script: &'a mut Script<'a>,
) -> (Transmitter, Vec<(u64, Unit)>, Cargo) {
    let wire = Wire {
        from: 0,
        to: 1,
        shortest: CELL,
        propagation: Duration::ZERO,
    };
    let nodes = vec![End::Near(transmitter, Some(script)), End::Far(Vec::new())];
    let mut network = Network::new(nodes, Cargo::default(), &[wire]);
    Stepwise.run(&mut network, AT(1_000_000));
    let mut nodes = network.nodes.into_iter();
    let (Some(End::Near(transmitter, _)), Some(End::Far(arrived))) = (nodes.next(), nodes.next())
    else {
        unreachable!("the network has two ends")
    };
    (transmitter, arrived, network.cargo)
}

/// A transmitter to a link with this loss.
fn lossy(loss: &Value, at: LossAt) -> Transmitter {
    let spec: LossSpec = understand(loss).expect("a loss");
    let loss = spec.build(&way(false)).expect("a loss");
    Transmitter::new(
        0,
        Some(LossyEnd::new(loss, spec.unit(), at, 1, CellFormat::ATM)),
    )
}

fn contents(cells: u32) -> Contents {
    Contents {
        segment: crate::wire::segment::Segment::default(),
        octets: 48 * cells,
        cells,
        sent: Time::ZERO,
        number: 0,
        marked: false,
        pdu: 1,
    }
}

fn cell(contents: ContentsId, eom: bool) -> Cell {
    Cell::data(VC, Data::new(1, contents, eom))
}

fn train(contents: ContentsId, cells: u32) -> Train {
    Train::data(VC, Data::new(1, contents, true), cells, CELL)
}

/// Sends a PDU of `cells` cells back to back, one by one.
fn send_cells(by: &mut Transmitter, cells: u32, out: &mut Outlet<'_>) {
    let contents = out.cargo.insert(contents(cells));
    for index in 0..cells {
        let start = Time::ZERO + CELL * u64::from(index);
        let cell = cell(contents, index + 1 == cells);
        by.cell(start, start + CELL, &cell, out);
    }
}

/// Arrival, number of cells and end of a PDU (true or false) of each train.
fn trains(arrived: &[(u64, Unit)]) -> Vec<(u64, u32, bool)> {
    let trains = arrived.iter().map(|(at, unit)| match unit {
        Unit::Cells(train) => (*at, train.cells, train.part().is_some_and(|data| data.eom)),
        _ => unreachable!("only cells were sent"),
    });
    trains.collect()
}

#[test]
fn a_cell_arrives_after_its_whole_transmission() {
    let (_, arrived, _) = run(Transmitter::new(0, None), &mut |by, out| {
        send_cells(by, 2, out);
    });
    assert_eq!(trains(&arrived), [(10, 1, false), (20, 1, true)]);
}

#[test]
fn a_cell_lost_on_the_link_takes_its_time_and_its_packet() {
    let loss = lossy(&value!({ nth_cell = [1] }), LossAt::Transmission);
    let (_, arrived, cargo) = run(loss, &mut |by, out| {
        for pdu in 0..3 {
            let start = Time::ZERO + CELL * pdu;
            let contents = out.cargo.insert(contents(1));
            assert!(!by.loses_offered_cell(start, &cell(contents, true), out));
            by.cell(start, start + CELL, &cell(contents, true), out);
        }
    });
    assert_eq!(trains(&arrived), [(10, 1, true), (30, 1, true)]);
    assert_eq!(cargo.live(), 2);
}

#[test]
fn a_cell_lost_before_the_queue_is_never_sent() {
    let loss = lossy(&value!({ nth_cell = [0] }), LossAt::Queue);
    assert!(loss.loses_offered());
    let (_, arrived, cargo) = run(loss, &mut |by, out| {
        let contents = out.cargo.insert(contents(1));
        assert!(by.loses_offered_cell(Time::ZERO, &cell(contents, true), out));
        // A loss before the queue is decided at the offer, and not again when the cell is sent.
        send_cells(by, 1, out);
    });
    assert_eq!(trains(&arrived), [(10, 1, true)]);
    assert_eq!(cargo.live(), 1);
}

#[test]
fn a_tap_notes_the_packets_that_the_link_does_not_lose() {
    let mut by = lossy(&value!({ nth = [0] }), LossAt::Transmission);
    by.install(Tap::new(1));
    let (mut by, arrived, cargo) = run(by, &mut |by, out| {
        for start in [0, 50] {
            let packet = PacketUnit {
                vc: VC,
                contents: out.cargo.insert(contents(0)),
                octets: 1500,
                congestion: CongestionField::Clear,
                trimmed: false,
                input: 0,
            };
            assert!(!by.loses_offered_packet(AT(start), &packet, out));
            let is_lost = by.packet(AT(start), AT(start + 50), &packet, out);
            assert_eq!(is_lost, start == 0);
        }
    });
    let noted = by.tap_mut().expect("a tap").take_before(Time::NEVER);
    let starts: Vec<u64> = noted.iter().map(|passing| passing.at.ps()).collect();
    assert_eq!(starts, [50]);
    assert_eq!(arrived.len(), 1);
    assert_eq!(cargo.live(), 1);
}

#[test]
fn gathered_cells_arrive_together_with_the_last() {
    let by = Transmitter::new(0, None).gathering(1);
    assert!(by.gathers());
    let (by, arrived, _) = run(by, &mut |by, out| {
        send_cells(by, 3, out);
        let next = out.cargo.insert(contents(2));
        by.cell(AT(30), AT(40), &cell(next, false), out);
    });
    assert_eq!(trains(&arrived), [(30, 3, true)]);
    assert_eq!(by.pending(), 1);
}

/// A transmitter to a node that discards PDUs after 100 ps.
fn timing_out() -> Transmitter {
    let limits = [Some(Duration::from_ps(100))];
    Transmitter::new(0, None)
        .gathering(1)
        .timing_out(limits.into_iter())
}

#[test]
fn a_pdu_that_does_not_end_in_time_is_discarded_when_the_next_cell_arrives() {
    // The first cell of the first PDU arrives at 10, and its end is lost.
    let discarded = |next: u64| {
        let (by, arrived, _) = run(timing_out(), &mut |by, out| {
            by.cell(AT(0), AT(10), &cell(ContentsId(0), false), out);
            by.cell(AT(10), AT(20), &cell(ContentsId(0), false), out);
            let whole = out.cargo.insert(contents(1));
            by.cell(AT(next), AT(next + 10), &cell(whole, true), out);
        });
        assert_eq!(by.pending(), 0);
        trains(&arrived)
    };
    assert_eq!(discarded(99), [(109, 3, true)]);
    assert_eq!(discarded(100), [(110, 2, false), (110, 1, true)]);
}

#[test]
fn a_timer_may_expire_between_two_cells_of_a_train() {
    let (by, arrived, _) = run(timing_out(), &mut |by, out| {
        by.cell(AT(0), AT(10), &cell(ContentsId(0), false), out);
        let whole = train(out.cargo.insert(contents(4)), 4);
        by.train(Time::ZERO, AT(80), whole, CELL, out);
    });
    // Cells of the train end at 90, 100, 110 and 120: two are in time.
    assert_eq!(trains(&arrived), [(120, 3, false), (120, 2, true)]);
    assert_eq!(by.pending(), 0);
}

#[test]
fn the_timer_begins_anew_with_each_pdu() {
    let (_, arrived, _) = run(timing_out(), &mut |by, out| {
        for start in [0, 95, 190] {
            let whole = out.cargo.insert(contents(2));
            by.cell(AT(start), AT(start + 10), &cell(whole, false), out);
            by.cell(AT(start + 80), AT(start + 90), &cell(whole, true), out);
        }
    });
    assert_eq!(
        trains(&arrived),
        [(90, 2, true), (185, 2, true), (280, 2, true)]
    );
}

#[test]
fn an_rm_cell_passes_gathered_cells_and_tells_of_the_mark_of_the_last() {
    let forward = |marked: bool, backward: bool| {
        let by = Transmitter::new(0, None).gathering(1);
        let (_, arrived, _) = run(by, &mut |by, out| {
            let mut data = cell(ContentsId(0), false);
            if marked {
                data.mark();
            }
            by.cell(AT(0), AT(10), &data, out);
            let rm = out.cargo.insert_rm(crate::abr::RmCell::default());
            out.cargo.rm_mut(rm).backward = backward;
            by.cell(AT(10), AT(20), &Cell::rm(VC, rm), out);
        });
        match arrived[..] {
            [(20, Unit::Cells(train))] => train.efci,
            _ => unreachable!("the RM cell arrives alone"),
        }
    };
    assert!(forward(true, false));
    assert!(!forward(false, false));
    // A backward RM cell belongs to the opposite direction, so it does not report EFCI here.
    assert!(!forward(true, true));
}

#[test]
fn a_train_is_committed_at_the_end_of_its_first_cell() {
    let (_, arrived, _) = run(Transmitter::new(0, None), &mut |by, out| {
        let whole = train(out.cargo.insert(contents(4)), 4);
        let sent = by.train(Time::ZERO, AT(5), whole, CELL, out);
        let until = Some(AT(45));
        let survivors = 4;
        assert_eq!(sent, SentTrain { survivors, until });
    });
    assert_eq!(trains(&arrived), [(15, 4, true)]);
}

#[test]
fn a_train_that_follows_another_is_announced_ahead_of_its_cells() {
    let (_, arrived, _) = run(Transmitter::new(0, None), &mut |by, out| {
        let whole = Train {
            order: TrainOrder::Announced,
            ..train(out.cargo.insert(contents(2)), 2)
        };
        by.train(Time::ZERO, AT(100), whole, CELL, out);
    });
    assert_eq!(trains(&arrived), [(10, 2, true)]);
}

#[test]
fn a_gathered_train_arrives_with_its_last_cell() {
    let by = Transmitter::new(0, None).gathering(1);
    let (_, arrived, _) = run(by, &mut |by, out| {
        let whole = train(out.cargo.insert(contents(4)), 4);
        by.train(Time::ZERO, Time::ZERO, whole, CELL, out);
    });
    assert_eq!(trains(&arrived), [(40, 4, true)]);
}

#[test]
fn only_a_loss_on_the_link_leaves_a_gap_in_a_train() {
    let sent = |at| {
        let loss = lossy(&value!({ nth_cell = [1] }), at);
        let mut sent = None;
        let (_, arrived, _) = run(loss, &mut |by, out| {
            let whole = train(out.cargo.insert(contents(4)), 4);
            sent = Some(by.train(Time::ZERO, Time::ZERO, whole, CELL, out));
        });
        (trains(&arrived), sent.expect("a train"))
    };
    let with_until = |until| SentTrain {
        survivors: 3,
        until: Some(AT(until)),
    };
    let (arrived, on_link) = sent(LossAt::Transmission);
    assert_eq!(arrived, [(10, 1, false), (30, 2, true)]);
    assert_eq!(on_link, with_until(40));
    let (arrived, before) = sent(LossAt::Queue);
    assert_eq!(arrived, [(10, 3, true)]);
    assert_eq!(before, with_until(30));
}

#[test]
fn a_train_that_is_lost_whole_takes_time_only_on_the_link() {
    let sent = |at| {
        let loss = lossy(&value!({ nth = [0] }), at);
        let mut sent = None;
        let (_, arrived, cargo) = run(loss, &mut |by, out| {
            let whole = train(out.cargo.insert(contents(2)), 2);
            sent = Some(by.train(Time::ZERO, Time::ZERO, whole, CELL, out));
        });
        assert_eq!((arrived.len(), cargo.live()), (0, 0));
        sent.expect("a train")
    };
    let with_until = |until| SentTrain {
        survivors: 0,
        until,
    };
    assert_eq!(sent(LossAt::Transmission), with_until(Some(AT(20))));
    assert_eq!(sent(LossAt::Queue), with_until(None));
}

#[test]
fn an_amendment_arrives_a_cell_time_after_it_is_sent() {
    let amendment = Amendment::Recall(2);
    let (_, arrived, _) = run(Transmitter::new(0, None), &mut |by, out| {
        by.amend(Time::ZERO, CELL, amendment, out);
    });
    assert_eq!(arrived, [(10, Unit::Amendment(amendment))]);
}

#[test]
fn a_host_notes_its_packets_with_the_cells_that_the_link_loses() {
    let mut by = Transmitter::new(0, None);
    by.note(AT(1), VC, contents(2), None);
    by.install(Tap::new(1));
    by.note(AT(2), VC, contents(2), None);
    by.note(AT(3), VC, contents(2), Some(1));
    let noted = by.tap_mut().expect("a tap").take_before(Time::NEVER);
    let fates: Vec<(u64, Fate)> = noted
        .iter()
        .map(|passing| (passing.at.ps(), passing.fate))
        .collect();
    assert_eq!(fates, [(2, Fate::Whole), (3, Fate::Lost { cells: 1 })]);
}
