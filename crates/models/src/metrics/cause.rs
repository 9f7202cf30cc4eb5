//! The causes of drops and losses, each with all that is said of it: to add a cause is to add a row.

use super::metric::{Metric, MetricKind, ScopeKind, Statistic};

/// What is said of a cause: a text that does not apply is empty.
#[derive(Clone, Copy, Debug)]
pub struct CauseFacts {
    /// Name of the cause in traces, and of its metric.
    pub word: &'static str,
    /// Where the unit is dropped.
    pub site: DropSite,
    /// A few words, for tables and legends.
    pub short: &'static str,
    /// Sentence about one drop. The page puts in `{unit}`, a cell or a packet; `{full}`, the queue
    /// that the unit found; `{reason}`, the level that it found reached; `{at_input}`, what it found
    /// at its input.
    pub sentence: &'static str,
    /// Title of the page of the documentation with the rule, where no policy decides.
    pub page: &'static str,
    /// Why a run in which the drop is undone is not possible.
    pub not_kept: &'static str,
    /// The end of the finding that cells were dropped or lost without congestion; `{}` is the output.
    pub finding: &'static str,
}

impl CauseFacts {
    /// A cause at an output, of which nothing is said.
    const NONE: CauseFacts = CauseFacts {
        word: "",
        site: DropSite::Output,
        short: "",
        sentence: "",
        page: "",
        not_kept: "",
        finding: "",
    };
}

/// Where a unit is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropSite {
    /// At an input, on the way to its output.
    Input,
    /// In a fabric, on the way to its output.
    Fabric,
    /// At a policer, on the way to its output.
    Policer,
    /// At an output.
    Output,
    /// On the link behind an output.
    Link,
    /// At its destination.
    Host,
}

impl DropSite {
    /// The word for this site.
    pub fn word(self) -> &'static str {
        match self {
            DropSite::Input => "input",
            DropSite::Fabric => "fabric",
            DropSite::Policer => "policer",
            DropSite::Output => "output",
            DropSite::Link => "link",
            DropSite::Host => "host",
        }
    }
}

