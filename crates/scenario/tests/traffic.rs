//! Traffic sources in a network: the load that they offer, and their cost in events.

use crate::common::{assert_close, by_every_runner, plan, run, seed, ten_tcp};
use kernel::{OnDemand, Runner, Time};

/// The background of Ajmone Marsan et al.: Poisson messages of 20 cells in the mean and 200 at
/// most, shaped at 1.2 times their load.
const BACKGROUND: &str = r#"
duration = "20 s"
[host.background]
[host.sink]
[switch.s1]
buffer.per_output = "1000 cells"
discard.early_packet = { threshold = "50 %" }
[link.in]
between = ["background", "s1"]
rate = "150 Mbit/s"
[link.out]
between = ["s1", "sink"]
rate = "150 Mbit/s"
[flow.background]
from = "background"
to = "sink"
source.poisson = { length.geometric = { mean = "20 cells", max = "200 cells" }, load = "60 Mbit/s" }
transport.datagram = { packet = "9592 B", header = "0 B" }
over.vbr = { peak = "72 Mbit/s" }
"#;

#[test]
fn the_goodput_of_the_network_is_that_of_all_flows() {
    let report = run(BACKGROUND, &[("duration", "100 ms")], 0);
    let value = |scope, metric| report.value(scope, metric);
    let goodput = value("network", "goodput").unwrap();
    assert!(goodput > 30e6, "{goodput}");
    assert_eq!(Some(goodput), value("flow background", "goodput"));
    assert_eq!(value("network", "greedy_goodput"), None);
    let shares = ["useful_share", "greedy_useful_share"];
    let [useful, of_greedy] = shares.map(|share| value("port s1->sink", share).unwrap());
    assert!(useful > 0.2 && of_greedy == 0.0, "{useful} {of_greedy}");
}

#[test]
fn the_goodput_of_greedy_flows_is_told_where_others_are_not() {
    let report = run(&ten_tcp(), &[("duration", "0.5 s")], 0);
    let value = |metric| report.value("network", metric).unwrap();
    let of_flow = |flow: &str| report.value(&format!("flow {flow}"), "goodput").unwrap();
    let bulk: f64 = (0..10)
        .map(|number| of_flow(&format!("bulk[{number}]")))
        .sum();
    assert_close(value("greedy_goodput"), bulk, 1e-12, "greedy flows");
    assert_close(
        value("goodput"),
        bulk + of_flow("telnet"),
        1e-12,
        "all flows",
    );
    let of_port = |metric| report.value("port s1->receiver", metric).unwrap();
    let parts = of_port("greedy_useful_share") + of_port("padding_share");
    assert_close(
        value("effective_throughput"),
        parts,
        1e-12,
        "the bottleneck",
    );
}

#[test]
fn the_goodput_of_no_data_is_zero_and_not_below() {
    let settings = [("duration", "1 us")];
    let goodput = run(BACKGROUND, &settings, 0)
        .value("network", "goodput")
        .unwrap();
    assert_eq!(goodput.to_bits(), 0.0_f64.to_bits(), "{goodput}");
}

#[test]
fn a_background_loads_the_link_as_much_as_it_says() {
    for (load, peak) in [
        (20.0, "24 Mbit/s"),
        (60.0, "72 Mbit/s"),
        (120.0, "144 Mbit/s"),
    ] {
        let settings = [
            (
                "flow.background.source.poisson.load",
                format!("{load} Mbit/s"),
            ),
            ("flow.background.over.vbr.peak", peak.into()),
            ("duration", "4 s".into()),
        ];
        let settings: Vec<(&str, &str)> = settings
            .iter()
            .map(|(path, value)| (*path, &**value))
            .collect();
        let report = run(BACKGROUND, &settings, 0);
        let value = |metric| report.value("port s1->sink", metric).expect(metric);
        let carried = value("utilization") * 150.0;
        // The relative error of the load, from the number of messages in 4 s and the variation of
        // their lengths; 27.909 is the square root of the second moment of the lengths.
        let messages: f64 = load * 1e6 * 4.0 / (20.0 * 424.0);
        let error = 27.909 / 20.0 / messages.sqrt();
        assert!(
            (carried / load - 1.0).abs() < 4.0 * error,
            "{carried} of {load}"
        );
        assert!(value("cell_loss_ratio") == 0.0);
    }
}

