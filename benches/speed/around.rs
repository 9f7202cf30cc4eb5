//! The work around a run: a scenario is read and lowered, its network is built, runs for an instant,
//! and is read. Of a network of twice the size each of these should take twice as much.

use std::fmt::Write as _;

use scenario::lower::{Hop, Plan};

use super::measure::run;
use super::network::{Network, Traffic};
use super::workload::lowered;

/// Runs a network of a size for an instant, and returns the number of its parts: nodes, and virtual
/// channels on links, or packets where these are what grows. None if there is no such network.
pub fn parts(name: &str, size: usize) -> Option<usize> {
    let (text, duration) = match name {
        "cells" => (Network::Port(size).text(Traffic::Cells), "1 us"),
        "packets" => (Network::Port(size).text(Traffic::Packets), "1 us"),
        "retry" => (lossless(size, "retry.llr = {}"), "1 us"),
        "pauses" => (lossless(size, "pause.pfc = {}"), "1 us"),
        "credits" => (lossless(size, "credit.cbfc = {}"), "1 us"),
        "fat-tree" => (fat_tree(size), "1 us"),
        "pulls" => (pulls(size), "5 ms"),
        _ => return None,
    };
    let plan = lowered(&text, name, &[("duration".into(), duration.into())]);
    let report = run(&plan);
    Some(match name {
        "pulls" => report.events.packet_hops as usize,
        _ => plan.topology.nodes.len() + channels(&plan),
    })
}

fn channels(plan: &Plan) -> usize {
    let links = 0..plan.topology.links.len();
    links
        .map(|link| plan.paths.vcs(Hop::new(link, false)).len())
        .sum()
}

/// A network of senders, each with a link to one router, which loses nothing.
fn lossless(senders: usize, link: &str) -> String {
    format!(
        "host.a.count = {senders}\nhost.b = {{}}\nrouter.s.buffer.shared = {{ size = \"20 GB\" }}\n\
         [link.in]\nbetween = [\"a\", \"s\"]\nrate = \"1 Gbit/s\"\ndelay = \"1 us\"\n{link}\n\
         [link.out]\nbetween = [\"s\", \"b\"]\nrate = \"1 Gbit/s\"\ndelay = \"1 us\"\n\
         [flow.f]\nfrom = \"a\"\nto = \"b\"\nsource.greedy = {{}}\nover.packet = {{}}\n\
         transport.tcp = {{}}\n"
    )
}

/// A fat tree of routers with so many ports, over all of whose paths each host sends to one of the pod
/// after the next.
fn fat_tree(ports: usize) -> String {
    let pod = ports * ports / 4;
    let hosts = pod * ports;
    let mut text = format!(
        "[topology.fat_tree]\nports = {ports}\naccess = {{ rate = \"10 Gbit/s\", delay = \"1 us\" }}\n\
         [topology.fat_tree.switch]\nbuffer.per_output = \"100 kB\"\npaths.ecmp = {{}}\n"
    );
    for from in 0..hosts {
        let to = (from + 2 * pod + 1) % hosts;
        let _ = write!(
            text,
            "[flow.f{from}]\nfrom = \"host[{from}]\"\nto = \"host[{to}]\"\nsource.greedy = {{}}\n\
             over.packet = {{}}\ntransport.tcp = {{}}\n"
        );
    }
    text
}

/// One sender with an initial window of so many packets.
fn pulls(window: usize) -> String {
    format!(
        "host.a = {{}}\nhost.b = {{}}\nrouter.s.buffer.per_output = \"1 GB\"\n\
         [link.in]\nbetween = [\"a\", \"s\"]\nrate = \"1 Gbit/s\"\n\
         [link.out]\nbetween = [\"s\", \"b\"]\nrate = \"1 Gbit/s\"\n\
         [flow.f]\nfrom = \"a\"\nto = \"b\"\nsource.greedy = {{}}\nover.packet = {{}}\n\
         transport.pull = {{ packet = \"1500 B\", initial_window = {window} }}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_runs_and_one_of_twice_the_size_has_more_parts() {
        for name in [
            "cells", "packets", "retry", "pauses", "credits", "fat-tree", "pulls",
        ] {
            let [few, many] = [4, 8].map(|size| parts(name, size).expect("a network of that name"));
            assert!(few < many, "{name}: {few} and {many}");
        }
        assert_eq!(parts("trees", 4), None);
    }
}
