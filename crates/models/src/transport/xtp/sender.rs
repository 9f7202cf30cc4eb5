//! The sending end of XTP: sends at its rate, requests answers, and retransmits missing data.
//!
//! The sender has no congestion window. Its rate, its output buffer and the synchronising handshake
//! limit it: when no answer comes in time, the sender stops sending data and repeats its request
//! until the receiver has reported its state: Ajmone Marsan, Bianco, Lo Cigno, Munafò and Baldi, "On
//! the Performance of Transport Protocols over ATM Networks", section 2.2.

use kernel::Time;

use super::buffer::{Next, SendBuffer};
use super::rate::RateControl;
use super::retransmission::{ReceiverReport, Retransmission};
use super::wtimer::WTimer;
use super::{RateCounts, RepeatedNak, Xtp, format};
use crate::bearer::Wrapping;
use crate::metrics::{Limit, SenderMeter};
use crate::transport::{Connection, Segment, Sender, SenderState, StateValue, Transmit};
use crate::wire::segment::Options;

/// The sending end.
pub struct XtpSender {
    over: Wrapping,
    rate_counts: RateCounts,
    /// Number of data packets from one request to the next.
    request_interval: u32,
    fast_nak: bool,
    repeated: RepeatedNak,
    retransmission: Box<dyn Retransmission>,
    buffer: SendBuffer,
    rate: RateControl,
    timer: WTimer,
    /// Number of the latest request: `sync`.
    request: u32,
    /// Number of data packets sent since the latest request.
    since_request: u32,
    /// True during a handshake, in which no data is sent.
    handshake: bool,
    limit: Limit,
    meter: SenderMeter,
}

impl XtpSender {
    /// A sender before its first packet.
    pub fn new(spec: &Xtp, connection: &Connection) -> XtpSender {
        let full = spec.rate_counts.octets(spec.packet.0, connection.over);
        XtpSender {
            over: connection.over,
            rate_counts: spec.rate_counts,
            request_interval: spec.request_interval,
            fast_nak: spec.fast_nak,
            repeated: spec.repeated_nak,
            retransmission: spec.retransmission.build(&()),
            buffer: SendBuffer::new(spec.buffer, spec.payload()),
            rate: RateControl::new(u64::from(spec.burst) * full, spec.rate),
            timer: WTimer::new(&spec.wtimer),
            request: 0,
            since_request: 0,
            handshake: false,
            limit: Limit::default(),
            meter: SenderMeter::default(),
        }
    }

    /// Sends as much as buffer, rate and application allow, and records which of them limits the
    /// sender.
    fn send_available(&mut self, now: Time, out: &mut dyn Transmit) {
        self.limit = loop {
            if self.handshake {
                break Limit::Handshake;
            }
            match self.buffer.next() {
                Next::Nothing => break Limit::Application,
                Next::Full => break Limit::ReceiverWindow,
                Next::Packet { seq, len, again } => {
                    let packet = Segment::data(seq, len);
                    let octets = format::octets(&packet);
                    let counted = self.rate_counts.octets(octets, self.over);
                    if counted > self.rate.credit(now) {
                        break Limit::Rate;
                    }
                    self.rate.sent(now, counted);
                    self.meter.sent(now, u64::from(len), !again);
                    let options = self.options(now);
                    out.transmit(now, packet.with_options(options), octets);
                }
            }
        };
        let is_stuck = matches!(self.limit, Limit::Application | Limit::ReceiverWindow);
        if is_stuck && self.buffer.octets() > 0 && self.timer.deadline() == Time::NEVER {
            // Without a handshake no later request would decide whether the packet was lost. This
            // happens only if requests are several packets apart, and a retransmission is lost
            // again.
            self.begin_handshake(now, out);
        }
    }

    /// Counts the next data packet, and returns its options. Every `request_interval`-th packet
    /// requests an answer (section 2.2). Our own rule: so does a packet with no data after it,
    /// because the loss of the last packet would otherwise never be reported.
    fn options(&mut self, now: Time) -> Options {
        self.since_request += 1;
        let sreq = self.since_request >= self.request_interval || self.buffer.next_is_last();
        if sreq {
            self.ask(now);
            self.buffer.sent(self.request);
        } else {
            self.buffer.sent(self.request + 1);
        }
        Options {
            request: self.request,
            sreq,
            fast_nak: self.fast_nak,
            ..Options::default()
        }
    }

    /// Makes a request. WTIMER restarts, so it guards this request only: the single timer of
    /// section 2.2; the specification also permits a timer for each request.
    fn ask(&mut self, now: Time) {
        self.request += 1;
        self.since_request = 0;
        self.timer.start(now);
    }

