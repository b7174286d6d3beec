//! Whom to believe: certificates in every state, and what speaks no TLS.

use super::case::{Case, Tls, run};
use crate::harness::{
    certificates::{Authority, When, authority_as_server, self_signed},
    faulty::{Fault, Step, honest, say},
};
use std::sync::Arc;
use tokio_rustls::rustls::ServerConfig;

const HERE: &str = "127.0.0.1";

/// Trusts a new authority, which signs the honest server.
fn trusting(name: &str, fault: impl FnOnce(&Authority) -> Fault, wants: &[&'static str]) -> Case {
    let authority = Authority::new();
    let honest = authority.server(HERE, When::Now);
    let fault = fault(&authority);
    Case::new(name, fault, wants).tls(Tls { honest, authority: Some(authority), host: HERE })
}

#[tokio::test]
async fn a_certificate_that_is_wrong_is_named_for_what_is_wrong() {
    let show = |config: Arc<ServerConfig>| Fault::Show(config);
    let unknown = &["authority that is not known here", "AUDIOBOOKSHELF_CA_FILE"];
    run(vec![
        trusting("self-signed", |_| show(self_signed(HERE)), unknown),
        trusting("another authority", |_| show(Authority::new().server(HERE, When::Now)), unknown),
        trusting("expired", |ours| show(ours.server(HERE, When::Past)), &["has expired", "clock"]),
        trusting("not yet valid", |ours| show(ours.server(HERE, When::Future)), &["not valid yet", "clock"]),
        trusting("another address", |ours| show(ours.server("127.0.0.2", When::Now)), &["made out for other names"]),
        trusting("a name", |ours| show(ours.server("abs.example.com", When::Now)), &["AUDIOBOOKSHELF_URL"]),
        trusting(
            "an authority's own",
            |ours| show(authority_as_server(HERE, ours.file())),
            &["an authority's, which may not be a server's own"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_speaks_no_tls() {
    let no_tls = &["no TLS connection to it could be made", "http://"];
    run(vec![
        trusting("plain HTTP", |_| Fault::Speak(vec![say(honest())]), no_tls),
        trusting("noise", |_| Fault::Speak(vec![Step::Say(vec![0; 64]), Step::Hang]), no_tls),
        trusting("an alert", |_| Fault::Speak(vec![say(b"\x15\x03\x03\x00\x02\x02\x28"), Step::Hang]), no_tls),
        trusting("the end", |_| Fault::Speak(vec![]), no_tls),
        trusting("silence", |_| Fault::Speak(vec![Step::Hang]), &["no connection to it came about in time"]).waits(),
        trusting(
            "half a record",
            |_| Fault::Speak(vec![say(b"\x16\x03\x03\x40\x00\x02"), Step::Hang]),
            &["no connection to it came about in time"],
        )
        .waits(),
    ])
    .await;
}

/// What goes wrong inside of TLS is said as without it.
#[tokio::test]
async fn what_is_trusted() {
    let closed = "closed the connection without a whole answer";
    let half = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"libraries\":[";
    let insecure = |name: &str, config| {
        let tls = Tls { honest: self_signed(HERE), authority: None, host: HERE };
        Case::new(name, Fault::Show(config), &[]).tls(tls)
    };
    let named = |authority: Authority| {
        let honest = authority.server("localhost", When::Now);
        let tls = Tls { honest, authority: Some(authority), host: "localhost" };
        Case::new("an authority by file, and a name", Fault::Answer(vec![say(self::honest())]), &[]).tls(tls)
    };
    run(vec![
        trusting("an authority by file", |_| Fault::Answer(vec![say(honest())]), &[]),
        named(Authority::new()),
        trusting("half a head", |_| Fault::Answer(vec![say("HTTP/1.1 20")]), &[closed]),
        trusting("half a body", |_| Fault::Answer(vec![say(half)]), &["it says that it is JSON, and is not"]),
        trusting(
            "a redirect",
            |_| Fault::Answer(vec![say("HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n")]),
            &["redirects"],
        ),
        trusting("silence", |_| Fault::Answer(vec![Step::Hang]), &["took the request and did not answer"]).waits(),
        insecure("self-signed, unchecked", self_signed(HERE)),
        insecure("expired, unchecked", Authority::new().server(HERE, When::Past)),
        insecure("of another name, unchecked", Authority::new().server("abs.example.com", When::Now)),
    ])
    .await;
}
