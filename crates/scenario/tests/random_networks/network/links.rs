//! Random links: their losses, pauses, credits and retry.

use super::{
    CHANGING, Draft, GUARDED, LOSSLESS, RETRIED, Theme, drawn, field, has_member, kind, shape,
};
use crate::values;
use parameters::{Shape, Value, ValueTable};

/// Probability, in per cent, that virtual channels share credits for packets.
const SHARED_CREDITS: u64 = 40;

impl Draft<'_> {
    pub(super) fn link(&mut self, name: &str, one: &str, other: &str) {
        let credit = match self.theme {
            Theme::Credits => self.dice.chance(60),
            Theme::PacketCredits => self.dice.chance(GUARDED),
            _ => false,
        };
        let undrawn = ["credit", "pause", "rate_changes"];
        let mut table = drawn("link", &undrawn, self.dice);
        if self.sends_packets() && self.dice.chance(CHANGING) {
            let changes = self.rate_changes();
            table.set("rate_changes", None, changes.into());
            for other in ["outages", "shaper"] {
                table.remove(other);
            }
        }
        if !self.sends_packets() {
            table.remove("shaper");
        }
        if self.dice.chance(LOSSLESS) {
            table.remove("loss");
            table.remove("outages");
        }
        for (of, direction) in [
            ("loss", "loss_direction"),
            ("rate_changes", "rate_direction"),
            ("shaper", "shaper_direction"),
        ] {
            if table.get(of).is_none() {
                table.remove(direction);
            }
        }
        let between = vec![Value::from(one), Value::from(other)];
        table.set("between", None, Value::from(between).into());
        if credit && let Some(credit) = self.credit() {
            table.set("credit", None, credit.into());
        }
        if self.theme == Theme::Pauses
            && self.dice.chance(GUARDED)
            && let Some(pause) = values::any(shape("link", "pause"), self.dice)
        {
            table.set("pause", None, pause.into());
        }
        self.retry(&mut table);
        self.add("link", name, table);
    }

    /// True if the links carry whole packets, and neither pauses nor credits.
    fn sends_packets(&self) -> bool {
        [Theme::Packets, Theme::Returns].contains(&self.theme)
    }

    /// Changes of the rate in a run of some milliseconds, a few of them outages.
    fn rate_changes(&mut self) -> Value {
        let mut at = 0;
        let changes: Vec<(u64, u64)> = (0..self.dice.between(1, 4))
            .map(|_| {
                at += self.dice.spread(1, 4_000_000);
                let rate = if self.dice.chance(20) {
                    0
                } else {
                    self.dice.spread(500_000, 1_000_000_000)
                };
                (at, rate)
            })
            .collect();
        let mut kind = ValueTable::default();
        if self.dice.chance(60) {
            let after = at + self.dice.spread(1, 4_000_000);
            kind.set("repeat", None, Value::from(format!("{after} ns")).into());
        }
        if self.dice.chance(50) {
            let lines = changes.iter();
            let lines = lines.map(|(at, rate)| format!("{}, {rate}\n", *at as f64 / 1e9));
            let text: String = lines.collect();
            kind.set("text", None, Value::from(text).into());
            return ValueTable::of([("table", Value::from(kind))]).into();
        }
        let steps: Vec<Value> = changes
            .iter()
            .map(|(at, rate)| {
                let at = Value::from(format!("{at} ns"));
                let rate = Value::from(format!("{rate} bit/s"));
                ValueTable::of([("at", at), ("rate", rate)]).into()
            })
            .collect();
        kind.set("changes", None, Value::from(steps).into());
        ValueTable::of([("steps", Value::from(kind))]).into()
    }

    /// Gives some links with pauses or credits for packets retry; of the others, those that may be
    /// paused lose nothing.
    fn retry(&mut self, table: &mut ValueTable) {
        let is_paused = table.get("pause").is_some();
        let is_guarded = is_paused || self.theme == Theme::PacketCredits;
        if is_guarded
            && self.dice.chance(RETRIED)
            && let Some(retry) = values::any(shape("link", "retry"), self.dice)
        {
            table.set("retry", None, retry.into());
        }
        if is_paused && table.get("retry").is_none() {
            for losing in ["loss", "loss_at", "outages"] {
                table.remove(losing);
            }
        }
    }

    /// Credits that virtual channels share: few are valid if the limits are drawn too.
    fn shared_credit(&mut self) -> Value {
        let Shape::Record(cbfc) = kind(shape("link", "credit"), "cbfc") else {
            unreachable!("the parameters of credits are a record")
        };
        let mut cbfc = values::record(cbfc, self.dice);
        cbfc.remove("limit");
        let shared = values::any(
            &field(kind(shape("link", "credit"), "cbfc"), "shared").shape,
            self.dice,
        );
        cbfc.set("shared", None, shared.expect("shared credits").into());
        ValueTable::of([("cbfc", Value::from(cbfc))]).into()
    }

    /// Credits for what the flows send: packets, or cells.
    fn credit(&mut self) -> Option<Value> {
        let for_packets = self.theme == Theme::PacketCredits;
        for _ in 0..20 {
            let credit = values::any(shape("link", "credit"), self.dice)?;
            let table = ValueTable::of([("credit", credit.clone())]);
            if has_member(&table, "credit", "cbfc") != for_packets {
                continue;
            }
            if for_packets && self.dice.chance(SHARED_CREDITS) {
                return Some(self.shared_credit());
            }
            return Some(credit);
        }
        None
    }
}
