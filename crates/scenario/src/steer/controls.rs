//! The list of controls. The choice is our own: parameters whose change breaks no invariant of the
//! models.

use models::metrics::ScopeKind;

/// A parameter that may change while a run goes on.
#[derive(Debug, PartialEq, Eq)]
pub struct Control {
    /// Kind of the scopes that have it.
    pub scope: ScopeKind,
    /// Name.
    pub name: &'static str,
    /// Unit of its values.
    pub unit: &'static str,
    /// Range of the values, in words.
    pub range: &'static str,
    /// The effect of a change, and when it begins.
    pub help: &'static str,
    /// Example of a scope with the control.
    pub example: &'static str,
    /// Condition under which a scope has the control, for messages.
    pub needs: &'static str,
}

/// Rate of a source.
pub const RATE: &Control = &CONTROLS[0];
/// Cap of a congestion window.
pub const WINDOW: &Control = &CONTROLS[1];
/// Cap of the allowed cell rate.
pub const ACR: &Control = &CONTROLS[2];
/// Threshold of a discard policy.
pub const THRESHOLD: &Control = &CONTROLS[3];
/// Loss rate of a link.
pub const LOSS: &Control = &CONTROLS[4];

/// Rate of a link.
pub const LINK_RATE: &Control = &CONTROLS[5];

/// All controls, by the order of their scopes in a report.
pub static CONTROLS: [Control; 6] = [
    Control {
        scope: ScopeKind::Flow,
        name: "rate",
        unit: "bit/s",
        range: "the rates that the scenario may have, at most 1 Tbit/s",
        help: "Rate of user data of a source `constant_rate`, `on_off` or `poisson`; the next write \
               keeps its time, and the writes after it follow at the new rate.",
        example: "flow NAME",
        needs: "only a source with a `rate` has it: `constant_rate` and `on_off` with `rate`, or \
                `poisson`",
    },
    Control {
        scope: ScopeKind::Flow,
        name: "window",
        unit: "B",
        range: "from one segment to the receiver's window",
        help: "Cap of the congestion window of a TCP sender; it holds from the next acknowledgment, \
               timeout or write on.",
        example: "flow NAME",
        needs: "only a flow over `tcp` has it",
    },
    Control {
        scope: ScopeKind::Flow,
        name: "acr",
        unit: "cells/s",
        range: "from MCR, or TCR if it is higher, to PCR",
        help: "Cap of the allowed cell rate (ACR) of an ABR source; it holds from the next change of \
               ACR on, such as at the next backward RM cell.",
        example: "flow NAME",
        needs: "only a flow over `abr` has it",
    },
    Control {
        scope: ScopeKind::Port,
        name: "threshold",
        unit: "cells or B",
        range: "from zero to the capacity of the buffer",
        help: "Threshold of a discard policy that states one, in cells where the buffer holds cells \
               and in octets where it holds packets; it holds for the next cell or packet offered.",
        example: "port NODE->NODE",
        needs: "only an output whose `discard` has a threshold has it, such as `early_packet`, and \
                that has no buffer for each class",
    },
    Control {
        scope: ScopeKind::Link,
        name: "loss",
        unit: "1",
        range: "from 0 to 1",
        help: "Probability with which the link loses a cell or packet, of a loss `cell` or `packet`; \
               it holds for units that are committed from now on, not for those that wait in a FIFO \
               queue.",
        example: "link NODE->NODE",
        needs: "only a link with a `loss` of `cell` or `packet` has it, and `loss.packet = \"0 %\"` \
                changes nothing else",
    },
    Control {
        scope: ScopeKind::Link,
        name: "rate",
        unit: "bit/s",
        range: "from 1 kbit/s to the `rate` of the link in the scenario",
        help: "Rate of a link with `rate_changes.steered`; it holds for packets whose transmission \
               starts from now on, and at a host for those that are handed over from now on.",
        example: "link NODE->NODE",
        needs: "only a link with `rate_changes.steered = {}` has it, whose `rate` is then the \
                fastest that it may have",
    },
];
