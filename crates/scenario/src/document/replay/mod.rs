//! Replayed captures: the packets of a pcap or pcapng file that a source selects, as its messages.
//!
//! [`file`] reads the blocks of a file, [`dissect`] finds the IP packet within a frame. The whole
//! file is read before any run, so a bad one is refused with its place, and the selected packets
//! become part of the resolved scenario.

mod dissect;
mod file;

use kernel::Duration;
use models::traffic::PacketFilter;
use models::traffic::pcap::CapturedLength;
use models::traffic::trace::Writes;

use crate::document::source::LARGEST;

/// Largest size of a capture in octets.
pub const LARGEST_CAPTURE: usize = 64 << 20;

/// Largest number of selected packets: their text in the resolved scenario, with at most 20 octets
/// for each of those at nanoseconds, is then as long as a scenario file may be.
const MOST: usize = LARGEST / 20;

/// Longest time between two packets: the longest that a scenario states.
const LONGEST: Duration = Duration::from_ps(1000 * 3_600_000_000_000_000);

/// Why a capture cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayRefusal {
    /// The problem, and its place in the file.
    pub problem: String,
    /// The remedy.
    pub hint: String,
}

impl ReplayRefusal {
    fn new(problem: impl Into<String>, hint: impl Into<String>) -> ReplayRefusal {
        ReplayRefusal {
            problem: problem.into(),
            hint: hint.into(),
        }
    }
}

/// The packets of a capture that `filter` selects, in order of time, with the time since the
/// earliest packet of the capture and with their `length`.
///
/// # Errors
/// The capture is cut off or damaged, is of a kind that is not read, or has no such packet.
pub fn messages(
    capture: &[u8],
    filter: Option<&PacketFilter>,
    length: CapturedLength,
) -> Result<Writes, ReplayRefusal> {
    let mut selected: Vec<(i128, u64)> = Vec::new();
    let (mut first, mut frames, mut packets) = (None::<i128>, 0_u64, 0_u64);
    file::each_frame(capture, |frame| {
        frames += 1;
        first = Some(first.map_or(frame.at, |first| first.min(frame.at)));
        let Some(packet) = dissect::packet(frame)? else {
            return Ok(());
        };
        packets += 1;
        let octets = match length {
            CapturedLength::Packet => packet.octets,
            CapturedLength::Data => packet.data,
        };
        if octets > 0 && filter.is_none_or(|filter| filter.selects(&packet.fields)) {
            selected.push((frame.at, octets));
        }
        Ok(())
    })?;
    if selected.is_empty() {
        let problem = format!("none of its {frames} packets is selected, and {packets} are IP");
        let hint = "write a `filter` that agrees with some; `tshark -r FILE` lists them";
        return Err(ReplayRefusal::new(problem, hint));
    }
    if selected.len() > MOST {
        let problem = format!("{} packets are selected, more than {MOST}", selected.len());
        let hint = "write a narrower `filter`, or cut the capture into parts with `editcap -c`";
        return Err(ReplayRefusal::new(problem, hint));
    }
    // Captures of several interfaces are not always in order.
    selected.sort_by_key(|(at, _)| *at);
    let first = first.expect("there is a packet");
    let messages = selected.into_iter().map(|(at, octets)| {
        let since = u64::try_from(at - first).map(Duration::from_ps).ok();
        let since = since.filter(|since| *since <= LONGEST).ok_or_else(|| {
            let problem = "its packets are more than 1000 h apart";
            ReplayRefusal::new(problem, "cut the capture into parts with `editcap -A -B`")
        })?;
        Ok((since, octets))
    });
    messages.collect::<Result<_, _>>().map(Writes::of)
}
