//! Whatever can go wrong between two programs that should speak HTTP.

use super::case::{Case, run};
use crate::harness::faulty::{Fault, Step, honest, say};
use std::time::Duration;

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

const NO_CONNECTION: &str = "no connection to it came about in time";
const NO_ANSWER: &str = "took the request and did not answer in time";
const STALLED: &str = "began to answer and did not finish in time";
const CLOSED: &str = "closed the connection without a whole answer";
const NOT_HTTP: &str = "is not valid HTTP";
const NOT_ABS: &str = "did not come from Audiobookshelf";

/// Where an answer can stop, and whether that is before its body.
fn points() -> Vec<(&'static str, String, bool)> {
    let body = "content-length: 14\r\n\r\n";
    let chunked = "transfer-encoding: chunked\r\n\r\n";
    vec![
        ("before the first byte", String::new(), true),
        ("in the status line", "HTTP/1.1 20".into(), true),
        ("in the headers", "HTTP/1.1 200 OK\r\ncontent-ty".into(), true),
        ("between headers and body", format!("{HEAD}{body}"), false),
        ("in the body", format!("{HEAD}{body}{{\"libra"), false),
        ("before the first chunk", format!("{HEAD}{chunked}"), false),
        ("in the size of a chunk", format!("{HEAD}{chunked}1"), false),
        ("in a chunk", format!("{HEAD}{chunked}e\r\n{{\"libra"), false),
        ("before the last chunk", format!("{HEAD}{chunked}10\r\n{{\"libraries\":[]}}\r\n"), false),
    ]
}

#[tokio::test]
async fn silence_at_each_point() {
    let mut cases = vec![Case::new("a full queue", Fault::Full, &[NO_CONNECTION, "AUDIOBOOKSHELF_URL"]).waits()];
    for (point, text, before_body) in points() {
        let want = if before_body { NO_ANSWER } else { STALLED };
        let fault = Fault::Answer(vec![say(text), Step::Hang]);
        cases.push(Case::new(format!("silence {point}"), fault, &[want, "try again later"]).waits());
    }
    let drip = |text: String| Fault::Answer(vec![Step::Drip(text.into(), Duration::from_millis(100))]);
    cases.push(Case::new("a slow head", drip(honest()), &[NO_ANSWER]).waits());
    let body = format!("{HEAD}content-length: 900\r\n\r\n");
    let slow = Fault::Answer(vec![say(body), Step::Drip(vec![b' '; 900], Duration::from_millis(100))]);
    cases.push(Case::new("a slow body", slow, &[STALLED]).waits());
    let chunks = b"1\r\n \r\n".repeat(500);
    let body = format!("{HEAD}transfer-encoding: chunked\r\n\r\n");
    let slow = Fault::Answer(vec![say(body), Step::Drip(chunks, Duration::from_millis(20))]);
    cases.push(Case::new("slow chunks", slow, &[STALLED]).waits());
    let longer = Fault::Answer(vec![say(format!("{HEAD}content-length: 99\r\n\r\n{{\"libraries\":[]}}")), Step::Hang]);
    cases.push(Case::new("a length that is too long", longer, &[STALLED]).waits());
    run(cases).await;
}

#[tokio::test]
async fn the_end_at_each_point() {
    let mut cases = vec![
        Case::new("nobody listens", Fault::Refuse, &["could not be reached", "refused the connection"]),
        Case::new("no ear for the request", Fault::Speak(vec![]), &[CLOSED]),
        Case::new("a reset in the head", Fault::Reset("HTTP/1.1 20".into()), &[CLOSED]),
        Case::new("a reset in the body", Fault::Reset(format!("{HEAD}content-length: 9\r\n\r\n{{").into()), &[CLOSED]),
    ];
    for (point, text, _) in points() {
        let fault = Fault::Answer(vec![say(text)]);
        cases.push(Case::new(format!("the end {point}"), fault, &[CLOSED, "do not repeat it"]));
    }
    run(cases).await;
}

#[tokio::test]
async fn what_never_ends() {
    let endless = |name: &str, start: String, again: Vec<u8>, want| {
        Case::new(name, Fault::Answer(vec![say(start), Step::Flood(again)]), &[want])
    };
    let too_large = "larger than 5 MB";
    let chunked = format!("{HEAD}transfer-encoding: chunked\r\n\r\n");
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
    let small = [b"400\r\n".as_slice(), &[b' '; 0x400], b"\r\n"].concat();
    run(vec![
        endless("chunks", chunked.clone(), chunk, too_large),
        endless("small chunks", chunked.clone(), small.repeat(64), too_large),
        endless("chunks of one byte", chunked.clone(), b"1\r\n \r\n".repeat(1000), STALLED).waits(),
        endless("a body up to the end of the connection", format!("{HEAD}\r\n"), vec![b' '; 0x10000], too_large),
        endless(
            "headers",
            "HTTP/1.1 200 OK\r\n".into(),
            b"x-a: b\r\n".repeat(100),
            "headers of its answer are too large",
        ),
        endless(
            "one header",
            "HTTP/1.1 200 OK\r\nx-a: ".into(),
            vec![b'a'; 1000],
            "headers of its answer are too large",
        ),
        endless("a status line", "HTTP/1.1 200 ".into(), vec![b'O'; 1000], "headers of its answer are too large"),
        endless("the extension of a chunk", format!("{chunked}1;"), vec![b'a'; 1000], NOT_HTTP),
        endless("the size of a chunk", chunked.clone(), vec![b'0'; 1000], STALLED).waits(),
        endless("trailers", format!("{chunked}0\r\n"), b"x-a: b\r\n".repeat(100), NOT_HTTP),
        endless("interim answers", String::new(), b"HTTP/1.1 100 Continue\r\n\r\n".repeat(10), NO_ANSWER).waits(),
    ])
    .await;
}

