//! Service classes, end to end: the traffic of sources, and the guarantees of schedulers.

use crate::common::{assert_close, run, value};

/// Transmission time of a cell on the links of these scenarios, in seconds.
const CELL: f64 = 424.0 / 155.52e6;

/// An on-off source (a square wave) beside a constant rate; each packet is one cell.
const WAVE: &str = r#"
duration = "122 ms"
warm_up = "2 ms"
record.every = "10 us"
[host.video]
[host.data]
[host.sink]
count = 2
[switch.s1]
scheduler.strict_priority = {}
buffer.per_class = { rt_vbr = "100 cells", ubr = "10000 cells" }
[switch.s2]
buffer.per_output = "1000 cells"
[link.access]
between = ["video", "s1"]
rate = "155.52 Mbit/s"
[link.other]
between = ["data", "s1"]
rate = "155.52 Mbit/s"
[link.trunk]
between = ["s1", "s2"]
rate = "155.52 Mbit/s"
[link.exit]
between = ["s2", "sink"]
rate = "155.52 Mbit/s"
[flow.video]
from = "video"
to = "sink[0]"
source.on_off = { on = "10 ms", off = "30 ms", start = "2 ms" }
transport.datagram = { packet = "40 B", header = "0 B" }
over.vbr = { peak = "124.416 Mbit/s" }
[flow.data]
from = "data"
to = "sink[1]"
source.constant_rate = { rate = "58.68679 Mbit/s" }
transport.datagram = { packet = "40 B", header = "0 B" }
"#;

#[test]
fn a_square_wave_has_its_duty_and_amplitude() {
    let report = run(WAVE, &[], 0);
    // The wave is on for 1/4 of the time at 4/5 of the link rate; the other source sends at 1/2.
    let video = value(&report, "class rt_vbr at s1->s2", "utilization");
    assert_close(video, 0.2, 1e-3, "load of the wave");
    let data = value(&report, "class ubr at s1->s2", "utilization");
    assert_close(data, 0.5, 1e-3, "constant load");
    let goodput = value(&report, "flow video", "goodput");
    assert_close(goodput, 0.2 * 155.52e6 * 40.0 / 53.0, 1e-3, "goodput");
}

#[test]
fn behind_a_square_wave_the_queue_is_a_triangle() {
    let report = run(WAVE, &[], 0);
    // For 10 ms cells arrive at 1/2 + 4/5 of the link rate, so the queue grows at 3/10 of it.
    let longest = 0.3 * 0.01 / CELL;
    let max = value(&report, "class ubr at s1->s2", "max_queue");
    assert_close(max, longest, 5e-3, "longest queue");
    // Afterwards the queue drains at half the link rate. It is above zero during 16 of every
    // 40 ms.
    let mean = value(&report, "class ubr at s1->s2", "mean_queue");
    assert_close(mean, longest * 0.4 / 2.0, 1e-2, "mean queue");
    // The longest wait is that of a UBR cell that arrives 4 ms after the wave began: UBR is
    // served at 1/5 of the link rate until the wave ends 6 ms later, and the cell leaves then.
    let wait = value(&report, "class ubr at s1->s2", "max_wait");
    assert_close(wait, 6e-3, 1e-3, "longest wait");
    // A cell of the wave has priority, and waits only for the cell in transmission.
    assert!(value(&report, "class rt_vbr at s1->s2", "max_wait") <= CELL);
    let series = &report.series["class ubr at s1->s2"]["queue"];
    let at = |seconds: f64| series.values()[(seconds / 1e-5).round() as usize];
    assert_close(at(0.047), longest / 2.0, 2e-2, "queue half-way up");
    assert!(at(0.041) <= 1.0);
}

