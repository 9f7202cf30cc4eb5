//! Random networks: nodes, links between them, and flows.

mod links;

use models::bearer::BearerSpec;
use parameters::{Field, Shape, Value, ValueTable, understand};
use scenario::ScenarioSpec;

use crate::dice::Dice;
use crate::values;

/// Probability, in per cent, that drawn losses and outages are left out again: if every link lost units, little
/// would arrive.
const LOSSLESS: u64 = 60;

/// Probability, in per cent, that a flow with a traffic contract is policed.
const POLICED: u64 = 60;

/// Probability, in per cent, that the outputs of a node that pauses links share a buffer, which dynamic
/// thresholds need.
const SHARED: u64 = 50;

/// Probability, in per cent, that a link with pauses or with credits for packets has retry.
const RETRIED: u64 = 40;

/// Probability, in per cent, that a link is paused in a network whose routers pause links, or has
/// credits in a network with credits for packets.
const GUARDED: u64 = 80;

/// Probability, in per cent, that the rate of a link with whole packets changes.
const CHANGING: u64 = 25;

/// Probability, in per cent, that two neighbouring nodes are joined by a second link.
const PARALLEL: u64 = 40;

/// Probability, in per cent, that a group of hosts has another link, and of three a third.
const SEVERAL_LINKS: u64 = 40;

/// Probability, in per cent, that two groups of hosts are joined by a link of their own.
const DIRECT: u64 = 20;

/// The bearer of all flows of a network, which determines the kinds of its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theme {
    /// In whole packets, through routers, or switches that act as such.
    Packets,
    /// In cells, through switches.
    Cells,
    /// In whole packets, which receivers pull, and which go back where there is no room.
    Returns,
    /// In whole packets, through routers that pause links.
    Pauses,
    /// In whole packets, over links with credits.
    PacketCredits,
    /// In cells, over links with credits.
    Credits,
    /// In cells between edges, in packets outside of them.
    Edges,
}

/// A group of hosts.
struct Group {
    name: String,
    count: Option<u64>,
}

/// A network in the making.
struct Draft<'a> {
    theme: Theme,
    dice: &'a mut Dice,
    /// Tables of the scenario, by family: hosts, switches, routers, edges, links, flows.
    families: Vec<(&'static str, ValueTable)>,
}

/// A scenario, which may have mistakes.
pub fn any(dice: &mut Dice) -> ValueTable {
    let themes = [
        Theme::Packets,
        Theme::Returns,
        Theme::Cells,
        Theme::Pauses,
        Theme::PacketCredits,
        Theme::Credits,
        Theme::Edges,
    ];
    let theme = *dice.pick(&themes);
    let families = ["host", "switch", "router", "edge", "link", "flow"];
    let mut draft = Draft {
        theme,
        dice,
        families: families
            .map(|family| (family, ValueTable::default()))
            .into(),
    };
    let inner = draft.inner_nodes();
    let groups = draft.groups(&inner);
    for number in 0..draft.dice.between(1, 4) {
        draft.flow(number, &groups);
    }
    let mut scenario = draft.settings();
    for (family, table) in draft.families {
        if !table.is_empty() {
            scenario.set(family, None, Value::from(table).into());
        }
    }
    scenario
}

