//! Delays of packets, completion times of messages and slowdowns of connections, by flow and by
//! group of flows.

use kernel::{Network, Time};
use models::metrics::{
    ByHalf, ConnectionMeter, Followed, Halves, Histogram, Measurement, SizeClass, Timed, Underway,
    joined, slowdown,
};
use models::node::{AnyNode, EndsByFlow};

use super::{Name, Scope};
use crate::lower::Plan;

/// Times of all flows of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupTimes {
    /// The group, or a flow that belongs to no group.
    pub scope: Scope,
    /// The times that were measured.
    pub of: Timed,
    /// Histogram of the times: of packets that arrived, or of messages that ended.
    pub times: Histogram,
    /// The messages whose times these are, if they are those of messages.
    pub messages: Option<Box<Followed>>,
}

/// Times of flows.
#[derive(Default)]
pub struct Times {
    /// Metrics of each flow, with their values.
    pub metrics: Vec<Vec<Measurement>>,
    /// Distributions of groups, in the order of their first flows.
    pub groups: Vec<GroupTimes>,
    /// Number of messages that had not ended; none if no flow has messages.
    pub unfinished: Option<u64>,
}

impl Times {
    /// Reads the histograms of hosts at `end`, after they have counted since `start`.
    pub fn read(plan: &Plan, network: &Network<AnyNode>, start: Time, end: Time) -> Times {
        let ends = EndsByFlow::of(&network.nodes, plan.paths.flows.len());
        let measured = Measured {
            halves: Halves::of(start, end),
            end,
        };
        let mut times = Times::default();
        let numbers: Vec<usize> = (0..plan.paths.flows.len()).collect();
        let group = |flow: &usize| plan.paths.flows[*flow].member.spec();
        for members in numbers.chunk_by(|one, next| group(one) == group(next)) {
            let mut delays = Histogram::default();
            let mut messages: Vec<(Timed, Followed)> = Vec::new();
            for flow in members {
                let of_flow = measured.messages(&ends, *flow);
                let mut metrics: Vec<Measurement> = Vec::new();
                for (of, followed) in of_flow {
                    metrics.extend(of.metrics_of_messages(&followed));
                    if of == Timed::CompletionTime(SizeClass::Any) {
                        *times.unfinished.get_or_insert(0) += followed.unfinished();
                    }
                    match messages.iter_mut().find(|(one, _)| *one == of) {
                        Some((_, known)) => known.add(&followed),
                        None => messages.push((of, followed)),
                    }
                }
                // Delays come last in a report.
                if let Some(receiver) = ends.receivers[*flow] {
                    metrics.extend(Timed::Delay.metrics(&receiver.delays));
                    delays.add(&receiver.delays);
                }
                times.metrics.push(metrics);
            }
            let scope = Scope::Flow(Name::alone(&plan.spec.flow.0[group(&members[0])].0));
            times.groups.extend(groups(&scope, delays, messages));
        }
        times
    }
}

/// The measured time, as the messages of a flow are read.
#[derive(Clone, Copy)]
struct Measured {
    halves: Halves,
    end: Time,
}

impl Measured {
    /// Each kind of times of the messages of a flow.
    fn messages(self, ends: &EndsByFlow, flow: usize) -> Vec<(Timed, Followed)> {
        let Some(sender) = ends.senders[flow] else {
            return Vec::new();
        };
        let mut found: Vec<(Timed, Followed)> = Vec::new();
        let mut put = |of, times: &ByHalf| found.push((of, Followed::of_flow(times.clone())));
        if let Some(times) = sender.completions() {
            put(Timed::CompletionTime(SizeClass::Any), times);
        }
        if let Some(times) = sender.acknowledgments() {
            put(Timed::AcknowledgedTime, times);
        }
        let of_connections = sender.connections().map(ConnectionMeter::distributions);
        for (of, times) in of_connections.into_iter().flatten() {
            put(of, times);
        }
        for message in sender.underway() {
            if message.began > self.end {
                continue;
            }
            let completed = ends.receivers[flow].and_then(|end| end.completed(message.end));
            let completed = completed.filter(|at| *at <= self.end);
            for (of, followed) in &mut found {
                read(followed, *of, &message, completed, self);
            }
        }
        for (_, followed) in &mut found {
            followed.close();
        }
        found
    }
}

/// Adds a message, whose sender does not know that it was `completed`, to times of one kind.
fn read(
    followed: &mut Followed,
    of: Timed,
    message: &Underway,
    completed: Option<Time>,
    measured: Measured,
) {
    let known = completed.filter(|_| of != Timed::AcknowledgedTime);
    let time = known.unwrap_or(measured.end).since(message.began);
    let times = match known {
        Some(_) => &mut followed.ended,
        None => &mut followed.open,
    };
    let class = match of {
        Timed::CompletionTime(size) | Timed::Slowdown(size) => size.number(),
        Timed::Delay | Timed::AcknowledgedTime => None,
    };
    if class.is_some_and(|class| class != message.class) {
        return;
    }
    let is_slowdown = matches!(of, Timed::Slowdown(_));
    let time = match message.idle.filter(|_| is_slowdown) {
        Some(idle) => slowdown(time, idle),
        None => time,
    };
    measured.halves.record(times, message.began, time);
}

/// Times of all members of a group, without kinds of which none was measured; delays come first.
fn groups(
    scope: &Scope,
    delays: Histogram,
    messages: Vec<(Timed, Followed)>,
) -> impl Iterator<Item = GroupTimes> {
    let delays = GroupTimes {
        scope: scope.clone(),
        of: Timed::Delay,
        times: delays,
        messages: None,
    };
    let messages = messages.into_iter().map(|(of, followed)| GroupTimes {
        scope: scope.clone(),
        of,
        times: joined(&followed.ended),
        messages: Some(Box::new(followed)),
    });
    let all = std::iter::once(delays).chain(messages);
    all.filter(|one| {
        let open = one.messages.as_ref().map_or(0, |known| known.unfinished());
        one.times.count() + open > 0
    })
}
