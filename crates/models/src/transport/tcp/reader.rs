//! The receive buffer of an application that does not read data at once, and the window that it offers.
//!
//! RFC 9293, section 3.8.6.2.2: the right edge of the window never moves back, and moves on only by a
//! full segment or half of the buffer, whichever is less. An acknowledgment of its own tells the sender
//! of a window that is at least twice the last one: `__tcp_cleanup_rbuf` of Linux.

use kernel::{Duration, Rate, Time};

use super::receive_window::Tuning;
use crate::wire::segment::Segment;

/// Picoseconds in a second.
const SECOND: u128 = 1_000_000_000_000;

/// The application that reads the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferReader {
    /// It reads at once.
    AtOnce,
    /// It reads at a rate.
    Rate(Rate),
    /// It reads only when [`ReceiveBuffer::read`] is called.
    ByHand,
}

/// A receive buffer and its reader. Octets are counted from the start of the connection.
#[derive(Clone, Copy, Debug)]
pub struct ReceiveBuffer {
    /// Octets that fit: RCV.BUFF.
    capacity: u64,
    /// Growth of the window, if it grows; the capacity is then that of the present buffer.
    tuning: Option<Tuning>,
    /// Advance of the right edge that is worth offering.
    step: u64,
    reader: BufferReader,
    /// Octets that had been read at `since`.
    read: u64,
    since: Time,
    /// The right edge: one more than the last octet offered.
    edge: u64,
    /// The window that was offered last.
    window: u64,
}

impl ReceiveBuffer {
    /// An empty buffer for `capacity` octets in segments of at most `mss`.
    pub fn new(capacity: u64, mss: u64, reader: BufferReader) -> ReceiveBuffer {
        ReceiveBuffer {
            capacity,
            tuning: None,
            // Data that is read at once frees as much as arrives, which no sender waits for.
            step: if reader == BufferReader::AtOnce {
                1
            } else {
                // At least an octet, of a buffer for a single one too: an advance of nothing would be
                // told again and again.
                mss.min(capacity / 2).max(1)
            },
            reader,
            read: 0,
            since: Time::ZERO,
            edge: capacity,
            window: capacity,
        }
    }

    /// This buffer with a window that grows from `window` octets on.
    pub fn tuned(self, window: u64, tuning: Tuning) -> ReceiveBuffer {
        ReceiveBuffer {
            capacity: tuning.space(),
            tuning: Some(tuning),
            edge: window,
            window,
            ..self
        }
    }

    /// This buffer of an application that has read all octets below `next`.
    pub fn begun_at(self, next: u64) -> ReceiveBuffer {
        ReceiveBuffer {
            read: next,
            edge: next + self.capacity,
            ..self
        }
    }

    /// One more than the last octet that the sender may send.
    pub fn edge(&self) -> u64 {
        self.edge
    }

    /// The application reads `octets` of those below `next`, and reads by itself no more.
    pub fn read(&mut self, now: Time, next: u64, octets: u64) {
        self.read = (self.read_by(now, next) + octets).min(next);
        self.reader = BufferReader::ByHand;
        self.note_read(now, next);
    }

    /// Data arrives after all octets below `next`: a reader that had read everything begins with it.
    pub fn on_data(&mut self, now: Time, next: u64) {
        if self.read_by(now, next) == next {
            (self.read, self.since) = (next, now);
        }
    }

    /// Octets read by `now`, of those below `next`.
    fn read_by(&self, now: Time, next: u64) -> u64 {
        let rate = match self.reader {
            BufferReader::AtOnce => return next,
            BufferReader::Rate(rate) => rate,
            BufferReader::ByHand => return self.read,
        };
        let span = u128::from(now.since(self.since).ps());
        let read = span * u128::from(rate.bits_per_second()) / (8 * SECOND);
        let read = u64::try_from(read).unwrap_or(u64::MAX);
        self.read.saturating_add(read).min(next)
    }

    /// The window that an acknowledgment of all octets below `next` offers.
    pub fn offer(&mut self, now: Time, next: u64) -> u64 {
        let free = self.free(now, next);
        if free >= self.edge - next + self.step {
            self.edge = next + free;
        }
        self.window = self.edge - next;
        self.window
    }

    /// The largest window that the free part of the buffer allows.
    fn free(&self, now: Time, next: u64) -> u64 {
        let unread = next - self.read_by(now, next);
        let free = self.capacity.saturating_sub(unread);
        self.tuning
            .map_or(free, |tuning| free.min(tuning.offered()))
    }

    /// A segment arrives; a receiver that tunes its window measures round-trip times.
    pub fn on_segment(&mut self, now: Time, segment: &Segment) {
        if let Some(tuning) = &mut self.tuning {
            tuning.on_segment(now, segment.len.into(), segment.clock());
            self.capacity = tuning.space();
        }
    }

