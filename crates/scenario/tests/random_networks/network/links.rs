//! Random links: their losses, pauses, credits and retry.

use super::{Draft, GUARDED, LOSSLESS, RETRIED, Theme, drawn, has_member, shape};
use crate::values;
use parameters::{Value, ValueTable};

impl Draft<'_> {
    pub(super) fn link(&mut self, name: &str, one: &str, other: &str) {
        let credit = match self.theme {
            Theme::Credits => self.dice.chance(60),
            Theme::PacketCredits => self.dice.chance(GUARDED),
            _ => false,
        };
        let mut table = drawn("link", &["credit", "pause"], self.dice);
        if self.dice.chance(LOSSLESS) {
            table.remove("loss");
            table.remove("outages");
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

    /// Credits for what the flows send: packets, or cells.
    fn credit(&mut self) -> Option<Value> {
        let for_packets = self.theme == Theme::PacketCredits;
        for _ in 0..20 {
            let credit = values::any(shape("link", "credit"), self.dice)?;
            let table = ValueTable::of([("credit", credit.clone())]);
            if has_member(&table, "credit", "cbfc") == for_packets {
                return Some(credit);
            }
        }
        None
    }
}
