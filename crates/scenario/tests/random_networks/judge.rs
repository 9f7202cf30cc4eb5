//! Laws of every run of a random network.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use kernel::{Duration, Time};
use models::link::pause::PauseSpec;
use models::output::discard::Buffer;
use models::wire::format::CellFormat;
use scenario::capture::CaptureOptions;
use scenario::capture::connections::ConnectionTable;
use scenario::capture::packets::PacketTable;
use scenario::lower::{Hop, Plan};
use scenario::report::{Place, Report, Scalar, Scope};
use scenario::run::Simulation;
use scenario::run::SteppedRun;
use scenario::steer::{self, Given};
use scenario::watch::Observer;

use crate::common::packets::{assert_counted, assert_in_order};
use crate::common::{SHARES, assert_limited, by_every_runner, seed};
use crate::rows::assert_added_up;

/// Shares of the capacity of a port that credits, control frames and link-level retry take.
const OF_LINKS: [&str; 3] = ["credit_share", "link_control_share", "retry_share"];

/// Ratios of what is sent again, which may exceed one.
const SENT_AGAIN: [&str; 2] = ["retransmission_ratio", "replay_ratio"];

/// Largest rounding error of a sum of shares.
const ROUNDED: f64 = 1e-9;

/// How far a single share may exceed its bounds: a packet takes a whole number of picoseconds, so a
/// link may seem busy for slightly longer than it was.
const WHOLE_PICOSECONDS: f64 = 1e-6;

/// Panics unless all runners report the same, no law is broken, and neither pauses nor captures nor
/// traces change anything.
pub fn judge(plan: &Plan) {
    laws(plan, &by_every_runner(plan), true);
    // The end of a simulation is where conservation is asserted.
    let whole = Simulation::new(plan, seed(0)).run(|_| true);
    let whole = whole.expect("nobody stops it");
    let from_start = plan.spec.warm_up == Duration::ZERO && plan.spec.batches.is_none();
    laws(plan, &whole, from_start);
    let (report, packets, connections) = watched(plan, 1);
    assert_in_order(plan, &packets);
    if from_start {
        assert_counted(plan, &whole, &packets);
        assert_added_up(&whole, &connections);
    }
    assert_eq!(told(&report), told(&whole), "watching changes something");
    let (report, the_same, same_connections) = watched(plan, 3);
    assert_eq!(told(&report), told(&whole), "threads change something");
    assert_eq!(
        same_connections.rows, connections.rows,
        "threads change connections"
    );
    assert_eq!(
        format!("{the_same:?}"),
        format!("{packets:?}"),
        "threads change packets"
    );
    let [divided, whole] = [5, 1].map(|parts| steered(plan, parts));
    for (one, other) in divided.scalars.iter().zip(&whole.scalars) {
        // A scalar names its metric and its scope, which a line of the whole report would not.
        let [one, other] = [one, other].map(|scalar| format!("{scalar:?}"));
        assert_eq!(one, other, "a pause moves what is set");
    }
    assert_eq!(told(&divided), told(&whole), "a pause moves what is set");
}

/// The report of a run whose controls are all set after a third of it. The run reaches this instant
/// in `parts` steps, and is read after each.
fn steered(plan: &Plan, parts: u64) -> Report {
    let mut steps = SteppedRun::new(plan, seed(0));
    let mut observer = Observer::new(&mut steps);
    let third = plan.spec.duration / 3;
    for part in 1..=parts {
        let reached = third.ps() / parts * part;
        let until = if part == parts { third.ps() } else { reached };
        steps.run_until(Time::from_ps(until));
        observer.read(&mut steps);
        steps.measure();
    }
    for one in steer::settings(&mut steps) {
        let [least, most] = one.range;
        let value = match one.control.name {
            "rate" => (one.value * 1.5).floor().min(most),
            "loss" => 0.1,
            _ => f64::midpoint(least, most).floor().max(least),
        };
        let set = steer::set(
            &mut steps,
            &one.scope.to_string(),
            one.control.name,
            Given::Number(value),
        );
        set.expect("a value in the range");
    }
    if parts > 1 {
        steps.run_until(Time::ZERO + plan.spec.duration / 2);
        observer.read(&mut steps);
    }
    steps.finish()
}

