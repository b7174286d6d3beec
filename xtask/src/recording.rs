//! docs/images/demo.svg: what `cargo xtask demo --once` prints, as a picture of a terminal.
//!
//! The picture is made from a session that really ran, so that it cannot show what the program does not do. Left out is what
//! differs from one run to the next: port, milliseconds, dates of the made-up listening. Ids are shortened, long lines are cut.

mod svg;

use anyhow::{Context, Result};

use crate::{component, process, setup, workspace};

/// Of the terminal in the picture.
const COLUMNS: usize = 78;

/// Of an answer; whole ones would take a screen each.
const ANSWER_ROWS: usize = 2;

pub(crate) fn svg() -> Result<String> {
    component::build(&setup::toolchain()?)?;
    process::step(
        "host",
        process::cargo("build").args(["--quiet", "--locked", "--workspace", "--bin", "audiobookshelf-mcp"]),
    )?;
    let session = process::answer(process::command(workspace::program("audiobookshelf-mcp")).args(["demo", "--once"]))?;
    Ok(svg::picture(&rows(&session)?, COLUMNS))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Command,
    Note,
    Question,
    Call,
    Answer,
    Blank,
}

#[derive(Debug, PartialEq, Eq)]
struct Row {
    kind: Kind,
    text: String,
}

/// Introduction, the conversation in the first revision, and the last line, which compares it with that in the second.
fn rows(session: &str) -> Result<Vec<Row>> {
    let mut parts = session.trim_end().split("\n=== ");
    let introduction = parts.next().context("the demo printed nothing")?;
    let first = parts.next().context("the demo had no conversation")?;
    let last = session.trim_end().lines().last().unwrap_or_default();
    let mut rows = vec![Row { kind: Kind::Command, text: "$ cargo xtask demo --once".to_owned() }];
    let shown = format!("{introduction}\n=== {}\n\n{last}", first.trim_end());
    shown.lines().for_each(|line| push(&mut rows, line));
    Ok(rows)
}

fn push(rows: &mut Vec<Row>, line: &str) {
    let (kind, most) = match line.trim_start().get(..1) {
        None => (Kind::Blank, 1),
        Some("\"") => (Kind::Question, 1),
        Some("-") => (Kind::Call, 1),
        Some("<") => (Kind::Answer, ANSWER_ROWS),
        Some(_) => (Kind::Note, 2),
    };
    let indent = if kind == Kind::Answer { "     " } else { "" };
    rows.extend(folded(&without_ids(&steady(line)), indent, most).into_iter().map(|text| Row { kind, text }));
}

/// Without what differs from run to run.
fn steady(line: &str) -> String {
    let line = masked(line, "127.0.0.1:", |c| c.is_ascii_digit());
    let line = masked(&line, "\"date\":\"", |c| c != '"');
    match line.rsplit_once("  (") {
        Some((rest, time)) if time.ends_with(" ms)") => rest.to_owned(),
        _ => line,
    }
}

/// Each value that stands after `label`, replaced by an ellipsis.
fn masked(line: &str, label: &str, value: fn(char) -> bool) -> String {
    let mut parts = line.split(label);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(label);
        out.push('…');
        out.push_str(part.trim_start_matches(value));
    }
    out
}

/// Of each UUID its first group: most of what fits into a row would be ids otherwise.
fn without_ids(line: &str) -> String {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let is_id = |text: &str| {
        text.split('-').map(str::len).eq(GROUPS) && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
    };
    let short = |part: &str| if is_id(part) { format!("{}…", &part[..GROUPS[0]]) } else { part.to_owned() };
    line.split('"').map(short).collect::<Vec<_>>().join("\"")
}

/// As a terminal breaks lines, with those after the first indented, cut after the last row that is shown.
fn folded(line: &str, further: &str, most: usize) -> Vec<String> {
    let mut rest: Vec<char> = line.chars().collect();
    let mut rows = Vec::new();
    loop {
        let indent = if rows.is_empty() { "" } else { further };
        let room = COLUMNS - indent.len();
        if rest.len() <= room {
            rows.push(format!("{indent}{}", rest.iter().collect::<String>()));
            return rows;
        }
        if rows.len() + 1 == most {
            rows.push(format!("{indent}{}…", rest[..room - 1].iter().collect::<String>()));
            return rows;
        }
        // At a blank if there is one near: prose should not break within a word. JSON has none, and breaks anywhere.
        let blank = rest[..room].iter().rposition(|c| *c == ' ').filter(|at| *at > room / 2);
        let end = blank.map_or(room, |at| at + 1);
        rows.push(format!("{indent}{}", rest[..end].iter().collect::<String>()).trim_end().to_owned());
        rest.drain(..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "\
A library. It answers at http://127.0.0.1:46329/mcp.

=== Revision 2026-07-28 ===

\"How much?\"
  -> get_listening_stats {}
  <- {\"id\":\"f5057fee-4c3e-4459-82dd-21250b729601\",\"days\":[{\"date\":\"2026-11-30\"}]}  (3 ms)

=== Revision 2025-11-25 ===

\"How much?\"

Both gave the same answers.
";

    #[test]
    fn nothing_of_one_run_is_in_the_picture() {
        let shown: Vec<(Kind, String)> = rows(SESSION).unwrap().into_iter().map(|row| (row.kind, row.text)).collect();
        let want = [
            (Kind::Command, "$ cargo xtask demo --once"),
            (Kind::Note, "A library. It answers at http://127.0.0.1:…/mcp."),
            (Kind::Blank, ""),
            (Kind::Note, "=== Revision 2026-07-28 ==="),
            (Kind::Blank, ""),
            (Kind::Question, "\"How much?\""),
            (Kind::Call, "  -> get_listening_stats {}"),
            (Kind::Answer, "  <- {\"id\":\"f5057fee…\",\"days\":[{\"date\":\"…\"}]}"),
            (Kind::Blank, ""),
            (Kind::Note, "Both gave the same answers."),
        ];
        assert_eq!(shown, want.map(|(kind, text)| (kind, text.to_owned())));
        assert!(rows("").is_err() && rows("no conversation").is_err());
    }

    #[test]
    fn no_row_is_longer_than_the_terminal() {
        for (line, most) in [("word ".repeat(60), 2), ("x".repeat(500), 2), ("x".repeat(79), 1), ("é".repeat(200), 2)]
        {
            let rows = folded(&line, "  ", most);
            assert!(rows.len() == most && rows.iter().all(|row| row.chars().count() <= COLUMNS), "{rows:?}");
            assert!(rows.last().unwrap().ends_with('…'), "{rows:?}");
        }
        assert_eq!(folded(&"x".repeat(78), "  ", 1), ["x".repeat(78)]);
    }
}
