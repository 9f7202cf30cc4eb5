//! Times that are measured one by one, and the metrics of their distribution: mean, quantiles and
//! maximum, from the classes of a histogram.
//!
//! A message that has not ended counts with its age, than which it would have taken longer: each of
//! these numbers of a single run is then a lower bound.

use super::followed::{Followed, joined};
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
    /// Times of messages until the acknowledgment of their last octet.
    AcknowledgedTime,
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
        let counted = |metric| (metric, times.count() as f64);
        let count = self.summary().count.map(counted);
        count.into_iter().chain(self.of_all(times)).collect()
    }

    /// Metrics of the messages of a flow, with their values: the numbers of those that have ended and
    /// of those that have not, and, unless both are zero, the metrics of their times.
    pub fn metrics_of_messages(self, messages: &Followed) -> Vec<Measurement> {
        let summary = self.summary();
        let mut all = joined(&messages.ended);
        let ended = summary.count.map(|metric| (metric, all.count() as f64));
        let open = |metric| (metric, messages.unfinished() as f64);
        let open = summary.unfinished.filter(|_| summary.counts).map(open);
        messages.open.iter().for_each(|ages| all.add(ages));
        let counts = ended.into_iter().chain(open);
        counts.chain(self.of_all(&all)).collect()
    }

    /// Mean, quantiles and the longest of times; none without times.
    fn of_all(self, times: &Histogram) -> Vec<Measurement> {
        let summary = self.summary();
        let mut metrics = Vec::new();
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

    /// The times whose mean, quantile or maximum a metric is, if they are those of messages, and the
    /// metric that counts the messages that had not ended.
    pub fn of_metric(metric: &Metric) -> Option<(Timed, &'static Metric)> {
        let known = Timed::MESSAGES.into_iter();
        let mut known =
            known.filter_map(|one| Some((one, one.summary(), one.summary().unfinished?)));
        let found = known.find(|(_, summary, _)| {
            let longest = summary.longest.into_iter();
            let mut all = longest
                .chain([summary.mean])
                .chain(summary.quantiles.iter().copied());
            all.any(|one| one == metric)
        });
        found.map(|(one, _, unfinished)| (one, unfinished))
    }

    /// The times of messages.
    const MESSAGES: [Timed; 9] = [
        Timed::CompletionTime,
        Timed::AcknowledgedTime,
        Timed::Slowdown,
        Timed::ShortCompletionTime,
        Timed::ShortSlowdown,
        Timed::MediumCompletionTime,
        Timed::MediumSlowdown,
        Timed::LongCompletionTime,
        Timed::LongSlowdown,
    ];

    fn summary(self) -> &'static Summary {
        match self {
            Timed::Delay => &DELAYS,
            Timed::CompletionTime => &COMPLETION_TIMES,
            Timed::AcknowledgedTime => &ACKNOWLEDGED_TIMES,
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
    /// Number of messages that have not ended; none if the times are not those of messages.
    unfinished: Option<&'static Metric>,
    /// True if the number of messages that have not ended is reported with these times.
    counts: bool,
    mean: &'static Metric,
    /// Quantiles, the lowest first.
    quantiles: &'static [&'static Metric],
    longest: Option<&'static Metric>,
}

const DELAYS: Summary = Summary {
    word: "delay",
    count: Some(flow::packets_delivered),
    unfinished: None,
    counts: false,
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
    unfinished: Some(flow::unfinished_messages),
    counts: true,
    mean: flow::mean_completion_time,
    quantiles: &[
        flow::median_completion_time,
        flow::p95_completion_time,
        flow::p99_completion_time,
        flow::p999_completion_time,
    ],
    longest: Some(flow::max_completion_time),
};

const ACKNOWLEDGED_TIMES: Summary = Summary {
    word: "acknowledged_time",
    count: None,
    unfinished: Some(flow::unacknowledged_messages),
    counts: true,
    mean: flow::mean_acknowledged_time,
    quantiles: &[flow::median_acknowledged_time, flow::p99_acknowledged_time],
    longest: Some(flow::max_acknowledged_time),
};

const SLOWDOWNS: Summary = Summary {
    word: "slowdown",
    count: None,
    unfinished: Some(flow::unfinished_messages),
    counts: false,
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
    unfinished: Some(flow::unfinished_short_connections),
    counts: true,
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
    unfinished: Some(flow::unfinished_short_connections),
    counts: false,
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
    unfinished: Some(flow::unfinished_medium_connections),
    counts: true,
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
    unfinished: Some(flow::unfinished_medium_connections),
    counts: false,
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
    unfinished: Some(flow::unfinished_long_connections),
    counts: true,
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
    unfinished: Some(flow::unfinished_long_connections),
    counts: false,
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
    fn a_message_that_has_not_ended_counts_with_its_age() {
        let mut messages = Followed::default();
        messages.open[1].record(Duration::from_ms(10));
        let expected = [
            (flow::messages, 0.0),
            (flow::unfinished_messages, 1.0),
            (flow::mean_completion_time, 0.01),
            (flow::median_completion_time, 0.01),
            (flow::p95_completion_time, 0.01),
            (flow::p99_completion_time, 0.01),
            (flow::p999_completion_time, 0.01),
            (flow::max_completion_time, 0.01),
        ];
        assert_eq!(
            Timed::CompletionTime.metrics_of_messages(&messages),
            expected
        );
        messages.ended[0].record(Duration::from_ms(4));
        let [messages, unfinished, mean, ..] =
            Timed::CompletionTime.metrics_of_messages(&messages)[..]
        else {
            unreachable!("all are reported");
        };
        assert_eq!((messages.1, unfinished.1, mean.1), (1.0, 1.0, 0.007));
    }

    #[test]
    fn every_metric_of_messages_names_the_count_of_those_that_have_not_ended() {
        for times in Timed::MESSAGES {
            let mut one = Followed::default();
            one.open[0].record(Duration::from_us(1));
            for (metric, value) in times.metrics_of_messages(&one) {
                let found = Timed::of_metric(metric).map(|(of, _)| of);
                let is_time = value < 1.0 && value > 0.0;
                assert_eq!(found, is_time.then_some(times), "{}", metric.name);
            }
        }
        assert_eq!(Timed::of_metric(flow::p99_delay), None);
        let (_, unfinished) = Timed::of_metric(flow::p99_short_slowdown).expect("a time");
        assert_eq!(unfinished, flow::unfinished_short_connections);
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