/// The report, the packets and the connections of a run with pauses, a capture and traces; on that
/// many threads, if the network can be divided.
fn watched(plan: &Plan, threads: usize) -> (Report, PacketTable, ConnectionTable) {
    let captured = Cell::new(0);
    let packets = RefCell::new(PacketTable::default());
    let connections = RefCell::new(ConnectionTable::default());
    let mut simulation = Simulation::new(plan, seed(0));
    if let Some(division) = plan.division(threads) {
        simulation = simulation.in_parts(division);
    }
    let count = |_: &str, octets: &[u8]| {
        captured.set(captured.get() + octets.len());
        Ok(())
    };
    simulation.capture(&CaptureOptions::default(), Box::new(count));
    simulation.trace(Box::new(|traced| *packets.borrow_mut() = traced));
    simulation.list_connections(Box::new(|listed| *connections.borrow_mut() = listed));
    let step = plan.spec.duration / 7;
    let report = simulation.watch(|state| Some(state.now + step));
    assert!(captured.get() > 0, "every capture has a header");
    let report = report.expect("nobody stops it");
    (report, packets.into_inner(), connections.into_inner())
}

/// A report as text, for comparison: the `NaN` of a batch without observations equals no other.
fn told(report: &Report) -> String {
    let Report {
        scalars,
        batches,
        distributions,
        series,
        warnings,
        events: _,
    } = report;
    format!("{scalars:#?} {batches:?} {distributions:?} {series:?} {warnings:?}")
}

fn laws(plan: &Plan, report: &Report, from_start: bool) {
    assert_limited(report);
    without_loss(plan, report);
    let drops_earlier = !from_start && drops_accepted_units(plan);
    let mut by_scope: BTreeMap<&Scope, BTreeMap<&str, f64>> = BTreeMap::new();
    for scalar in &report.scalars {
        bounds(scalar, from_start, drops_earlier);
        let metrics = by_scope.entry(&scalar.scope).or_default();
        metrics.insert(scalar.metric.name, scalar.value);
    }
    trimmed(&by_scope, from_start);
    for (scope, metrics) in by_scope {
        if metrics.contains_key("useful_share") {
            whole(
                scope,
                "the capacity",
                SHARES
                    .iter()
                    .chain(&OF_LINKS)
                    .filter_map(|part| metrics.get(part)),
            );
        }
        let limits = metrics
            .iter()
            .filter(|(name, _)| name.starts_with("limited_by_"));
        // Each connection that comes and goes has limits of its own.
        if matches!(scope, Scope::Flow(_)) && !metrics.contains_key("arrivals") {
            whole(scope, "the time", limits.map(|(_, share)| share));
        }
        if let (Some(mean), Some(max)) = (metrics.get("mean_queue"), metrics.get("max_queue")) {
            assert!(
                mean <= max,
                "{scope}: a mean queue of {mean}, at most {max}"
            );
        }
    }
}

/// Asserts that trimmed packets were sent on, were dropped or went back, that those of the outputs add up
/// to those of the network, and that no more arrive than were sent on.
fn trimmed(by_scope: &BTreeMap<&Scope, BTreeMap<&str, f64>>, from_start: bool) {
    let sum = |wanted: &str, is_of: fn(&Scope) -> bool| -> f64 {
        let scopes = by_scope.iter().filter(|(scope, _)| is_of(scope));
        scopes.filter_map(|(_, metrics)| metrics.get(wanted)).sum()
    };
    let of_ports = |wanted: &str| sum(wanted, |scope| matches!(scope, Scope::Port(_)));
    for wanted in [
        "packets_trimmed",
        "trimmed_sent",
        "trimmed_dropped",
        "packets_returned",
    ] {
        let of_network = sum(wanted, |scope| matches!(scope, Scope::Network));
        assert!((of_ports(wanted) - of_network).abs() < 1e-6, "{wanted}");
    }
    let [all, sent, dropped] = ["packets_trimmed", "trimmed_sent", "trimmed_dropped"].map(of_ports);
    let here = all - sent - dropped;
    let returned = of_ports("packets_returned");
    assert!(
        (-1e-6..returned + 1e-6).contains(&here),
        "{all} trimmed packets"
    );
    let arrived = sum("trimmed_arrived", |scope| matches!(scope, Scope::Flow(_)));
    assert!(
        arrived <= sent || !from_start,
        "{arrived} of {sent} arrive trimmed"
    );
}

