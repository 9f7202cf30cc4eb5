//! The networks that are simulated, as scenarios.

use std::fmt::Write;

const TCP: &str = "transport.tcp = { packet = \"1500 B\", congestion.reno = {}, timers.bsd = { tick = \"10 ms\" } }";

/// A network, and the flows through it.
#[derive(Clone, Copy)]
pub enum Network {
    /// One port through which so many TCPs and one telnet connection go: that of the first study.
    Port(usize),
    /// Three TCPs over 1000 km, through two switches.
    Long,
    /// Three TCPs to one host over 1000 km: the network of the record of other simulators.
    Recorded,
    /// So many switches in a row: one flow passes all of them, and one crosses each link between two.
    Chain(usize),
    /// So many switches in a row: at each a flow enters, and all leave at the end.
    ParkingLot(usize),
    /// A hundred TCPs through one port, on which nothing is lost.
    Hundred,
    /// As many from one host, over two switches.
    OneHost,
    /// A fat tree of switches with so many ports, in which each host sends to one of the pod opposite,
    /// and no two flows share a link.
    FatTree(usize),
    /// A network that another simulator has too.
    Shared(&'static str),
}

/// What the flows send.
#[derive(Clone, Copy, PartialEq)]
pub enum Traffic {
    /// Cells, with early packet discard at the switches.
    Cells,
    /// Whole packets, with drop-tail queues.
    Packets,
}

impl Network {
    /// The scenario.
    pub fn text(self, traffic: Traffic) -> String {
        let text = match self {
            Network::Port(flows) => port(flows),
            Network::Long => include_str!("../scenarios/three-reno.toml").into(),
            Network::Recorded => include_str!("../scenarios/recorded-three.toml").into(),
            Network::Chain(switches) => chain(switches),
            Network::ParkingLot(switches) => parking_lot(switches),
            Network::Hundred => include_str!("../scenarios/hundred.toml").into(),
            Network::OneHost => include_str!("../scenarios/one-host.toml").into(),
            Network::FatTree(ports) => fat_tree(ports),
            Network::Shared(text) => text.into(),
        };
        match traffic {
            Traffic::Cells => text,
            Traffic::Packets => in_packets(&text),
        }
    }
}

fn in_packets(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split('.').next() {
        Some("over") => "over.packet = {}",
        Some("discard") => "discard.tail_drop = {}",
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn port(flows: usize) -> String {
    let ten = include_str!("../../crates/scenario/tests/common/ten-tcp.toml");
    ten.replace("count = 10\n", &format!("count = {flows}\n"))
}

fn chain(switches: usize) -> String {
    let mut row = Row::new(switches);
    for number in 1..switches {
        let [from, to] = ["from", "to"].map(|end| format!("{end}{number}"));
        row.host(&from, number);
        row.host(&to, number + 1);
        row.flow(&from, &to);
    }
    row.host("sender", 1);
    row.host("receiver", switches);
    row.flow("sender", "receiver");
    row.text
}

fn parking_lot(switches: usize) -> String {
    let mut row = Row::new(switches);
    row.host("receiver", switches);
    for number in 1..=switches {
        let from = format!("from{number}");
        row.host(&from, number);
        row.flow(&from, "receiver");
    }
    row.text
}

fn fat_tree(ports: usize) -> String {
    let half = ports / 2;
    let (pod_size, hosts) = (half * half, ports * half * half);
    let mut text = format!("[topology.fat_tree]\nports = {ports}\n");
    text.push_str("access = { rate = \"1 Gbit/s\", delay = \"5 us\" }\n");
    text.push_str("[topology.fat_tree.switch]\n");
    text.push_str("buffer.per_output = \"1000 cells\"\ndiscard.early_packet = {}\n");
    for from in 0..hosts {
        let to = (from + hosts / 2) % hosts;
        let [(pod, edge, column), (far_pod, far_edge, _)] = [from, to].map(|host| {
            let within = host % pod_size;
            (host / pod_size + 1, within / half + 1, within % half + 1)
        });
        let core = (column - 1) * half + edge;
        let route = [
            format!("edge{pod}_{edge}"),
            format!("aggregation{pod}_{column}"),
            format!("core{core}"),
            format!("aggregation{far_pod}_{column}"),
            format!("edge{far_pod}_{far_edge}"),
        ];
        let lines = format!(
            "[flow.from{from}]\nfrom = \"host[{from}]\"\nto = \"host[{to}]\"\nroute = {route:?}\n\
             source.greedy.start.uniform = [\"0 s\", \"0.2 ms\"]\nover.ubr = {{}}\n{TCP}\n"
        );
        text.push_str(&lines);
    }
    text
}

/// Switches in a row, the scenario as far as it is written.
struct Row {
    text: String,
}

impl Row {
    /// So many switches, joined by links.
    fn new(switches: usize) -> Row {
        let mut row = Row {
            text: String::new(),
        };
        for number in 1..=switches {
            row.add(format_args!("[switch.s{number}]"));
            row.add(format_args!("buffer.per_output = \"1000 cells\""));
            row.add(format_args!("discard.early_packet = {{}}"));
        }
        for number in 1..switches {
            let next = number + 1;
            row.link(&format!("s{number}"), &format!("s{next}"));
        }
        row
    }

    /// A host at the switch of that number.
    fn host(&mut self, name: &str, switch: usize) {
        self.add(format_args!("[host.{name}]"));
        self.link(name, &format!("s{switch}"));
    }

    fn link(&mut self, from: &str, to: &str) {
        self.add(format_args!("[link.{from}-{to}]"));
        self.add(format_args!("between = [{from:?}, {to:?}]"));
        self.add(format_args!("rate = \"155 Mbit/s\"\ndelay = \"100 us\""));
    }

    fn flow(&mut self, from: &str, to: &str) {
        self.add(format_args!("[flow.{from}]\nfrom = {from:?}\nto = {to:?}"));
        self.add(format_args!("over.ubr = {{}}\n{TCP}"));
    }

    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("a string can be written to");
    }
}
