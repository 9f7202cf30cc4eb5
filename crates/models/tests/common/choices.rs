//! Random values of parameters with named values.

use parameters::{Shape, Value, ValueTable};
use proptest::prelude::*;
use proptest::sample::select;

/// Values of a shape, in which every named value, member of a family and boolean is drawn at
/// random; a parameter without a value keeps its default.
pub fn choices(shape: &Shape) -> BoxedStrategy<Option<Value>> {
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
                ValueTable::of(entries.filter_map(|(name, value)| Some((name, value?))))
            };
            values
                .prop_map(move |values| Some(table(values).into()))
                .boxed()
        }
        Shape::Family(family) => {
            let kind = |kind: &parameters::shape::MemberShape| {
                let name = kind.name;
                choices(&kind.shape)
                    .prop_map(move |value| {
                        let value = value.unwrap_or_else(|| ValueTable::default().into());
                        Some(ValueTable::of([(name, value)]).into())
                    })
                    .boxed()
            };
            let kinds: Vec<_> = family.kinds.iter().map(kind).collect();
            proptest::strategy::Union::new(kinds).boxed()
        }
        Shape::Either(shapes) => {
            let shapes: Vec<_> = shapes.iter().map(choices).collect();
            proptest::strategy::Union::new(shapes).boxed()
        }
        _ => Just(None).boxed(),
    }
}
