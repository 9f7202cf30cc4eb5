//! Switches with queues at their inputs against the exact results of theory: cells of Bernoulli
//! processes, which a slotted switch carries or does not.

use std::fmt::Write;

use crate::common::{is_soak, run};
use scenario::report::Report;

/// Probability of a cell in a slot, by input and output.
type Loads = Vec<Vec<f64>>;

/// A switch in which in each slot an input may get one cell, for an output that is drawn with the
/// probabilities of its row. A slot is a microsecond.
fn switch(fabric: &str, loads: &Loads, warm_up: u64, slots: u64) -> String {
    let mut text = format!(
        r#"
duration = "{} us"
warm_up = "{warm_up} us"
[host.output]
count = {}
[switch.s]
fabric.{fabric}
buffer.per_output = "1000000 cells"
[link.out]
between = ["s", "output"]
rate = "424 Mbit/s"
"#,
        warm_up + slots,
        loads[0].len(),
    );
    for (input, row) in loads.iter().enumerate() {
        write!(
            text,
            "[host.i{input}]\n[link.i{input}]\nbetween = [\"i{input}\", \"s\"]\nrate = \"424 Mbit/s\"\n"
        )
        .expect("a text takes all");
        let mut from = 0.0;
        for (output, load) in row.iter().enumerate() {
            write!(
                text,
                "[flow.f{input}to{output}]\nfrom = \"i{input}\"\nto = \"output[{output}]\"\n\
                 transport.datagram = {{ packet = \"40 B\", header = \"0 B\" }}\n\
                 source.bernoulli = {{ length.constant = \"1 cell\", slot = \"1 us\", \
                 probability = \"{:.9} %\", from = \"{:.9} %\" }}\n",
                // Rounded down: together the flows of a host must not exceed its link.
                (load * 1e11).floor() / 1e9,
                (from * 1e11_f64).floor() / 1e9,
            )
            .expect("a text takes all");
            from += load;
        }
    }
    text
}

/// The same load from every input to every output, `load` in all at each.
fn uniform(ports: usize, load: f64) -> Loads {
    vec![vec![load / ports as f64; ports]; ports]
}

/// Mean and half-width of the 99 % confidence interval of the mean, from eight independent runs.
fn interval(measure: impl Fn(u64) -> f64) -> (f64, f64) {
    let samples: Vec<f64> = (0..8).map(measure).collect();
    let mean = samples.iter().sum::<f64>() / 8.0;
    let squares = samples.iter().map(|sample| (sample - mean).powi(2));
    // Student's t for 7 degrees of freedom and 99 %.
    (mean, 3.499 * (squares.sum::<f64>() / 7.0 / 8.0).sqrt())
}

/// Mean over the outputs of a metric.
fn over_outputs(report: &Report, outputs: usize, metric: &str) -> f64 {
    let values = (0..outputs).map(|output| {
        let port = format!("port s->output[{output}]");
        report.value(&port, metric).expect("every output has cells")
    });
    values.sum::<f64>() / outputs as f64
}

/// Asserts that the interval of a throughput holds the exact value, and that its half-width is at
/// most 0.2 % of that.
fn assert_carries(fabric: &str, loads: &Loads, (warm_up, slots): (u64, u64), exact: f64) {
    let text = switch(fabric, loads, warm_up, slots);
    let outputs = loads[0].len();
    let (mean, half_width) =
        interval(|replication| over_outputs(&run(&text, &[], replication), outputs, "utilization"));
    println!("{fabric}, {outputs} outputs: {mean:.5} +- {half_width:.5} for {exact:.5}");
    assert!(
        (mean - exact).abs() <= half_width && half_width <= 0.002 * exact,
        "{fabric}, {outputs} outputs: {mean} +- {half_width} for {exact}"
    );
}

const FIFO: &str = "slotted = { speedup = 1, order = \"random\" }";

#[test]
fn first_in_first_out_inputs_carry_what_head_of_line_blocking_leaves() {
    // Table I of Karol, Hluchyj and Morgan, "Input Versus Output Queueing on a Space-Division Packet
    // Switch", 1987, and for four inputs the exact 325/496 of its Markov chain.
    let table = [
        (2, 0.75),
        (3, 0.6825),
        (4, 325.0 / 496.0),
        (5, 0.6399),
        (6, 0.63015),
        (7, 0.6234),
        (8, 0.6184),
    ];
    let rows = if is_soak() { &table[..] } else { &table[..1] };
    for (ports, exact) in rows {
        let slots = if is_soak() { 200_000 } else { 40_000 };
        assert_carries(FIFO, &uniform(*ports, 1.0), (1_000, slots), *exact);
    }
}

#[test]
fn one_iteration_of_parallel_iterative_matching_carries_the_share_of_its_formula() {
    let fabric = "virtual_output_queues = { matching.pim.iterations = 1 }";
    for ports in [2, 4, 16] {
        // All queues have cells after the warm-up, as the formula supposes.
        let exact = 1.0 - (1.0 - 1.0 / ports as f64).powi(ports);
        let slots = if is_soak() { 100_000 } else { 8_000 };
        let loads = uniform(ports as usize, 1.0);
        assert_carries(fabric, &loads, (4_000, slots), exact);
    }
}

#[test]
fn every_output_is_busy_under_uniform_load() {
    for matching in [
        "islip.iterations = 1",
        "islip.iterations = 4",
        "wavefront = {}",
        "maximum_weight = {}",
        "maximum_weight.weight = \"oldest_cell\"",
        "maximum_size = {}",
    ] {
        let fabric = format!("virtual_output_queues = {{ matching.{matching} }}");
        let slots = if is_soak() { 100_000 } else { 10_000 };
        let text = switch(&fabric, &uniform(8, 1.0), 20_000, slots);
        let carried = over_outputs(&run(&text, &[], 0), 8, "utilization");
        println!("{matching}: {carried}");
        assert!(carried >= 0.999, "{matching}: {carried}");
    }
}
