//! A quoted sentence is one that the program says: it is put together from texts of the sources.
//!
//! Most sentences are made of several texts: what happened, why, and what to do. So a quotation counts as found when texts
//! of the sources, digits, and `…` for what differs cover it from its first letter to its last.

use super::pages::{self, Page};
use std::{collections::HashSet, fs};

/// Those that quote what the program says.
const QUOTING: [&str; 4] = ["docs/errors.md", "docs/troubleshooting.md", "docs/approval.md", "docs/getting-started.md"];

/// Shorter texts would spell anything. Only those that join two holes, such as ` and `, may be.
const LEAST: usize = 8;

fn counts(text: &str) -> bool {
    text.len() >= LEAST || (text.len() > 3 && text.starts_with(' ') && text.ends_with(' '))
}

/// The texts of the sources, cut where something is put in.
fn texts() -> HashSet<String> {
    let mut files = Vec::new();
    for folder in ["guest/src", "host/src", "policy/src"] {
        pages::files(&pages::root().join(folder), true, &mut files);
    }
    let mut texts = HashSet::new();
    for file in files.iter().filter(|file| !file.to_string_lossy().contains("tests.rs")) {
        let source = fs::read_to_string(file).expect("text");
        for line in strings(source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default()) {
            texts.extend(line.split('…').filter(|text| counts(text)).map(str::to_owned));
        }
    }
    assert!(texts.len() > 500, "{}", texts.len());
    texts
}

/// The string literals of a source, with `…` for each hole of a format string.
fn strings(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(start) = rest.find(['"', '\'', '/']) {
        let (mark, after) = (rest.as_bytes()[start], &rest[start + 1..]);
        rest = match mark {
            b'/' if after.starts_with('/') => after.split_once('\n').map_or("", |(_, next)| next),
            // A character, which may be a quotation mark; a lifetime is passed over.
            b'\'' if after.starts_with("\"'") => &after[2..],
            b'"' => {
                let (text, next) = literal(after);
                found.push(text);
                next
            }
            _ => after,
        };
    }
    found
}

/// From behind the quotation mark: the text, and what follows.
fn literal(source: &str) -> (String, &str) {
    let mut text = String::new();
    let mut chars = source.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (text, &source[at + 1..]),
            '\\' => match chars.next() {
                // The line goes on below, without the blanks that indent it.
                Some((_, '\n')) => while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {},
                Some((_, 'n')) => text.push(' '),
                Some((_, c)) => text.push(c),
                None => break,
            },
            '{' => {
                let _ = chars.by_ref().find(|(_, c)| *c == '}');
                text.push('…');
            }
            c => text.push(c),
        }
    }
    (text, "")
}

/// Where no text of the sources goes on, or nothing.
fn uncovered<'a>(quotation: &'a str, texts: &HashSet<String>) -> Option<&'a str> {
    let mut reached = vec![false; quotation.len() + 1];
    reached[0] = true;
    for at in 0..quotation.len() {
        if !reached[at] {
            continue;
        }
        let rest = &quotation[at..];
        let free = rest.chars().next().filter(|c| c.is_ascii_digit() || " .,:;?()'\"…".contains(*c));
        if let Some(c) = free {
            reached[at + c.len_utf8()] = true;
        }
        for text in texts {
            if rest.starts_with(&**text) {
                reached[at + text.len()] = true;
            } else if rest.len() >= LEAST && text.starts_with(rest) {
                // A quotation may end within a text.
                reached[quotation.len()] = true;
            }
        }
    }
    let end = (0..=quotation.len()).rev().find(|at| reached[*at]).unwrap_or_default();
    (end < quotation.len()).then(|| &quotation[end..])
}

/// The quotations of a page, and of the table of HTTP answers what stands in its last column.
fn quotations(page: &Page) -> Vec<String> {
    let mut found = page.quotations();
    let row = |line: &str| -> Option<String> {
        let (status, text) = line.strip_prefix("| ")?.split_once(" | `")?;
        status.parse::<u16>().ok()?;
        text.strip_suffix("` |").map(str::to_owned)
    };
    found.extend(page.text.lines().filter_map(row));
    found
}

#[test]
fn every_quoted_sentence_is_one_that_the_program_says() {
    let texts = texts();
    let mut quoted = 0;
    let mut faults = Vec::new();
    for page in pages::all().iter().filter(|page| QUOTING.contains(&&*page.name)) {
        for quotation in quotations(page) {
            quoted += 1;
            let fault = uncovered(&quotation, &texts);
            faults.extend(fault.map(|rest| format!("{}: {quotation}\n  not in the sources: {rest}", page.name)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(quoted > 100, "{quoted}");
}

#[test]
fn a_sentence_that_nobody_says_is_found() {
    let texts = texts();
    for (quotation, found) in [
        ("Audiobookshelf could not be reached: it refused the connection.", true),
        ("Audiobookshelf answered 429: it asks for fewer requests. Wait before the next call.", true),
        ("Audiobookshelf could not be reached: it declined the connection.", false),
        ("Audiobookshelf answered 429: it asks for more requests.", false),
        ("The flux capacitor is empty.", false),
        ("Nothing was changed: the person declined, twice.", false),
    ] {
        assert_eq!(uncovered(quotation, &texts).is_none(), found, "{quotation}");
    }
}

#[test]
fn sources_are_read_as_the_compiler_reads_them() {
    let source = r#"
        // It's a "comment".
        let quote = '"'; let x: &'static str = "one \"two\" \
            three"; format!("{name} is {}", "four"); let path = "https://x";
    "#;
    assert_eq!(strings(source), ["one \"two\" three", "… is …", "four", "https://x"]);
}