#[tokio::test]
async fn what_is_no_http() {
    let ok = "{\"libraries\":[]}";
    let with = |headers: &str, body: &str| format!("{HEAD}connection: close\r\n{headers}\r\n{body}").into_bytes();
    let long = format!("x-long: {}\r\n", "a".repeat(1_000_000));
    let many = "x-many: a\r\n".repeat(10_000);
    let rows: Vec<(&str, Vec<u8>, &str)> = vec![
        ("a page without a head", b"<html>hello</html>".into(), NOT_HTTP),
        ("another protocol", b"SSH-2.0-OpenSSH_9.6\r\n".into(), NOT_HTTP),
        ("TLS", b"\x15\x03\x01\x00\x02\x02\x16".into(), NOT_HTTP),
        ("HTTP/2", b"\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x80".into(), NOT_HTTP),
        ("an old radio", b"ICY 200 OK\r\n\r\n".into(), NOT_HTTP),
        ("a version that is none", b"HTTP/9.9 200 OK\r\n\r\n".into(), NOT_HTTP),
        ("a status that is no number", b"HTTP/1.1 two OK\r\n\r\n".into(), NOT_HTTP),
        ("a status of two digits", b"HTTP/1.1 20 OK\r\n\r\n".into(), NOT_HTTP),
        ("a header without a colon", with("nonsense\r\n", ok), NOT_HTTP),
        ("a header with a blank name", with(" : x\r\n", ok), NOT_HTTP),
        ("a zero byte in a header", with("x-a: \0\r\n", ok), NOT_HTTP),
        ("a negative length", with("content-length: -1\r\n", ok), NOT_HTTP),
        ("a length that is no number", with("content-length: many\r\n", ok), NOT_HTTP),
        ("a length beyond all numbers", with("content-length: 99999999999999999999999\r\n", ok), NOT_HTTP),
        ("two lengths", with("content-length: 16\r\ncontent-length: 2\r\n", ok), NOT_HTTP),
        ("two lengths in one", with("content-length: 16, 2\r\n", ok), NOT_HTTP),
        ("a length that is too short", with("content-length: 5\r\n", ok), NOT_ABS),
        ("a length that is too long", with("content-length: 99\r\n", ok), CLOSED),
        ("an enormous length", with("content-length: 9223372036854775807\r\n", ok), "larger than 5 MB"),
        ("a chunk that is none", with("transfer-encoding: chunked\r\n", ok), NOT_HTTP),
        ("a chunk of negative size", with("transfer-encoding: chunked\r\n", "-1\r\n"), NOT_HTTP),
        ("a chunk beyond all sizes", with("transfer-encoding: chunked\r\n", "fffffffffffffffff\r\n"), NOT_HTTP),
        ("a chunk longer than it says", with("transfer-encoding: chunked\r\n", "2\r\nabc\r\n0\r\n\r\n"), NOT_HTTP),
        ("a header of a megabyte", with(&long, ok), "headers of its answer are too large"),
        ("ten thousand headers", with(&many, ok), "headers of its answer are too large"),
    ];
    let cases =
        rows.into_iter().map(|(name, text, want)| Case::new(name, Fault::Answer(vec![Step::Say(text)]), &[want]));
    run(cases.collect()).await;
}

/// Unusual, and nothing wrong with it. Where it says two things, only one reading is safe.
#[tokio::test]
async fn what_is_http_all_the_same() {
    let body = honest().split_once("\r\n\r\n").expect("a head").1.to_owned();
    let length = body.len();
    let chunked = format!("{length:x};ext=\"a b\"\r\n{body}\r\n0\r\nx-trailer: t\r\n\r\n");
    let rows: Vec<(&str, String)> = vec![
        ("an interim answer", format!("HTTP/1.1 100 Continue\r\n\r\n{}", honest())),
        ("early hints", format!("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n{}", honest())),
        ("a hundred interim answers", "HTTP/1.1 102 Processing\r\n\r\n".repeat(100) + &honest()),
        ("no reason", honest().replace("200 OK", "200 ")),
        ("HTTP/1.0 up to the end", format!("HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{body}")),
        ("no length, up to the end", format!("{HEAD}\r\n{body}")),
        ("the same length twice", format!("{HEAD}content-length: {length}\r\ncontent-length: {length}\r\n\r\n{body}")),
        ("extensions and trailers", format!("{HEAD}transfer-encoding: chunked\r\n\r\n{chunked}")),
        ("chunks and a length", format!("{HEAD}transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n{chunked}")),
        ("a length and chunks", format!("{HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n{chunked}")),
        ("bytes after the answer", honest() + "HTTP/1.1 500 Oh\r\n\r\n"),
    ];
    let cases = rows.into_iter().map(|(name, text)| Case::new(name, Fault::Answer(vec![say(text)]), &[]));
    run(cases.collect()).await;
}
