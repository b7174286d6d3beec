//! `/api/users` and other ways out of a row, encoded in the hope that one side decodes what the other does not.

use hostile::{Ask, Call};

const PATHS: [&str; 36] = [
    "/api/me/../users",
    "/api/me/./../users",
    "/api/items/..",
    "/api/items/.",
    "/api/items/%2e%2e",
    "/api/items/%2E%2E",
    "/api/items/.%2e/users",
    "/api/items/..%2fusers",
    "/api/items/..%2Fusers",
    "/api/items/a%2f..%2f..%2fusers",
    "/api/items/%252e%252e%252fusers",
    "/api/items/%25252e%25252e",
    "/api/items/..%5cusers",
    "/api/items/..\\users",
    "/api/items/a\\..\\..\\users",
    "/api/items/..;/users",
    "/api/items/a;b=c",
    "/api/items/a%3bb",
    "/api//users",
    "//api/me",
    "/api/items/",
    "/api/items/a/",
    "/./api/me",
    "/API/me",
    "/api/m%65",
    "/%61pi/me",
    "/api/items/a%00",
    "/api/items/a%0d%0aX:%20y",
    "/api/items/a%3fexpanded=1",
    "/api/items/a%23b",
    "/api/items/%c0%ae%c0%ae",
    "/api/items/%u002e%u002e",
    "/api/items/\u{e4}",
    "/api/items/\u{ff0e}\u{ff0e}\u{ff0f}users",
    "/api/me HTTP/1.1\r\nx: y\r\n\r\nGET /api/users",
    "api/me",
];

fn misbehave(call: Call) {
    call.report(PATHS.map(|path| {
        let outcome = Ask { path: path.to_owned(), ..Ask::honest() }.send();
        (path.escape_default().to_string(), outcome)
    }));
}

hostile::component!(misbehave);
