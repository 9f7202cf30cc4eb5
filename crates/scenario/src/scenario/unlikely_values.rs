//! Doubts: valid values that are probably not intended, of which `cellrelay check` warns. The list
//! is our own: a run with such a value works, but its results mislead.

use kernel::Duration;
use models::output::discard::{Buffer, DiscardSpec};
use parameters::{Conflict, Path, Problem, Problems, RandomTime, Written};

use crate::lower::{Expanded, Plan, PlanWarning, build::routers};
use crate::spec::ScenarioSpec;

/// The doubts at one point of a scenario.
pub fn of(expanded: &Expanded) -> Problems {
    let mut found = Problems::default();
    late_sources(&expanded.spec, &mut found);
    slow_links(&expanded.spec, &mut found);
    policies(&expanded.spec, &mut found);
    expanded.trace_back(found)
}

/// The warnings of a plan, at the parameters that cause them; `root` makes the tree of its text.
pub fn of_plan(plan: &Plan, root: impl FnOnce() -> Written) -> Problems {
    let mut found = Problems::default();
    for PlanWarning { at, says, hint, .. } in plan.warnings() {
        found.add(Problem::new(&at, None, says).hint(hint));
    }
    if !found.is_empty() {
        found.locate(&root());
    }
    found
}

fn run_lasts(duration: Duration) -> String {
    format!("the run lasts `{duration}`")
}

/// Flows that start after the end of the run.
fn late_sources(spec: &ScenarioSpec, found: &mut Problems) {
    for (name, flow) in spec.flow.iter() {
        let earliest = match flow.source.start() {
            RandomTime::Constant(start) | RandomTime::Uniform(start, _) => start,
            RandomTime::Exponential { .. } => Duration::ZERO,
        };
        if earliest >= spec.duration {
            let source = Path::root().key("flow").key(name).key("source");
            let at = source.key(flow.source.kind()).key("start");
            let problem = "the flow starts after the end of the run";
            found.add(Problem::new(&at, None, problem).hint(run_lasts(spec.duration)));
        }
    }
}

/// Links over which nothing arrives before the end of the run.
fn slow_links(spec: &ScenarioSpec, found: &mut Problems) {
    for (name, link) in spec.link.iter() {
        if link.delay.0 >= spec.duration {
            let at = Path::root().key("link").key(name).key("delay");
            let problem = "nothing sent over this link arrives before the end of the run";
            found.add(Problem::new(&at, None, problem).hint(run_lasts(spec.duration)));
        }
    }
}

/// Parameters of discard policies that are probably not intended for their buffers.
fn policies(spec: &ScenarioSpec, found: &mut Problems) {
    for (family, name, node) in routers::all(spec) {
        let at = Path::root().key(family).key(name);
        let sizes = node
            .buffer
            .sizes(&at.key("buffer"), node.memory(spec.cells()))
            .into_iter();
        let buffers: Vec<_> = sizes.map(|(_, buffer)| buffer).collect();
        policy(&node.discard, &at, &buffers, found);
    }
    for (name, switch) in spec.switch.iter() {
        if let Some(input) = switch.fabric.input() {
            let fabric = Path::root().key("switch").key(name).key("fabric");
            let at = fabric.key(switch.fabric.kind()).key("input");
            let buffer = input.buffer_for(0, spec.cells());
            policy(&input.discard, &at, &[buffer], found);
        }
    }
}

/// A parameter of a policy, in the table at `at`, that is probably not intended for these buffers.
fn policy(policy: &DiscardSpec, at: &Path, buffers: &[Buffer], found: &mut Problems) {
    if let Some(doubt) = policy.doubt(buffers) {
        let Conflict {
            name,
            problem,
            hint,
        } = doubt;
        let at = at.key("discard").key(policy.kind()).key(name);
        found.add(Problem::new(&at, None, problem).hint(hint));
    }
}

#[cfg(test)]
mod tests {
    use crate::Scenario;
    use crate::samples::LINE;

    fn doubts(path: &str, value: &str) -> Vec<String> {
        doubts_of(LINE, path, value)
    }

    fn doubts_of(text: &str, path: &str, value: &str) -> Vec<String> {
        let settings = [(path.to_string(), value.to_string())];
        let read = Scenario::read(text, "x", &settings);
        let found = read.expect("it can be run").doubts;
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn doubts_are_reported_with_their_place() {
        let told = |path: &str, value: &str| match &doubts(path, value)[..] {
            [one] => one.clone(),
            other => panic!("{path} = {value}: {other:?}"),
        };
        assert_eq!(
            told("flow.f.source.greedy.start", "5 s"),
            "--set:1:28: flow.f.source.greedy.start: the flow starts after the end of the run\n  \
             hint: the run lasts `1 s`"
        );
        assert!(
            told("link.a.delay", "1000 s").contains("link.a.delay: nothing sent over this link")
        );
        let threshold = "switch.s.discard.early_packet.threshold";
        assert!(told(threshold, "0 cells").contains("drops packets even when the buffer is empty"));
        assert!(told(threshold, "100 cells").contains("only when the buffer is full"));
    }

    #[test]
    fn thresholds_of_routers_and_edges_are_doubted_too() {
        let router = LINE
            .replace("[switch.s]", "[router.s]")
            .replace("transport.tcp", "over.packet = {}\ntransport.tcp");
        // Packets between hosts and edges, and cells between the edges.
        let edge = LINE
            .replace("[switch.s]\nbuffer.per_output", "[edge.s]\nqueue")
            .replace(r#"["b", "s"]"#, r#"["b", "t"]"#);
        let cells = "[edge.t]\nqueue = \"100 cells\"\n\
                     [link.c]\nbetween = [\"s\", \"t\"]\nrate = \"1 Mbit/s\"\n";
        for (text, node) in [(router, "router"), (edge + cells, "edge")] {
            let at = format!("{node}.s.discard.early_packet.threshold");
            let found = doubts_of(&text, &at, "100 cells");
            assert_eq!(found.len(), 1, "{node}: {found:?}");
            let expected = format!("{at}: the policy acts only when the buffer is full");
            assert!(found[0].contains(&expected), "{}", found[0]);
            assert!(doubts_of(&text, &at, "50 cells").is_empty(), "{node}");
        }
    }

    #[test]
    fn what_may_be_meant_is_not_doubted() {
        for (path, value) in [
            ("flow.f.source.greedy.start", "0.5 s"),
            (
                "flow.f.source.greedy.start",
                "{ exponential.mean = \"5 s\" }",
            ),
            ("link.a.delay", "3 m"),
            ("switch.s.discard.early_packet.threshold", "99 cells"),
            ("switch.s.discard.early_packet.headroom", "10 cells"),
            ("duration", "3 min"),
        ] {
            assert_eq!(
                doubts(path, value),
                Vec::<String>::new(),
                "{path} = {value}"
            );
        }
    }
}
