//! The parameters of the controllers of PIE and DualPI2: RFC 8033, section 4.2, and RFC 9332, appendix A.

use kernel::Duration;
use parameters::parameters;

parameters! {
    /// A proportional integral controller of the waiting time.
    pub struct ProportionalIntegral {
        /// Waiting time that the controller aims at.
        #[range("1 us", "10 s")]
        pub target: Duration = "15 ms",
        /// Time between updates of the probability.
        #[range("10 us", "10 s")]
        pub update: Duration,
        /// Weight of the distance from the target, per second (`alpha`).
        #[range(0.0, 1000.0)]
        pub alpha: f64,
        /// Weight of the growth since the last update, per second (`beta`).
        #[range(0.0, 1000.0)]
        pub beta: f64,
    }
}