impl Draft<'_> {
    /// Parameters of the whole scenario, such as its duration.
    fn settings(&mut self) -> ValueTable {
        let dice = &mut *self.dice;
        let duration = dice.between(10, 30);
        let mut table = ValueTable::of([("duration", Value::from(format!("{duration} ms")))]);
        if dice.chance(30) {
            table.set("warm_up", None, Value::from("1 ms").into());
        }
        if dice.chance(15) {
            let batches = dice.between(2, 3) as i64;
            table.set("batches", None, Value::from(batches).into());
        }
        if dice.chance(20) {
            let record = ValueTable::of([("every", Value::from("0.5 ms"))]);
            table.set("record", None, Value::from(record).into());
        }
        let cell = &field(ScenarioSpec::known_shape(), "cell").shape;
        if dice.chance(25)
            && let Some(cell) = values::any(cell, dice)
        {
            table.set("cell", None, cell.into());
        }
        table
    }

    fn add(&mut self, family: &str, name: &str, table: ValueTable) {
        let mut families = self.families.iter_mut();
        let found = families.find(|(known, _)| *known == family);
        let (_, members) = found.expect("a family of nodes, links or flows");
        members.set(name, None, Value::from(table).into());
    }

    /// Adds the inner nodes, and returns those to which hosts are linked.
    fn inner_nodes(&mut self) -> Vec<String> {
        let names: Vec<String> = (0..self.dice.between(1, 4))
            .map(|number| format!("n{number}"))
            .collect();
        let ring = names.len() > 2 && self.dice.chance(30);
        for (number, name) in names.iter().enumerate() {
            self.inner_node(name);
            if number > 0 {
                let before = if ring {
                    names[number - 1].clone()
                } else {
                    self.dice.pick(&names[..number]).clone()
                };
                self.link(&format!("trunk{number}"), &before, name);
                if self.dice.chance(PARALLEL) {
                    self.link(&format!("parallel{number}"), &before, name);
                }
            }
        }
        if ring {
            self.link("ring", &names[0], &names[names.len() - 1]);
        }
        if self.theme != Theme::Edges {
            return names;
        }
        let edges: Vec<String> = (0..self.dice.between(2, 3))
            .map(|number| format!("e{number}"))
            .collect();
        for (number, edge) in edges.iter().enumerate() {
            let table = drawn("edge", &["count"], self.dice);
            self.add("edge", edge, table);
            let inner = self.dice.pick(&names).clone();
            self.link(&format!("uplink{number}"), edge, &inner);
        }
        edges
    }

    fn inner_node(&mut self, name: &str) {
        let gated = [Theme::Pauses, Theme::PacketCredits].contains(&self.theme);
        let packets = gated || [Theme::Packets, Theme::Returns].contains(&self.theme);
        let family = if packets && self.dice.chance(70) {
            "router"
        } else {
            "switch"
        };
        let mut table = drawn(family, &[], self.dice);
        if self.theme == Theme::Credits {
            // Credits need a queue for each VC.
            let scheduler = ValueTable::of([("round_robin", Value::from(ValueTable::default()))]);
            table.set("scheduler", None, Value::from(scheduler).into());
        }
        if gated {
            // Each priority of a link that may be paused, or has credits, waits by itself.
            table.remove("scheduler");
            if self.dice.chance(50) {
                table.remove("discard");
            }
        }
        if self.theme == Theme::Pauses && self.dice.chance(SHARED) {
            while !has_member(&table, "buffer", "shared") {
                let buffer = values::any(shape(family, "buffer"), self.dice);
                table.set("buffer", None, buffer.expect("a buffer").into());
            }
        }
        if self.theme == Theme::Returns {
            self.send_back(&mut table);
        }
        self.add(family, name, table);
    }

    /// Lets a node return packets, which it does more often with little memory for headers.
    fn send_back(&mut self, node: &mut ValueTable) {
        let mut trim = ValueTable::of([("no_room", Value::from("returned"))]);
        if self.dice.chance(60) {
            let headers = self.dice.between(128, 1000);
            let headers = Value::from(format!("{headers} B"));
            trim.set("headers", None, headers.into());
            let first = ValueTable::of([("headers_first", Value::from(ValueTable::default()))]);
            node.set("scheduler", None, Value::from(first).into());
        }
        let discard = ValueTable::of([("trim", Value::from(trim))]);
        node.set("discard", None, Value::from(discard).into());
    }

    fn groups(&mut self, inner: &[String]) -> Vec<Group> {
        let count = self.dice.between(2, 5);
        let groups: Vec<Group> = (0..count).map(|number| self.group(number, inner)).collect();
        let [one, other] = [&groups[0], &groups[groups.len() - 1]];
        let fit = one.count.is_none() || other.count.is_none() || one.count == other.count;
        if fit && self.dice.chance(DIRECT) {
            self.link("direct", &one.name, &other.name);
        }
        groups
    }

    fn group(&mut self, number: u64, inner: &[String]) -> Group {
        let name = format!("h{number}");
        let count = self.dice.chance(40).then(|| self.dice.between(2, 3));
        let mut table = drawn("host", &["count"], self.dice);
        if let Some(count) = count {
            table.set("count", None, Value::from(count as i64).into());
        }
        self.add("host", &name, table);
        let at = self.dice.pick(inner).clone();
        self.link(&format!("access{number}"), &name, &at);
        for more in ["second", "third"] {
            if !self.dice.chance(SEVERAL_LINKS) {
                break;
            }
            // To the same node or to another one.
            let at = self.dice.pick(inner).clone();
            self.link(&format!("{more}{number}"), &name, &at);
        }
        Group { name, count }
    }

    fn flow(&mut self, number: u64, groups: &[Group]) {
        let from = self.dice.between(0, groups.len() as u64 - 1) as usize;
        let step = self.dice.between(1, groups.len() as u64 - 1) as usize;
        let (from, to) = (&groups[from], &groups[(from + step) % groups.len()]);
        let mut table = drawn("flow", &["from", "to", "route", "over"], self.dice);
        table.set("from", None, Value::from(&*from.name).into());
        let to = match (from.count, to.count) {
            (Some(one), Some(other)) if one != other => format!("{}[0]", to.name),
            _ => to.name.clone(),
        };
        table.set("to", None, Value::from(to).into());
        if self.theme == Theme::Returns {
            let packet = self.dice.between(200, 1500);
            let packet = Value::from(format!("{packet} B"));
            let pull = ValueTable::of([("packet", packet)]);
            let transport = ValueTable::of([("pull", Value::from(pull))]);
            table.set("transport", None, Value::from(transport).into());
        } else if has_member(&table, "source", "connections") {
            shake_hands(&mut table);
        }
        let (over, is_agreed) = self.bearer();
        table.set("over", None, over.into());
        if is_agreed && self.dice.chance(POLICED) {
            let police = values::any(shape("flow", "police"), self.dice);
            table.set("police", None, police.expect("a policer").into());
        }
        self.add("flow", &format!("f{number}"), table);
    }

    /// A bearer that the theme allows; true if it has a traffic contract.
    fn bearer(&mut self) -> (Value, bool) {
        loop {
            let drawn = values::any(shape("flow", "over"), self.dice).expect("a family has kinds");
            let Ok(over) = understand::<BearerSpec>(&drawn) else {
                continue;
            };
            let fits = match self.theme {
                Theme::Packets | Theme::Returns | Theme::Pauses | Theme::PacketCredits => {
                    !over.is_cells()
                }
                Theme::Cells | Theme::Edges => over.is_cells(),
                Theme::Credits => over.is_cells() && !over.is_abr(),
            };
            if fits {
                return (drawn, over.descriptor().is_some());
            }
        }
    }
}

