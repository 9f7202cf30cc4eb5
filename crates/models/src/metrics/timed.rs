//! Times that are measured one by one, and the metrics of their distribution: mean, quantiles and
//! maximum, from the classes of a histogram.

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
    /// Completion times of short connections.
    ShortCompletionTime,
    /// Slowdowns of short connections.
    ShortSlowdown,
    /// Completion times of connections of medium size.
    MediumCompletionTime,
    /// Slowdowns of connections of medium size.
    MediumSlowdown,
    /// Completion times of long connections.
    LongCompletionTime,
    /// Slowdowns of long connections.
    LongSlowdown,
}

/// A quantile of measured times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantile {
    /// The measured times that have this quantile.
    pub of: Timed,
    /// Thousandths of the measured times that are no longer than the quantile.
    pub thousandths: u64,
}

impl Timed {
    /// The word for these times in names of metrics, such as `delay` in `p99_delay`.
    pub fn word(self) -> &'static str {
        self.summary().word
    }

    /// Metrics of the `times` of a flow, with their values: the number of times, and, unless it is
    /// zero, their mean, their quantiles and the longest time.
    pub fn metrics(self, times: &Histogram) -> Vec<Measurement> {
        let summary = self.summary();
        let counted = |metric| (metric, times.count() as f64);
        let mut metrics: Vec<Measurement> = summary.count.map(counted).into_iter().collect();
        if let Some((average, [_, most])) = times.mean().zip(times.ends()) {
            metrics.push((summary.mean, average));
            metrics.extend(summary.quantiles.iter().map(|metric| {
                let quantile = metric.quantile.expect("a quantile");
                let [found] = times.quantiles([quantile.thousandths]);
                (*metric, found.seconds())
            }));
            metrics.extend(summary.longest.map(|metric| (metric, most.seconds())));
        }
        metrics
    }

    fn summary(self) -> &'static Summary {
        match self {
            Timed::Delay => &DELAYS,
            Timed::CompletionTime => &COMPLETION_TIMES,
            Timed::Slowdown => &SLOWDOWNS,
            Timed::ShortCompletionTime => &SHORT_COMPLETION_TIMES,
            Timed::ShortSlowdown => &SHORT_SLOWDOWNS,
            Timed::MediumCompletionTime => &MEDIUM_COMPLETION_TIMES,
            Timed::MediumSlowdown => &MEDIUM_SLOWDOWNS,
            Timed::LongCompletionTime => &LONG_COMPLETION_TIMES,
            Timed::LongSlowdown => &LONG_SLOWDOWNS,
        }
    }
}

/// The metrics of measured times.
struct Summary {
    /// The word for the times in names of metrics.
    word: &'static str,
    /// Number of times; none if other times of the same events have it.
    count: Option<&'static Metric>,
    mean: &'static Metric,
    /// Quantiles, the lowest first.
    quantiles: &'static [&'static Metric],
    longest: Option<&'static Metric>,
}

const DELAYS: Summary = Summary {
    word: "delay",
    count: Some(flow::packets_delivered),
    mean: flow::mean_delay,
    quantiles: &[
        flow::median_delay,
        flow::p95_delay,
        flow::p99_delay,
        flow::p999_delay,
    ],
    longest: Some(flow::max_delay),
};

const COMPLETION_TIMES: Summary = Summary {
    word: "completion_time",
    count: Some(flow::messages),
    mean: flow::mean_completion_time,
    quantiles: &[
        flow::median_completion_time,
        flow::p95_completion_time,
        flow::p99_completion_time,
        flow::p999_completion_time,
    ],
    longest: Some(flow::max_completion_time),
};

const SLOWDOWNS: Summary = Summary {
    word: "slowdown",
    count: None,
    mean: flow::mean_slowdown,
    quantiles: &[
        flow::median_slowdown,
        flow::p95_slowdown,
        flow::p99_slowdown,
        flow::p999_slowdown,
    ],
    longest: Some(flow::max_slowdown),
};

const SHORT_COMPLETION_TIMES: Summary = Summary {
    word: "short_completion_time",
    count: Some(flow::short_connections),
    mean: flow::mean_short_completion_time,
    quantiles: &[
        flow::median_short_completion_time,
        flow::p99_short_completion_time,
        flow::p999_short_completion_time,
    ],
    longest: None,
};

const SHORT_SLOWDOWNS: Summary = Summary {
    word: "short_slowdown",
    count: None,
    mean: flow::mean_short_slowdown,
    quantiles: &[
        flow::median_short_slowdown,
        flow::p99_short_slowdown,
        flow::p999_short_slowdown,
    ],
    longest: None,
};

const MEDIUM_COMPLETION_TIMES: Summary = Summary {
    word: "medium_completion_time",
    count: Some(flow::medium_connections),
    mean: flow::mean_medium_completion_time,
    quantiles: &[
        flow::median_medium_completion_time,
        flow::p99_medium_completion_time,
        flow::p999_medium_completion_time,
    ],
    longest: None,
};

const MEDIUM_SLOWDOWNS: Summary = Summary {
    word: "medium_slowdown",
    count: None,
    mean: flow::mean_medium_slowdown,
    quantiles: &[
        flow::median_medium_slowdown,
        flow::p99_medium_slowdown,
        flow::p999_medium_slowdown,
    ],
    longest: None,
};

const LONG_COMPLETION_TIMES: Summary = Summary {
    word: "long_completion_time",
    count: Some(flow::long_connections),
    mean: flow::mean_long_completion_time,
    quantiles: &[
        flow::median_long_completion_time,
        flow::p99_long_completion_time,
        flow::p999_long_completion_time,
    ],
    longest: None,
};

const LONG_SLOWDOWNS: Summary = Summary {
    word: "long_slowdown",
    count: None,
    mean: flow::mean_long_slowdown,
    quantiles: &[
        flow::median_long_slowdown,
        flow::p99_long_slowdown,
        flow::p999_long_slowdown,
    ],
    longest: None,
};

#[cfg(test)]
mod tests {
    use kernel::Duration;

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
