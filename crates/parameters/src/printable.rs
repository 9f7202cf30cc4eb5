//! Safe display of texts from scenarios: no character controls the terminal or reverses the
//! direction of the text around it, and long texts are shortened. Boucher and Anderson, "Trojan
//! Source: Invisible Vulnerabilities", USENIX Security 2023, show such reversals.

use std::borrow::Cow;
use std::fmt::Write;

/// Longest quoted text that messages show in full, in characters.
pub(crate) const LONGEST_QUOTED: usize = 100;

/// Number of characters that remain of a shortened text.
pub(crate) const LEFT: usize = 60;

/// Longest message, in characters.
pub(crate) const LONGEST: usize = 2000;

/// True if a character has an effect instead of a glyph: the controls C0 and C1, line and paragraph
/// separators, the byte order mark, characters that XML forbids, and the controls of direction
/// (Unicode Standard Annex 9, section 2), which can make one text look like another
/// (CVE-2021-42574).
pub fn acts(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
                | '\u{fffe}'..='\u{ffff}'
        )
}

/// `text` on one line, with every control character escaped as in TOML and JSON.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if acts(character) {
            escape(&mut shown, character);
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Writes a control character as in a basic string of TOML.
pub(crate) fn escape(out: &mut impl Write, character: char) {
    let short = match character {
        '\n' => "\\n",
        '\t' => "\\t",
        '\r' => "\\r",
        other => {
            let _ = write!(out, "\\u{:04x}", u32::from(other));
            return;
        }
    };
    let _ = out.write_str(short);
}

/// `text`, shortened to `limit` characters if it is longer.
pub fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
    }
}

/// A problem or a hint for display: long texts in backticks are shortened.
pub fn message(text: &str) -> String {
    let text = printable(text);
    let mut parts = Vec::new();
    for (index, part) in text.split('`').enumerate() {
        // Text between an odd and an even backtick is quoted.
        let is_long = index % 2 == 1 && part.chars().nth(LONGEST_QUOTED).is_some();
        parts.push(if is_long {
            shortened(part, LEFT)
        } else {
            part.into()
        });
    }
    shortened(&parts.join("`"), LONGEST).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acting_characters_are_escaped_as_in_toml() {
        assert_eq!(printable("10 \u{b5}s, 5 %"), "10 \u{b5}s, 5 %");
        assert_eq!(
            printable("\u{1b}[31m\n\u{0}\u{9b}1m\u{202e}rednes\u{2069}\u{feff}\u{7f}\t\r"),
            r"\u001b[31m\n\u0000\u009b1m\u202erednes\u2069\ufeff\u007f\t\r"
        );
    }

    #[test]
    fn long_texts_in_quotes_are_shortened() {
        let long = "n".repeat(20_000);
        let told = message(&format!("there is no node `{long}`: `{long}` is no name"));
        let left = "n".repeat(60);
        assert_eq!(
            told,
            format!("there is no node `{left}...`: `{left}...` is no name")
        );
        assert_eq!(message(&long).len(), 2003);
    }
}
