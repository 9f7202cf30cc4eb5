//! Any XTP: every choice has a random value.

use kernel::Seed;
use models::bearer::BearerSpec;
use models::transport::xtp::{Xtp, format};
use models::transport::{Connection, Ends};
use models::wire::format::CellFormat;
use parameters::{Parameter, Value, understand};
use proptest::prelude::*;

use crate::choices::choices;

/// User octets of a full packet.
pub const MSS: u64 = 100;

/// Any XTP with packets of [`MSS`] octets and a buffer for a few packets.
pub fn xtp() -> impl Strategy<Value = Xtp> {
    // The lowest rate sends a packet, of at least three cells, every 100 ms.
    let sizes = (1i64..30, 1i64..30, 1i64..5, 13u64..10_000);
    (choices(&Xtp::shape()), sizes).prop_filter_map("no such XTP", |(choices, sizes)| {
        let Some(Value::Table(mut table)) = choices else {
            return None;
        };
        let (buffer, interval, burst, rate) = sizes;
        for (name, value) in [
            ("packet", format!("{} B", MSS + format::HEADER).into()),
            ("buffer", buffer.into()),
            ("request_interval", interval.min(buffer).into()),
            ("burst", burst.into()),
            ("rate", format!("{rate} kbit/s").into()),
        ] {
            table.set(name, None, Value::into(value));
        }
        understand(&Value::Table(table)).ok()
    })
}

/// The ends of an association.
pub fn ends(xtp: &Xtp) -> Ends {
    xtp.build(&Connection {
        name: "f".into(),
        seed: Seed {
            seed: 1,
            replication: 0,
        },
        over: BearerSpec::default().wrapping(CellFormat::ATM),
    })
}
