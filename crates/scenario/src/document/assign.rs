//! Assignment of a value at a path, for settings and sweeps.

use parameters::path::PathStep;
use parameters::{Path, Shape, Span, Value, ValueTable, Written};

/// Puts `value` at `path`, and creates the missing tables along the path.
///
/// `shape` is that of `root`. A family has one kind, so a value for one kind replaces every other:
/// after `flow.bulk.over.packet = {}`, `flow.bulk.over.ubr` is gone.
///
/// # Errors
/// If the path names a list item beyond the end of its list.
pub fn assign(
    root: &mut Written,
    shape: &Shape,
    path: &Path,
    value: &Written,
) -> Result<(), String> {
    assign_steps(root, Some(shape), path.steps(), value)
}

fn assign_steps(
    here: &mut Written,
    shape: Option<&Shape>,
    steps: &[PathStep],
    value: &Written,
) -> Result<(), String> {
    match steps {
        [] => *here = value.clone(),
        [PathStep::Key(name), rest @ ..] => {
            let table = table_in(here, value.place);
            if shape.is_some_and(is_family) {
                table.retain(name);
            }
            let child = table.entry_or(name, value.place, ValueTable::default());
            assign_steps(
                child,
                shape.and_then(|shape| entry_shape(shape, name)),
                rest,
                value,
            )?;
        }
        [PathStep::Index(index), rest @ ..] => {
            let (item, shape) = match (&mut here.value, shape) {
                (Value::List(items), Some(Shape::List(shape))) => {
                    (items.get_mut(*index), Some(&**shape))
                }
                (Value::List(items), _) => (items.get_mut(*index), None),
                _ => (None, None),
            };
            let item = item.ok_or_else(|| format!("there is no item `[{index}]` to set"))?;
            assign_steps(item, shape, rest, value)?;
        }
    }
    Ok(())
}

/// The table at `here`; another value is replaced by a table.
fn table_in(here: &mut Written, place: Option<Span>) -> &mut ValueTable {
    if here.value.table().is_none() {
        *here = Written {
            value: ValueTable::default().into(),
            place,
        };
    }
    match &mut here.value {
        Value::Table(table) => table,
        _ => unreachable!("it has just been made a table"),
    }
}

fn is_family(shape: &Shape) -> bool {
    match shape {
        Shape::Family(_) => true,
        Shape::Either(shapes) => shapes.iter().any(is_family),
        _ => false,
    }
}

/// True if `path` names a kind of a family, in a tree of this shape.
pub fn names_kind(shape: &Shape, path: &Path) -> bool {
    let Some((PathStep::Key(_), above)) = path.steps().split_last() else {
        return false;
    };
    let family = above.iter().try_fold(shape, |shape, next| match next {
        PathStep::Key(name) => entry_shape(shape, name),
        PathStep::Index(_) => match shape {
            Shape::List(item) => Some(&**item),
            _ => None,
        },
    });
    family.is_some_and(is_family)
}

/// The shape of the entry `name` in `shape`.
pub fn entry_shape<'a>(shape: &'a Shape, name: &str) -> Option<&'a Shape> {
    match shape {
        Shape::Named(item) | Shape::Map(item) => Some(item),
        Shape::Record(record) => {
            let field = record.fields.iter().find(|field| field.name == name)?;
            Some(&field.shape)
        }
        Shape::Family(family) => {
            let kind = family.kinds.iter().find(|kind| kind.name == name)?;
            Some(&kind.shape)
        }
        Shape::Either(shapes) => shapes.iter().find_map(|shape| entry_shape(shape, name)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parameters::{Bytes, Named, Parameter, RandomTime, family, parameters, value};

    parameters! {
        /// Cells.
        pub struct Plain {}
        /// Whole packets.
        pub struct Headed {
            /// Header.
            pub header: Bytes = "0 B",
        }
        /// A flow.
        pub struct Flow {
            /// Bearer.
            pub over: Over = default,
            /// Start.
            pub start: RandomTime = "0 s",
            /// Sizes.
            pub sizes: Vec<Bytes> = [],
        }
        /// The root table.
        pub struct Root {
            /// Flows.
            pub flow: Named<Flow>,
        }
    }

    family! {
        /// Bearer.
        pub enum Over {
            ubr => Ubr(Plain),
            packet => Packet(Headed),
        } default ubr
    }

    /// `root`, after `path` is set to `value`.
    fn assigned(root: Value, path: &str, value: Value) -> Result<String, String> {
        let mut root = Written::from(root);
        let path = Path::parse(path).unwrap();
        assign(&mut root, &Root::shape(), &path, &value.into())?;
        Ok(root.value.to_string())
    }

    #[test]
    fn a_value_is_replaced_where_it_stands_and_added_where_it_does_not() {
        let root = value!({ flow = { bulk = { start = "0 s" } } });
        assert_eq!(
            assigned(root.clone(), "flow.bulk.start", value!("1 s")).unwrap(),
            r#"{ flow = { bulk = { start = "1 s" } } }"#
        );
        assert_eq!(
            assigned(root, "flow.other.colour", value!(1)).unwrap(),
            r#"{ flow = { bulk = { start = "0 s" }, other = { colour = 1 } } }"#
        );
    }

    #[test]
    fn a_kind_takes_the_place_of_another_and_keeps_its_own_parameters() {
        let root = value!({ flow = { bulk = { over = { ubr = {} } } } });
        assert_eq!(
            assigned(root, "flow.bulk.over.packet.header", value!("40 B")).unwrap(),
            r#"{ flow = { bulk = { over = { packet = { header = "40 B" } } } } }"#
        );
        let root = value!({ flow = { bulk = { over = { packet = { header = "1 B" } } } } });
        assert_eq!(
            assigned(root, "flow.bulk.over.packet.footer", value!(1)).unwrap(),
            r#"{ flow = { bulk = { over = { packet = { header = "1 B", footer = 1 } } } } }"#
        );
        let root = value!({ flow = { bulk = { start = "0 s" } } });
        assert_eq!(
            assigned(root, "flow.bulk.start.exponential.mean", value!("1 s")).unwrap(),
            r#"{ flow = { bulk = { start = { exponential = { mean = "1 s" } } } } }"#
        );
    }

    #[test]
    fn items_are_set_where_there_are_any() {
        let root = value!({ flow = { bulk = { sizes = ["1 B", "2 B"] } } });
        assert_eq!(
            assigned(root.clone(), "flow.bulk.sizes[1]", value!("3 B")).unwrap(),
            r#"{ flow = { bulk = { sizes = ["1 B", "3 B"] } } }"#
        );
        assert!(assigned(root.clone(), "flow.bulk.sizes[2]", value!("3 B")).is_err());
        assert!(assigned(root, "flow.bulk[0]", value!("3 B")).is_err());
    }
}
