//! Datagrams: data is sent at once, and neither acknowledged nor retransmitted.
//!
//! Postel, "User Datagram Protocol", RFC 768, 1980. Our own simplification: a write longer than a
//! packet becomes several datagrams, which stand for IP fragments that are not reassembled. Without
//! headers, datagrams stand for cells of a constant or variable bit rate without packets.

use kernel::Time;
use parameters::{Bytes, Conflict, parameters};

use super::{
    Connection, Ends, Headers, Receiver, Segment, Sender, Transmit, TransportFacts, TransportKind,
    no_space_for_data,
};
use crate::metrics::{Limit, SenderMeter};
use crate::wire::ecn::Codepoint;

parameters! {
    /// Datagrams, sent once and never retransmitted.
    #[alias("udp")]
    #[check(conflict)]
    pub struct Datagram {
        /// Size of a full packet, headers included; larger writes are sent in several packets.
        #[range("1 B", "16 MiB")]
        pub packet: Bytes = "1500 B",
        /// Octets of each packet that are not user data: IPv4 and UDP take 28.
        pub header: Bytes = "28 B",
    }
}

impl Datagram {
    /// The two ends of a flow.
    pub fn build(&self, connection: &Connection) -> Ends {
        Ends {
            sender: Box::new(DatagramSender {
                payload: self.payload(),
                header: self.header.0,
                seq: 0,
                meter: SenderMeter::default(),
            }),
            receiver: self.receiver(connection),
        }
    }

    /// User octets of a full packet.
    fn payload(&self) -> u64 {
        self.packet.0 - self.header.0
    }

    fn conflict(&self) -> Option<Conflict> {
        no_space_for_data(self.header, self.packet)
    }
}

impl TransportKind for Datagram {
    fn receiver(&self, _connection: &Connection) -> Box<dyn Receiver> {
        Box::new(DatagramReceiver)
    }

    fn facts(&self) -> TransportFacts<'_> {
        TransportFacts {
            full_packet: self.packet.0,
            largest_packet: self.packet.0,
            // A header and one octet of data.
            smallest_packet: self.header.0 + 1,
            full_payload: self.payload(),
            keeps_messages: true,
            has_flow_control: false,
            pulled_packet: None,
            takes_back: false,
            answers: false,
            last_acknowledgment: None,
            rate_limit: None,
            answers_marks: None,
            codepoint: Codepoint::NotCapable,
            finds_spurious: false,
            may_give_up: false,
            doubt: None,
            headers: Headers::Udp(self.header.0),
        }
    }
}

struct DatagramSender {
    payload: u64,
    header: u64,
    /// Number of the next user octet.
    seq: u64,
    meter: SenderMeter,
}

impl Sender for DatagramSender {
    fn write(&mut self, now: Time, octets: u64, out: &mut dyn Transmit) {
        let mut left = octets;
        while left > 0 {
            let len = left.min(self.payload);
            self.meter.sent(now, len, true);
            let segment = Segment::data(self.seq, len as u32);
            out.transmit(now, segment, len + self.header);
            self.seq += len;
            left -= len;
        }
    }

    fn receive(&mut self, _now: Time, _segment: &Segment, _out: &mut dyn Transmit) {}

    fn next_wake(&self) -> Time {
        Time::NEVER
    }

    fn wake(&mut self, _now: Time, _out: &mut dyn Transmit) {}

    fn meter(&mut self) -> &mut SenderMeter {
        &mut self.meter
    }

    fn acknowledged(&self) -> u64 {
        0
    }

    fn limit(&self) -> Limit {
        Limit::Application
    }

    fn limits(&self) -> &'static [Limit] {
        &[Limit::Application]
    }
}

/// All data that arrives is new, because nothing is sent twice.
struct DatagramReceiver;

impl Receiver for DatagramReceiver {
    fn receive(
        &mut self,
        _now: Time,
        segment: &Segment,
        _marked: bool,
        _out: &mut dyn Transmit,
    ) -> u64 {
        u64::from(segment.len)
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Duration, Seed};
    use parameters::{understand, value};

    use super::*;
    use crate::bearer::BearerSpec;
    use crate::wire::format::CellFormat;

    /// The datagrams sent: first octet, length, and size of the packet.
    #[derive(Default)]
    struct Sent(Vec<(u64, u32, u64)>);

    impl Transmit for Sent {
        fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
            self.0.push((segment.seq, segment.len, octets));
        }
    }

    #[test]
    fn a_large_write_leaves_in_several_packets_at_once() {
        let spec: Datagram =
            understand(&value!({ packet = "1000 B", header = "28 B" })).expect("a transport");
        let connection = Connection {
            name: "t".into(),
            seed: Seed {
                seed: 1,
                replication: 0,
            },
            over: BearerSpec::default().wrapping(CellFormat::ATM),
        };
        let Ends {
            mut sender,
            mut receiver,
        } = spec.build(&connection);
        let mut sent = Sent::default();
        sender.write(Time::ZERO, 2000, &mut sent);
        sender.write(Time::ZERO + Duration::from_ms(1), 5, &mut sent);
        assert_eq!(
            sent.0,
            [
                (0, 972, 1000),
                (972, 972, 1000),
                (1944, 56, 84),
                (2000, 5, 33)
            ]
        );
        assert_eq!(sender.meter().octets, 2005);
        let arrived = receiver.receive(Time::ZERO, &Segment::data(972, 972), false, &mut sent);
        assert_eq!(arrived, 972);
    }
}
