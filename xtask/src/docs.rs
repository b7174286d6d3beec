//! `cargo xtask docs`: the pages and pictures of docs/ that the program itself writes.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::{process, questions, recording, workspace};

/// A file below docs/, and what belongs in it.
struct Generated {
    name: &'static str,
    text: fn() -> Result<String>,
}

/// Some need only the guest, others the whole program.
const FILES: [Generated; 6] = [
    Generated { name: "tools.md", text: || example(&[]) },
    Generated { name: "routes.md", text: || example(&["routes"]) },
    Generated { name: "questions.md", text: || Ok(questions::documentation()) },
    Generated { name: "clients.md", text: || program("clients") },
    Generated { name: "settings.md", text: || program("settings") },
    Generated { name: "images/demo.svg", text: recording::svg },
];

pub(crate) fn write() -> Result<()> {
    for Generated { name, text } in FILES {
        let file = workspace::root().join("docs").join(name);
        let text = text().with_context(|| format!("docs/{name}"))?;
        let written = fs::create_dir_all(file.with_file_name("")).and_then(|()| fs::write(&file, text));
        written.with_context(|| format!("cannot write {}", file.display()))?;
        println!("{}", file.display());
    }
    Ok(())
}

pub(crate) fn check() -> Result<()> {
    let mut stale = Vec::new();
    for Generated { name, text } in FILES {
        let text = text().with_context(|| format!("docs/{name}"))?;
        if fs::read_to_string(workspace::root().join("docs").join(name)).unwrap_or_default() != text {
            stale.push(format!("docs/{name}"));
        }
    }
    if !stale.is_empty() {
        bail!("{} out of date: cargo xtask docs writes it anew", stale.join(", "));
    }
    Ok(())
}

/// An example of the guest prints it. Were the guest a dependency of xtask, a mistake in the guest would stop every command.
fn example(arguments: &[&str]) -> Result<String> {
    process::step(
        "generated documentation",
        process::cargo("build").args(["--quiet", "--locked", "--workspace", "--example", "documentation"]),
    )?;
    process::answer(process::command(workspace::program("examples/documentation")).args(arguments))
}

/// The program prints it, by a command of its own.
fn program(page: &str) -> Result<String> {
    process::step(
        "the program's documentation",
        process::cargo("build").args(["--quiet", "--locked", "--workspace", "--bin", "audiobookshelf-mcp"]),
    )?;
    process::answer(process::command(workspace::program("audiobookshelf-mcp")).args(["man", "--page", page]))
}
