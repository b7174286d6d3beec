//! The one decision: may this request leave?

use crate::{Access, Origin, ROUTES, Route};
use std::fmt;

/// Why a request stays here. Carries nothing of the request, so that it can be logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    Origin,
    BasePath,
    Route,
    QueryKey,
    ReadOnly,
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Denied::Origin => "the request is not for the configured origin",
            Denied::BasePath => "the path is not below the configured base path",
            Denied::Route => "method and path are no row of the route table",
            Denied::QueryKey => "the query has a key that the row does not take, or one twice",
            Denied::ReadOnly => "the row writes, and the server is read-only",
        })
    }
}

/// Finds the row that a request stands for, on its raw bytes.
///
/// `scheme` and `authority` are those of the request line; `path_and_query` likewise, base path included. What this does
/// *not* check: headers, and the values of query keys (the guest builds them; ABS gets one value a key).
pub fn check(
    origin: &Origin,
    read_only: bool,
    method: &str,
    scheme: &str,
    authority: &str,
    path_and_query: &str,
) -> Result<&'static Route, Denied> {
    if !origin.admits(scheme, authority) {
        return Err(Denied::Origin);
    }
    let (path, query) = match path_and_query.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path_and_query, None),
    };
    let below = path.strip_prefix(origin.base_path()).ok_or(Denied::BasePath)?;
    let route = ROUTES.iter().find(|r| r.matches(method, below)).ok_or(Denied::Route)?;
    if let Some(query) = query {
        let keys: Vec<&str> = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(key, _)| key)).collect();
        for (i, key) in keys.iter().enumerate() {
            if !route.query.contains(key) || keys[..i].contains(key) {
                return Err(Denied::QueryKey);
            }
        }
    }
    if read_only && route.access == Access::Write {
        return Err(Denied::ReadOnly);
    }
    Ok(route)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_leave_and_what_may_not() {
        let origin = Origin::parse("https://abs.example.com/audiobookshelf").unwrap();
        let ask =
            |method, authority, path| check(&origin, true, method, "https", authority, path).map(|r| r.to_string());
        let host = "abs.example.com";
        let cases = [
            (ask("GET", host, "/audiobookshelf/api/me"), Ok("GET /api/me")),
            (
                ask("GET", "ABS.example.com:443", "/audiobookshelf/api/libraries/x/items?limit=5&page=0"),
                Ok("GET /api/libraries/{id}/items"),
            ),
            (ask("GET", "abs.example.com.evil", "/audiobookshelf/api/me"), Err(Denied::Origin)),
            (ask("GET", "u@abs.example.com", "/audiobookshelf/api/me"), Err(Denied::Origin)),
            (ask("GET", "abs.example.com:8443", "/audiobookshelf/api/me"), Err(Denied::Origin)),
            (ask("GET", host, "/api/me"), Err(Denied::BasePath)),
            (ask("GET", host, "/audiobookshelfX/api/me"), Err(Denied::Route)),
            (ask("GET", host, "/audiobookshelf/api/users"), Err(Denied::Route)),
            (ask("GET", host, "/audiobookshelf/api/items/%2e%2e"), Err(Denied::Route)),
            (ask("GET", host, "/audiobookshelf/api/me?token=x"), Err(Denied::QueryKey)),
            (ask("GET", host, "/audiobookshelf/api/libraries/x/items?limit=5&limit=6"), Err(Denied::QueryKey)),
            (ask("DELETE", host, "/audiobookshelf/api/playlists/x"), Err(Denied::ReadOnly)),
        ];
        for (i, (got, want)) in cases.into_iter().enumerate() {
            assert_eq!(got, want.map(str::to_owned), "case {i}");
        }
        assert_eq!(check(&origin, false, "GET", "http", host, "/audiobookshelf/api/me"), Err(Denied::Origin));
    }
}
