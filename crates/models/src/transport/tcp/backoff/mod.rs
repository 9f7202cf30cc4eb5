//! Backoff: how far the retransmission timeout is stretched, and when it springs back.
//!
//! Which rule a sender follows decides how low TCP can fall over plain ATM.

parameters::registry! {
    /// How a timeout that expires again grows, and what resets it.
    pub enum BackoffSpec builds Box<dyn Backoff>, for () {
        karn => Karn,
        reset_on_new_ack => ResetOnNewAck,
        capped => Capped,
        constant => Constant,
    } default karn
}

/// The factor by which the estimated timeout is multiplied.
pub trait Backoff {
    /// The timer expired.
    fn on_timeout(&mut self);

    /// A segment that was sent once only was acknowledged, and gave a round-trip time.
    fn on_sample(&mut self);

    /// New data was acknowledged, resent or not.
    fn on_new_ack(&mut self) {}

    /// The present factor.
    fn factor(&self) -> u64;
}

/// BSD's table ends at 64; it is doubled no further.
pub(crate) const LARGEST: u64 = 64;
