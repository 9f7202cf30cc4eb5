//! Goals: metrics that a user names, as `goodput`, `flow bulk goodput` or `port s1->b mean_queue`.
//!
//! The syntax is our own: the names that results print. Only this file and [`Name::parse`]
//! parse such texts. Names contain neither spaces nor `>` nor `/`, so no text is ambiguous.

use std::fmt::{self, Display, Formatter};

use models::metrics::{METRICS, Metric, RENAMED, ScopeKind};
use models::wire::class::Class;
use models::wire::priority::Priority;
use parameters::{Parameter, Path, Problem, Problems, Shape, Value, Written, read_text, suggest};

use crate::scope::{Name, Place, Scope};

/// A problem, and the hint that says how to mend it.
pub type ProblemAndHint = (String, String);

/// A metric, and the scopes whose values of the metric are requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The scopes.
    pub scopes: Scopes,
    /// The metric.
    pub metric: &'static Metric,
}

/// The scopes that a text names: a single scope, or the scopes of all members of a group.
///
/// A name without a number stands for every member of its group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scopes {
    /// Kind of the scopes.
    pub kind: ScopeKind,
    /// The flow, the service class, or the number of the priority.
    pub name: Option<Name>,
    /// The output; none for drops at any output.
    pub place: Option<Place>,
}

impl Goal {
    /// Reads a text with scopes and a metric, such as `flow bulk goodput`; a metric without scopes
    /// describes the network.
    ///
    /// # Errors
    /// If there is no such metric of such a scope.
    pub fn parse(text: &str) -> Result<Goal, ProblemAndHint> {
        let (scopes, name) = Goal::parts(text);
        let metric = metric(Scopes::kind(scopes)?, name)?;
        let scopes = Scopes::parse(scopes)?;
        Ok(Goal { scopes, metric })
    }

    /// The texts of the scopes and of the metric.
    pub fn parts(text: &str) -> (&str, &str) {
        let network = ScopeKind::Network.word();
        text.rsplit_once(' ').unwrap_or((network, text))
    }
}

impl Display for Goal {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.scopes.kind != ScopeKind::Network {
            write!(out, "{} ", self.scopes)?;
        }
        write!(out, "{}", self.metric.name)
    }
}

impl Parameter for Goal {
    fn shape() -> Shape {
        Shape::Text
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Goal> {
        let is_goal = |text: &str| Goal::parse(text).is_ok();
        let text = read_text(written, at, problems, is_goal, "goodput")?;
        match Goal::parse(&text) {
            Ok(goal) => Some(goal),
            Err((problem, hint)) => {
                problems.add(Problem::new(at, written.place, problem).hint(hint));
                None
            }
        }
    }

    fn write(&self) -> Value {
        Value::Text(self.to_string())
    }
}

/// The metric of this name at a kind of scope.
fn metric(scope: ScopeKind, name: &str) -> Result<&'static Metric, ProblemAndHint> {
    let of_scope = METRICS.iter().filter(|metric| metric.scope == scope);
    if let Some(metric) = of_scope.clone().find(|metric| metric.name == name) {
        return Ok(metric);
    }
    let what = match scope {
        ScopeKind::Network => "of the network",
        ScopeKind::Flow => "of a flow",
        ScopeKind::Port => "of an output",
        ScopeKind::Class => "of a class",
        ScopeKind::Link => "of a link",
        ScopeKind::Priority => "of a priority",
        ScopeKind::Drop => "of drops",
    };
    let mut renamed = RENAMED.iter();
    let renamed = renamed.find(|(before, now)| *before == name && now.scope == scope);
    let names = of_scope.map(|metric| metric.name);
    let hint = match (renamed, suggest::nearest(name, names.clone())) {
        (Some((_, now)), _) => format!("it is called `{}` now", now.name),
        (None, Some(meant)) => format!("did you mean `{meant}`?"),
        (None, None) => suggest::expected(names),
    };
    Err((format!("`{name}` is not a metric {what}"), hint))
}

