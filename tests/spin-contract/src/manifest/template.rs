//! `text {{ variable }} text`, as Spin reads it.

use std::collections::BTreeMap;

/// Pieces of a text, in order.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a str),
    Variable(&'a str),
}

pub fn pieces(text: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(opened) = rest.strip_prefix("{{") {
            let (name, after) = opened.split_once("}}").ok_or_else(|| format!("{text:?} has {{{{ without }}}}"))?;
            pieces.push(Piece::Variable(name.trim()));
            rest = after;
        } else {
            let (literal, after) = rest.split_at(rest.find("{{").unwrap_or(rest.len()));
            pieces.push(Piece::Text(literal));
            rest = after;
        }
    }
    Ok(pieces)
}

/// The text with the values in it.
pub fn render(text: &str, values: &BTreeMap<String, String>) -> Result<String, String> {
    let unknown = |name: &str| format!("{text:?} names the unknown variable {name:?}");
    pieces(text)?
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => Ok(text),
            Piece::Variable(name) => values.get(name).map(String::as_str).ok_or_else(|| unknown(name)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendering() {
        let values = BTreeMap::from([("host".to_owned(), "h".to_owned()), ("port".to_owned(), "1".to_owned())]);
        let render = |text| render(text, &values);
        assert_eq!(render("https://{{ host }}:{{port}}"), Ok("https://h:1".into()));
        assert_eq!(render("{{ host }}"), Ok("h".into()));
        assert_eq!(render("plain } { }}"), Ok("plain } { }}".into()));
        assert_eq!(render(""), Ok(String::new()));
        assert!(render("{{ nobody }}").is_err() && render("{{ host").is_err());
    }
}
