//! A link passed in one direction, by number.

/// A link passed in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop(u32);

impl Hop {
    /// A hop over a link, from its second node to its first if `reverse`.
    pub fn new(link: usize, reverse: bool) -> Hop {
        Hop(link as u32 * 2 + u32::from(reverse))
    }

    /// The hop with a number.
    pub(crate) fn of(number: u32) -> Hop {
        Hop(number)
    }

    /// Twice the number of the link, and one more from its second node to its first.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Number of the link.
    pub fn link(self) -> usize {
        self.0 as usize / 2
    }

    /// True if the hop leads from the second node of the link to the first.
    pub fn reverse(self) -> bool {
        self.0 % 2 == 1
    }

    /// The hop in the opposite direction.
    pub fn back(self) -> Hop {
        Hop(self.0 ^ 1)
    }
}
