//! How long messages took, with quantiles in little memory.
//!
//! Times are counted in classes that are a sixty-fourth of their lower bound wide, so that a quantile
//! is told to better than one percent however many times there were and however far apart.

use kernel::Duration;

/// Classes in which times double.
const PARTS: u64 = 64;

/// What is counted of messages that have arrived.
#[derive(Clone, Debug, Default)]
pub struct CompletionMeter {
    count: u64,
    seconds: f64,
    longest: Duration,
    /// Classes that some time is in, in order, and how many are.
    classes: Vec<(u32, u64)>,
}

impl CompletionMeter {
    /// A message arrived in this time.
    pub fn completed(&mut self, time: Duration) {
        self.count += 1;
        self.seconds += time.seconds();
        self.longest = self.longest.max(time);
        let class = class_of(time.ps());
        match self
            .classes
            .binary_search_by_key(&class, |(class, _)| *class)
        {
            Ok(place) => self.classes[place].1 += 1,
            Err(place) => self.classes.insert(place, (class, 1)),
        }
    }

    /// Metrics by name; no times are told where nothing arrived.
    pub fn metrics(&self) -> Vec<(&'static str, f64)> {
        let mut metrics = vec![("messages", self.count as f64)];
        if self.count > 0 {
            metrics.extend([
                ("mean_completion_time", self.seconds / self.count as f64),
                ("median_completion_time", self.quantile(0.5)),
                ("p95_completion_time", self.quantile(0.95)),
                ("max_completion_time", self.longest.seconds()),
            ]);
        }
        metrics
    }

    /// The time, in seconds, that a share of the messages took at most.
    fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.count as f64).ceil() as u64;
        let mut below = 0;
        let found = self.classes.iter().find(|(_, count)| {
            below += count;
            below >= rank
        });
        let (class, _) = found.expect("no rank is beyond the last");
        let [low, high] = [*class, class + 1].map(bound_of);
        Duration::from_ps(low.midpoint(high))
            .min(self.longest)
            .seconds()
    }
}

/// The class of a time in picoseconds.
fn class_of(ps: u64) -> u32 {
    if ps < PARTS {
        return ps as u32;
    }
    let doubled = ps.ilog2() - PARTS.ilog2();
    (doubled * PARTS as u32) + (ps >> doubled) as u32
}

/// The least time of a class.
fn bound_of(class: u32) -> u64 {
    let class = u64::from(class);
    if class < 2 * PARTS {
        return class;
    }
    let doubled = class / PARTS - 1;
    (class - doubled * PARTS)
        .checked_shl(doubled as u32)
        .unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(meter: &CompletionMeter, name: &str) -> Option<f64> {
        let metrics = meter.metrics();
        let found = metrics.iter().find(|(metric, _)| *metric == name);
        found.map(|(_, value)| *value)
    }

    #[test]
    fn quantiles_of_known_times_are_told_to_a_percent() {
        let mut meter = CompletionMeter::default();
        // From 1 us to 1 s, in a scrambled order.
        for number in 0..1_000_000_u64 {
            meter.completed(Duration::from_us(1 + number * 7919 % 1_000_000));
        }
        let close = |name, expected: f64| {
            let value = metric(&meter, name).expect(name);
            assert!((value / expected - 1.0).abs() < 0.01, "{name}: {value}");
        };
        close("mean_completion_time", 0.5);
        close("median_completion_time", 0.5);
        close("p95_completion_time", 0.95);
        close("max_completion_time", 1.0);
        assert_eq!(metric(&meter, "messages"), Some(1e6));
        assert!(
            meter.classes.len() < 1300,
            "{} classes",
            meter.classes.len()
        );
    }

    #[test]
    fn classes_follow_one_another_without_gaps() {
        for class in 0..3700 {
            let low = bound_of(class);
            assert_eq!(class_of(low), class);
            assert_eq!(class_of(bound_of(class + 1) - 1), class);
        }
        assert!(class_of(u64::MAX) < 3800);
    }

    #[test]
    fn what_never_arrived_took_no_time() {
        assert_eq!(CompletionMeter::default().metrics(), [("messages", 0.0)]);
    }
}
