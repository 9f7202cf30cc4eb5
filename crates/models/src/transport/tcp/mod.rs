//! TCP, with a parameter for every variant that is known to change a published result.
//!
//! A connection exists from the start, or is opened by a handshake; the two ends here never close
//! it: connections that come and go are closed above them. Sequence numbers do not wrap.
//! `docs/concepts/tcp.md` lists everything else that is left out. RFC 9293,
//! "Transmission Control Protocol", 2022, and the sources that each file names.

pub mod acknowledge;
pub mod backoff;
pub mod congestion;
pub mod ecn;
pub mod give_up;
mod kind;
mod marks;
pub mod nagle;
pub mod pacing;
pub mod preset;
mod reader;
pub mod receive_window;
mod receiver;
pub mod recovery;
mod retransmission;
mod sender;
mod sizes;
mod slow_start;
pub mod spurious;
mod standard;
pub mod timers;
pub mod timestamps;
mod window;

use kernel::Rate;
use parameters::{Amount, Bytes, Conflict, choices, parameters};

use super::{Connection, Ends, TransportKind};
use crate::wire::format::CellFormat;
use acknowledge::AcknowledgeSpec;
use backoff::BackoffSpec;
use congestion::{CongestionSpec, Limits};
use ecn::{Ecn, MarkAtOneSegment, MarkReduction};
use give_up::GiveUp;
use nagle::Nagle;
use pacing::PacingSpec;
use preset::TcpPreset;
use receive_window::ReceiveWindow;
use recovery::Reports;
use recovery::proportional::ReductionBound;
use sender::TcpSender;
use spurious::Spurious;
use timers::TimersSpec;
use timestamps::Timestamps;

parameters! {
    /// TCP between the two ends of a flow.
    #[check(conflict)]
    #[presets(TcpPreset)]
    pub struct Tcp {
        /// Parameters of the hosts of one time; those written beside it replace their values.
        pub preset: Option<TcpPreset>,
        /// Size of a full packet, headers included.
        #[alias("mss", "write `packet`, which is `mss` and `header` together")]
        #[alias("mtu")]
        #[range("1 B", "16 MiB")]
        pub packet: Bytes = "1500 B",
        /// Octets of each packet that are not user data, without those of time stamps.
        pub header: Bytes = "40 B",
        /// Size of a pure acknowledgment, without its SACK blocks and time stamps.
        #[range("1 B", "64 KiB")]
        pub acknowledgment: Bytes = "40 B",
        /// Window that the receiver advertises, rounded down to whole segments, at least one; or a
        /// window that grows, such as `window.autotuned = {}`.
        #[alias("rwnd")]
        #[alias("awnd")]
        #[range("1 B", "1 GiB")]
        pub window: ReceiveWindow = "64 KiB",
        /// Octets that count towards `window`.
        pub window_counts: WindowCounts = "packets",
        /// True if the window may exceed 65535 octets: RFC 7323, section 2.
        pub window_scaling: bool = true,
        /// Rate at which the receiving application reads the data that has arrived in order; its window
        /// then closes and opens. Without it, data is read at once.
        #[range("1 bit/s", "10 Tbit/s")]
        pub read_rate: Option<Rate>,
        /// Slow-start threshold at the start, as an amount or as a share of the window.
        #[alias("ssthresh")]
        pub initial_ssthresh: Amount = "100 %",
        /// Congestion window at the start, in packets.
        #[alias("iw", "write `initial_window`, in packets")]
        #[alias("initcwnd", "write `initial_window`, in packets")]
        #[alias("cwnd", "write `initial_window`, in packets")]
        #[range(1, 1000)]
        pub initial_window: u32 = 1,
        /// True if the connection is opened by a SYN and its answer before data is sent.
        pub handshake: bool = false,
        /// Congestion control: the change of the congestion window after acknowledgments, losses
        /// and marks.
        #[alias("cc")]
        #[alias("congestion_control")]
        pub congestion: CongestionSpec = default,
        /// Unit that opens the window in slow start; for `auto`, that of the source of the congestion
        /// control: `delivered` for CUBIC, DCTCP and Prague, and `acks` for the others. BBR does
        /// not use it.
        pub slow_start_counts: SlowStartCounts = "auto",
        /// Number of duplicate acknowledgments that trigger a fast retransmit.
        #[alias("dupacks")]
        #[alias("dupthresh")]
        #[range(1, 1000)]
        pub duplicates: u32 = 3,
        /// Rule for a fast retransmit before the data outstanding at the last fast retransmit is
        /// acknowledged.
        pub repeated_fast_retransmit: Repeated = "allowed",
        /// Limited transmit: true if each of the first two duplicate acknowledgments lets a new
        /// segment leave (RFC 3042).
        pub limited_transmit: bool = false,
        /// Data that leaves in a recovery with proportional rate reduction once less is in flight
        /// than the window holds.
        pub reduction_bound: ReductionBound = "slow_start",
        /// Acknowledgment policy of the receiver for data that arrives in order.
        #[alias("delayed_ack", "write for example `acknowledge.rfc5681 = {}`")]
        #[alias("delack", "write for example `acknowledge.rfc5681 = {}`")]
        pub acknowledge: AcknowledgeSpec = default,
        /// Feedback of congestion marks to the sender (ECN).
        pub ecn: Ecn = "auto",
        /// Course of the reduction of the congestion window after a mark; of no effect under BBR and
        /// Prague, which cut otherwise.
        pub mark_reduction: MarkReduction = "at_once",
        /// Reaction of a sender with classic feedback to a mark that finds a window of one segment.
        pub mark_at_one_segment: MarkAtOneSegment = "wait",
        /// Effect of acknowledgments on a congestion window that neither the application nor the
        /// receiver lets the sender use. BBR keeps to its model.
        pub unused_window: UnusedWindow = "kept",
        /// Effect of an idle time on the congestion window.
        pub idle_restart: Idle = "never",
        /// Estimator of the retransmission timeout.
        #[alias(
            "rto_min",
            "write a parameter of `timers`, for example `timers.rfc6298 = { min = \"200 ms\" }`"
        )]
        #[alias(
            "min_rto",
            "write a parameter of `timers`, for example `timers.rfc6298 = { min = \"200 ms\" }`"
        )]
        pub timers: TimersSpec = default,
        /// Backoff of the retransmission timeout.
        pub backoff: BackoffSpec = default,
        /// The point at which the sender gives up a receiver that no longer answers.
        pub give_up: GiveUp = {},
        /// Time stamps in every segment, 12 octets of each packet that are not user data, and the
        /// weight of the round-trip times that they give.
        pub timestamps: Timestamps = "off",
        /// Detection of retransmissions that were needless, and what the sender then undoes.
        pub spurious: Spurious = {},
        /// Pacing by the host; segments leave as the windows allow if it is left out, unless the
        /// congestion control states a rate.
        pub pacing: Option<PacingSpec>,
        /// Nagle's algorithm: rule by which a segment that is not full waits for more data.
        pub nagle: Nagle = "off",
    }
}

