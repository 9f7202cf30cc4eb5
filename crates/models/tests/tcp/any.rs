//! Any TCP: every choice is drawn at random from what can be chosen.

use kernel::Seed;
use models::transport::tcp::Tcp;
use models::transport::{Connection, Ends};
use parameters::{Parameter, Shape, Table, Value, understand};
use proptest::prelude::*;
use proptest::sample::select;

/// User octets of a full segment.
pub const MSS: u64 = 100;

/// Octets of headers.
pub const HEADER: u64 = 40;

/// Any TCP with segments of [`MSS`] octets and a window of a few of them.
pub fn tcp() -> impl Strategy<Value = Tcp> {
    let sizes = (1u64..30, 1i64..12, 1i64..5, 0u32..=100);
    (choices(&Tcp::shape()), sizes).prop_filter_map("no such TCP", |(choices, sizes)| {
        let Some(Value::Table(mut table)) = choices else {
            return None;
        };
        let (window, initial_window, duplicates, ssthresh) = sizes;
        let packet = MSS + HEADER;
        for (name, value) in [
            ("packet", format!("{packet} B").into()),
            ("header", format!("{HEADER} B").into()),
            ("window", format!("{} B", window * packet).into()),
            ("initial_window", initial_window.into()),
            ("duplicates", duplicates.into()),
            ("initial_ssthresh", format!("{ssthresh} %").into()),
        ] {
            table.set(name, None, Value::into(value));
        }
        understand(&Value::Table(table)).ok()
    })
}

/// Values of a shape in which all that is a choice of words, kinds or truth is drawn; nothing where
/// the default should hold.
fn choices(shape: &Shape) -> BoxedStrategy<Option<Value>> {
    match shape {
        Shape::Boolean => proptest::option::of(any::<bool>().prop_map(Value::from)).boxed(),
        Shape::Words(words) => {
            let words: Vec<&str> = words.words.iter().map(|(word, _)| *word).collect();
            select(words)
                .prop_map(|word| Some(Value::from(word)))
                .boxed()
        }
        Shape::Record(record) => {
            let names: Vec<&str> = record.fields.iter().map(|field| field.name).collect();
            let values: Vec<_> = record
                .fields
                .iter()
                .map(|field| choices(&field.shape))
                .collect();
            let table = move |values: Vec<Option<Value>>| {
                let entries = names.iter().copied().zip(values);
                Table::of(entries.filter_map(|(name, value)| Some((name, value?))))
            };
            values
                .prop_map(move |values| Some(table(values).into()))
                .boxed()
        }
        Shape::Family(family) => {
            let kind = |kind: &parameters::shape::Kind| {
                let name = kind.name;
                choices(&kind.shape)
                    .prop_map(move |value| {
                        let value = value.unwrap_or_else(|| Table::default().into());
                        Some(Table::of([(name, value)]).into())
                    })
                    .boxed()
            };
            let kinds: Vec<_> = family.kinds.iter().map(kind).collect();
            proptest::strategy::Union::new(kinds).boxed()
        }
        _ => Just(None).boxed(),
    }
}

/// The ends of a connection.
pub fn ends(tcp: &Tcp) -> Ends {
    tcp.build(&Connection {
        name: "f".into(),
        seed: Seed {
            seed: 1,
            replication: 0,
        },
    })
}
