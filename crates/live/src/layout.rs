//! The layout of the page for one run: positions of nodes, links, flows, and gauges.

use models::switch::matching_steps::StepKind;
use parameters::printable::printable;
use scenario::generate::causes;
use scenario::lower::{Plan, PlannedNode};
use scenario::report::{Name, Scope};
use scenario::watch::{
    self, BufferLevels, DropRule, Gauge, GaugeQuantity, InputRule, Level, QUANTITIES,
};
use serde_json::{Map, Value, json};

use crate::arrange::{Picture, arrange, of_plan};

/// A run that the page shows.
pub struct Watched<'a> {
    /// Number of the run.
    pub epoch: u64,
    /// Plan of the run.
    pub plan: &'a Plan,
    /// Seed of the run.
    pub seed: u64,
    /// All gauges of the run.
    pub gauges: &'a [Gauge],
    /// The numbers of the gauges that are shown.
    pub shown: &'a [usize],
    /// Title of a scenario that has none.
    pub name: &'a str,
}

impl Watched<'_> {
    /// The layout as plain data; it stays the same during a run.
    pub fn layout(&self) -> Map<String, Value> {
        let spec = &self.plan.spec;
        let title = if spec.title.is_empty() {
            self.name
        } else {
            &spec.title
        };
        let flows = (0..self.plan.paths.flows.len())
            .map(|flow| json!({"name": self.plan.flow_name(flow), "ends": self.plan.hosts(flow)}));
        let buffers = watch::buffer_levels(self.plan);
        let buffers: Map<String, Value> = buffers
            .iter()
            .map(|known| (known.hop.to_string(), buffer(known)))
            .collect();
        let rules = watch::drop_rules(self.plan);
        let rules: Map<String, Value> = rules
            .iter()
            .map(|known| (known.hop.to_string(), rule(known)))
            .collect();
        let shown = self.shown.iter().map(|number| gauge(&self.gauges[*number]));
        let mut layout = network(self.plan);
        let others = [
            ("epoch", json!(self.epoch)),
            ("title", json!(printable(title))),
            ("duration", json!(spec.duration.seconds())),
            ("cell_bits", json!(spec.cells().bits())),
            ("seed", json!(self.seed)),
            ("flows", flows.collect()),
            ("quantities", QUANTITIES.iter().map(quantity).collect()),
            ("gauges", shown.collect()),
            ("buffers", buffers.into()),
            ("rules", rules.into()),
            ("causes", causes()),
            ("slotted", self.slotted()),
            (
                "steps",
                StepKind::ALL.iter().map(|kind| kind.word()).collect(),
            ),
            ("controlled", self.controlled()),
            (
                "gauges_left_out",
                json!(self.gauges.len() - self.shown.len()),
            ),
        ];
        layout.extend(others.map(|(key, value)| (key.to_string(), value)));
        layout
    }

    /// The names of the directions of links that may be paused or need credits for whole packets, by
    /// number of the hop.
    fn controlled(&self) -> Value {
        let hops = watch::controlled_hops(self.plan).into_iter();
        let names = hops.map(|one| (one.hop.to_string(), json!(one.place.to_string())));
        names.collect::<Map<String, Value>>().into()
    }

    /// The switches that are shown slot by slot.
    fn slotted(&self) -> Value {
        let switches = watch::slotted_switches(self.plan).into_iter();
        let switches = switches.map(|switch| {
            let names = |names: &[Name]| names.iter().map(ToString::to_string).collect::<Value>();
            json!({
                "node": switch.node,
                "name": self.plan.node_name(switch.node),
                "slot": switch.slot.seconds(),
                "matching": switch.matching,
                "help": switch.help,
                "page": "Input-queued switches",
                "iterations": switch.iterations,
                "speedup": switch.speedup,
                "inputs": names(&switch.inputs),
                "outputs": names(&switch.outputs),
            })
        });
        switches.collect()
    }
}

fn quantity(known: &GaugeQuantity) -> Value {
    let slope = known.slope.as_ref();
    json!({
        "name": known.name,
        "unit": known.unit,
        "words": known.words,
        "caption": known.caption,
        "title": known.title,
        "slope": slope.map(|slope| json!({"unit": slope.unit, "factor": slope.factor})),
    })
}

