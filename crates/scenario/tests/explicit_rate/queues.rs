//! Queues under explicit rates and marks, and losses if the buffer is too small.

use super::{LAN, from};
use crate::common::run;

#[test]
fn a_hundred_sources_that_begin_at_the_rate_of_the_link_lose_what_the_buffer_does_not_hold() {
    let at_once = |buffer: &str, exposed: &str| {
        let settings = [
            ("duration", "0.1 s"),
            ("host.source.count", "100"),
            ("host.sink.count", "100"),
            ("switch.s1.buffer.per_output", buffer),
            ("flow.bulk.over.abr.icr", "149.76 Mbit/s"),
            ("flow.bulk.over.abr.icr_cap", "tbe_frtt"),
            ("flow.bulk.over.abr.tbe", exposed),
        ];
        let report = run(LAN, &settings, 0);
        ["cell_loss_ratio", "max_queue"].map(|name| report.value("port s1->s2", name).unwrap())
    };
    let [lost, queue] = at_once("400000 cells", "16777215");
    assert!(lost < f64::EPSILON && queue > 300_000.0, "{lost} {queue}");
    let [lost, queue] = at_once("400000 cells", "32");
    assert!(lost < f64::EPSILON && queue < 150_000.0, "{lost} {queue}");
    // RM cells are lost too, so the sources do not learn that they must slow down.
    let [lost, queue] = at_once("1000 cells", "16777215");
    assert!(lost > 0.9 && queue <= 1000.0, "{lost} {queue}");
}

/// Mean and standard deviation of the queue after one second.
fn queue(curve: (&str, &str)) -> (f64, f64) {
    let settings = [
        ("duration", "2 s"),
        ("switch.s1.rate.erica.target.queue.delay", "0.5 ms"),
        curve,
    ];
    let report = run(LAN, &settings, 0);
    let queue = from(&report, "port s1->s2", "queue", 1.0);
    let count = queue.len() as f64;
    let mean = queue.iter().sum::<f64>() / count;
    let variance = queue
        .iter()
        .map(|cells| (cells - mean).powi(2))
        .sum::<f64>()
        / count;
    (mean, variance.sqrt())
}

#[test]
fn steps_keep_the_queue_oscillating_and_curves_hold_it_where_it_is_wanted() {
    let at = "switch.s1.rate.erica.target.queue.curve";
    let curve = |kind: &str, parameters: &str| queue((&format!("{at}.{kind}"), parameters));
    // Vandalore et al., IC3N 1998: a standard deviation of hundreds of cells with steps, and of
    // less than one with each of the others.
    for steps in ["{ a = 0.9, b = 1.05 }", "{ a = 0.95, b = 1.01 }"] {
        let (_, deviation) = curve("step", steps);
        assert!(deviation > 20.0, "{steps}: {deviation}");
    }
    for kind in ["linear", "hyperbolic", "inverse_hyperbolic"] {
        let (mean, deviation) = curve(kind, "{}");
        // The target delay of 0.5 ms at 149.76 Mbit/s, in cells.
        assert!((mean - 176.6).abs() < 2.0, "{kind}: {mean}");
        assert!(deviation < 1.0, "{kind}: {deviation}");
    }
}

#[test]
fn a_long_queue_slows_sources_down_by_one_bit() {
    let report = |rate: (&str, &str)| {
        let settings = [
            ("flow.bulk.over.abr.rif", "0.1 %"),
            ("flow.bulk.over.abr.rdf", "0.5 %"),
            ("flow.bulk.over.abr.icr_cap", "off"),
            ("warm_up", "0.5 s"),
            rate,
        ];
        let text = LAN.replace(
            "[switch.s1.rate.erica]\ninterval = \"5 ms\"\none_feedback_per_interval = true\n",
            "",
        );
        run(&text, &settings, 0)
    };
    let port = "port s1->s2";
    let thresholds = "{ high = \"400 cells\", low = \"200 cells\" }";
    for kind in ["efci", "binary"] {
        let report = report((&format!("switch.s1.rate.{kind}"), thresholds));
        let value = |metric| report.value(port, metric);
        let (queue, used) = (value("max_queue").unwrap(), value("utilization").unwrap());
        assert!(queue < 4000.0 && used > 0.9, "{kind}: {queue} {used}");
        assert_eq!(value("marked_share").is_some(), kind == "efci");
        let fairness = report.value("network", "fairness_index").unwrap();
        assert!(fairness > 0.99, "{kind}: {fairness}");
    }
}
