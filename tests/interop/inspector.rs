//! The Inspector on the command line: each command is one connection with one request.
//!
//! It declares no elicitation, so that a guarded tool gives it a token to call again with; not to do that is its way to
//! decline, and no question is ever open that could be cut off. Over stdio each command starts a server of its own, and the
//! token of one that has ended counts for nothing.

use crate::{
    Case,
    bench::{Bench, PROGRAM, Server, TARGETS},
    installed,
    table::Progress,
};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use standin::ids;
use std::process::Stdio;
use tokio::process::Command;

const HTTP: &[&str] = &["connect and list", "read", "decline", "confirm"];
const STDIO: &[&str] = &["connect and list", "read", "decline", "confirm too late"];

pub fn cases() -> Vec<Case> {
    let ways = [("legacy", "http"), ("modern", "http"), ("modern", "stdio")];
    let case = |(era, transport): (&'static str, &'static str)| {
        let name = format!("Inspector 2.12.0, {era}");
        let http = transport == "http";
        Case::new(name, transport, if http { HTTP } else { STDIO }, move |progress| walk(progress, era, http))
    };
    ways.map(case).into()
}

async fn walk(progress: Progress, era: &'static str, http: bool) -> Result<()> {
    let bench = Bench::new().await?;
    let server = if http { Some(Server::start(&bench, None).await?) } else { None };
    let inspector = Inspector { era, bench: &bench, server: server.as_ref() };

    let listed = inspector.run(&["--method", "tools/list"]).await?;
    let listed = listed["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str());
    ensure!(listed.eq(guest::tools::all().map(|tool| tool.name)), "it lists something else");
    progress.done("ok");

    let read = inspector.call("get_playlist", &json!({"playlist_id": ids::ROAD_TRIP})).await?;
    ensure!(read["structuredContent"]["playlist"]["id"] == ids::ROAD_TRIP, "it reads {read}");
    bench.gone(&[])?;
    progress.done("ok");

    let target = TARGETS[0];
    let told = inspector.call(target.tool, &json!({target.parameter: target.id})).await?;
    let text = told["content"][0]["text"].as_str().unwrap_or_default();
    let token = text.split_once("confirm_token=\"").and_then(|(_, rest)| rest.split_once('"'));
    let (token, _) = token.with_context(|| format!("it is given no token: {told}"))?;
    ensure!(told["isError"] == true && text.contains(target.id), "it is told {told}");
    bench.gone(&[])?;
    progress.done("ok");

    let done = inspector.call(target.tool, &json!({target.parameter: target.id, "confirm_token": token})).await?;
    ensure!((done["isError"] == true) != http, "the second call came to {done}");
    let gone = [target];
    bench.gone(if http { &gone } else { &[] })?;
    progress.done("ok");
    Ok(())
}

struct Inspector<'a> {
    era: &'static str,
    bench: &'a Bench,
    server: Option<&'a Server>,
}

impl Inspector<'_> {
    async fn call(&self, tool: &str, arguments: &Value) -> Result<Value> {
        let arguments = arguments.to_string();
        self.run(&["--method", "tools/call", "--tool-name", tool, "--tool-args-json", &arguments]).await
    }

    /// One command. Gives its result, that of a tool's failure too.
    async fn run(&self, arguments: &[&str]) -> Result<Value> {
        let clients = installed("INTEROP_CLIENTS");
        let mut command = Command::new(installed("INTEROP_NODE"));
        command.arg(format!("{clients}/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"));
        // It keeps its settings at home.
        command.arg("--cli").env("HOME", &clients);
        match self.server {
            Some(server) => command.arg(&server.url),
            None => command.args([PROGRAM, "stdio"]),
        };
        if self.server.is_none() {
            for (name, value) in self.bench.settings() {
                command.args(["-e", &format!("{name}={value}")]);
            }
        }
        command.args(["--protocol-era", self.era, "--quiet", "--format", "json"]).args(arguments);
        let output = command.stdin(Stdio::null()).kill_on_drop(true).output().await.context("it does not start")?;
        let (said, why) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let mut said: Value = serde_json::from_str(&said).with_context(|| format!("{}: {said}{why}", output.status))?;
        Ok(if said["result"].is_object() { said["result"].take() } else { said })
    }
}
