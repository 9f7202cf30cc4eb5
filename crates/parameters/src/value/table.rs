//! Tables that keep the order in which their names were written: TOML leaves the order open, but
//! nodes are numbered in the order of the scenario.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Span, Value, Written};

/// Largest table that is searched linearly, in names.
const SEARCHED: usize = 32;

/// Values by name. Names are unique and keep the order in which they were first written.
#[derive(Debug, Default)]
pub struct ValueTable {
    entries: Vec<Entry>,
    /// Index of each name in a large table, computed at the first search.
    positions: OnceLock<HashMap<String, usize>>,
}

impl Clone for ValueTable {
    fn clone(&self) -> ValueTable {
        self.entries.iter().cloned().collect()
    }
}

impl PartialEq for ValueTable {
    fn eq(&self, other: &ValueTable) -> bool {
        self.entries == other.entries
    }
}

impl FromIterator<Entry> for ValueTable {
    /// A table of entries whose names are known to differ.
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> ValueTable {
        ValueTable {
            entries: entries.into_iter().collect(),
            positions: OnceLock::new(),
        }
    }
}

/// One name of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// Span of the name.
    pub place: Option<Span>,
    /// Value of the name.
    pub written: Written,
}

impl ValueTable {
    /// A table of plain data; the last of equal names counts.
    pub fn of<N: Into<String>>(entries: impl IntoIterator<Item = (N, Value)>) -> ValueTable {
        let mut table = ValueTable::default();
        for (name, value) in entries {
            table.set(name, None, value.into());
        }
        table
    }

    /// Gives `name` a value, in place of an earlier one.
    pub fn set(&mut self, name: impl Into<String>, place: Option<Span>, written: Written) {
        let name = name.into();
        match self.position(&name) {
            Some(position) => {
                let entry = &mut self.entries[position];
                (entry.place, entry.written) = (place, written);
            }
            None => self.push_new(name, place, written),
        }
    }

    /// Adds a name that is known to be new, without a search for it.
    pub fn push_new(&mut self, name: impl Into<String>, place: Option<Span>, written: Written) {
        let name = name.into();
        if let Some(positions) = self.positions.get_mut() {
            positions.insert(name.clone(), self.entries.len());
        }
        self.entries.push(Entry {
            name,
            place,
            written,
        });
    }

    /// Index of `name`.
    fn position(&self, name: &str) -> Option<usize> {
        if self.entries.len() <= SEARCHED {
            return self.names().position(|other| other == name);
        }
        let all = || self.names().map(str::to_string).zip(0..).collect();
        self.positions.get_or_init(all).get(name).copied()
    }

    /// The entry called `name`.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.position(name).map(|position| &self.entries[position])
    }

    /// The value called `name`.
    pub fn get(&self, name: &str) -> Option<&Written> {
        self.entry(name).map(|entry| &entry.written)
    }

    /// The value called `name`, mutable.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Written> {
        let position = self.position(name)?;
        Some(&mut self.entries[position].written)
    }

    /// The value called `name`, mutable; if there is none, `or` is written at `place`.
    pub fn entry_or(
        &mut self,
        name: &str,
        place: Option<Span>,
        or: impl Into<Value>,
    ) -> &mut Written {
        let position = self.position(name).unwrap_or_else(|| {
            let value = or.into();
            self.push_new(name, place, Written { value, place });
            self.entries.len() - 1
        });
        &mut self.entries[position].written
    }

    /// The places of the names, and the values, mutable.
    pub fn places_mut(&mut self) -> impl Iterator<Item = (&mut Option<Span>, &mut Written)> {
        let entries = self.entries.iter_mut();
        entries.map(|entry| (&mut entry.place, &mut entry.written))
    }

    /// Removes every name but `name`.
    pub fn retain(&mut self, name: &str) {
        self.positions.take();
        self.entries.retain(|entry| entry.name == name);
    }

    /// Removes `name`.
    pub fn remove(&mut self, name: &str) -> Option<Entry> {
        let position = self.position(name)?;
        self.positions.take();
        Some(self.entries.remove(position))
    }

    /// The entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Entry> {
        self.entries.iter()
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there are no names.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<'a> IntoIterator for &'a ValueTable {
    type Item = &'a Entry;
    type IntoIter = std::slice::Iter<'a, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_a_name_again_keeps_its_turn() {
        let mut table = ValueTable::of([("a", 1.into()), ("b", 2.into())]);
        table.set("a", None, Value::from(3).into());
        assert_eq!(Value::from(table).to_string(), "{ a = 3, b = 2 }");
    }

    #[test]
    fn names_of_a_large_table_are_found_after_additions_and_removals() {
        let mut table = ValueTable::default();
        for number in 0..100 {
            table.push_new(format!("n{number}"), None, Value::from(number).into());
            assert_eq!(
                table.get(&format!("n{number}")).map(|at| &at.value),
                Some(&number.into())
            );
        }
        assert!(table.get("n100").is_none());
        table.remove("n3");
        assert!(table.get("n3").is_none());
        table.set("n3", None, Value::from(7).into());
        table.set("n50", None, Value::from(8).into());
        let copy = table.clone();
        assert_eq!(copy, table);
        for (name, value) in [("n2", 2), ("n3", 7), ("n4", 4), ("n50", 8), ("n99", 99)] {
            assert_eq!(
                copy.get(name).map(|at| &at.value),
                Some(&value.into()),
                "{name}"
            );
        }
        table.retain("n50");
        assert_eq!(table.names().collect::<Vec<_>>(), ["n50"]);
        assert!(table.get("n50").is_some() && table.get("n2").is_none());
    }
}
