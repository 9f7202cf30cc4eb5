//! What a hint proposes, read from its text as a user reads it.

/// A change that a hint proposes.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Another name, word, unit or value for the one that is wrong.
    Replace(String),
    /// A value to write in its place, or a parameter with its value.
    Write(String),
    /// The smallest or the largest value of a parameter, which other parameters may limit further.
    Bound(String),
    /// One of the values that a list names; a bare word is a text or a kind.
    Choose(String),
    /// A parameter or a table to leave out.
    LeaveOut(String),
    /// The only kind to keep.
    Keep(String),
}

impl Change {
    /// The text that the hint gives.
    pub fn text(&self) -> &str {
        match self {
            Change::Replace(text)
            | Change::Write(text)
            | Change::Bound(text)
            | Change::Choose(text)
            | Change::LeaveOut(text)
            | Change::Keep(text) => text,
        }
    }
}

/// Makes a change of the text in a hint.
type MakeChange = fn(String) -> Change;

/// Words that introduce the values of a hint, and the change that they stand for; the longest match
/// counts.
const LEADS: &[(&str, MakeChange)] = &[
    ("did you mean", Change::Replace),
    ("did you mean a path that begins with", Change::Replace),
    ("it is called", Change::Replace),
    ("expected", Change::Replace),
    ("for example", Change::Write),
    ("write", Change::Write),
    ("at least", Change::Write),
    ("at most", Change::Write),
    ("write thousands without separators:", Change::Write),
    ("leave out the quotes:", Change::Write),
    ("leave out the brackets:", Change::Write),
    ("write it in brackets:", Change::Write),
    ("the maximum is", Change::Bound),
    ("is from", Change::Bound),
    ("a percentage is from", Change::Bound),
    ("write a whole number from", Change::Bound),
    ("write one of", Change::Choose),
    ("choose", Change::Choose),
    ("choose one of", Change::Choose),
    ("leave out", Change::LeaveOut),
    ("leave", Change::LeaveOut),
    ("keep one of", Change::Keep),
];

/// A piece of a hint: plain words, or a text in backticks.
#[derive(Clone, Debug, PartialEq)]
enum Piece<'a> {
    Words(&'a str),
    Code(&'a str),
}

/// The changes that a hint proposes, each by itself.
pub fn changes(hint: &str) -> Vec<Change> {
    let pieces: Vec<Piece<'_>> = hint
        .split('`')
        .enumerate()
        .map(|(index, text)| match index % 2 {
            0 => Piece::Words(text.trim()),
            _ => Piece::Code(text),
        })
        .collect();
    let mut found = Vec::new();
    let mut lead: Option<MakeChange> = None;
    for piece in &pieces {
        match piece {
            Piece::Words("," | "or" | ", or" | "and" | "to") => {}
            Piece::Words(words) => lead = change_after(words),
            Piece::Code(code) => found.extend(lead.map(|change| change(code.to_string()))),
        }
    }
    // An example stands for the alternatives that it is an example of.
    let is_example =
        |piece: &Piece<'_>| matches!(piece, Piece::Words(words) if words.ends_with("for example"));
    if pieces.iter().any(is_example) && hint.contains("one of") {
        found.retain(|change| matches!(change, Change::Write(_)));
    }
    found
}

/// The change that the end of `words` introduces.
fn change_after(words: &str) -> Option<MakeChange> {
    let ends = |lead: &str| {
        words
            .strip_suffix(lead)
            .is_some_and(|before| before.is_empty() || before.ends_with([' ', ',', ';', ':', '?']))
    };
    let matching = LEADS.iter().filter(|(lead, _)| ends(lead));
    let longest = matching.max_by_key(|(lead, _)| lead.len());
    longest.map(|(_, change)| *change)
}

/// True if a hint asks the user to write something, or asks what was meant.
pub fn proposes(hint: &str) -> bool {
    ["write ", "did you mean", "for example"]
        .iter()
        .any(|words| hint.contains(words))
}
