//! Hints for misspelled words.

/// The candidate nearest to `word`, if it is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace('-', "_");
    let meant = plain(word);
    // One slip in short words, one per three letters in long ones.
    let slips = |candidate: &str| (candidate.chars().count().max(3) / 3).min(3);
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
}

/// A hint for a word that is not in `candidates`: the nearest candidate, or else all of them.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let is_empty = candidates.clone().into_iter().next().is_none();
    match nearest(word, candidates.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if is_empty => "there are no parameters here".to_string(),
        None => format!("expected one of {}", listed(candidates)),
    }
}

/// Words in backticks, separated by commas.
pub fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
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
        assert_eq!(nearest("colour", candidates), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), candidates), None);
    }

    #[test]
    fn all_words_are_listed_if_none_is_near() {
        assert_eq!(hint("colour", ["a", "b"]), "expected one of `a`, `b`");
        assert_eq!(hint("colour", []), "there are no parameters here");
    }
}
