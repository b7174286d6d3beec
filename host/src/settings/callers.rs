//! Who may call. Only `serve` has callers to tell apart.

use super::{Problem, Secret, secret};
use crate::{cli::Command, environment::Environment};
use std::net::SocketAddr;

/// Of `serve`, and of `check`, which looks at what `serve` would be given.
pub(super) fn token(environment: &Environment, command: &Command) -> Result<Option<Secret>, Problem> {
    let listen = match command {
        Command::Serve { listen } => Some(listen),
        Command::Check { .. } => None,
        _ => return Ok(None),
    };
    for name in ["AUDIOBOOKSHELF_MCP_TOKEN", "AUDIOBOOKSHELF_MCP_TOKEN_FILE"] {
        if environment.written(name).is_some_and(|text| text.trim().is_empty()) {
            return Err(Problem(format!(
                "{name} is empty. Set it, or do not set it at all; an empty token would look like protection and be none."
            )));
        }
    }
    let token = secret::read(environment, "AUDIOBOOKSHELF_MCP_TOKEN", "AUDIOBOOKSHELF_MCP_TOKEN_FILE")?;
    let Some(listen) = listen else { return Ok(token) };
    if token.is_none() && !is_loopback(listen) {
        return Err(Problem(format!(
            "{listen} can be reached from other machines, and AUDIOBOOKSHELF_MCP_TOKEN is not set: anybody there could use \
             your library. Set AUDIOBOOKSHELF_MCP_TOKEN to a long random text, or listen on 127.0.0.1."
        )));
    }
    Ok(token)
}

pub(super) fn surface(command: &Command) -> &'static str {
    match command {
        Command::Serve { listen } if is_loopback(listen) => "loopback",
        Command::Serve { .. } => "network",
        _ => "stdio",
    }
}

fn is_loopback(listen: &SocketAddr) -> bool {
    policy::is_loopback(&listen.ip().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::tests::{TOKEN, problems, serve};

    #[test]
    fn other_machines_need_the_token() {
        for open in ["0.0.0.0:1", "[::]:1", "192.0.2.7:1"] {
            let found = problems(&serve(open), &[]);
            assert!(found.len() == 1 && found[0].contains("AUDIOBOOKSHELF_MCP_TOKEN"), "{open}: {found:?}");
            assert_eq!(problems(&serve(open), &[("AUDIOBOOKSHELF_MCP_TOKEN", TOKEN)]), [""; 0]);
        }
        for empty in ["", " "] {
            for name in ["AUDIOBOOKSHELF_MCP_TOKEN", "AUDIOBOOKSHELF_MCP_TOKEN_FILE"] {
                let found = problems(&serve("127.0.0.1:1"), &[(name, empty)]);
                assert!(found.len() == 1 && found[0].starts_with(name), "{name} {empty:?}: {found:?}");
                assert_eq!(problems(&Command::Stdio, &[(name, empty)]), [""; 0], "nobody to tell apart");
            }
        }
        let short = problems(&serve("127.0.0.1:1"), &[("AUDIOBOOKSHELF_MCP_TOKEN", "hunter2")]);
        assert!(short.len() == 1 && short[0].contains("16 characters") && !short[0].contains("hunter2"), "{short:?}");
    }
}
