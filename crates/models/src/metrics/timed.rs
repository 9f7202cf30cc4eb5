//! Times that are measured one by one, and the metrics of their distribution: quantiles, from the
//! classes of a histogram.

use kernel::Duration;

use super::histogram::Histogram;
use super::metric::{Measurement, Metric};
use super::table::flow;

/// Times that are measured one by one, and kept as a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timed {
    /// Delays of packets.
    Delay,
    /// Completion times of messages.
    CompletionTime,
    /// Slowdowns of connections, as seconds.
    Slowdown,
}

/// A quantile of measured times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantile {
    /// The measured times whose quantile it is.
    pub of: Timed,
    /// Share of the times that are at most as long as the quantile, in thousandths.
    pub thousandths: u64,
}

impl Timed {
    /// The word for these times in names of metrics, such as `delay` in `p99_delay`.
    pub fn word(self) -> &'static str {
        match self {
            Timed::Delay => "delay",
            Timed::CompletionTime => "completion_time",
            Timed::Slowdown => "slowdown",
        }
    }

    /// Metrics of the `times` of a flow, with their values: the number of times, and, unless it is
    /// zero, their mean, their quantiles and the longest time.
    pub fn metrics(self, times: &Histogram) -> Vec<Measurement> {
        let Summary {
            count,
            mean,
            quantiles,
            longest,
        } = match self {
            Timed::Delay => DELAYS,
            Timed::CompletionTime => COMPLETION_TIMES,
            Timed::Slowdown => SLOWDOWNS,
        };
        let counted = |metric| (metric, times.count() as f64);
        let mut metrics: Vec<Measurement> = count.map(counted).into_iter().collect();
        if let Some((average, [_, most])) = times.mean().zip(times.ends()) {
            let found = times.quantiles(quantiles.map(|metric| {
                let quantile = metric.quantile.expect("a quantile");
                quantile.thousandths
            }));
            metrics.push((mean, average));
            metrics.extend(quantiles.into_iter().zip(found.map(Duration::seconds)));
            metrics.push((longest, most.seconds()));
        }
        metrics
    }
}

/// The metrics of measured times.
struct Summary {
    /// Number of times; none if other times of the same events have it.
    count: Option<&'static Metric>,
    mean: &'static Metric,
    /// Quantiles, the lowest first.
    quantiles: [&'static Metric; 4],
    longest: &'static Metric,
}

const DELAYS: Summary = Summary {
    count: Some(flow::packets_delivered),
    mean: flow::mean_delay,
    quantiles: [
        flow::median_delay,
        flow::p95_delay,
        flow::p99_delay,
        flow::p999_delay,
    ],
    longest: flow::max_delay,
};

const COMPLETION_TIMES: Summary = Summary {
    count: Some(flow::messages),
    mean: flow::mean_completion_time,
    quantiles: [
        flow::median_completion_time,
        flow::p95_completion_time,
        flow::p99_completion_time,
        flow::p999_completion_time,
    ],
    longest: flow::max_completion_time,
};

const SLOWDOWNS: Summary = Summary {
    count: None,
    mean: flow::mean_slowdown,
    quantiles: [
        flow::median_slowdown,
        flow::p95_slowdown,
        flow::p99_slowdown,
        flow::p999_slowdown,
    ],
    longest: flow::max_slowdown,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::METRICS;

    #[test]
    fn the_metrics_of_a_single_time_are_that_time() {
        let mut times = Histogram::default();
        assert_eq!(
            Timed::Delay.metrics(&times),
            [(flow::packets_delivered, 0.0)]
        );
        times.record(Duration::from_ps(1_234_567_891_011));
        let expected = [
            (flow::messages, 1.0),
            (flow::mean_completion_time, 1.234_567_891_011),
            (flow::median_completion_time, 1.234_567_891_011),
            (flow::p95_completion_time, 1.234_567_891_011),
            (flow::p99_completion_time, 1.234_567_891_011),
            (flow::p999_completion_time, 1.234_567_891_011),
            (flow::max_completion_time, 1.234_567_891_011),
        ];
        assert_eq!(Timed::CompletionTime.metrics(&times), expected);
    }

    #[test]
    fn every_quantile_is_reported() {
        let mut times = Histogram::default();
        times.record(Duration::from_us(1));
        for metric in METRICS {
            if let Some(quantile) = metric.quantile {
                let reported = quantile.of.metrics(&times);
                assert!(reported.iter().any(|(one, _)| one == metric));
            }
        }
    }
}