impl Scopes {
    /// Reads scopes, such as `flow bulk` or `class abr at s1->b`.
    ///
    /// # Errors
    /// If the text does not have the form of a scope.
    pub fn parse(text: &str) -> Result<Scopes, ProblemAndHint> {
        let kind = Scopes::kind(text)?;
        let rest = text[kind.word().len()..].trim_start();
        let scopes = |name, place| Scopes { kind, name, place };
        let at_place = |(name, place)| Some(scopes(Some(name), Some(self::place(place)?)));
        let parts = rest.split_once(" at ");
        let parsed = match kind {
            ScopeKind::Network => rest.is_empty().then(|| scopes(None, None)),
            ScopeKind::Flow => Name::parse(rest).map(|flow| scopes(Some(flow), None)),
            ScopeKind::Port | ScopeKind::Link => place(rest).map(|place| scopes(None, Some(place))),
            ScopeKind::Class => parts.and_then(|(word, place)| at_place((class(word)?, place))),
            ScopeKind::Priority => {
                parts.and_then(|(number, place)| at_place((priority(number)?, place)))
            }
            ScopeKind::Drop => match parts {
                Some((flow, place)) => Name::parse(flow).and_then(|flow| at_place((flow, place))),
                None => Name::parse(rest).map(|flow| scopes(Some(flow), None)),
            },
        };
        parsed.ok_or_else(|| {
            let problem = format!("there is no {} `{rest}`", kind.word());
            (problem, format!("write for example `{}`", form(kind, rest)))
        })
    }

    /// The kind of scope that a text begins with.
    fn kind(text: &str) -> Result<ScopeKind, ProblemAndHint> {
        let word = text.split_once(' ').map_or(text, |(word, _)| word);
        let mut kinds = ScopeKind::ALL.into_iter();
        kinds.find(|kind| kind.word() == word).ok_or_else(|| {
            let hint = "write for example `goodput` or `flow NAME goodput`";
            (format!("there are no metrics of a `{word}`"), hint.into())
        })
    }

    /// True if `scope` is one of these scopes.
    pub fn covers(&self, scope: &Scope) -> bool {
        let name = self.name.as_ref();
        let place = self.place.as_ref();
        scope.kind() == Some(self.kind)
            && name.is_none_or(|name| scope.name().is_some_and(|one| name.covers(&one)))
            && place.is_none_or(|place| scope.place().is_some_and(|one| place.covers(one)))
    }

    /// The text of the scopes without the word for their kind.
    pub fn member(&self) -> String {
        let name = self.name.iter().map(ToString::to_string);
        let place = self.place.iter().map(ToString::to_string);
        name.chain(place).collect::<Vec<_>>().join(" at ")
    }
}

impl Display for Scopes {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let member = self.member();
        let space = if member.is_empty() { "" } else { " " };
        write!(out, "{}{space}{member}", self.kind.word())
    }
}

/// The form of a scope, with the node that was `written` instead of an output.
fn form(kind: ScopeKind, written: &str) -> String {
    let node = Name::parse(written).map_or("NODE", |_| written);
    match kind {
        ScopeKind::Network => "network".into(),
        ScopeKind::Flow => "flow NAME".into(),
        ScopeKind::Port | ScopeKind::Link => format!("{} {node}->NODE", kind.word()),
        ScopeKind::Class => "class ubr at NODE->NODE".into(),
        ScopeKind::Priority => "priority 3 at NODE->NODE".into(),
        ScopeKind::Drop => "drop FLOW at NODE->NODE".into(),
    }
}

/// A service class by its word.
fn class(word: &str) -> Option<Name> {
    let mut words = Class::ALL.iter().map(|class| class.word());
    words.any(|known| known == word).then(|| Name::alone(word))
}

/// A priority by its number.
fn priority(number: &str) -> Option<Name> {
    let mut names = Priority::all().map(Name::of_priority);
    names.find(|name| name.group == number)
}

