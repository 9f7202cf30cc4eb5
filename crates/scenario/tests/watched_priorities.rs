//! Links whose pauses and credits are watched, by priority.

use crate::common::{plan, run, seed, value};
use kernel::{Duration, Time};
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::watch::{
    CreditStatus, NextPause, PauseStatus, Snapshot, WatchedRun, WatchedStep, controlled_hops,
};

/// A host that sends as fast as its link carries, and faster than the next link does. An
/// octet takes a nanosecond on the first link, which has the flow control `$control`.
macro_rules! line {
    ($control:literal) => {
        concat!(
            r#"duration = "80 us"
[host.a]
[host.b]
[router.r]
buffer.per_output = "1 MB"
[link.in]
between = ["a", "r"]
rate = "8 Gbit/s"
delay = "1 us"
"#,
            $control,
            r#"
[link.out]
between = ["r", "b"]
rate = "800 Mbit/s"
[flow.f]
from = "a"
to = "b"
priority = 3
over.packet = {}
transport.datagram = { packet = "1000 B", header = "0 B" }
source.constant_rate = { rate = "8 Gbit/s" }
"#
        )
    };
}

const PAUSED: &str = line!(
    r#"pause.pfc = { xoff = "5000 B", xon = "2000 B", headroom = "9 kB", response = "100 ns" }"#
);
const CREDITED: &str =
    line!(r#"credit.cbfc = { limit = 60, priorities = [3, 4], cf_min_spacing = "800 B" }"#);
/// Interval between snapshots.
const STEP: Duration = Duration::from_ps(50_000);

/// The report of a run that pauses after each step, and the snapshots.
fn watched(plan: &Plan, every: Duration) -> (Report, Vec<Snapshot>) {
    let mut run = WatchedRun::new(plan, seed(0));
    let mut snapshots = Vec::new();
    let mut until = Time::ZERO + STEP;
    loop {
        if let WatchedStep::Paused(snapshot) = run.advance() {
            snapshots.push(snapshot);
            if run.has_ended() {
                return (run.finish(), snapshots);
            }
            run.go_on(NextPause { until, every });
            until += STEP;
        }
    }
}

/// The instant and the state of the only priority of the only link that is paused.
fn only_pause(snapshot: &Snapshot) -> (Time, PauseStatus) {
    let [status] = snapshot.pauses[..] else {
        panic!("one priority is paused: {:?}", snapshot.pauses);
    };
    (*snapshot.times.last().expect("a reading"), status)
}

#[test]
fn a_priority_is_seen_to_fill_its_headroom_and_to_stop_when_the_frame_has_come() {
    let plan = plan(PAUSED, &[]);
    let (report, snapshots) = watched(&plan, STEP);
    let seen: Vec<_> = snapshots.iter().map(only_pause).collect();
    let first = |is: &dyn Fn(&PauseStatus) -> bool| {
        let found = seen.iter().find(|(_, status)| is(status));
        found.expect("it happens").0
    };
    for (_, status) in &seen {
        let far = status.far;
        assert_eq!((status.hop, status.priority), (0, 3));
        assert_eq!([far.xoff, far.xon, far.headroom], [5000, 2000, 9000]);
        assert_eq!(far.held % 1000, 0);
        assert_eq!(far.beyond, far.held.saturating_sub(5000));
        assert!(far.is_paused || far.held <= 5000);
        assert!(!far.is_paused || far.held > 2000);
    }
    // The frame of 64 octets, with 20 of framing, takes 84 ns and passes the cable, and the host
    // reacts. Meanwhile two packets arrive, one is on the cable, and the next has started.
    let asked = first(&|status| status.far.is_paused);
    let stopped = first(&|status| status.is_stopped);
    let after = stopped.since(asked).ps();
    assert!(after.abs_diff(1_184_000) <= STEP.ps(), "{after}");
    let most = seen.iter().map(|(_, status)| status.far.beyond).max();
    assert_eq!(most, Some(4000));
    assert!(value(&report, "link a->r", "max_headroom") as u64 == 4000);
    // A packet leaves in 10 us, and the host is told as late that it may send again.
    let may_send = |status: &PauseStatus| status.is_stopped && !status.far.is_paused;
    assert!(first(&may_send) > stopped);
    assert_eq!(report.digest(), run(PAUSED, &[], 0).digest());
}

/// Two hosts that share the memory of a router by dynamic thresholds.
fn shared() -> String {
    let pfc = r#"{ headroom = "20 kB", response = "100 ns", dynamic = { power = 0 } }"#;
    format!(
        "duration = \"300 us\"\n[host.sender]\ncount = 2\n[host.sink]\n\
         [router.r]\nbuffer.shared.size = \"200 kB\"\n\
         [link.access]\nbetween = [\"sender\", \"r\"]\nrate = \"10 Gbit/s\"\npause.pfc = {pfc}\n\
         [link.exit]\nbetween = [\"r\", \"sink\"]\nrate = \"5 Gbit/s\"\n\
         [flow.f]\nfrom = \"sender\"\nto = \"sink\"\nover.packet = {{}}\n\
         source.constant_rate = {{ rate = \"4 Gbit/s\" }}\n\
         transport.datagram = {{ packet = \"1000 B\", header = \"0 B\" }}\n"
    )
}

#[test]
fn a_dynamic_threshold_is_that_of_the_memory_that_is_free_now() {
    let plan = plan(&shared(), &[]);
    let (_, snapshots) = watched(&plan, STEP);
    let memory = snapshots[0].pauses[0].far.xoff;
    let mut thresholds = Vec::new();
    for snapshot in &snapshots {
        let taken = |status: &PauseStatus| status.far.held - status.far.beyond;
        let used: u64 = snapshot.pauses.iter().map(taken).sum();
        assert_eq!(snapshot.pauses.len(), 2);
        for status in &snapshot.pauses {
            assert_eq!(status.far.xoff, memory - used);
            assert_eq!(status.far.xon, (memory - used) / 2);
            assert!(status.far.is_paused || status.far.beyond == 0);
        }
        thresholds.push(memory - used);
    }
    thresholds.sort_unstable();
    thresholds.dedup();
    assert!(thresholds.len() > 20, "{thresholds:?}");
    let paused = snapshots.iter().flat_map(|snapshot| &snapshot.pauses);
    assert!(
        paused
            .clone()
            .any(|status| status.far.is_paused && status.is_stopped)
    );
}

#[test]
fn the_credits_of_a_virtual_channel_are_those_of_its_packets() {
    let plan = plan(CREDITED, &[]);
    let (report, snapshots) = watched(&plan, STEP);
    // The priority has no packets in the other direction, which needs credits too.
    let all: Vec<CreditStatus> = snapshots
        .iter()
        .map(|snapshot| {
            let [status, back] = snapshot.credits[..] else {
                panic!(
                    "each direction has a virtual channel: {:?}",
                    snapshot.credits
                );
            };
            assert_eq!((back.hop, back.used, back.left), (1, 0, 60));
            status
        })
        .collect();
    for status in &all {
        assert_eq!((status.hop, status.priority), (0, 3));
        // A packet costs eight credits.
        assert_eq!([status.consumed % 8, status.freed % 8], [0, 0]);
        assert_eq!(status.consumed - status.freed, status.used);
        assert_eq!(status.used + status.left, 60);
    }
    assert!(all.is_sorted_by_key(|status| (status.consumed, status.freed)));
    // Seven packets have their credits at once, and the next one waits.
    let waits = all.iter().filter(|status| status.left == 4).count();
    assert!(waits > all.len() / 2, "{waits}");
    let last = all.last().expect("the end");
    let counted = ["credits_used", "credits_consumed", "credits_freed"];
    let counted = counted.map(|metric| value(&report, "link a->r", metric) as u32);
    assert_eq!([last.used, last.consumed, last.freed], counted);
    assert_eq!(report.digest(), run(CREDITED, &[], 0).digest());
}

#[test]
fn each_direction_of_a_link_with_pauses_or_credits_is_known_by_its_name() {
    let known = |text: &str| {
        let hops = controlled_hops(&plan(text, &[]));
        let known = hops.iter().map(|one| (one.hop, one.place.to_string()));
        known.collect::<Vec<_>>()
    };
    let [to, back] = [(0, "a->r"), (1, "r->a")].map(|(hop, name)| (hop, name.to_string()));
    assert_eq!(known(CREDITED), [to.clone(), back]);
    assert_eq!(known(PAUSED), vec![to]);
    assert_eq!(known(line!("")), []);
}
