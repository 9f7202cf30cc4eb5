//! Credits for each channel never lock up a network, whatever ways its channels go; credits for a queue
//! that they share would.

mod common;

use std::collections::VecDeque;
use std::fmt::Write as _;

use common::{run, value};
use proptest::prelude::*;

/// What is left over at each corner of a ring whose cells go on only where there is room, and no
/// further than `hops`. There is room for `room` cells on each link: of all channels together, or of
/// each.
fn left_on_a_ring(corners: usize, room: usize, hops: usize, by_channel: bool) -> usize {
    // By link and channel: how many hops each cell still has to go.
    let channels = if by_channel { corners } else { 1 };
    let mut queues = vec![vec![VecDeque::new(); channels]; corners];
    let mut to_send = vec![3 * room; corners];
    let queue = |source: usize| if by_channel { source } else { 0 };
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
        for (corner, channel) in (0..corners).flat_map(|at| (0..channels).map(move |of| (at, of))) {
            let next = (corner + 1) % corners;
            if let Some((source, hops)) = queues[corner][channel].front().copied() {
                if hops == 0 {
                    queues[corner][channel].pop_front();
                    moved = true;
                } else if queues[next][queue(source)].len() < room {
                    queues[corner][channel].pop_front();
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
fn on_a_ring_a_queue_that_channels_share_locks_up_and_queues_of_their_own_do_not() {
    for room in [1, 4] {
        assert_eq!(left_on_a_ring(4, room, 3, false), 4 * room);
        assert_eq!(left_on_a_ring(4, room, 3, true), 0);
    }
}

/// Switches that are all joined, with a host at each, and a flow of a few packets over each route; every
/// link is controlled, with so little room that all of it is full of cells that wait.
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
             source.trace.writes = \"0 9000\\n0 9000\\n0.0001 20000\"\n\
             transport.datagram = {{ packet = \"9180 B\" }}\n",
            names.join(", ")
        );
    }
    text
}

/// Whether all that was sent has arrived.
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
fn all_arrives_on_a_ring_on_which_every_channel_waits_for_another() {
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

/// Routes over different switches, in any order: most of them wait for one another in circles.
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
    fn all_arrives_whatever_ways_channels_go(
        (switches, routes) in routes(),
        n2 in 1u32..5,
        n3 in 1u32..5,
        shares in any::<bool>(),
    ) {
        let credit = if shares {
            // Of the ten flows each may take every link, in both directions.
            format!("adaptive = {{ n2 = {n2}, pool = {} }}", 20 * n2 + n3)
        } else {
            format!("n23 = {{ n2 = {n2}, n3 = {n3} }}")
        };
        all_arrives(&network(switches, &routes, &credit), routes.len());
    }

    /// A link on which something is lost now and then must not be stuck for it.
    #[test]
    fn all_that_is_not_lost_arrives_where_counts_are_compared(
        (switches, routes) in routes(),
        loss in 1u32..50,
    ) {
        let credit = "n23 = { n2 = 2, n3 = 1, check = \"0.2 ms\" }";
        let lossy = format!("{credit}\nloss.cell = \"0.{loss:02} %\"");
        let text = network(switches, &routes, &lossy).replace("\"0.2 s\"", "\"0.1 s\"");
        // A run in which cells are neither lost nor delivered nor on their way is refused; in one that
        // is stuck, another whose packets come later would not arrive.
        let late = text.replace("0.0001 20000", "0.09 500");
        let report = run(&late, &[], 0);
        let later: f64 = (0..routes.len())
            .map(|flow| value(&report, &format!("flow f{flow}"), "goodput"))
            .sum();
        prop_assert!(later > 0.0);
    }
}
