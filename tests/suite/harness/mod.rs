//! What the tests start and talk to. Whatever is started ends when its value is dropped.

mod abs;
mod client;
mod direct;
mod events;
mod http;
mod messages;
mod scripted;
mod stdio;

pub use abs::{Abs, settings_for};
pub use client::{Client, Era, Question, Step, Way, form};
pub use direct::Direct;
pub use events::{Event, Events};
pub use http::{Http, Reply};
pub use messages::{initialize, modern, modern_headers};
pub use scripted::Scripted;
pub use stdio::Stdio;

use std::time::Duration;
use tokio::process::Command;

/// Longer than any single step takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// The built program with these settings and no others.
fn program(arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_audiobookshelf-mcp"));
    command.args(arguments).env_clear().envs(settings.iter().copied()).kill_on_drop(true);
    command
}
