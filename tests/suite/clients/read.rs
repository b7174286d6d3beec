//! A recipe as its client reads it.

use super::{KEY, TOKEN};
use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Map, Value};
use std::process::Command;

#[derive(Debug, PartialEq)]
pub enum Recipe {
    Start(Start),
    Connect(Connection),
}

#[derive(Debug, PartialEq)]
pub struct Start {
    pub program: String,
    pub arguments: Vec<String>,
    pub variables: Vec<(String, String)>,
}

#[derive(Debug, PartialEq)]
pub struct Connection {
    pub url: String,
    pub headers: Vec<(String, String)>,
}

/// What the client knows of secrets: the variables of its environment, or what a person types.
pub struct Outside<'a> {
    pub key: &'a str,
    pub token: &'a str,
}

impl Outside<'_> {
    fn variable(&self, name: &str) -> String {
        match name {
            KEY => self.key.to_owned(),
            TOKEN => self.token.to_owned(),
            _ => panic!("the recipe wants a variable {name}"),
        }
    }
}

pub fn recipe(client: &str, text: &str, outside: &Outside<'_>) -> Recipe {
    match client {
        "claude-code" => claude(text, outside),
        "claude-code-project" => {
            let mut server = server(json(text), "mcpServers");
            let kind = server.remove("type");
            assert_eq!(
                kind.is_some(),
                server.contains_key("url"),
                "without it, Claude Code takes an address for a command"
            );
            common(server, |text| filled(text, "${", |name| outside.variable(name)))
        }
        "claude-desktop" => {
            common(server(json(text), "mcpServers"), |text| text.replace("PUT-THE-KEY-HERE", outside.key))
        }
        "vscode" => vscode(text, outside),
        "cursor" => {
            common(server(json(text), "mcpServers"), |text| filled(text, "${env:", |name| outside.variable(name)))
        }
        "mcp-hub" => {
            let mut server = server(json(text), "mcpServers");
            for (name, value) in server.get_mut("env").and_then(Value::as_object_mut).into_iter().flatten() {
                if value.is_null() {
                    *value = outside.variable(name).into();
                }
            }
            common(server, |text| filled(text, "${", |name| outside.variable(name)))
        }
        "codex" => codex(text, outside),
        "goose" => goose(text, outside),
        "librechat" => {
            let mut server = server(yaml(text), "mcpServers");
            let kind = server.remove("type").expect("a type");
            assert_eq!(kind, if server.contains_key("url") { "streamable-http" } else { "stdio" });
            assert_eq!(server.remove("requiresOAuth").is_some(), server.contains_key("url"));
            common(server, |text| filled(text, "${", |name| outside.variable(name)))
        }
        _ => panic!("nobody knows how {client} reads its configuration"),
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The one server that is there, under the one name there is.
fn server(whole: Value, under: &str) -> Map<String, Value> {
    let Value::Object(mut whole) = whole else { panic!("no object: {whole}") };
    let Some(Value::Object(mut servers)) = whole.remove(under) else { panic!("no {under}: {whole:?}") };
    assert!(whole.is_empty() && servers.len() == 1, "{whole:?} {servers:?}");
    match servers.remove("abs") {
        Some(Value::Object(server)) => server,
        other => panic!("no server: {other:?}"),
    }
}

/// What nearly all clients call it.
fn common(mut server: Map<String, Value>, fill: impl Fn(&str) -> String) -> Recipe {
    let recipe = match server.remove("url") {
        Some(url) => Recipe::Connect(Connection { url: text(&url), headers: pairs(server.remove("headers"), &fill) }),
        None => Recipe::Start(Start {
            program: text(&server.remove("command").expect("a command")),
            arguments: list(server.remove("args")),
            variables: pairs(server.remove("env"), &fill),
        }),
    };
    assert!(server.is_empty(), "members that no client knows: {server:?}");
    recipe
}

fn vscode(text: &str, outside: &Outside<'_>) -> Recipe {
    let Value::Object(mut whole) = json(text) else { panic!("no object: {text}") };
    let inputs = whole.remove("inputs").unwrap_or_default();
    let mut server = server(whole.into(), "servers");
    let kind = server.remove("type").expect("a type");
    assert_eq!(kind, if server.contains_key("url") { "http" } else { "stdio" });
    common(server, |text| {
        filled(text, "${input:", |id| {
            let input = inputs.as_array().into_iter().flatten().find(|input| input["id"] == id).expect("a question");
            assert_eq!((&input["type"], &input["password"]), (&"promptString".into(), &true.into()));
            assert!(input["description"].is_string());
            outside.variable(if id.contains("key") { KEY } else { TOKEN })
        })
    })
}

fn codex(text: &str, outside: &Outside<'_>) -> Recipe {
    let whole: toml::Table = toml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut server = server(serde_json::to_value(whole).expect("TOML is JSON here"), "mcp_servers");
    let passed = list(server.remove("env_vars"));
    let bearer = server.remove("bearer_token_env_var");
    let mut recipe = common(server, str::to_owned);
    match &mut recipe {
        Recipe::Start(start) => {
            start.variables.extend(passed.into_iter().map(|name| (name.clone(), outside.variable(&name))))
        }
        Recipe::Connect(connection) => {
            let header =
                |name| ("Authorization".to_owned(), format!("Bearer {}", outside.variable(&self::text(&name))));
            connection.headers.extend(bearer.map(header));
        }
    }
    recipe
}

fn goose(text: &str, outside: &Outside<'_>) -> Recipe {
    let mut server = server(yaml(text), "extensions");
    assert_eq!((server.remove("name"), server.remove("enabled")), (Some("abs".into()), Some(true.into())));
    assert!(server.remove("timeout").expect("a timeout").as_u64() > Some(300), "a person may take five minutes");
    let kind = server.remove("type").expect("a type");
    let passed = list(server.remove("env_keys"));
    // The names of the others.
    for (theirs, ours) in [("cmd", "command"), ("envs", "env"), ("uri", "url")] {
        if let Some(value) = server.remove(theirs) {
            server.insert(ours.to_owned(), value);
        }
    }
    assert_eq!(kind, if server.contains_key("url") { "streamable_http" } else { "stdio" });
    let mut recipe = common(server, |text| {
        filled(text, "${", |name| {
            assert!(passed.iter().any(|passed| passed == name), "goose fills in what env_keys names");
            outside.variable(name)
        })
    });
    if let Recipe::Start(start) = &mut recipe {
        start.variables.extend(passed.iter().map(|name| (name.clone(), outside.variable(name))));
    }
    recipe
}

/// The command line, taken apart by a shell.
fn claude(text: &str, outside: &Outside<'_>) -> Recipe {
    let script = format!("set -eu\nclaude() {{ printf '%s\\0' \"$@\"; }}\n{text}");
    let output = Command::new("sh").args(["-c", &script]).env_clear().output().expect("there is a shell");
    assert!(output.status.success(), "{text}: {}", String::from_utf8_lossy(&output.stderr));
    let words = String::from_utf8(output.stdout).expect("text");
    let mut words = words.split_terminator('\0').map(str::to_owned).peekable();
    assert_eq!((words.next().as_deref(), words.next().as_deref()), (Some("mcp"), Some("add")));
    let fill = |text: &str| filled(text, "${", |name| outside.variable(name));
    let (mut names, mut variables, mut headers, mut scope, mut transport) = (vec![], vec![], vec![], None, None);
    while let Some(word) = words.next_if(|word| word != "--") {
        let mut value = || words.next().expect("a value");
        match word.as_str() {
            "--scope" => scope = Some(value()),
            "--transport" => transport = Some(value()),
            // It takes all that follows up to the next option.
            "--env" => {
                while let Some(pair) = words.next_if(|word| !word.starts_with('-')) {
                    let (name, value) = pair.split_once('=').expect("NAME=value");
                    variables.push((name.to_owned(), fill(value)));
                }
            }
            "--header" => {
                let header = value();
                let (name, value) = header.split_once(": ").expect("a header");
                headers.push((name.to_owned(), fill(value)));
            }
            _ => names.push(word),
        }
    }
    let secret = text.contains("${");
    assert_eq!(scope.as_deref(), Some(if secret { "project" } else { "user" }), "{text}");
    match (transport.as_deref(), names.as_slice()) {
        (Some("http"), [name, url]) if name == "abs" => Recipe::Connect(Connection { url: url.clone(), headers }),
        (Some("stdio"), [name]) if name == "abs" => {
            assert_eq!(words.next().as_deref(), Some("--"));
            let program = words.next().expect("a program");
            Recipe::Start(Start { program, arguments: words.collect(), variables })
        }
        _ => panic!("{transport:?} {names:?}"),
    }
}

/// With the values of what stands in it in braces.
fn filled(text: &str, open: &str, value: impl Fn(&str) -> String) -> String {
    match text.split_once(open) {
        None => text.to_owned(),
        Some((before, rest)) => {
            let (name, after) = rest.split_once('}').expect("a brace that closes");
            format!("{before}{}{}", value(name), filled(after, open, value))
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

fn list(value: Option<Value>) -> Vec<String> {
    value.iter().flat_map(|value| value.as_array().expect("a list")).map(text).collect()
}

fn pairs(value: Option<Value>, fill: &impl Fn(&str) -> String) -> Vec<(String, String)> {
    let pair = |(name, value): (&String, &Value)| (name.clone(), fill(&text(value)));
    value.iter().flat_map(|value| value.as_object().expect("an object")).map(pair).collect()
}

pub fn yaml(text: &str) -> Value {
    let documents = Yaml::load_from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let [document] = documents.as_slice() else { panic!("not one document: {text}") };
    node(document)
}

fn node(yaml: &Yaml<'_>) -> Value {
    match yaml {
        Yaml::Value(Scalar::Null) => Value::Null,
        Yaml::Value(Scalar::Boolean(truth)) => (*truth).into(),
        Yaml::Value(Scalar::Integer(number)) => (*number).into(),
        Yaml::Value(Scalar::String(text)) => text.as_ref().into(),
        Yaml::Sequence(items) => items.iter().map(node).collect(),
        Yaml::Mapping(pairs) => {
            Value::Object(pairs.iter().map(|(name, value)| (text(&node(name)), node(value))).collect())
        }
        other => panic!("nothing of this kind is expected: {other:?}"),
    }
}
