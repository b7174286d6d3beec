//! What never leaves in a result: control characters, invisible text, credentials.

use super::sort_by;
use serde_json::Value;

/// Members whose names end like this carry credentials. `/api/me` really sends the account's never-expiring `token`.
const CREDENTIALS: [&str; 9] =
    ["token", "pash", "password", "passwd", "secret", "apikey", "authorization", "cookie", "privatekey"];

/// Names of removed members are said up to this many, each cut to so many characters. ABS has three such names.
const SAID: usize = 10;
const SAID_LENGTH: usize = 40;

/// Cleans every text, names of members included, and removes credential members. Returns the names of what was removed.
pub fn clean(value: &mut Value) -> Vec<String> {
    let mut removed = Vec::new();
    walk(value, &mut removed);
    sort_by(&mut removed, Ord::cmp);
    removed.dedup();
    removed.truncate(SAID);
    removed
}

fn walk(value: &mut Value, removed: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            if needs_cleaning(text) {
                *text = clean_text(text);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| walk(value, removed)),
        Value::Object(object) => {
            object.retain(|name, value| {
                // A flag or a number says something about a credential, and is none.
                let credential = is_credential(name) && !value.is_boolean() && !value.is_number();
                if credential {
                    removed.push(clean_text(name).chars().take(SAID_LENGTH).collect());
                }
                !credential
            });
            if object.keys().any(|name| needs_cleaning(name)) {
                *object = std::mem::take(object).into_iter().map(|(name, value)| (clean_text(&name), value)).collect();
            }
            object.values_mut().for_each(|value| walk(value, removed));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_credential(name: &str) -> bool {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    CREDENTIALS.iter().any(|word| plain.ends_with(word))
}

fn needs_cleaning(text: &str) -> bool {
    text.contains("://") || text.contains(TOKEN_START) || text.chars().any(is_hidden)
}

/// A text without what a person does not see.
pub fn visible(text: &str) -> String {
    text.chars().filter(|c| !is_hidden(*c)).collect()
}

/// One text, cleaned.
pub fn clean_text(text: &str) -> String {
    let visible = visible(text);
    let visible = if visible.contains("://") { redact_urls(&visible) } else { visible };
    if visible.contains(TOKEN_START) { redact_tokens(&visible) } else { visible }
}

/// An encoded `{"`, with which every JSON Web Token begins: ABS's keys and account tokens are such, whatever the member is
/// called that carries one.
const TOKEN_START: &str = "eyJ";

fn redact_tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(TOKEN_START) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let end = from.find(|c| !part(c)).unwrap_or(from.len());
        let token = &from[..end];
        out.push_str(if token.len() > 40 && token.matches('.').count() >= 2 { "[redacted]" } else { token });
        rest = &from[end..];
    }
    out.push_str(rest);
    out
}

/// Characters that a person does not see and a model reads: controls (line feed and tab stay), bidirectional overrides,
/// zero-width spaces, tags. The joiners U+200C and U+200D stay, since scripts and emoji need them.
fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c,
            '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Podcast feeds and covers come with user names, passwords and keys in their addresses.
fn redact_urls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>')).unwrap_or(after.len());
        redact_url(&after[..end], &mut out);
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

fn redact_url(url: &str, out: &mut String) {
    let authority_end = url.find(['/', '?', '#']).unwrap_or(url.len());
    let (authority, rest) = url.split_at(authority_end);
    match authority.rsplit_once('@') {
        Some((_, host)) => {
            out.push_str("[redacted]@");
            out.push_str(host);
        }
        None => out.push_str(authority),
    }
    let Some((path, query)) = rest.split_once('?') else { return out.push_str(rest) };
    out.push_str(path);
    out.push('?');
    for (i, pair) in query.split('&').enumerate() {
        if i > 0 {
            out.push('&');
        }
        match pair.split_once('=') {
            Some((key, value)) if is_secret_key(key) && !value.is_empty() => {
                out.push_str(key);
                out.push_str("=[redacted]");
            }
            _ => out.push_str(pair),
        }
    }
}

fn is_secret_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    is_credential(&key)
        || ["token", "auth", "key", "secret", "sig", "signature", "pass", "pwd", "credential", "session"]
            .iter()
            .any(|word| key == *word || key.ends_with(word) || key.starts_with("auth"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn invisible_text_goes_visible_text_stays() {
        assert_eq!(clean_text("a\u{0}\u{7}\u{1b}[31mb\u{202E}c\u{200B}d\u{E0041}"), "a[31mbcd");
        for kept in ["line\nfeed\ttab", "👩\u{200D}🚀", "Война и мир", "可\u{2028}"] {
            assert_eq!(clean_text(kept), kept);
        }
    }

    #[test]
    fn names_of_members_are_texts_too() {
        let mut value = json!({"a\u{202e}b": {"https://u:p@h/": 1}, "c": 2});
        assert_eq!(clean(&mut value), [""; 0]);
        assert_eq!(value, json!({"ab": {"https://[redacted]@h/": 1}, "c": 2}));
    }

    #[test]
    fn credentials_in_addresses() {
        let cases = [
            ("https://u:p@feed.example.com/rss", "https://[redacted]@feed.example.com/rss"),
            ("see https://h/f?token=abc&x=1 now", "see https://h/f?token=[redacted]&x=1 now"),
            ("https://h/?access_token=a#f", "https://h/?access_token=[redacted]"),
            ("https://h/?AUTH=a&auth_id=b&key=&page=2", "https://h/?AUTH=[redacted]&auth_id=[redacted]&key=&page=2"),
            ("http://a@b@c/p, http://plain/p?q=1", "http://[redacted]@c/p, http://plain/p?q=1"),
        ];
        for (text, want) in cases {
            assert_eq!(clean_text(text), want, "{text}");
        }
    }

    #[test]
    fn a_token_is_redacted_under_any_name() {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VySWQiOiJyb290In0.c2lnbmF0dXJl-_";
        assert_eq!(clean_text(&format!("a {token}, b")), "a [redacted], b");
        assert_eq!(clean_text("eyJ is how they begin. eyJeyJ."), "eyJ is how they begin. eyJeyJ.");
    }

    #[test]
    fn credential_members_are_removed_and_named() {
        let mut value = json!({"username": "ann", "token": "eyJ", "a": [{"pash": "x", "accessToken": "y", "session_token": "z", "hasToken": 1}], "password": false});
        assert_eq!(clean(&mut value), ["accessToken", "pash", "session_token", "token"]);
        assert_eq!(value, json!({"username": "ann", "a": [{"hasToken": 1}], "password": false}));
    }
}
