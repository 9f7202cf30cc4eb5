//! Spurious losses: their detection by time stamps and by reports of duplicates, and the state that
//! is restored. RFC 3522, section 3.2; RFC 3708, section 3; RFC 4015, section 3.1.
//!
//! Nothing gives back what a mark takes: a window of data with a mark has to reduce the window once
//! (RFC 3168, section 6.1.2). An echo of a mark during an episode lets the reduced windows stay, on
//! the acknowledgment that shows the mistake (RFC 4015, section 3.1, step 9) and on each before it
//! (`tcp_fastretrans_alert` of Linux: "ECE, hence prohibit cwnd undoing, the reduction is required").
//! A mark that reduces the window itself ends the episode (`tcp_enter_cwr`). If a mark reduced it in
//! the window of data before a loss, the windows return to that reduction at most. The reduction that
//! follows from the acknowledgment of a loss probe is not undone.
//!
//! These functions stay out of line: other senders pay for one comparison at each call.

use kernel::Time;

use super::forward::Forward;
use super::mark_response::MarkResponse;
use super::window::CongestionWindow;
use crate::transport::ranges::Ranges;
use crate::transport::tcp::Tcp;
use crate::transport::tcp::congestion::{CongestionControl, Prior};
use crate::transport::tcp::recovery::Outstanding;
use crate::transport::tcp::retransmission::RetransmissionTimer;
use crate::transport::tcp::spurious::{EifelRule, ForwardRto, Response, Spurious};
use crate::transport::tcp::timers::RttEstimate;
use crate::wire::segment::Segment;

/// State of a sender that detects spurious losses.
pub(super) struct Undo {
    pub(super) spec: Spurious,
    /// True if F-RTO uses SACK blocks.
    pub(super) is_enhanced: bool,
    /// The last loss or timeout, until its reduction is undone or cannot be.
    episode: Option<Episode>,
    /// Data that was sent again since the episode began.
    resent: Ranges,
    /// Retransmissions since the episode began that no D-SACK block has reported.
    unreported: u32,
    /// The retransmission by which the last loss was found spurious, and which is already counted.
    counted: Option<(u64, u64)>,
    /// True once a D-SACK block has arrived.
    knows_duplicates: bool,
    pub(super) forward: Forward,
    /// End of the data that had been sent when a mark last reduced the window.
    marked: Option<u64>,
    /// End of the data sent before a timeout that was spurious, and the estimate before it:
    /// RFC 4015, section 3.1, step 11.
    timing: Option<(u64, RttEstimate)>,
}

/// A loss or a timeout, which may prove to be spurious.
struct Episode {
    is_timeout: bool,
    /// The windows before it.
    prior: Prior,
    /// `pipe_prev` of RFC 4015: the flight size, or ssthresh if that is larger.
    pipe: u64,
    windows_return: WindowReturn,
    /// The response to marks before it.
    marks: Option<MarkResponse>,
    /// The estimate of the round-trip time before it.
    estimate: Option<RttEstimate>,
    /// End of the data sent.
    end: u64,
    /// Time of the first retransmission, `RetransmitTS` of RFC 3522, and its octets.
    first: Option<(Time, (u64, u64))>,
    /// True until new data is acknowledged after the first retransmission.
    waits: bool,
    /// False if a D-SACK block has reported data that was sent once, so that the network duplicates
    /// segments: RFC 3708, section 3.
    trusts_duplicates: bool,
}

/// The windows to which a sender may return from an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WindowReturn {
    /// Those before it.
    Whole,
    /// At most the window to which a mark had reduced a larger one, and which what is in flight may
    /// still exceed.
    ToReduction(u64),
    /// None: an acknowledgment since then has echoed a mark.
    Forbidden,
}

impl WindowReturn {
    /// As many of the octets as the windows may return to.
    fn bound(self, octets: u64) -> u64 {
        match self {
            WindowReturn::ToReduction(most) => octets.min(most),
            WindowReturn::Whole | WindowReturn::Forbidden => octets,
        }
    }
}

