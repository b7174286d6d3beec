//! From what was written to settings that can be used, or to sentences that say what to change.
//!
//! [`table`] has the names, [`crate::environment`] what was written under them.
//!
//! No sentence repeats a value: people paste keys into the wrong variable. Only paths that look like paths are shown.

mod authorities;
mod callers;
mod file;
pub(crate) mod near;
mod path;
mod secret;
pub mod table;

pub use authorities::Authorities;
pub use secret::Secret;

use crate::{
    cli::Command,
    environment::{Environment, Source},
    log,
};
use policy::Origin;
use std::{collections::BTreeMap, fmt, path::Path};

/// What the component may read through `wasi:config`.
pub type Config = BTreeMap<&'static str, String>;

#[derive(Debug)]
pub struct Settings {
    /// The one Audiobookshelf. Without it nothing may leave.
    pub origin: Option<Origin>,
    /// Added to requests that may leave; the component never holds it.
    pub api_key: Option<Secret>,
    pub read_only: bool,
    pub insecure_tls: bool,
    pub authorities: Authorities,
    pub elicitation: bool,
    /// Contains secrets of the component's own (seals); never shown.
    pub config: Hidden<Config>,
}

/// One sentence about one setting.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem(String);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A value that `Debug` does not show.
pub struct Hidden<T>(pub T);

impl<T> fmt::Debug for Hidden<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// The settings of all places in one: flags before variables before the file.
pub fn gather(flags: Environment, variables: Environment, file: Option<&Path>) -> Result<Environment, Vec<Problem>> {
    let file = file.map(file::read).transpose()?.unwrap_or_default();
    Ok(flags.over(variables).over(Environment::from(Source::File, file)))
}

impl Settings {
    /// Reports every problem, not just the first.
    pub fn validate(environment: &Environment, command: &Command) -> Result<Settings, Vec<Problem>> {
        Settings::check(environment, command)
            .map_err(|problems| problems.iter().map(|Problem(text)| Problem(environment.located(text))).collect())
    }

    fn check(environment: &Environment, command: &Command) -> Result<Settings, Vec<Problem>> {
        let mut problems = Vec::new();
        let origin = origin(environment).unwrap_or_else(|p| note(&mut problems, p));
        let api_key = secret::read(environment, "AUDIOBOOKSHELF_API_KEY", "AUDIOBOOKSHELF_API_KEY_FILE")
            .unwrap_or_else(|p| note(&mut problems, p));
        let insecure_tls = insecure_tls(environment).unwrap_or_else(|p| note(&mut problems, p));
        let authorities = authorities::read(environment).map(Some).unwrap_or_else(|p| note(&mut problems, p));
        let token = callers::token(environment, command).unwrap_or_else(|p| note(&mut problems, p));
        if token.is_some() && token == api_key {
            problems.push(Problem(
                "AUDIOBOOKSHELF_MCP_TOKEN is the API key. Every client would hold the key then; make another long random text."
                    .to_owned(),
            ));
        }

        let mut config = Config::new();
        if let Some(origin) = &origin {
            config.insert("origin", origin.to_string());
            config.insert("base_path", origin.base_path().to_owned());
        }
        if api_key.is_some() {
            config.insert("credential", "host".to_owned());
        }
        if let Some(token) = token {
            config.insert("mcp_token", token.reveal().to_owned());
        }
        config.insert("session_secret", secret::session_secret(api_key.as_ref()));
        config.insert("approval_secret", secret::random_hex());
        config.insert("surface", callers::surface(command).to_owned());
        for (key, name) in [
            ("read_only", "AUDIOBOOKSHELF_READ_ONLY"),
            ("allow_tools", "AUDIOBOOKSHELF_ALLOW_TOOLS"),
            ("deny_tools", "AUDIOBOOKSHELF_DENY_TOOLS"),
            ("elicitation", "ELICITATION"),
            ("allowed_hosts", "AUDIOBOOKSHELF_ALLOWED_HOSTS"),
            ("allowed_origins", "AUDIOBOOKSHELF_ALLOWED_ORIGINS"),
        ] {
            if let Some(text) = environment.get(name) {
                config.insert(key, text.to_owned());
            }
        }

        match component_view(&config) {
            Ok(view) if problems.is_empty() => Ok(Settings {
                origin,
                api_key,
                read_only: view.read_only,
                insecure_tls: insecure_tls.unwrap_or(false),
                authorities: authorities.unwrap_or_default(),
                elicitation: view.elicitation,
                config: Hidden(config),
            }),
            Ok(_) => Err(problems),
            Err(more) => {
                problems.extend(more);
                Err(problems)
            }
        }
    }

