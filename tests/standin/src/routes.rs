//! From a request to the handler that knows it.

use http::{Method, request::Parts};
use serde_json::json;

use crate::{
    auth, authors, bookmarks,
    call::{Call, Query, parse_body},
    collections, items, js, libraries, me, playlists, progress,
    reply::{Answer, Reply},
    search, series, sessions, shelves,
    state::{Request, State},
    stats, year,
};

/// What ABS is mounted at, besides `/`.
const OWN_BASE: &str = "/audiobookshelf";

pub(crate) struct Head {
    pub(crate) method: Method,
    pub(crate) url: String,
    pub(crate) size: usize,
    /// Below the base path; `None` outside of it.
    path: Option<String>,
    headers: Vec<(String, String)>,
}

impl Head {
    pub(crate) fn new(parts: &Parts, base_path: &str) -> Self {
        let url = parts.uri.path_and_query().map_or("/", |p| p.as_str()).to_owned();
        let headers: Vec<(String, String)> = parts
            .headers
            .iter()
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect();
        let size = url.len() + headers.iter().map(|(name, value)| name.len() + value.len() + 4).sum::<usize>();
        let path = below(parts.uri.path(), base_path).map(str::to_owned);
        Self { method: parts.method.clone(), url, size, path, headers }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// ABS answers with and without its own base path; a proxy that mounts it elsewhere knows only that place.
fn below<'a>(path: &'a str, base_path: &str) -> Option<&'a str> {
    let strip = |base: &str| path.strip_prefix(base).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    match base_path {
        "" | OWN_BASE => Some(strip(OWN_BASE).unwrap_or(path)),
        base => strip(base),
    }
}

pub(crate) fn answer(head: &Head, body: &[u8], state: &mut State) -> Reply {
    let (_, raw_query) = head.url.split_once('?').unwrap_or((&head.url, ""));
    let query = Query::parse(raw_query);
    let secret = auth::secret(head.header("authorization"), query.one("token"));
    let user = secret.and_then(|secret| state.keys.user(&state.data.users, secret));
    state.log.push(Request {
        method: head.method.to_string(),
        path: head.url.clone(),
        user: user.map(|user| state.data.users[user].role.clone()),
        headers: head.headers.clone(),
        body: String::from_utf8_lossy(body).into_owned(),
    });

    let cannot = || Reply::page(404, &format!("Cannot {} {}", head.method, head.url.split('?').next().unwrap_or("")));
    let Some(path) = &head.path else { return cannot() };
    let raw: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    match raw.as_slice() {
        [one] if one.eq_ignore_ascii_case("status") => return status(state),
        [one] if one.eq_ignore_ascii_case("ping") => return Reply::json(&json!({"success": true})),
        [one] if one.eq_ignore_ascii_case("healthcheck") => return Reply::ok(),
        [first, ..] if first.eq_ignore_ascii_case("api") => {}
        _ => return cannot(),
    }
    let Some(user) = user else { return Reply::unauthorized() };
    let decoded: Option<Vec<String>> = raw.iter().map(|segment| js::decode_uri_component(segment)).collect();
    let Some(segments) = decoded else { return Reply::page(400, "Bad Request") };
    let body = match parse_body(head.header("content-type").unwrap_or(""), body) {
        Ok(body) => body,
        Err(reply) => return reply,
    };
    let method = if head.method == Method::HEAD { Method::GET } else { head.method.clone() };
    let call = Call { method, segments, url: head.url.clone(), query, body, user };
    cached(&call, state).unwrap_or_else(|| {
        let reply = dispatch(&call, state).map_or_else(cannot, |answer| answer.unwrap_or_else(|reply| reply));
        if cacheable(&call) {
            state.keep(&call, &reply);
        }
        reply
    })
}

fn cached(call: &Call, state: &State) -> Option<Reply> {
    if cacheable(call) { state.cached(call) } else { None }
}

fn cacheable(call: &Call) -> bool {
    call.method == Method::GET && call.seg(1).eq_ignore_ascii_case("libraries")
}

fn status(state: &State) -> Reply {
    Reply::json(&json!({
        "app": "audiobookshelf",
        "serverVersion": state.version,
        "isInit": true,
        "language": "en-us",
        "authMethods": ["local"],
        "authFormData": {"authLoginCustomMessage": ""},
    }))
}

/// `None` for a route that ABS, or this stand-in, does not have. Words in paths are case-insensitive, ids are not.
fn dispatch(call: &Call, state: &mut State) -> Option<Answer> {
    let lower: Vec<String> = call.segments.iter().skip(1).map(|s| s.to_ascii_lowercase()).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    match call.method {
        Method::GET => read(call, state, &words),
        Method::POST => post(call, state, &words),
        Method::PATCH => patch(call, state, &words),
        Method::DELETE => delete(call, state, &words),
        _ => None,
    }
}

