//! Thresholds that follow the free memory: nothing is lost, and inputs hold what the rule gives them.

use super::{CHAIN, dropped};
use crate::common::{by_every_runner, cases, plan, run, scenario, value};
use crate::lossless::datagrams;
use crate::priorities::assert_sums;
use proptest::prelude::*;
use scenario::report::Report;

/// A star of senders to one sink, with pauses `pfc` on all their links.
fn star(senders: usize, memory: &str, pfc: &str) -> String {
    format!(
        "duration = \"3 ms\"\n[host.sender]\ncount = {senders}\n[host.sink]\n\
         [router.r]\nbuffer.shared.size = \"{memory}\"\n\
         [link.access]\nbetween = [\"sender\", \"r\"]\nrate = \"10 Gbit/s\"\npause.pfc = {pfc}\n\
         [link.exit]\nbetween = [\"r\", \"sink\"]\nrate = \"1 Gbit/s\"\n\
         [flow.f]\nfrom = \"sender\"\nto = \"sink\"\nover.packet = {{}}\n\
         source.constant_rate = {{ rate = \"9 Gbit/s\" }}\n\
         transport.datagram = {{ packet = \"1000 B\", header = \"0 B\" }}\n"
    )
}

/// A chain whose routers have one memory each, with dynamic thresholds on all links that are paused.
fn dynamic(dynamic: &str) -> String {
    let chain = CHAIN.replace("buffer.per_output", "buffer.shared.size");
    chain.replace("pfc = {}", &format!("pfc.dynamic = {dynamic}"))
}

/// Octets that an input alone may hold, and octets that inputs share, as `check` tells them.
fn told(text: &str) -> [f64; 2] {
    let computed = scenario(text, &[]).plan().computed();
    let (_, told) = computed
        .iter()
        .find(|(at, _)| at == "link.access.pause.pfc.dynamic")
        .expect("a computed threshold");
    let numbers = told.split(' ').filter_map(|word| word.parse().ok());
    let numbers: Vec<f64> = numbers.collect();
    numbers.try_into().expect("two numbers")
}

/// Octets that wait for the sink at most.
fn most(report: &Report) -> f64 {
    value(report, "port r->sink", "max_queue_octets")
}

#[test]
fn inputs_hold_their_multiple_of_what_they_leave_free() {
    // With N inputs and alpha = 2^n, each holds alpha P / (1 + N alpha) of P octets, and then what
    // arrives until it has stopped, which is less than 3 packets here.
    for senders in [1, 2, 5] {
        for power in [-4, -1, 0, 2] {
            let pfc = format!(
                "{{ headroom = \"100 kB\", response = \"100 ns\", dynamic.power = {power} }}"
            );
            let text = star(senders, "1 MB", &pfc);
            let report = run(&text, &[], 0);
            assert!(dropped(&report) <= 0.0);
            let [alone, pool] = told(&text);
            let (alpha, senders) = (f64::from(power).exp2(), senders as f64);
            assert!((alone - pool * alpha / (1.0 + alpha)).abs() < 1.0);
            let expected = pool * senders * alpha / (1.0 + senders * alpha);
            let found = most(&report);
            assert!(
                found > expected - 2_000.0 && found < expected + senders * 3_000.0,
                "{senders} senders, 2^{power}: {found}, not {expected}"
            );
        }
    }
}

#[test]
fn reserved_memory_is_held_beside_the_share() {
    let held = |more: &str| {
        let pfc = format!(
            "{{ headroom = \"100 kB\", response = \"100 ns\", dynamic = {{ power = -7{more} }} }}"
        );
        most(&run(&star(2, "1 MB", &pfc), &[], 0))
    };
    // Of what both share, each takes a 130th. The other packets have a third of all that is not
    // reserved.
    let (without, with) = (held(""), held(", reserved = \"100 kB\""));
    let expected = 200_000.0 - 200_000.0 * (2.0 / 3.0) * (2.0 / 130.0);
    assert!(
        (with - without - expected).abs() < 3_000.0,
        "{without} {with}"
    );
}