    /// The same without the operator's choice of tools.
    pub(crate) fn with_all_tools(&self) -> Settings {
        let mut config = self.config.0.clone();
        config.remove("allow_tools");
        config.remove("deny_tools");
        Settings {
            origin: self.origin.clone(),
            api_key: self.api_key.clone(),
            authorities: self.authorities.clone(),
            config: Hidden(config),
            ..*self
        }
    }

    /// What whoever starts the program should know before anything happens.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.origin.as_ref().is_some_and(Origin::is_open) {
            warnings.push(
                "AUDIOBOOKSHELF_URL is plain http to another machine — everybody on the way can read the API key and your \
                 library; https prevents that",
            );
        }
        if !self.elicitation {
            warnings.push("ELICITATION=false — guarded tools fall back to the two-call token");
        }
        if self.insecure_tls {
            warnings.push("AUDIOBOOKSHELF_INSECURE_TLS=true — the certificate of Audiobookshelf is not checked");
        }
        warnings.into_iter().map(str::to_owned).collect()
    }

    /// Says so on stderr.
    pub fn announce(&self) {
        for warning in self.warnings() {
            log::warning(&warning);
        }
    }
}

fn note<T>(problems: &mut Vec<Problem>, problem: Problem) -> Option<T> {
    problems.push(problem);
    None
}

/// How the component itself reads its settings. The host asks it natively at the start, so that a typing error stops the
/// program and not each call, and so that both agree on what read-only means.
struct ComponentView {
    read_only: bool,
    elicitation: bool,
}

fn component_view(config: &Config) -> Result<ComponentView, Vec<Problem>> {
    guest::settings::Settings::parse(|key| config.get(key).cloned())
        .map(|settings| ComponentView { read_only: settings.read_only, elicitation: settings.elicitation })
        .map_err(|problems| problems.iter().map(|problem| Problem(near::with_tool(&problem.to_string()))).collect())
}

fn origin(environment: &Environment) -> Result<Option<Origin>, Problem> {
    let Some(text) = environment.get("AUDIOBOOKSHELF_URL") else { return Ok(None) };
    Origin::parse(text)
        .map(Some)
        .map_err(|why| Problem(format!("AUDIOBOOKSHELF_URL is not the address of an Audiobookshelf: {why}.")))
}