/// Makes the causes, and the metrics of those that are counted by flow and output. The text of each
/// is the meaning of its metric.
macro_rules! causes {
    (
        counted {$($(#[$first:meta])* $counted:ident $metric:ident $help:literal
            {$($fact:ident: $value:expr,)*})*}
        traced {$($traced:ident $word:ident $about:literal
            {$($traced_fact:ident: $traced_value:expr,)*})*}
    ) => {
        /// Cause for which a cell or a packet does not arrive.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum Cause {
            $($(#[$first])* #[doc = $help] $counted,)*
            $(#[doc = $about] $traced,)*
        }

        impl Cause {
            /// Every cause.
            pub const ALL: [Cause; Cause::COUNT] = [$(Cause::$counted,)* $(Cause::$traced,)*];

            /// Number of causes.
            pub const COUNT: usize = [$(stringify!($counted),)* $(stringify!($traced),)*].len();

            /// Metrics of the drops of a flow at an output, by the causes that are counted; these
            /// come first.
            pub(super) const METRICS: &[&Metric] = &[$(&Metric {
                name: stringify!($metric),
                scope: ScopeKind::Drop,
                unit: "cells",
                kind: MetricKind::Events,
                ratio: None,
                statistic: Statistic::Value,
                help: $help,
            },)*];

            const FACTS: [CauseFacts; Cause::COUNT] = [
                $(CauseFacts {
                    word: stringify!($metric),
                    $($fact: $value,)*
                    ..CauseFacts::NONE
                },)*
                $(CauseFacts {
                    word: stringify!($word),
                    $($traced_fact: $traced_value,)*
                    ..CauseFacts::NONE
                },)*
            ];
        }
    };
}

causes! {
    counted {
        #[default]
        Overflow overflow "cells of a flow dropped because the buffer was full; a whole packet counts as its octets over those of a cell" {
            short: "buffer full",
            sentence: "Overflow: the {unit} did not fit{full}.",
            not_kept: "It cannot be kept: the buffer was full.",
        }
        Threshold threshold "cells of a flow dropped although they fitted into the buffer, at a threshold or by chance, with the rest of their PDUs" {
            short: "threshold",
            sentence: "Threshold: the {unit} would have fitted, but the policy dropped it{reason}.",
        }
        Remainder remainder "cells of a flow dropped although they fitted into the buffer, because an earlier cell of their PDU overflowed it" {
            short: "rest of a damaged PDU",
            sentence: "Remainder: the cell would have fitted, but an earlier cell of its packet did not, so the rest of the packet is useless.",
            not_kept: "Nothing would be gained: its packet had lost a cell to a full buffer.",
        }
        PushedOut pushed_out "cells of a flow accepted into the buffer, and dropped later in favour of other cells" {
            short: "pushed out",
            sentence: "Pushed out: the {unit} was in the queue, and was dropped to make space for another.",
            not_kept: "It cannot be kept: it made space for another.",
        }
        NoRoute no_route "cells of a flow dropped because outages left no path; counted at the output that the path used before" {
            short: "no route",
            sentence: "No route: no path was left to the end of the flow.",
            not_kept: "It cannot be kept: it had nowhere to go.",
        }
        Policed policed "cells of a flow dropped by the policer in front of the output, which are no drops of the output" {
            site: DropSite::Policer,
            short: "policed",
            sentence: "Policed: the {unit} did not conform to the traffic contract of its flow.",
            finding: "were dropped by the policer before {}, beyond the traffic contract",
        }
        Headroom headroom "cells of a flow dropped because their input held all that it may hold beyond xoff; a whole packet counts as its octets over those of a cell" {
            short: "headroom used up",
            sentence: "Headroom: its input held all that it may hold beyond xoff, since the far end of the link did not stop in time.",
            not_kept: "It cannot be kept: the headroom was used up.",
        }
        Trimmed trimmed "cells of a flow that packets lost when the output trimmed them: their octets beyond the first ones, over those of a cell" {
            short: "trimmed",
            sentence: "Trimmed: the packet did not fit{full}. It lost its payload, and its first octets were offered again.",
            not_kept: "It cannot be kept: the buffer was full.",
        }
        Input input "cells of a flow that the discard policy of their input dropped; counted at the output to which they would have crossed" {
            site: DropSite::Input,
            short: "dropped at the input",
            sentence: "Input: {at_input}.",
            not_kept: "It cannot be kept: it was dropped at its input.",
        }
        Knockout knockout "cells of a flow that a knockout fabric dropped, because in their slot other cells took all of its paths to the output" {
            site: DropSite::Fabric,
            short: "no path in the fabric",
            sentence: "Knockout: in its slot more cells came for this output than the fabric has paths to it, and others won.",
            page: "Switch fabrics",
            not_kept: "It cannot be kept: the fabric had no path for it.",
        }
        Fabric fabric "cells of a flow whose packet lost a cell on a link of a scheduled fabric; counted at the output to which the packet would have crossed" {
            site: DropSite::Fabric,
            short: "lost in the fabric",
            sentence: "Fabric: a link of the fabric lost a cell of its packet, which could not be reassembled.",
            page: "Scheduled fabrics",
            not_kept: "It cannot be kept: a link of the fabric lost a cell of it.",
        }
        Returned returned "cells of a flow in packets that did not fit even when they were trimmed, and that the output sent back to their sender: their octets over those of a cell" {
            short: "returned to the sender",
            sentence: "Returned: the packet did not fit even when it was trimmed{full}. It went back to its sender.",
        }
        Lost lost "cells of a flow lost on the link beyond the output" {
            site: DropSite::Link,
            short: "lost on the link",
            sentence: "Loss: the link lost the {unit}; no buffer and no policy decided.",
            not_kept: "It cannot be kept: the link lost it.",
            finding: "were lost on the link beyond {}, which is no congestion",
        }
    }
    traced {
        Merged merged "The previous PDU lost its last cell, so AAL5 merged the two into one damaged PDU (I.363.5)." {
            site: DropSite::Host,
            short: "merged with a damaged PDU",
            sentence: "Merged: the PDU before lost its last cell, and AAL5 made one damaged PDU of the two.",
        }
    }
}

impl Cause {
    /// What is said of the cause.
    pub fn facts(self) -> &'static CauseFacts {
        &Cause::FACTS[self as usize]
    }

    /// The name of the cause in traces, and of its metric.
    pub fn word(self) -> &'static str {
        self.facts().word
    }

    /// The metric that counts the drops of a flow at an output for this cause, if one does.
    pub fn metric(self) -> Option<&'static Metric> {
        Cause::METRICS.get(self as usize).copied()
    }

    /// The cause of a drop. `fitted` is true if the unit fitted into the buffer; `before` is the
    /// cause of earlier drops in the PDU. A drop before the output tells the output nothing.
    #[inline]
    pub fn of(fitted: bool, before: Option<Cause>) -> Cause {
        match (fitted, before) {
            (_, Some(Cause::Threshold))
            | (true, None | Some(Cause::Input | Cause::Knockout | Cause::Fabric)) => {
                Cause::Threshold
            }
            (true, Some(_)) => Cause::Remainder,
            (false, _) => Cause::Overflow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_drop_of_a_pdu_decides_the_cause_of_the_rest() {
        let [early, full] = [Some(Cause::Threshold), Some(Cause::Overflow)];
        assert_eq!(Cause::of(true, None), Cause::Threshold);
        assert_eq!(Cause::of(false, early), Cause::Threshold);
        assert_eq!(Cause::of(false, None), Cause::Overflow);
        assert_eq!(Cause::of(true, full), Cause::Remainder);
        assert_eq!(Cause::of(false, full), Cause::Overflow);
        assert_eq!(Cause::of(true, Some(Cause::PushedOut)), Cause::Remainder);
        for before in [Cause::Input, Cause::Knockout, Cause::Fabric] {
            assert_eq!(Cause::of(true, Some(before)), Cause::Threshold);
            assert_eq!(Cause::of(false, Some(before)), Cause::Overflow);
        }
    }

    #[test]
    fn every_cause_has_its_words_and_the_counted_ones_their_metrics() {
        for cause in Cause::ALL {
            let facts = cause.facts();
            assert!(
                !facts.short.is_empty() && facts.sentence.ends_with('.'),
                "{cause:?}"
            );
            let metric = cause.metric().map(|metric| metric.name);
            assert_eq!(metric, (cause != Cause::Merged).then_some(facts.word));
        }
    }
}
