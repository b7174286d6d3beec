//! What becomes of a name: ABS cuts HTML tags out of it and decodes entities.

use super::super::Answer;
use crate::abs::Failure;
use crate::shape::{Record, at};
use serde_json::Value;

pub(super) const NOTHING_LEFT: &str = "Nothing was changed. name: nothing is left of it, since Audiobookshelf cuts HTML tags out of \
                                       names. Write it without.";

/// Refuses a new name of which nothing might be left. ABS refuses it only for a new collection, and stores an empty name for
/// one that exists.
pub(super) fn check(name: &str) -> Result<(), Failure> {
    let is_tag = |start: &usize| name[start + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
    let tag = name.match_indices('<').map(|(start, _)| start).find(is_tag);
    match tag {
        Some(start) if name[..start].trim().is_empty() => Err(Failure::message(
            "Nothing was sent to Audiobookshelf. name: it begins with an HTML tag. Audiobookshelf cuts tags out of names, and \
             nothing might be left of this one; write it without.",
        )),
        _ => Ok(()),
    }
}

/// The answer to a write; with the name where the stored one is not the one that was sent.
pub(super) fn answer(record: Record, reply: &Value, sent: Option<&str>) -> Answer {
    match (sent, at(reply, "name").as_str()) {
        (Some(sent), Some(stored)) if sent != stored => Answer::untrusted(record.put("name", stored))
            .note("The stored name is not the one that was sent: Audiobookshelf cuts HTML tags out of names and decodes entities.")
            .note_if(stored.trim().is_empty(), "It is blank now; give it another one with update_collection."),
        _ => Answer::plain(record),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_vanish_is_refused() {
        for good in ["Dune", "Books < 2000 pages", "<3 fantasy", "A <b>bold</b> one", "a<", "<"] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in ["<b></b>", " <script>x</script>", "<!-- x -->", "</b>x", "<?x", "< <b>"] {
            assert_eq!(check(bad).is_err(), bad != "< <b>", "{bad}");
        }
    }
}