/// Asserts that headroom of the default size holds all that arrives while no pause frame is lost, and
/// that then no output that drops only what does not fit drops a packet that is paused, or has credits,
/// instead.
fn without_loss(plan: &Plan, report: &Report) {
    let kept = |hop: Hop, flow: usize| {
        if let Some(terms) = plan.links.packet_credit(hop) {
            let priority = plan.flow_spec(flow).priority;
            return terms.priorities.has(priority).then_some(());
        }
        let PauseSpec::Pfc(pfc) = plan.link_spec(hop.link()).pause.as_ref()?;
        let computed = pfc.headroom.is_none() && plan.links.pause(hop).is_some();
        (computed && pfc.paused().has(plan.flow_spec(flow).priority)).then_some(())
    };
    for (number, flow) in plan.paths.flows.iter().enumerate() {
        if flow.has_several_paths() {
            continue;
        }
        let back: Vec<Hop> = flow.path.iter().rev().map(|hop| hop.back()).collect();
        for pair in flow.path.windows(2).chain(back.windows(2)) {
            let (node, place) = (plan.topology.head(pair[0]), Place::before(plan, pair[1]));
            if kept(pair[0], number).is_none() {
                continue;
            }
            let scope = format!("drop {} at {place}", plan.flow_name(number));
            let dropped = |cause| report.value(&scope, cause).unwrap_or(0.0);
            let link = plan.link_spec(pair[0].link());
            let loses_pauses = link.loss.is_some() || link.outages.is_some();
            assert!(loses_pauses || dropped("headroom") <= 0.0, "{scope}");
            if drops_only_what_does_not_fit(plan, node) {
                assert!(dropped("overflow") <= 0.0, "{scope}");
            }
        }
    }
}

/// True if a router drops a packet only if it does not fit.
fn drops_only_what_does_not_fit(plan: &Plan, node: usize) -> bool {
    let name = plan.node_name(node);
    let spec = &plan.spec;
    let mut routers = spec
        .router
        .iter()
        .map(|(name, router)| (name, &router.discard));
    let mut switches = spec
        .switch
        .iter()
        .map(|(name, switch)| (name, &switch.discard));
    let policy = routers.find(|(one, _)| *one == name);
    let policy = policy.or_else(|| switches.find(|(one, _)| *one == name));
    policy.is_some_and(|(_, policy)| policy.kind() == "tail_drop")
}

/// True if an output may drop units that it has accepted. Some of them may have been accepted before
/// the measured time, so more may be dropped in this time than are offered in it.
fn drops_accepted_units(plan: &Plan) -> bool {
    let spec = &plan.spec;
    let of_switches = spec.switch.0.iter().map(|(_, switch)| &switch.discard);
    let of_routers = spec.router.0.iter().map(|(_, router)| &router.discard);
    let of_edges = spec.edge.0.iter().map(|(_, edge)| &edge.discard);
    of_switches.chain(of_routers).chain(of_edges).any(|policy| {
        let built = policy.build(&Buffer::of_cells(100, CellFormat::ATM.octets(), 1));
        policy.pushes_out() || built.decides_at_departure() || built.makes_room().is_some()
    })
}

/// Asserts that shares add up to one.
fn whole<'a>(scope: &Scope, what: &str, shares: impl Iterator<Item = &'a f64>) {
    let sum: f64 = shares.sum();
    assert!(
        (sum - 1.0).abs() < ROUNDED,
        "{scope}: the shares of {what} add up to {sum}"
    );
}

/// Asserts that a number is finite, and a share between 0 and 1. `drops_earlier` is true if units that
/// were accepted before the measured time may be dropped in it.
fn bounds(scalar: &Scalar, from_start: bool, drops_earlier: bool) {
    let Scalar { metric, value, .. } = scalar;
    let (name, unit) = (metric.name, metric.unit);
    assert!(value.is_finite(), "{scalar:?}");
    // More units may have been in transit at the start of the measured time than at its end.
    let may_be_negative = name == "underway_share";
    assert!(
        may_be_negative || *value >= -WHOLE_PICOSECONDS,
        "{scalar:?}"
    );
    // Units sent before the measured time may arrive within it, and a lost cell is counted when
    // its transmission begins; `underway_share` compensates for both.
    let with_warm_up = ["efficiency", "useful_share"].contains(&name) && !from_start;
    let is_carried_over = SHARES.contains(&name) || OF_LINKS.contains(&name) || with_warm_up;
    let is_of_drops = drops_earlier && name.ends_with("_loss_ratio");
    let may_exceed_one = is_carried_over || is_of_drops || SENT_AGAIN.contains(&name);
    let is_part = name.ends_with("_share") || name.ends_with("_ratio");
    let is_part = is_part || ["utilization", "efficiency"].contains(&name);
    let is_part = is_part && unit == "1";
    assert!(
        may_exceed_one || !is_part || *value <= 1.0 + WHOLE_PICOSECONDS,
        "{scalar:?}"
    );
}
