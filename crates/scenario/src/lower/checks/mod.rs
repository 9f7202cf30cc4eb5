//! Checks of nodes, links and flows: each part must support the flows through it. Limits without a
//! cited source are our own: beyond them a run would not end, or would not fit into memory.

pub(in crate::lower) mod allocators;
pub(in crate::lower) mod awaited;
mod changing_rates;
pub(in crate::lower) mod classes;
mod formats;
pub(crate) mod goals;
pub(in crate::lower) mod hints;
pub(in crate::lower) mod levels;
pub(in crate::lower) mod loads;
mod lossy_links;
pub(in crate::lower) mod messages;
mod mixtures;
mod packet_buffers;
pub(in crate::lower) mod policers;
pub(crate) mod rates;
mod scheduled_fabrics;
mod switch_inputs;
pub(in crate::lower) mod warnings;
mod without_effect;

use kernel::Duration;
use models::flow::FlowSpec;
use models::output::discard::Buffer;
use models::output::scheduler::SchedulerSpec;
use models::router::RouterSpec;
use models::transport::SenderState;
use models::wire::class::Class;
use parameters::{Path, Problem, Problems, suggest};

use crate::lower::build::routers;
use crate::lower::inputs::PlannedInputs;
use crate::lower::recorded::{OF_ALLOCATOR, OF_PACED, OF_RECEIVER};
use crate::lower::routes::{edges, paths, repairs};
use crate::lower::{
    Flows, Hop, NodeKind, PlannedLink, PlannedLinks, PlannedNode, Topology, credit, inputs,
    packet_credit, pause, retry, trimming,
};
use crate::spec::ScenarioSpec;

/// Longest time, in seconds, that one packet may take on one link. Our own bound: a longer time comes
/// from a mistake in a unit, and times that are sums of many such times stay far below the 213 days
/// that 64 bits of picoseconds hold.
const SLOWEST: u128 = 3600;

/// Largest number of samples of one series; check reports a recording with more.
const MOST_SAMPLES: u64 = 1_000_000;

/// Largest number of samples of all series together: some hundred megabytes of memory.
const MOST_SAMPLES_OF_ALL: u64 = 50_000_000;

/// Reports unsupported combinations, in the order of the scenario.
pub fn plan(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    inputs: &PlannedInputs,
    problems: &mut Problems,
) {
    let root = Path::root();
    if flows.tables.is_empty() {
        let hint = "add a `[flow.NAME]` table with `from`, `to` and `transport`";
        problems.add(Problem::new(&root.key("flow"), None, "there are no flows").hint(hint));
    }
    nodes(spec, topology, flows, problems);
    mixtures::on_direct_links(spec, topology, flows, problems);
    edges::check(spec, topology, flows, problems);
    paths::check(spec, topology, flows, problems);
    repairs::check(spec, problems);
    policies(spec, topology, flows, problems);
    switch_inputs::check(spec, problems);
    scheduled_fabrics::check(spec, topology, flows, problems);
    without_effect::check(spec, topology, flows, problems);
    schedulers(spec, topology, flows, problems);
    allocators::check(spec, topology, flows, problems);
    formats::check(spec, topology, flows, problems);
    packet_buffers::check(spec, topology, flows, links, problems);
    buffers(spec, topology, flows, problems);
    lossy_links::check(spec, topology, flows, problems);
    changing_rates::check(spec, topology, flows, links, problems);
    slow_links(spec, topology, flows, links, problems);
    rates::check(spec, topology, flows, links, problems);
    awaited::check(spec, topology, flows, problems);
    classes::check(spec, topology, flows, problems);
    classes::of_vcs(spec, problems);
    classes::check_push_out(spec, problems);
    classes::check_queues(spec, problems);
    policers::check(spec, topology, flows, links, problems);
    samples(spec, topology, flows, problems);
    credit::check(spec, topology, flows, links, problems);
    packet_credit::check(spec, topology, flows, links, problems);
    pause::checks::check(spec, topology, links, inputs, problems);
    inputs::checks::check(spec, topology, links, inputs, problems);
    retry::check(spec, topology, flows, links, problems);
    trimming::check(spec, topology, flows, links, problems);
    goals::check(spec, topology, flows.paths, links, problems);
}

fn nodes(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    let mut degree = vec![0; topology.nodes.len()];
    for end in topology.links.iter().flat_map(PlannedLink::ends) {
        degree[end] += 1;
    }
    let mut blamed = None;
    for (node, planned) in topology.nodes.iter().enumerate() {
        let group = planned.member.spec();
        match planned.kind {
            // A host without a link may be the consequence of a refused link.
            NodeKind::Host if degree[node] == 0 && topology.lacks_links() => {}
            // A group has one table, so its problem is reported once.
            NodeKind::Host if degree[node] == 0 && blamed != Some(group) => {
                blamed = Some(group);
                let at = Path::root().key("host").key(&spec.host.0[group].0);
                let problem = format!("no link leads to `{}`", topology.name(spec, node));
                let hint = format!("join it by a `[link.NAME]` table, or leave out `[{at}]`");
                problems.add(Problem::new(&at, None, problem).hint(hint));
            }
            NodeKind::Switch | NodeKind::Router | NodeKind::Edge
                if degree[node] == 0 && !topology.lacks_links() =>
            {
                unlinked(spec, topology, &degree, node, problems);
            }
            NodeKind::Switch | NodeKind::Router => {
                mixtures::at_node(spec, topology, flows, node, problems);
            }
            // The flows report their own problems with edges.
            NodeKind::Host | NodeKind::Edge => {}
        }
    }
}

