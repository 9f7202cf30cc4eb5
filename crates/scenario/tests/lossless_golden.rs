//! Digests of networks under every kind of flow control of a link, alone and together: a change of
//! structure leaves each of them as it is, bit for bit.
//!
//! `UPDATE_GOLDEN=1` writes them again, where a mended rule changes a run.

use std::fmt::Write;

use crate::common::{check, scenario, seed};
use crate::lossless::chain;
use crate::returns::FOUR;
use scenario::Scenario;
use scenario::run::Simulation;

const TIES: [(&str, &str); 2] = [("router.r1.ties", "random"), ("router.r2.ties", "random")];
const SHARED: [(&str, &str); 2] = [
    ("router.r1.buffer.shared.size", "200 kB"),
    ("router.r2.buffer.shared.size", "200 kB"),
];
const NOTHING: [(&str, &str); 0] = [];

/// A line with the first half of the digest of the first point.
fn line(text: &mut String, name: &str, scenario: &Scenario) {
    let point = scenario.point(0);
    let run = Simulation::new(point.plan(), seed(0)).run(|_| true);
    let digest = run.expect("nobody cancels").digest();
    writeln!(text, "{} {name}", &digest[..32]).expect("a string can be written to");
}

macro_rules! chains {
    ($text:ident: $($control:literal, $settings:expr;)*) => {
        $(
            let name = $control.replace('\n', ", ");
            let settings: &[(&str, &str)] = &$settings;
            let with = settings.first().map_or("", |(path, _)| path.rsplit('.').next().unwrap_or(path));
            line(&mut $text, format!("{name} {with}").trim(), &scenario(chain!($control), settings));
        )*
    };
}

#[test]
fn digests_of_lossless_chains() {
    let mut text = String::new();
    chains! { text:
        "# no flow control", NOTHING;
        "pause.pfc = {}", NOTHING;
        "pause.pfc = {}", TIES;
        "pause.pfc = { dynamic = { power = 0 } }", SHARED;
        "credit.cbfc = { limit = 40 }", NOTHING;
        "credit.cbfc = { limit = 40 }\nloss.packet = \"0.1 %\"", NOTHING;
        "retry.llr = {}\nloss.packet = \"0.1 %\"", NOTHING;
        "pause.pfc = {}\nretry.llr = {}", NOTHING;
        "pause.pfc = {}\nretry.llr = {}\nloss.packet = \"0.1 %\"", NOTHING;
        "credit.cbfc = { limit = 40 }\nretry.llr = {}", TIES;
        "credit.cbfc = { limit = 40 }\nretry.llr = {}\nloss.bit_errors.ratio = 1e-7", TIES;
    }
    line(&mut text, "packets that go back", &scenario(FOUR, &[]));
    check("lossless-chains.txt", &text);
}

#[test]
fn digests_of_examples_of_links_and_fabrics() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut text = String::new();
    for name in [
        "abr",
        "credit-loop",
        "dual-homed",
        "edges",
        "packet-credits",
        "pause-ring",
        "scheduled-fabric",
        "trimming",
    ] {
        let example = std::fs::read_to_string(format!("{folder}/{name}.toml"));
        let settings = [("duration", "5 ms"), ("warm_up", "0 s")];
        line(
            &mut text,
            name,
            &scenario(&example.expect("an example"), &settings),
        );
    }
    check("links-and-fabrics.txt", &text);
}
