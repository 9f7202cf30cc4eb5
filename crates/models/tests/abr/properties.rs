//! Laws of ABR sources that hold for any events.

use kernel::{Duration, Time};
use models::abr::{AbrCell, AbrSource, Contract, RmCell};
use proptest::prelude::*;

/// An event at a source.
#[derive(Clone, Copy, Debug)]
enum Event {
    Data(u32),
    Backward(RmCell),
    TurnAround,
    Pass(u64),
}

fn event() -> impl Strategy<Value = Event> {
    let backward = (0.0..2000.0, any::<bool>(), any::<bool>(), any::<bool>());
    prop_oneof![
        (1u32..40).prop_map(Event::Data),
        backward.prop_map(|(er, ci, ni, bn)| Event::Backward(RmCell {
            backward: true,
            er,
            ci,
            ni,
            bn,
            ..RmCell::default()
        })),
        Just(Event::TurnAround),
        (1u64..400_000_000_000).prop_map(Event::Pass),
    ]
}

fn contract() -> impl Strategy<Value = Contract> {
    let rates = (10.0..1000.0, 0.0..1.0, 0.0..1.0, 1.0..50.0);
    let cells = (1u32..6, 1u32..5, 1u32..9);
    let factors = (0.0..1.0, 0.0..1.0, 0.0..1.0);
    (rates, cells, factors, any::<bool>()).prop_map(|(rates, cells, factors, quantised)| {
        let (pcr, low, high, tcr) = rates;
        let mcr = pcr * low;
        Contract {
            pcr,
            mcr,
            icr: mcr + (pcr - mcr) * high,
            tcr,
            nrm: 1 << cells.0,
            mrm: cells.1,
            trm: Duration::from_ms(50),
            rif: factors.0,
            rdf: factors.1,
            crm: cells.2,
            cdf: factors.2,
            adtf: Duration::from_ms(300),
            quantised,
        }
    })
}

/// A source, and its state as far as its cells show it.
struct Watched {
    contract: Contract,
    source: AbrSource,
    now: Time,
    data: u64,
    /// The start of the last in-rate cell, and the largest allowed rate since then.
    last: Option<(Time, f64)>,
    since_forward: u32,
    backward_since_forward: u32,
    out_of_rate: Vec<Time>,
    waiting: bool,
}

impl Watched {
    fn happen(&mut self, event: Event) {
        match event {
            Event::Data(cells) => self.data += u64::from(cells),
            Event::Backward(rm) => {
                self.source.on_backward(&rm);
                if let Some((_, most)) = &mut self.last {
                    *most = most.max(self.source.acr());
                }
            }
            Event::TurnAround => {
                let backward = RmCell {
                    backward: true,
                    ..RmCell::default()
                };
                assert_eq!(self.source.turn_around(backward), self.waiting);
                self.waiting = true;
            }
            Event::Pass(ps) => self.pass(Duration::from_ps(ps)),
        }
        let Contract { mcr, pcr, .. } = self.contract;
        let acr = self.source.acr();
        assert!(mcr <= acr && acr <= pcr, "{acr}");
    }

    fn pass(&mut self, span: Duration) {
        let end = self.now + span;
        loop {
            let at = self.source.next_departure(self.data > 0).max(self.now);
            if at > end {
                break;
            }
            self.now = at;
            let data = self.data > 0;
            let departure = self.source.depart(at, data);
            self.check(at, data, departure);
        }
        self.now = end;
    }

    fn check(&mut self, at: Time, data: bool, departure: AbrCell) {
        if let AbrCell::Rm(rm) = departure
            && rm.backward
        {
            assert!(
                std::mem::take(&mut self.waiting),
                "it had nothing to turn around"
            );
        }
        match departure {
            AbrCell::Rm(rm) if rm.clp => {
                assert!(self.source.acr() < self.contract.tcr);
                if !rm.backward {
                    self.out_of_rate.push(at);
                }
                return;
            }
            AbrCell::Rm(rm) if !rm.backward => {
                assert!(rm.ccr <= self.source.acr() && rm.er <= self.contract.pcr);
                self.since_forward = 0;
                self.backward_since_forward = 0;
            }
            AbrCell::Rm(_) => {
                self.since_forward += 1;
                self.backward_since_forward += 1;
                assert!(!data || self.backward_since_forward == 1);
            }
            AbrCell::Data => {
                assert!(data, "there was none");
                self.data -= 1;
                self.since_forward += 1;
            }
        }
        assert!(self.since_forward < self.contract.nrm);
        if let Some((last, most)) = self.last {
            assert!(
                at.since(last).seconds() * most > 1.0 - 1e-9,
                "closer than 1/ACR"
            );
        } else {
            assert!(matches!(departure, AbrCell::Rm(rm) if !rm.backward));
        }
        self.last = Some((at, self.source.acr()));
    }
}

proptest! {
    #[test]
    fn a_source_keeps_its_contract(
        contract in contract(),
        events in prop::collection::vec(event(), 1..60),
    ) {
        let mut watched = Watched {
            source: AbrSource::new(contract.clone()),
            contract,
            now: Time::ZERO,
            data: 0,
            last: None,
            since_forward: 0,
            backward_since_forward: 0,
            out_of_rate: Vec::new(),
            waiting: false,
        };
        for event in events {
            watched.happen(event);
        }
        // After any events, the source must obey an RM cell that returns with the peak rate.
        let answer = RmCell { backward: true, er: watched.contract.pcr, ..RmCell::default() };
        watched.happen(Event::Backward(answer));
        let spacing = 1.0 / watched.contract.tcr;
        for pair in watched.out_of_rate.windows(2) {
            prop_assert!(pair[1].since(pair[0]).seconds() >= spacing * (1.0 - 1e-9));
        }
    }
}
