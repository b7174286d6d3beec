//! What the program says about itself.

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// Shells, and what each wants its file to be called.
pub(crate) const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "audiobookshelf-mcp.bash"),
    ("elvish", "audiobookshelf-mcp.elv"),
    ("fish", "audiobookshelf-mcp.fish"),
    ("powershell", "_audiobookshelf-mcp.ps1"),
    ("zsh", "_audiobookshelf-mcp"),
];

pub(crate) struct Program<'a>(&'a Path);

impl<'a> Program<'a> {
    pub(crate) fn new(path: &'a Path) -> Self {
        Program(path)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0
    }

    pub(crate) fn version(&self) -> Result<String> {
        self.after("audiobookshelf-mcp ")
    }

    /// Of the component inside.
    pub(crate) fn component_sha256(&self) -> Result<String> {
        self.after("component SHA-256 ")
    }

    fn after(&self, prefix: &str) -> Result<String> {
        let text = String::from_utf8(self.run(&["--version"], b"")?)?;
        let line = text.lines().find_map(|line| line.strip_prefix(prefix));
        line.map(str::to_owned).ok_or_else(|| anyhow!("{} does not say its {prefix}", self.0.display()))
    }

    pub(crate) fn manual(&self) -> Result<Vec<u8>> {
        self.run(&["man"], b"")
    }

    pub(crate) fn completions(&self, shell: &str) -> Result<Vec<u8>> {
        self.run(&["completions", shell], b"")
    }

    /// Name and description, as a client is told them.
    pub(crate) fn tools(&self) -> Result<Vec<(String, String)>> {
        let client = json!({"name": "packaging", "version": crate::VERSION});
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let lines = [("initialize", hello), ("tools/list", json!({}))].map(|(method, params)| {
            json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}).to_string() + "\n"
        });
        let output = String::from_utf8(self.run(&["stdio"], lines.concat().as_bytes())?)?;
        let mut answers = output.lines().map(serde_json::from_str::<Value>).collect::<Result<Vec<_>, _>>()?;
        let answer = answers.iter_mut().find(|answer| answer["id"] == "tools/list").context("it lists no tools")?;
        let result = &mut answer["result"];
        if result.get("nextCursor").is_some() {
            bail!("the list of tools has several pages, and only the first was read");
        }
        let Value::Array(tools) = result["tools"].take() else { bail!("the list of tools is none: {answer}") };
        let text = |value: &Value| value.as_str().map(str::to_owned).context("a tool lacks a text");
        tools.iter().map(|tool| Ok((text(&tool["name"])?, text(&tool["description"])?))).collect()
    }

    /// Without the settings of whoever packs it.
    fn run(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>> {
        let cannot = || format!("cannot run {}", self.0.display());
        let mut command = Command::new(self.0);
        command.args(arguments).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(cannot)?;
        // Most commands read nothing, and may have ended.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
        let output = child.wait_with_output().with_context(cannot)?;
        if !output.status.success() {
            bail!("{} {} ended with {}", self.0.display(), arguments.join(" "), output.status);
        }
        Ok(output.stdout)
    }
}