fn read(call: &Call, state: &mut State, words: &[&str]) -> Option<Answer> {
    let since_2_36 = state.at_least(36);
    Some(match *words {
        ["libraries"] => libraries::list(call, state),
        ["libraries", _] => libraries::one(call, state),
        ["libraries", _, "stats"] => libraries::stats(call, state),
        ["libraries", _, "filterdata"] => libraries::filter_data(call, state),
        ["libraries", _, "narrators"] => libraries::narrators(call, state),
        ["libraries", _, "items"] => items::list(call, state),
        ["libraries", _, "search"] => search::search(call, state),
        ["libraries", _, "personalized"] => shelves::personalized(call, state),
        ["libraries", _, "series"] => series::list(call, state),
        ["libraries", _, "series", _] => series::in_library(call, state),
        ["libraries", _, "authors"] => authors::list(call, state),
        ["libraries", _, "recent-episodes"] => items::recent_episodes(call, state),
        ["libraries", _, "collections"] => collections::in_library(call, state),
        ["libraries", _, "playlists"] => playlists::in_library(call, state),
        ["series", _] => series::one(call, state),
        ["authors", _] => authors::one(call, state),
        ["tags"] => libraries::tags(call, state),
        ["genres"] => libraries::genres(call, state),
        ["items", _] => items::one(call, state),
        ["podcasts", _, "episode", _] => items::episode(call, state),
        ["me"] => me::me(call, state),
        ["me", "items-in-progress"] => me::items_in_progress(call, state),
        ["me", "progress"] if since_2_36 => progress::all(call, state),
        ["me", "progress", _] | ["me", "progress", _, _] => progress::one(call, state),
        ["me", "bookmarks"] | ["me", "bookmarks", _] if since_2_36 => bookmarks::list(call, state),
        ["me", "listening-stats"] => stats::listening(call, state),
        ["me", "stats", "year", _] => year::year(call, state),
        ["me", "listening-sessions"] => sessions::list(call, state),
        ["collections"] => collections::list(call, state),
        ["collections", _] => collections::one(call, state),
        ["playlists"] => playlists::list(call, state),
        ["playlists", _] => playlists::one(call, state),
        _ => return None,
    })
}

fn post(call: &Call, state: &mut State, words: &[&str]) -> Option<Answer> {
    Some(match *words {
        ["items", "batch", "get"] => items::batch(call, state),
        ["me", "item", _, "bookmark"] => bookmarks::create(call, state),
        ["collections"] => collections::create(call, state),
        ["collections", _, "book"] => collections::add_book(call, state),
        ["collections", _, "batch", "add"] => collections::batch_add(call, state),
        ["collections", _, "batch", "remove"] => collections::batch_remove(call, state),
        ["playlists"] => playlists::create(call, state),
        ["playlists", _, "item"] => playlists::add_item(call, state),
        ["playlists", _, "batch", "add"] => playlists::batch_add(call, state),
        ["playlists", _, "batch", "remove"] => playlists::batch_remove(call, state),
        _ => return None,
    })
}

fn patch(call: &Call, state: &mut State, words: &[&str]) -> Option<Answer> {
    Some(match *words {
        ["me", "progress", "batch", "update"] => progress::batch(call, state),
        ["me", "progress", _] | ["me", "progress", _, _] => progress::patch(call, state),
        ["me", "item", _, "bookmark"] => bookmarks::update(call, state),
        ["collections", _] => collections::update(call, state),
        ["playlists", _] => playlists::update(call, state),
        _ => return None,
    })
}

fn delete(call: &Call, state: &mut State, words: &[&str]) -> Option<Answer> {
    Some(match *words {
        ["me", "progress", _] => progress::delete(call, state),
        ["me", "item", _, "bookmark", _] => bookmarks::delete(call, state),
        ["collections", _] => collections::delete(call, state),
        ["collections", _, "book", _] => collections::remove_book(call, state),
        ["playlists", _] => playlists::delete(call, state),
        ["playlists", _, "item", _] | ["playlists", _, "item", _, _] => playlists::remove_item(call, state),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_base_path_may_be_left_out_and_another_may_not() {
        assert_eq!(below("/audiobookshelf/api/me", ""), Some("/api/me"));
        assert_eq!(below("/api/me", "/audiobookshelf"), Some("/api/me"));
        assert_eq!(below("/books/api/me", "/books"), Some("/api/me"));
        assert_eq!(below("/api/me", "/books"), None);
        assert_eq!(below("/bookshop/api/me", "/books"), None);
    }
}
