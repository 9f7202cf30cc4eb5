//! Keys and kinds that had another name in an earlier version. Ours, so that an old scenario gets a
//! hint for each name.

/// The name before, and the name now.
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

/// The candidate that was called `word` in an earlier version.
pub fn renamed<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .find(|candidate| RENAMED.contains(&(word, *candidate)))
}
