//! The server on Spin's contract: `spin-contract up` with the repository's `spin.toml`.

use super::Host;
use std::path::{Path, PathBuf};
use tokio::process::Command;

/// How it is started.
#[derive(Default)]
pub struct Spin {
    /// Another manifest than the repository's.
    pub manifest: Option<PathBuf>,
    pub runtime_config: Option<PathBuf>,
}

/// The manifest that is delivered.
pub fn manifest() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().map(|folder| folder.join("spin.toml")).find(|file| file.exists()).expect("the manifest")
}

/// The name of a setting of our host.
pub(super) fn name(ours: &str) -> Option<String> {
    Some(match ours {
        "AUDIOBOOKSHELF_URL" => "SPIN_VARIABLE_ORIGIN".to_owned(),
        "ELICITATION" => "SPIN_VARIABLE_ELICITATION".to_owned(),
        _ if ours.starts_with("SPIN_VARIABLE_") => ours.to_owned(),
        _ => format!("SPIN_VARIABLE_{}", ours.strip_prefix("AUDIOBOOKSHELF_")?),
    })
}

impl Spin {
    /// With settings of our host, as far as Spin has them, or with variables of Spin, which are taken as they are. A test
    /// that speaks our host's language counts on being served without a token.
    pub(super) fn command(&self, settings: &[(&str, &str)]) -> Command {
        assert_eq!(crate::HOST, Host::Spin, "only Spin is started like this");
        let mut command = Command::new(crate::PROGRAM);
        command.env_clear().kill_on_drop(true).args(["up", "--listen", "127.0.0.1:0", "--from"]);
        command.arg(self.manifest.clone().unwrap_or_else(manifest));
        if let Some(file) = &self.runtime_config {
            command.arg("--runtime-config-file").arg(file);
        }
        let (origin, base_path) = settings.iter().find(|(name, _)| *name == "AUDIOBOOKSHELF_URL").map_or_else(
            || (None, ""),
            |(_, url)| {
                let host = url.find("://").map_or(0, |at| at + 3);
                let (origin, path) = url.split_at(url[host..].find('/').map_or(url.len(), |at| at + host));
                (Some(origin), path)
            },
        );
        for (ours, value) in settings.iter().filter(|(name, _)| *name != "AUDIOBOOKSHELF_URL") {
            command.env(name(ours).unwrap_or_else(|| panic!("Spin has no {ours}")), value);
        }
        if let Some(origin) = origin {
            command.env("SPIN_VARIABLE_ORIGIN", origin).env("SPIN_VARIABLE_BASE_PATH", base_path);
        }
        let raw = settings.iter().any(|(name, _)| name.starts_with("SPIN_VARIABLE_"));
        if !raw && !settings.iter().any(|(name, _)| *name == "AUDIOBOOKSHELF_MCP_TOKEN") {
            command.env("SPIN_VARIABLE_ALLOW_UNAUTHENTICATED", "true");
        }
        command
    }
}
