//! Credits for each VC prevent deadlock, whatever the paths of the VCs. Credits for a queue that
//! VCs share would not.

use std::collections::VecDeque;
use std::fmt::Write as _;

use crate::common::{run, value};
use proptest::prelude::*;

/// Number of cells left when no cell can move on a ring of switches. Each link has a buffer of
/// `room` cells, for each VC or for all VCs together; a cell needs free space in the next buffer,
/// and leaves the ring after `hops` hops.
///
/// This small model is independent of the simulator. It shows why credits are given for each VC: a
/// ring with shared buffers deadlocks.
fn left_on_a_ring(corners: usize, room: usize, hops: usize, by_vc: bool) -> usize {
    // Queues by link and VC: the source of each cell, and its remaining hops.
    let vcs = if by_vc { corners } else { 1 };
    let mut queues = vec![vec![VecDeque::new(); vcs]; corners];
    let mut to_send = vec![3 * room; corners];
    let queue = |source: usize| if by_vc { source } else { 0 };
    loop {
        let mut moved = false;
        for corner in 0..corners {
            let own = &mut queues[corner][queue(corner)];
            while to_send[corner] > 0 && own.len() < room {
                own.push_back((corner, hops - 1));
                to_send[corner] -= 1;
                moved = true;
            }
        }
        for (corner, vc) in (0..corners).flat_map(|at| (0..vcs).map(move |of| (at, of))) {
            let next = (corner + 1) % corners;
            if let Some((source, hops)) = queues[corner][vc].front().copied() {
                if hops == 0 {
                    queues[corner][vc].pop_front();
                    moved = true;
                } else if queues[next][queue(source)].len() < room {
                    queues[corner][vc].pop_front();
                    queues[next][queue(source)].push_back((source, hops - 1));
                    moved = true;
                }
            }
        }
        if !moved {
            return queues.iter().flatten().map(VecDeque::len).sum();
        }
    }
}

#[test]
fn on_a_ring_a_queue_that_vcs_share_locks_up_and_queues_of_their_own_do_not() {
    for room in [1, 4] {
        assert_eq!(left_on_a_ring(4, room, 3, false), 4 * room);
        assert_eq!(left_on_a_ring(4, room, 3, true), 0);
    }
}

/// A full mesh of switches with a host at each, and a flow of a few packets over each route. Every
/// link is controlled, with buffers so small that waiting cells fill them.
fn network(switches: usize, routes: &[Vec<usize>], credit: &str) -> String {
    let mut text = "duration = \"0.2 s\"\n".to_string();
    let link = |text: &mut String, name: String, one: String, other: String| {
        let _ = write!(
            text,
            "[link.{name}]\nbetween = [\"{one}\", \"{other}\"]\nrate = \"155.52 Mbit/s\"\n\
             delay = \"3 us\"\ncredit.{credit}\n"
        );
    };
    for one in 0..switches {
        let _ = write!(
            text,
            "[host.h{one}]\n[switch.s{one}]\nscheduler.round_robin = {{}}\n\
             buffer.per_output = \"100000 cells\"\n"
        );
        link(
            &mut text,
            format!("a{one}"),
            format!("h{one}"),
            format!("s{one}"),
        );
        for other in one + 1..switches {
            link(
                &mut text,
                format!("t{one}_{other}"),
                format!("s{one}"),
                format!("s{other}"),
            );
        }
    }
    for (number, route) in routes.iter().enumerate() {
        let names: Vec<String> = route
            .iter()
            .map(|switch| format!("\"s{switch}\""))
            .collect();
        let (from, to) = (route[0], route[route.len() - 1]);
        let _ = write!(
            text,
            "[flow.f{number}]\nfrom = \"h{from}\"\nto = \"h{to}\"\nroute = [{}]\n\
             source.trace.text = \"0 9000\\n0 9000\\n0.0001 20000\"\n\
             transport.datagram = {{ packet = \"9180 B\" }}\n",
            names.join(", ")
        );
    }
    text
}

