//! Hints for words that are misspelled, or were renamed.
//!
//! The distance of two words is that of Damerau, "A Technique for Computer Detection and Correction
//! of Spelling Errors", Communications of the ACM 7(3), 1964. The number of permitted errors is our
//! own: if it were larger, short words would match unrelated ones. A word of one or two letters
//! matches only a candidate that differs in case, since one error makes it any other such word.

use std::collections::BTreeSet;
use std::fmt;

use crate::alias::Alias;
use crate::renamed::renamed;

/// Largest number of candidates that are offered at once.
const OFFERED: usize = 3;

/// The candidates that an unknown word may mean, and the hint that leads to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Meant<'a> {
    /// The candidates, the most likely first.
    pub names: Vec<&'a str>,
    hint: String,
}

/// Displays the hint.
impl fmt::Display for Meant<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.hint)
    }
}

/// The most similar candidate, if it is similar enough that `word` may mean it.
pub fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    similar(word, candidates).first().copied()
}

/// The candidates that `word` may mean: those of which it is a part between `_`, or else the most
/// similar one, of which it may be a misspelling, or else the only one that begins with it.
fn similar<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> Vec<&'a str> {
    let meant = plain(word);
    if meant.len() > 100 {
        return Vec::new();
    }
    let equal = |candidate: &&str| plain(candidate) == meant;
    if let Some(equal) = candidates.clone().into_iter().find(equal) {
        return vec![equal];
    }
    let holds = |candidate: &&str| plain(candidate).split('_').any(|part| part == meant);
    let holding: Vec<&str> = match meant.chars().count() {
        0..=2 => Vec::new(),
        _ => candidates.clone().into_iter().filter(holds).collect(),
    };
    if (1..=OFFERED).contains(&holding.len()) {
        return holding;
    }
    let nearest = misspelled(&meant, candidates.clone());
    let found = nearest.or_else(|| only_beginning(&meant, candidates));
    found.into_iter().collect()
}

fn plain(text: &str) -> String {
    text.to_lowercase().replace('-', "_")
}

/// The candidate with the fewest typing errors, if they are few enough.
fn misspelled<'a>(meant: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Permitted typing errors: one in short words, one per three letters in long words.
    let slips = |candidate: &str| match meant.chars().count() {
        0..=2 => 0,
        _ => (candidate.chars().count().max(3) / 3).min(3),
    };
    let distance = |candidate: &str| strsim::damerau_levenshtein(meant, &plain(candidate));
    candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(distance, candidate)| *distance <= slips(candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The only candidate that begins with `beginning`, which has at least three letters.
fn only_beginning<'a>(
    beginning: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let begins = |candidate: &&str| plain(candidate).starts_with(beginning);
    let mut candidates = candidates.into_iter().filter(begins);
    let first = candidates.next().filter(|_| beginning.len() >= 3)?;
    candidates.next().is_none().then_some(first)
}

/// The candidate that was called `word` in an earlier version, or else the most similar ones.
pub fn meant<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<Meant<'a>> {
    if let Some(now) = renamed(word, candidates.clone()) {
        return Some(Meant {
            names: vec![now],
            hint: format!("it is called `{now}` now"),
        });
    }
    let names = similar(word, candidates);
    let hint = format!("did you mean {}?", either(names.iter().copied()));
    (!names.is_empty()).then_some(Meant { names, hint })
}

/// The candidate that has `word` as another name, or else the one that [`meant`] finds.
pub fn meant_or_alias<'a>(
    word: &str,
    candidates: &[(&'a str, &'static [Alias])],
) -> Option<Meant<'a>> {
    let mut all = candidates.iter();
    let found = all.find_map(|(name, aliases)| Some((*name, Alias::find(aliases, word)?)));
    match found {
        Some((name, alias)) => Some(Meant {
            names: vec![name],
            hint: match alias.hint {
                "" => format!("it is called `{name}` here"),
                hint => hint.to_string(),
            },
        }),
        None => meant(word, candidates.iter().map(|(name, _)| *name)),
    }
}

