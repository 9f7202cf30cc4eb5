//! Parameters whose values are quantities.

use crate::hint::Hint;
use crate::parameter::Parameter;
use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::quantity::{Amount, BadQuantity, Quantity, parse};
use crate::shape::Shape;
use crate::value::{Value, Written};

impl<Q: Quantity + 'static> Parameter for Q {
    fn shape() -> Shape {
        Shape::Quantity(const { &Q::FORM })
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Q> {
        let understood = match &written.value {
            Value::Text(text) => parse(text),
            Value::Integer(_) | Value::Float(_) => {
                Err(Q::FORM.without_unit(&written.value.to_string()))
            }
            other => Err(BadQuantity {
                problem: format!("{} is not a {}", other.quoted(), Q::FORM.noun),
                hints: vec![Hint::example(Q::FORM.example)],
            }),
        };
        understood
            .map_err(|fault| {
                let problem = Problem::new(at, written.place, fault.problem);
                problems.add(problem.hints(fault.hints));
            })
            .ok()
    }

    fn write(&self) -> Value {
        Value::Text(self.render())
    }

    fn levels(&self, at: &Path, levels: &mut Vec<(Path, Amount)>) {
        levels.extend(self.level().map(|level| (at.clone(), level)));
    }
}
