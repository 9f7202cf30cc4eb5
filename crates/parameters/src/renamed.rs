//! Keys and kinds that had another name in an earlier version: a scenario that uses an old name
//! gets a hint with the new one.

/// Pairs of names: the earlier name, and the present one.
const RENAMED: &[(&str, &str)] = &[
    ("most", "limit"),
    ("most", "max"),
    ("per_channel", "per_vc"),
    ("repair", "recovery"),
    ("room", "headroom"),
    ("total", "path_delay"),
    ("typical", "mean_packet"),
    ("writes", "text"),
];

/// The present name, among `candidates`, of a key or kind that was called `word` before.
pub fn renamed<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .find(|candidate| RENAMED.contains(&(word, *candidate)))
}