#[test]
fn a_background_of_a_million_cells_takes_no_memory_and_allocates_nothing() {
    let plan = plan(BACKGROUND, &[]);
    let mut network = plan.network(seed(0));
    let mut runner = OnDemand::default();
    let at = |ms: u64| Time::from_ps(ms * 1_000_000_000);
    // The shaper's queue of messages reaches its maximum at an unpredictable time.
    runner.run(&mut network, at(7_000));
    let counted = allocation_counter::measure(|| runner.run(&mut network, at(15_000)));
    // 1.1 million cells in 57,000 messages; a few allocations may extend a queue of record length.
    assert!(
        counted.count_total <= 4,
        "{} allocations",
        counted.count_total
    );
}

#[test]
fn a_cell_of_the_background_costs_what_one_at_a_constant_rate_does_and_an_act_a_message() {
    let cost = |text: &str, settings: &[(&str, &str)]| {
        let events = run(text, settings, 0).events;
        (events.heap_operations + events.visits) as f64 / events.cell_hops as f64
    };
    let background = cost(BACKGROUND, &[("duration", "1 s")]);
    // The cost per cell does not grow with the duration.
    let long = cost(BACKGROUND, &[("duration", "10 s")]);
    assert!(
        (long / background - 1.0).abs() < 0.02,
        "{background}, then {long}"
    );
    // Packets of 20 cells at a constant rate.
    let constant = cost(
        BACKGROUND,
        &[
            ("duration", "1 s"),
            ("flow.background.source.constant_rate.rate", "56 Mbit/s"),
            ("flow.background.transport.datagram.packet", "952 B"),
        ],
    );
    // One more event for each message that waits at the shaper: one for each 20 cells.
    let one_more = 1.0 / 20.0;
    assert!(
        background < constant + one_more,
        "{background} against {constant} acts a cell"
    );
}

#[test]
fn a_source_that_writes_more_than_its_host_sends_is_warned_of_once() {
    let fast = [
        ("flow.web.source", "{}"),
        ("flow.web.source.constant_rate.rate", "11 Mbit/s"),
    ];
    let warned = "flow web: the source writes `11.458334 Mbit/s` on the wire, and link `near` \
                  carries `10 Mbit/s`; write at most `\"9.6 Mbit/s\"`, or send over a faster link";
    assert_eq!(run(SERVER, &fast, 0).warnings[0].to_string(), warned);
    assert_eq!(run(SERVER, &fast, 0).warnings.len(), 1);
    let group = [
        ("host.server.count", "3"),
        ("host.client.count", "3"),
        ("duration", "1 s"),
    ];
    let warnings = run(SERVER, &[&fast[..], &group].concat(), 0).warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let slower = [fast[0], ("flow.web.source.constant_rate.rate", "9 Mbit/s")];
    assert!(run(SERVER, &slower, 0).warnings.is_empty());
}

/// A server and a client 1 ms apart, over packets.
const SERVER: &str = r#"
duration = "10 s"
[host.server]
[host.client]
[router.r1]
buffer.per_output = "1 MB"
[link.near]
between = ["server", "r1"]
rate = "10 Mbit/s"
delay = "0.5 ms"
[link.far]
between = ["r1", "client"]
rate = "10 Mbit/s"
delay = "0.5 ms"
[flow.web]
from = "server"
to = "client"
source.request_response = { response.constant = "960 B", think = "7.36 ms" }
transport.tcp = { packet = "1000 B", acknowledgment = "40 B", acknowledge.every = {} }
over.packet = {}
"#;

