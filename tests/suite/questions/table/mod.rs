//! Forty questions that people ask of their library, and the fewest calls that answer each. The suite plays them on the sample
//! library; `cargo xtask docs` makes docs/questions.md of them, so nothing here needs more than the standard library.
//!
//! The answers are facts of the sample (`tests/standin/src/sample`), worked out by hand from what is written there.

mod finding;
mod following;
mod lists;
mod numbers;

pub struct Question {
    pub asked: &'static str,
    pub calls: &'static [Call],
    /// What the last result has to say.
    pub answer: &'static [Fact],
}

pub struct Call {
    pub tool: &'static str,
    pub given: &'static [(&'static str, Given)],
}

/// Where the value of an argument comes from.
#[derive(Clone, Copy)]
pub enum Given {
    /// The question, or the tool's description.
    Text(&'static str),
    Number(i64),
    True,
    /// The result of an earlier call, counted from 0, at a path: members, `name=value` for the first entry of a list that has
    /// it, and `*` for all entries.
    Found(usize, &'static str),
    /// Likewise, one book as the only entry of a list of playlist entries.
    Entry(usize, &'static str),
    /// The token of a call that asked for approval.
    Token(usize),
    /// The year that it was so many days ago: the sample's history counts back from today.
    YearOf(i64),
}

/// A value in the result, at a path as in [`Given::Found`].
#[derive(Clone, Copy, Debug)]
pub enum Fact {
    Text(&'static str, &'static str),
    Number(&'static str, f64),
    True(&'static str),
    False(&'static str),
    /// So many entries.
    Count(&'static str, usize),
    /// The date, or moment, of so many days ago.
    Day(&'static str, i64),
    Absent(&'static str),
}

pub fn questions() -> impl Iterator<Item = &'static Question> {
    [finding::QUESTIONS, following::QUESTIONS, numbers::QUESTIONS, lists::QUESTIONS].into_iter().flatten()
}

const LIBRARIES: Call = call("list_libraries", &[]);
const IN_PROGRESS: Call = call("list_items_in_progress", &[]);
const COLLECTIONS: Call = call("list_collections", &[]);
const PLAYLISTS: Call = call("list_playlists", &[]);
const BOOKS: (&str, Given) = ("library_id", Given::Found(0, "libraries/mediaType=book/id"));
const PODCASTS: (&str, Given) = ("library_id", Given::Found(0, "libraries/mediaType=podcast/id"));

const fn ask(asked: &'static str, calls: &'static [Call], answer: &'static [Fact]) -> Question {
    Question { asked, calls, answer }
}

const fn call(tool: &'static str, given: &'static [(&'static str, Given)]) -> Call {
    Call { tool, given }
}
