//! `config`: what to put into the configuration of an MCP client, so that it talks to this server with the present settings.
//!
//! No recipe has a key in it. What knows secrets of its own (a prompt, a variable of its environment) is told to use that; where
//! the key lies in a file, the recipe has the file's path, and the client never learns the key.
//!
//! The formats are those of each client's own documentation, named in [`Client::documentation`].

mod json;
mod page;
mod shell;
mod text;
mod way;

pub(crate) use page::page;
pub use way::{Connect, Start, Way};

/// What the server is called in the configuration of a client. Short: clients put it before the name of each tool.
const NAME: &str = "abs";

const KEY: &str = "AUDIOBOOKSHELF_API_KEY";
const TOKEN: &str = "AUDIOBOOKSHELF_MCP_TOKEN";

/// What a person has to replace, where the client has nothing better.
const PLACEHOLDER: &str = "PUT-THE-KEY-HERE";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Client {
    /// Claude Code: a command
    ClaudeCode,
    /// Claude Code: .mcp.json of a project
    ClaudeCodeProject,
    /// Claude Desktop
    ClaudeDesktop,
    /// VS Code: .vscode/mcp.json
    Vscode,
    /// Cursor
    Cursor,
    /// Codex: config.toml
    Codex,
    /// goose: config.yaml
    Goose,
    /// LibreChat: librechat.yaml
    Librechat,
    /// mcp-hub
    McpHub,
    /// No client at all: a script that asks `serve` one question in both revisions of the protocol
    Curl,
}

/// What to put where.
#[derive(Debug)]
pub struct Recipe {
    client: Client,
    way: Way,
    /// Ends with a line end.
    pub snippet: String,
}

impl Client {
    /// Fails with a sentence where the client does not do it that way.
    pub fn recipe(self, way: &Way) -> Result<Recipe, String> {
        let snippet = match (self, way) {
            (Client::ClaudeCode, way) => shell::claude(way),
            (Client::ClaudeDesktop, Way::Connect(_)) => return Err(DESKTOP_HTTP.to_owned()),
            (Client::Vscode, way) => json::vscode(way),
            (Client::ClaudeCodeProject | Client::ClaudeDesktop | Client::Cursor | Client::McpHub, way) => {
                json::mcp_servers(self, way)
            }
            (Client::Codex, way) => text::codex(way),
            (Client::Goose, way) => text::goose(way),
            (Client::Librechat, way) => text::librechat(way),
            (Client::Curl, Way::Connect(connect)) => shell::curl(connect),
            (Client::Curl, Way::Start(_)) => return Err(CURL_STDIO.to_owned()),
        };
        Ok(Recipe { client: self, way: way.clone(), snippet })
    }

    /// How the client names the value of a variable that is a secret.
    fn reference(self, variable: &str) -> String {
        match self {
            Client::ClaudeDesktop => PLACEHOLDER.to_owned(),
            Client::Vscode => format!("${{input:{}}}", input(variable)),
            Client::Cursor => format!("${{env:{variable}}}"),
            _ => format!("${{{variable}}}"),
        }
    }

