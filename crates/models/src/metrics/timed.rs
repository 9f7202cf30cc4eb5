//! Times that are measured one by one, and the metrics of their distribution: mean, quantiles and
//! maximum, from the classes of a histogram.
//!
//! A message that has not ended counts with its age, than which it would have taken longer: each of
//! these numbers of a single run is then a lower bound.

use super::followed::{Followed, joined};
use super::histogram::Histogram;
use super::metric::{Measurement, Metric, QuantityMetrics, Statistic};
use super::table::flow;

/// Times that are measured one by one, and kept as a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timed {
    /// Delays of packets.
    Delay,
    /// Completion times of messages, or of connections of one size.
    CompletionTime(SizeClass),
    /// Times of messages until the acknowledgment of their last octet.
    AcknowledgedTime,
    /// Slowdowns of connections, as seconds.
    Slowdown(SizeClass),
}

/// The sizes of connections that are measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeClass {
    /// Any size, and messages of other sources.
    Any,
    /// Short connections.
    Short,
    /// Connections of medium size.
    Medium,
    /// Long connections.
    Long,
}

impl SizeClass {
    /// The number of the class of a [`Completion`](super::Completion); none for any size.
    pub fn number(self) -> Option<usize> {
        (self as usize).checked_sub(1)
    }

    /// The number of messages that ended, and of those that had not.
    fn counts(self) -> [&'static Metric; 2] {
        match self {
            SizeClass::Any => [flow::messages, flow::unfinished_messages],
            SizeClass::Short => [flow::short_connections, flow::unfinished_short_connections],
            SizeClass::Medium => [
                flow::medium_connections,
                flow::unfinished_medium_connections,
            ],
            SizeClass::Long => [flow::long_connections, flow::unfinished_long_connections],
        }
    }
}

impl Timed {
    /// All of them.
    const ALL: [Timed; 10] = [
        Timed::Delay,
        Timed::CompletionTime(SizeClass::Any),
        Timed::AcknowledgedTime,
        Timed::Slowdown(SizeClass::Any),
        Timed::CompletionTime(SizeClass::Short),
        Timed::Slowdown(SizeClass::Short),
        Timed::CompletionTime(SizeClass::Medium),
        Timed::Slowdown(SizeClass::Medium),
        Timed::CompletionTime(SizeClass::Long),
        Timed::Slowdown(SizeClass::Long),
    ];

    /// The times, with the metrics of their distribution.
    fn quantity(self) -> QuantityMetrics {
        match self {
            Timed::Delay => flow::delay::QUANTITY,
            Timed::CompletionTime(SizeClass::Any) => flow::completion_time::QUANTITY,
            Timed::CompletionTime(SizeClass::Short) => flow::short_completion_time::QUANTITY,
            Timed::CompletionTime(SizeClass::Medium) => flow::medium_completion_time::QUANTITY,
            Timed::CompletionTime(SizeClass::Long) => flow::long_completion_time::QUANTITY,
            Timed::AcknowledgedTime => flow::acknowledged_time::QUANTITY,
            Timed::Slowdown(SizeClass::Any) => flow::slowdown::QUANTITY,
            Timed::Slowdown(SizeClass::Short) => flow::short_slowdown::QUANTITY,
            Timed::Slowdown(SizeClass::Medium) => flow::medium_slowdown::QUANTITY,
            Timed::Slowdown(SizeClass::Long) => flow::long_slowdown::QUANTITY,
        }
    }

