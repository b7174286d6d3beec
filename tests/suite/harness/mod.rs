//! What the tests start and talk to. Whatever is started ends when its value is dropped.
//!
//! The tests say in the settings of our own host what they need; on Spin the same is said in Spin's.

mod abs;
pub mod certificates;
mod client;
mod direct;
mod embedded;
mod events;
pub mod faulty;
mod files;
mod gated;
mod http;
mod messages;
mod process;
mod scripted;
mod secret;
mod spin;
mod stdio;

pub use abs::{Abs, settings_for};
pub use client::{Client, Era, Question, Step, Way, form};
pub use direct::Direct;
pub use embedded::Embedded;
pub use events::{Event, Events};
pub use files::TempFile;
pub use gated::Gated;
pub use http::{Http, Reply};
pub use messages::{initialize, modern, modern_headers};
pub use process::Process;
pub use scripted::Scripted;
pub use secret::Secret;
pub use spin::{Spin, manifest as spin_manifest};
pub use stdio::Stdio;

use std::time::Duration;
use tokio::process::Command;

/// Longer than any single step takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// What runs the component. Each of the suite's programs has one, `crate::HOST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    Own,
    Spin,
}

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
    assert_eq!(crate::HOST, Host::Own, "only our own host is started like this");
    let mut command = Command::new(crate::PROGRAM);
    command.args(arguments).env_clear().envs(settings.iter().copied()).kill_on_drop(true);
    command
}

/// How the operator of the host under test writes a setting.
pub fn setting(name: &str) -> String {
    match crate::HOST {
        Host::Own => name.to_owned(),
        Host::Spin => spin::name(name).unwrap_or_else(|| panic!("Spin has no {name}")),
    }
}
