//! The points of a sweep, in words.

use parameters::printable::printable;
use scenario::Scenario;

/// The values of each point of the sweep, as text; empty without a sweep.
pub fn texts(scenario: &Scenario) -> Vec<String> {
    let axes: Vec<&str> = scenario.axes().collect();
    let names = short_names(&axes);
    let points = scenario.points.iter().filter(|point| !point.is_empty());
    points
        .map(|point| {
            let values = point.iter().map(|(axis, value)| {
                let number = axes.iter().position(|known| known == axis);
                let name = number.map_or(axis, |number| &names[number]);
                format!("{name} {value}")
            });
            printable(&values.collect::<Vec<_>>().join(", ")).into_owned()
        })
        .collect()
}

/// For each path its shortest ending that no other path shares.
pub fn short_names(paths: &[&str]) -> Vec<String> {
    let ends: Vec<Vec<String>> = paths.iter().map(|path| endings(path)).collect();
    let shortest = |number: usize| {
        let is_shared = |ending: &String| {
            let mut others = ends.iter().zip(paths);
            others.any(|(other, path)| *path != paths[number] && other.contains(ending))
        };
        let own = ends[number].iter().find(|ending| !is_shared(ending));
        own.cloned().unwrap_or_else(|| paths[number].to_string())
    };
    (0..paths.len()).map(shortest).collect()
}

/// Endings of a dotted path, shortest first; quoted parts stay whole.
pub fn endings(path: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_quoted = false;
    for letter in path.chars() {
        is_quoted ^= letter == '"';
        if letter == '.' && !is_quoted {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts.retain(|part| !part.is_empty());
    let starts = (0..parts.len()).rev();
    starts.map(|start| parts[start..].join(".")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_as_long_as_it_must_be() {
        let paths = [
            "switch.s1.buffer",
            "switch.s2.buffer",
            "flow.\"a.b\".packet",
        ];
        assert_eq!(short_names(&paths), ["s1.buffer", "s2.buffer", "packet"]);
        assert_eq!(endings(paths[2])[1], "\"a.b\".packet");
    }

    #[test]
    fn each_point_has_its_values() {
        let sweep = "[sweep]\n\"link.exit.delay\" = [\"1 ms\", \"2 ms\"]\n";
        let text = format!("{}{sweep}", crate::layout::tests::TWO_HOSTS);
        let scenario = Scenario::read(&text, "text", &[]).expect("it has no mistakes");
        assert_eq!(texts(&scenario), ["delay 1 ms", "delay 2 ms"]);
    }
}
