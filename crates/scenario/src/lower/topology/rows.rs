//! Rows of different lengths in one table.

use std::ops::Index;

/// Rows in one vector, which take less memory than a `Vec` for each of many short rows.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    /// Index of the end of each row in the vector.
    ends: Box<[u32]>,
    entries: Box<[T]>,
}

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        Rows::from_iter([])
    }
}

impl<T> FromIterator<Vec<T>> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = Vec<T>>>(rows: I) -> Rows<T> {
        let mut entries = Vec::new();
        let ends = rows.into_iter().map(|row| {
            entries.extend(row);
            entries.len() as u32
        });
        Rows {
            ends: ends.collect(),
            entries: entries.into(),
        }
    }
}

impl<T> Index<usize> for Rows<T> {
    type Output = [T];

    fn index(&self, row: usize) -> &[T] {
        let begin = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[begin as usize..self.ends[row] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_each_row() {
        let rows = [vec![], vec![1, 2], vec![], vec![3]];
        let table: Rows<i32> = rows.clone().into_iter().collect();
        for (number, row) in rows.iter().enumerate() {
            assert_eq!(&table[number], &row[..], "row {number}");
        }
    }
}
