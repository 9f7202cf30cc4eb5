//! How long messages took.

use kernel::Duration;

use super::Histogram;

/// What is counted of messages that have arrived.
#[derive(Clone, Debug, Default)]
pub struct CompletionMeter {
    seconds: f64,
    /// How long they took.
    pub times: Histogram,
}

impl CompletionMeter {
    /// A message arrived in this time.
    pub fn completed(&mut self, time: Duration) {
        self.seconds += time.seconds();
        self.times.record(time);
    }

    /// Metrics by name; no times are told where nothing arrived.
    pub fn metrics(&self) -> Vec<(&'static str, f64)> {
        let count = self.times.count() as f64;
        let mut metrics = vec![("messages", count)];
        if count > 0.0 {
            metrics.push(("mean_completion_time", self.seconds / count));
        }
        let names = [
            "median_completion_time",
            "p95_completion_time",
            "p99_completion_time",
            "p999_completion_time",
            "max_completion_time",
        ];
        metrics.extend(self.times.metrics(names));
        metrics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_message_took_its_time_whatever_is_asked() {
        let mut meter = CompletionMeter::default();
        let time = Duration::from_ps(1_234_567_891_011);
        meter.completed(time);
        let metrics = meter.metrics();
        assert_eq!(metrics[0], ("messages", 1.0));
        assert_eq!(metrics.len(), 7);
        for (name, value) in &metrics[1..] {
            assert_eq!(value.to_bits(), time.seconds().to_bits(), "{name}");
        }
    }

    #[test]
    fn what_never_arrived_took_no_time() {
        assert_eq!(CompletionMeter::default().metrics(), [("messages", 0.0)]);
    }
}
