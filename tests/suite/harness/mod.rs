//! What the tests start and talk to. Whatever is started ends when its value is dropped.

mod abs;
pub mod certificates;
mod client;
mod direct;
mod embedded;
mod events;
pub mod faulty;
mod gated;
mod http;
mod messages;
mod process;
mod scripted;
mod secret;
mod stdio;

pub use abs::{Abs, settings_for};
pub use client::{Client, Era, Question, Step, Way, form};
pub use direct::Direct;
pub use embedded::Embedded;
pub use events::{Event, Events};
pub use gated::Gated;
pub use http::{Http, Reply};
pub use messages::{initialize, modern, modern_headers};
pub use process::Process;
pub use scripted::Scripted;
pub use secret::Secret;
pub use stdio::Stdio;

use std::time::Duration;
use tokio::process::Command;

/// Longer than any single step takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// What a command printed that ends by itself.
pub struct Output {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

pub async fn output(arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    let running = program(arguments, settings).stdin(std::process::Stdio::null()).output();
    let output = tokio::time::timeout(PATIENCE, running).await.expect("it ends in time").expect("the program starts");
    let secret = Secret::of(settings);
    let text = |bytes: Vec<u8>| {
        secret.must_not_be_in("what a command printed", &bytes);
        String::from_utf8(bytes).expect("text")
    };
    Output { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The built program with these settings and no others.
fn program(arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_audiobookshelf-mcp"));
    command.args(arguments).env_clear().envs(settings.iter().copied());
    command
}