impl Undo {
    /// The state of a sender that detects what its parameters say; none if that is nothing.
    pub(super) fn of(tcp: &Tcp) -> Option<Undo> {
        let spec = &tcp.spurious;
        spec.is_on().then(|| Undo {
            spec: spec.clone(),
            is_enhanced: spec.f_rto == ForwardRto::Sack && tcp.reports().is_some(),
            episode: None,
            resent: Ranges::default(),
            unreported: 0,
            counted: None,
            knows_duplicates: false,
            forward: Forward::default(),
            marked: None,
            timing: None,
        })
    }

    /// True if an acknowledgment of new data echoes a time before the first retransmission; `out` is
    /// the state before it, but for the SACK blocks.
    fn echoes_the_first_copy(&mut self, segment: &Segment, out: &Outstanding) -> bool {
        let Some(episode) = &mut self.episode else {
            return false;
        };
        let Some((resent_at, _)) = episode.first else {
            return false;
        };
        let is_first = std::mem::take(&mut episode.waits);
        let counts = match self.spec.eifel.0 {
            EifelRule::Off => false,
            // RFC 3522, section 3.2, steps 3 to 5. An acknowledgment of all data may follow from the
            // loss of all earlier acknowledgments, which reports of duplicates would exclude: step 5.
            EifelRule::Rfc3522 => {
                is_first
                    && segment.duplicate().is_none()
                    && (self.knows_duplicates || segment.ack < out.max)
            }
            // Departs from Linux, which sends no further retransmission while it waits for the last
            // of those on their way.
            EifelRule::Linux => {
                let may_end = episode.is_timeout || segment.ack >= episode.end;
                out.una < episode.end && (may_end || !self.has_resent_on_its_way(segment.ack, out))
            }
        };
        counts && segment.stamp().is_some_and(|stamp| stamp < resent_at)
    }

    /// True if data that was sent again is neither below `ack` nor reported.
    fn has_resent_on_its_way(&self, ack: u64, out: &Outstanding) -> bool {
        let mut gaps = out.sacked.gaps(ack.max(out.una), out.max);
        gaps.any(|(start, end)| self.resent.octets(start, end) > 0)
    }

    /// Takes a D-SACK block. Returns the number of retransmissions that it newly shows to be
    /// needless, and true if all of the episode are: RFC 3708, section 3.
    ///
    /// Departs from its step A: a block for a segment that was retransmitted more than once counts
    /// (A.3 stops), so do blocks at `una` before any other SACK block (A.1 stops), and a duplicate
    /// of the network ends the undoing of this episode only (A.4: of the connection).
    fn take_duplicate(&mut self, (start, end): (u64, u64)) -> (u32, bool) {
        self.knows_duplicates = true;
        if start >= end {
            return (0, false);
        }
        if self.resent.octets(start, end) < end - start || self.unreported == 0 {
            if let Some(episode) = &mut self.episode {
                episode.trusts_duplicates = false;
            }
            return (0, false);
        }
        self.unreported -= 1;
        let is_counted = self.counted.take_if(|known| *known == (start, end));
        let is_trusted = self.episode.as_ref().is_some_and(|it| it.trusts_duplicates);
        let news = u32::from(is_counted.is_none());
        (news, is_trusted && self.unreported == 0)
    }

    /// Records the state before a loss or a timeout reduces the window: RFC 4015, section 3.1, step 0.
    #[cold]
    pub(super) fn remember(
        &mut self,
        is_timeout: bool,
        data: &Outstanding,
        timer: &RetransmissionTimer,
        control: &mut dyn CongestionControl,
        marks: Option<&MarkResponse>,
    ) {
        self.timing = None;
        if !is_timeout {
            self.forward.on_recovery(data.max);
        }
        // A timeout that follows another before all data of the first is acknowledged belongs to the
        // same episode. A timeout within a fast recovery is judged by itself.
        let goes_on = |known: &Episode| data.una < known.end && known.is_timeout;
        if is_timeout && self.episode.as_ref().is_some_and(goes_on) {
            return;
        }
        let prior = control.remember();
        self.resent = Ranges::default();
        self.unreported = 0;
        self.counted = None;
        let is_reduced = self.marked.is_some_and(|end| data.una <= end);
        let windows_return = if is_reduced {
            WindowReturn::ToReduction(prior.cwnd)
        } else {
            WindowReturn::Whole
        };
        self.episode = Some(Episode {
            is_timeout,
            prior,
            pipe: windows_return.bound(data.flight()).max(prior.ssthresh),
            windows_return,
            marks: marks.copied(),
            estimate: timer.estimate(),
            end: data.max,
            first: None,
            waits: true,
            trusts_duplicates: true,
        });
    }

