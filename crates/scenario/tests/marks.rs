//! Congestion marks of a switch, and the reaction of senders.

use crate::common::run;

const SCENARIO: &str = r#"
duration = "2 s"
warm_up = "0.5 s"
[host.sender]
count = 2
[host.sink]
[switch.s1]
buffer.per_output = "20000 cells"
mark.threshold = { above = "65 cells" }
[link.access]
between = ["sender", "s1"]
rate = "622 Mbit/s"
delay = "20 us"
[link.exit]
between = ["s1", "sink"]
rate = "155 Mbit/s"
delay = "1 ms"
[flow.f]
from = "sender"
to = "sink"
[flow.f.transport.tcp]
window = "256 KiB"
"#;

/// Effective throughput and mean queue with a congestion control and a way to echo marks.
fn outcome(congestion: &str, ecn: &str) -> (f64, f64) {
    let settings = [
        ("flow.f.transport.tcp.congestion", congestion),
        ("flow.f.transport.tcp.ecn", ecn),
    ];
    let report = run(SCENARIO, &settings, 0);
    let value = |scope: &str, metric: &str| report.value(scope, metric).expect("a value");
    assert!(
        value("port s1->sink", "cell_loss_ratio") == 0.0,
        "the buffer holds both windows"
    );
    (
        value("network", "effective_throughput"),
        value("port s1->sink", "mean_queue"),
    )
}

/// The threshold is below a seventh of the bandwidth-delay product, the least that keeps a link
/// busy (Alizadeh et al., "Data Center TCP", SIGCOMM 2010, section 3.4).
#[test]
fn dctcp_keeps_the_link_busy_with_a_queue_around_the_threshold() {
    let (throughput, queue) = outcome("{ dctcp = {} }", "exact");
    assert!(throughput > 0.94, "{throughput}");
    assert!((30.0..80.0).contains(&queue), "{queue}");
}

/// The threshold is far below the bandwidth-delay product of 770 cells: a window that is halved
/// empties the queue, and at most a quarter of the link is then lost in each sawtooth.
#[test]
fn reno_halves_at_each_mark_and_leaves_the_link_idle_in_between() {
    let (throughput, queue) = outcome("{ reno = {} }", "classic");
    assert!((0.75..0.93).contains(&throughput), "{throughput}");
    assert!(queue < 65.0, "{queue}");
}

#[test]
fn without_echo_marks_change_nothing_and_the_queue_fills() {
    let (throughput, queue) = outcome("{ reno = {} }", "off");
    assert!(throughput > 0.99, "{throughput}");
    assert!(queue > 9000.0, "{queue}");
}
