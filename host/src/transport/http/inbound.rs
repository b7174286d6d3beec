//! From a request on a socket to the request that the component gets.

use bytes::{Bytes, BytesMut};
use http::{
    HeaderMap, HeaderName, HeaderValue, Request, Uri,
    header::{CONNECTION, CONTENT_LENGTH, EXPECT, HOST, TE, TRAILER, TRANSFER_ENCODING, UPGRADE},
    uri::PathAndQuery,
};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use std::{
    pin::{Pin, pin},
    time::Duration,
};
use tokio::time::timeout;

/// How long a client may take to send a body.
const BODY_TIME: Duration = Duration::from_secs(30);

/// How much of a body that is too large is read and thrown away, and for how long. A client that is still sending when the
/// connection closes may never see why.
const DISCARD: usize = 16 * 1024 * 1024;
const DISCARD_TIME: Duration = Duration::from_secs(5);

/// What belongs to one connection and not to the request on it.
const HOP_BY_HOP: [HeaderName; 9] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    HeaderName::from_static("proxy-authenticate"),
    HeaderName::from_static("proxy-authorization"),
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// Why a request does not reach the component.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Rejected {
    TooLarge,
    TooSlow,
    Broken,
    /// The host that the client asked for is missing, said twice, or not one.
    Authority,
}

/// Reads the body and strips the connection off. The component sees path, headers, and the host that was asked for as
/// the authority; whether that host is one to answer to is its decision.
pub(super) async fn prepare<B>(request: Request<B>, limit: usize) -> Result<Request<Full<Bytes>>, Rejected>
where
    B: Body<Data = Bytes>,
{
    let (mut parts, body) = request.into_parts();
    let authority = authority(&parts.uri, &parts.headers)?;
    let mut body = pin!(body);
    let announced = announced(&parts.headers).unwrap_or(0);
    let whole = if announced > limit as u64 {
        Err(Rejected::TooLarge)
    } else {
        timeout(BODY_TIME, read(body.as_mut(), limit)).await.unwrap_or(Err(Rejected::TooSlow))
    };
    // A client that asks first (`Expect`) is told before it sends.
    if whole == Err(Rejected::TooLarge) && announced <= DISCARD as u64 && !parts.headers.contains_key(EXPECT) {
        let _ = timeout(DISCARD_TIME, discard(body)).await;
    }
    let body = whole?;

    strip(&mut parts.headers);
    // wasi:http takes the authority from here and hides the header from the component.
    parts.headers.insert(HOST, authority);
    parts.uri = parts.uri.into_parts().path_and_query.unwrap_or(PathAndQuery::from_static("/")).into();
    Ok(Request::from_parts(parts, Full::new(body)))
}

/// Reads a body to its end, but no further than `limit`.
async fn read<B: Body<Data = Bytes>>(mut body: Pin<&mut B>, limit: usize) -> Result<Bytes, Rejected> {
    let mut whole = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Rejected::Broken)?;
        let Some(data) = frame.data_ref() else { continue };
        if whole.len() + data.len() > limit {
            return Err(Rejected::TooLarge);
        }
        whole.extend_from_slice(data);
    }
    Ok(whole.freeze())
}

async fn discard<B: Body<Data = Bytes>>(mut body: Pin<&mut B>) {
    let mut discarded = 0;
    while let Some(Ok(frame)) = body.frame().await {
        discarded += frame.data_ref().map_or(0, Bytes::len);
        if discarded > DISCARD {
            return;
        }
    }
}

fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Exactly one `Host`, and the same as in the target where that names one too: two hosts would let one be checked and the
/// other be meant.
fn authority(uri: &Uri, headers: &HeaderMap) -> Result<HeaderValue, Rejected> {
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Rejected::Authority) };
    let same = |target: &http::uri::Authority| target.as_str().as_bytes().eq_ignore_ascii_case(host.as_bytes());
    if !uri.authority().is_none_or(same) || http::uri::Authority::try_from(host.as_bytes()).is_err() {
        return Err(Rejected::Authority);
    }
    Ok(host.clone())
}

fn strip(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&HOP_BY_HOP) {
        headers.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn prepared(request: http::request::Builder, body: &str) -> Result<Request<Full<Bytes>>, Rejected> {
        prepare(request.body(Full::new(Bytes::from(body.to_owned()))).unwrap(), 10).await
    }

    #[tokio::test]
    async fn a_body_has_a_limit_announced_or_not() {
        let post = || Request::post("/mcp").header("host", "h");
        assert!(prepared(post(), "0123456789").await.is_ok());
        assert_eq!(prepared(post(), "0123456789a").await.unwrap_err(), Rejected::TooLarge);
        assert_eq!(prepared(post().header("content-length", "11"), "").await.unwrap_err(), Rejected::TooLarge);
    }

    #[tokio::test]
    async fn the_host_is_said_once() {
        let host = |target: &str, hosts: &[&str]| {
            hosts.iter().fold(Request::get(target.to_owned()), |request, host| request.header("host", *host))
        };
        for (target, hosts) in [("/mcp", &["h:1"][..]), ("http://H:1/mcp", &["h:1"]), ("/mcp?a=b", &["[::1]:80"])] {
            let request = prepared(host(target, hosts), "").await.unwrap();
            assert_eq!(request.headers()[HOST], hosts[0]);
            assert!(request.uri().authority().is_none() && request.uri().path() == "/mcp", "{target}");
        }
        for (target, hosts) in
            [("/mcp", &[][..]), ("/mcp", &["a", "b"]), ("http://a/mcp", &["b"]), ("/mcp", &[""]), ("/mcp", &["a b"])]
        {
            assert_eq!(prepared(host(target, hosts), "").await.unwrap_err(), Rejected::Authority, "{target} {hosts:?}");
        }
    }

    #[tokio::test]
    async fn what_belongs_to_the_connection_stays_here() {
        let request = Request::post("/mcp")
            .header("host", "h")
            .header("connection", "close, X-Hop")
            .header("x-hop", "1")
            .header("transfer-encoding", "chunked")
            .header("upgrade", "h2c")
            .header("authorization", "Bearer t")
            .header("mcp-session-id", "s");
        let request = prepared(request, "").await.unwrap();
        let mut names: Vec<&str> = request.headers().keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["authorization", "host", "mcp-session-id"]);
    }
}
