//! What the operator is told while the program runs: a line on stderr for each thing that happens.
//!
//! As text, a line is an event's name and its fields, or a sentence. As JSON (`--log json`) it is one object: `event`, and the
//! fields, of which `message` is the sentence.
//!
//! Fields carry what a stranger may have written. Their values are quoted, with everything but printable ASCII escaped, and
//! bounded: a line is a line, whatever is in it.

use serde_json::{Map, Value};
use std::{
    fmt::Write,
    sync::atomic::{AtomicBool, Ordering},
};

/// Longer than any target that this server asks for.
const MAX_VALUE: usize = 300;

/// How lines are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Sentences, and event=name field="value"
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

/// Of the process. Text until something else is chosen.
static JSON: AtomicBool = AtomicBool::new(false);

/// For all lines from now on.
pub fn choose(format: Format) {
    JSON.store(format == Format::Json, Ordering::Relaxed);
}

/// Something that is counted and searched for.
pub(crate) fn event(name: &str, fields: &[(&str, &str)]) {
    if JSON.load(Ordering::Relaxed) {
        eprintln!("{}", object(name, fields));
    } else {
        eprintln!("audiobookshelf-mcp: {}", line(name, fields));
    }
}

/// A sentence for whoever started the program.
pub(crate) fn say(name: &str, sentence: &str) {
    if JSON.load(Ordering::Relaxed) {
        eprintln!("{}", object_of(name, [("message", sentence.to_owned())]));
    } else {
        eprintln!("audiobookshelf-mcp: {sentence}");
    }
}

/// A line that the component wrote.
pub(crate) fn of_component(line: &str) {
    if JSON.load(Ordering::Relaxed) {
        say("component", line);
    } else {
        eprintln!("audiobookshelf-mcp: [component] {line}");
    }
}

/// Something that works, and should not be left like that.
pub fn warning(sentence: &str) {
    say("warning", sentence);
}

/// Why the program ends.
pub fn error(sentence: &str) {
    say("error", sentence);
}

/// `event=request_denied method="GET" why="…"`
fn line(name: &str, fields: &[(&str, &str)]) -> String {
    let mut line = format!("event={name}");
    for (field, value) in fields {
        let (shown, more) = bounded(value);
        // Writing to a string does not fail.
        let _ = write!(line, " {field}=\"{}{more}\"", shown.escape_default());
    }
    line
}

fn object(name: &str, fields: &[(&str, &str)]) -> String {
    object_of(
        name,
        fields.iter().map(|(field, value)| {
            let (shown, more) = bounded(value);
            (*field, format!("{shown}{more}"))
        }),
    )
}

fn object_of<'a>(name: &'a str, fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let named = [("event", name.to_owned())].into_iter().chain(fields);
    let object: Map<String, Value> = named.map(|(field, value)| (field.to_owned(), Value::String(value))).collect();
    // A terminal may read this as well: what JSON leaves as it is need not be harmless there.
    Value::Object(object).to_string().chars().fold(String::new(), |mut line, c| {
        if c.is_ascii() && c != '\x7f' {
            line.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(line, "\\u{unit:04x}");
            }
        }
        line
    })
}

fn bounded(value: &str) -> (&str, &'static str) {
    let (shown, rest) = value.split_at(value.floor_char_boundary(MAX_VALUE));
    (shown, if rest.is_empty() { "" } else { "…" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_line() {
        assert_eq!(line("x", &[]), "event=x");
        assert_eq!(line("x", &[("a", "b \"c\"\n"), ("d", "é\u{1b}")]), r#"event=x a="b \"c\"\n" d="\u{e9}\u{1b}""#);
        let long = "é".repeat(1000);
        assert!(line("x", &[("a", &long)]).ends_with("\\u{e9}…\""));
    }

    #[test]
    fn an_object_is_a_line_of_the_same_fields() {
        let fields = [("a", "b \"c\"\n"), ("d", "é\u{1b}\u{9b}\u{7f}😀")];
        let text = object("x", &fields);
        assert!(text.bytes().all(|b| (b' '..0x7f).contains(&b)), "{text}");
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, serde_json::json!({"event": "x", "a": fields[0].1, "d": fields[1].1}));
        assert_eq!(object("x", &[("a", &"é".repeat(1000))]).matches("\\u00e9").count(), 150);
    }
}
