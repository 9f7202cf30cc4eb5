//! Parses and writes the packets of XTP in scripts.

use std::fmt;

use models::transport::Segment;
use models::wire::segment::Options;
use parameters::Span;

use crate::line::{Result, ScriptLine, range};
use crate::parse::problem;

impl ScriptLine<'_> {
    /// Parses a packet such as `0:1000 sreq 1`, `0:3000 by 1000 sync 4 fastnak`, `cntl 1000 echo 2`
    /// or `ecntl 1000 echo 2 spans 2000:3000`; a sender also sends `cntl sreq 3 seq 5000`.
    pub fn packets(&mut self, place: Span, word: &str) -> Result<Vec<Segment>> {
        match word {
            "cntl" if self.word_if(|word| word == "sreq").is_some() => self.question(),
            "cntl" => self.control(false),
            "ecntl" => self.control(true),
            _ if word.contains(':') => {
                let packets = self.data(&range(place, word)?)?;
                self.with_requests(packets)
            }
            _ => Err(problem(place, format!("`{word}` is not a packet"))
                .hint("packets are `0:1000 sreq 1`, `cntl 1000 echo 1` and `ecntl 1000 echo 1`")),
        }
    }

    /// Parses data packets; each request in them has its own number.
    fn with_requests(&mut self, packets: Vec<Segment>) -> Result<Vec<Segment>> {
        let sreq = self.word_if(|word| word == "sreq").is_some();
        let mut request = 0;
        if sreq || self.word_if(|word| word == "sync").is_some() {
            request = self.number("the number of a request")? as u32;
        }
        let fast_nak = self.word_if(|word| word == "fastnak").is_some();
        let packet = |(packet, number): (Segment, u32)| {
            packet.with_options(Options {
                request: if sreq { number } else { request },
                sreq,
                fast_nak,
                ..Options::default()
            })
        };
        Ok(packets.into_iter().zip(request..).map(packet).collect())
    }

    /// Parses the request of a sender in a handshake.
    fn question(&mut self) -> Result<Vec<Segment>> {
        let request = self.number("the number of a request")? as u32;
        let seq = match self.word_if(|word| word == "seq") {
            Some(_) => self.number("an octet")?,
            None => 0,
        };
        Ok(vec![Segment::data(seq, 0).with_options(Options {
            request,
            sreq: true,
            ..Options::default()
        })])
    }

    /// Parses the answer of a receiver.
    fn control(&mut self, missing: bool) -> Result<Vec<Segment>> {
        let mut packet = Segment::acknowledgment(self.number("an octet")?);
        let request = match self.word_if(|word| word == "echo") {
            Some(_) => self.number("the number of a request")? as u32,
            None => 0,
        };
        let trimmed = self.word_if(|word| word == "trimmed").is_some();
        if trimmed {
            packet.seq = self.number("an octet")?;
        }
        let mut packet = packet.with_options(Options {
            request,
            missing,
            trimmed,
            ..Options::default()
        });
        if self.word_if(|word| word == "spans").is_some() {
            while let Some((place, word)) = self.word_if(|word| word.contains(':')) {
                let span = range(place, word)?;
                let before = packet.sacks().len();
                packet.push_sack(span.start, span.end);
                if packet.sacks().len() == before {
                    return Err(problem(place, "a packet holds at most three spans"));
                }
            }
        }
        Ok(vec![packet])
    }
}

/// A packet as scripts write it.
pub fn write(packet: &Segment, options: Options, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let request = options.request;
    if packet.len > 0 {
        let word = if options.sreq { "sreq" } else { "sync" };
        write!(out, "{}:{} {word} {request}", packet.seq, packet.end())?;
        let fast_nak = if options.fast_nak { " fastnak" } else { "" };
        return write!(out, "{fast_nak}");
    }
    if options.sreq {
        return write!(out, "cntl sreq {request} seq {}", packet.seq);
    }
    let kind = if options.missing { "ecntl" } else { "cntl" };
    write!(out, "{kind} {} echo {request}", packet.ack)?;
    if options.trimmed {
        write!(out, " trimmed {}", packet.seq)?;
    }
    if packet.sacks().len() > 0 {
        write!(out, " spans")?;
    }
    let mut spans = packet.sacks();
    spans.try_for_each(|(start, end)| write!(out, " {start}:{end}"))
}