    fn title(self) -> &'static str {
        match self {
            Client::ClaudeCode => "Claude Code",
            Client::ClaudeCodeProject => "Claude Code, for a project",
            Client::ClaudeDesktop => "Claude Desktop",
            Client::Vscode => "VS Code",
            Client::Cursor => "Cursor",
            Client::Codex => "Codex",
            Client::Goose => "goose",
            Client::Librechat => "LibreChat",
            Client::McpHub => "mcp-hub",
            Client::Curl => "curl",
        }
    }

    /// Where it goes.
    fn place(self) -> &'static str {
        match self {
            Client::ClaudeCode => "Run this in a shell.",
            Client::ClaudeCodeProject => "Put this into `.mcp.json` in the folder of the project.",
            Client::ClaudeDesktop => {
                "Put this into `claude_desktop_config.json` (Settings → Developer → Edit Config), and start Claude Desktop anew."
            }
            Client::Vscode => {
                "Put this into `.vscode/mcp.json` of a workspace, or into the file that the command «MCP: Open User \
                 Configuration» opens."
            }
            Client::Cursor => "Put this into `~/.cursor/mcp.json`, or into `.cursor/mcp.json` of a project.",
            Client::Codex => "Put this into `~/.codex/config.toml`.",
            Client::Goose => "Put this into `~/.config/goose/config.yaml`.",
            Client::Librechat => "Put this into `librechat.yaml`, and start LibreChat anew.",
            Client::McpHub => "Put this into the file that mcp-hub is given with its option `--config`.",
            Client::Curl => "Run this in a shell, while the server runs.",
        }
    }

    /// What the format was taken from.
    fn documentation(self) -> &'static str {
        match self {
            Client::ClaudeCode | Client::ClaudeCodeProject => "https://code.claude.com/docs/en/mcp",
            Client::ClaudeDesktop => "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
            Client::Vscode => "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
            Client::Cursor => "https://cursor.com/docs/context/mcp",
            Client::Codex => "https://developers.openai.com/codex/mcp",
            Client::Goose => "https://github.com/aaif-goose/goose/blob/main/documentation/docs/guides/config-files.md",
            Client::Librechat => {
                "https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/mcp_servers"
            }
            Client::McpHub => "https://github.com/ravitemer/mcp-hub",
            Client::Curl => "https://curl.se/docs/manpage.html",
        }
    }

    fn language(self) -> &'static str {
        match self {
            Client::ClaudeCode | Client::Curl => "sh",
            Client::Codex => "toml",
            Client::Goose | Client::Librechat => "yaml",
            _ => "json",
        }
    }

    /// Where the secret comes from, if the recipe needs one.
    fn secret(self, variable: &str) -> String {
        match self {
            Client::ClaudeDesktop => {
                format!(
                    "Replace `{PLACEHOLDER}`, or keep the key in a file: with `--api-key-file FILE` the recipe needs no key."
                )
            }
            Client::Vscode => "VS Code asks for it once, and keeps it.".to_owned(),
            Client::Goose => {
                format!(
                    "goose takes `{variable}` from its keyring (`goose configure` puts it there) or from its environment."
                )
            }
            Client::Librechat => format!("LibreChat takes `{variable}` from its `.env`."),
            Client::Curl => format!("The shell needs `{variable}`."),
            Client::ClaudeCodeProject => Client::ClaudeCode.secret(variable),
            _ => format!("The environment of {} needs `{variable}`.", self.title()),
        }
    }

    /// What else to know.
    fn remark(self, way: &Way) -> &'static str {
        match (self, way) {
            (Client::ClaudeCode, Way::Start(Start { key: true, .. }) | Way::Connect(Connect { token: true, .. })) => {
                "Scope `project` writes `.mcp.json`, where Claude Code is documented to fill in `${…}`."
            }
            (Client::Librechat, Way::Start(_)) => {
                "The program has to be where LibreChat runs, which is mostly a container. The recipe for `serve` needs none there."
            }
            (Client::Librechat, Way::Connect(_)) => {
                "LibreChat asks without the header at first; `requiresOAuth` tells it that there is nothing to log in to. Addresses \
                 of a private network also have to be allowed under `mcpSettings`."
            }
            _ => "",
        }
    }
}

const DESKTOP_HTTP: &str = "Claude Desktop takes no address in its file: it adds servers under Settings → Connectors, and calls \
                            them from Anthropic's machines. Without --http it starts the program itself";

const CURL_STDIO: &str =
    "curl talks to a server that runs. Start `audiobookshelf-mcp serve`, and add --http http://127.0.0.1:8787/mcp";

impl Recipe {
    /// Where the snippet goes and what it needs, a line each.
    pub fn advice(&self) -> String {
        self.sentences().iter().map(|sentence| format!("{}\n", sentence.replace('`', ""))).collect()
    }

    fn sentences(&self) -> Vec<String> {
        let secret = match &self.way {
            Way::Start(start) if start.key => Some(self.client.secret(KEY)),
            Way::Connect(connect) if connect.token => Some(self.client.secret(TOKEN)),
            _ => None,
        };
        let remark = Some(self.client.remark(&self.way).to_owned()).filter(|remark| !remark.is_empty());
        [Some(self.client.place().to_owned()), secret, remark].into_iter().flatten().collect()
    }
}

/// What VS Code calls the question for a secret.
fn input(variable: &str) -> &'static str {
    if variable == KEY { "abs-api-key" } else { "abs-mcp-token" }
}
