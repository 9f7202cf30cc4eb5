//! ATM switches: a fabric that moves cells from inputs to outputs, and output ports.
//!
//! A switch has buffers at its outputs, and cells wait at its inputs only if the fabric makes them
//! wait, as in the switch of Romanow and Floyd, "Dynamics of TCP Traffic over ATM Networks", IEEE
//! JSAC 13(4), 1995, section 2.

mod arrivals;
pub mod credits;
pub mod crossing;
mod event_list;
pub mod fabric;
pub mod input_buffer;
mod limited_inputs;
pub mod matching;
pub mod matching_steps;
pub mod outputs;
pub mod rate;
mod slots;
pub mod stretch;
pub mod virtual_queues;

use kernel::{Node, Time};
use parameters::{Conflict, parameters};

use crate::metrics::CrossingReading;
use crate::output::buffer::BufferSpec;
use crate::output::discard::DiscardSpec;
use crate::output::mark::MarkSpec;
use crate::output::memory::{Memory, MemorySpec};
use crate::output::scheduler::SchedulerSpec;
use crate::output::{Output, OutputSpec};
use crate::paths::{ForwardingSpec, PathsSpec};
use crate::police::Policer;
use crate::ties::{Chance, TieRule, TiedArrivals};
use crate::wire::cell::{Cell, Payload, Train, TrainOrder};
use crate::wire::contents::Cargo;
use crate::wire::format::CellFormat;
use crate::wire::unit::{Amendment, Outlet, Unit};
use crate::wire::vc::{Route, Vc};
use arrivals::ArrivingCells;
use crossing::Crossing;
use fabric::{Fabric, FabricSpec, MatchedSlots};
use outputs::Outputs;
use rate::{AllocatorSpec, OutputRateControl};
use stretch::StretchEnd;

parameters! {
    /// A switch. For flows carried as whole packets it acts as a router with the same buffer and
    /// discard policy, and without a fabric.
    #[check(check)]
    pub struct SwitchSpec {
        /// Fabric that moves cells from inputs to outputs.
        pub fabric: FabricSpec = default,
        /// Layout of the buffer memory.
        #[alias("queue")]
        pub buffer: BufferSpec,
        #[as_in(OutputSpec)]
        pub discard: DiscardSpec,
        #[as_in(OutputSpec)]
        pub scheduler: SchedulerSpec,
        #[as_in(OutputSpec)]
        pub memory: Option<MemorySpec>,
        /// Rule by which outputs mark cells; if not given, none are marked.
        pub mark: Option<MarkSpec>,
        /// Rate allocator of the outputs, for ABR; if not given, none.
        pub rate: Option<AllocatorSpec>,
        #[as_in(ForwardingSpec)]
        pub paths: PathsSpec,
        /// Order of events at the same instant, and of inputs where the fabric leaves their order
        /// open.
        pub ties: TieRule = "in_order",
    }
}

impl SwitchSpec {
    /// The memory of the switch in a network with cells of this format.
    pub fn memory(&self, cells: CellFormat) -> Memory {
        Memory::new(self.memory.as_ref(), cells)
    }

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
pub type CellOutput = Output<Cell, OutputRateControl>;

/// A switch.
pub struct Switch {
    fabric: Box<dyn Fabric>,
    /// True if the first cell of a unit moves to its output as it arrives: see
    /// [`Fabric::moves_at_once`].
    moves_at_once: bool,
    /// True once the fabric may have deferred cells: see [`Fabric::settle`].
    has_deferred_cells: bool,
    /// Cells that have not reached an output.
    arrivals: ArrivingCells,
    /// The outputs of the switch.
    pub outputs: Outputs,
    /// Route of each VC, by input.
    routes: Box<[Box<[Route]>]>,
    /// Units that have just arrived; none unless ties are random.
    tied: Option<Box<TiedArrivals>>,
}

impl Switch {
    /// A switch with `routes[input][vc]`.
    pub fn new(fabric: Box<dyn Fabric>, outputs: Outputs, routes: Vec<Vec<Route>>) -> Switch {
        Switch {
            moves_at_once: fabric.moves_at_once(),
            has_deferred_cells: false,
            fabric,
            arrivals: ArrivingCells::new(routes.len()),
            outputs,
            routes: routes.into_iter().map(Vec::into_boxed_slice).collect(),
            tied: None,
        }
    }

