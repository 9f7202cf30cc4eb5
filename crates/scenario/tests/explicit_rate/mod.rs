//! Rates that switches allocate, in whole networks.

mod queues;
mod shares;

use crate::common::run;
use scenario::report::Report;

/// Greedy TCPs over ABR from hosts of their own, through two switches of which the first is the
/// bottleneck.
const LAN: &str = r#"
duration = "1 s"
[host.source]
count = 3
[host.sink]
count = 3
[switch.s1]
buffer.per_output = "1000000 cells"
[switch.s1.rate.erica]
interval = "5 ms"
one_feedback_per_interval = true
[switch.s2]
buffer.per_output = "1000000 cells"
[link.access]
between = ["source", "s1"]
rate = "149.76 Mbit/s"
delay = "100 km"
[link.trunk]
between = ["s1", "s2"]
rate = "149.76 Mbit/s"
delay = "1 km"
[link.exit]
between = ["s2", "sink"]
rate = "149.76 Mbit/s"
delay = "1 km"
[flow.bulk]
from = "source"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "9180 B", window = "2 MiB", initial_window = 200 }
over.abr = { icr = "10 Mbit/s", icr_cap = "off", rif = "100 %", reverse = "ideal" }
[record]
every = "1 ms"
"#;

/// Five greedy TCP connections beside a film (an on-off flow) that takes 80 % of the link while on.
const FILM: &str = r#"
duration = "1 s"
[host.source]
count = 5
[host.video]
[host.sink]
[switch.s1]
buffer.per_output = "1000000 cells"
scheduler.strict_priority = {}
[switch.s1.rate.erica]
target.utilization = "70 %"
cells = 100
one_feedback_per_interval = true
[link.access]
between = ["source", "s1"]
rate = "155.52 Mbit/s"
delay = "1 km"
[link.studio]
between = ["video", "s1"]
rate = "155.52 Mbit/s"
delay = "1 km"
[link.exit]
between = ["s1", "sink"]
rate = "155.52 Mbit/s"
delay = "1000 km"
[flow.bulk]
from = "source"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "552 B", window = "1 MiB" }
over.abr = { icr = "10 Mbit/s", icr_cap = "off", rif = "100 %", reverse = "ideal", encapsulation = "8 B" }
[flow.film]
from = "video"
to = "sink"
source.on_off = { on = "7 ms", off = "7 ms", start = "2 ms" }
transport.datagram = {}
over.vbr = { peak = "124.416 Mbit/s" }
[record]
every = "1 ms"
"#;

/// Values of a series from `from` seconds on, which is sampled every millisecond.
fn from(report: &Report, scope: &str, quantity: &str, from: f64) -> Vec<f64> {
    let series = &report.series[scope][quantity];
    series.values()[(from * 1e3).round() as usize..].to_vec()
}

fn assert_close(found: &[f64], expected: &[f64], share: f64) {
    assert_eq!(found.len(), expected.len());
    for (one, other) in found.iter().zip(expected) {
        let is_close = (one - other).abs() <= share * other;
        assert!(is_close, "{found:?} are not {expected:?}");
    }
}

#[test]
fn goodput_is_the_target_less_rm_cells_and_headers() {
    for (target, share) in [("90 %", 0.90), ("95 %", 0.95)] {
        let settings = [
            ("host.source.count", "10"),
            ("host.sink.count", "10"),
            ("link.trunk.rate", "155.52 Mbit/s"),
            ("link.access.rate", "155.52 Mbit/s"),
            ("link.access.delay", "1 km"),
            ("link.exit.rate", "155.52 Mbit/s"),
            ("switch.s1.rate.erica.target.utilization", target),
            ("switch.s1.rate.erica.interval", "1 ms"),
            ("flow.bulk.transport.tcp.packet", "552 B"),
            ("flow.bulk.transport.tcp.window", "64 KiB"),
            ("flow.bulk.over.abr.encapsulation", "8 B"),
            ("warm_up", "0.3 s"),
        ];
        let report = run(LAN, &settings, 0);
        let goodput = report.value("network", "goodput").unwrap();
        // One cell in 32 is an RM cell, and 12 data cells carry 512 octets of user data.
        let law = share * 155.52e6 * 31.0 / 32.0 * 512.0 / 636.0;
        assert_close(&[goodput], &[law], 0.003);
    }
}

#[test]
fn a_stopped_source_restarts_only_with_out_of_rate_rm_cells() {
    let goodput = |settings: &[(&str, &str)]| {
        let report = run(FILM, settings, 0);
        report.value("network", "greedy_goodput").unwrap() / 1e6
    };
    // While the VBR source `film` sends, no capacity is left, and every ABR source is given a rate
    // of zero. A stopped source still sends RM cells at TCR: at 10 cells/s it soon gets a new
    // rate; at one cell in 424 s it does not.
    let told = goodput(&[]);
    assert!(told > 10.0, "{told}");
    let never = goodput(&[("flow.bulk.over.abr.tcr", "1 bit/s")]);
    assert!(never < 0.2, "{never}");
    // RM cells at 10 a second coincide with every fifth period of this film, and always find it
    // on.
    let in_step = goodput(&[
        ("flow.film.source.on_off.on", "10 ms"),
        ("flow.film.source.on_off.off", "10 ms"),
    ]);
    assert!(in_step < 0.2, "{in_step}");
    // A minimum cell rate (MCR) keeps the sources sending.
    let minimum = goodput(&[
        ("flow.bulk.over.abr.mcr", "1 Mbit/s"),
        ("flow.bulk.over.abr.tcr", "1 bit/s"),
    ]);
    assert!(minimum > 10.0, "{minimum}");
}

/// The parameters that each preset fills in, written out.
const WRITTEN: [(&str, &str); 3] = [
    (
        "tcp_over_abr_1996",
        "target.utilization = \"90 %\", interval = \"1 ms\", cells = 100, fair_share_first = true, \
         one_feedback_per_interval = true",
    ),
    (
        "kalyanaraman_1997",
        "target.utilization = \"90 %\", interval = \"1 ms\", cells = 100, fair_share_first = true, \
         one_feedback_per_interval = true, averaging.cells.alpha = \"20 %\", \
         max_alloc.delta = \"10 %\", bidirectional_counting = true, decay_count.decay = \"90 %\"",
    ),
    (
        "erica_plus",
        "target.queue = { delay = \"0.5 ms\", curve.hyperbolic = { a = 1.15, b = 1.05 } }, \
         interval = \"1 ms\", cells = 100, fair_share_first = true, \
         one_feedback_per_interval = true",
    ),
];

#[test]
fn a_preset_is_what_is_written_out() {
    let at = "switch.s1.rate.erica";
    let sources = [
        "{ preset = \"tcp_over_abr_1996\", tbe = 1024 }",
        "{ encapsulation = \"8 B\", icr = \"10 Mbit/s\", icr_cap = \"off\", rif = \"100 %\", \
         rdf = \"0.1953125 %\", tbe = 1024, cdf = \"50 %\" }",
    ];
    let mut reports = Vec::new();
    for (preset, written) in WRITTEN {
        let switches = [
            format!("{{ preset = \"{preset}\" }}"),
            format!("{{ {written} }}"),
        ];
        let [named, written] = [0, 1].map(|way| {
            let settings = [
                ("duration", "0.2 s"),
                (at, switches[way].as_str()),
                ("flow.bulk.over.abr", sources[way]),
            ];
            run(LAN, &settings, 0)
        });
        assert_eq!(named, written, "{preset}");
        reports.push(named);
    }
    assert!(reports[0] != reports[1] && reports[1] != reports[2]);
}