choices! {
    /// Rule for a fast retransmit before the data outstanding at the last fast retransmit is
    /// acknowledged: the duplicates may then come from the sender's own retransmissions.
    pub enum Repeated {
        /// Allowed: BSD, and the simulators of 1994.
        allowed => Allowed,
        /// Not allowed until an acknowledgment covers more than the data sent before the last loss:
        /// `bugFix_` of ns-2.
        guarded => Guarded,
    }
}

choices! {
    /// Unit that opens the congestion window in slow start.
    pub enum SlowStartCounts {
        /// As in the source of the congestion control.
        auto => Auto,
        /// Acknowledgments, each for at most one segment: RFC 5681, section 3.1.
        acks => Acks,
        /// The octets that are delivered, however few acknowledgments report them: Linux.
        delivered => Delivered,
    }
}

choices! {
    /// Octets that count towards a window.
    pub enum WindowCounts {
        /// Whole packets, headers included, as in studies that count packets.
        packets => Packets,
        /// User data, as in the header of a TCP segment.
        data => Data,
    }
}

choices! {
    /// Effect of acknowledgments on a congestion window that does not limit the sender.
    pub enum UnusedWindow {
        /// None: such a window says nothing about the path. In slow start, half of the window is use
        /// enough: Linux; RFC 9438, section 5.8, and RFC 7661 ask for it too.
        kept => Kept,
        /// The window grows all the same: 4.3BSD, and ns-2 by default.
        grows => Grows,
    }
}

choices! {
    /// Effect of an idle time on the congestion window, if the sender has not sent for a
    /// retransmission timeout.
    pub enum Idle {
        /// No effect.
        never => Never,
        /// The window becomes one segment: 4.3BSD-Reno.
        bsd => Bsd,
        /// The window is at most the initial window: RFC 5681, section 4.1.
        rfc5681 => Rfc5681,
        /// The window is halved for each timeout of idleness, down to the initial window, and a window
        /// that is not used for a timeout shrinks towards what is used; ssthresh becomes at least
        /// three quarters of it: Linux, after RFC 2861. BBR keeps its window.
        linux => Linux,
    }
}

/// Largest shift of the window scale option, in bits: RFC 7323, section 2.3.
const MOST_SHIFT: u32 = 14;

/// Largest window that fits into a TCP header: RFC 9293, section 3.1.
const LARGEST_UNSCALED: u64 = 65_535;

impl Tcp {
    /// The two ends of a connection.
    pub fn build(&self, connection: &Connection) -> Ends {
        Ends {
            sender: Box::new(TcpSender::new(self, connection)),
            receiver: self.receiver(connection),
        }
    }

