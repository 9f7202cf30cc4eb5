//! Switches with queues at their inputs against the exact results of theory: cells of Bernoulli
//! processes, which a slotted switch carries or does not.

use std::fmt::Write;

use crate::common::{is_soak, run};
use scenario::report::Report;

/// Probability of a cell in a slot, by input and output.
pub type Loads = Vec<Vec<f64>>;

/// A switch in which in each slot an input may get one cell, for an output that is drawn with the
/// probabilities of its row. A slot is a microsecond.
pub fn switch(fabric: &str, loads: &Loads, warm_up: u64, slots: u64) -> String {
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
pub fn uniform(ports: usize, load: f64) -> Loads {
    vec![vec![load / ports as f64; ports]; ports]
}

/// Mean and half-width of the 99 % confidence interval of the mean, from eight independent runs.
pub fn interval(measure: impl Fn(u64) -> f64) -> (f64, f64) {
    let samples: Vec<f64> = (0..8).map(measure).collect();
    let mean = samples.iter().sum::<f64>() / 8.0;
    let squares = samples.iter().map(|sample| (sample - mean).powi(2));
    // Student's t for 7 degrees of freedom and 99 %.
    (mean, 3.499 * (squares.sum::<f64>() / 7.0 / 8.0).sqrt())
}

/// Mean over the outputs of a metric.
pub fn over_outputs(report: &Report, outputs: usize, metric: &str) -> f64 {
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
    for (ports, slots) in [(2, 80_000), (4, 40_000), (16, 12_000)] {
        let exact = 1.0 - (1.0 - 1.0 / f64::from(ports)).powi(ports);
        let slots = if is_soak() { 10 * slots } else { slots };
        let loads = uniform(ports as usize, 1.0);
        // All queues have cells after the warm-up, as the formula supposes.
        assert_carries(fabric, &loads, (4_000, slots), exact);
    }
}

#[test]
fn no_output_is_idle_while_all_queues_have_cells() {
    for matching in [
        "islip.iterations = 1",
        "islip.iterations = 4",
        "wavefront = {}",
        "maximum_weight = {}",
        "maximum_weight.weight = \"oldest_cell\"",
        "maximum_size = {}",
    ] {
        let fabric =
            format!("virtual_output_queues = {{ matching.{matching}, clock = \"424 Mbit/s\" }}");
        // More cells come than the switch can carry, so all queues grow.
        let text = switch(&fabric, &uniform(8, 1.0), 20_000, 10_000);
        let text = text.replace("slot = \"1 us\"", "slot = \"0.9 us\"");
        let text = text.replace(
            "\"s\"]\nrate = \"424 Mbit/s\"",
            "\"s\"]\nrate = \"848 Mbit/s\"",
        );
        let carried = over_outputs(&run(&text, &[], 0), 8, "utilization");
        assert!(carried >= 0.999, "{matching}: {carried}");
    }
}

/// Cells of an input that arrive in a slot, and the mean number of cells at the inputs.
fn carried(matching: &str, loads: &Loads, input: usize, slots: u64) -> (f64, f64) {
    let fabric = format!("virtual_output_queues = {{ matching.{matching} }}");
    let report = run(&switch(&fabric, loads, 10_000, slots), &[], 0);
    let outputs = 0..loads[0].len();
    let used = outputs.filter(|output| loads[input][*output] > 0.0);
    let delivered = used.map(|output| {
        let flow = format!("flow f{input}to{output}");
        let delivered = report.value(&flow, "packets_delivered");
        delivered.expect("the flow has cells")
    });
    let delivered = delivered.sum::<f64>() / slots as f64;
    let queues = over_outputs(&report, loads[0].len(), "mean_input_queue");
    (delivered, queues)
}

#[test]
fn most_pairs_in_a_slot_do_not_carry_what_the_heaviest_matching_carries() {
    // The example of McKeown, Mekkittikul, Anantharam and Walrand, "Achieving 100% Throughput in an
    // Input-Queued Switch", 1999: no input and no output is overloaded, but where both other inputs
    // have cells, input 0 is left out of one of three matchings of two pairs.
    let each = 0.48;
    let loads = vec![vec![each, each], vec![each, 0.0], vec![0.0, each]];
    let (most_pairs, queues) = carried("maximum_size = {}", &loads, 0, 100_000);
    println!("{most_pairs} {queues}");
    assert!(most_pairs < 1.0 - each * each / 3.0, "{most_pairs}");
    for weight in ["queue_length", "oldest_cell"] {
        let matching = format!("maximum_weight.weight = \"{weight}\"");
        let (heaviest, queues) = carried(&matching, &loads, 0, 100_000);
        println!("{heaviest} {queues}");
        assert!(
            (heaviest - 2.0 * each).abs() < 0.003,
            "{weight}: {heaviest}"
        );
        assert!(queues < 50.0, "{weight}: {queues}");
    }
}

#[test]
fn one_iteration_does_not_carry_a_diagonal_load_that_the_heaviest_matching_carries() {
    // Two thirds of the cells of an input go to one output, and a third goes to the next.
    let (ports, load) = (8, 0.95);
    let mut loads = vec![vec![0.0; ports]; ports];
    for input in 0..ports {
        loads[input][input] = load * 2.0 / 3.0;
        loads[input][(input + 1) % ports] = load / 3.0;
    }
    for (matching, is_stable) in [
        ("islip.iterations = 1", false),
        ("pim.iterations = 1", false),
        ("maximum_weight = {}", true),
        ("maximum_weight.weight = \"oldest_cell\"", true),
    ] {
        let (delivered, queues) = carried(matching, &loads, 3, 40_000);
        println!("{matching}: {delivered} {queues}");
        if is_stable {
            assert!((delivered - load).abs() < 0.005, "{matching}: {delivered}");
            assert!(queues < 100.0, "{matching}: {queues}");
        } else {
            assert!(delivered < 0.95 * load, "{matching}: {delivered}");
        }
    }
}

#[test]
fn as_many_matchings_as_inputs_queue_cells_at_the_outputs_alone() {
    // Karol, Hluchyj and Morgan, 1987: the mean wait is (N - 1)/N * p/(2(1 - p)) slots, and by
    // Little's law the mean queue is p times as long.
    for (ports, load) in [(2, 0.5), (4, 0.5)] {
        let wait = (1.0 - 1.0 / f64::from(ports)) * load / (2.0 * (1.0 - load));
        let exact = wait * load;
        let fabric = format!(
            "virtual_output_queues = {{ matching.maximum_size = {{}}, speedup = {ports} }}"
        );
        let slots = if is_soak() { 10_000_000 } else { 40_000 };
        let text = switch(&fabric, &uniform(ports as usize, load), 1_000, slots);
        let (mean, half_width) = interval(|replication| {
            let report = run(&text, &[], replication);
            let wait = over_outputs(&report, ports as usize, "mean_input_wait");
            assert!(wait.abs() < 1e-12, "{wait}");
            over_outputs(&report, ports as usize, "mean_queue")
        });
        println!("{mean} +- {half_width} for {exact}");
        assert!(
            (mean - exact).abs() <= half_width,
            "{mean} +- {half_width} for {exact}"
        );
        assert!(!is_soak() || half_width <= 0.002 * exact, "{half_width}");
    }
}
