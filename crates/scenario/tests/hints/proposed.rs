//! Edits that a hint proposes, read from its text as a user reads it.

/// A change that a hint proposes.
#[derive(Clone, Debug, PartialEq)]
pub enum ProposedEdit {
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

impl ProposedEdit {
    /// The text that the hint gives.
    pub fn text(&self) -> &str {
        match self {
            ProposedEdit::Replace(text)
            | ProposedEdit::Write(text)
            | ProposedEdit::Bound(text)
            | ProposedEdit::Choose(text)
            | ProposedEdit::LeaveOut(text)
            | ProposedEdit::Keep(text) => text,
        }
    }
}

/// Makes a change of the text in a hint.
type MakeEdit = fn(String) -> ProposedEdit;

/// Words that introduce the values of a hint, and the change that they stand for; the longest match
/// counts.
const LEADS: &[(&str, MakeEdit)] = &[
    ("did you mean", ProposedEdit::Replace),
    (
        "did you mean a path that begins with",
        ProposedEdit::Replace,
    ),
    ("it is called", ProposedEdit::Replace),
    ("expected", ProposedEdit::Replace),
    ("for example", ProposedEdit::Write),
    ("write", ProposedEdit::Write),
    ("at least", ProposedEdit::Write),
    ("at most", ProposedEdit::Write),
    ("write thousands without separators:", ProposedEdit::Write),
    ("leave out the quotes:", ProposedEdit::Write),
    ("leave out the brackets:", ProposedEdit::Write),
    ("write it in brackets:", ProposedEdit::Write),
    ("the maximum is", ProposedEdit::Bound),
    ("is from", ProposedEdit::Bound),
    ("a percentage is from", ProposedEdit::Bound),
    ("write a whole number from", ProposedEdit::Bound),
    ("write one of", ProposedEdit::Choose),
    ("choose", ProposedEdit::Choose),
    ("choose one of", ProposedEdit::Choose),
    ("leave out", ProposedEdit::LeaveOut),
    ("leave", ProposedEdit::LeaveOut),
    ("keep one of", ProposedEdit::Keep),
];

/// A piece of a hint: plain words, or a text in backticks.
#[derive(Clone, Debug, PartialEq)]
enum Piece<'a> {
    Words(&'a str),
    Code(&'a str),
}

/// The changes that a hint proposes, each by itself.
pub fn changes(hint: &str) -> Vec<ProposedEdit> {
    let pieces: Vec<Piece<'_>> = hint
        .split('`')
        .enumerate()
        .map(|(index, text)| match index % 2 {
            0 => Piece::Words(text.trim()),
            _ => Piece::Code(text),
        })
        .collect();
    let mut found = Vec::new();
    let mut lead: Option<MakeEdit> = None;
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
        found.retain(|change| matches!(change, ProposedEdit::Write(_)));
    }
    found
}

/// The change that the end of `words` introduces.
fn change_after(words: &str) -> Option<MakeEdit> {
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