/// A port that is offered 4/5 of its capacity or more by each of five classes.
const OVERLOAD: &str = r#"
duration = "0.25 s"
warm_up = "50 ms"
[host.source]
count = 5
[host.sink]
[switch.s1]
buffer.per_class = { cbr = "64 cells", rt_vbr = "64 cells", nrt_vbr = "1000 cells", abr = "1000 cells", ubr = "1000 cells" }
[switch.s1.scheduler.multiclass]
cbr.share = "10 %"
rt_vbr.share = "20 %"
nrt_vbr.share = "25 %"
abr.share = "30 %"
ubr.share = "5 %"
[link.access]
between = ["source", "s1"]
rate = "155.52 Mbit/s"
[link.exit]
between = ["s1", "sink"]
rate = "155.52 Mbit/s"
[flow.cbr]
from = "source[0]"
to = "sink"
source.constant_rate = {}
transport.datagram = { packet = "1000 B" }
over.cbr = { rate = "124 Mbit/s" }
[flow.rt_vbr]
from = "source[1]"
to = "sink"
source.constant_rate = {}
transport.datagram = { packet = "1000 B" }
over.vbr = { peak = "155.52 Mbit/s" }
[flow.nrt_vbr]
from = "source[2]"
to = "sink"
source.constant_rate = {}
transport.datagram = { packet = "1000 B" }
over.vbr = { peak = "155.52 Mbit/s", realtime = false }
[flow.abr]
from = "source[3]"
to = "sink"
source.constant_rate = { rate = "100 Mbit/s" }
transport.datagram = { packet = "1000 B" }
over.abr = {}
[flow.ubr]
from = "source[4]"
to = "sink"
source.constant_rate = { rate = "120 Mbit/s" }
transport.datagram = { packet = "1000 B" }
"#;

fn shares(settings: &[(&str, &str)]) -> [f64; 5] {
    let report = run(OVERLOAD, settings, 0);
    ["cbr", "rt_vbr", "nrt_vbr", "abr", "ubr"].map(|class| {
        let scope = format!("class {class} at s1->sink");
        value(&report, &scope, "utilization")
    })
}

#[test]
fn under_overload_every_class_has_its_guarantee_within_one_percent() {
    // Capacity that is guaranteed to no class goes to the first class that is not greedy.
    for (class, (share, promised)) in shares(&[])
        .into_iter()
        .zip([0.2, 0.2, 0.25, 0.3, 0.05])
        .enumerate()
    {
        assert_close(share, promised, 0.01, &format!("class {class}"));
    }
}

#[test]
fn what_is_left_is_shared_by_weight_among_greedy_classes() {
    // CBR sends within its share; rt-VBR and nrt-VBR have no share, and use little of what ABR and
    // UBR leave.
    let settings = [
        ("flow.cbr.over.cbr.rate", "12.4416 Mbit/s"),
        ("flow.rt_vbr.over.vbr.peak", "7.776 Mbit/s"),
        ("flow.nrt_vbr.over.vbr.peak", "7.776 Mbit/s"),
        ("switch.s1.scheduler.multiclass.abr.weight", "3"),
    ];
    // The first three classes use 18 % of the link. ABR and UBR have shares of 35 %; of the
    // remaining 47 %, ABR gets three quarters.
    let expected = [0.08, 0.05, 0.05, 0.3 + 0.47 * 0.75, 0.05 + 0.47 * 0.25];
    for (class, (share, expected)) in shares(&settings).into_iter().zip(expected).enumerate() {
        assert_close(share, expected, 0.01, &format!("class {class}"));
    }
}

#[test]
fn by_strict_priority_the_last_classes_starve() {
    let settings = [("switch.s1.scheduler.strict_priority", "{}")];
    let [cbr, rt_vbr, nrt_vbr, abr, ubr] = shares(&settings);
    assert_close(cbr, 124.0 / 155.52, 0.01, "CBR");
    assert_close(cbr + rt_vbr, 1.0, 0.001, "CBR and rt-VBR");
    assert!(nrt_vbr + abr + ubr < 0.001);
}

#[test]
fn a_class_within_its_share_loses_nothing_and_hardly_waits() {
    let settings = [("flow.cbr.over.cbr.rate", "12.4416 Mbit/s")];
    let report = run(OVERLOAD, &settings, 0);
    let scope = "class cbr at s1->sink";
    assert!(value(&report, scope, "cell_loss_ratio") < f64::EPSILON);
    // A cell waits for the cell in transmission, and until the share of its class allows it.
    assert!(value(&report, scope, "max_wait") < 12.0 * CELL);
    assert!(value(&report, "class ubr at s1->sink", "cell_loss_ratio") > 0.9);
}

