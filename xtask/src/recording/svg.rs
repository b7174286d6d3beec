//! Rows of text as an SVG that looks like a terminal.
//!
//! It has its own background, so that it can be read on a light page and on a dark one. Rows appear one after the other for
//! those who have nothing against movement; without animation, all of them are there from the beginning.

use std::fmt::Write as _;

use super::{Kind, Row};

const CHARACTER: f32 = 8.4;
const LINE: usize = 20;
const MARGIN: usize = 20;
const BAR: usize = 32;

const HEAD: &str = "\
  <title id=\"title\">A session of cargo xtask demo --once</title>
  <desc id=\"desc\">A terminal. Questions about a made-up library, each with the tool call that answers it and the beginning of the \
answer as JSON: which libraries there are, whether a book with Sherlock in its title is there, what is on the home page, how much was \
listened to.</desc>
  <style>
    text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre; }
    .command { fill: #ffffff; font-weight: bold; }
    .note { fill: #b8c4d0; }
    .question { fill: #ffd479; }
    .call { fill: #8fc7ff; }
    .answer { fill: #dde5ec; }
    @media (prefers-reduced-motion: no-preference) {
      text { animation: appear 0.3s backwards; }
      @keyframes appear { from { opacity: 0; } }
    }
  </style>
";

pub(super) fn picture(rows: &[Row], columns: usize) -> String {
    let width = MARGIN * 2 + (columns as f32 * CHARACTER).ceil() as usize;
    let height = BAR + MARGIN + rows.len() * LINE;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-labelledby=\"title desc\">\n{HEAD}  \
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#1b2027\"/>\n"
    );
    for (position, color) in ["#ff6b5e", "#ffc24b", "#4fcf6b"].iter().enumerate() {
        let _ = writeln!(out, "  <circle cx=\"{}\" cy=\"18\" r=\"6\" fill=\"{color}\"/>", MARGIN + 2 + position * 20);
    }
    let mut delay = 0.0;
    for (position, row) in rows.iter().enumerate() {
        delay += pause(row.kind);
        let text = row.text.trim_start();
        let blanks = row.text.len() - text.len();
        if !text.is_empty() {
            line(&mut out, row.kind, text, blanks, BAR + (position + 1) * LINE, delay);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// `textLength` gives each character its place, whatever monospaced font there is.
fn line(out: &mut String, kind: Kind, text: &str, blanks: usize, y: usize, delay: f32) {
    let x = MARGIN as f32 + blanks as f32 * CHARACTER;
    let length = text.chars().count() as f32 * CHARACTER;
    let _ = writeln!(
        out,
        "  <text class=\"{}\" x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\" style=\"animation-delay:{delay:.1}s\">{}</text>",
        class(kind),
        escaped(text)
    );
}

/// Seconds before a row: as long as it takes to read the question, not as long as the program takes.
fn pause(kind: Kind) -> f32 {
    match kind {
        Kind::Command | Kind::Blank => 0.0,
        Kind::Note => 0.3,
        Kind::Question => 0.9,
        Kind::Call => 0.5,
        Kind::Answer => 0.2,
    }
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Command => "command",
        Kind::Note | Kind::Blank => "note",
        Kind::Question => "question",
        Kind::Call => "call",
        Kind::Answer => "answer",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_prints_is_text_in_the_picture() {
        let row = |kind, text: &str| Row { kind, text: text.to_owned() };
        let picture = picture(&[row(Kind::Blank, ""), row(Kind::Answer, "  <- {\"a\":\"</text>&\"}")], 40);
        assert!(picture.contains(">&lt;- {\"a\":\"&lt;/text&gt;&amp;\"}</text>"), "{picture}");
        assert_eq!(picture.matches("<text ").count(), 1);
        assert!(picture.contains("viewBox=\"0 0 376 92\""), "{picture}");
    }
}