/// Only the exact word: whoever means to switch a protection off can spell it, and whoever means something else is told.
fn insecure_tls(environment: &Environment) -> Result<Option<bool>, Problem> {
    const NAME: &str = "AUDIOBOOKSHELF_INSECURE_TLS";
    match environment.get(NAME) {
        None | Some("false") => Ok(Some(false)),
        Some("true") if environment.get(authorities::NAME).is_some() => Err(Problem(format!(
            "{} and {NAME}=true are both set, and exclude each other: where no certificate is checked, none is compared \
             with that file. Remove {NAME}; the file alone is what makes your own certificate trusted.",
            authorities::NAME
        ))),
        Some("true") => Ok(Some(true)),
        Some(_) => Err(Problem(format!(
            "{NAME} is neither true nor false. Exactly true switches the check of Audiobookshelf's certificate off; any other \
             word might have been meant either way."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const TOKEN: &str = "0123456789abcdef";

    pub(super) fn serve(listen: &str) -> Command {
        Command::Serve { listen: listen.parse().unwrap() }
    }

    pub(super) fn problems(command: &Command, pairs: &[(&'static str, &str)]) -> Vec<String> {
        match Settings::validate(&Environment::of(pairs), command) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn nothing_set_is_fine() {
        for command in [Command::Stdio, Command::Tools, serve("127.0.0.1:1"), serve("[::1]:1")] {
            assert_eq!(problems(&command, &[]), [""; 0], "{command:?}");
        }
        let settings = Settings::validate(&Environment::default(), &Command::Stdio).unwrap();
        assert!(settings.origin.is_none() && settings.api_key.is_none() && !settings.insecure_tls);
    }

    #[test]
    fn a_malformed_url_is_named_and_not_repeated() {
        let key = format!("eyJ{}", "a.".repeat(60));
        for url in ["nas:13378", "abs.local", "https://u:p@h", "https://h/#x", "https://h?x", &key] {
            let found = problems(&Command::Stdio, &[("AUDIOBOOKSHELF_URL", url)]);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with("AUDIOBOOKSHELF_URL ") && !found[0].contains(url), "{found:?}");
        }
    }

    #[test]
    fn all_problems_are_reported() {
        let found = problems(
            &serve("0.0.0.0:1"),
            &[("AUDIOBOOKSHELF_URL", "x"), ("AUDIOBOOKSHELF_API_KEY", "a b"), ("AUDIOBOOKSHELF_READ_ONLY", "perhaps")],
        );
        for name in
            ["AUDIOBOOKSHELF_URL", "AUDIOBOOKSHELF_API_KEY", "AUDIOBOOKSHELF_READ_ONLY", "AUDIOBOOKSHELF_MCP_TOKEN"]
        {
            assert!(found.iter().any(|sentence| sentence.contains(name)), "{name}: {found:?}");
        }
    }

    #[test]
    fn what_the_component_is_told() {
        let pairs = [
            ("AUDIOBOOKSHELF_URL", "http://h:8/audiobookshelf/"),
            ("AUDIOBOOKSHELF_API_KEY", "sesame"),
            ("AUDIOBOOKSHELF_MCP_TOKEN", TOKEN),
            ("AUDIOBOOKSHELF_READ_ONLY", "true"),
            ("AUDIOBOOKSHELF_ALLOWED_HOSTS", "mcp.example.com"),
            ("AUDIOBOOKSHELF_ALLOWED_ORIGINS", "https://chat.example.com"),
        ];
        let settings = Settings::validate(&Environment::of(&pairs), &serve("127.0.0.1:1")).unwrap();
        let config = &settings.config.0;
        let text = |key: &str| config.get(key).map(String::as_str);
        assert_eq!(text("origin"), Some("http://h:8"));
        assert_eq!(text("base_path"), Some("/audiobookshelf"));
        assert_eq!(text("credential"), Some("host"));
        assert_eq!(text("surface"), Some("loopback"));
        assert_eq!(text("mcp_token"), Some(TOKEN));
        assert_eq!(text("allowed_hosts"), Some("mcp.example.com"));
        assert_eq!(text("allowed_origins"), Some("https://chat.example.com"));
        assert_eq!((text("api_key"), text("elicitation")), (None, None));
        assert!(settings.read_only && settings.elicitation);
        assert!(!config.values().any(|value| value.contains("sesame")) && !format!("{settings:?}").contains("sesame"));

        let stdio = Settings::validate(&Environment::of(&pairs), &Command::Stdio).unwrap();
        assert_eq!(stdio.config.0.get("mcp_token"), None, "only serve has callers to tell apart");
        assert_eq!(stdio.config.0.get("session_secret"), config.get("session_secret"), "survives a restart");
        assert_ne!(stdio.config.0.get("approval_secret"), config.get("approval_secret"), "does not");
    }

    #[test]
    fn insecure_is_exactly_true() {
        for (text, want) in [("true", true), ("false", false), ("", false)] {
            let environment = Environment::of(&[("AUDIOBOOKSHELF_INSECURE_TLS", text)]);
            assert_eq!(Settings::validate(&environment, &Command::Stdio).unwrap().insecure_tls, want, "{text}");
        }
        for text in ["TRUE", "True", "1", "yes", "true ", "on", "False", "0"] {
            let found = problems(&Command::Stdio, &[("AUDIOBOOKSHELF_INSECURE_TLS", text)]);
            assert!(
                found.len() == 1 && found[0].contains("AUDIOBOOKSHELF_INSECURE_TLS is neither"),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn no_check_and_an_authority_to_check_with_exclude_each_other() {
        // One problem each: the file, which does not exist, and the two together.
        let both = [("AUDIOBOOKSHELF_CA_FILE", "/nowhere/ca.pem"), ("AUDIOBOOKSHELF_INSECURE_TLS", "true")];
        let found = problems(&Command::Stdio, &both);
        assert!(found.len() == 2 && found[0].contains("exclude each other"), "{found:?}");
        let found = problems(&Command::Stdio, &[both[0], ("AUDIOBOOKSHELF_INSECURE_TLS", "false")]);
        assert!(found.len() == 1 && found[0].contains("/nowhere/ca.pem"), "{found:?}");
    }
}
