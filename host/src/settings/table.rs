//! Every setting, once. Flags, variables, the settings file, the help, the page of the documentation and the tests of it are
//! made from this.

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// The environment variable, and the name in a settings file.
    pub name: &'static str,
    /// Without the two dashes. Of a secret it names a file: what stands on a command line is seen by every user of the machine.
    pub flag: &'static str,
    /// What the flag takes, as the help shows it.
    pub takes: &'static str,
    pub kind: Kind,
    pub scope: Scope,
    /// One line, without a full stop.
    pub help: &'static str,
    /// What the long help says after that. May be empty.
    pub more: &'static str,
    /// What holds when it is not set. Empty: nothing.
    pub default: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// `--flag` alone means true.
    Switch,
    /// The path of a file.
    File,
    /// A key or a token. A second variable, with `_FILE` at its end, names a file that holds it.
    Secret {
        file: &'static str,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    All,
    /// Without a meaning where there is one client, which started the program.
    Serve,
}

impl Setting {
    /// The variable that the flag stands for.
    pub fn flag_name(&self) -> &'static str {
        match self.kind {
            Kind::Secret { file } => file,
            _ => self.name,
        }
    }

    /// The variables that it can be set by.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let file = match self.kind {
            Kind::Secret { file } => Some(file),
            _ => None,
        };
        [Some(self.name), file].into_iter().flatten()
    }
}

/// Every variable.
pub fn names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().flat_map(Setting::names)
}

pub const SETTINGS: [Setting; 11] = [
    Setting {
        name: "AUDIOBOOKSHELF_URL",
        flag: "url",
        takes: "URL",
        kind: Kind::Text,
        scope: Scope::All,
        help: "Where Audiobookshelf is, such as http://192.0.2.7:13378",
        more: "Also https://abs.example.com, or https://example.com/audiobookshelf where it has a path. The sandbox reaches this \
               one origin and nothing else.",
        default: "",
    },
    Setting {
        name: "AUDIOBOOKSHELF_API_KEY",
        flag: "api-key-file",
        takes: "FILE",
        kind: Kind::Secret { file: "AUDIOBOOKSHELF_API_KEY_FILE" },
        scope: Scope::All,
        help: "A file with an API key of the account to act as",
        more: "Audiobookshelf 2.26 and newer makes keys under Settings → Users → API Keys. The server can do what that key's user \
               may do.",
        default: "",
    },
    Setting {
        name: "AUDIOBOOKSHELF_READ_ONLY",
        flag: "read-only",
        takes: "true|false",
        kind: Kind::Switch,
        scope: Scope::All,
        help: "Only tools that read, and only requests that read",
        more: "Takes true, 1, yes, false, 0 or no.",
        default: "false",
    },
    Setting {
        name: "AUDIOBOOKSHELF_ALLOW_TOOLS",
        flag: "allow-tools",
        takes: "NAMES",
        kind: Kind::Text,
        scope: Scope::All,
        help: "Only these tools: names, prefix*, or essential, separated by commas",
        more: "The command `tools` lists what is left.",
        default: "all",
    },
    Setting {
        name: "AUDIOBOOKSHELF_DENY_TOOLS",
        flag: "deny-tools",
        takes: "NAMES",
        kind: Kind::Text,
        scope: Scope::All,
        help: "All tools but these, written in the same way",
        more: "A tool that is both allowed and denied is denied.",
        default: "none",
    },
    Setting {
        name: "ELICITATION",
        flag: "elicitation",
        takes: "true|false",
        kind: Kind::Text,
        scope: Scope::All,
        help: "false: no dialog asks the person before something is removed",
        more: "The call has to be made twice then, as with clients that cannot ask. The name has no prefix, so that one variable \
               reaches every server of an environment.",
        default: "true",
    },
    Setting {
        name: "AUDIOBOOKSHELF_CA_FILE",
        flag: "ca-file",
        takes: "FILE",
        kind: Kind::File,
        scope: Scope::All,
        help: "A PEM file with certificate authorities to trust besides those of this system",
        more: "For an Audiobookshelf whose certificate is signed by an authority of your own.",
        default: "",
    },
    Setting {
        name: "AUDIOBOOKSHELF_INSECURE_TLS",
        flag: "insecure-tls",
        takes: "true|false",
        kind: Kind::Switch,
        scope: Scope::All,
        help: "Do not check the certificate of Audiobookshelf",
        more: "Exactly true, nothing else, switches the check off. --ca-file is what you probably want.",
        default: "false",
    },
    Setting {
        name: "AUDIOBOOKSHELF_MCP_TOKEN",
        flag: "mcp-token-file",
        takes: "FILE",
        kind: Kind::Secret { file: "AUDIOBOOKSHELF_MCP_TOKEN_FILE" },
        scope: Scope::Serve,
        help: "A file with the bearer token that clients of `serve` must send",
        more: "At least 16 characters. Needed on any address but a loopback one.",
        default: "",
    },
    Setting {
        name: "AUDIOBOOKSHELF_ALLOWED_HOSTS",
        flag: "allowed-hosts",
        takes: "NAMES",
        kind: Kind::Text,
        scope: Scope::Serve,
        help: "Names under which `serve` is called other than loopback ones, separated by commas",
        more: "Containers and proxies need it.",
        default: "",
    },
    Setting {
        name: "AUDIOBOOKSHELF_ALLOWED_ORIGINS",
        flag: "allowed-origins",
        takes: "ORIGINS",
        kind: Kind::Text,
        scope: Scope::Serve,
        help: "Web pages that may call `serve` from a browser, such as https://chat.example.com",
        more: "Separated by commas.",
        default: "",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_name_and_flag_is_there_once_and_flags_are_named_after_variables() {
        let all: Vec<&str> = names().collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        for setting in &SETTINGS {
            let variable = setting.flag.to_uppercase().replace('-', "_");
            assert_eq!(setting.flag_name().trim_start_matches("AUDIOBOOKSHELF_"), variable);
            assert!(!setting.help.ends_with('.') && setting.more.is_empty() | setting.more.ends_with('.'));
        }
    }
}
