//! TCP, from which every choice that has ever changed a result can be taken by name.
//!
//! A connection exists from the start, or is opened by a handshake; it is never closed. Sequence
//! numbers do not wrap. See the concept page for what else is left out.

pub mod acknowledge;
pub mod backoff;
pub mod congestion;
mod opening;
pub mod receiver;
pub mod recovery;
mod retransmission;
pub mod sender;
pub mod slow_start;
pub mod standard;
pub mod timers;
pub mod window;

use parameters::{Amount, Bytes, Conflict, choices, parameters};

use super::{Connection, Ends, Headers, RateLimit, TransportKind};
use crate::carriage::Wrapping;
use acknowledge::{AcknowledgeSpec, Reception};
use backoff::BackoffSpec;
use congestion::{CongestionSpec, Limits};
use receiver::TcpReceiver;
use recovery::Reports;
use sender::TcpSender;
use timers::TimersSpec;

parameters! {
    /// TCP between the two ends of a flow.
    #[check(conflict)]
    pub struct Tcp {
        /// Size of a full packet, headers included.
        #[range("1 B", "16 MiB")]
        pub packet: Bytes = "1500 B",
        /// Octets of each packet that are not user data.
        pub header: Bytes = "40 B",
        /// Size of a pure acknowledgment.
        #[range("1 B", "64 KiB")]
        pub acknowledgment: Bytes = "40 B",
        /// Window that the receiver advertises, taken in whole segments and never less than one.
        #[range("1 B", "1 GiB")]
        pub window: Bytes = "64 KiB",
        /// What the octets of the window are.
        pub window_counts: WindowCounts = "packets",
        /// Whether a window may exceed 65535 octets: RFC 7323, section 2.
        pub window_scaling: bool = true,
        /// Slow-start threshold at the start, as an amount or as a share of the window.
        pub initial_ssthresh: Amount = "100 %",
        /// Congestion window at the start, in packets.
        #[range(1, 1000)]
        pub initial_window: u32 = 1,
        /// Whether a SYN and its answer come before data.
        pub handshake: bool = false,
        /// How the congestion window answers acknowledgments, losses and marks.
        pub congestion: CongestionSpec = default,
        /// Identical acknowledgments after the first that make a fast retransmit.
        #[range(1, 1000)]
        pub duplicates: u32 = 3,
        /// Whether a fast retransmit may follow another before the data of the first is acknowledged.
        pub repeated_fast_retransmit: Repeated = "allowed",
        /// Whether the first two duplicates let a new segment go each: RFC 3042.
        pub limited_transmit: bool = false,
        /// When the receiver acknowledges what came in order.
        pub acknowledge: AcknowledgeSpec = default,
        /// Whether marks of the network are echoed to the sender, and how.
        pub ecn: Ecn = "auto",
        /// What an idle time does to the congestion window.
        pub idle_restart: Idle = "never",
        /// How the retransmission timeout is estimated.
        pub timers: TimersSpec = default,
        /// How the timeout grows when it expires again, and when it shrinks.
        pub backoff: BackoffSpec = default,
        /// Whether small packets wait while data is outstanding.
        pub nagle: bool = false,
    }
}

choices! {
    /// Whether duplicates caused by a sender's own retransmissions may trigger it again.
    pub enum Repeated {
        /// Nothing is remembered: BSD, and the simulators of 1994.
        allowed => Allowed,
        /// Only once more than all data sent before the last loss is acknowledged: `bugFix_` of ns.
        guarded => Guarded,
    }
}

choices! {
    /// What the octets of a window are.
    pub enum WindowCounts {
        /// Whole packets, headers included, as where studies count packets.
        packets => Packets,
        /// User data, as on the wire.
        data => Data,
    }
}

choices! {
    /// Explicit congestion notification: marks of routers (CE) and of ATM switches (EFCI).
    pub enum Ecn {
        /// As the congestion control needs it: exact for `dctcp`, else off.
        auto => Auto,
        /// Marks are ignored.
        off => Off,
        /// Echoed until the sender tells that it has reduced its window: RFC 3168.
        classic => Classic,
        /// Echoed exactly, packet by packet, which DCTCP needs: RFC 8257, section 3.2.
        exact => Exact,
    }
}

choices! {
    /// What becomes of the congestion window when nothing was sent for a retransmission timeout.
    pub enum Idle {
        /// Nothing.
        never => Never,
        /// One segment: 4.3BSD-Reno.
        bsd => Bsd,
        /// No more than the initial window: RFC 5681, section 4.1.
        rfc5681 => Rfc5681,
    }
}

/// Most bits by which a window may be shifted: RFC 7323, section 2.3.
const MOST_SHIFT: u32 = 14;

/// Largest window that fits in the header of a segment.
const LARGEST_UNSCALED: u64 = 65_535;

