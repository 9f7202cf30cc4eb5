//! The rate of a Poisson process: `load`, `rate` or `gap`, and only one of them.

use parameters::Conflict;

/// The conflict if not exactly one of `load`, `rate` and `gap` is given; `of` names what arrives, and
/// `example` is a load.
pub fn one_rate([load, rate, gap]: [bool; 3], of: &str, example: &str) -> Option<Conflict> {
    let given = [("load", load), ("rate", rate), ("gap", gap)];
    let mut given = given.iter().filter(|(_, is_given)| *is_given);
    let problem = match (given.next(), given.next()) {
        (None, _) => format!("the rate of {of} is missing"),
        (Some((first, _)), Some((second, _))) => {
            format!("`{first}` and `{second}` both set the rate of {of}")
        }
        _ => return None,
    };
    Some(Conflict {
        name: "load",
        problem,
        hint: format!("write one of `load`, `rate` and `gap`, for example `load = \"{example}\"`"),
    })
}
