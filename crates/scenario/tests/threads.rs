//! Runs on several threads: the division of the nodes, and the same results.

use crate::common::{CROSSING, plan, seed, ten_tcp};
use scenario::lower::Plan;
use scenario::run::Simulation;

/// A chain of switches with a host on each, a flow between neighbours and one through the whole
/// chain.
fn chain(switches: usize) -> String {
    let ends = (1..=switches).map(|number| {
        format!(
            "[host.h{number}]\n[switch.s{number}]\nbuffer.per_output = \"200 cells\"\n\
             [link.access{number}]\nbetween = [\"h{number}\", \"s{number}\"]\n\
             rate = \"155.52 Mbit/s\"\ndelay = \"1 us\"\n"
        )
    });
    let trunks = (2..=switches).map(|number| {
        let before = number - 1;
        format!(
            "[link.trunk{number}]\nbetween = [\"s{before}\", \"s{number}\"]\n\
             rate = \"155.52 Mbit/s\"\ndelay = \"100 us\"\n\
             [flow.n{number}]\nfrom = \"h{before}\"\nto = \"h{number}\"\ntransport.tcp = {{}}\n"
        )
    });
    let parts: String = ends.chain(trunks).collect();
    format!(
        "duration = \"20 ms\"\n{parts}\
         [flow.through]\nfrom = \"h1\"\nto = \"h{switches}\"\ntransport.tcp = {{}}\n"
    )
}

/// The names of the nodes of each part.
fn parts(plan: &Plan, threads: usize) -> Vec<String> {
    let division = plan.division(threads).expect("parts");
    let parts = (0..division.parts()).map(|part| {
        let nodes = 0..plan.topology.nodes.len();
        let nodes = nodes.filter(|node| division.part(*node) == part);
        nodes
            .map(|node| plan.node_name(node))
            .collect::<Vec<_>>()
            .join(" ")
    });
    parts.collect()
}

#[test]
fn a_chain_is_cut_where_the_work_is_equal() {
    let plan = plan(&chain(6), &[]);
    assert_eq!(parts(&plan, 2), ["h1 h2 h3 s1 s2 s3", "h4 h5 h6 s4 s5 s6"]);
    assert_eq!(
        parts(&plan, 3),
        ["h1 h2 s1 s2", "h3 h4 s3 s4", "h5 h6 s5 s6"]
    );
}

#[test]
fn there_are_no_more_parts_than_switches() {
    let two = plan(CROSSING, &[]);
    assert_eq!(parts(&two, 9).len(), 2);
    assert_eq!(plan(&ten_tcp(), &[]).division(2), None);
    assert_eq!(two.division(1), None);
}

#[test]
fn parts_meet_on_the_longest_links_even_if_one_has_slightly_more_work() {
    let uncut = |trunk: &str, switches: [&str; 2]| {
        let delay = format!("link.{trunk}.delay");
        let short = plan(&chain(24), &[(&delay, "1 us")]);
        let parts = parts(&short, 2);
        let ends = switches.map(|switch| parts[0].split(' ').any(|node| node == switch));
        assert_eq!(ends[0], ends[1], "{trunk} joins {parts:?}");
    };
    uncut("trunk13", ["s12", "s13"]);
    uncut("trunk14", ["s13", "s14"]);
}

#[test]
fn any_number_of_threads_reports_the_same() {
    let plan = plan(&chain(6), &[("batches", "3"), ("warm_up", "2 ms")]);
    let run = |threads| {
        let mut simulation = Simulation::new(&plan, seed(0));
        if let Some(division) = plan.division(threads) {
            simulation = simulation.in_parts(division);
        }
        simulation.run(|_| true).expect("nobody cancels")
    };
    let alone = run(1);
    for threads in [2, 3, 4, 50] {
        let together = run(threads);
        assert_eq!(together.digest(), alone.digest());
        assert_eq!(together.events.cell_hops, alone.events.cell_hops);
    }
}
