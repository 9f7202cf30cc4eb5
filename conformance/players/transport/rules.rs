//! Tests of the table of rules of RFCs: each rule has scripts that cite it, or a reason to have
//! none, and each script that cites one of these RFCs stands beside a rule of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::parse::parse;
use crate::script::TestedProtocol;
use crate::scripts_of;

const PAGE: &str = "../docs/reference/tcp-scripts.md";

/// A row of the table.
struct Rule {
    /// Such as `RFC 8985`.
    rfc: String,
    /// Such as `6.2`, without a step, or `appendix G`.
    section: String,
    /// Names of the scripts; none if the row says why there are none.
    scripts: Vec<String>,
}

impl Rule {
    fn read(row: &str) -> Option<Rule> {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [rfc, section, _, scripts] = cells[..] else {
            return None;
        };
        let links = scripts.split("](../../conformance/tcp/").skip(1);
        let names = links.filter_map(|rest| Some(rest.split_once(')')?.0.to_string()));
        let scripts: Vec<String> = names.collect();
        let is_told = scripts.is_empty() == cells[3].starts_with("none: ");
        assert!(is_told, "scripts, or a reason for none: {row}");
        Some(Rule {
            rfc: rfc.to_string(),
            section: section.split(',').next()?.to_string(),
            scripts,
        })
    }
}

fn rules() -> Vec<Rule> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read_to_string(path).unwrap();
    let mut rows = page.lines().filter(|line| line.starts_with("| RFC "));
    rows.next().expect("the head of the table");
    rows.filter_map(Rule::read).collect()
}

/// The source of each script of TCP.
fn sources() -> BTreeMap<String, String> {
    let scripts = scripts_of(TestedProtocol::Tcp).into_iter();
    scripts
        .map(|(name, text)| {
            let script = parse(&name, &text).unwrap_or_else(|error| panic!("{error}"));
            (name, script.source)
        })
        .collect()
}

/// True if a source cites a section of an RFC.
fn cites(source: &str, rfc: &str, section: &str) -> bool {
    let citations = source.split("; ").filter(|one| one.starts_with(rfc));
    citations.into_iter().any(|one| {
        let mut words = one.split([' ', ',', ':', '(', ')']);
        let is_appendix = section.starts_with("appendix");
        is_appendix && one.contains(section) || words.any(|word| word == section)
    })
}

#[test]
fn each_rule_has_scripts_that_cite_it() {
    let sources = sources();
    let rules = rules();
    assert!(rules.len() > 40, "{}", rules.len());
    for rule in rules {
        for script in rule.scripts {
            let source = sources.get(&script).unwrap_or_else(|| panic!("{script}"));
            assert!(
                cites(source, &rule.rfc, &rule.section),
                "{script} stands beside {}, section {}, and cites {source}",
                rule.rfc,
                rule.section
            );
        }
    }
}

#[test]
fn each_script_of_these_rfcs_stands_beside_a_rule() {
    let rules = rules();
    for (name, source) in sources() {
        for rule in &rules {
            let is_cited = source.split("; ").any(|one| one.starts_with(&rule.rfc));
            let mut others = rules.iter().filter(|other| other.rfc == rule.rfc);
            assert!(
                !is_cited || others.any(|other| other.scripts.contains(&name)),
                "{name} cites {}, and stands beside none of its rules",
                rule.rfc
            );
        }
    }
}
