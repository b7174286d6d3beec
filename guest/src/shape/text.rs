//! Descriptions as plain text: feeds and file tags bring HTML of any quality.

/// The longest description in a compact record, in characters.
const EXCERPT: usize = 1000;

/// The beginning of a description, without mark-up and with runs of white space joined. A cut one ends in «…».
pub fn excerpt(text: &str) -> String {
    let text = decode_entities(&without_tags(text));
    let mut out = String::with_capacity(text.len().min(EXCERPT * 4));
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        out.push_str(&words.join(" "));
    }
    match out.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", out[..end].trim_end()),
        None => out,
    }
}

/// Tags go; those that begin or end a block leave a line break. A `<` that starts no tag stays.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        if !rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!') {
            out.push('<');
            rest = &rest[1..];
            continue;
        }
        let Some(end) = rest.find('>') else { break };
        if breaks_line(&rest[1..end]) {
            out.push('\n');
        }
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    out
}

fn breaks_line(tag: &str) -> bool {
    let name = tag.trim_start_matches('/');
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    matches!(
        name[..end].to_ascii_lowercase().as_str(),
        "p" | "br" | "div" | "li" | "ul" | "ol" | "tr" | "hr" | "blockquote" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
    )
}

/// The entities that occur in feeds. Each is decoded once, so that `&amp;lt;` becomes `&lt;`.
fn decode_entities(text: &str) -> String {
    const LONGEST: usize = 10;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let name = rest[1..].char_indices().take(LONGEST).find(|(_, c)| *c == ';').map(|(end, _)| &rest[1..=end]);
        match name.and_then(|name| Some((name, entity(name)?))) {
            Some((name, c)) => {
                out.push(c);
                rest = &rest[name.len() + 2..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_up_text_becomes_plain() {
        let cases = [
            (
                "<p>Show <b>notes</b> &amp; a <a href=\"https://h/?a=1\">link</a>.</p><ul><li>one</li><li>two</li></ul>",
                "Show notes & a link.\none\ntwo",
            ),
            ("Fish &#38; chips &#x26; peas&nbsp;&lt;3", "Fish & chips & peas <3"),
            ("&amp;lt; stays coded once", "&lt; stays coded once"),
            ("1 < 2, 3 > 2 & so on; a<unclosed", "1 < 2, 3 > 2 & so on; a<unclosed"),
            ("line\n\n\n  next\t line  ", "line\nnext line"),
            ("a<br/>b<BR>c<!-- d -->e", "a\nb\nce"),
            ("&#xD800;&#99999999;&unknown; &", "&#xD800;&#99999999;&unknown; &"),
            ("", ""),
        ];
        for (text, want) in cases {
            assert_eq!(excerpt(text), want, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let cut = excerpt(&"ü".repeat(1001));
        assert_eq!((cut.chars().count(), cut.ends_with("ü…")), (1001, true));
        assert_eq!(excerpt(&"ü".repeat(1000)), "ü".repeat(1000));
    }
}
