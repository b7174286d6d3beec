//! Every reader of the harness looks for the key of the program that it reads. Here the program is made to say it.

use crate::harness::{Http, Secret, Stdio, initialize, modern, modern_headers};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;

const KEY: &str = "eyJhbGciOiJIUzI1NiJ9.a-key-that-nobody-else-writes-0123456789.abcdefghijklmnopqrstuvwxyz";

#[test]
fn a_key_is_found_in_every_form() {
    let secret = Secret::new(KEY);
    let hex: String = format!("Bearer {KEY}").bytes().map(|byte| format!("{byte:02x}")).collect();
    let cases = [
        (format!("x{KEY}x"), Some("as it is")),
        (format!("authorization: Bearer {KEY}\r\n"), Some("as it is")),
        (format!("…{}", &KEY[40..]), Some("in part")),
        (STANDARD.encode(KEY), Some("in base64")),
        (STANDARD.encode(format!("Bearer {KEY}")), Some("in base64")),
        (STANDARD.encode(format!("user:{KEY}?")), Some("in base64")),
        (STANDARD.encode(format!("u:{KEY}/")), Some("in base64")),
        (hex.to_uppercase(), Some("in hexadecimal")),
        (hex, Some("in hexadecimal")),
        ("eyJhbGciOiJIUzI1NiJ9".to_owned(), None),
        (String::new(), None),
    ];
    for (text, want) in cases {
        assert_eq!(secret.find(text.as_bytes()), want, "{text}");
    }
    assert_eq!(Secret::default().find(KEY.as_bytes()), None);
}

/// Whether a test that does this fails, for the right reason.
async fn caught(test: impl Future<Output = ()> + Send + 'static) -> String {
    let failed = tokio::spawn(test).await.expect_err("the key went through unnoticed").into_panic();
    failed.downcast_ref::<String>().expect("a panic with a text").clone()
}

const SETTINGS: [(&str, &str); 1] = [("AUDIOBOOKSHELF_API_KEY", KEY)];

/// A program repeats the id of a request: here, a client that knows the key makes it say it.
#[tokio::test]
async fn an_answer_over_http_with_the_key_fails_its_test() {
    let why = caught(async {
        let server = Http::start(&SETTINGS).await;
        let message = modern(KEY, "tools/list", json!({}));
        server.post(&modern_headers(&message), &message).await;
    })
    .await;
    assert!(why.contains("in the body of an answer, as it is"), "{why}");
}

#[tokio::test]
async fn a_line_of_stdout_with_the_key_fails_its_test() {
    let why = caught(async {
        let mut program = Stdio::start(&SETTINGS);
        let mut hello = initialize("2025-11-25");
        hello["id"] = KEY.into();
        program.ask(&hello).await;
    })
    .await;
    assert!(why.contains("in a line of stdout, as it is"), "{why}");
}

/// A misspelt setting is named on stderr. No test has to look at stderr for this: it is enough that the program ends.
#[tokio::test]
async fn a_line_of_stderr_with_the_key_fails_its_test() {
    let name = format!("AUDIOBOOKSHELF_{KEY}");
    let why = caught(async move {
        let mut program = Stdio::start(&[SETTINGS[0], (&name, "x")]);
        program.ask(&modern(1, "tools/list", json!({}))).await;
    })
    .await;
    assert!(why.contains("in stderr, as it is"), "{why}");
}
