//! Hints for words that are misspelled, or were renamed.
//!
//! The distance of two words is that of Damerau, "A Technique for Computer Detection and Correction
//! of Spelling Errors", Communications of the ACM 7(3), 1964. The number of permitted errors is our
//! own: if it were larger, short words would match unrelated ones. A word of one or two letters
//! matches only a candidate that differs in case, since one error makes it any other such word.

use crate::renamed::renamed;
use std::collections::BTreeSet;

/// The most similar candidate, if it is similar enough that `word` may be a misspelling of it; or
/// else the only candidate that begins with `word`.
pub fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    let all = candidates.clone();
    let plain = |text: &str| text.to_lowercase().replace('-', "_");
    let meant = plain(word);
    // Permitted typing errors: one in short words, one per three letters in long words.
    let slips = |candidate: &str| match meant.chars().count() {
        0..=2 => 0,
        _ => (candidate.chars().count().max(3) / 3).min(3),
    };
    let distance = |candidate: &str| strsim::damerau_levenshtein(&meant, &plain(candidate));
    if meant.len() > 100 {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(distance, candidate)| *distance <= slips(candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
        .or_else(|| only_beginning(&meant, all, plain))
}

/// The only candidate that begins with `beginning`, which has at least three letters.
fn only_beginning<'a>(
    beginning: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    plain: impl Fn(&str) -> String,
) -> Option<&'a str> {
    let begins = |candidate: &&str| plain(candidate).starts_with(beginning);
    let mut candidates = candidates.into_iter().filter(begins);
    let first = candidates.next().filter(|_| beginning.len() >= 3)?;
    candidates.next().is_none().then_some(first)
}

/// A hint that leads from `word` to a candidate: the candidate that was called `word` in an earlier
/// version, or else the most similar one.
pub fn meant<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<String> {
    if let Some(now) = renamed(word, candidates.clone()) {
        return Some(format!("it is called `{now}` now"));
    }
    nearest(word, candidates).map(|meant| format!("did you mean `{meant}`?"))
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

/// A hint for a word that is not in `candidates`: the candidate that was probably intended, or else
/// all candidates.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let is_empty = candidates.clone().into_iter().next().is_none();
    match meant(word, candidates.clone()) {
        Some(meant) => meant,
        None if is_empty => "there are no parameters here".to_string(),
        None => {
            let mut known = BTreeSet::new();
            let different = candidates.into_iter().filter(|word| known.insert(*word));
            format!("expected one of {}", listed(different))
        }
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
    fn an_earlier_name_leads_to_the_present_one_where_that_exists() {
        let candidates = ["threshold", "headroom"];
        assert_eq!(hint("room", candidates), "it is called `headroom` now");
        assert_eq!(hint("room", ["threshold"]), "expected one of `threshold`");
    }

    #[test]
    fn the_last_word_of_a_choice_comes_after_or() {
        assert_eq!(either(["a"]), "`a`");
        assert_eq!(either(["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(either([]), "none");
    }
}
