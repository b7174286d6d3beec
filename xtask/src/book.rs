//! `cargo xtask book`: docs/ as a book of web pages. Reading it on GitHub or in an editor needs nothing of this.

use anyhow::{Context, Result};

use crate::{process, workspace};

pub(crate) fn run() -> Result<()> {
    process::answer(process::command("mdbook").arg("--version")).context(
        "the book is made by mdbook: cargo install mdbook --locked. The pages in docs/ can be read without it",
    )?;
    let folder = workspace::target().join("book");
    process::step("book", process::command("mdbook").args(["build", "docs", "--dest-dir"]).arg(&folder))?;
    println!("{}", folder.join("index.html").display());
    Ok(())
}
