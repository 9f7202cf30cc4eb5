//! Parses the segments of TCP in scripts.

use kernel::Time;
use models::transport::Segment;
use models::wire::connection::ConnectionId;
use parameters::Span;

use crate::line::{Result, ScriptLine, range, span};
use crate::parse::problem;

/// Largest window: RFC 7323, section 2.3.
const MOST_WINDOW: u64 = 1 << 30;

impl ScriptLine<'_> {
    /// Parses a segment such as `0:1000`, `0:3000 by 1000`, `ack 1000 sack 2000:3000`,
    /// `last 1000`, `probe 1000` or `syn`, with a window, a time stamp, control bits and the number of the connection after it.
    pub fn segments_of_tcp(&mut self, place: Span, word: &str) -> Result<Vec<Segment>> {
        let mut segments = match word {
            "syn" => vec![Segment::default()],
            "ack" => vec![self.acknowledgment()?],
            "last" => vec![Segment::data(self.number("an octet")?, 0)],
            "probe" => vec![Segment::probe(self.number("an octet")?)],
            _ if word.contains(':') => self.data(&range(place, word)?)?,
            _ => {
                return Err(problem(place, format!("`{word}` is not a segment"))
                    .hint("segments are `0:1000`, `ack 1000` and `syn`"));
            }
        };
        if self.word_if(|word| word == "window").is_some() {
            let window = self.window(word)?;
            segments = segments
                .into_iter()
                .map(|segment| segment.with_window(window))
                .collect();
        }
        if self.word_if(|word| word == "stamp").is_some() {
            let (place, word) = self.expect("a time")?;
            let stamp = Time::ZERO + span(place, word)?;
            segments = segments
                .into_iter()
                .map(|segment| segment.with_stamp(stamp))
                .collect();
        }
        let ece = self.word_if(|word| word == "ece").is_some();
        let cwr = self.word_if(|word| word == "cwr").is_some();
        let not_ect = self.word_if(|word| word == "not_ect").is_some();
        for segment in &mut segments {
            (segment.flags.syn, segment.flags.ece) = (word == "syn", ece);
            if cwr {
                *segment = segment.with_cwr();
            }
            if not_ect {
                *segment = segment.without_ect();
            }
        }
        if self.word_if(|word| word == "fin").is_some() {
            segments = segments.into_iter().map(Segment::with_fin).collect();
        }
        if self.word_if(|word| word == "of").is_some() {
            let place = self.place();
            let number = self.number("a connection")?;
            let generation = u16::try_from(number)
                .map_err(|_| problem(place, "connections are counted up to 65535"))?;
            let id = ConnectionId {
                slot: 0,
                generation,
            };
            segments = segments
                .into_iter()
                .map(|segment| segment.of_connection(id))
                .collect();
        }
        Ok(segments)
    }

    /// Parses the window of the acknowledgment or SYN that begins with `word`.
    fn window(&mut self, word: &str) -> Result<u64> {
        let place = self.place();
        let window = self.number("octets")?;
        if !["ack", "syn"].contains(&word) {
            return Err(
                problem(place, "only an acknowledgment or a SYN states a window")
                    .hint("write for example `ack 1000 window 3000`"),
            );
        }
        if window > MOST_WINDOW {
            return Err(
                problem(place, format!("a window of `{window}` octets is too large")).hint(
                    format!("write at most `{MOST_WINDOW}`: RFC 7323, section 2.3"),
                ),
            );
        }
        Ok(window)
    }

    fn acknowledgment(&mut self) -> Result<Segment> {
        let mut segment = Segment::acknowledgment(self.number("an octet")?);
        if self.word_if(|word| word == "dsack").is_some() {
            let (place, word) = self.expect("a block")?;
            let block = range(place, word)?;
            segment = segment.with_duplicate(block.start, block.end);
        }
        if let Some((place, _)) = self.word_if(|word| word == "sack") {
            while let Some((place, word)) = self.word_if(|word| word.contains(':')) {
                let block = range(place, word)?;
                let before = segment.sacks().len();
                segment.push_sack(block.start, block.end);
                if segment.sacks().len() == before {
                    return Err(problem(
                        place,
                        "an acknowledgment holds at most four blocks",
                    ));
                }
            }
            if segment.sacks().len() == 0 {
                return Err(problem(place, "no block follows `sack`").hint("write `2000:3000`"));
            }
        }
        Ok(segment)
    }
}
