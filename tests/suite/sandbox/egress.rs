//! Requests that must not leave: the wrong place, the wrong path, the wrong method.

use super::{bench::Bench, fixtures::Fixture, host::Short};
use crate::harness::Scripted;
use policy::{Access, ROUTES};
use tokio::{io::AsyncReadExt, net::TcpListener, sync::mpsc::unbounded_channel};

/// What the log says, and by reason.
pub const DENIED: &str = "audiobookshelf-mcp: event=request_denied ";
const ORIGIN: &str = "the request is not for the configured origin";
const ROUTE: &str = "method and path are no row of the route table";
const READ_ONLY: &str = "the row writes, and the server is read-only";

/// Runs an attack in which every attempt has to fail: denied, which is one line of the log each, or refused by the WASI
/// implementation when the request was put together, which not every attempt may be. The target sees none of it, and then an
/// honest request.
async fn all_stopped(bench: &Bench, text: &str, attempted: usize, at_least_denied: usize, why: &str) {
    let attempts = bench.attempts(text).await;
    assert_eq!(attempts.len(), attempted);
    let mut denied = 0;
    for (what, outcome) in &attempts {
        assert!(outcome == "HttpRequestDenied" || outcome.starts_with("unsendable "), "{what}: {outcome}");
        denied += usize::from(outcome == "HttpRequestDenied");
    }
    assert!(denied >= at_least_denied, "{denied} denied: {attempts:?}");
    assert_eq!(bench.target.heads(), [""; 0], "the target saw something");
    bench.logged(&[DENIED, why], denied).await;
    bench.honest().await;
    assert_eq!(bench.target.heads().len(), 1);
    bench
        .memory_returns(async |bench| {
            for _ in 0..5 {
                bench.attempts(text).await;
            }
        })
        .await;
}

pub async fn another_host(fixture: Fixture) {
    let other = Scripted::reply("200 OK", "text/plain", "caught").await;
    let bench = Bench::start(fixture, &[], Short::default()).await;
    all_stopped(&bench, other.url.trim_start_matches("http://"), 8, 5, ORIGIN).await;
    assert_eq!(other.connections(), 0);
}

pub async fn another_port(fixture: Fixture) {
    let other = Scripted::reply("200 OK", "text/plain", "caught").await;
    let bench = Bench::start(fixture, &[], Short::default()).await;
    all_stopped(&bench, other.url.trim_start_matches("http://"), 12, 4, ORIGIN).await;
    assert_eq!(other.connections(), 0);
}

/// To an Audiobookshelf behind TLS not even a connection is made without it. Here nothing more of one is needed than that it
/// sees the first byte of each connection.
pub async fn downgrade_to_http(fixture: Fixture) {
    const HANDSHAKE: u8 = 22;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("https://{}", listener.local_addr().unwrap());
    let (saw, mut seen) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            saw.send(stream.read_u8().await.ok()).expect("the test listens");
        }
    });
    let target = Scripted::start("").await;
    let bench = Bench::against(target, &url, fixture, &[], Short::default()).await;
    let attempts = bench.attempts("").await;
    assert_eq!(attempts.len(), 6);
    for (scheme, outcome) in attempts {
        // Plain HTTP exists for the WASI implementation, and is denied; the others do not.
        let want = if scheme == "Scheme::Http" { "HttpRequestDenied" } else { "HttpProtocolError" };
        assert!(outcome == want || outcome == "unsendable scheme", "{scheme}: {outcome}");
    }
    bench.logged(&[DENIED], 1).await;
    assert!(seen.try_recv().is_err(), "nobody has connected");
    bench.answers_honestly("TlsProtocolError").await;
    assert_eq!(seen.recv().await, Some(Some(HANDSHAKE)));
}

pub async fn lookalike_authority(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    all_stopped(&bench, "", 19, 8, ORIGIN).await;
}

pub async fn user_in_authority(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    all_stopped(&bench, "", 10, 2, ORIGIN).await;
}

pub async fn address_spelled_otherwise(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    all_stopped(&bench, "", 20, 15, ORIGIN).await;
}

pub async fn path_outside_the_table(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    all_stopped(&bench, "", 22, 20, "").await;
}

pub async fn encoded_path(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    all_stopped(&bench, "", 36, 20, ROUTE).await;
}

pub async fn method_outside_the_row(fixture: Fixture) {
    let bench = Bench::start(fixture, &[], Short::default()).await;
    all_stopped(&bench, "", 18, 12, ROUTE).await;
}

/// Every row that writes.
pub async fn write_when_read_only(fixture: Fixture) {
    let bench = Bench::start(fixture, &[("AUDIOBOOKSHELF_READ_ONLY", "true")], Short::default()).await;
    let rows = ROUTES
        .iter()
        .filter(|route| route.access == Access::Write)
        .map(|route| route.to_string().replace("{id}", "abc").replace("{year}", "2026").replace("{seconds}", "1.5"));
    let rows: Vec<String> = rows.collect();
    all_stopped(&bench, &rows.join("\n"), rows.len(), rows.len(), READ_ONLY).await;
}