/// The most similar candidate, or else the only one, since a name of two letters is similar to no
/// other.
pub fn nearest_or_only<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    let all = candidates.clone();
    nearest(word, candidates).or_else(|| {
        let mut all = all.into_iter();
        let first = all.next()?;
        all.next().is_none().then_some(first)
    })
}

/// A hint that lists all candidates.
pub fn expected<'a>(candidates: impl IntoIterator<Item = &'a str>) -> String {
    let mut known = BTreeSet::new();
    let different = candidates.into_iter().filter(|word| known.insert(*word));
    let different: Vec<&str> = different.collect();
    match different[..] {
        [] => "there are no parameters here".to_string(),
        [only] => format!("expected `{only}`"),
        _ => format!("expected one of {}", listed(different)),
    }
}

/// A hint for a word that is not in `candidates`: the most similar one, or else all candidates.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, candidates.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => expected(candidates),
    }
}

/// Words in backticks, separated by commas.
pub fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    quoted(words).join(", ")
}

/// Words in backticks as a choice: `` `a`, `b` or `c` ``.
pub fn either<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = quoted(words);
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "none".to_string(),
    }
}

fn quoted<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(|word| format!("`{word}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_offered_and_far_ones_are_not() {
        let candidates = ["tail_drop", "early_packet", "rate"];
        assert_eq!(nearest("tial_drop", candidates), Some("tail_drop"));
        assert_eq!(nearest("Early-Packet", candidates), Some("early_packet"));
        assert_eq!(nearest("rat", candidates), Some("rate"));
        assert_eq!(nearest("early", candidates), Some("early_packet"));
        assert_eq!(nearest("vbr", ["cbr", "rt_vbr", "nrt_vbr"]), Some("rt_vbr"));
        assert_eq!(nearest("ea", candidates), None);
        assert_eq!(nearest("c", ["a", "b"]), None);
        assert_eq!(nearest("S2", ["s1", "s2"]), Some("s2"));
        assert_eq!(nearest("part", ["partial_packet", "partial"]), None);
        assert_eq!(nearest("colour", candidates), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), candidates), None);
    }

    #[test]
    fn all_words_are_listed_if_none_is_near() {
        assert_eq!(hint("colour", ["a", "b"]), "expected one of `a`, `b`");
        assert_eq!(hint("colour", []), "there are no parameters here");
    }

    #[test]
    fn several_words_are_offered_if_each_has_the_word_as_a_part() {
        let told = |word: &str| {
            meant(word, ["cbr", "rt_vbr", "nrt_vbr"])
                .unwrap()
                .to_string()
        };
        assert_eq!(told("vbr"), "did you mean `rt_vbr` or `nrt_vbr`?");
    }

    #[test]
    fn an_earlier_name_leads_to_the_present_one_where_that_exists() {
        let told = |known: &[&'static str]| {
            let meant = meant("room", known.iter().copied());
            meant.map(|meant| meant.to_string())
        };
        let now = "it is called `headroom` now";
        assert_eq!(told(&["threshold", "headroom"]).as_deref(), Some(now));
        assert_eq!(told(&["threshold"]), None);
        assert_eq!(expected(["threshold"]), "expected `threshold`");
    }

    #[test]
    fn another_name_leads_to_the_name_here_by_a_hint_of_its_own_if_it_has_one() {
        const ALIASES: &[Alias] = &[
            Alias {
                word: "red",
                hint: "",
            },
            Alias {
                word: "gentle_red",
                hint: "write `random_early`, which is always gentle",
            },
        ];
        let known: [(&str, &[Alias]); 2] = [("codel", &[]), ("random_early", ALIASES)];
        let told = |word: &str| meant_or_alias(word, &known).unwrap().to_string();
        assert_eq!(told("RED"), "it is called `random_early` here");
        let gentle = "write `random_early`, which is always gentle";
        assert_eq!(told("gentle-red"), gentle);
        assert_eq!(told("code1"), "did you mean `codel`?");
    }

    #[test]
    fn the_last_word_of_a_choice_comes_after_or() {
        assert_eq!(either(["a"]), "`a`");
        assert_eq!(either(["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(either([]), "none");
    }
}
