//! Texts and bytes that are likely to be read wrongly.

use crate::{Result, Unstructured};

/// What escapes, ends or hides something, for one reader or another.
const ODD: [&str; 48] = [
    "",
    " ",
    "\0",
    "\n",
    "\r\n",
    "\t",
    "\u{7}",
    "\u{1b}[2J",
    "\u{7f}",
    "\u{85}",
    "\u{ad}",
    "\u{200b}",
    "\u{200d}",
    "\u{202e}",
    "\u{2028}",
    "\u{2066}",
    "\u{feff}",
    "\u{fffd}",
    "\u{e0041}",
    "\u{10ffff}",
    "e\u{301}",
    "ß",
    "İ",
    "村上",
    "👩\u{200d}🚀",
    "..",
    "../",
    "/",
    "//",
    "\\",
    "%",
    "%2e%2e%2f",
    "%252e",
    "%00",
    "%zz",
    ";",
    "?",
    "#",
    "&",
    "=",
    "+",
    "@",
    "\"",
    "<b>",
    "://",
    "https://u:p@h/?token=abc&x=1#f",
    "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VySWQiOiJyb290In0.c2ln",
    "{}",
];

const PLAIN: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_. ";

/// A text of odd parts, plain parts and any characters.
pub fn odd(u: &mut Unstructured<'_>) -> Result<String> {
    let mut out = String::new();
    for _ in 0..u.int_in_range(0..=6)? {
        match u.int_in_range(0..=7)? {
            0..=2 => out.push_str(u.choose(&ODD)?),
            3..=5 => out.push(char::from(*u.choose(PLAIN)?)),
            6 => out.push(u.arbitrary()?),
            _ => out.push_str(&u.choose(&ODD)?.repeat(1 << u.int_in_range(0..=8)?)),
        }
    }
    Ok(out)
}

/// A text with a few places changed: cut, doubled, replaced, or something odd put in.
pub fn changed(u: &mut Unstructured<'_>, text: &str) -> Result<String> {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..u.int_in_range(1..=3)? {
        let from = u.int_in_range(0..=chars.len())?;
        let to = (from + u.int_in_range(0..=4)?).min(chars.len());
        let new: Vec<char> = match u.int_in_range(0..=4)? {
            0 => Vec::new(),
            1 => chars[from..to].repeat(2),
            2 => chars[from..to].iter().map(|c| swap_case(*c)).collect(),
            3 => vec![char::from(*u.choose(PLAIN)?)],
            _ => odd(u)?.chars().collect(),
        };
        chars.splice(from..to, new);
    }
    Ok(chars.into_iter().collect())
}

/// A text with one odd part put in.
pub fn spiked(u: &mut Unstructured<'_>, text: &str) -> Result<String> {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let (before, after) = text.split_at(*u.choose(&places)?);
    Ok(format!("{before}{}{after}", u.choose(&ODD)?))
}

fn swap_case(c: char) -> char {
    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}

/// Bytes with a few places changed.
pub fn changed_bytes(u: &mut Unstructured<'_>, bytes: &mut Vec<u8>) -> Result<()> {
    for _ in 0..u.int_in_range(1..=3)? {
        let from = u.int_in_range(0..=bytes.len())?;
        let to = (from + u.int_in_range(0..=8)?).min(bytes.len());
        match u.int_in_range(0..=5)? {
            0 => bytes.truncate(from),
            1 => drop(bytes.drain(from..to)),
            2 => bytes.extend_from_within(from..to),
            3 => bytes.insert(from, u.arbitrary()?),
            4 => drop(bytes.splice(from..to, u.choose(&ODD)?.bytes())),
            _ => {
                if let Some(byte) = bytes.get_mut(from) {
                    *byte ^= 1 << u.int_in_range(0..=7)?;
                }
            }
        }
    }
    Ok(())
}
