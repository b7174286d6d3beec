//! Routes that Audiobookshelf has and the table has not, and query keys that no row takes.

use hostile::{Ask, Call};

const PATHS: [&str; 22] = [
    "",
    "/",
    "/api/users",
    "/api/users/root",
    "/api/authorize",
    "/api/backups",
    "/api/api-keys",
    "/api/filesystem",
    "/api/items/abc/download",
    "/api/items/abc/cover",
    "/api/libraries/abc/scan",
    "/api/me/password",
    "/login",
    "/logout",
    "/hls/abc",
    "/api/me?token=x",
    "/api/me?",
    "/status?x",
    "/api/libraries/abc/items?limit=1&limit=2",
    "/api/libraries/abc/items?Limit=1",
    "/api/libraries/abc/items?limit%5b%5d=1",
    "/api/libraries/abc/items?limit=1&&page=0",
];

fn misbehave(call: Call) {
    call.report(PATHS.map(|path| (path, Ask { path: path.to_owned(), ..Ask::honest() }.send())));
}

hostile::component!(misbehave);
