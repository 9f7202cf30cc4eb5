//! The taps of a run: one at every host and every output, for captures and for a trace.

use std::io;

use kernel::{Network, Seed, Time};
use models::link::tap::Tap;
use models::node::AnyNode;

use super::packets::PacketTable;
use super::trace::TraceRecorder;
use super::{Append, CaptureOptions, RunCaptures, points};
use crate::lower::Plan;

/// Receives the packets of a run when it ends.
pub type Deliver<'a> = Box<dyn FnOnce(PacketTable) + 'a>;

/// The taps of a run under way, and their users.
#[derive(Default)]
pub struct Taps<'a> {
    /// Node and output of each tap; empty until a capture or a trace is requested.
    outputs: Vec<(usize, usize)>,
    captures: Option<RunCaptures<'a>>,
    trace: Option<(TraceRecorder, Deliver<'a>)>,
}

impl<'a> Taps<'a> {
    /// Captures the packets at every host and every output, from the start of the run.
    pub fn capture(
        &mut self,
        plan: &Plan,
        seed: Seed,
        options: &CaptureOptions,
        network: &mut Network<AnyNode>,
        append: Append<'a>,
    ) {
        self.install(plan, network);
        self.captures = Some(RunCaptures::new(plan, seed, options, append));
    }

    /// Traces every packet, from the start of the run.
    pub fn trace(&mut self, plan: &Plan, network: &mut Network<AnyNode>, deliver: Deliver<'a>) {
        self.install(plan, network);
        keep_journals(&self.outputs, network);
        self.trace = Some((TraceRecorder::begin(plan, network), deliver));
    }

    fn install(&mut self, plan: &Plan, network: &mut Network<AnyNode>) {
        if self.outputs.is_empty() {
            self.outputs = install(plan, network);
        }
    }

    /// Passes on the packets noted before `now`, the instant that the run has reached.
    ///
    /// # Errors
    /// If captured packets cannot be written.
    pub fn take(&mut self, network: &mut Network<AnyNode>, now: Time) -> io::Result<()> {
        for (point, (node, output)) in self.outputs.iter().enumerate() {
            let tap = tap(network, *node, *output);
            let passing = tap.take_before(now);
            if let Some((trace, _)) = &mut self.trace {
                trace.add(point, &passing, &tap.take_journal(now));
            }
            if let Some(captures) = &mut self.captures {
                captures.add(point, &passing)?;
            }
        }
        if let Some((trace, _)) = &mut self.trace {
            trace.take_drops(network);
        }
        Ok(())
    }

    /// Ends all files and delivers the trace; the run has ended at `end`.
    ///
    /// # Errors
    /// If captured packets cannot be written.
    pub fn end(mut self, network: &mut Network<AnyNode>, end: Time) -> io::Result<()> {
        self.take(network, end)?;
        if let Some(captures) = &mut self.captures {
            for (point, (node, output)) in self.outputs.iter().enumerate() {
                captures.end(point, tap(network, *node, *output).damaged, end)?;
            }
        }
        if let Some((trace, deliver)) = self.trace {
            deliver(trace.end(network, end));
        }
        Ok(())
    }
}

/// The packets of a run that its caller advances from pause to pause.
pub struct PacketTrace {
    /// Node and output of each tap.
    outputs: Vec<(usize, usize)>,
    trace: TraceRecorder,
}

impl PacketTrace {
    /// Traces every packet of a run that has not begun.
    pub fn begin(plan: &Plan, network: &mut Network<AnyNode>) -> PacketTrace {
        let outputs = install(plan, network);
        keep_journals(&outputs, network);
        let trace = TraceRecorder::begin(plan, network);
        PacketTrace { outputs, trace }
    }

    /// Adds what the taps have noted before `now`, up to which the network has run.
    pub fn take(&mut self, network: &mut Network<AnyNode>, now: Time) {
        for (point, (node, output)) in self.outputs.iter().enumerate() {
            let tap = tap(network, *node, *output);
            let passing = tap.take_before(now);
            self.trace.add(point, &passing, &tap.take_journal(now));
        }
        self.trace.take_drops(network);
    }

    /// The packets of a run that pauses at `now`.
    pub fn so_far(&self, now: Time) -> PacketTable {
        self.trace.so_far(now)
    }

    /// The packets of a run that has ended at `end`.
    pub fn end(mut self, network: &mut Network<AnyNode>, end: Time) -> PacketTable {
        self.take(network, end);
        self.trace.end(network, end)
    }
}

/// Installs a tap at every host and every output; returns the node and the output of each.
fn install(plan: &Plan, network: &mut Network<AnyNode>) -> Vec<(usize, usize)> {
    let outputs: Vec<(usize, usize)> = points::outputs(plan).collect();
    for (node, output) in &outputs {
        let vcs = plan.paths.vcs(plan.topology.outputs(*node)[*output]).len();
        network.nodes[*node].install(*output, Tap::new(vcs));
    }
    outputs
}

/// Lets each tap note what a trace needs beyond a capture.
fn keep_journals(outputs: &[(usize, usize)], network: &mut Network<AnyNode>) {
    for (node, output) in outputs {
        tap(network, *node, *output).keep_journal();
    }
}

/// The tap at an output.
fn tap(network: &mut Network<AnyNode>, node: usize, output: usize) -> &mut Tap {
    let tap = network.nodes[node].tap(output);
    tap.expect("a tap was installed")
}
