//! The command line: where settings come from, what is said about mistakes, and in which form.

use crate::harness::{Abs, Stdio, TempFile, modern, output};
use serde_json::{Value, json};

/// The tools of a server that is told this.
async fn offered(arguments: &[&str], settings: &[(&str, &str)]) -> usize {
    let output = output(&[&["tools"], arguments].concat(), settings).await;
    assert_eq!(output.code, Some(0), "{arguments:?}: {}", output.stderr);
    output.stdout.lines().count()
}

#[tokio::test]
async fn a_flag_goes_before_a_variable_and_that_before_the_file() {
    let file = TempFile::new("settings", "# mine\nAUDIOBOOKSHELF_ALLOW_TOOLS = 'get_me,list_libraries'\n");
    let settings = ["--settings", file.path()];
    let variable = [("AUDIOBOOKSHELF_ALLOW_TOOLS", "get_me,list_libraries,list_tags")];
    assert_eq!(offered(&settings, &[]).await, 2);
    assert_eq!(offered(&settings, &variable).await, 3);
    assert_eq!(offered(&[&settings[..], &["--allow-tools", "get_me"]].concat(), &variable).await, 1);
    let empty = [("AUDIOBOOKSHELF_ALLOW_TOOLS", "")];
    assert_eq!(offered(&settings, &empty).await, 2, "empty is absent");
    assert_eq!(offered(&["--read-only"], &[("AUDIOBOOKSHELF_READ_ONLY", "false")]).await, 29);
    assert_eq!(offered(&["--read-only=false"], &[("AUDIOBOOKSHELF_READ_ONLY", "true")]).await, 44);
}

/// All settings in a file, the key among them; the same for a flag that names the key's file.
#[tokio::test]
async fn a_server_can_be_set_up_without_any_variable() {
    let abs = Abs::start().await;
    let [(_, url), (_, key)] = abs.settings();
    let settings =
        TempFile::private("settings", &format!("AUDIOBOOKSHELF_URL={url}\nAUDIOBOOKSHELF_API_KEY=\"{key}\"\n"));
    let key = TempFile::new("key", &format!("{key}\n"));
    for arguments in
        [vec!["stdio", "--settings", settings.path()], vec!["stdio", "--url", &url, "--api-key-file", key.path()]]
    {
        let mut server = Stdio::run(&arguments, &[]);
        let answer = server.ask(&modern(1, "tools/call", json!({"name": "list_libraries"}))).await;
        assert!(answer["result"]["structuredContent"]["libraries"].is_array(), "{arguments:?}: {answer}");
        assert_eq!(server.end().await.code, Some(0));
    }
}

#[tokio::test]
async fn a_settings_file_that_cannot_be_used_stops_the_start() {
    let open = TempFile::new("open", "AUDIOBOOKSHELF_MCP_TOKEN=hunter2-hunter2-hunter2\n");
    let misspelt = TempFile::private("misspelt", "AUDIOBOOKSHELF_READONLY=hunter2\nnothing\n");
    let wrong = TempFile::private("wrong", "AUDIOBOOKSHELF_URL=hunter2\n");
    let cases = [
        (open.path(), "chmod 600"),
        (misspelt.path(), "did you mean AUDIOBOOKSHELF_READ_ONLY?"),
        (misspelt.path(), "line 2 is not of the form NAME=value"),
        (wrong.path(), "AUDIOBOOKSHELF_URL was set in the settings file"),
        ("/nowhere/settings.env", "(/nowhere/settings.env) cannot be used"),
    ];
    for (path, want) in cases {
        let ended = Stdio::run(&["stdio", "--settings", path], &[]).end().await;
        assert_eq!((ended.code, ended.lines.len()), (Some(1), 0), "{path}: {}", ended.stderr);
        assert!(ended.stderr.contains(want) && !ended.stderr.contains("hunter2"), "{want}: {}", ended.stderr);
    }
    // What holds no secret may be read by all.
    let harmless = TempFile::new("harmless", "AUDIOBOOKSHELF_READ_ONLY=true\n");
    assert_eq!(offered(&["--settings", harmless.path()], &[]).await, 29);
}