impl Tcp {
    /// The two ends of a connection.
    pub fn build(&self, connection: &Connection) -> Ends {
        Ends {
            sender: Box::new(TcpSender::new(self, connection)),
            receiver: Box::new(self.receiver(connection)),
        }
    }

    fn receiver(&self, connection: &Connection) -> TcpReceiver {
        let limits = self.limits();
        let reception = Reception {
            mss: limits.mss,
            window: limits.window,
            random: connection
                .seed
                .stream(&connection.name, "phase of the receiver's clock"),
        };
        TcpReceiver::new(
            self.acknowledgment.0 as u32,
            self.acknowledge.build(&reception),
            self.reports(),
            self.echo(),
        )
    }

    /// How marks are echoed: never [`Ecn::Auto`].
    pub fn echo(&self) -> Ecn {
        match self.ecn {
            Ecn::Auto if self.congestion.needs_exact_marks() => Ecn::Exact,
            Ecn::Auto => Ecn::Off,
            said => said,
        }
    }

    fn conflict(&self) -> Option<Conflict> {
        if self.congestion.needs_exact_marks() && self.echo() != Ecn::Exact {
            return Some(Conflict {
                name: "ecn",
                problem: format!(
                    "`{}` needs to know exactly what was marked",
                    self.congestion.kind()
                ),
                hint: "write `ecn = \"exact\"`".into(),
            });
        }
        if self.handshake && self.header.0 == 0 {
            return Some(Conflict {
                name: "handshake",
                problem: "a SYN is only a header, and `header` is `0 B`".into(),
                hint: "make `header` at least `1 B`, or leave `handshake` out".into(),
            });
        }
        (self.header >= self.packet).then(|| Conflict {
            name: "header",
            problem: format!(
                "a header of `{} B` leaves no room in a packet of `{} B`",
                self.header.0, self.packet.0
            ),
            hint: "make `packet` larger than `header`".into(),
        })
    }

    /// How the receiver reports what it has beyond the cumulative acknowledgment, if it does.
    pub fn reports(&self) -> Option<Reports> {
        self.congestion.reports()
    }

    /// By how many bits the advertised window is shifted: RFC 7323, section 2.
    pub fn window_shift(&self) -> u32 {
        if !self.window_scaling {
            return 0;
        }
        let fits = |shift: &u32| self.window.0 >> shift <= LARGEST_UNSCALED;
        (0..MOST_SHIFT).find(fits).unwrap_or(MOST_SHIFT)
    }

    /// The window as it can be advertised, in octets.
    pub fn advertised(&self) -> u64 {
        let shift = self.window_shift();
        (self.window.0 >> shift).min(LARGEST_UNSCALED) << shift
    }

    /// Octets of the window that a full packet takes.
    pub fn counted(&self) -> u64 {
        match self.window_counts {
            WindowCounts::Packets => self.packet.0,
            WindowCounts::Data => self.packet.0 - self.header.0,
        }
    }

    /// What the congestion window may range over, in octets of user data.
    pub fn limits(&self) -> Limits {
        let mss = self.packet.0 - self.header.0;
        let window = (self.advertised() / self.counted()).max(1) * mss;
        let ssthresh = match self.initial_ssthresh {
            Amount::Share(share) => (share * window as f64) as u64,
            Amount::Bytes(octets) => octets,
            Amount::Cells(cells) => cells * crate::cell::PAYLOAD_OCTETS,
        };
        Limits {
            mss,
            window,
            initial: u64::from(self.initial_window) * mss,
            ssthresh,
        }
    }
}

impl TransportKind for Tcp {
    fn full_packet(&self) -> u64 {
        self.packet.0
    }

    /// An acknowledgment, a header with one octet of data, or, in a handshake, a header without any.
    fn smallest_packet(&self) -> u64 {
        let data = u64::from(!self.handshake);
        self.acknowledgment.0.min(self.header.0 + data)
    }

    fn full_payload(&self) -> u64 {
        self.limits().mss
    }

    fn keeps_messages(&self) -> bool {
        false
    }

    fn has_flow_control(&self) -> bool {
        true
    }

    fn rate_limit(&self, _over: Wrapping) -> Option<RateLimit> {
        None
    }

    fn answers_marks(&self) -> Option<&'static str> {
        (self.echo() != Ecn::Off).then(|| self.congestion.kind())
    }

    fn doubts(&self) -> Vec<String> {
        let packet = self.counted();
        let narrow = (self.advertised() < packet).then(|| {
            format!(
                "`transport.tcp.window` of `{} B` holds no packet of `{packet} B`, of which one is \
                 sent at a time: make it at least `{packet} B`",
                self.advertised()
            )
        });
        narrow.into_iter().collect()
    }

    fn headers(&self) -> Headers<'_> {
        Headers::Tcp(self)
    }
}
