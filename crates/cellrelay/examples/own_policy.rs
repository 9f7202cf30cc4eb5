//! A discard policy of one's own beside one in the tree.
//!
//! `cargo run --example own_policy`

use cellrelay::members::discard::{
    Buffer, Cell, Decision, Discard, DiscardKind, Family, Occupancy,
};
use cellrelay::members::{Member, OpenFamily, parameters};

const SCENARIO: &str = include_str!("two-senders.toml");

parameters! {
    /// Drops cells that arrive while more than a set part of the buffer is occupied.
    pub struct TopDrop {
        /// Part of the buffer that is used.
        #[range(0.1, 1)]
        pub part: f64 = 0.8,
    }
}

impl Member<Family> for TopDrop {
    fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let most = (self.part * buffer.capacity as f64) as u64;
        Box::new(State { most })
    }

    fn answers(&self) -> &(dyn DiscardKind + 'static) {
        self
    }
}

impl DiscardKind for TopDrop {
    fn needs_shared_queue(&self) -> bool {
        false
    }

    fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)> {
        vec![("part", (self.part * buffer.capacity as f64) as u64)]
    }

    fn drops_whole_packets(&self) -> bool {
        false
    }
}

struct State {
    /// Largest queue, in cells or octets, that the policy allows.
    most: u64,
}

impl Discard for State {
    fn admit(&mut self, _cell: &Cell, buffer: Occupancy) -> Decision {
        if buffer.fits() && buffer.queued + buffer.size <= self.most {
            Decision::Accept
        } else {
            Decision::Drop
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The text of this file separates stored runs of this policy from those of a changed one; a
    // version number that you raise with each change does so too.
    Family::register::<TopDrop>("top_drop", include_str!("own_policy.rs"))?;
    for policy in ["tail_drop", "top_drop", "early_packet"] {
        let loader = cellrelay::Loader::new().set(format!("switch.s1.discard.{policy}"), "{}");
        let report = loader.text(SCENARIO)?.run(1);
        let goodput = report.value("goodput")? / 1e6;
        let longest = report.value("port s1->receiver max_queue")?;
        println!("{policy:12}  {goodput:5.2} Mbit/s  at most {longest} cells wait");
    }
    // The parameters of a registered policy have ranges, and errors give the place and a hint.
    let wrong = cellrelay::Loader::new().set("switch.s1.discard.top_drop.part", "2");
    println!("{}", wrong.text(SCENARIO).unwrap_err());
    Ok(())
}
