//! The drops of outputs, of the links behind them, and of the policers before them, read one by one
//! while a run goes on.

use kernel::Network;
use models::metrics::{Drops, TimedDrop};
use models::node::AnyNode;

/// A reader of all drops.
pub struct Reader {
    /// True if recorded series need the lists of drops, which this reader must then not shorten.
    keeps: bool,
    /// Number of drops already read, by output and by link, if the lists are not shortened.
    read: Vec<[usize; 2]>,
}

impl Reader {
    /// A reader of a network before its first drop; `keeps` is true if series need the lists.
    pub fn begin(network: &mut Network<AnyNode>, keeps: bool) -> Reader {
        let mut outputs = 0;
        for node in &mut network.nodes {
            outputs += node.losses().len();
            for port in node.ports_mut() {
                port.meter_mut().drops.get_or_insert_default().is_listed = true;
            }
            for end in node.losses_mut().into_iter().flatten() {
                end.meter.drops.get_or_insert_default().is_listed = true;
            }
            each_policer(node, |_, drops| {
                drops.get_or_insert_default().is_listed = true;
            });
        }
        Reader {
            keeps,
            read: vec![[0; 2]; outputs],
        }
    }

    /// Shows each drop since the last call, with the number of its output.
    pub fn take(&mut self, network: &mut Network<AnyNode>, mut see: impl FnMut(usize, &TimedDrop)) {
        let keeps = self.keeps;
        let mut read = |drops: &mut Drops, known: &mut usize, point| {
            drops.list[*known..]
                .iter()
                .for_each(|drop| see(point, drop));
            if keeps {
                *known = drops.list.len();
            } else {
                drops.list.clear();
            }
        };
        let mut first = 0;
        for node in &mut network.nodes {
            for (output, port) in node.ports_mut().into_iter().enumerate() {
                if let Some(drops) = &mut port.meter_mut().drops {
                    let [known, _] = &mut self.read[first + output];
                    read(drops, known, first + output);
                }
            }
            let losses = node.losses_mut();
            let outputs = losses.len();
            for (output, end) in losses.into_iter().enumerate() {
                if let Some(drops) = end.and_then(|end| end.meter.drops.as_mut()) {
                    let [_, known] = &mut self.read[first + output];
                    read(drops, known, first + output);
                }
            }
            each_policer(node, |output, drops| {
                if let Some(drops) = drops {
                    read(drops, &mut 0, first + output);
                    drops.list.clear();
                }
            });
            first += outputs;
        }
    }

    /// Ends the lists of drops, except those that recorded series need.
    pub fn end(&self, network: &mut Network<AnyNode>) {
        for node in &mut network.nodes {
            each_policer(node, |_, drops| *drops = None);
            if self.keeps {
                continue;
            }
            for port in node.ports_mut() {
                port.meter_mut().drops = None;
            }
            for end in node.losses_mut().into_iter().flatten() {
                end.meter.drops = None;
            }
        }
    }
}

/// Visits the list of each policer of a node, with the number of the output behind it.
fn each_policer(node: &mut AnyNode, mut see: impl FnMut(usize, &mut Option<Box<Drops>>)) {
    if let AnyNode::Switch(switch) = node {
        for output in 0..switch.outputs.ports.len() {
            for policer in switch.policers_mut(output) {
                see(output, &mut policer.drops);
            }
        }
    }
}