/// Reports a switch, a router or an edge without links, which no flow can pass.
fn unlinked(
    spec: &ScenarioSpec,
    topology: &Topology,
    degree: &[usize],
    node: usize,
    problems: &mut Problems,
) {
    let kind = topology.nodes[node].kind;
    let others = topology.nodes.iter().enumerate();
    let others = others.filter(|(other, planned)| planned.kind == kind && degree[*other] > 0);
    let others: Vec<String> = others
        .map(|(other, _)| topology.name(spec, other))
        .collect();
    let (name, word) = (topology.name(spec, node), kind.word());
    let at = Path::root().key(word).key(topology.table(spec, node));
    let hint = match suggest::nearest(&name, others.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean `{meant}`? otherwise join it by a link"),
        None => format!("join it by a `[link.NAME]` table, or leave out `[{at}]`"),
    };
    let problem = format!("no link leads to `{name}`");
    problems.add(Problem::new(&at, None, problem).hint(hint));
}

/// Reports policies of outputs that could never act on their buffers.
fn policies(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (family, name, router) in routers::all(spec) {
        let at = Path::root().key(family).key(name);
        let mut memory = router.memory(flows.cells);
        if router.buffer.most_packets().is_some() {
            let nodes = topology.nodes_of(spec, family, name);
            let longest = nodes.map(|node| flows.longest_packet(topology, node)).max();
            // Without any there is no buffer of packets, which `packet_buffers` reports.
            let Some(longest) = longest.filter(|octets| *octets > 0) else {
                continue;
            };
            memory = memory.passed_by(longest);
        }
        let sizes = match family {
            "edge" => vec![(at.key("queue"), router.buffer.in_cells(0, memory))],
            _ => router.buffer.sizes(&at.key("buffer"), memory),
        };
        for (size_at, buffer) in sizes {
            guards(&router, &at, &size_at, &buffer, problems);
        }
    }
}

/// Reports a buffer smaller than a cell, and the policies that could never act on it.
fn guards(spec: &RouterSpec, at: &Path, size_at: &Path, buffer: &Buffer, problems: &mut Problems) {
    if !holds_a_cell(size_at, buffer, problems) {
        return;
    }
    levels::check(&spec.discard, &at.key("discard"), buffer, problems);
    levels::check(&spec.mark, &at.key("mark"), buffer, problems);
}

/// Reports a buffer smaller than a cell; returns true if the buffer is not.
fn holds_a_cell(size_at: &Path, buffer: &Buffer, problems: &mut Problems) -> bool {
    let (cells, each) = (buffer.capacity, buffer.octets_per_cell);
    if cells == 0 {
        let problem = format!("the buffer is smaller than a cell of {each} octets");
        problems.add(Problem::new(size_at, None, problem).hint("write at least `\"1 cell\"`"));
    }
    cells > 0
}

/// Reports schedulers of service classes at nodes that forward whole packets, which have no class.
fn schedulers(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (node, planned) in topology.nodes.iter().enumerate() {
        let table = planned.member.spec();
        let (family, (name, scheduler)) = match planned.kind {
            NodeKind::Switch if !flows.paths.carries_cells(node) => {
                let (name, switch) = &spec.switch.0[table];
                ("switch", (name, &switch.scheduler))
            }
            NodeKind::Router => {
                let (name, router) = &spec.router.0[table];
                ("router", (name, &router.scheduler))
            }
            _ => continue,
        };
        if !scheduler.knows_classes() {
            continue;
        }
        let at = Path::root().key(family).key(name).key("scheduler");
        let problem = format!("`{name}` forwards whole packets, which have no service class");
        let others = hints::kinds(|one: &SchedulerSpec| !one.knows_classes());
        let hint = format!("choose {others}, or carry the flows in cells");
        problems.add(Problem::new(&at.key(scheduler.kind()), None, problem).hint(hint));
    }
}

/// The path of the packet size of a flow.
fn packet_of(name: &str, flow: &FlowSpec) -> Path {
    let transport = Path::root().key("flow").key(name).key("transport");
    transport.key(flow.transport.kind()).key("packet")
}

