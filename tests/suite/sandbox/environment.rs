//! `/proc/<pid>/environ` shows the block of memory with which a process was started, for as long as it runs.

use crate::harness::{Http, Process, Secret, Stdio, modern};
use serde_json::json;
use std::fs;

const KEY: &str = "eyJhbGciOiJIUzI1NiJ9.a-key-that-nobody-else-writes-0123456789.abcdefghijklmnopqrstuvwxyz";

fn block(process: &Process) -> String {
    let bytes = fs::read(format!("/proc/{}/environ", process.id())).expect("Linux shows it");
    String::from_utf8(bytes).expect("text").replace('\0', "\n")
}

/// A key as a setting, a token, and a key pasted into the wrong setting's place: all are gone, and what is no secret stays.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_environment_of_the_process_has_no_secret() {
    let settings = [
        ("AUDIOBOOKSHELF_URL", "http://127.0.0.1:9"),
        ("AUDIOBOOKSHELF_API_KEY", KEY),
        ("AUDIOBOOKSHELF_MCP_TOKEN", "a-token-that-nobody-else-writes"),
        ("AUDIOBOOKSHELF_READ_ONLY", "true"),
    ];
    let server = Http::start(&settings).await;
    let mut program = Stdio::start(&settings);
    program.ask(&modern(1, "tools/list", json!({}))).await;
    for process in [server.process(), program.process()] {
        let block = block(process);
        assert!(block.contains("AUDIOBOOKSHELF_READ_ONLY=true"), "{block}");
        assert_eq!(Secret::new(KEY).find(block.as_bytes()), None);
        assert!(!block.contains("a-token-that") && !block.contains("127.0.0.1:9"), "{block}");
    }
}

/// The look would find a key: a process that does not care shows it.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_process_that_keeps_its_environment_shows_it() {
    let mut command = tokio::process::Command::new("sleep");
    command.arg("60").env_clear().env("AUDIOBOOKSHELF_API_KEY", KEY);
    let process = Process::start(command, Secret::default());
    assert_eq!(Secret::new(KEY).find(block(&process).as_bytes()), Some("as it is"));
}