    /// The word for these times in names of metrics, such as `delay` in `p99_delay`.
    pub fn word(self) -> &'static str {
        self.quantity().word
    }

    /// The metric that counts the times; none if other times of the same events have it.
    fn count(self) -> Option<&'static Metric> {
        match self {
            Timed::Delay => Some(flow::packets_delivered),
            Timed::CompletionTime(size) => Some(size.counts()[0]),
            Timed::AcknowledgedTime | Timed::Slowdown(_) => None,
        }
    }

    /// The metric that counts the messages that had not ended; none if the times are not those of
    /// messages.
    pub fn unfinished(self) -> Option<&'static Metric> {
        match self {
            Timed::Delay => None,
            Timed::AcknowledgedTime => Some(flow::unacknowledged_messages),
            Timed::CompletionTime(size) | Timed::Slowdown(size) => Some(size.counts()[1]),
        }
    }

    /// Metrics of the `times` of a flow, with their values: the number of times, and, unless it is
    /// zero, their mean, their quantiles and the longest time.
    pub fn metrics(self, times: &Histogram) -> Vec<Measurement> {
        let counted = |metric| (metric, times.count() as f64);
        let count = self.count().map(counted);
        count.into_iter().chain(self.of_all(times)).collect()
    }

    /// Metrics of the messages of a flow, with their values: the numbers of those that have ended and
    /// of those that have not, and, unless both are zero, the metrics of their times.
    pub fn metrics_of_messages(self, messages: &Followed) -> Vec<Measurement> {
        let mut all = joined(&messages.ended);
        let ended = self.count().map(|metric| (metric, all.count() as f64));
        // The completion times of the same connections have the count.
        let is_counted = !matches!(self, Timed::Slowdown(_));
        let open = self.unfinished().filter(|_| is_counted);
        let open = open.map(|metric| (metric, messages.unfinished() as f64));
        messages.open.iter().for_each(|ages| all.add(ages));
        let counts = ended.into_iter().chain(open);
        counts.chain(self.of_all(&all)).collect()
    }

    /// The statistics of times; none without times.
    fn of_all(self, times: &Histogram) -> Vec<Measurement> {
        let Some((average, [_, most])) = times.mean().zip(times.ends()) else {
            return Vec::new();
        };
        let value = |statistic| match statistic {
            Statistic::Value | Statistic::Mean => average,
            Statistic::Quantile(thousandths) => times.quantiles([thousandths])[0].seconds(),
            Statistic::Max => most.seconds(),
        };
        let metrics = self.quantity().metrics.iter();
        metrics
            .map(|metric| (*metric, value(metric.statistic)))
            .collect()
    }

    /// The times of which a metric is a statistic.
    pub fn of_metric(metric: &Metric) -> Option<Timed> {
        let mut all = Timed::ALL.into_iter();
        all.find(|times| times.quantity().metrics.contains(&metric))
    }
}

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
            (flow::completion_time::mean, 1.234_567_891_011),
            (flow::completion_time::median, 1.234_567_891_011),
            (flow::completion_time::p95, 1.234_567_891_011),
            (flow::completion_time::p99, 1.234_567_891_011),
            (flow::completion_time::p999, 1.234_567_891_011),
            (flow::completion_time::max, 1.234_567_891_011),
        ];
        assert_eq!(
            Timed::CompletionTime(SizeClass::Any).metrics(&times),
            expected
        );
    }

    #[test]
    fn a_message_that_has_not_ended_counts_with_its_age() {
        let mut messages = Followed::default();
        messages.open[1].record(Duration::from_ms(10));
        let expected = [
            (flow::messages, 0.0),
            (flow::unfinished_messages, 1.0),
            (flow::completion_time::mean, 0.01),
            (flow::completion_time::median, 0.01),
            (flow::completion_time::p95, 0.01),
            (flow::completion_time::p99, 0.01),
            (flow::completion_time::p999, 0.01),
            (flow::completion_time::max, 0.01),
        ];
        assert_eq!(
            Timed::CompletionTime(SizeClass::Any).metrics_of_messages(&messages),
            expected
        );
        messages.ended[0].record(Duration::from_ms(4));
        let [messages, unfinished, mean, ..] =
            Timed::CompletionTime(SizeClass::Any).metrics_of_messages(&messages)[..]
        else {
            unreachable!("all are reported");
        };
        assert_eq!((messages.1, unfinished.1, mean.1), (1.0, 1.0, 0.007));
    }

    #[test]
    fn every_metric_of_messages_names_the_count_of_those_that_have_not_ended() {
        for times in Timed::ALL {
            if times.unfinished().is_none() {
                continue;
            }
            let mut one = Followed::default();
            one.open[0].record(Duration::from_us(1));
            for (metric, value) in times.metrics_of_messages(&one) {
                let found = Timed::of_metric(metric);
                let is_time = value < 1.0 && value > 0.0;
                assert_eq!(found, is_time.then_some(times), "{}", metric.name);
            }
        }
        let unfinished = |metric| Timed::of_metric(metric).map(Timed::unfinished);
        let of_slowdown = unfinished(flow::short_slowdown::p99);
        assert_eq!(of_slowdown, Some(Some(flow::unfinished_short_connections)));
        assert_eq!(unfinished(flow::delay::p99), Some(None));
        assert_eq!(unfinished(flow::goodput), None);
    }

    #[test]
    fn every_quantile_is_reported() {
        let mut times = Histogram::default();
        times.record(Duration::from_us(1));
        for metric in METRICS {
            if let Statistic::Quantile(_) = metric.statistic {
                let of = Timed::of_metric(metric).expect("times");
                assert!(of.metrics(&times).iter().any(|(one, _)| one == metric));
            }
        }
    }
}