/// An output, such as `s1->b[2]`, or `s1->s2/trunk` and `s1->b/rail[2]` where several links lead to the
/// node.
fn place(text: &str) -> Option<Place> {
    let (node, to) = text.split_once("->")?;
    let node = Name::parse(node)?;
    let Some((far, link)) = to.split_once('/') else {
        let to = Name::parse(to)?;
        return Some(Place { node, to });
    };
    // One of several links, by its table and the number of the node.
    let Name { group, number } = Name::parse(link)?;
    let group = format!("{far}/{group}");
    parameters::is_name(far).then_some(Place {
        node,
        to: Name { group, number },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::metrics::table::{class, network};

    fn hint(text: &str) -> Option<String> {
        Goal::parse(text).err().map(|(_, hint)| hint)
    }

    #[test]
    fn a_goal_is_of_the_network_or_says_of_what() {
        let goodput = Goal::parse("goodput").unwrap();
        assert_eq!(goodput.metric, network::goodput);
        assert_eq!(goodput, Goal::parse("network goodput").unwrap());
        let wait = Goal::parse("class abr at s1->b[2] max_wait").unwrap();
        assert_eq!(wait.metric, class::wait::max);
        assert_eq!(wait.scopes.name, Some(Name::alone("abr")));
        let to = wait.scopes.place.unwrap().to;
        assert_eq!((to.group.as_str(), to.number), ("b", Some(2)));
    }

    #[test]
    fn a_goal_is_written_as_it_is_read() {
        for text in [
            "goodput",
            "flow bulk[3] mean_delay",
            "port a-->b mean_queue",
            "port s1->s2/trunk-2 mean_queue",
            "port s1->b/rail[3] mean_queue",
            "class rt_vbr at s1->b max_wait",
            "link a[0]->s1 cells_lost",
            "priority 3 at a[0]->s1 packets_sent",
            "drop bulk overflow",
            "drop bulk[1] at s1->b lost",
        ] {
            assert_eq!(Goal::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_scope_is_told_with_its_form() {
        for (text, hint) in [
            ("network of goodput", "network"),
            ("flow a b goodput", "flow NAME"),
            ("flow a[x] goodput", "flow NAME"),
            ("port s1 mean_queue", "port s1->NODE"),
            ("class none at s1->b max_wait", "class ubr at NODE->NODE"),
            (
                "priority 8 at s1->b packets_sent",
                "priority 3 at NODE->NODE",
            ),
            ("priority 3 packets_sent", "priority 3 at NODE->NODE"),
            ("drop f at s1 overflow", "drop FLOW at NODE->NODE"),
        ] {
            assert_eq!(
                self::hint(text),
                Some(format!("write for example `{hint}`"))
            );
        }
    }

    #[test]
    fn a_metric_is_found_under_its_old_name() {
        let now = "it is called `limited_by_congestion_window` now";
        assert_eq!(hint("flow f held_by_cwnd").as_deref(), Some(now));
        assert_eq!(hint("flow f limited_by_cwnd").as_deref(), Some(now));
        assert_eq!(hint("flow f limited_by_rate"), None);
    }

    #[test]
    fn a_name_without_a_number_covers_all_members() {
        let scopes = |text| Scopes::parse(text).unwrap();
        let member = |group: &str, number| Name {
            group: group.into(),
            number: Some(number),
        };
        let place = Place {
            node: member("s", 1),
            to: Name::alone("b"),
        };
        let port = Scope::Port(place.clone());
        assert!(scopes("port s->b").covers(&port));
        assert!(scopes("port s[1]->b").covers(&port));
        assert!(!scopes("port s[2]->b").covers(&port));
        assert!(!scopes("link s->b").covers(&port));
        let drop = Scope::Drop(member("f", 0), place);
        assert!(scopes("drop f").covers(&drop));
        assert!(scopes("drop f at s[1]->b").covers(&drop));
        assert!(!scopes("drop f[1]").covers(&drop));
    }
}