/// Five greedy TCP connections over ABR; rt-VBR and UBR flows alone would fill the port.
const CONTROLLED: &str = r#"
duration = "1.2 s"
warm_up = "0.2 s"
[host.source]
count = 5
[host.camera]
[host.archive]
[host.sink]
[switch.s1]
buffer.per_class = { rt_vbr = "100 cells", abr = "1000000 cells", ubr = "5000 cells" }
[switch.s1.scheduler.multiclass]
rt_vbr.share = "25 %"
abr.share = "40 %"
ubr.share = "35 %"
[switch.s1.rate.erica]
target.queue.delay = "1 ms"
one_feedback_per_interval = true
[link.access]
between = ["source", "s1"]
rate = "155.52 Mbit/s"
delay = "100 km"
[link.studio]
between = ["camera", "s1"]
rate = "155.52 Mbit/s"
[link.office]
between = ["archive", "s1"]
rate = "155.52 Mbit/s"
[link.exit]
between = ["s1", "sink"]
rate = "155.52 Mbit/s"
delay = "100 km"
[flow.bulk]
from = "source"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "9180 B", window = "4 MiB" }
over.abr = { rif = "100 %", icr = "5 Mbit/s" }
[flow.film]
from = "camera"
to = "sink"
source.constant_rate = {}
transport.datagram = { packet = "1000 B" }
over.vbr = { peak = "100 Mbit/s" }
[flow.backup]
from = "archive"
to = "sink"
source.constant_rate = { rate = "120 Mbit/s" }
transport.datagram = { packet = "1000 B" }
"#;

/// Utilization of rt-VBR, ABR and UBR, and the longest queue of ABR.
fn controlled(settings: &[(&str, &str)]) -> ([f64; 3], f64) {
    let report = run(CONTROLLED, settings, 0);
    let scope = |class| format!("class {class} at s1->sink");
    let shares = ["rt_vbr", "abr", "ubr"].map(|c| value(&report, &scope(c), "utilization"));
    (shares, value(&report, &scope("abr"), "max_queue"))
}

#[test]
fn rates_are_allocated_of_what_a_share_comes_to() {
    let (shares, queue) = controlled(&[]);
    for (share, promised) in shares.into_iter().zip([0.25, 0.4, 0.35]) {
        assert_close(share, promised, 0.01, "share");
    }
    // Twice the target queue: 1 ms at 40 % of the link rate is 147 cells.
    assert!(queue < 300.0, "{queue}");
    // With a target utilization of 90 % of the share, only the initial burst queues.
    let target = "switch.s1.rate.erica.target";
    let (shares, queue) = controlled(&[(target, "{ utilization = \"90 %\" }")]);
    assert_close(shares[1], 0.9 * 0.4, 0.02, "share of ABR");
    assert!(queue < 2000.0, "{queue}");
}

#[test]
fn what_waits_of_a_class_with_a_share_takes_its_part_too() {
    // The UBR flow sends bursts, which take three times as long to leave as to arrive.
    let settings = [
        (
            "flow.backup.source.on_off",
            "{ on = \"20 ms\", off = \"60 ms\", rate = \"140 Mbit/s\" }",
        ),
        ("flow.film.over.vbr.peak", "10 Mbit/s"),
        ("switch.s1.buffer.per_class.ubr", "100000 cells"),
        ("switch.s1.scheduler.multiclass.rt_vbr.share", "10 %"),
        ("switch.s1.scheduler.multiclass.ubr.share", "20 %"),
    ];
    let ([_, abr, ubr], queue) = controlled(&settings);
    assert_close(abr + ubr, 1.0 - 10.0 / 155.52, 0.01, "the rest of the link");
    // If the allocator counted arrivals but not the UBR queue, 2000 ABR cells would wait.
    assert!(queue < 900.0, "{queue}");
}
