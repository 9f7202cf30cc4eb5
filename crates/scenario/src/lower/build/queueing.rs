//! The buffers and the schedulers of outputs at the start of a run.

use kernel::{Rate, Stream};
use models::output::admission::{BufferGate, BufferLayout};
use models::output::discard::Buffer;
use models::output::scheduler::{OutputVcs, Scheduling};
use models::rates::{LinkClock, Schedule};
use models::router::RouterSpec;
use models::shaper::ShaperSpec;
use models::switch::SwitchSpec;
use models::wire::class::Class;
use models::wire::ecn::Codepoint;

use super::Builder;
use crate::lower::{Hop, trimming};

impl Builder<'_> {
    /// The scheduler of an output of a switch, unless cells leave in order of arrival.
    pub(super) fn scheduling(&self, hop: Hop, spec: &SwitchSpec) -> Option<Scheduling> {
        let scheduling = spec.scheduler.scheduling(&self.output_vcs(hop));
        let Some(buffer) = self.links.cell_credit(hop) else {
            return scheduling;
        };
        let scheduling = scheduling.expect("each VC that waits for credit has a queue");
        Some(scheduling.with_credit(buffer))
    }

    /// The buffers of an output of a switch with `vcs` virtual channels.
    pub(super) fn layout(&self, hop: Hop, spec: &SwitchSpec, vcs: usize) -> BufferLayout {
        let gate = |buffer: Buffer, purpose: &str| {
            let buffer = self.at_output(hop, buffer, purpose);
            BufferGate::new(&buffer, &spec.discard, spec.mark.as_ref())
        };
        let memory = spec.memory(self.flows.cells);
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

    /// The buffer of the queue of headers at the output to a hop; none if headers have no memory of
    /// their own there.
    pub(super) fn header_buffer(&self, hop: Hop, spec: &RouterSpec) -> Option<Buffer> {
        let trimming = spec
            .discard
            .trimming()
            .filter(|_| !spec.buffer.is_shared())?;
        spec.scheduler.queue_of_headers()?;
        let buffer = trimming::sized(
            spec,
            self.flows.cells,
            trimming.headers,
            self.flows.paths.vcs(hop).len(),
        );
        Some(self.at_output(hop, buffer, "discard of headers"))
    }

    /// The buffer at the output to a hop, as its discard policy sees it.
    pub(super) fn at_output(&self, hop: Hop, buffer: Buffer, purpose: &str) -> Buffer {
        let random = self.stream(hop, purpose);
        buffer
            .before(self.rate_of_departures(hop), random)
            .of_flows(self.codepoints(hop))
    }

    /// ECN codepoints of the VCs of a hop; acknowledgments are not ECN-capable.
    fn codepoints(&self, hop: Hop) -> Box<[Codepoint]> {
        let of_vcs = self.flows.paths.vcs(hop).map(|planned| {
            if planned.back {
                return Codepoint::NotCapable;
            }
            self.flows.spec(planned.flow).transport.facts().codepoint
        });
        of_vcs.collect()
    }

    /// The VCs of an output, as its scheduler sees them.
    pub(super) fn output_vcs(&self, hop: Hop) -> OutputVcs {
        OutputVcs {
            classes: self.flows.classes(hop),
            ecn: self.codepoints(hop),
            answers: self
                .flows
                .paths
                .vcs(hop)
                .map(|planned| planned.back)
                .collect(),
            random: self.stream(hop, "scheduler"),
        }
    }

    /// The clock of a hop whose rate changes, or that has a shaper; none of any other.
    pub(super) fn clock(&self, hop: Hop) -> Option<LinkClock> {
        let rate = self.links.rate(hop);
        let shaper = self.link_spec(hop).shaper(hop.reverse());
        let changes = self.link_spec(hop).schedule(hop.reverse());
        let changes = changes.or_else(|| shaper.map(|_| Schedule::new(rate, Vec::new(), None)));
        let bucket = shaper.map(|shaper| shaper.build(&rate));
        changes.map(|changes| LinkClock::new(changes).shaped(bucket))
    }

    /// The rate at which a queue in front of a hop empties: that of the link or of its shaper.
    fn rate_of_departures(&self, hop: Hop) -> Rate {
        let shaper = self.link_spec(hop).shaper(hop.reverse());
        let rates = shaper.map(|ShaperSpec::TokenBucket(bucket)| bucket.rate);
        rates.into_iter().fold(self.links.rate(hop), Rate::min)
    }

    /// The stream of random numbers of an output for one purpose.
    fn stream(&self, hop: Hop, purpose: &str) -> Stream {
        let [from, to] =
            [hop.back(), hop].map(|hop| self.topology.name(self.spec, self.topology.head(hop)));
        self.seed.stream(&format!("{from}->{to}"), purpose)
    }
}
