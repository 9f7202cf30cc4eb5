//! A replayed capture: packets with the times and lengths of those in a pcap or pcapng file.
//!
//! The file is read before the run, so a source has the selected packets as a text, in the form of a
//! `trace`. Our own choice: packets have the times of the capture, whatever happens
//! to them in the simulated network. Paxson and Floyd, "Difficulties in Simulating the Internet",
//! IEEE/ACM Transactions on Networking 9(4), 2001, warn that a trace of a transport that
//! adapts shows the path on which it was captured.

use std::sync::Arc;

use kernel::{Duration, Time};
use parameters::{
    Conflict, FileContent, Parameter, Path, Problems, RandomTime, Shape, Value, Written, choices,
    parameters,
};

use super::{
    Application, Demand, OnLink, PacketFilter, PacketSizes, Replay, Source, SourceKind, Spacing,
    StatedLoad, Writes, ends_after,
};

parameters! {
    /// Replays the IP packets of a capture file (pcap or pcapng), with their times and lengths.
    #[check(conflict)]
    pub struct Pcap {
        /// Path of the capture, relative to the folder of the scenario and inside it.
        pub file: Option<CaptureFile>,
        /// The packets to replay; if not given, all IP packets.
        pub filter: Option<PacketFilter>,
        /// The length that a replayed packet has in common with the captured one.
        pub length: CapturedLength = default,
        /// Selected packets, a line for each with its time in seconds and its length in octets; if
        /// given, the file is not read.
        pub text: Option<Writes>,
        /// Factor by which times are multiplied: 0.5 replays twice as fast.
        #[range(0.001, 1000)]
        pub time_scale: f64 = 1,
        /// Time after which the replay begins again; if not given, it ends with the last packet.
        pub period: Option<Duration>,
        /// Time of the first packet of the capture, selected or not; drawn for each member of a
        /// group.
        pub start: RandomTime = "0 s",
    }
}

choices! {
    /// The length that a replayed packet has in common with the captured one.
    pub enum CapturedLength {
        /// The length of the IP packet; the headers of the flow's transport are part of it.
        packet => Packet,
        /// The user data within TCP, UDP or another protocol over IP; packets without are left out.
        data => Data,
    } default packet
}

/// Path of a capture file, relative to the folder of the scenario and inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureFile(pub String);

impl Parameter for CaptureFile {
    fn shape() -> Shape {
        Shape::File(FileContent::Capture)
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<CaptureFile> {
        String::read(written, at, problems).map(CaptureFile)
    }

    fn write(&self) -> Value {
        self.0.write()
    }
}

impl Pcap {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        let writes: Arc<[(Duration, u64)]> = self.writes(application.packets.headers).collect();
        Box::new(Replay::new(writes, Time::ZERO + start, self.period))
    }

    /// The writes of one pass, over a transport with `headers`.
    fn writes(&self, headers: u64) -> impl Iterator<Item = (Duration, u64)> + '_ {
        let messages = self.text.as_ref().map_or(&[][..], Writes::messages);
        let headers = match self.length {
            CapturedLength::Packet => headers,
            CapturedLength::Data => 0,
        };
        messages.iter().map(move |(at, octets)| {
            // A datagram carries user data, so a packet of headers alone gets an octet of it.
            (self.scaled(*at), octets.saturating_sub(headers).max(1))
        })
    }

    fn scaled(&self, at: Duration) -> Duration {
        // Exactly one has no rounding.
        if (self.time_scale - 1.0).abs() < f64::EPSILON {
            at
        } else {
            Duration::from_ps((at.ps() as f64 * self.time_scale) as u64)
        }
    }

    fn conflict(&self) -> Option<Conflict> {
        let conflict = |name, problem: String, hint: String| {
            Some(Conflict {
                name,
                problem,
                hint,
            })
        };
        let last = self.writes(0).last().map(|(at, _)| at).unwrap_or_default();
        match self.period {
            _ if self.file.is_none() && self.text.is_none() => conflict(
                "file",
                "`file` is missing".into(),
                "write for example `file = \"office.pcapng\"`".to_string(),
            ),
            Some(period) if period <= last => conflict(
                "period",
                format!("a period of `{period}` ends before the replay, or with its last packet"),
                ends_after(last, "packet"),
            ),
            _ => None,
        }
    }
}

impl SourceKind for Pcap {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Open
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)> {
        let period = self.period?;
        let writes = self.writes(link.packets.headers);
        let bits: f64 = writes.map(|(_, octets)| link.bits(octets)).sum();
        Some(("period", bits / period.seconds()))
    }

    fn stated_load(&self) -> Option<StatedLoad> {
        self.period.map(RandomTime::Constant).map(StatedLoad::Time)
    }
}

#[cfg(test)]
mod tests {
    use parameters::{Value, understand, value};

    use super::*;
    use crate::traffic::tests::application;

    /// Nanoseconds and octets of the first writes of a replay, where headers take 28 octets.
    fn writes(pcap: &Value, count: usize) -> Vec<(u64, u64)> {
        let mut over = application(972);
        over.packets.headers = 28;
        let pcap: Pcap = understand(pcap).expect("a replay");
        let mut source = pcap.build(&over);
        let writes = std::iter::from_fn(move || source.next()).take(count);
        let writes = writes.map(|write| (write.at.ps() / 1000, write.octets));
        writes.collect()
    }

    #[test]
    fn the_headers_of_the_transport_are_part_of_a_packet_and_not_of_user_data() {
        let packets = value!({ text = "0.5 1000\n0.500001 28\n", start = "1 ms" });
        let packet = [(501_000_000, 972), (501_001_000, 1)];
        assert_eq!(writes(&packets, 9), packet);
        let data = value!({ text = "0.5 1000\n", length = "data" });
        assert_eq!(writes(&data, 9), [(500_000_000, 1000)]);
    }

    #[test]
    fn times_are_scaled_and_the_period_is_not() {
        let twice = value!({ text = "0 128\n0.004 228", time_scale = 0.5, period = "3 ms" });
        let expected = [(0, 100), (2_000_000, 200), (3_000_000, 100)];
        assert_eq!(writes(&twice, 3), expected);
    }
}
