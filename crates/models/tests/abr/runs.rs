//! Cells that are committed together leave at the same times as cells that leave one by one,
//! whatever arrives meanwhile.

use kernel::{Duration, Time};
use models::abr::{Contract, RmCell};
use models::paced::{Commitment, CommitmentChange, Leaving, PacedVc, Pacer, WaitingPacket};
use models::wire::cell::TrainOrder;
use models::wire::contents::ContentsId;
use models::wire::vc::Vc;
use proptest::prelude::*;

/// An event at a VC.
#[derive(Clone, Copy, Debug)]
enum Event {
    Packet(u32),
    Backward(f64),
    Forward,
    Pass(u64),
}

/// A cell that has left: a data cell with its PDU, and true if it is the last of the PDU, or an RM
/// cell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Left {
    Data(u32, bool),
    Rm(RmCell),
}

struct Host {
    vc: PacedVc,
    runs: bool,
    now: Time,
    pdus: u32,
    left: Vec<(Time, Left)>,
}

impl Host {
    fn new(pacer: Pacer, runs: bool) -> Host {
        Host {
            vc: PacedVc::new(Vc(0), pacer),
            runs,
            now: Time::ZERO,
            pdus: 0,
            left: Vec::new(),
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Packet(cells) => {
                self.pdus += 1;
                if self.runs && cells == 1 && self.vc.passes(self.now) {
                    self.left.push((self.now, Left::Data(self.pdus, true)));
                    return;
                }
                let packet = WaitingPacket::new(ContentsId(self.pdus), self.pdus, cells);
                self.vc.push(self.now, packet);
            }
            Event::Backward(er) => self.receive(RmCell {
                backward: true,
                er,
                ..RmCell::default()
            }),
            Event::Forward => self.receive(RmCell::default()),
            Event::Pass(ps) => {
                self.run(Duration::from_ps(ps));
                return;
            }
        }
        // Cells that are due at this instant leave before the next event.
        self.run(Duration::ZERO);
    }

    fn receive(&mut self, rm: RmCell) {
        let reaction = self.vc.receive(self.now, rm, false);
        if let Some(change) = reaction.change {
            self.change(change);
        }
    }

    fn change(&mut self, change: CommitmentChange) {
        let cells = match change {
            CommitmentChange::Recalled(cells, _) => cells,
            CommitmentChange::Respaced(committed) => committed.cells,
        };
        let kept = self.left.len() - cells as usize;
        assert!(self.left[kept].0 > self.now, "it has left already");
        match change {
            CommitmentChange::Recalled(_, last) => {
                self.left.truncate(kept);
                assert_eq!(self.left.last().map(|(at, _)| *at), Some(last));
            }
            CommitmentChange::Respaced(Commitment { next, spacing, .. }) => {
                assert!(next >= self.now);
                for (cell, left) in (0..).zip(&mut self.left[kept..]) {
                    left.0 = next + spacing * cell;
                }
            }
        }
    }

    fn run(&mut self, span: Duration) {
        let end = self.now + span;
        loop {
            let at = self.vc.next_departure().max(self.now);
            if at > end {
                break;
            }
            self.now = at;
            let mut leaving = Vec::new();
            self.vc.depart(at, at, self.runs, &mut leaving);
            for unit in leaving {
                self.note(at, unit);
            }
        }
        self.now = end;
    }
}

impl Host {
    fn note(&mut self, now: Time, unit: Leaving) {
        match unit {
            Leaving::Rm(_, rm) => self.left.push((now, Left::Rm(rm))),
            Leaving::Data { train, start, .. } => {
                // Rule 12 of ABR sources: EFCI is 0.
                let data = train.part().expect("these cells carry data");
                assert!(!data.marked);
                let last = self.left.last().map(|(at, _)| *at);
                if train.order == TrainOrder::Announced {
                    assert_eq!(last.map(|last| last + train.spacing), Some(start));
                } else {
                    assert_eq!(start, now);
                }
                for cell in 0..train.cells {
                    let start = start + train.spacing * u64::from(cell);
                    let is_end = data.eom && cell + 1 == train.cells;
                    self.left.push((start, Left::Data(data.pdu, is_end)));
                }
            }
        }
    }
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        prop_oneof![Just(1), 1u32..40].prop_map(Event::Packet),
        prop_oneof![Just(0.0), Just(300.0), 5.0..1000.0].prop_map(Event::Backward),
        Just(Event::Forward),
        (1u64..60_000_000_000).prop_map(Event::Pass),
        (1u64..2_000_000_000).prop_map(Event::Pass),
    ];
    prop::collection::vec(event, 1..80)
}

fn alike(pacer: &Pacer, events: &[Event]) {
    let [together, apart] = [true, false].map(|runs| {
        let mut host = Host::new(pacer.clone(), runs);
        for event in events {
            host.happen(*event);
        }
        host.run(Duration::from_ms(100_000));
        let metrics = host
            .vc
            .read(host.now)
            .queue(host.now, host.now.since(Time::ZERO));
        (host.left, metrics)
    });
    assert_eq!(together, apart);
}

proptest! {
    #[test]
    fn cells_committed_together_under_abr_leave_as_one_by_one(
        events in events(),
        nrm in 1u32..6,
        mrm in 1u32..9,
        trm in prop_oneof![Just(5), Just(100)],
    ) {
        let contract = Contract {
            pcr: 1000.0,
            mcr: 0.0,
            icr: 300.0,
            tcr: 10.0,
            nrm: 1 << nrm,
            mrm,
            trm: Duration::from_ms(trm),
            rif: 1.0,
            rdf: 0.5,
            crm: 3,
            cdf: 0.25,
            adtf: Duration::from_ms(500),
            quantised: false,
        };
        alike(&Pacer::abr(contract), &events);
    }

    #[test]
    fn cells_committed_together_at_a_constant_rate_leave_as_one_by_one(events in events()) {
        let events: Vec<Event> = events
            .into_iter()
            .filter(|event| matches!(event, Event::Packet(_) | Event::Pass(_)))
            .collect();
        alike(&Pacer::at_most(Duration::from_ms(1)), &events);
    }
}

#[test]
fn a_cell_that_is_committed_to_a_busy_link_waits_until_it_starts() {
    let ms = |ms: u64| Time::ZERO + Duration::from_ms(ms);
    let mut vc = PacedVc::new(Vc(0), Pacer::at_most(Duration::from_ms(1)));
    vc.record(Duration::from_ms(1));
    vc.push(ms(0), WaitingPacket::new(ContentsId(0), 0, 2));
    // The first of two cells is committed before its start at 3 ms; a third cell arrives before
    // then.
    vc.depart(ms(0), ms(3), false, &mut Vec::new());
    vc.push(ms(1), WaitingPacket::new(ContentsId(1), 1, 1));
    let mut later = vc.clone();
    later.begin_counting(ms(2));
    for (mut vc, span, expected) in [(vc, 4, f64::from(2 + 3 + 3 + 2) / 4.0), (later, 2, 2.5)] {
        let [(_, mean), (_, most)] = vc.read(ms(4)).queue(ms(4), Duration::from_ms(span));
        assert!((mean - expected).abs() < 1e-12, "{mean}, not {expected}");
        assert!((most - 3.0).abs() < 1e-12, "{most}");
        let recorded = vc.take_recorded(ms(4)).expect("it was recorded");
        let samples: Vec<f64> = recorded.queue.values().collect();
        assert_eq!(samples, [0.0, 2.0, 3.0, 3.0, 2.0]);
    }
}