    /// True if interleaved trains may arrive at the switch, so that the switches before it may send
    /// them.
    pub fn takes_interleaved(&self) -> bool {
        self.moves_at_once && self.tied.is_none() && self.outputs.takes_interleaved()
    }

    /// Declares that ties are random from the start on.
    pub fn leave_ties_to(&mut self, chance: Chance) {
        self.outputs.leave_ties_to(chance);
        self.tied = Some(Box::new(TiedArrivals::new(chance)));
    }

    /// The policers in front of each output, by VC; no item if no flow is policed.
    pub fn policers_by_output(&self) -> impl Iterator<Item = &[Option<Box<Policer>>]> {
        self.outputs.policers.iter().flatten().map(|by_vc| &**by_vc)
    }

    /// The policers at the inputs.
    pub fn policers(&self) -> impl Iterator<Item = &Policer> {
        let policers = self.policers_by_output().flatten();
        policers.filter_map(Option::as_deref)
    }

    /// The policers in front of an output, mutable.
    pub fn policers_mut(&mut self, output: usize) -> impl Iterator<Item = &mut Policer> {
        let policers = self.outputs.policers.iter_mut();
        let policers = policers.filter_map(move |by_output| by_output.get_mut(output));
        let policers = policers.flatten();
        policers.filter_map(Option::as_deref_mut)
    }

    /// True if units leave on a VC of an output; false if the flow of the VC takes another path.
    pub fn is_used(&self, output: usize, vc: Vc) -> bool {
        // Inputs and outputs are numbered alike, and a VC has the same number in both directions.
        self.routes[output][vc.index()] != Route::NONE
    }

    /// Restarts the counts, except those of the ports.
    pub fn begin_counting(&mut self, now: Time) {
        self.fabric.begin_counting(now);
        let policers = self.outputs.policers.iter_mut().flatten().flatten();
        for policer in policers.flatten() {
            policer.meter.begin();
        }
    }

    /// The counts until `now` of the cells that waited at the inputs for an output; none if the
    /// fabric counts none.
    pub fn read_crossing(&self, output: usize, now: Time) -> Option<CrossingReading> {
        self.fabric.read(output, now)
    }

    /// Begins or ends to note the steps of its matchings, if the fabric has any.
    pub fn note_steps(&mut self, are_noted: bool) {
        self.fabric.note_steps(are_noted);
    }

    /// The slots of a fabric that matches inputs with outputs; none for any other.
    pub fn slots(&self) -> Option<MatchedSlots<'_>> {
        self.fabric.slots()
    }

    /// Recalls or respaces the announced cells of an input, as an amendment states.
    #[inline(never)]
    fn amend(&mut self, now: Time, input: usize, amendment: Amendment, out: &mut Outlet<'_>) {
        if let Some(next) = self.arrivals.next(input) {
            let until = StretchEnd::through(now);
            self.settle_output(until, next.output as usize, out);
        }
        let before = self.arrivals.next(input);
        self.arrivals.amend(now, input, amendment);
        let next = self.arrivals.next(input);
        // If cells may be deferred, the fabric is told of the last cell of the train instead of the
        // next.
        let outputs = &self.outputs;
        let is_next = before.is_none_or(|next| !outputs.takes_stretches(next.output as usize));
        if before == next && is_next {
            return;
        }
        self.fabric.forget(input);
        if let Some(next) = next {
            self.fabric.expect(input, next);
        }
    }

    /// Moves the deferred cells for an output that come before `until`.
    #[inline]
    fn settle_output(&mut self, until: StretchEnd, output: usize, out: &mut Outlet<'_>) {
        if self.has_deferred_cells && self.outputs.takes_stretches(output) {
            self.settle_stretch(until, output, out);
        }
    }

    #[inline(never)]
    fn settle_stretch(&mut self, until: StretchEnd, output: usize, out: &mut Outlet<'_>) {
        let Switch {
            arrivals, outputs, ..
        } = self;
        let crossing = &mut Crossing {
            arrivals,
            outputs,
            out,
        };
        self.fabric.settle(until, output, crossing);
    }

    /// Cells inside the switch: at the inputs, waiting for a random tie, or at an output.
    pub fn uncommitted(&self) -> u64 {
        self.before_outputs() + self.outputs.uncommitted()
    }

    /// Cells at the inputs, and cells waiting for a random tie.
    pub fn before_outputs(&self) -> u64 {
        let tied = self.tied.as_ref().map_or(0, |tied| tied.cells());
        self.arrivals.cells().strict_add_signed(tied) + self.fabric.cells()
    }

