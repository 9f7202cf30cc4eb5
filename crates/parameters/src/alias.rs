//! Other names of parameters and kinds: the field's words, and those of other simulators. A member
//! states its own with `#[alias("red")]`, and a hint leads from there to the name that it has here.

/// Another name of a parameter or kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The other name.
    pub word: &'static str,
    /// The hint that leads to the name here, where the two differ in more than their name;
    /// otherwise empty.
    pub hint: &'static str,
}

impl Alias {
    /// The alias in `aliases` that is `word`, in any case and with `-` or `_`.
    pub fn find(aliases: &'static [Alias], word: &str) -> Option<&'static Alias> {
        let plain = |text: &str| text.to_lowercase().replace('-', "_");
        let mut all = aliases.iter();
        all.find(|alias| plain(alias.word) == plain(word))
    }
}
