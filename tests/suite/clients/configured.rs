//! `config`, for the settings that somebody has.

use super::{CLIENTS, KEY, SECRET_TOKEN, TOKEN, follow, read, script};
use crate::harness::{Abs, Http, TempFile, output};
use read::{Outside, Recipe};

struct Library {
    _abs: Abs,
    url: String,
    key: String,
}

impl Library {
    async fn start() -> Library {
        let abs = Abs::start().await;
        let [(_, url), (_, key)] = abs.settings();
        Library { _abs: abs, url, key }
    }

    /// What `config` prints. That nothing has the key in it, `output` sees to, and this.
    async fn config(&self, arguments: &[&str], settings: &[(&str, &str)]) -> String {
        let output = output(&[&["config"], arguments].concat(), settings).await;
        assert_eq!(output.code, Some(0), "{arguments:?}: {}", output.stderr);
        for secret in [self.key.as_str(), SECRET_TOKEN] {
            assert!(!output.stdout.contains(secret) && !output.stderr.contains(secret), "{arguments:?}");
        }
        output.stdout
    }

    fn outside(&self) -> Outside<'_> {
        Outside { key: &self.key, token: SECRET_TOKEN }
    }
}

#[tokio::test]
async fn with_the_key_in_a_variable_the_client_has_to_know_it() {
    let library = Library::start().await;
    let settings = [("AUDIOBOOKSHELF_URL", library.url.as_str()), (KEY, &library.key), (TOKEN, SECRET_TOKEN)];
    for client in CLIENTS {
        let text = library.config(&[client, "--read-only"], &settings).await;
        let recipe = read::recipe(client, &text, &library.outside());
        let Recipe::Start(start) = &recipe else { panic!("{client} starts the program: {text}") };
        let mut names: Vec<&str> = start.variables.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [KEY, "AUDIOBOOKSHELF_READ_ONLY", "AUDIOBOOKSHELF_URL"],
            "{client}: no token, nobody sends one"
        );
        follow(client, recipe).await;
    }
}

#[tokio::test]
async fn with_the_key_in_a_file_nobody_has_to_know_it() {
    let library = Library::start().await;
    let key = TempFile::new("key", &library.key);
    let settings =
        TempFile::private("settings", &format!("AUDIOBOOKSHELF_URL={}\n{KEY}={}\n", library.url, library.key));
    let nothing = Outside { key: "no key from outside", token: "" };
    for client in CLIENTS {
        for arguments in [
            vec![client, "--url", &library.url, "--api-key-file", key.path()],
            vec![client, "--settings", settings.path()],
        ] {
            let text = library.config(&arguments, &[]).await;
            follow(client, read::recipe(client, &text, &nothing)).await;
        }
    }
}

#[tokio::test]
async fn for_a_server_that_runs() {
    let library = Library::start().await;
    let settings = [("AUDIOBOOKSHELF_URL", library.url.as_str()), (KEY, &library.key), (TOKEN, SECRET_TOKEN)];
    let server = Http::start(&settings).await;
    let url = format!("http://{}", server.authority);
    for client in CLIENTS.into_iter().filter(|client| *client != "claude-desktop") {
        let text = library.config(&[client, "--http", &url], &settings).await;
        let recipe = read::recipe(client, &text, &library.outside());
        assert!(matches!(recipe, Recipe::Connect(_)), "{client}: {text}");
        follow(client, recipe).await;
    }
    let text = library.config(&["curl", "--http", &url], &settings).await;
    script::asks_in_both_revisions(&text, SECRET_TOKEN).await;
}

#[tokio::test]
async fn what_cannot_be_done_is_said() {
    for (arguments, want) in [
        (vec!["claude-desktop", "--http", "http://127.0.0.1:1/mcp"], "Settings → Connectors"),
        (vec!["curl"], "audiobookshelf-mcp serve"),
        (vec!["cursor", "--http", "127.0.0.1:1"], "--http wants the address"),
        (vec!["cursor", "--http", "http://me:hunter2@h/"], "--http wants the address"),
        (vec!["cursor", "--url", "nas"], "AUDIOBOOKSHELF_URL was set by --url"),
    ] {
        let output = output(&[&["config"], arguments.as_slice()].concat(), &[]).await;
        assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(output.stderr.contains(want) && !output.stderr.contains("hunter2"), "{arguments:?}: {}", output.stderr);
    }
}
