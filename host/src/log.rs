//! What the operator is told while the program runs: an event a line on stderr, its name first, then its fields.
//!
//! Fields carry what a stranger may have written. Their values are quoted, with everything but printable ASCII escaped, and
//! bounded: a line is a line, whatever is in it.

use std::fmt::Write;

/// Longer than any target that this server asks for.
const MAX_VALUE: usize = 300;

pub(crate) fn event(name: &str, fields: &[(&str, &str)]) {
    eprintln!("audiobookshelf-mcp: {}", line(name, fields));
}

/// `event=request_denied method="GET" why="…"`
fn line(name: &str, fields: &[(&str, &str)]) -> String {
    let mut line = format!("event={name}");
    for (field, value) in fields {
        let (shown, rest) = value.split_at(value.floor_char_boundary(MAX_VALUE));
        let more = if rest.is_empty() { "" } else { "…" };
        // Writing to a string does not fail.
        let _ = write!(line, " {field}=\"{}{more}\"", shown.escape_default());
    }
    line
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
}
