//! The question that a person reads. Ids and counts only: titles, names and descriptions are written by strangers, and this
//! text is read, by a person and a model, at the moment of deciding.

use super::Binding;
use policy::valid_id;
use serde_json::{Value, json};

/// The form's one field, and its one value that means yes.
pub(super) const FIELD: &str = "decision";
pub(super) const YES: &str = "yes";
const NO: &str = "no";

/// A question, made only of this server's own words, ids and numbers.
#[derive(Clone, Debug)]
pub struct Question {
    pub binding: Binding,
    text: String,
}

impl Question {
    /// `text` has `{}` for each of `ids`.
    ///
    /// # Panics
    /// When a filler is not an id or a number, or their count is not that of the gaps: both are mistakes in the calling code.
    pub fn new(binding: Binding, text: &str, fillers: &[&str]) -> Question {
        let parts: Vec<&str> = text.split("{}").collect();
        assert_eq!(parts.len(), fillers.len() + 1, "{text}");
        let mut out = String::from(parts[0]);
        for (filler, part) in fillers.iter().zip(&parts[1..]) {
            assert!(valid_id(filler), "only ids and numbers go into a question");
            out.push_str(filler);
            out.push_str(part);
        }
        Question { binding, text: out }
    }

    pub fn text(&self) -> &str {
        &self.text
    }
}

/// One required string enum: an empty form hangs some clients, and booleans and numbers are drawn wrong by others.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {FIELD: {"type": "string", "title": "Do it?", "enum": [NO, YES]}},
        "required": [FIELD],
    })
}