/// Reports buffers smaller than a full packet of some flow, where packets are not segmented.
fn buffers(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (node, planned) in topology.nodes.iter().enumerate() {
        let table = planned.member.spec();
        let (family, buffer, memory) = match planned.kind {
            NodeKind::Switch => {
                let switch = &spec.switch.0[table].1;
                ("switch", &switch.buffer, switch.memory(flows.cells))
            }
            NodeKind::Router => {
                let router = &spec.router.0[table].1;
                ("router", &router.buffer, router.memory(flows.cells))
            }
            NodeKind::Host | NodeKind::Edge => continue,
        };
        // As many packets of any length fit as are counted.
        if buffer.most_packets().is_some() {
            continue;
        }
        let capacity = buffer.in_octets(0, memory).capacity;
        let whole = flows.paths.leaving(topology, node).filter_map(|planned| {
            let flow = flows.spec(planned.flow);
            match flow.wrap(
                planned.in_cells,
                flow.transport.facts().full_packet,
                flows.cells,
            ) {
                (octets, 0) => {
                    let space = memory.for_packets().space(octets as u32);
                    Some((space, flows.paths.flows[planned.flow].member.spec()))
                }
                _ => None,
            }
        });
        let largest = whole.max_by_key(|(octets, spec)| (*octets, std::cmp::Reverse(*spec)));
        let Some((octets, table)) = largest.filter(|(octets, _)| *octets > capacity) else {
            continue;
        };
        let at = Path::root()
            .key(family)
            .key(&topology.name(spec, node))
            .key("buffer");
        let flow = &flows.tables.0[table].0;
        let problem = format!("the buffer is smaller than a packet of flow `{flow}`");
        let hint = format!("write at least `\"{octets} B\"`, because no packet of the flow fits");
        problems.add(Problem::new(&buffer.size_path(&at), None, problem).hint(hint));
    }
}

/// Reports packets whose transmission takes too long, with the slowest link, once for each flow.
fn slow_links(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    let mut blamed = None;
    for planned in &flows.paths.flows {
        let table = planned.member.spec();
        let (name, flow) = &flows.tables.0[table];
        let bits = flow.packet_bits(flows.cells);
        let slowest_of = |hop: Hop| {
            let changes = topology.link_spec(spec, hop.link()).schedule(hop.reverse());
            changes.map_or(links.rate(hop), |changes| changes.slowest())
        };
        let Some(slowest) = planned.hops().min_by_key(|hop| slowest_of(*hop)) else {
            continue;
        };
        let (link, rate) = (
            topology.link_name(spec, slowest.link()),
            slowest_of(slowest),
        );
        let is_slow = bits > SLOWEST * u128::from(rate.bits_per_second());
        if is_slow && blamed != Some(table) {
            blamed = Some(table);
            let problem = format!("a packet takes more than an hour on `{link}` at `{rate}`");
            let hint = "send smaller packets, or choose a faster link";
            problems.add(Problem::new(&packet_of(name, flow), None, problem).hint(hint));
        }
    }
}

/// Number of recorded series of a node: a queue of each output, at most one of each VC and of each
/// class that has a queue of its own, and the series of the rate allocators.
fn queues(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, node: usize) -> usize {
    let outputs = topology.outputs(node).len();
    let PlannedNode { kind, member } = topology.nodes[node];
    match kind {
        NodeKind::Host => 0,
        NodeKind::Router => {
            let router = &spec.router.0[member.spec()].1;
            outputs + queues_of_vcs(topology, flows, node, &router.scheduler)
        }
        NodeKind::Edge => {
            let vcs = flows
                .paths
                .leaving(topology, node)
                .filter(|planned| planned.in_cells);
            outputs + vcs.count()
        }
        NodeKind::Switch => {
            let switch = &spec.switch.0[member.spec()].1;
            let of_vcs = queues_of_vcs(topology, flows, node, &switch.scheduler);
            let of_classes = if switch.scheduler.knows_classes() {
                outputs * Class::ALL.len()
            } else {
                0
            };
            let of_allocators = if switch.rate.is_some() {
                outputs * OF_ALLOCATOR.len()
            } else {
                0
            };
            outputs + of_vcs + of_classes + of_allocators
        }
    }
}

/// Number of VCs of a node that may have queues of their own.
fn queues_of_vcs(
    topology: &Topology,
    flows: Flows<'_>,
    node: usize,
    scheduler: &SchedulerSpec,
) -> usize {
    if scheduler.is_in_order() {
        0
    } else {
        flows.paths.leaving(topology, node).count()
    }
}

/// Reports a recording that would not fit into memory.
fn samples(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    let Some(record) = &spec.record else {
        return;
    };
    let each = spec.duration.ps() / record.every.ps();
    let nodes = 0..topology.nodes.len();
    let queues: usize = nodes.map(|node| queues(spec, topology, flows, node)).sum();
    let paced = flows.paths.flows.iter();
    let paced = paced.filter(|flow| flows.tables.0[flow.member.spec()].1.over.is_paced());
    let of_ends = (SenderState::LINES + OF_RECEIVER.len()) * flows.paths.flows.len();
    let series = (of_ends + OF_PACED.len() * paced.count() + queues) as u64;
    let most = MOST_SAMPLES.min(MOST_SAMPLES_OF_ALL / series.max(1));
    if each > most {
        let at = Path::root().key("record").key("every");
        let problem = format!("{each} samples for each of {series} series are too many");
        let least = spec.duration.ps() / most.max(1);
        let every = Duration::from_ps(10_u64.saturating_pow(least.ilog10() + 1));
        let hint = format!(
            "write for example `\"{every}\"`; at most {most} samples per series are allowed"
        );
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}