#[test]
fn a_response_takes_a_round_trip_and_the_next_waits_for_it() {
    let report = run(SERVER, &[("warm_up", "1 s")], 0);
    let value = |metric| report.value("flow web", metric).expect(metric);
    // Transmission and propagation on two links: 0.8 + 0.5 ms forward, 0.032 + 0.5 ms back.
    for metric in ["mean", "max"] {
        let metric = format!("{metric}_completion_time");
        let time = report.value("flow web", &metric).expect("a time");
        assert!((time - 3.664e-3).abs() < 1e-9, "{metric}: {time}");
    }
    assert!((value("median_completion_time") / 3.664e-3 - 1.0).abs() < 0.01);
    // One response every 11.024 ms, in 9 s.
    assert!((value("messages") - 9.0 / 11.024e-3).abs() <= 1.0);
    assert!((value("goodput") / (960.0 * 8.0 / 11.024e-3) - 1.0).abs() < 0.002);
}

#[test]
fn files_arrive_whole_one_after_another_whatever_is_lost() {
    for (transport, parameters) in [
        ("flow.web.transport.tcp", "{ packet = \"1000 B\" }"),
        (
            "flow.web.transport.xtp",
            "{ packet = \"1000 B\", rate = \"5 Mbit/s\" }",
        ),
    ] {
        let settings = [
            (transport, parameters),
            (
                "flow.web.source.files",
                "{ length.listed = [\"100 kB\", \"1 B\", \"30 kB\"], count = 5 }",
            ),
            ("link.far.loss.packet", "2 %"),
            ("duration", "60 s"),
        ];
        let report = run(SERVER, &settings, 0);
        let value = |metric| report.value("flow web", metric).expect(metric);
        assert!((value("messages") - 5.0).abs() < 0.5, "{transport}");
        assert!((value("goodput") * 60.0 / 8.0 - 230_002.0).abs() < 0.5);
        assert!(value("max_completion_time") > 100e3 * 8.0 / 10e6);
    }
}

/// Messages of random lengths in a shaped and in an unshaped VC, beside a TCP connection.
const MESSAGES: &str = r#"
duration = "40 ms"
[host.sender]
count = 2
[host.background]
count = 2
[host.sink]
[switch.s1]
buffer.per_output = "100 cells"
discard.early_packet = { threshold = "50 %" }
[link.in]
between = ["sender", "s1"]
rate = "150 Mbit/s"
delay = "20 us"
[link.beside]
between = ["background", "s1"]
rate = "150 Mbit/s"
[link.out]
between = ["s1", "sink"]
rate = "50 Mbit/s"
delay = "50 us"
[flow.bulk]
from = "sender[0]"
to = "sink"
transport.tcp = { packet = "1500 B", timers.bsd = { tick = "0.1 ms" } }
[flow.files]
from = "sender[1]"
to = "sink"
source.files = { length.listed = ["1 B", "20 kB"] }
transport.tcp = { packet = "1500 B", timers.bsd = { tick = "0.1 ms" } }
[flow.shaped]
from = "background[0]"
to = "sink"
source.poisson = { length.geometric = { mean = "20 cells", max = "200 cells" }, load = "10 Mbit/s" }
transport.datagram = { packet = "9592 B", header = "0 B" }
over.vbr = { peak = "12 Mbit/s" }
[flow.unshaped]
from = "background[1]"
to = "sink"
source.poisson = { length.listed = ["3 cells", "30 cells"], load = "10 Mbit/s" }
transport.datagram = { packet = "1500 B" }
"#;

#[test]
fn messages_are_the_same_under_every_runner() {
    let plan = plan(MESSAGES, &[]);
    by_every_runner(&plan);
    // Asserts that cells are conserved.
    run(MESSAGES, &[], 0);
}