/// A gauge, with the number of its quantity in [`QUANTITIES`].
fn gauge(gauge: &Gauge) -> Value {
    let number = QUANTITIES.iter().position(|known| known == gauge.quantity);
    json!({
        "scope": scope(&gauge.scope),
        "hop": gauge.hop,
        "flow": gauge.flow,
        "quantity": number,
    })
}

/// A scope, with the texts that people read.
fn scope(scope: &Scope) -> Value {
    let (text, name) = (scope.to_string(), scope.name());
    let member = text.split_once(' ').map_or("", |(_, member)| member);
    json!({
        "kind": scope.word(),
        "text": text,
        "member": member,
        "name": name.as_ref().map(ToString::to_string),
        "group": name.map(|name| name.group),
        "place": scope.place().map(ToString::to_string),
    })
}

/// The capacity of a buffer with its unit, and the queue lengths at which policies begin to act.
fn buffer(buffer: &BufferLevels) -> Value {
    json!({
        "capacity": buffer.capacity,
        "unit": buffer.unit,
        "shared": buffer.shared,
        "levels": named_levels(&buffer.levels),
    })
}

/// Queue lengths by the names of their policies and parameters.
fn named_levels(levels: &[Level]) -> Map<String, Value> {
    let levels = levels.iter().map(|level| {
        let policy = level.policy.replace('_', " ");
        (
            format!("{policy}: {}", level.parameter),
            json!(level.length),
        )
    });
    levels.collect()
}

/// The rule by which an output drops units, and the page that explains it.
fn rule(rule: &DropRule) -> Value {
    json!({
        "cells": rule.has_cells,
        "policy": rule.policy,
        "help": rule.help,
        "page": page(rule.policy),
        "input": rule.input.as_ref().map(input_rule),
    })
}

/// The rule by which inputs drop cells, with the capacity and the levels of their buffers.
fn input_rule(rule: &InputRule) -> Value {
    json!({
        "policy": rule.policy,
        "help": rule.help,
        "page": "Input-queued switches",
        "capacity": rule.capacity,
        "levels": named_levels(&rule.levels),
    })
}

/// The page of `docs/concepts` that explains a discard policy.
fn page(policy: &str) -> &'static str {
    match policy {
        "codel" | "pie" | "fq_codel" | "dual_pi2" => "Queue management by delay",
        "trim" => "Trimming",
        _ => "Discard policies",
    }
}

/// The drawn nodes, the links between them, and for every node the drawn node that shows it.
fn network(plan: &Plan) -> Map<String, Value> {
    let (nodes, links) = of_plan(plan);
    let flows: Vec<[usize; 2]> = (0..plan.paths.flows.len())
        .map(|flow| plan.hosts(flow))
        .collect();
    let drawn = arrange(&nodes, &links, &flows);
    let mut numbers = vec![0; plan.topology.nodes.len()];
    for (number, known) in drawn.nodes.iter().enumerate() {
        numbers[known.node] = number;
    }
    let shown_by = |node: usize| numbers[drawn.stands_for[node]];
    let links = links.iter().enumerate().map(|(number, link)| {
        json!({
            "name": plan.link_name(number),
            "ends": link.ends.map(shown_by),
            "rate": link.rate,
            "delay": link.delay,
        })
    });
    let drawn_as = (0..plan.topology.nodes.len()).map(shown_by);
    let parts = [
        ("links", links.collect()),
        ("drawn_as", drawn_as.collect()),
        ("nodes", drawn_nodes(plan, &drawn)),
    ];
    parts
        .map(|(key, value)| (key.to_string(), value))
        .into_iter()
        .collect()
}

