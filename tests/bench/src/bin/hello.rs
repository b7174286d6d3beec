//! The least that answers `initialize` over stdio: what a native Rust program costs to start.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, stdin, stdout};

#[tokio::main(worker_threads = 2)]
async fn main() -> std::io::Result<()> {
    let mut lines = BufReader::new(stdin()).lines();
    let mut stdout = stdout();
    while let Some(line) = lines.next_line().await? {
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        let result = match message["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "hello", "version": "1"},
            }),
            Some("tools/list") => json!({"tools": []}),
            Some("ping") => json!({}),
            _ => continue,
        };
        let mut answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
        answer.push('\n');
        stdout.write_all(answer.as_bytes()).await?;
        stdout.flush().await?;
    }
    Ok(())
}
