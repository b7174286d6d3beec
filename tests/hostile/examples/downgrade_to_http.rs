//! Asks for Audiobookshelf without TLS, where the key could be read on the way, and by schemes of its own.

use hostile::{Ask, Call};
use wasip2::http::types::Scheme;

fn misbehave(call: Call) {
    let others = ["ftp", "ws", "file", "httpss", "http "].map(|scheme| Scheme::Other(scheme.to_owned()));
    call.report([Scheme::Http].into_iter().chain(others).map(|scheme| {
        let name = format!("{scheme:?}");
        (name, Ask { scheme, ..Ask::honest() }.send())
    }));
}

hostile::component!(misbehave);