/// True if a parameter is the member of a family with this name.
fn has_member(table: &ValueTable, parameter: &str, name: &str) -> bool {
    table.get(parameter).is_some_and(|written| {
        let settings = written.value.table();
        written.value.text() == Some(name) || settings.is_some_and(|of| of.get(name).is_some())
    })
}

/// Gives a flow a TCP with a handshake, which connections that come and go need: few flows would have
/// one otherwise.
fn shake_hands(flow: &mut ValueTable) {
    let drawn = flow
        .get("transport")
        .and_then(|written| written.value.table());
    let tcp = drawn.and_then(|transport| transport.get("tcp")?.value.table());
    let mut tcp = tcp.cloned().unwrap_or_default();
    tcp.set("handshake", None, Value::from(true).into());
    let transport = ValueTable::of([("tcp", Value::from(tcp))]);
    flow.set("transport", None, Value::from(transport).into());
}

/// Draws a node, a link or a flow, without the parameters `but`.
fn drawn(family: &str, but: &[&str], dice: &mut Dice) -> ValueTable {
    let Shape::Record(fields) = member(family) else {
        unreachable!("nodes, links and flows are records")
    };
    let mut table = values::record(fields, dice);
    for name in but {
        table.remove(name);
    }
    table
}

/// The shape of a node, link or flow.
pub fn member(family: &str) -> &'static Shape {
    match &field(ScenarioSpec::known_shape(), family).shape {
        Shape::Named(member) => member,
        _ => unreachable!("families have members with names"),
    }
}

/// The shape of one parameter of a node, link or flow.
fn shape(family: &str, name: &str) -> &'static Shape {
    &field(member(family), name).shape
}

/// A parameter of a record.
pub fn field<'a>(shape: &'a Shape, name: &str) -> &'a Field {
    let Shape::Record(fields) = shape else {
        unreachable!("only records have parameters")
    };
    let field = fields.fields.iter().find(|field| field.name == name);
    field.expect("a parameter of that name")
}
