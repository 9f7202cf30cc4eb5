//! Explicit congestion notification (ECN): the feedback of marks, and the reaction of a window that
//! cannot shrink any more.
//!
//! Ramakrishnan, Floyd and Black, RFC 3168, 2001, section 6.1; RFC 8257, section 3.2.

use parameters::choices;

choices! {
    /// Explicit congestion notification: marks of routers (CE) and of ATM switches (EFCI).
    pub enum Ecn {
        /// The feedback that the congestion control needs: exact for `dctcp`, else off.
        auto => Auto,
        /// Marks are ignored.
        off => Off,
        /// Classic feedback: marks are echoed until the sender reports a reduction of its window:
        /// RFC 3168.
        classic => Classic,
        /// Exact feedback: the mark of each packet is echoed, as DCTCP needs: RFC 8257, section
        /// 3.2.
        exact => Exact,
    }
}

choices! {
    /// Reaction of a sender with classic feedback to a mark that finds a window of one segment.
    pub enum MarkAtOneSegment {
        /// The retransmission timer is restarted, and the next segment leaves when it expires: RFC
        /// 3168, section 6.1.2.
        wait => Wait,
        /// The next segment leaves at once, as in Linux.
        send => Send,
    }
}

choices! {
    /// Course of the reduction of the congestion window after a mark.
    pub enum MarkReduction {
        /// The window has its new size at once: RFC 3168, section 6.1.2.
        at_once => AtOnce,
        /// The window shrinks in a round trip, in proportion to the data that arrives, as in a recovery
        /// with proportional rate reduction: Linux (`tcp_enter_cwr`).
        proportional => Proportional,
    }
}
