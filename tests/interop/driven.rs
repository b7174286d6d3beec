//! A client that does what it is told, line by line, in JSON. The programs are in `clients/`; each is a few dozen lines around
//! the library it is about, and decides nothing.
//!
//! | it reads | it writes, in time |
//! |---|---|
//! | (its start) | `{"connected": {"version": …}}` |
//! | `{"do": "list"}` | `{"tools": [name, …]}` |
//! | `{"do": "call", "tool": …, "arguments": {…}}` | `{"result": {…}}`, as its library shows it, or `{"error": text}` |
//! | `{"answer": {…}}`, an `ElicitResult` | nothing; it goes to the question that waits |
//!
//! Whenever the library asks for input: `{"asked": {…}}`, the params of `elicitation/create`. The end of its input ends it.

use crate::PATIENCE;
use crate::bench::{Bench, PROGRAM, Server, Target};
use crate::clients::Client;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStderr, ChildStdin, ChildStdout},
    time::timeout,
};

pub struct Driven {
    child: Child,
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
    stderr: ChildStderr,
}

impl Driven {
    /// Over HTTP to a running server, or with a server of its own that it starts itself. Gives the revision it agreed on.
    pub async fn start(client: Client, bench: &Bench, server: Option<&Server>) -> Result<(Driven, String)> {
        let mut command = client.command(if server.is_some() { "http" } else { "stdio" });
        match server {
            Some(server) => command.arg(&server.url),
            None => command.args([PROGRAM, "stdio"]).envs(bench.settings()),
        };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().with_context(|| format!("{} does not start", client.name))?;
        let stdin = child.stdin.take().context("stdin is piped")?;
        let stdout = BufReader::new(child.stdout.take().context("stdout is piped")?).lines();
        let stderr = child.stderr.take().context("stderr is piped")?;
        let mut driven = Driven { child, stdin, stdout, stderr };
        let mut hello = driven.expect("connected").await?;
        let version = hello["version"].take();
        Ok((driven, version.as_str().unwrap_or_default().to_owned()))
    }

    pub async fn list(&mut self) -> Result<Vec<String>> {
        self.tell(&json!({"do": "list"})).await?;
        Ok(serde_json::from_value(self.expect("tools").await?)?)
    }

    /// A call that asks nobody.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        self.begin(tool, arguments).await?;
        self.expect("result").await
    }

    /// Calls for a deletion. Gives the question, which must be about this target and leave it where it is.
    pub async fn ask(&mut self, target: Target) -> Result<()> {
        self.begin(target.tool, json!({target.parameter: target.id})).await?;
        let asked = self.expect("asked").await?;
        let message = asked["message"].as_str().unwrap_or_default();
        ensure!(message.contains(target.id), "asked about something else than {}: {message}", target.id);
        let choice = &asked["requestedSchema"]["properties"]["decision"]["enum"];
        ensure!(*choice == json!(["no", "yes"]), "the form has lost its choice: {asked}");
        Ok(())
    }

    pub async fn say_yes(&mut self) -> Result<Value> {
        self.answer(json!({"action": "accept", "content": {"decision": "yes"}})).await
    }

    pub async fn decline(&mut self) -> Result<Value> {
        self.answer(json!({"action": "decline"})).await
    }

    async fn answer(&mut self, answer: Value) -> Result<Value> {
        self.tell(&json!({"answer": answer})).await?;
        self.expect("result").await
    }

    /// Ends it without a farewell. With a server of its own, that one has ended too afterwards: it holds stderr open until then.
    pub async fn kill(mut self) -> Result<()> {
        self.child.start_kill()?;
        self.child.wait().await?;
        let mut rest = Vec::new();
        timeout(PATIENCE, self.stderr.read_to_end(&mut rest)).await.context("its server goes on without it")??;
        Ok(())
    }

    /// Lets it end by itself.
    pub async fn leave(self) -> Result<()> {
        let Driven { mut child, stdin, .. } = self;
        drop(stdin);
        let status = timeout(PATIENCE, child.wait()).await.context("it does not end")??;
        ensure!(status.success(), "it ended with {status}");
        Ok(())
    }

    async fn begin(&mut self, tool: &str, arguments: Value) -> Result<()> {
        self.tell(&json!({"do": "call", "tool": tool, "arguments": arguments})).await
    }

    async fn tell(&mut self, line: &Value) -> Result<()> {
        self.stdin.write_all(format!("{line}\n").as_bytes()).await.context("it takes no more lines")
    }

    /// The next line, which must be of this kind.
    async fn expect(&mut self, kind: &str) -> Result<Value> {
        let line = timeout(PATIENCE, self.stdout.next_line()).await;
        let line = line.with_context(|| format!("it was to write {kind:?} and writes nothing"))??;
        let Some(line) = line else {
            let mut why = String::new();
            // It may have left a server behind that holds the pipe open.
            let _ = timeout(PATIENCE / 10, self.stderr.read_to_string(&mut why)).await;
            bail!("it was to write {kind:?} and ended: {}", why.trim());
        };
        let mut said: Value = serde_json::from_str(&line).with_context(|| format!("no JSON: {line}"))?;
        match said.get_mut(kind) {
            Some(value) => Ok(value.take()),
            None => bail!("it was to write {kind:?} and wrote {line}"),
        }
    }
}
