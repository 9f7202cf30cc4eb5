//! Any TCP: every choice has a random value.

use kernel::Seed;
use models::bearer::BearerSpec;
use models::transport::tcp::Tcp;
use models::transport::{Connection, Ends};
use models::wire::format::CellFormat;
use parameters::{Parameter, Value, understand, value};
use proptest::prelude::*;

use crate::choices::choices;

/// User octets of a full segment.
pub const MSS: u64 = 100;

/// Octets of the headers of a segment without time stamps, and octets of time stamps.
const HEADER: u64 = 40;
const STAMPS: u64 = 12;

/// Any TCP with segments of [`MSS`] octets and a window of a few segments, or one that grows to them.
pub fn tcp() -> impl Strategy<Value = Tcp> {
    let sizes = (1u64..30, 1i64..12, 1i64..5, 0u32..=100);
    (choices(&Tcp::shape()), sizes).prop_filter_map("no such TCP", |(choices, sizes)| {
        let Some(Value::Table(mut table)) = choices else {
            return None;
        };
        let (window, initial_window, duplicates, ssthresh) = sizes;
        let stamps = table
            .get("timestamps")
            .and_then(|chosen| chosen.value.text());
        let is_stamped = stamps.is_some_and(|chosen| chosen != "off");
        let packet = MSS + HEADER + if is_stamped { STAMPS } else { 0 };
        let octets = |packets: u64| Value::from(format!("{} B", packets * packet));
        let grows = table.get("window").is_some();
        let window = if grows {
            let (first, max) = (octets(window.div_ceil(3)), octets(window));
            value!({ autotuned = { first = first, max = max } })
        } else {
            octets(window)
        };
        for (name, value) in [
            ("packet", format!("{packet} B").into()),
            ("header", format!("{HEADER} B").into()),
            ("window", window),
            ("initial_window", initial_window.into()),
            ("duplicates", duplicates.into()),
            ("initial_ssthresh", format!("{ssthresh} %").into()),
        ] {
            table.set(name, None, Value::into(value));
        }
        understand(&Value::Table(table)).ok()
    })
}

/// The ends of a connection.
pub fn ends(tcp: &Tcp) -> Ends {
    tcp.build(&Connection {
        name: "f".into(),
        seed: Seed {
            seed: 1,
            replication: 0,
        },
        over: BearerSpec::default().wrapping(CellFormat::ATM),
    })
}
