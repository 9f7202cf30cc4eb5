//! Nothing is silently without effect: a parameter that changes a run under one carrier changes it under
//! every other, or is refused there, or a warning tells of it.
//!
//! The parameters are those of the schema, so a new one is found by itself. Each is set to a few values on
//! a small crowded network, whose flows are carried in one way after another: see `networks.rs`. A
//! parameter that changes no run on any of these networks is not judged, because its rule needs another
//! network; `SHOW_UNSEEN=1` lists these.

mod networks;
mod settings;

use std::collections::BTreeMap;

use scenario::Scenario;
use scenario::run::Simulation;

use crate::common::{is_soak, seed};
use networks::{Carrier, carriers};
use settings::{Change, changes};

/// Parameters, by the beginnings of their paths, whose effect does not show under a carrier, with the
/// reason.
const HIDDEN: &[(&str, &str, &str)] = &[
    ("node.n1.discard.codel", "any", LATER),
    ("node.n1.discard.pie", "any", LATER),
    ("node.n1.discard.dual_pi2", "any", LATER),
    ("node.n1.discard.fq_codel", "any", LATER),
    ("node.n1.discard", "pauses", SHORT),
    ("node.n1.discard", "credits", SHORT),
    ("node.n1.discard", "credits for cells", SHORT),
    ("node.n1.fabric", "credits for cells", SHORT),
    ("node.n1.discard", "edges", SPACED),
    ("node.n1.fabric", "edges", SPACED),
    (
        "link.trunk.retry.llr.octets",
        "ptm",
        "the replay buffer is never full",
    ),
];

const LATER: &str = "it decides after longer times than these runs take";
const SHORT: &str = "packets wait at the node before, so the queues here stay short";
const SPACED: &str = "edges space the cells of a link, so few of them meet";

/// What a value of a parameter does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    /// The run has other numbers.
    Changes,
    /// The scenario is refused.
    Refused,
    /// A warning names the parameter, or a table around it.
    Told,
    /// None of these.
    Silent,
}

/// The effect of each parameter under each carrier; the parameters by path and member.
type Effects = BTreeMap<(String, String), BTreeMap<&'static str, Effect>>;

#[test]
fn nothing_is_silently_without_effect() {
    let mut effects = Effects::new();
    for carrier in carriers() {
        let mut bases = BTreeMap::new();
        for change in changes(&carrier) {
            if !is_soak() && !change.is_of_nodes() {
                continue;
            }
            if let Some(effect) = effect(&carrier, &change, &mut bases) {
                let name = (change.name(&carrier), change.member());
                effects
                    .entry(name)
                    .or_default()
                    .insert(carrier.name, effect);
            }
        }
    }
    let mut silent = Vec::new();
    for ((name, member), by_carrier) in &effects {
        if !by_carrier.values().any(|effect| *effect == Effect::Changes) {
            if std::env::var_os("SHOW_UNSEEN").is_some() {
                println!("unseen: {name} {member}: {by_carrier:?}");
            }
            continue;
        }
        let silently = by_carrier
            .iter()
            .filter(|(_, effect)| **effect == Effect::Silent);
        silent.extend(
            silently
                .filter(|(carrier, _)| !acts(&effects, name, member, carrier))
                .filter(|(carrier, _)| !is_hidden(name, member, carrier))
                .map(|(carrier, _)| format!("{name} {member} under {carrier}")),
        );
    }
    println!("{} parameters", effects.len());
    assert!(
        silent.is_empty(),
        "{} silent:\n{}",
        silent.len(),
        silent.join("\n")
    );
}

/// True if a parameter of a member of a family changes something under a carrier, so that the member acts
/// there.
fn acts(effects: &Effects, name: &str, member: &str, carrier: &str) -> bool {
    if member.is_empty() {
        return false;
    }
    let within = format!("{name}.{member}.");
    let mut of_member = effects
        .iter()
        .filter(|((name, _), _)| name.starts_with(&within));
    of_member.any(|(_, by_carrier)| by_carrier.get(carrier) == Some(&Effect::Changes))
}

fn is_hidden(name: &str, member: &str, carrier: &str) -> bool {
    let path = format!("{name}.{member}");
    let mut hidden = HIDDEN.iter();
    hidden.any(|(begin, under, _)| path.starts_with(begin) && [carrier, "any"].contains(under))
}

/// A run that is compared with others.
#[derive(Clone)]
struct Seen {
    resolved: String,
    /// The paths of warnings.
    told: Vec<String>,
    numbers: BTreeMap<String, u64>,
}

/// What a change does under a carrier; none if the settings around it are refused there, or if it sets what
/// is set already.
fn effect(
    carrier: &Carrier,
    change: &Change,
    bases: &mut BTreeMap<String, Option<Seen>>,
) -> Option<Effect> {
    let around = format!("{:?}", change.around);
    let base = bases
        .entry(around)
        .or_insert_with(|| seen(&carrier.text, &change.around));
    let base = base.clone()?;
    let mut all = Vec::new();
    for value in &change.values {
        let mut settings = change.around.clone();
        settings.push((change.path.clone(), value.clone()));
        let Some(other) = seen(&carrier.text, &settings) else {
            all.push(Effect::Refused);
            continue;
        };
        if other.resolved == base.resolved {
            continue;
        }
        if differ(&base.numbers, &other.numbers) {
            return Some(Effect::Changes);
        }
        let is_told = tells(&other.told, &change.path) || tells(&base.told, &change.path);
        all.push(if is_told {
            Effect::Told
        } else {
            Effect::Silent
        });
    }
    // A value that is accepted must be told of; if none is accepted, the parameter is refused.
    let accepted = all.iter().filter(|effect| **effect != Effect::Refused);
    accepted.max().or(all.first()).copied()
}

/// True if two runs differ in a number that both have.
fn differ(one: &BTreeMap<String, u64>, other: &BTreeMap<String, u64>) -> bool {
    one.iter()
        .any(|(name, value)| other.get(name).is_some_and(|found| found != value))
}

/// True if a warning is about a parameter, or about a table around it or within it.
fn tells(told: &[String], path: &str) -> bool {
    told.iter()
        .any(|told| path.starts_with(told.as_str()) || told.starts_with(path))
}

/// A run of a scenario; none if it is refused.
fn seen(text: &str, settings: &[(String, String)]) -> Option<Seen> {
    let scenario = Scenario::read(text, "test.toml", settings).ok()?;
    let report = Simulation::new(scenario.plan(), seed(0)).run(|_| true);
    let scalars = report.expect("nobody cancels").scalars;
    let named = scalars.iter().map(|scalar| {
        let name = format!("{} {}", scalar.scope, scalar.metric.name);
        (name, scalar.value.to_bits())
    });
    Some(Seen {
        resolved: scenario.resolved(),
        told: scenario
            .doubts
            .iter()
            .map(|doubt| doubt.path.clone())
            .collect(),
        numbers: named.collect(),
    })
}
