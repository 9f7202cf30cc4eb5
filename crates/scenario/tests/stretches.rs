//! Trains of cells along rows of switches give the results of single cells.

use std::fmt::Write as _;

use crate::common::{plan, report, specified};
use kernel::{OnDemand, Windows};
use models::output::discard::DiscardSpec;
use proptest::prelude::*;

/// Random properties of a row of switches.
#[derive(Clone, Debug)]
struct Row {
    switches: usize,
    /// Rate of the links between switches, and of the links of hosts.
    rates: [&'static str; 2],
    /// Delay of the links between switches, and of the links of hosts.
    delays: [&'static str; 2],
    buffer: &'static str,
    discard: String,
    packet: &'static str,
    /// Cross traffic that is not TCP, if any.
    cross: &'static str,
}

const TCP: &str = "transport.tcp = { packet = \"PACKET\", window = \"64 kB\", congestion.reno = {}, \
                   timers.bsd = { tick = \"1 ms\" } }";

impl Row {
    /// One flow passes all switches; each link between two has a cross flow in either direction.
    fn text(&self) -> String {
        let Row {
            switches, discard, ..
        } = self;
        let mut text = "title = \"A row\"\nduration = \"25 ms\"\n".to_string();
        for number in 1..=*switches {
            let buffer = self.buffer;
            writeln!(
                text,
                "[switch.s{number}]\nbuffer.per_output = \"{buffer}\"\ndiscard.{discard}"
            )
            .expect("a string can be written to");
        }
        for number in 1..*switches {
            let (from, to) = (number, number + 1);
            self.link(&mut text, &format!("s{from}"), &format!("s{to}"), 0);
            let [one, other] = [format!("from{from}"), format!("to{to}")];
            self.host(&mut text, &one, from);
            self.host(&mut text, &other, to);
            self.flow(&mut text, &one, &other, TCP);
            if !self.cross.is_empty() {
                self.flow(&mut text, &other, &one, self.cross);
            }
        }
        self.host(&mut text, "first", 1);
        self.host(&mut text, "last", *switches);
        self.flow(&mut text, "first", "last", TCP);
        text
    }

    fn host(&self, text: &mut String, name: &str, switch: usize) {
        writeln!(text, "[host.{name}]").expect("a string can be written to");
        self.link(text, name, &format!("s{switch}"), 1);
    }

    fn link(&self, text: &mut String, from: &str, to: &str, kind: usize) {
        let (rate, delay) = (self.rates[kind], self.delays[kind]);
        writeln!(
            text,
            "[link.{from}-{to}]\nbetween = [\"{from}\", \"{to}\"]\nrate = \"{rate}\"\n\
             delay = \"{delay}\""
        )
        .expect("a string can be written to");
    }

    fn flow(&self, text: &mut String, from: &str, to: &str, what: &str) {
        let what = what.replace("PACKET", self.packet);
        writeln!(
            text,
            "[flow.{from}-{to}]\nfrom = \"{from}\"\nto = \"{to}\"\nover.ubr = {{}}\n{what}"
        )
        .expect("a string can be written to");
    }
}

fn rows() -> impl Strategy<Value = Row> {
    let rate = prop::sample::select(vec!["155.52 Mbit/s", "149.76 Mbit/s", "77.76 Mbit/s"]);
    let trunk = prop::sample::select(vec!["3 us", "100 us", "1 ms"]);
    let access = prop::sample::select(vec!["0 s", "3 us", "100 us"]);
    let buffer = prop::sample::select(vec!["20 cells", "60 cells", "400 cells", "3000 cells"]);
    let by_default = DiscardSpec::kinds().iter();
    let mut discards: Vec<String> = by_default.map(|kind| format!("{kind} = {{}}")).collect();
    discards.push("early_packet = { overflow = \"tail_drop\" }".to_string());
    let discard = prop::sample::select(discards);
    let packet = prop::sample::select(vec!["300 B", "512 B", "1500 B", "9180 B"]);
    let cross = prop::sample::select(vec![
        "",
        "transport.datagram = {}\nsource.poisson = { load = \"60 Mbit/s\", length.constant = \"1000 B\" }",
    ]);
    let links = (rate.clone(), rate, trunk, access);
    (2usize..5, links, buffer, discard, packet, cross).prop_map(
        |(switches, (trunk, access, far, near), buffer, discard, packet, cross)| Row {
            switches,
            rates: [trunk, access],
            delays: [far, near],
            buffer,
            discard,
            packet,
            cross,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn cells_that_move_together_give_the_results_of_single_cells(row in rows()) {
        let plan = plan(&row.text(), &[]);
        let expected = specified(&plan);
        prop_assert_eq!(&report(&plan, &mut Windows::default()), &expected);
        prop_assert_eq!(&report(&plan, &mut OnDemand::default()), &expected);
    }
}
