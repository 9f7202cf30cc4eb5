//! Any receiver-driven transport.

use kernel::Seed;
use models::bearer::BearerSpec;
use models::transport::pull::Pull;
use models::transport::{Connection, Ends};
use models::wire::format::CellFormat;
use parameters::{understand, value};
use proptest::prelude::*;

/// User octets of a full packet.
pub const MSS: u64 = 100;

/// Octets of headers, and of an answer.
pub const HEADER: u64 = 64;

/// Any window and any timeout, some of them shorter than every round trip, for packets of [`MSS`]
/// octets.
pub fn pull() -> impl Strategy<Value = Pull> {
    (1i64..40, 1u64..500).prop_map(|(window, timeout)| {
        let packet = format!("{} B", MSS + HEADER);
        let timeout = format!("{timeout} ms");
        let spec = value!({ packet = packet, initial_window = window, timeout = timeout });
        understand(&spec).expect("a transport")
    })
}

/// The ends of a flow.
pub fn ends(pull: &Pull) -> Ends {
    pull.build(&Connection {
        name: "test".into(),
        seed: Seed {
            seed: 1,
            replication: 0,
        },
        over: BearerSpec::default().wrapping(CellFormat::ATM),
    })
}
