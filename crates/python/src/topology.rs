//! The nodes and links of a scenario as Python sees them.

use scenario::lower::Plan;
use scenario::report::Name;

/// Name and kind of a node, and its group and number if it is a member of a group.
pub type NodeParts = (String, &'static str, Option<String>, Option<u32>);

/// Name of a link, the numbers of its nodes, its rate, its delay, and the components of its loss and
/// credit.
pub type LinkParts = (String, [usize; 2], u64, f64, Vec<String>);

/// The nodes and the links of a network.
pub fn parts(plan: &Plan) -> (Vec<NodeParts>, Vec<LinkParts>) {
    let nodes = plan.topology.nodes.iter().enumerate();
    let nodes = nodes.map(|(number, node)| {
        let name = Name::of_node(plan, number);
        let group = name.number.map(|_| name.group.clone());
        (name.to_string(), node.kind.word(), group, name.number)
    });
    let links = plan.topology.links.iter().enumerate();
    let links = links.map(|(number, link)| {
        let spec = plan.link_spec(number);
        let rate = spec.rate.bits_per_second();
        let loss = spec.loss.as_ref().map(|one| format!("loss.{}", one.kind()));
        let credit = spec
            .credit
            .as_ref()
            .map(|one| format!("credit.{}", one.kind()));
        (
            plan.link_name(number),
            link.ends(),
            rate,
            spec.delay.0.seconds(),
            loss.into_iter().chain(credit).collect(),
        )
    });
    (nodes.collect(), links.collect())
}
