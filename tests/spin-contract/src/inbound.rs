//! From a request on a socket to what the component sees of it.

use crate::manifest::Match;
use http::{HeaderMap, HeaderName, HeaderValue, Request, header::HOST};
use std::net::SocketAddr;

/// What belongs to one connection. Of these and of `host` the component sees nothing.
const HIDDEN: [&str; 9] = [
    "connection",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
];

/// Why there is no answer from the component.
#[derive(Debug, PartialEq, Eq)]
pub enum Rejected {
    /// The connection is closed without one.
    NoHost,
    /// 500.
    NotText,
}

/// Removes what Spin hides and appends what it adds. Whatever the client sent under the added names stays in front: the
/// first value is the client's.
pub fn prepare<B>(request: Request<B>, matched: &Match<'_>, client: SocketAddr) -> Result<Request<B>, Rejected> {
    let (mut parts, body) = request.into_parts();
    let authority = match parts.uri.authority() {
        Some(authority) => authority.clone(),
        None => {
            let host = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
            host.and_then(|host| host.parse().ok()).ok_or(Rejected::NoHost)?
        }
    };
    if parts.headers.values().any(|value| std::str::from_utf8(value.as_bytes()).is_err()) {
        return Err(Rejected::NotText);
    }
    for name in HIDDEN {
        parts.headers.remove(name);
    }
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let added = [
        ("spin-path-info", matched.rest.to_owned()),
        ("spin-full-url", format!("http://{authority}{path}")),
        ("spin-matched-route", matched.route.to_owned()),
        ("spin-base-path", "/".to_owned()),
        ("spin-raw-component-route", matched.route.to_owned()),
        ("spin-component-route", matched.route.trim_end_matches("/...").to_owned()),
        ("spin-client-addr", client.to_string()),
    ];
    append(&mut parts.headers, added);
    // The authority is the component's from here; the scheme is http, also behind TLS.
    let target = http::Uri::builder().scheme("http").authority(authority).path_and_query(path.to_owned());
    parts.uri = target.build().map_err(|_| Rejected::NoHost)?;
    Ok(Request::from_parts(parts, body))
}

fn append<const N: usize>(headers: &mut HeaderMap, added: [(&'static str, String); N]) {
    for (name, value) in added {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.append(HeaderName::from_static(name), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::request::Builder;

    const CLIENT: ([u8; 4], u16) = ([192, 0, 2, 1], 999);

    fn prepared(request: Builder) -> Result<Request<()>, Rejected> {
        let matched = Match { route: "/mcp/...", rest: "/x" };
        prepare(request.body(()).unwrap(), &matched, CLIENT.into())
    }

    #[test]
    fn what_is_hidden_and_what_is_added() {
        let request = Request::post("/mcp/x?q=1")
            .header("host", "h:1")
            .header("connection", "close")
            .header("upgrade", "h2c")
            .header("transfer-encoding", "chunked")
            .header("authorization", "Bearer t")
            .header("spin-client-addr", "6.6.6.6");
        let request = prepared(request).unwrap();
        assert_eq!(request.uri(), "http://h:1/mcp/x?q=1");
        let headers = request.headers();
        for hidden in HIDDEN {
            assert!(!headers.contains_key(hidden), "{hidden}");
        }
        assert_eq!(headers["authorization"], "Bearer t");
        assert_eq!(headers["spin-full-url"], "http://h:1/mcp/x?q=1");
        let addresses: Vec<_> = headers.get_all("spin-client-addr").iter().collect();
        assert_eq!(addresses, ["6.6.6.6", "192.0.2.1:999"], "the client's own is in front");
    }

    #[test]
    fn what_does_not_reach_the_component() {
        let request = |host: &[u8], value: &[u8]| {
            let value = HeaderValue::from_bytes(value).unwrap();
            Request::get("/mcp").header("host", HeaderValue::from_bytes(host).unwrap()).header("x", value)
        };
        assert!(prepared(request(b"any.host.at.all:1", b"v")).is_ok());
        assert_eq!(prepared(Request::get("/mcp")).unwrap_err(), Rejected::NoHost);
        assert_eq!(prepared(request(b"a b", b"v")).unwrap_err(), Rejected::NoHost);
        assert_eq!(prepared(request(b"h", b"\xff")).unwrap_err(), Rejected::NotText);
    }
}