/// Asserts that every flow delivers all data that it sends.
fn all_arrives(text: &str, flows: usize) {
    let report = run(text, &[], 0);
    for flow in 0..flows {
        let arrived = value(&report, &format!("flow f{flow}"), "efficiency");
        assert!(
            (arrived - 1.0).abs() < 1e-12,
            "flow f{flow}: {arrived}\n{text}"
        );
    }
}

#[test]
fn all_arrives_on_a_ring_on_which_every_vc_waits_for_another() {
    let routes: Vec<Vec<usize>> = (0..5)
        .map(|first| (0..4).map(|hop| (first + hop) % 5).collect())
        .collect();
    for credit in [
        "n23 = { n2 = 1, n3 = 1 }",
        "adaptive = { n2 = 2, pool = 12 }",
    ] {
        all_arrives(&network(5, &routes, credit), routes.len());
    }
}

/// Random routes without repeated switches; many of them form cycles of waiting VCs.
fn routes() -> impl Strategy<Value = (usize, Vec<Vec<usize>>)> {
    (3usize..6).prop_flat_map(|switches| {
        let all: Vec<usize> = (0..switches).collect();
        let route = prop::sample::subsequence(all, 2..=switches).prop_shuffle();
        (Just(switches), prop::collection::vec(route, 1..10))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn all_arrives_whatever_ways_vcs_go(
        (switches, routes) in routes(),
        n2 in 1u32..5,
        n3 in 1u32..5,
        shares in any::<bool>(),
    ) {
        let credit = if shares {
            // All flows may pass one link, in either direction; they share `n3` cells.
            let kept = n2 * u32::try_from(routes.len()).expect("a few");
            format!("adaptive = {{ n2 = {n2}, pool = {} }}", kept + n3)
        } else {
            format!("n23 = {{ n2 = {n2}, n3 = {n3} }}")
        };
        all_arrives(&network(switches, &routes, &credit), routes.len());
    }

    /// Losses must not stop a link whose ends compare their counts.
    #[test]
    fn every_flow_recovers_lost_credit_if_the_ends_compare_counts(
        (switches, routes) in routes(),
        loss in 1u32..50,
    ) {
        let check = ", check = \"0.2 ms\"";
        for goodput in late(switches, &routes, loss, check) {
            prop_assert!(goodput > 0.0);
        }
    }
}

/// Goodput of each flow from its last twenty packets. They are sent after 90 ms, when the earlier
/// packets have been delivered or lost. `loss` is the probability of losing a cell, in hundredths
/// of a per cent.
///
/// A packet has 11 cells and passes at most six lossy links, so the probability that all twenty
/// packets are lost is below 10^-9.
fn late(switches: usize, routes: &[Vec<usize>], loss: u32, check: &str) -> Vec<f64> {
    let credit = format!("n23 = {{ n2 = 2, n3 = 1{check} }}\nloss.cell = \"0.{loss:02} %\"");
    let mut writes = "0 9000\\n0 9000\\n0.0001 20000".to_string();
    for packet in 0..20 {
        let _ = write!(writes, "\\n{:.4} 500", 0.0905 + 0.0002 * f64::from(packet));
    }
    let text = network(switches, routes, &credit)
        .replace("\"0.2 s\"", "\"0.1 s\"\nwarm_up = \"90 ms\"")
        .replace("0 9000\\n0 9000\\n0.0001 20000", &writes);
    let report = run(&text, &[], 0);
    let goodput = |flow| value(&report, &format!("flow f{flow}"), "goodput");
    (0..routes.len()).map(goodput).collect()
}

#[test]
fn a_link_that_loses_credit_stops_unless_the_ends_compare_counts() {
    // A loss of 0.4 % of some 800 cells takes more than the three cells of credit that each VC
    // has.
    let routes: Vec<Vec<usize>> = (0..5)
        .map(|first| (0..4).map(|hop| (first + hop) % 5).collect())
        .collect();
    let compared = late(5, &routes, 40, ", check = \"0.2 ms\"");
    assert!(
        compared.iter().all(|goodput| *goodput > 0.0),
        "{compared:?}"
    );
    let not_compared = late(5, &routes, 40, "");
    assert!(
        not_compared.iter().all(|goodput| *goodput == 0.0),
        "{not_compared:?}"
    );
}
