//! The recipe for curl, run by a shell with the curl of this machine.

use super::{TOKEN, has_libraries};
use serde_json::Value;
use tokio::process::Command;

pub async fn asks_in_both_revisions(script: &str, token: &str) {
    let curl = Command::new("curl").arg("--version").output().await;
    assert!(
        curl.is_ok_and(|output| output.status.success()),
        "the recipe for curl cannot be tried: there is no curl here"
    );
    let output = Command::new("sh").args(["-euc", script]).env(TOKEN, token).kill_on_drop(true).output().await;
    let output = output.expect("there is a shell");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && stderr.is_empty(), "{stderr}\n{script}");
    let answers: Vec<Value> = stdout
        .lines()
        .map(|line| line.strip_prefix("data: ").unwrap_or(line))
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert_eq!(answers.len(), 2, "{stdout}");
    for (answer, revision) in answers.iter().zip(["2026-07-28", "2025-11-25"]) {
        has_libraries(revision, answer);
    }
}