fn drawn_nodes(plan: &Plan, drawn: &Picture) -> Value {
    let nodes = drawn.nodes.iter().map(|known| {
        let PlannedNode { kind, .. } = &plan.topology.nodes[known.node];
        let name = Name::of_node(plan, known.node);
        // The number of a member that is drawn alone, or the name of the drawn node.
        let number = name.number.filter(|_| known.name == name.to_string());
        let short = number.map_or_else(|| known.name.clone(), |number| number.to_string());
        let (x, y) = known.place;
        json!({"name": known.name, "short": short, "kind": kind.word(), "x": x, "y": -y})
    });
    nodes.collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use models::metrics::Cause;
    use models::output::discard::DiscardSpec;
    use scenario::Scenario;

    use super::*;

    /// A flow over one switch.
    pub(crate) const TWO_HOSTS: &str = r#"
        duration = "20 ms"
        [host.a]
        [host.b]
        [switch.s]
        buffer.per_output = "100 cells"
        [link.access]
        between = ["a", "s"]
        rate = "10 Mbit/s"
        delay = "1 ms"
        [link.exit]
        between = ["s", "b"]
        rate = "10 Mbit/s"
        delay = "1 ms"
        [flow.f]
        from = "a"
        to = "b"
        transport.tcp = {}
    "#;

    #[test]
    fn the_layout_places_the_nodes_and_names_the_gauges() {
        let scenario = Scenario::read(TWO_HOSTS, "two", &[]).expect("it has no mistakes");
        let plan = scenario.plan();
        let gauges = watch::gauges(plan);
        let watched = Watched {
            epoch: 3,
            plan,
            seed: 9,
            gauges: &gauges,
            shown: &[0],
            name: "two",
        };
        let layout = Value::from(watched.layout());
        assert_eq!(layout["title"], "two");
        assert_eq!(layout["drawn_as"], json!([0, 1, 2]));
        let across = |node: usize| layout["nodes"][node]["x"].as_f64();
        assert!(across(0) < across(2) && across(2) < across(1));
        assert_eq!(
            layout["gauges"][0]["scope"]["text"],
            gauges[0].scope.to_string()
        );
        assert_eq!(layout["gauges_left_out"], gauges.len() - 1);
        let hop = plan.topology.outputs(2)[1].number().to_string();
        let rule = &layout["rules"][hop];
        assert_eq!(
            (&rule["policy"], &rule["cells"]),
            (&json!("tail_drop"), &json!(true))
        );
        assert!(rule["help"].as_str().is_some_and(|help| !help.is_empty()));
        assert_eq!(layout["causes"][0]["word"], "overflow");
    }

    #[test]
    fn a_switch_that_is_shown_slot_by_slot_has_its_ports_and_its_matching() {
        let fabric = "fabric.virtual_output_queues.matching.pim.iterations = 3\n        buffer";
        let text = TWO_HOSTS.replace("buffer", fabric);
        let scenario = Scenario::read(&text, "two", &[]).expect("it has no mistakes");
        let plan = scenario.plan();
        let watched = Watched {
            epoch: 3,
            plan,
            seed: 9,
            gauges: &[],
            shown: &[],
            name: "two",
        };
        let layout = Value::from(watched.layout());
        let known = &layout["slotted"][0];
        // Acknowledgments cross too.
        assert_eq!(known["inputs"], json!(["a", "b"]));
        assert_eq!(known["outputs"], json!(["a", "b"]));
        assert_eq!(
            (&known["name"], &known["matching"], &known["iterations"]),
            (&json!("s"), &json!("pim"), &json!(3))
        );
        assert_eq!(known["slot"].as_f64(), Some(42.4e-6));
        let page = include_str!("../../../docs/concepts/input-queued-switches.md");
        let title = known["page"].as_str().expect("it names a page");
        assert!(page.starts_with(&format!("# {title}\n")));
        assert!(page.contains("- `pim`: "));
        let kinds = layout["steps"].as_array().expect("a list");
        assert_eq!(kinds.len(), StepKind::ALL.len());
    }

    #[test]
    fn the_page_of_each_cause_explains_it() {
        let pages = [
            include_str!("../../../docs/concepts/switch-fabrics.md"),
            include_str!("../../../docs/concepts/scheduled-fabrics.md"),
        ];
        for cause in Cause::ALL {
            let facts = cause.facts();
            let title = format!("# {}\n", facts.page);
            let found = pages.iter().find(|text| text.starts_with(&title));
            let is_explained =
                found.is_some_and(|text| text.contains(&format!("`{}`", facts.word)));
            assert!(facts.page.is_empty() || is_explained, "{cause:?}");
        }
    }

    #[test]
    fn the_page_of_each_policy_explains_it() {
        let pages = [
            include_str!("../../../docs/concepts/discard-policies.md"),
            include_str!("../../../docs/concepts/queue-management.md"),
            include_str!("../../../docs/concepts/trimming.md"),
        ];
        for policy in DiscardSpec::kinds() {
            let title = format!("# {}\n", page(policy));
            let found = pages.iter().find(|text| text.starts_with(&title));
            let text = found.expect("the page is there");
            assert!(text.contains(&format!("**`{policy}`**")), "{policy}");
        }
    }
}
