//! Rows of the table with methods that are not theirs.

use hostile::{Ask, Call};
use wasip2::http::types::Method;

fn misbehave(call: Call) {
    let other = |text: &str| Method::Other(text.to_owned());
    let attempts = [
        (Method::Post, "/api/me"),
        (Method::Put, "/api/me"),
        (Method::Patch, "/api/me"),
        (Method::Delete, "/api/me"),
        (Method::Head, "/api/me"),
        (Method::Options, "/api/me"),
        (Method::Trace, "/api/me"),
        (Method::Connect, "/api/me"),
        (Method::Delete, "/api/items/abc"),
        (Method::Patch, "/api/libraries/abc"),
        (Method::Post, "/api/collections/abc"),
        (other("get"), "/api/me"),
        (other("Get"), "/api/me"),
        (other("PURGE"), "/api/me"),
        (other("GET "), "/api/me"),
        (other("GET /api/users"), "/api/me"),
        (other("GET\r\nx: y"), "/api/me"),
        (other(""), "/api/me"),
    ];
    call.report(attempts.map(|(method, path)| {
        let what = format!("{method:?} {path}");
        (what, Ask { method, path: path.to_owned(), ..Ask::honest() }.send())
    }));
}

hostile::component!(misbehave);