#[tokio::test]
async fn what_may_have_been_meant() {
    for (arguments, settings, code, want) in [
        (&["tools", "--read-onyl"][..], vec![], 2, "'--read-only'"),
        (&["stdoi"], vec![], 2, "'stdio'"),
        (&["config", "cursr"], vec![], 2, "'cursor'"),
        (&["tools", "--api-key=hunter2"], vec![], 2, "'--api-key-file'"),
        (&["tools", "--api-key", "hunter2"], vec![], 2, "'--api-key-file'"),
        (&["tools", "--mcp-token", "hunter2"], vec![], 2, "'--mcp-token-file'"),
        (&["tools"], vec![("AUDIOBOOKSHELF_READONLY", "hunter2")], 0, "Did you mean AUDIOBOOKSHELF_READ_ONLY?"),
        (&["tools"], vec![("AUDIOBOOKSHELF_KEY", "hunter2")], 0, "Did you mean AUDIOBOOKSHELF_API_KEY?"),
        (&["tools"], vec![("AUDIOBOOKSHELF_ALLOW_TOOLS", "get_me,list_librarys")], 1, "Did you mean list_libraries?"),
        (&["tools", "--deny-tools", "esential"], vec![], 1, "Did you mean essential?"),
    ] {
        let output = output(arguments, &settings).await;
        assert_eq!(output.code, Some(code), "{arguments:?}: {}", output.stderr);
        assert!(output.stderr.contains(want) && !output.stderr.contains("hunter2"), "{want}: {}", output.stderr);
    }
}

#[tokio::test]
async fn the_log_can_be_json() {
    let settings = [("AUDIOBOOKSHELF_URL", "http://192.0.2.7"), ("ELICITATION", "false"), ("AUDIOBOOKSHELF_X", "")];
    let ended = Stdio::run(&["stdio", "--log", "json"], &settings).end().await;
    let lines: Vec<Value> =
        ended.stderr.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    for (line, want) in lines.iter().zip(["plain http", "ELICITATION=false", "AUDIOBOOKSHELF_X is no setting"]) {
        assert_eq!(line["event"], "warning");
        assert!(line["message"].as_str().unwrap_or_default().contains(want), "{line}");
    }
    let refused = output(&["stdio", "--log", "json", "--url", "nas"], &[]).await;
    let line: Value = serde_json::from_str(&refused.stderr).expect("one object");
    assert_eq!((refused.code, &line["event"]), (Some(1), &json!("error")));
}

#[tokio::test]
async fn what_the_program_prints_about_itself() {
    for (shell, want) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef audiobookshelf-mcp"),
        ("fish", "complete -c audiobookshelf-mcp"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let output = output(&["completions", shell], &[("AUDIOBOOKSHELF_URL", "wrong, and of no matter here")]).await;
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(output.stdout.contains(want) && output.stdout.contains("api-key-file"), "{shell}");
    }
    let page = output(&["man"], &[]).await.stdout;
    for want in [
        ".TH audiobookshelf-mcp 1",
        ".SH COMMANDS",
        "\\fBcheck\\fR",
        "\\-\\-api\\-key\\-file",
        "half of \\-\\-max\\-running",
    ] {
        assert!(page.contains(want), "the manual has no {want}");
    }
    let (short, long) = (output(&["-h"], &[]).await.stdout, output(&["--help"], &[]).await.stdout);
    assert!(short.lines().count() < 60 && !short.contains("--max-memory") && !short.contains("Examples:"), "{short}");
    assert!(long.contains("--max-memory") && long.contains("Examples:") && long.contains("[variable: ELICITATION]"));
    for heading in ["Settings:", "Settings of serve:", "Limits:", "Running:"] {
        assert!(long.lines().any(|line| line == heading), "{heading}");
    }
}