    /// Takes the tied units in their random order, if they are due; returns true if they were.
    #[inline(never)]
    fn take_tied(&mut self, out: &mut Outlet<'_>) -> bool {
        let now = self.outputs.next_service();
        let due = self.tied.as_mut().filter(|tied| tied.due() == now);
        let Some(tied) = due.filter(|_| self.outputs.takes_tied(now)) else {
            return false;
        };
        let units = tied.take();
        self.outputs.take_at(Time::NEVER);
        for (_, input, unit) in &units {
            self.take(now, *input, *unit, out);
        }
        if let Some(tied) = &mut self.tied {
            tied.reuse(units);
        }
        true
    }

    // Inlined: one of its two callers runs for every train.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn take(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        let train = match &unit {
            Unit::Cells(train) => train,
            Unit::Amendment(amendment) => return self.amend(now, input, *amendment, out),
            _ => unreachable!("lowering sends packets and frames to routers only"),
        };
        let outputs = &mut self.outputs;
        if outputs.has_credits() && outputs.receive_credit(now, input, train, out) {
            return;
        }
        let route = self.routes[input][train.vc.index()];
        if let Payload::Rm { id, .. } = train.payload {
            // The number of a VC is the same in both directions of a link, and so are the numbers
            // of a node's input and output on that link: the RM cell concerns this VC of this
            // output.
            outputs.ports[input].on_return(now, train.vc, id, out);
        }
        if train.order == TrainOrder::Interleaved {
            return self.take_interleaved(now, input, train, route);
        }
        let next = if train.order == TrainOrder::Announced {
            self.arrivals.append_announced(now, input, train, route)
        } else if self.moves_at_once {
            debug_assert!(
                self.arrivals.next(input).is_none(),
                "trains of one link do not overlap"
            );
            let output = route.output as usize;
            self.settle_output(StretchEnd::unit(now, input), output, out);
            let cell = train.cell(0, route.vc);
            self.outputs.offer(now, now, output, cell, out);
            if train.cells == 1 {
                return;
            }
            let rest = Train {
                cells: train.cells - 1,
                ..*train
            };
            let next = self
                .arrivals
                .extend(input, now + train.spacing, &rest, route);
            if let Some(next) = next
                && self.outputs.defers_cells(output, train.spacing)
            {
                let end = now + train.spacing * u64::from(rest.cells);
                self.has_deferred_cells = true;
                return self.fabric.expect_stretch(input, next, end);
            }
            next
        } else {
            self.arrivals.extend(input, now, train, route)
        };
        if let Some(next) = next {
            self.fabric.expect(input, next);
        }
    }

    /// Takes an interleaved train, whose first cell the fabric moves too.
    fn take_interleaved(&mut self, now: Time, input: usize, train: &Train, route: Route) {
        let train_index = self.arrivals.add_interleaved(input, now, train, route);
        let end = now + train.spacing * u64::from(train.cells - 1);
        let is_deferred = self.outputs.takes_stretches(route.output as usize);
        let end = is_deferred.then_some(end);
        self.has_deferred_cells |= is_deferred;
        self.fabric.expect_interleaved(train_index, input, now, end);
    }
}

impl Node for Switch {
    type Unit = Unit;
    type Cargo = Cargo;

    fn next_wake(&self) -> Time {
        self.fabric.next_wake().min(self.outputs.next_service())
    }

    fn wakes_before(&self, input: usize) -> bool {
        self.fabric.wakes_before(input)
    }

    fn wake(&mut self, _now: Time, out: &mut Outlet<'_>) {
        self.advance(out);
    }

    /// [`outputs::Act`] states the order at one instant.
    fn advance(&mut self, out: &mut Outlet<'_>) {
        loop {
            let Switch {
                arrivals, outputs, ..
            } = self;
            self.fabric.advance(&mut Crossing {
                arrivals,
                outputs,
                out,
            });
            if outputs.next_service() > out.horizon() {
                return;
            }
            if self.tied.is_none() || !self.take_tied(out) {
                self.outputs.serve(out);
            }
        }
    }

    fn settle(&mut self, through: Time, out: &mut Outlet<'_>) {
        for output in 0..self.outputs.ports.len() {
            self.settle_output(StretchEnd::through(through), output, out);
        }
    }

    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        match &mut self.tied {
            None => self.take(now, input, unit, out),
            Some(tied) => {
                tied.push(now, input, unit);
                self.outputs.take_at(tied.due());
            }
        }
    }
}
