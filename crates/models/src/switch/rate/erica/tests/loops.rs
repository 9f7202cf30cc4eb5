//! The steady rates of a control loop of one output and its sources.

use kernel::Duration;
use parameters::Fraction;

use super::erica;
use crate::switch::rate::erica::looped::{Looped, LoopedSource};
use crate::switch::rate::erica::target::utilization::Utilization;
use crate::switch::rate::erica::*;

/// Sources at an output whose target is the whole link; averaging intervals last 5 ms, and feedback
/// takes 1 ms.
fn looped(change: impl FnOnce(&mut Erica), sources: &[LoopedSource]) -> Looped {
    let erica = erica(|erica| {
        erica.interval = Duration::from_ms(5);
        erica.one_feedback_per_interval = true;
        change(erica);
    });
    Looped::new(&erica, sources, Duration::from_ms(1))
}

/// Allowed rates of the sources after 0.8 s.
fn settled(change: impl FnOnce(&mut Erica), sources: &[LoopedSource]) -> Vec<f64> {
    looped(change, sources).run(0.8)
}

fn assert_close(rates: &[f64], expected: &[f64], share: f64) {
    assert_eq!(rates.len(), expected.len());
    for (rate, expected) in rates.iter().zip(expected) {
        let is_close = (rate - expected).abs() <= share * expected;
        assert!(is_close, "{rates:?} are not {expected:?}");
    }
}

fn without_delta(erica: &mut Erica) {
    let delta = Fraction(0.0);
    erica.max_alloc = Some(MaxAlloc { delta });
}

#[test]
fn three_sources_reach_equal_rates_from_any_start() {
    for starts in [[1.0, 1.0, 1.0], [140.0, 5.0, 5.0], [60.0, 80.0, 0.5]] {
        let rates = settled(|_| {}, &starts.map(LoopedSource::at));
        assert_close(&rates, &[49.92; 3], 0.005);
    }
}

#[test]
fn other_sources_slow_down_for_a_source_that_comes_and_goes() {
    let mut sources = [LoopedSource::at(10.0); 3];
    sources[1].active = [0.4, 0.8];
    let mut looped = looped(|_| {}, &sources);
    for (until, expected) in [(0.4, 74.88), (0.8, 49.92), (1.2, 74.88)] {
        let rates = looped.run(until);
        assert_close(&[rates[0], rates[2]], &[expected; 2], 0.005);
    }
}

#[test]
fn rates_are_minima_and_equal_shares_of_the_rest() {
    let sources = [10.0, 30.0, 50.0].map(|mcr| LoopedSource::at(mcr).mcr(mcr));
    let fair = |erica: &mut Erica| erica.fairness = Fairness::McrPlusEqualShare;
    assert_close(&settled(fair, &sources), &[29.92, 49.92, 69.92], 0.005);
    // With the criterion `maximum`, minimum cell rates matter only where they exceed an equal
    // share.
    assert_close(&settled(|_| {}, &sources), &[49.92, 49.92, 50.0], 0.005);
}

#[test]
fn the_rest_of_a_slow_source_goes_to_the_others_equally_with_max_alloc() {
    let sources = [
        LoopedSource::at(10.0).limited(10.0),
        LoopedSource::at(100.0),
        LoopedSource::at(20.0),
    ];
    let measured = |erica: &mut Erica| erica.per_vc_rate = true;
    let rates = settled(measured, &sources);
    // Once the load factor is one, every source keeps its rate, above the fair share of a third.
    assert!(rates[1] > rates[2] + 5.0, "{rates:?}");
    assert!((rates[1] + rates[2] - 139.76).abs() < 1.0, "{rates:?}");
    let rates = settled(
        |erica| {
            measured(erica);
            without_delta(erica);
        },
        &sources,
    );
    assert_close(&rates[1..], &[69.88; 2], 0.005);
}

