//! Shapers in front of links: whole packets wait until they conform to a rate.
//!
//! A shaper is part of the clock of a link: it says when the next packet may start at the earliest.

use kernel::Rate;

pub use token_bucket::Bucket;

parameters::registry! {
    /// Shaper in front of a link: packets wait until they conform to a rate.
    pub enum ShaperSpec builds Bucket, for Rate {
        token_bucket => TokenBucket,
    }
}
