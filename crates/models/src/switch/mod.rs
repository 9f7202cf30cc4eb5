//! ATM switches: a fabric that brings cells to the outputs, and output ports.

pub mod credits;
pub mod fabric;
pub mod outputs;
pub mod rate;
pub mod ties;

use kernel::{Node, Time};
use parameters::{Conflict, parameters};

use crate::cell::{Cell, Kind};
use crate::frame::Frames;
use crate::output::Output;
use crate::output::buffer::BufferSpec;
use crate::output::discard::DiscardSpec;
use crate::output::mark::MarkSpec;
use crate::output::scheduler::SchedulerSpec;
use crate::police::Policer;
use crate::unit::{Outlet, Unit};
use crate::vc::Route;
use fabric::{Fabric, FabricSpec, Gate};
use outputs::Outputs;
use rate::{AllocatorSpec, Control};
use ties::{Chance, Held, TieRule};

parameters! {
    /// A switch; flows carried as whole packets see it as a router with the same buffer and discard
    /// policy, and without a fabric.
    #[check(check)]
    pub struct SwitchSpec {
        /// Fabric that moves cells from inputs to outputs.
        pub fabric: FabricSpec = default,
        /// Layout of the buffer memory.
        pub buffer: BufferSpec,
        /// Discard policy of the outputs.
        pub discard: DiscardSpec = default,
        /// Scheduler of the outputs.
        pub scheduler: SchedulerSpec = default,
        /// Rule by which outputs mark cells; if not given, none are marked.
        pub mark: Option<MarkSpec>,
        /// Rate allocator of the outputs, for ABR; if not given, none.
        pub rate: Option<AllocatorSpec>,
        /// Order of events at the same instant, and order in which inputs reach an output where the
        /// fabric leaves that open.
        pub ties: TieRule = "in_order",
    }
}

impl SwitchSpec {
    fn check(&self) -> Option<Conflict> {
        (self.mark.is_some() && matches!(self.rate, Some(AllocatorSpec::Efci(_)))).then(|| {
            Conflict {
                name: "rate",
                problem: "`mark` is given too, and both rules mark cells".to_string(),
                hint:
                    "`mark` is for the ends of flows, and `rate.efci` for sources of ABR: give one"
                        .to_string(),
            }
        })
    }
}

/// An output of a switch, which may control the rates of ABR sources.
pub type CellOutput = Output<Cell, Control>;

/// A switch.
pub struct Switch {
    fabric: Box<dyn Fabric>,
    /// Its outputs.
    pub outputs: Outputs,
    /// Where each virtual channel of each input goes on.
    routes: Box<[Box<[Route]>]>,
    /// What has just arrived, where chance decides ties.
    held: Option<Box<Held>>,
}

impl Switch {
    /// A switch with `routes[input][vc]`.
    pub fn new(fabric: Box<dyn Fabric>, outputs: Outputs, routes: Vec<Vec<Route>>) -> Switch {
        Switch {
            fabric,
            outputs,
            routes: routes.into_iter().map(Vec::into_boxed_slice).collect(),
            held: None,
        }
    }

    /// Leaves ties to chance from the start on.
    pub fn leave_ties_to(&mut self, chance: Chance) {
        self.outputs.leave_ties_to(chance);
        self.held = Some(Box::new(Held::new(chance)));
    }

    /// The policers at its inputs.
    pub fn policers(&self) -> impl Iterator<Item = &Policer> {
        let policers = self.outputs.policers.iter().flatten().flatten();
        policers.filter_map(Option::as_deref)
    }

    /// Starts to count again, apart from what its ports count.
    pub fn begin_counting(&mut self) {
        let policers = self.outputs.policers.iter_mut().flatten().flatten();
        for policer in policers.flatten() {
            policer.meter.begin();
        }
    }

    /// Other cells than were announced come at an input, or at other times.
    #[inline(never)]
    fn change(&mut self, now: Time, input: usize, unit: &Unit) {
        match *unit {
            Unit::Recall(cells) => self.fabric.recall(now, input, cells),
            Unit::Respace { after, spacing } => {
                self.fabric.respace(now, input, now + after, spacing);
            }
            Unit::Cells(_) | Unit::Packet(_) => {
                unreachable!("lowering sends packets to routers only")
            }
        }
    }

    /// Cells inside: in the fabric, or held at an output or where they came in.
    pub fn held(&self) -> u64 {
        let arrived = self.held.as_ref().map_or(0, |held| held.cells());
        (self.fabric.held() + self.outputs.held()).strict_add_signed(arrived)
    }

    /// Takes what has arrived, in the order that chance gave it, if it is time; whether it was.
    #[inline(never)]
    fn take_held(&mut self, out: &mut Outlet<'_>) -> bool {
        let now = self.outputs.next_service();
        let due = self.held.as_mut().filter(|held| held.due() == now);
        let Some(held) = due.filter(|_| self.outputs.takes_held(now)) else {
            return false;
        };
        let units = held.take();
        self.outputs.take_at(Time::NEVER);
        for (_, input, unit) in &units {
            self.take(now, *input, *unit, out);
        }
        if let Some(held) = &mut self.held {
            held.reuse(units);
        }
        true
    }

    // One of its two callers is on the way of every train.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn take(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        let Unit::Cells(train) = unit else {
            return self.change(now, input, &unit);
        };
        let outputs = &mut self.outputs;
        if outputs.is_controlled() && outputs.receive_credit(now, input, &train, out) {
            return;
        }
        let route = self.routes[input][train.vc.index()];
        if train.kind == Kind::Rm {
            // Both directions of a flow have one number on a link, and the input and the output of a
            // link one number at a node: this cell is about that channel of that output.
            outputs.ports[input].on_return(now, train.vc, train.frame, out);
        }
        self.fabric
            .enter(now, input, train, route, &mut Gate { outputs, out });
    }
}

impl Node for Switch {
    type Unit = Unit;
    type Cargo = Frames;

    fn next_wake(&self) -> Time {
        self.fabric.next_wake().min(self.outputs.next_service())
    }

    fn wake(&mut self, _now: Time, out: &mut Outlet<'_>) {
        self.advance(out);
    }

    /// At one instant ports act before the fabric does, so that a cell leaves before another comes,
    /// unless chance has it otherwise; the fabric acts before it takes what has come.
    fn advance(&mut self, out: &mut Outlet<'_>) {
        loop {
            let outputs = &mut self.outputs;
            self.fabric.advance(&mut Gate { outputs, out });
            if outputs.next_service() > out.through() {
                return;
            }
            if self.held.is_none() || !self.take_held(out) {
                self.outputs.serve(out);
            }
        }
    }

    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        match &mut self.held {
            None => self.take(now, input, unit, out),
            Some(held) => {
                held.push(now, input, unit);
                self.outputs.take_at(held.due());
            }
        }
    }
}
