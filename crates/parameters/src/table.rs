//! Values by name.

use crate::value::{Place, Value, Written};

/// Values by name. Names are unique and keep the order in which they were first written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    entries: Vec<Entry>,
}

/// One name of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// Where the name was written.
    pub place: Option<Place>,
    /// Its value.
    pub written: Written,
}

impl Table {
    /// A table of plain data; of equal names the last holds.
    pub fn of<N: Into<String>>(entries: impl IntoIterator<Item = (N, Value)>) -> Table {
        let mut table = Table::default();
        for (name, value) in entries {
            table.set(name, None, value.into());
        }
        table
    }

    /// Gives `name` a value, in place of any it had.
    pub fn set(&mut self, name: impl Into<String>, place: Option<Place>, written: Written) {
        let name = name.into();
        match self.entries.iter_mut().find(|entry| entry.name == name) {
            Some(entry) => (entry.place, entry.written) = (place, written),
            None => self.push_new(name, place, written),
        }
    }

    /// Adds a name that is known to be new, which spares the search for it.
    pub fn push_new(&mut self, name: impl Into<String>, place: Option<Place>, written: Written) {
        self.entries.push(Entry {
            name: name.into(),
            place,
            written,
        });
    }

    /// The entry called `name`.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The value called `name`.
    pub fn get(&self, name: &str) -> Option<&Written> {
        self.entry(name).map(|entry| &entry.written)
    }

    /// The value called `name`, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Written> {
        let found = self.entries.iter_mut().find(|entry| entry.name == name);
        found.map(|entry| &mut entry.written)
    }

    /// The value called `name`, to be changed; `or` written at `place`, if there is none yet.
    pub fn entry_or(
        &mut self,
        name: &str,
        place: Option<Place>,
        or: impl Into<Value>,
    ) -> &mut Written {
        let position = self.entries.iter().position(|entry| entry.name == name);
        let position = position.unwrap_or_else(|| {
            let value = or.into();
            self.push_new(name, place, Written { value, place });
            self.entries.len() - 1
        });
        &mut self.entries[position].written
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Written> {
        self.entries.iter_mut().map(|entry| &mut entry.written)
    }

    /// Takes out every name but `name`.
    pub fn retain(&mut self, name: &str) {
        self.entries.retain(|entry| entry.name == name);
    }

    /// Takes `name` out.
    pub fn remove(&mut self, name: &str) -> Option<Entry> {
        let position = self.entries.iter().position(|entry| entry.name == name)?;
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

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<'a> IntoIterator for &'a Table {
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
        let mut table = Table::of([("a", 1.into()), ("b", 2.into())]);
        table.set("a", None, Value::from(3).into());
        assert_eq!(Value::from(table).to_string(), "{ a = 3, b = 2 }");
    }
}