    /// The data of a segment is new; all octets below `next` have now arrived, with it if it
    /// `is_in_order`. Returns true if the window grows. Data beyond a hole makes it grow only if there
    /// are SACK blocks, since duplicates without them keep the window (`tcp_data_queue_ofo` of Linux).
    pub fn grows(
        &mut self,
        now: Time,
        len: u64,
        next: u64,
        is_in_order: bool,
        has_sacks: bool,
    ) -> bool {
        let window = self.window;
        let Some(tuning) = &mut self.tuning else {
            return false;
        };
        if is_in_order {
            tuning.on_data(now, len, next, window)
        } else {
            has_sacks && tuning.grow(len)
        }
    }

    /// The application has read what it could: the window is tuned to it.
    pub fn note_read(&mut self, now: Time, next: u64) {
        let read = self.read_by(now, next);
        if let Some(tuning) = &mut self.tuning {
            tuning.on_read(now, read);
            self.capacity = tuning.space();
        }
    }

    /// Free octets from which the window deserves an acknowledgment of its own.
    fn worth(&self, next: u64) -> u64 {
        let window = self.edge - next;
        (window + self.step).max(2 * window)
    }

    /// True if the window deserves an acknowledgment of its own.
    pub fn has_opened(&self, now: Time, next: u64) -> bool {
        self.free(now, next) >= self.worth(next)
    }

    /// The time at which the window deserves an acknowledgment of its own, if nothing arrives before;
    /// [`Time::NEVER`] if it does not.
    pub fn opens(&self, next: u64) -> Time {
        let worth = self.worth(next);
        let most = self.tuning.map_or(self.capacity, |tuning| tuning.offered());
        let BufferReader::Rate(rate) = self.reader else {
            return Time::NEVER;
        };
        if worth > most.min(self.capacity) {
            return Time::NEVER;
        }
        let octets = (next + worth)
            .saturating_sub(self.capacity)
            .saturating_sub(self.read);
        let bits = 8 * SECOND * u128::from(octets);
        let span = bits.div_ceil(u128::from(rate.bits_per_second()));
        self.since + Duration::from_ps(u64::try_from(span).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_ms(ms)
    }

    /// A buffer of 4000 octets, in segments of 1000, read at 1000 octets a second.
    fn slow() -> ReceiveBuffer {
        let rate = Rate::from_bits_per_second(8000);
        ReceiveBuffer::new(4000, 1000, BufferReader::Rate(rate))
    }

    #[test]
    fn the_window_closes_and_opens_by_a_segment() {
        let mut buffer = slow();
        buffer.on_data(at(0), 0);
        assert_eq!(buffer.offer(at(0), 4000), 0);
        // 999 octets are free, and then 1000.
        assert_eq!(
            (buffer.offer(at(999), 4000), buffer.opens(4000)),
            (0, at(1000))
        );
        assert!(!buffer.has_opened(at(999), 4000) && buffer.has_opened(at(1000), 4000));
        assert_eq!(buffer.offer(at(1000), 4000), 1000);
        // A window of 1000 octets is worth another acknowledgment at 2000, and one of 3000 never.
        assert_eq!(buffer.opens(4000), at(2000));
        assert_eq!(buffer.offer(at(3000), 4000), 3000);
        assert_eq!(buffer.opens(4000), Time::NEVER);
    }

    #[test]
    fn a_window_of_one_octet_is_told_once() {
        let rate = Rate::from_bits_per_second(8000);
        let mut buffer = ReceiveBuffer::new(1, 1, BufferReader::Rate(rate));
        buffer.on_data(at(0), 0);
        assert_eq!(buffer.offer(at(0), 1), 0);
        assert!(!buffer.has_opened(at(0), 1));
        assert_eq!(buffer.opens(1), at(1));
        assert!(buffer.has_opened(at(1), 1));
        assert_eq!(buffer.offer(at(1), 1), 1);
        assert_eq!(buffer.opens(1), Time::NEVER);
    }

    #[test]
    fn a_reader_that_waited_begins_with_the_next_data() {
        let mut buffer = slow();
        buffer.on_data(at(0), 0);
        buffer.on_data(at(5000), 1000);
        assert_eq!(buffer.offer(at(5000), 4000), 1000);
        assert_eq!(buffer.offer(at(6000), 4000), 2000);
    }

    #[test]
    fn a_reader_by_hand_reads_what_there_is() {
        let mut buffer = slow();
        buffer.read(at(0), 0, 500);
        assert_eq!(
            (buffer.offer(at(9000), 4000), buffer.opens(4000)),
            (0, Time::NEVER)
        );
        buffer.read(at(9000), 4000, 1500);
        assert_eq!(buffer.offer(at(9000), 4000), 1500);
        buffer.read(at(9000), 4000, 9000);
        assert_eq!(buffer.offer(at(9000), 4000), 4000);
    }
}
