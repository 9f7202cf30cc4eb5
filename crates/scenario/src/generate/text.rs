//! Help texts, laid out for lines, sentences or paragraphs.

/// The paragraphs of a text, each in one line.
pub fn paragraphs(text: &str) -> Vec<String> {
    let paragraphs = text
        .split("\n\n")
        .map(|paragraph| paragraph.split_whitespace());
    paragraphs
        .map(|words| words.collect::<Vec<&str>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect()
}

/// The text in one line.
pub fn line(text: &str) -> String {
    paragraphs(text).join(" ")
}

/// The text with a sentence in each line, as documentation is kept.
pub fn sentences(text: &str) -> String {
    let paragraphs: Vec<String> = paragraphs(text)
        .iter()
        .map(|paragraph| paragraph.replace(". ", ".\n"))
        .collect();
    paragraphs.join("\n\n")
}

/// The text in lines of at most `width` characters; a longer word has a line of its own.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in paragraphs(text) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let mut line = String::new();
        for word in paragraph.split(' ') {
            let is_full = line.chars().count() + 1 + word.chars().count() > width;
            if is_full && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_wrapped_by_paragraph() {
        assert_eq!(
            wrapped("One two\nthree.\n\nFour.", 9),
            ["One two", "three.", "", "Four."]
        );
        assert_eq!(wrapped("", 9), [""; 0]);
        assert_eq!(
            sentences("One. Two\nthree.\n\nFour."),
            "One.\nTwo three.\n\nFour."
        );
    }
}
