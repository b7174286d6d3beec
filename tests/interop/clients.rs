//! Which clients there are, and how each is started.

use crate::installed;
use tokio::process::Command;

/// A client in one of its ways to speak.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    pub name: &'static str,
    program: Program,
    mode: &'static str,
    /// What it agrees on with this server.
    pub revision: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Program {
    Node(&'static str),
    Python,
    Rmcp,
}

const LEGACY: &str = "2025-11-25";
const MODERN: &str = "2026-07-28";

const fn client(name: &'static str, program: Program, mode: &'static str, revision: &'static str) -> Client {
    Client { name, program, mode, revision }
}

pub const TS_LEGACY: Client = client("client 2.4.0, legacy", Program::Node("client.mjs"), "legacy", LEGACY);
pub const TS_AUTO: Client = client("client 2.4.0, auto", Program::Node("client.mjs"), "auto", MODERN);
pub const TS_MODERN: Client = client("client 2.4.0, pinned", Program::Node("client.mjs"), "modern", MODERN);
pub const SDK: Client = client("sdk 1.32.2", Program::Node("sdk.mjs"), "legacy", LEGACY);
pub const PY_LEGACY: Client = client("Python mcp 2.3.0, legacy", Program::Python, "legacy", LEGACY);
pub const PY_AUTO: Client = client("Python mcp 2.3.0, auto", Program::Python, "auto", MODERN);
pub const RMCP_LEGACY: Client = client("rmcp 3.11.0, initialize", Program::Rmcp, "legacy", LEGACY);
pub const RMCP_AUTO: Client = client("rmcp 3.11.0, auto", Program::Rmcp, "auto", MODERN);
pub const RMCP_MODERN: Client = client("rmcp 3.11.0, discover", Program::Rmcp, "modern", MODERN);

pub const ALL: [Client; 9] =
    [TS_LEGACY, TS_AUTO, TS_MODERN, SDK, PY_LEGACY, PY_AUTO, RMCP_LEGACY, RMCP_AUTO, RMCP_MODERN];

impl Client {
    /// Without target.
    pub fn command(&self, transport: &str) -> Command {
        let folder = installed("INTEROP_CLIENTS");
        let mut command = match self.program {
            Program::Node(script) => {
                let mut node = Command::new(installed("INTEROP_NODE"));
                node.arg(format!("{folder}/{script}"));
                node
            }
            Program::Python => {
                let mut python = Command::new(installed("INTEROP_PYTHON"));
                python.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/interop/clients/python/client.py"));
                python
            }
            Program::Rmcp => Command::new(installed("INTEROP_RMCP")),
        };
        command.args([self.mode, transport]);
        command
    }
}