#[test]
fn xon_is_the_larger_of_the_two_levels() {
    let frames = |xon: &str| {
        let pfc = format!("{{ headroom = \"100 kB\", response = \"100 ns\", {xon} }}");
        let report = run(&star(1, "1 MB", &pfc), &[("duration", "20 ms")], 0);
        assert!(dropped(&report) <= 0.0);
        value(&report, "link sender[0]->r", "pause_frames")
    };
    // The input holds 225 kB of 450 kB alone. It is drained to 150 kB, which is half of the 300 kB that
    // are free then, or to another level, and filled again.
    let half = frames("dynamic = {}");
    let level = frames("xon = \"200 kB\", dynamic = {}");
    let lower = frames("xon = \"200 kB\", dynamic = { xon_offset = \"400 kB\" }");
    let offset = frames("xon = \"50 kB\", dynamic = { xon_offset = \"10 kB\" }");
    assert!(
        half > 10.0 && (level / half - 3.0).abs() < 0.4,
        "{half} {level}"
    );
    assert!((lower - level).abs() < 0.5, "{level} {lower}");
    // Free are 10 kB less than twice what it holds, so it is resumed 5 kB below: a fifth of 25 kB.
    assert!((offset / level - 5.0).abs() < 1.0, "{level} {offset}");
}

#[test]
fn an_input_whose_headroom_is_not_free_is_not_resumed() {
    // Both inputs together hold all of the shared memory, and each alone less than `xon`.
    let pfc = "{ xon = \"500 kB\", dynamic.power = 7 }";
    let report = run(&star(2, "1 MB", pfc), &[], 0);
    let used = value(&report, "link sender[0]->r", "max_headroom");
    assert!(dropped(&report) <= 0.0 && used > 1_000.0, "{used}");
    let pool = told(&star(2, "1 MB", pfc))[1];
    assert!(most(&report) > 0.95 * pool);
}

#[test]
fn a_chain_of_dynamic_thresholds_loses_nothing_and_all_runners_agree() {
    for power in [-8, -2, 0, 7] {
        let text = dynamic(&format!("{{ power = {power} }}"));
        for ties in ["in_order", "random"] {
            let settings = [("router.r1.ties", ties), ("router.r2.ties", ties)];
            let settings = [&settings[..], &[("router.r1.buffer.shared.size", "2 MB")]].concat();
            let settings = [&settings[..], &[("router.r2.buffer.shared.size", "2 MB")]].concat();
            let report = by_every_runner(&plan(&text, &settings));
            assert!(dropped(&report) <= 0.0);
            assert!(value(&report, "link r1->r2", "pause_frames") > 1.0);
            // With 2^-8 an input holds no more than a few packets.
            let idle = value(&report, "port r2->sink", "idle_share");
            assert!(power == -8 || idle < 0.05, "2^{power}: {idle}");
        }
    }
}

#[test]
fn packets_that_are_dropped_take_no_memory_from_dynamic_thresholds() {
    let text = dynamic("{}").replace(
        "pfc.dynamic = {}",
        "pfc = { dynamic = {}, priorities = [3] }",
    );
    let report = run(&text, &[("flow.left.priority", "3")], 0);
    assert!(dropped(&report) > 0.1, "the other flow is dropped");
    let drops = report.scalars.iter().map(|one| one.scope.to_string());
    assert!(drops.filter(|scope| scope.starts_with("drop left")).count() == 0);
    // It waits with up to half of as much memory as the other flow has, so it gets a third of the link.
    let found = value(&report, "flow left", "goodput");
    assert!((found / 5e9 - 1.0 / 3.0).abs() < 0.05, "{found}");
}

#[test]
fn check_tells_what_an_input_alone_may_hold() {
    let text = star(3, "1 MB", "{ headroom = \"100 kB\", dynamic.power = 1 }");
    // Three quarters of the 700 kB that the headrooms leave, and the rest for other packets; and of
    // these, two thirds.
    assert_eq!(told(&text).map(|one| one as u64), [350_000, 525_000]);
}

