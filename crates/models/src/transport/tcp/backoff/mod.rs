//! Backoff: the factor on the retransmission timeout, and its reset.
//!
//! RFC 6298, section 5: an expiry doubles the timeout (rule 5.5), and the next round-trip time ends
//! the backoff; the members differ in both. Backoff determines the lowest goodput of TCP over ATM
//! without packet discard, where timeouts follow one another.

parameters::registry! {
    /// Backoff of the retransmission timeout: its growth when it expires again, and its reset.
    pub enum BackoffSpec builds Box<dyn Backoff>, for () {
        karn => Karn,
        reset_on_new_ack => ResetOnNewAck,
        capped => Capped,
        constant => ConstantBackoff,
    } default karn
}

/// The factor by which the estimated timeout is multiplied.
pub trait Backoff: Send {
    /// The timer expired.
    fn on_timeout(&mut self);

    /// A segment that was sent only once is acknowledged, and gives a round-trip time.
    fn on_sample(&mut self);

    /// New data is acknowledged, retransmitted or not.
    fn on_new_ack(&mut self) {}

    /// The present factor.
    fn factor(&self) -> u64;
}

/// Largest factor, at which BSD's table ends. Departs from RFC 6298, section 5.5, which limits the
/// timeout and not the factor: here a timeout of less than a second is never lengthened to a
/// minute.
pub(crate) const LARGEST: u64 = 64;
