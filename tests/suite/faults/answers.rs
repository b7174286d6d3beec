//! Whole answers that are not what was asked for.

use super::case::{Case, run};
use crate::harness::{
    Http,
    faulty::{Fault, Faulty, KEY, Step, say},
};
use serde_json::json;
use std::time::Duration;

/// The end of the connection ends the body.
fn reply(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Fault {
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n");
    Fault::Answer(vec![Step::Say([head.as_bytes(), body.as_ref()].concat())])
}

const JSON: &str = "content-type: application/json\r\n";
const HTML: &str = "content-type: text/html; charset=utf-8\r\n";
const NOT_ABS: &str = "did not come from Audiobookshelf";

#[tokio::test]
async fn statuses() {
    let page = "<html><body>nginx/1.27</body></html>";
    let rows: Vec<(&str, &str, &str, &[&str])> = vec![
        ("204 No Content", "", "", &[NOT_ABS, "it is empty"]),
        ("200 OK", "content-length: 0\r\n", "", &[NOT_ABS, "it is empty"]),
        ("304 Not Modified", "", "", &["answered 304"]),
        ("400 Bad Request", HTML, page, &["refused the request as invalid"]),
        ("401 Unauthorized", "", "Unauthorized", &["AUDIOBOOKSHELF_API_KEY", "untrusted content"]),
        ("403 Forbidden", "", "Forbidden", &["permissions"]),
        ("404 Not Found", "", "Not Found", &["never from memory"]),
        ("404 Not Found", HTML, page, &["AUDIOBOOKSHELF_URL is probably wrong"]),
        ("407 Proxy Authentication Required", HTML, page, &["answered 407"]),
        ("413 Content Too Large", HTML, page, &["too large"]),
        ("429 Too Many Requests", "retry-after: 17\r\n", "", &["fewer requests", "Retry-After: 17."]),
        ("429 Too Many Requests", "retry-after: \u{202e}17\r\n", "", &["fewer requests"]),
        ("500 Internal Server Error", HTML, page, &["failed while working"]),
        ("502 Bad Gateway", HTML, page, &["a proxy in front of it"]),
        ("503 Service Unavailable", "retry-after: 60\r\n", page, &["a proxy in front of it", "Retry-After: 60."]),
        ("504 Gateway Timeout", HTML, page, &["a proxy in front of it"]),
        ("599 Odd", HTML, page, &["failed while working"]),
        ("999 Odder", HTML, page, &["does not know"]),
    ];
    let cases = rows.into_iter().map(|(status, headers, body, wants)| {
        Case::new(format!("{status} {body}"), reply(status, headers, body), wants)
    });
    run(cases.collect()).await;
}

#[tokio::test]
async fn bodies() {
    let odd = |name: &str, headers: &str, body: &[u8], want| {
        Case::new(name, reply("200 OK", headers, body), &[NOT_ABS, want])
    };
    let no_json = "it says that it is JSON, and is not";
    let no_list = "lacks the list";
    let value = "a single value";
    let deep = |name: &str, depth: usize| format!("{{\"{name}\":{}1{}}}", "[".repeat(depth), "]".repeat(depth));
    // `gzip` of `{"libraries":[]}`.
    let gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xabV\xcaIL*\xca\x04\xd2\xa9\xc5JV\xd1\xb1\xb5\x00\x00\x00\x00\x00\x10\x00\x00\x00";
    run(vec![
        odd("a page", HTML, b"<html>Log in to secret-portal</html>", "it is a web page"),
        odd("a page that says JSON", JSON, b"<html>Log in</html>", no_json),
        odd("words", "content-type: text/plain\r\n", b"OK", "it is not JSON"),
        odd("JSON that says nothing", "", b"{\"libraries\":[]}", "it is not JSON"),
        odd("nothing that says JSON", JSON, b"", no_json),
        odd("half JSON", JSON, b"{\"libraries\": [", no_json),
        odd("JSON and more", JSON, b"{\"libraries\": []} {}", no_json),
        odd("JSON that is too deep", JSON, deep("libraries", 200).as_bytes(), no_json),
        odd("JSON that is far too deep", JSON, deep("libraries", 1_000_000).as_bytes(), no_json),
        odd("JSON that is far too deep where nobody reads", JSON, deep("x", 1_000_000).as_bytes(), no_list),
        odd("JSON that is too deep and half", JSON, "[".repeat(4_000_000).as_bytes(), no_json),
        odd("a list", JSON, b"[]", no_list),
        odd("an object without the list", JSON, b"{}", no_list),
        odd("an object in place of the list", JSON, b"{\"libraries\":{}}", no_list),
        odd("null in place of the list", JSON, b"{\"libraries\":null}", no_list),
        odd("null", JSON, b"null", value),
        odd("a text", JSON, b"\"libraries\"", value),
        odd("a number", JSON, b"1e400", no_json),
        odd("another number", JSON, b"1", value),
        odd("gzip that says so", &format!("{JSON}content-encoding: gzip\r\n"), gzip, "it is compressed"),
        odd("gzip that does not say so", JSON, gzip, no_json),
        odd("UTF-16", JSON, b"\xff\xfe{\0\"\0", no_json),
    ])
    .await;
}

#[tokio::test]
async fn bodies_that_can_be_read_all_the_same() {
    let good = |name: &str, headers: &str, body: &[u8]| Case::new(name, reply("200 OK", headers, body), &[]);
    let deep = format!(r#"{{"libraries":[],"deep":{}1{}}}"#, "[".repeat(100), "]".repeat(100));
    run(vec![
        good("invalid UTF-8", JSON, b"{\"libraries\":[{\"id\":\"a\",\"name\":\"x\xff\xfey\"}]}"),
        good("lone surrogates", JSON, br#"{"libraries":[{"id":"a","name":"\ud800 \udc00\ud800"}]}"#),
        good("a hundred levels", JSON, deep.as_bytes()),
        good("blanks around it", JSON, b"\r\n\t {\"libraries\":[]} \n"),
        good("parameters and capitals", "Content-Type: Application/JSON; charset=UTF-8\r\n", b"{\"libraries\":[]}"),
        good("not encoded, said so", &format!("{JSON}content-encoding: identity\r\n"), b"{\"libraries\":[]}"),
        good("the list twice", JSON, br#"{"libraries":null,"libraries":[]}"#),
    ])
    .await;
}

#[tokio::test]
async fn no_redirect_is_followed_and_the_key_goes_nowhere() {
    let elsewhere = crate::harness::Scripted::reply("200 OK", "application/json", "{\"libraries\":[]}").await;
    let mut cases = Vec::new();
    for status in [300, 301, 302, 303, 305, 307, 308] {
        for to in ["/api/libraries", "/api/libraries?again", "//127.0.0.1/", elsewhere.url.as_str(), "\u{1}"] {
            let head = format!("HTTP/1.1 {status} Moved\r\nlocation: {to}\r\nconnection: close\r\n\r\n");
            let name = format!("{status} to {to:?}");
            // A control character is no header at all.
            let want = if to == "\u{1}" { "is not valid HTTP" } else { "redirects are not followed" };
            cases.push(Case::new(name, Fault::Answer(vec![say(head)]), &[want]));
        }
    }
    run(cases).await;
    assert_eq!(elsewhere.connections(), 0);
}

/// A debug page of a proxy, in pieces: the key is sent and does not come back.
#[tokio::test]
async fn a_key_that_is_repeated_does_not_come_back() {
    let body = format!(r#"{{"libraries":[{{"id":"{KEY}","name":"Bearer {KEY}!"}}]}}"#);
    let length = body.len();
    let head = |status| format!("HTTP/1.1 {status}\r\n{JSON}x-debug: {KEY}\r\nretry-after: {KEY}\r\n");
    let drip = Step::Drip(body.clone().into(), Duration::from_millis(1));
    for (status, first, then) in [
        ("200 OK", format!("content-length: {length}\r\n\r\n{body}"), None),
        ("200 OK", format!("content-length: {length}\r\n\r\n"), Some(drip.clone())),
        ("200 OK", format!("transfer-encoding: chunked\r\n\r\n{length:x}\r\n{body}\r\n0\r\n\r\n"), None),
        ("500 Oh", format!("content-length: {length}\r\n\r\n"), Some(drip)),
    ] {
        let steps = std::iter::once(say(head(status) + &first)).chain(then).collect();
        let upstream = Faulty::start(Fault::Answer(steps), None).await;
        let server = Http::start(&[("AUDIOBOOKSHELF_URL", &upstream.url()), ("AUDIOBOOKSHELF_API_KEY", KEY)]).await;
        let result = server.call("list_libraries", json!({})).await.to_string();
        assert!(result.contains("Bearer [redacted]") && result.contains("!"), "{status}: {result}");
        assert!(!result.contains(KEY) && !server.stderr().contains(KEY), "{status}: {result}");
        let heads = upstream.heads().concat();
        assert!(heads.contains(&format!("authorization: Bearer {KEY}\r\n")), "it was sent: {heads}");
    }
}