    /// Stops sending data, and requests the state of the receiver.
    fn begin_handshake(&mut self, now: Time, out: &mut dyn Transmit) {
        self.handshake = true;
        self.limit = Limit::Handshake;
        self.ask_alone(now, out);
    }

    /// Sends a request in a control packet, which gives the end of the data sent.
    fn ask_alone(&mut self, now: Time, out: &mut dyn Transmit) {
        self.ask(now);
        let question = Segment::data(self.buffer.next_new(), 0).with_options(Options {
            request: self.request,
            sreq: true,
            ..Options::default()
        });
        out.transmit(now, question, format::octets(&question));
    }

    /// WTIMER expires: no answer has come in time. The first expiry begins a synchronising
    /// handshake with the usual WTIMER; a further expiry repeats the request, and doubles WTIMER
    /// (section 2.2).
    fn on_expiry(&mut self, now: Time, out: &mut dyn Transmit) {
        self.meter
            .timed_out(now, self.buffer.una(), self.buffer.next_new());
        if self.handshake {
            self.timer.double();
            self.ask_alone(now, out);
        } else {
            self.begin_handshake(now, out);
        }
    }

    /// The packet at `seq` arrived trimmed, which answers no request: a trimmed packet may overtake
    /// data that was sent before it.
    fn on_trimmed(&mut self, now: Time, seq: u64, out: &mut dyn Transmit) {
        if self.retransmission.on_trimmed(&mut self.buffer, seq) {
            let (una, end) = (self.buffer.una(), self.buffer.next_new());
            self.meter.fast_retransmitted(una, end);
        }
        self.send_available(now, out);
    }

    fn on_answer(&mut self, now: Time) {
        if let Some(rtt) = self.timer.answered(now, self.handshake) {
            self.meter.round_trip(rtt);
        }
        self.handshake = false;
    }
}

impl Sender for XtpSender {
    fn write(&mut self, now: Time, octets: u64, out: &mut dyn Transmit) {
        self.buffer.write(octets);
        self.send_available(now, out);
    }

    fn receive(&mut self, now: Time, packet: &Segment, out: &mut dyn Transmit) {
        let Some(Options {
            request: echo,
            missing,
            trimmed,
            ..
        }) = packet.options()
        else {
            return;
        };
        if packet.ack > self.buffer.next_new() || echo > self.request {
            return;
        }
        let una = self.buffer.una();
        self.buffer.on_report(packet);
        if trimmed {
            return self.on_trimmed(now, packet.seq, out);
        }
        let answers = echo == self.request && self.timer.deadline() < Time::NEVER;
        let after_handshake = answers && self.handshake;
        if answers {
            self.on_answer(now);
        }
        let report = ReceiverReport {
            echo,
            missing,
            repeated: self.repeated,
        };
        let lost = self.retransmission.on_report(&mut self.buffer, &report);
        // Losses that a handshake reveals were counted when the handshake began.
        if lost && !after_handshake {
            self.meter.fast_retransmitted(una, self.buffer.next_new());
        }
        self.send_available(now, out);
    }

    fn next_wake(&self) -> Time {
        if self.limit == Limit::Rate {
            self.timer.deadline().min(self.rate.rtimer())
        } else {
            self.timer.deadline()
        }
    }

    /// RTIMER paces the sender, and ends no silence.
    fn awaits_timer(&self) -> bool {
        self.timer.deadline() < Time::NEVER
    }

    /// If WTIMER and RTIMER expire at one instant, the handshake begins and no further data is
    /// sent.
    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.next_wake() > now {
            return;
        }
        if self.timer.deadline() <= now {
            self.on_expiry(now, out);
        }
        self.send_available(now, out);
    }

    fn meter(&mut self) -> &mut SenderMeter {
        &mut self.meter
    }

    fn acknowledged(&self) -> u64 {
        self.buffer.una()
    }

    fn limit(&self) -> Limit {
        self.limit
    }

    fn limits(&self) -> &'static [Limit] {
        &[
            Limit::Rate,
            Limit::Handshake,
            Limit::ReceiverWindow,
            Limit::Application,
            Limit::Timeout,
        ]
    }

    fn state(&self, now: Time) -> Option<SenderState> {
        Some(SenderState([
            ("buffered", StateValue::Octets(self.buffer.octets())),
            ("credit", StateValue::Octets(self.rate.credit(now))),
            ("srtt", StateValue::Time(self.timer.srtt())),
            ("wtimer", StateValue::Time(self.timer.span())),
        ]))
    }
}
