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

use parameters::{Parameter, Path, Problems, Shape, Value, Written, choices, parameters};

parameters! {
    /// Detection of spurious retransmissions, and the reaction of the sender.
    pub struct Spurious {
        /// Detection by time stamps (Eifel): an acknowledgment of new data after a retransmission
        /// echoes a time before it. Without effect unless segments carry time stamps.
        pub eifel: Eifel = "off",
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
    /// Acknowledgments of new data after a retransmission whose time stamps may show that it was
    /// needless.
    pub enum EifelRule {
        /// None. `false` means this word, and `true` means `rfc3522`.
        off => Off,
        /// The first: RFC 3522, section 3.2.
        rfc3522 => Rfc3522,
        /// Each until all data outstanding at the loss is acknowledged, but one of a part of it in a
        /// fast recovery only if no retransmission is on its way: Linux (`tcp_try_undo_partial`,
        /// `tcp_try_undo_loss`, `tcp_try_undo_recovery`).
        linux => Linux,
    }
}

/// Detection by time stamps; a boolean is short for the first two rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eifel(pub EifelRule);

impl Parameter for Eifel {
    fn shape() -> Shape {
        Shape::Either(vec![EifelRule::shape(), Shape::Boolean])
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Eifel> {
        match written.value {
            Value::Boolean(false) => Some(Eifel(EifelRule::Off)),
            Value::Boolean(true) => Some(Eifel(EifelRule::Rfc3522)),
            _ => EifelRule::read(written, at, problems).map(Eifel),
        }
    }

    fn write(&self) -> Value {
        self.0.write()
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
        self.eifel.0 != EifelRule::Off || self.d_sack || self.f_rto != ForwardRto::Off
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    #[test]
    fn booleans_are_short_for_the_rules_of_the_standards() {
        for (written, word) in [
            (value!(true), "rfc3522"),
            (value!(false), "off"),
            (value!("linux"), "linux"),
        ] {
            let eifel: Eifel = understand(&written).expect("a rule");
            assert_eq!(eifel.write(), Value::from(word));
        }
        assert!(understand::<Eifel>(&value!(1)).is_err());
    }
}