/// Pauses with a dynamic threshold, or a static one, of packets of up to 4000 octets.
fn pauses() -> impl Strategy<Value = String> {
    let size = |most: u32| prop::option::weighted(0.4, 1..most);
    let level = |name: &str, size: Option<u32>| {
        size.map_or(String::new(), |size| format!("{name} = \"{size} B\", "))
    };
    let threshold = prop_oneof![
        3 => (-5..8_i32, size(20_000), size(30_000)).prop_map(move |(power, reserved, offset)| {
            let more = level("reserved", reserved) + &level("xon_offset", offset);
            format!("dynamic = {{ {more}power = {power} }}")
        }),
        1 => (1..20_000_u32).prop_map(|xoff| format!("xoff = \"{xoff} B\"")),
    ];
    (threshold, size(5_000), 0_u32..4000).prop_map(move |(threshold, xon, response)| {
        // A static threshold may be below `xon`, which is refused.
        let xon = xon.filter(|_| threshold.starts_with("dynamic"));
        format!(
            "{{ {}response = \"{response} ns\", {threshold} }}",
            level("xon", xon)
        )
    })
}

proptest! {
    #![proptest_config(cases(12))]

    /// Whatever inputs hold and however much is free, no packet is dropped, every packet arrives, and
    /// every runner agrees.
    #[test]
    fn static_and_dynamic_thresholds_lose_no_packet(
        writes in prop::collection::vec(
            prop::collection::vec((0_u64..3000, 41_u64..3960), 1..200), 4,
        ),
        links in prop::collection::vec(pauses(), 4),
        cell in prop::option::of(64_u32..200),
        exit in 3_u32..20,
        memory in 1000_u32..2000,
        ties in any::<bool>(),
    ) {
        let mut parts = vec![format!(
            "duration = \"100 ms\"\n[host.sink]\n[router.r]\nbuffer.shared.size = \"{memory} kB\"\n\
             [router.s]\nbuffer.shared.size = \"{memory} kB\"\n[link.trunk]\n\
             between = [\"r\", \"s\"]\nrate = \"4 Gbit/s\"\ndelay = \"1 us\"\n"
        )];
        parts.push(format!("pause.pfc = {}\n", links[3]));
        parts.push(format!(
            "[link.exit]\nbetween = [\"s\", \"sink\"]\nrate = \"{exit}00 Mbit/s\"\n"
        ));
        for (number, (writes, router)) in writes.iter().zip(["r", "r", "s", "r"]).enumerate() {
            let (host, link) = (format!("h{number}"), &links[number % 3]);
            parts.push(format!(
                "[host.{host}]\n[link.l{number}]\nbetween = [\"{host}\", \"{router}\"]\n\
                 rate = \"10 Gbit/s\"\ndelay = \"200 ns\"\npause.pfc = {link}\n"
            ));
            let priority = format!("priority = {}", number / 2);
            parts.push(datagrams(&format!("f{number}"), [&host, "sink"], &priority, writes));
        }
        let mut settings = Vec::new();
        if ties {
            settings.push(("router.s.ties".to_string(), "random".to_string()));
        }
        if let Some(cell) = cell {
            settings.push(("router.r.memory.cell".to_string(), format!("{cell} B")));
        }
        let settings: Vec<(&str, &str)> = settings.iter().map(|(at, value)| (&**at, &**value)).collect();
        let plan = plan(&parts.concat(), &settings);
        let report = by_every_runner(&plan);
        prop_assert!(dropped(&report) <= 0.0);
        for (number, writes) in writes.iter().enumerate() {
            let received = report.value(&format!("flow f{number}"), "packets_delivered");
            prop_assert_eq!(received, Some(writes.len() as f64));
            if number != 2 {
                assert_sums(&report, &format!("h{number}->r"));
            }
        }
        assert_sums(&report, "h2->s");
        assert_sums(&report, "r->s");
    }
}
