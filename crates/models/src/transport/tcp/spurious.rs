//! Spurious retransmissions: how a sender detects that a retransmission was needless, and what it
//! undoes.
//!
//! A delayed or reordered segment looks lost. The acknowledgment of its first copy shows the
//! mistake, and the sender may then take back the reduction of its window. Each rule is the subject
//! of one RFC: Ludwig and Meyer, "The Eifel Detection Algorithm for TCP", RFC 3522, 2003;
//! Sarolahti, Kojo, Yamamoto and Hata, "Forward RTO-Recovery (F-RTO)", RFC 5682, 2009; Floyd,
//! Mahdavi, Mathis and Podolsky, "An Extension to the Selective Acknowledgement (SACK) Option for
//! TCP", RFC 2883, 2000; Blanton and Allman, "Using TCP Duplicate Selective Acknowledgement
//! (DSACKs) ... to Detect Spurious Retransmissions", RFC 3708, 2004; Ludwig and Gurtov, "The Eifel
//! Response Algorithm for TCP", RFC 4015, 2005.

use parameters::{choices, parameters};

parameters! {
    /// Detection of spurious retransmissions, and the reaction of the sender.
    pub struct Spurious {
        /// True if time stamps detect them (Eifel): the first acknowledgment of new data after a
        /// retransmission echoes a time before it. RFC 3522; without effect unless segments carry
        /// time stamps.
        pub eifel: bool = false,
        /// Detection of spurious timeouts by new data that is sent after the first acknowledgment
        /// (F-RTO).
        pub f_rto: ForwardRto = "off",
        /// True if the receiver reports data that arrives again (D-SACK, RFC 2883), and the sender
        /// concludes from it that all retransmissions of a recovery were needless (RFC 3708);
        /// without effect unless acknowledgments carry SACK blocks.
        pub d_sack: bool = false,
        /// State that is restored once a loss proves spurious.
        pub response: Response = "rfc4015",
    }
}

choices! {
    /// Detection of spurious timeouts by new data that is sent after the first acknowledgment.
    pub enum ForwardRto {
        /// None.
        off => Off,
        /// By cumulative acknowledgments: RFC 5682, section 2.1.
        basic => Basic,
        /// By SACK blocks too: RFC 5682, section 3.1. Without SACK blocks it is as `basic`.
        sack => Sack,
    }
}

choices! {
    /// State that is restored once a loss proves spurious. Both end the recovery, and the backoff of
    /// the timeout.
    pub enum Response {
        /// `ssthresh` becomes the flight size or `ssthresh` before the loss, whichever is larger; the
        /// window becomes the flight size and what was just acknowledged, at most the initial window,
        /// so that no burst follows; after a timeout the estimate of the round-trip time becomes at
        /// least the next sample. RFC 4015, section 3.1.
        rfc4015 => Rfc4015,
        /// The window and `ssthresh` before the loss, where these are larger: Linux, and RFC 9438,
        /// section 4.9.
        full => Full,
    }
}

impl Spurious {
    /// True if any detection is on.
    pub fn is_on(&self) -> bool {
        self.eifel || self.d_sack || self.f_rto != ForwardRto::Off
    }
}
