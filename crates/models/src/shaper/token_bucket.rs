//! A token bucket for whole packets: `burst` octets of tokens, which come at a `rate`. A packet needs as
//! many tokens as it has octets, and waits until they are there.
//!
//! The rule of the qdisc `tbf` of Linux, without its peak rate (`tbf_dequeue` in `net/sched/sch_tbf.c`):
//! tokens are counted as the time that they take to come, the bucket is full at the start, tokens are
//! spent when a packet starts, and the first packet of the queue waits for its own. RFC 2697, section
//! 3, has the same bucket.

use kernel::{Duration, Rate, Time};
use parameters::{Bytes, parameters};

parameters! {
    /// Token bucket: packets wait for as many tokens as they have octets.
    #[alias("tbf")]
    pub struct TokenBucket {
        /// Rate at which tokens come.
        #[range("1 kbit/s", "10 Tbit/s")]
        pub rate: Rate,
        /// Octets of tokens that the bucket holds; it is full at the start.
        #[range("64 B", "1 TB")]
        pub burst: Bytes,
    }
}

impl TokenBucket {
    /// The bucket in front of a link.
    pub fn build(&self, _link: &Rate) -> Bucket {
        Bucket {
            rate: self.rate,
            holds: self.rate.transmission(self.burst.0 * 8),
            full_at: Time::ZERO,
        }
    }
}

/// The tokens of a bucket.
#[derive(Clone, Debug)]
pub struct Bucket {
    rate: Rate,
    /// Time in which an empty bucket fills.
    holds: Duration,
    /// Time at which the bucket is full, if nothing is spent.
    full_at: Time,
}

impl Bucket {
    /// Time from which there are tokens for a packet of as many bits; it may have passed.
    pub fn conforms(&self, bits: u64) -> Time {
        let needs = self.rate.transmission(bits);
        let spare = self.holds.saturating_sub(needs);
        let since_start = self.full_at.since(Time::ZERO);
        Time::ZERO + since_start.saturating_sub(spare)
    }

    /// A packet of as many bits starts at `now`.
    pub fn spend(&mut self, now: Time, bits: u64) {
        self.full_at = self.full_at.max(now) + self.rate.transmission(bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The starts, in milliseconds, of packets of 1000 octets that are ready at these times, through a
    /// bucket of 3000 octets at 1 Mbit/s: 1000 octets of tokens come in 8 ms.
    fn starts(ready: &[u64]) -> Vec<u64> {
        let mut bucket = TokenBucket {
            rate: Rate::from_bits_per_second(1_000_000),
            burst: Bytes(3000),
        }
        .build(&Rate::from_bits_per_second(8_000_000));
        let starts = ready.iter().map(|ms| {
            let start = bucket
                .conforms(8000)
                .max(Time::ZERO + Duration::from_ms(*ms));
            bucket.spend(start, 8000);
            start.ps() / 1_000_000_000
        });
        starts.collect()
    }

    #[test]
    fn a_burst_passes_and_the_rest_waits_for_tokens() {
        assert_eq!(starts(&[0; 6]), [0, 0, 0, 8, 16, 24]);
        // After 2 ms a quarter of the tokens of a packet has come.
        assert_eq!(starts(&[0, 1, 2, 3, 3]), [0, 1, 2, 8, 16]);
    }

    #[test]
    fn the_bucket_fills_but_never_beyond_its_size() {
        assert_eq!(starts(&[0, 0, 0, 12, 12, 12]), [0, 0, 0, 12, 16, 24]);
        assert_eq!(
            starts(&[0, 0, 0, 1000, 1000, 1000, 1000]),
            [0, 0, 0, 1000, 1000, 1000, 1008]
        );
    }
}
