//! 127.0.0.1, where the test's Audiobookshelf is, in spellings that resolvers understand and comparisons do not.

use hostile::{Ask, Call};

const SPELLINGS: [&str; 20] = [
    "2130706433",
    "0x7f000001",
    "0x7F.0.0.1",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "127.0.1",
    "127.0.0.01",
    "127.0.0.1.",
    "127.0.0.1.nip.io",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::1%25lo]",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "0",
];

fn misbehave(call: Call) {
    let (_, port) = Ask::host_and_port();
    call.report(SPELLINGS.map(|host| {
        let outcome = Ask { authority: format!("{host}:{port}"), ..Ask::honest() }.send();
        (host, outcome)
    }));
}

hostile::component!(misbehave);
