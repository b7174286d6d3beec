//! What makes two requests the same for the contract: method, path with kinds for ids, and the keys that change the answer's shape.

use std::collections::HashMap;

use super::shape::is_uuid;

/// Query keys that decide what the answer looks like.
const SHAPING: [&str; 3] = ["include", "expanded", "collapseseries"];

/// What was recorded too, and is no route of the stand-in: administration, logging in, and what no client of ours asks.
const LEFT_OUT: [&str; 19] = [
    "/api/api-keys",
    "/api/auth-settings",
    "/api/authorize",
    "/api/backups",
    "/api/emails",
    "/api/feeds",
    "/api/me/item/listening-sessions",
    "/api/me/sessions",
    "/api/notifications",
    "/api/playlists/collection",
    "/api/playlists/{junk}/",
    "/api/sessions",
    "/api/stats",
    "/api/tasks",
    "/api/users",
    "POST /auth",
    "POST /log",
    "/remove-from-continue-listening",
    "OPTIONS ",
];

pub fn is_left_out(group: &str) -> bool {
    LEFT_OUT.iter().any(|part| group.contains(part))
}

/// Only successful answers differ by their query.
pub fn group(method: &str, url: &str, kinds: &HashMap<String, String>, status: u64, content_type: &str) -> String {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let template = template(path, kinds);
    let variant = if status < 300 { variant(&template, query) } else { String::new() };
    let content_type = if content_type.is_empty() { "-" } else { content_type };
    format!("{method} {template}{variant} {status} {content_type}")
}

fn template(path: &str, kinds: &HashMap<String, String>) -> String {
    let path = path.trim_start_matches("/audiobookshelf");
    let segments: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
    let mut out = String::new();
    for (n, segment) in segments.iter().enumerate() {
        let word = segment.to_ascii_lowercase();
        out.push('/');
        match (n.checked_sub(1).map(|n| segments[n]), kinds.get(*segment)) {
            (_, Some(kind)) => out.push_str(&format!("{{{kind}}}")),
            _ if is_uuid(&word) => out.push_str("{unknown}"),
            (Some("bookmark"), _) => out.push_str("{time}"),
            (Some("year"), _) => out.push_str("{year}"),
            // Words of the API are letters and hyphens; anything else, and anything where an id belongs, is junk.
            (Some(before), _) if takes_id(before) && !is_word_after(before, &word) => out.push_str("{junk}"),
            _ => out.push_str(&word),
        }
    }
    out
}

fn takes_id(word: &str) -> bool {
    ["libraries", "items", "collections", "playlists", "authors", "podcasts", "progress", "bookmarks"].contains(&word)
}

fn is_word_after(before: &str, word: &str) -> bool {
    matches!((before, word), ("items", "batch") | ("progress", "batch"))
}

fn variant(template: &str, query: &str) -> String {
    let mut kept: Vec<String> = Vec::new();
    let value = |key: &str| query.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
    for key in SHAPING {
        if let Some(value) = value(key) {
            kept.push(format!("{key}={}", value.to_ascii_lowercase()));
        }
    }
    let filter = value("filter").unwrap_or("");
    if filter.starts_with("series.") && filter != "series.bm8tc2VyaWVz" {
        kept.push("filter=series".into());
    }
    let paged = value("page").is_some() && value("limit").is_some_and(|limit| limit != "0");
    if template.ends_with("/authors") && paged {
        kept.push("paged".into());
    }
    if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) }
}
