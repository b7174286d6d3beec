//! rmcp as the client. See `tests/interop/driven.rs` for the lines that it reads and writes.

use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient,
    model::{
        CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
        ElicitationCapability, FormElicitationCapability, Implementation, ProtocolVersion,
    },
    service::{RequestContext, RunningService},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::{Value, json};
use std::{error::Error, sync::Arc};
use tokio::{
    io::{AsyncBufReadExt, BufReader, stdin},
    process::Command,
    sync::{Mutex, mpsc},
};

/// Asks whoever drives this program.
struct Asker(Mutex<mpsc::UnboundedReceiver<Value>>);

impl ClientHandler for Asker {
    fn get_info(&self) -> ClientConfig {
        let form = ElicitationCapability::new().with_form(FormElicitationCapability::default());
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(form);
        ClientConfig::new(capabilities, Implementation::new("interop-rmcp", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        say(json!({"asked": request}));
        let answer = self.0.lock().await.recv().await;
        let answer = answer.and_then(|answer| serde_json::from_value(answer).ok());
        answer.ok_or_else(|| ErrorData::internal_error("nobody answers", None))
    }
}

fn say(line: Value) {
    println!("{line}");
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, transport, target, rest @ ..] = arguments.as_slice() else {
        return Err("usage: interop-rmcp legacy|auto|modern http|stdio TARGET…".into());
    };
    let modern = vec![ProtocolVersion::V_2026_07_28];
    let mode = match mode.as_str() {
        "legacy" => ClientLifecycleMode::Initialize,
        "auto" => ClientLifecycleMode::Auto { preferred_versions: modern, legacy_version: None },
        _ => ClientLifecycleMode::Discover { preferred_versions: modern },
    };
    let (answer, answers) = mpsc::unbounded_channel();
    let asker = Asker(Mutex::new(answers));
    let client = if transport == "http" {
        asker.serve_with_lifecycle(StreamableHttpClientTransport::from_uri(target.as_str()), mode).await?
    } else {
        let mut command = Command::new(target);
        command.args(rest);
        asker.serve_with_lifecycle(TokioChildProcess::new(command)?, mode).await?
    };
    let version = client.peer_info().map(|info| json!(info)["protocolVersion"].clone());
    say(json!({"connected": {"version": version}}));
    follow(Arc::new(client), answer).await
}

async fn follow(
    client: Arc<RunningService<RoleClient, Asker>>,
    answer: mpsc::UnboundedSender<Value>,
) -> Result<(), Box<dyn Error>> {
    let mut lines = BufReader::new(stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let mut line: Value = serde_json::from_str(&line)?;
        if line["answer"].is_object() {
            answer.send(line["answer"].take())?;
            continue;
        }
        let client = client.clone();
        tokio::spawn(async move {
            say(match line["do"].as_str() {
                Some("list") => match client.list_all_tools().await {
                    Ok(tools) => json!({"tools": tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>()}),
                    Err(error) => json!({"error": error.to_string()}),
                },
                _ => {
                    let mut params = CallToolRequestParams::new(line["tool"].as_str().unwrap_or_default().to_owned());
                    params.arguments = line["arguments"].as_object().cloned();
                    match client.call_tool(params).await {
                        Ok(result) => json!({"result": result}),
                        Err(error) => json!({"error": error.to_string()}),
                    }
                }
            });
        });
    }
    Ok(())
}