    /// Records that `[start, end)` is sent again.
    #[cold]
    pub(super) fn note_resent(&mut self, now: Time, start: u64, end: u64) {
        self.resent.insert(start, end);
        self.unreported += 1;
        if let Some(episode) = &mut self.episode {
            episode.first.get_or_insert((now, (start, end)));
        }
    }

    /// A mark reduces the window, which no later finding undoes; `end` is that of the data sent.
    #[cold]
    pub(super) fn keep_reduction(&mut self, end: u64) {
        self.episode = None;
        self.marked = Some(end);
    }

    /// A mark is echoed after a loss that has reduced the window for the marked data too: the
    /// reduction is required, by this episode and by those in the same window of data, up to `end`.
    #[cold]
    pub(super) fn require_reduction(&mut self, end: u64) {
        if let Some(episode) = &mut self.episode {
            episode.windows_return = WindowReturn::Forbidden;
            self.marked = Some(end);
        }
    }

    /// Looks for a sign in an acknowledgment that the last loss was spurious; `news` is the number of
    /// octets that SACK blocks report for the first time. Returns the number of retransmissions that
    /// are newly known to be needless, and true if the loss was spurious. If a timeout was due instead,
    /// conventional recovery begins.
    #[cold]
    pub(super) fn judge(
        &mut self,
        segment: &Segment,
        news: u64,
        data: &mut Outstanding,
        control: &mut dyn CongestionControl,
    ) -> (u32, bool) {
        let advances = segment.ack > data.una;
        let mut found = advances && self.echoes_the_first_copy(segment, data);
        found |= self.go_forward(segment, news, data, control);
        let mut count = 0;
        if found && let Some((_, first)) = self.episode.as_ref().and_then(|known| known.first) {
            self.counted = Some(first);
            count = 1;
        }
        if let Some(block) = segment.duplicate().filter(|_| self.spec.d_sack) {
            let (news, all) = self.take_duplicate(block);
            count += news;
            found |= all;
        }
        (count, found)
    }

    /// Returns to the windows before the last loss or timeout, upon the acknowledgment `segment`:
    /// RFC 4015, section 3.1, steps 8, 9 and 11. Returns true if there was any.
    #[cold]
    pub(super) fn restore(
        &mut self,
        segment: &Segment,
        data: &Outstanding,
        window: &mut CongestionWindow,
        marks: Option<&mut MarkResponse>,
    ) -> bool {
        self.forward = Forward::default();
        let Some(episode) = self.episode.take() else {
            return false;
        };
        let response = self.spec.response;
        if episode.is_timeout && response == Response::Rfc4015 {
            self.timing = episode.estimate.map(|estimate| (episode.end, estimate));
        }
        // Step 9: a mark would have reduced the window too.
        let is_marked = segment.flags.ece && marks.is_some();
        if is_marked {
            self.marked = Some(data.max);
        }
        if !is_marked && episode.windows_return != WindowReturn::Forbidden {
            let acknowledged = segment.ack.saturating_sub(data.una);
            let flight = data.max - segment.ack.max(data.una);
            let conserved = flight + acknowledged.min(window.initial(data.mss));
            window.control.undo(&match response {
                Response::Full => episode.prior,
                Response::Rfc4015 => Prior {
                    cwnd: episode.windows_return.bound(conserved),
                    ssthresh: episode.pipe,
                },
            });
            if let (Some(marks), Some(before)) = (marks, &episode.marks) {
                marks.undo_reduction(before);
            }
        }
        true
    }

    /// After a spurious timeout the estimate is raised upon the first round-trip time of data sent
    /// later, which is below `ack`: RFC 4015, section 3.1, step 11. Returns the estimate before.
    #[cold]
    pub(super) fn raises(&mut self, ack: u64) -> Option<RttEstimate> {
        let timing = self.timing.take_if(|(end, _)| ack > *end);
        timing.map(|(_, before)| before)
    }
}