    /// The feedback of marks in use: for [`Ecn::Auto`], the feedback that the congestion control
    /// needs.
    pub fn echo(&self) -> Ecn {
        match self.ecn {
            Ecn::Auto if self.congestion.needs_exact_marks() => Ecn::Exact,
            Ecn::Auto => Ecn::Off,
            said => said,
        }
    }

    /// True if slow start counts what is delivered, and not acknowledgments.
    pub fn counts_delivered(&self) -> bool {
        match self.slow_start_counts {
            SlowStartCounts::Auto => self.congestion.counts_delivered(),
            SlowStartCounts::Acks => false,
            SlowStartCounts::Delivered => true,
        }
    }

    fn conflict(&self) -> Option<Conflict> {
        if self.congestion.needs_exact_marks() && self.echo() != Ecn::Exact {
            return Some(Conflict {
                name: "ecn",
                problem: format!("`{}` needs exact feedback of marks", self.congestion.kind()),
                hint: "write `ecn = \"exact\"`".into(),
            });
        }
        if self.pacing.is_some() && self.congestion.paces() {
            return Some(Conflict {
                name: "pacing",
                problem: format!("`{}` paces segments itself", self.congestion.kind()),
                hint: "leave `pacing` out".into(),
            });
        }
        let one_by_one = self.timestamps == Timestamps::Rfc7323;
        if one_by_one && !matches!(self.timers, TimersSpec::Rfc6298(_)) {
            return Some(Conflict {
                name: "timestamps",
                problem: format!(
                    "`rfc7323` weighs samples for the estimator `rfc6298`, and `timers` is `{}`",
                    self.timers.kind()
                ),
                hint: "write `\"rfc1323\"`, or `timers.rfc6298 = {}`".into(),
            });
        }
        let bare = [
            ("handshake", self.handshake, "a SYN"),
            (
                "read_rate",
                self.read_rate.is_some(),
                "a probe of a closed window",
            ),
        ];
        let bare = bare
            .iter()
            .find(|(_, is_on, _)| *is_on && self.overhead() == 0);
        if let Some((name, _, what)) = bare {
            return Some(Conflict {
                name,
                problem: format!("{what} consists of a header only, and `header` is `0 B`"),
                hint: format!("make `header` at least `1 B`, or leave `{name}` out"),
            });
        }
        (self.overhead() >= self.packet.0).then(|| self.no_room())
    }

    fn no_room(&self) -> Conflict {
        let stamps = self.timestamps.octets();
        let with = match stamps {
            0 => String::new(),
            octets => format!(", and `{octets} B` of time stamps,"),
        };
        let hint = match self.packet.0.checked_sub(stamps + 1) {
            Some(most) => format!("write at most `\"{most} B\"`, or a larger `packet`"),
            None => format!("make `packet` larger than the `{stamps} B` of time stamps"),
        };
        Conflict {
            name: "header",
            problem: format!(
                "a header of `{} B`{with} leaves no space for data in a packet of `{} B`",
                self.header.0, self.packet.0
            ),
            hint,
        }
    }

    /// Format in which the receiver reports data beyond the cumulative acknowledgment; none without
    /// reports.
    pub fn reports(&self) -> Option<Reports> {
        self.congestion.reports()
    }

    /// The shift of the advertised window in bits: RFC 7323, section 2.
    pub fn window_shift(&self) -> u32 {
        if !self.window_scaling {
            return 0;
        }
        let fits = |shift: &u32| self.window.largest() >> shift <= LARGEST_UNSCALED;
        (0..MOST_SHIFT).find(fits).unwrap_or(MOST_SHIFT)
    }

    /// The window as advertised, or the largest if it grows, in octets.
    pub fn advertised(&self) -> u64 {
        let shift = self.window_shift();
        (self.window.largest() >> shift).min(LARGEST_UNSCALED) << shift
    }

    /// Octets of the advertised window that a full packet takes.
    pub fn counted(&self) -> u64 {
        match self.window_counts {
            WindowCounts::Packets => self.packet.0,
            WindowCounts::Data => self.packet.0 - self.overhead(),
        }
    }

    /// Limits of the congestion window, in octets of user data, among cells of this format.
    pub fn limits(&self, cells: CellFormat) -> Limits {
        let mss = self.mss();
        let window = self.whole_segments(self.advertised());
        let ssthresh = match self.initial_ssthresh {
            Amount::Share(share) => (share * window as f64) as u64,
            Amount::Bytes(octets) => octets,
            Amount::Cells(count) => count * cells.payload(),
        };
        Limits {
            mss,
            window,
            // The default is the one segment of 4.3BSD; RFC 5681, section 3.1, permits up to four,
            // and RFC 6928 ten.
            initial: u64::from(self.initial_window) * mss,
            ssthresh,
            header: self.overhead(),
        }
    }
}
