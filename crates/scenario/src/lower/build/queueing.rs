//! The buffers and the schedulers of outputs at the start of a run.

use kernel::{Seed, Stream};
use models::output::admission::{BufferGate, BufferLayout};
use models::output::discard::Buffer;
use models::output::scheduler::{OutputVcs, Scheduling};
use models::switch::SwitchSpec;
use models::wire::class::Class;
use models::wire::ecn::Codepoint;

use crate::lower::{Hop, Plan};

impl Plan {
    /// The scheduler of an output of a switch, unless cells leave in order of arrival.
    pub(in crate::lower) fn scheduling(
        &self,
        hop: Hop,
        spec: &SwitchSpec,
        seed: Seed,
    ) -> Option<Scheduling> {
        let scheduling = spec.scheduler.scheduling(&self.output_vcs(hop, seed));
        let Some(buffer) = self.credit_buffer(hop) else {
            return scheduling;
        };
        let scheduling = scheduling.expect("each VC that waits for credit has a queue");
        Some(scheduling.with_credit(buffer))
    }

    /// The buffers of an output of a switch with `vcs` virtual channels.
    pub(in crate::lower) fn layout(
        &self,
        hop: Hop,
        spec: &SwitchSpec,
        vcs: usize,
        seed: Seed,
    ) -> BufferLayout {
        let gate = |buffer: Buffer, purpose: &str| {
            let buffer = self.at_output(hop, buffer, purpose, seed);
            BufferGate::new(&buffer, &spec.discard, spec.mark.as_ref())
        };
        let memory = spec.memory(self.cells());
        if spec.buffer.is_per_vc() {
            return BufferLayout::PerVc(gate(spec.buffer.in_cells(vcs, memory), "discard"));
        }
        if !spec.buffer.is_per_class() {
            return BufferLayout::One(gate(spec.buffer.in_cells(vcs, memory), "discard"));
        }
        let of_class = |class| spec.buffer.of_class(class, vcs, memory);
        // Lowering refuses cells of a class without a buffer, so no cell is offered to the zero
        // buffer of such a class.
        let none = || Buffer::of_cells(0, memory.counted(), vcs);
        let gates = Class::ALL.map(|class| {
            let purpose = format!("discard of {}", class.word());
            gate(of_class(class).unwrap_or_else(none), &purpose)
        });
        BufferLayout::PerClass(Box::new(gates))
    }

    /// The buffer at the output to a hop, as its discard policy sees it.
    pub(in crate::lower) fn at_output(
        &self,
        hop: Hop,
        buffer: Buffer,
        purpose: &str,
        seed: Seed,
    ) -> Buffer {
        let random = self.stream(hop, purpose, seed);
        buffer
            .before(self.rate_of_departures(hop), random)
            .of_flows(self.codepoints(hop))
    }

    /// ECN codepoints of the VCs of a hop; acknowledgments are not ECN-capable.
    fn codepoints(&self, hop: Hop) -> Box<[Codepoint]> {
        let of_vcs = self.vcs(hop).map(|planned| {
            if planned.back {
                return Codepoint::NotCapable;
            }
            self.flow_spec(planned.flow).transport.facts().codepoint
        });
        of_vcs.collect()
    }

    /// The VCs of an output, as its scheduler sees them.
    pub(in crate::lower) fn output_vcs(&self, hop: Hop, seed: Seed) -> OutputVcs {
        OutputVcs {
            classes: self.classes(hop),
            ecn: self.codepoints(hop),
            answers: self.vcs(hop).map(|planned| planned.back).collect(),
            random: self.stream(hop, "scheduler", seed),
        }
    }

    /// The stream of random numbers of an output for one purpose.
    fn stream(&self, hop: Hop, purpose: &str, seed: Seed) -> Stream {
        let [from, to] = [hop.back(), hop].map(|hop| self.node_name(self.topology.head(hop)));
        seed.stream(&format!("{from}->{to}"), purpose)
    }
}
