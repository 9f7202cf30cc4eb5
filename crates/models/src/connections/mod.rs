//! Connections of a flow that come and go, each with two ends of a transport of its own.
//!
//! The two ends of the flow hold the live connections in slots, which are used again when a
//! connection is closed, so the memory grows with the live connections only. The numbers of octets
//! tell the connections apart (see [`ConnectionId`](crate::wire::connection::ConnectionId)).
//!
//! A connection is closed as in RFC 9293, section 3.6: the last segment of data carries FIN; the
//! receiving application closes its end at once, so the acknowledgment of that segment carries FIN
//! too, and the sending end acknowledges it. As for SYN here, FIN takes no number: it always stands
//! beside the last octet. TIME-WAIT departs from the RFC, since it keeps no state: the numbers of a
//! closed connection tell that it is closed, and its end acknowledges each further FIN.

mod receiving;
mod sending;

use kernel::Duration;

use crate::traffic::connections::Calls;
use crate::transport::{Connection, Ends, Receiver, Sender, TransportSpec};
use receiving::ReceivingConnections;
use sending::SendingConnections;

/// The ends of a transport for a new connection.
#[derive(Clone, Debug)]
struct Factory {
    transport: TransportSpec,
    connection: Connection,
}

/// The time in which an idle path delivers data back to back.
///
/// The definition is ours: no handshake, window or acknowledgment is part of it, so that it is the
/// same for all transports with packets of one size. Each octet counts as many bits as in a full
/// packet, headers included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdlePath {
    /// Propagation on all links, in seconds.
    pub propagation: f64,
    /// Transmission time of an octet on all links one after another, in seconds.
    pub octet_on_all: f64,
    /// Transmission time of an octet on the slowest link, in seconds.
    pub octet_on_slowest: f64,
    /// User octets of a full packet.
    pub payload: u64,
}

impl IdlePath {
    /// The time for `octets` of user data: the first packet takes its time on all links, and those
    /// that follow are spaced by the slowest link.
    pub fn time(&self, octets: u64) -> Duration {
        let first = octets.min(self.payload);
        let rest = octets - first;
        Duration::from_seconds_f64(
            self.propagation
                + first as f64 * self.octet_on_all
                + rest as f64 * self.octet_on_slowest,
        )
    }
}

/// The two ends of a flow whose connections come and go.
///
/// # Panics
/// If connections of the transport are neither opened nor closed.
pub fn ends(
    transport: &TransportSpec,
    connection: &Connection,
    calls: Calls,
    idle: IdlePath,
) -> Ends {
    let factory = Factory {
        transport: transport.clone(),
        connection: connection.clone(),
    };
    Ends {
        sender: Box::new(SendingConnections::new(factory.clone(), calls, idle)),
        receiver: Box::new(ReceivingConnections::new(factory)),
    }
}

impl Factory {
    /// The sending end of the connection with this number.
    fn sender(&self, number: u64) -> Box<dyn Sender> {
        self.transport.build(&self.connection(number)).sender
    }

    /// The receiving end of the connection with this number. It has no congestion control, whose
    /// construction may be visible: a member from outside would see one too many.
    fn receiver(&self, number: u64) -> Box<dyn Receiver> {
        self.transport.receiver(&self.connection(number))
    }

    fn connection(&self, number: u64) -> Connection {
        // Each connection has random streams of its own, whatever the others draw.
        Connection {
            name: format!("{}#{number}", self.connection.name),
            ..self.connection.clone()
        }
    }
}

#[cfg(test)]
mod tests;
