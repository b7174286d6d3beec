//! How a client gets to the server: it starts the program, or it asks one that runs.

use super::{KEY, TOKEN};
use crate::{
    environment::{Environment, Source},
    settings::table::{Kind, SETTINGS, Scope, Setting},
};
use http::Uri;
use std::path::{Path, absolute};

#[derive(Clone, Debug)]
pub enum Way {
    Start(Start),
    Connect(Connect),
}

#[derive(Clone, Debug)]
pub struct Start {
    pub program: String,
    pub arguments: Vec<String>,
    /// None of them is a secret.
    pub variables: Vec<(&'static str, String)>,
    /// Whether the client has to set the variable with the key.
    pub key: bool,
}

#[derive(Clone, Debug)]
pub struct Connect {
    pub url: String,
    /// Whether the client has to send the token.
    pub token: bool,
}

impl Way {
    /// The program that runs now, with the settings that it has now.
    ///
    /// Clients start it in a folder of their own: all paths become absolute.
    pub fn of_this_program(written: &Environment, file: Option<&Path>) -> Result<Way, String> {
        let program = std::env::current_exe().map_err(|error| format!("this program cannot find itself: {error}"))?;
        let program = program.into_os_string().into_string().map_err(|_| "the path of this program is not text")?;
        let mut arguments = vec!["stdio".to_owned()];
        if let Some(file) = file {
            let file = file.to_str().ok_or("the path of the settings file is not text")?;
            arguments.extend(["--settings".to_owned(), from_anywhere(file)]);
        }
        let mut variables: Vec<(&'static str, String)> =
            SETTINGS.iter().filter_map(|setting| variable(setting, written)).collect();
        if written.get("AUDIOBOOKSHELF_URL").is_none() {
            variables.insert(0, ("AUDIOBOOKSHELF_URL", "https://abs.example.com".to_owned()));
        }
        let key = match written.source(KEY).filter(|_| written.get(KEY).is_some()) {
            Some(source) => source != Source::File,
            None => written.get("AUDIOBOOKSHELF_API_KEY_FILE").is_none(),
        };
        Ok(Way::Start(Start { program, arguments, variables, key }))
    }

    /// One that runs at this address.
    pub fn http(url: &str, written: &Environment) -> Result<Way, String> {
        let uri: Uri = url.parse().map_err(|_| NO_ADDRESS)?;
        let (Some("http" | "https"), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(NO_ADDRESS.to_owned());
        };
        if authority.as_str().contains('@') || uri.query().is_some() {
            return Err(NO_ADDRESS.to_owned());
        }
        let path = if uri.path() == "/" { "/mcp" } else { uri.path() };
        let url = format!("{}://{authority}{path}", uri.scheme_str().unwrap_or("http"));
        let host = authority.host().trim_start_matches('[').trim_end_matches(']');
        let has_token = written.get(TOKEN).or(written.get("AUDIOBOOKSHELF_MCP_TOKEN_FILE")).is_some();
        Ok(Way::Connect(Connect { url, token: has_token || !policy::is_loopback(host) }))
    }
}

const NO_ADDRESS: &str =
    "--http wants the address of the server, such as http://127.0.0.1:8787/mcp, without a name, a password or ?";

/// A variable that the client has to set, if it is one that is not secret and means something to one client.
fn variable(setting: &Setting, written: &Environment) -> Option<(&'static str, String)> {
    let (name, is_path) = match setting.kind {
        Kind::Secret { file } => (file, true),
        Kind::File => (setting.name, true),
        Kind::Text | Kind::Switch => (setting.name, false),
    };
    // What the settings file has, the program finds there.
    let value = written.get(name).filter(|_| written.source(name) != Some(Source::File))?;
    let value = if is_path { from_anywhere(value) } else { value.to_owned() };
    (setting.scope == Scope::All).then_some((name, value))
}

fn from_anywhere(path: &str) -> String {
    absolute(path).ok().and_then(|path| path.into_os_string().into_string().ok()).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let way = |url: &str, pairs: &[(&'static str, &str)]| match Way::http(url, &Environment::of(pairs)) {
            Ok(Way::Connect(Connect { url, token })) => Some((url, token)),
            _ => None,
        };
        let there = |url: &str, token| Some((url.to_owned(), token));
        assert_eq!(way("http://127.0.0.1:8787", &[]), there("http://127.0.0.1:8787/mcp", false));
        assert_eq!(way("http://[::1]:1/mcp", &[]), there("http://[::1]:1/mcp", false));
        assert_eq!(way("https://mcp.example.com/x", &[]), there("https://mcp.example.com/x", true));
        assert_eq!(way("http://localhost:1/mcp", &[(TOKEN, "x")]), there("http://localhost:1/mcp", true));
        for wrong in ["", "127.0.0.1:8787", "ftp://h/", "http://u:p@h/", "http://h/?key=x", "/mcp"] {
            assert_eq!(way(wrong, &[]), None, "{wrong}");
        }
    }

    #[test]
    fn settings_become_variables_and_paths_absolute() {
        let pairs = [
            ("AUDIOBOOKSHELF_URL", "http://h"),
            ("AUDIOBOOKSHELF_API_KEY_FILE", "key"),
            ("AUDIOBOOKSHELF_MCP_TOKEN_FILE", "token"),
            ("AUDIOBOOKSHELF_ALLOWED_HOSTS", "h"),
        ];
        let Ok(Way::Start(start)) = Way::of_this_program(&Environment::of(&pairs), Some(Path::new("a.env"))) else {
            panic!("no way to start it");
        };
        let here = std::env::current_dir().unwrap();
        let path = |name: &str| here.join(name).to_str().unwrap().to_owned();
        assert_eq!(start.arguments, ["stdio".to_owned(), "--settings".to_owned(), path("a.env")]);
        let want = [("AUDIOBOOKSHELF_URL", "http://h".to_owned()), ("AUDIOBOOKSHELF_API_KEY_FILE", path("key"))];
        assert_eq!((start.variables.as_slice(), start.key), (want.as_slice(), false));
    }
}
