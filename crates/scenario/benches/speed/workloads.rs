//! What is timed: fixed scenarios, each in several ways.

use std::fmt::Write;

use parameters::Problems;
use scenario::lower::Plan;
use scenario::{Scenario, ScenarioSpec};

/// A setting, as `--set` takes it.
pub type Setting = (&'static str, &'static str);

/// A scenario and the ways in which it is run.
pub struct Group {
    /// What it is, as a heading.
    pub title: &'static str,
    /// The scenario.
    pub text: fn() -> String,
    /// Simulated time.
    pub duration: &'static str,
    /// The ways.
    pub ways: &'static [(&'static str, &'static [Setting])],
}

pub const PACKET: Setting = ("flow.bulk.over.packet", "{}");
pub const TELNET_PACKET: Setting = ("flow.telnet.over.packet", "{}");
pub const TAIL_DROP: Setting = ("switch.s1.discard.tail_drop", "{}");
pub const SMALL: Setting = ("flow.bulk.transport.tcp.packet", "512 B");
const RECORD: Setting = ("record.every", "0.1 ms");
const FREE: Setting = ("switch.s1.fabric.immediate", "{}");

/// Everything that is timed.
pub const GROUPS: &[Group] = &[
    Group {
        title: "ten TCPs, one port, 15 s",
        text: ten_tcps,
        duration: "15 s",
        ways: &[
            ("cells, 512 B, EPD", &[SMALL, FREE]),
            ("cells, 512 B, EPD, slotted fabric", &[SMALL]),
            ("cells, 9180 B, EPD", &[FREE]),
            ("cells, 9180 B, EPD, recorded", &[FREE, RECORD]),
            ("cells, 9180 B, EPD, slotted fabric", &[]),
            ("cells, 9180 B, plain", &[FREE, TAIL_DROP]),
            ("packets, 512 B", &[PACKET, TELNET_PACKET, TAIL_DROP, SMALL]),
            (
                "packets, 512 B, recorded",
                &[PACKET, TELNET_PACKET, TAIL_DROP, SMALL, RECORD],
            ),
            ("packets, 9180 B", &[PACKET, TELNET_PACKET, TAIL_DROP]),
        ],
    },
    Group {
        title: "three TCPs over 1000 km, 60 s",
        text: || include_str!("three-reno.toml").to_string(),
        duration: "60 s",
        ways: &[
            ("cells, EPD", &[]),
            ("cells, EPD, recorded", &[RECORD]),
            ("packets", &[PACKET, TAIL_DROP]),
        ],
    },
    Group {
        title: "a chain of 16 switches, 4 s",
        text: || chain(16).replace("OVER", "ubr"),
        duration: "4 s",
        ways: &[("cells, 1500 B, EPD", &[])],
    },
    Group {
        title: "a chain of 16 routers, 4 s",
        text: || chain(16).replace("OVER", "packet"),
        duration: "4 s",
        ways: &[("packets, 1500 B", &[])],
    },
];

/// The base scenario of the first study.
pub fn ten_tcps() -> String {
    include_str!("../../../../studies/romanow_floyd/ten-tcp.toml").to_string()
}

/// Switches in a row; one flow passes all of them, and one crosses each link between two.
pub fn chain(switches: usize) -> String {
    const TCP: &str = "transport.tcp = { packet = \"1500 B\", congestion.reno = {}, timers.bsd = { tick = \"10 ms\" } }";
    let mut text = String::from("duration = \"4 s\"\n");
    let mut add = |line: std::fmt::Arguments<'_>| writeln!(text, "{line}").expect("a string");
    for number in 1..=switches {
        add(format_args!(
            "[switch.s{number}]\nbuffer.per_output = \"1000 cells\""
        ));
        add(format_args!("discard.early_packet = {{}}"));
    }
    let mut link = |name: String, from: String, to: String| {
        add(format_args!("[link.{name}]\nbetween = [{from:?}, {to:?}]"));
        add(format_args!("rate = \"155 Mbit/s\"\ndelay = \"100 us\""));
    };
    link("first".into(), "sender".into(), "s1".into());
    link("last".into(), format!("s{switches}"), "receiver".into());
    for number in 1..switches {
        let [here, next] = [number, number + 1].map(|switch| format!("s{switch}"));
        link(format!("trunk{number}"), here.clone(), next.clone());
        link(format!("in{number}"), format!("from{number}"), here);
        link(format!("out{number}"), next, format!("to{number}"));
    }
    for number in 1..switches {
        add(format_args!("[host.from{number}]\n[host.to{number}]"));
        add(format_args!(
            "[flow.cross{number}]\nfrom = \"from{number}\"\nto = \"to{number}\""
        ));
        add(format_args!("over.OVER = {{}}\n{TCP}"));
    }
    add(format_args!("[host.sender]\n[host.receiver]"));
    add(format_args!(
        "[flow.bulk]\nfrom = \"sender\"\nto = \"receiver\""
    ));
    add(format_args!("over.OVER = {{}}\n{TCP}"));
    text
}

/// Lowers a scenario with some settings changed.
pub fn plan(text: &str, settings: &[(&str, &str)]) -> Plan {
    let settings: Vec<(String, String)> = settings
        .iter()
        .map(|(path, value)| ((*path).to_string(), (*value).to_string()))
        .collect();
    let check = |spec: &ScenarioSpec, problems: &mut Problems| {
        Plan::new(spec, problems);
    };
    let scenario = Scenario::read(text, "workload.toml", &settings, &check)
        .unwrap_or_else(|error| panic!("{error}"));
    Plan::new(&scenario.spec, &mut Problems::default()).expect("a scenario without mistakes")
}
