//! Every runner gives the results of the stepwise runner, with the models of the simulator.

mod choices;
mod settings;

use kernel::{OnDemand, Windows};
use proptest::prelude::*;

use crate::common::{CROSSING, by_every_runner, plan, report, specified, ten_tcp};
use choices::{carried, choices};
use settings::{RATES, Setting, TIES, fabrics};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_runner_reports_what_the_stepwise_runner_reports(
        settings in choices(),
        reversed in any::<bool>(),
        recorded in any::<bool>(),
    ) {
        let mut settings = settings;
        if recorded {
            settings.push(("record.every", "0.7 ms"));
        }
        let plan = plan(CROSSING, &settings);
        let nodes = plan.topology.nodes.len();
        let order = reversed.then(|| (0..nodes).rev().collect());
        let expected = specified(&plan);
        let windows = report(&plan, &mut Windows { order, ..Windows::default() });
        prop_assert_eq!(&windows, &expected);
        let on_demand = report(&plan, &mut OnDemand::default());
        prop_assert_eq!(&on_demand, &expected);
    }
}

/// A VBR flow in the direction of the ABR flows.
const BESIDE: Setting = (
    "flow.beside",
    "{ from = \"left\", to = \"right\", transport.tcp = {}, over.vbr.peak = \"20 Mbit/s\" }",
);

/// Push-out without tagged cells must equal tail drop, although it commits cells later.
#[test]
fn where_nothing_is_tagged_push_out_is_tail_drop() {
    let (fabrics, buffer) = (fabrics(), "30 cells");
    for (over, rate, buffer) in [
        ("ubr", RATES[0], buffer),
        // A cell that starts as it comes leaves the only place to the next.
        ("ubr", RATES[0], "1 cell"),
        ("abr", RATES[2], buffer),
        ("abr", RATES[3], buffer),
        ("abr beside vbr", RATES[1], buffer),
    ] {
        let each = fabrics.iter();
        for (fabric, ties) in each.flat_map(|fabric| TIES.iter().map(move |ties| (fabric, ties))) {
            let [pushing_out, tail_drop] = ["push_out", "tail_drop"].map(|policy| {
                let discard = format!("switch.west.discard.{policy}");
                let mut settings = vec![
                    *fabric,
                    *ties,
                    (&*discard, "{}"),
                    ("switch.west.buffer.per_output", buffer),
                    ("switch.west.mark.threshold.above", "30 %"),
                    rate,
                ];
                settings.extend(carried(over));
                if over == "abr beside vbr" {
                    // Cells of both classes wait at one output.
                    settings.push(BESIDE);
                }
                report(&plan(CROSSING, &settings), &mut OnDemand::default())
            });
            assert_eq!(
                pushing_out, tail_drop,
                "{over}, {rate:?}, {buffer}, {fabric:?}, {ties:?}"
            );
        }
    }
}

#[test]
fn the_first_study_is_the_same_stepwise() {
    let plan = plan(&ten_tcp(), &[("duration", "50 ms")]);
    by_every_runner(&plan);
}
