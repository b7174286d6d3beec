//! The unit for systemd. What it says of the program is compared with the program. That it may not forbid memory that
//! is written and then executed is tried, and what systemd itself thinks of the file is asked where it is installed.

use super::{fits, packaged, the_program_takes};
use crate::{documentation::pages::root, harness::output};
use std::{os::unix::process::CommandExt, process::Command};

const FILE: &str = "systemd/audiobookshelf-mcp.service";

/// Names and values, in the order of the file.
fn directives() -> Vec<(String, String)> {
    let text = packaged(FILE);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
    let pair = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    lines.map(|line| pair(line).unwrap_or_else(|| panic!("no directive: {line}"))).collect()
}

fn all<'a>(directives: &'a [(String, String)], name: &str) -> Vec<&'a str> {
    directives.iter().filter(|(other, _)| other == name).map(|(_, value)| value.as_str()).collect()
}

#[tokio::test]
async fn the_unit_starts_the_program_with_secrets_that_only_root_can_read() {
    let directives = directives();
    let [command] = all(&directives, "ExecStart")[..] else { panic!("one command") };
    let (program, arguments) = command.split_once(' ').expect("arguments");
    assert_eq!(program, "/usr/local/bin/audiobookshelf-mcp");
    let arguments: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
    let setting = |text: &str| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut settings: Vec<(String, String)> =
        all(&directives, "Environment").into_iter().map(|text| setting(text).expect("a pair")).collect();
    let credentials: Vec<&str> =
        all(&directives, "LoadCredential").iter().filter_map(|text| text.split(':').next()).collect();
    for (name, value) in &settings {
        let credential = value.strip_prefix("%d/").unwrap_or_else(|| panic!("{name} is no credential"));
        assert!(credentials.contains(&credential), "{name}: there is no {credential}");
    }
    assert_eq!(settings.len(), credentials.len(), "each is used");
    // What the comment above the file of settings says to put there.
    assert_eq!(all(&directives, "EnvironmentFile"), ["/etc/audiobookshelf-mcp/settings"]);
    settings.push(("AUDIOBOOKSHELF_URL".to_owned(), String::new()));
    the_program_takes("systemd", &arguments, &settings).await;
    fits("systemd", &arguments, 1024);
    assert_eq!(all(&directives, "MemoryMax"), ["1G"]);
}

#[test]
fn the_unit_takes_what_the_program_does_not_need() {
    let directives = directives();
    for (name, want) in [
        ("DynamicUser", "yes"),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("PrivateDevices", "yes"),
        ("NoNewPrivileges", "yes"),
        ("CapabilityBoundingSet", ""),
        ("RestrictNamespaces", "yes"),
        ("SystemCallArchitectures", "native"),
        ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX"),
        ("Restart", "on-failure"),
    ] {
        assert_eq!(all(&directives, name), [want], "{name}");
    }
    assert_eq!(all(&directives, "SystemCallFilter"), ["@system-service", "~@privileged @resources"]);
}

/// Of systemd's own: names of directives, their values, and what they leave open. Nothing is left out where it is
/// missing: the tests above read the same file.
#[test]
fn systemd_understands_the_unit() {
    // It wants to see the program of the file.
    let folder = std::env::temp_dir().join(format!("audiobookshelf-mcp-unit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("audiobookshelf-mcp.service");
    let text = packaged(FILE).replace("/usr/local/bin/audiobookshelf-mcp", crate::PROGRAM);
    std::fs::write(&file, text).expect("a file");
    let analyze = |arguments: &[&str]| Command::new("systemd-analyze").args(arguments).arg(&file).output();
    let answers = [&["verify", "--man=no"][..], &["security", "--offline=true", "--threshold=20"]].map(analyze);
    std::fs::remove_dir_all(&folder).expect("it is there");
    for answer in answers {
        let Ok(answer) = answer else {
            println!("there is no systemd-analyze here");
            return;
        };
        let said = String::from_utf8_lossy(&answer.stderr);
        let ours: Vec<&str> = said.lines().filter(|line| line.contains("audiobookshelf-mcp.service")).collect();
        assert!(answer.status.success() && ours.is_empty(), "{said}{}", String::from_utf8_lossy(&answer.stdout));
    }
}

/// The unit forbids it, and so may other hardened systems.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn no_memory_becomes_executable_that_was_not_from_the_start() {
    assert_eq!(all(&directives(), "MemoryDenyWriteExecute"), ["yes"]);
    assert_eq!(output(&["tools"], &[]).await.code, Some(0), "otherwise this says nothing");
    let mut command = Command::new(crate::PROGRAM);
    command.arg("tools").env_clear().current_dir(root());
    // SAFETY: one call to the kernel, which takes no memory.
    unsafe {
        command.pre_exec(|| match libc::prctl(libc::PR_SET_MDWE, libc::PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    match command.output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{said}");
        }
        Err(error) => println!("this kernel is older than the prohibition: {error}"),
    }
}
