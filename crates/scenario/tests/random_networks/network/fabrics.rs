//! Random fabrics of switches. If their parameters were drawn as all others are, packet mode beside limited
//! inputs would occur in one switch of three hundred, and few scheduled fabrics would be valid.

use parameters::{Shape, Value, ValueTable};

use super::{Draft, field, kind, shape};
use crate::values;

/// Probability, in per cent, that a switch with cells has a fabric that is drawn here.
const FABRIC: u64 = 35;

impl Draft<'_> {
    /// Gives some switches virtual output queues, or a scheduled fabric.
    pub(super) fn fabric(&mut self, node: &mut ValueTable) {
        if !self.dice.chance(FABRIC) {
            return;
        }
        let fabric = if self.dice.chance(60) {
            self.queues_at_inputs()
        } else {
            self.scheduled_cells()
        };
        node.set("fabric", None, fabric.into());
    }

    /// Virtual output queues, most of them in packet mode and with limited inputs.
    fn queues_at_inputs(&mut self) -> Value {
        let name = "virtual_output_queues";
        let mut fabric = self.parameters(name);
        if self.dice.chance(60) {
            fabric.set("mode", None, Value::from("packet").into());
        }
        let input = &field(kind(shape("switch", "fabric"), name), "input").shape;
        if self.dice.chance(70)
            && let Some(input) = values::any(input, self.dice)
        {
            fabric.set("input", None, input.into());
        }
        ValueTable::of([(name, Value::from(fabric))]).into()
    }

    /// A scheduled fabric with a buffer for some grants, and links that carry what it grants.
    fn scheduled_cells(&mut self) -> Value {
        let name = "scheduled_cells";
        let mut fabric = self.parameters(name);
        let grant = self.dice.spread(200, 5_000);
        let egress = grant * self.dice.between(2, 20);
        let delay = self.dice.spread(1, 100);
        let rate = self.dice.spread(50, 2_000);
        for (parameter, value) in [
            ("grant", format!("{grant} B")),
            ("egress", format!("{egress} B")),
            ("control_delay", format!("{delay} us")),
            ("link_rate", format!("{rate} Mbit/s")),
        ] {
            fabric.set(parameter, None, Value::from(value).into());
        }
        let links = self.dice.between(1, 4) as i64;
        fabric.set("links", None, Value::from(links).into());
        ValueTable::of([(name, Value::from(fabric))]).into()
    }

    /// Parameters of a fabric.
    fn parameters(&mut self, name: &str) -> ValueTable {
        let Shape::Record(fields) = kind(shape("switch", "fabric"), name) else {
            unreachable!("the parameters of a fabric are a record")
        };
        values::record(fields, self.dice)
    }
}