#[test]
fn the_rest_of_a_slow_source_is_shared_beyond_minima_too() {
    let sources = [
        LoopedSource::at(10.0).mcr(10.0).limited(10.0),
        LoopedSource::at(30.0).mcr(30.0),
        LoopedSource::at(50.0).mcr(50.0),
    ];
    let rates = |max_alloc, per_vc_rate| {
        let rates = settled(
            |erica| {
                erica.fairness = Fairness::McrPlusEqualShare;
                erica.per_vc_rate = per_vc_rate;
                erica.max_alloc = max_alloc;
            },
            &sources,
        );
        [rates[1], rates[2]]
    };
    let delta = Fraction(0.0);
    assert_close(
        &rates(Some(MaxAlloc { delta }), true),
        &[59.88, 79.88],
        0.005,
    );
    assert_close(
        &rates(Some(MaxAlloc { delta }), false),
        &[59.88, 79.88],
        0.005,
    );
    // The slow source reports a current rate (CCR) higher than it sends; ERICA divides the reported
    // rate by the load factor, like the rates of other sources.
    let [one, other] = rates(None, false);
    assert!(one > 61.0 && other < 78.5, "{one} {other}");
}

/// Mean rates, from the third second on, of sources that share 100 Mbit/s under ERICA with
/// `max_alloc`: without overload, each VC gets at least the largest rate given in the last
/// interval. `delay` is the feedback delay in milliseconds.
fn shares_of_100(sources: &[LoopedSource], delay: u64) -> Vec<f64> {
    let erica = erica(|erica| {
        erica.target = TargetSpec::Utilization(Utilization(Fraction(100.0 / 149.76)));
        erica.one_feedback_per_interval = true;
        erica.per_vc_rate = true;
        without_delta(erica);
    });
    let mut looped = Looped::new(&erica, sources, Duration::from_ms(delay));
    let mut sums = vec![0.0; sources.len()];
    for ms in 3000..4000 {
        let rates = looped.run(1e-3 * f64::from(ms));
        for (sum, rate) in sums.iter_mut().zip(rates) {
            *sum += rate;
        }
    }
    sums.iter().map(|sum| sum / 1000.0).collect()
}

#[test]
fn no_other_vc_gets_a_rate_that_only_a_minimum_justifies() {
    let slow = LoopedSource::at(10.0).limited(10.0);
    let promised = |mcr: f64| LoopedSource::at(mcr).mcr(mcr);
    for delay in [1, 10, 30] {
        for start in [10.0, 90.0] {
            // Max-min fairness beyond the minima: the equal share of 90 Mbit/s is less than the
            // minimum.
            let rates = shares_of_100(&[slow, LoopedSource::at(start), promised(50.0)], delay);
            assert_close(&rates[1..], &[40.0, 50.0], 0.003);
            // The equal share exceeds the minimum cell rate, so the minimum changes nothing.
            let rates = shares_of_100(&[slow, LoopedSource::at(start), promised(40.0)], delay);
            assert_close(&rates[1..], &[45.0, 45.0], 0.003);
        }
        // A source with a minimum cell rate also takes capacity that no other source can use.
        let rates = shares_of_100(&[slow, slow, promised(50.0)], delay);
        assert_close(&rates[2..], &[80.0], 0.003);
    }
}

#[test]
fn feedback_that_changes_within_an_interval_is_heeded_again_and_again() {
    let sources = [
        LoopedSource::at(10.0).limited(10.0),
        LoopedSource::at(69.88),
        LoopedSource::at(69.88),
    ];
    let spread = |once| {
        let mut looped = looped(|erica| erica.one_feedback_per_interval = once, &sources);
        let rates: Vec<f64> = (600..700)
            .map(|ms| looped.run(1e-3 * f64::from(ms))[1])
            .collect();
        rates.iter().fold(0.0, |most: f64, rate| most.max(*rate))
            - rates.iter().fold(1e9, |least: f64, rate| least.min(*rate))
    };
    assert!(spread(true) < 1.0, "{}", spread(true));
    assert!(spread(false) > 20.0, "{}", spread(false));
}
