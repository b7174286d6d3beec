//! The same host within the test's own process, where its limits can be others.

use super::{PATIENCE, modern};
use audiobookshelf_mcp::{
    cli::Command,
    environment::Environment,
    sandbox::{Limits, Sandbox},
    settings::Settings,
    transport::in_process::InProcess,
};
use serde_json::{Value, json};
use tokio::time::timeout;

pub struct Embedded(InProcess);

impl Embedded {
    pub fn start(settings: &[(&'static str, &str)], limits: Limits) -> Embedded {
        let settings = Settings::validate(&Environment::of(settings), &Command::Stdio).expect("valid settings");
        Embedded(InProcess::new(Sandbox::start(&settings, limits).expect("the sandbox starts")))
    }

    /// The `CallToolResult`.
    pub async fn call(&self, tool: &str) -> Value {
        let message = modern(1, "tools/call", json!({"name": tool, "arguments": {}})).to_string();
        let exchange = async {
            let mut replies = self.0.post(message.into()).await.expect("the component answers");
            replies.next().await.expect("a whole answer").expect("an answer")
        };
        let answer = timeout(PATIENCE, exchange).await.expect("the server answers in time");
        let mut answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].take()
    }
}
