//! Tests of the pages about scripts: their examples are scripts, and their tables list all scripts.

use std::fs;
use std::path::PathBuf;

use crate::parse::parse;
use crate::script::TestedProtocol;
use crate::{scripts, scripts_of};

const BEGIN: &str = "<!-- scripts: written by a test -->\n";
const END: &str = "<!-- end of scripts -->";

fn path(protocol: TestedProtocol) -> PathBuf {
    let page = format!("../docs/reference/{}-scripts.md", protocol.name());
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(page)
}

/// The table of scripts: a line for each, by topic.
fn table(protocol: TestedProtocol) -> String {
    let row = |(name, written): &(String, String)| {
        let script = parse(name, written).unwrap_or_else(|error| panic!("{error}"));
        let place = format!("../../conformance/{}/{name}", protocol.name());
        let title = name.trim_end_matches(protocol.suffix());
        format!(
            "| [{title}]({place}) | {} | {} |\n",
            script.rule, script.source
        )
    };
    let rows: Vec<String> = scripts_of(protocol).iter().map(row).collect();
    format!(
        "| script | rule | source |\n|---|---|---|\n{}",
        rows.concat()
    )
}

#[test]
fn the_pages_list_every_script() {
    for protocol in TestedProtocol::ALL {
        let page = fs::read_to_string(path(protocol)).unwrap();
        let (before, rest) = page
            .split_once(BEGIN)
            .expect("the page has a place for the table");
        let (_, after) = rest.split_once(END).expect("the table ends");
        let today = format!("{before}{BEGIN}\n{}\n{END}{after}", table(protocol));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(path(protocol), &today).unwrap();
        }
        assert!(
            today == page,
            "UPDATE_GOLDEN=1 writes the table of scripts anew"
        );
    }
}

#[test]
fn the_example_of_each_page_is_a_script() {
    for protocol in TestedProtocol::ALL {
        let page = fs::read_to_string(path(protocol)).unwrap();
        let (_, block) = page
            .split_once("```text\n")
            .expect("the page has an example");
        let (example, _) = block.split_once("```").expect("the example ends");
        assert!(
            scripts().iter().any(|(_, text)| text == example),
            "not a script:\n{example}"
        );
    }
}

#[test]
fn every_script_cites_what_is_published() {
    let cited = |source: &str| {
        let known = [
            "RFC ",
            "4.3BSD-",
            "4.4BSD",
            "ns-2.35",
            "Fall and Floyd",
            "Jacobson",
            "Karn",
            "Linux 6.",
            "Ajmone Marsan",
            "draft-cardwell-iccrg-bbr-congestion-control-",
            "draft-briscoe-iccrg-prague-congestion-control-",
        ];
        known.iter().any(|name| source.starts_with(name))
            && source.contains(|c: char| c.is_ascii_digit())
    };
    for (name, text) in scripts() {
        let script = parse(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        assert!(
            cited(&script.source),
            "{name}: who says so? {}",
            script.source
        );
        assert!(script.rule.ends_with('.'), "{name}: the rule is a sentence");
        assert!(!script.events.is_empty(), "{name}: nothing happens");
    }
}
