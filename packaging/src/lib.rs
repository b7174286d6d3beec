//! The files of a release: made, and read again.
//!
//! `cargo xtask dist` builds the program and the component and leaves the rest to this package. What is said about the
//! program here, the program said itself: its version, its tools, its completions and its manual are asked of the one
//! that goes into the archives, and its settings come from its table. So the test suite makes a release around whatever
//! was just built.
//!
//! The same program gives the same files: times are fixed, and folders are walked in order. The program itself is not
//! reproducible, only the component is.

pub mod archive;
pub mod bundle;
pub mod check;
mod licenses;
mod packages;
mod program;
pub mod registry;
mod sbom;

#[path = "../../host/src/settings/table.rs"]
#[allow(dead_code, reason = "the flags are the program's")]
mod table;

use anyhow::{Context, Result, bail};
use archive::Entry;
use program::Program;
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

pub const NAME: &str = "audiobookshelf-mcp";
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
pub const SUMS: &str = "SHA256SUMS";

/// In one sentence, of the length that the registry allows.
const DESCRIPTION: &str = "Ask about your Audiobookshelf library and keep its lists and progress, from a sandbox";

/// What a release is made of.
pub struct Release<'a> {
    pub program: &'a Path,
    pub component: &'a Path,
    /// As the compiler calls it, such as `x86_64-unknown-linux-gnu`.
    pub target: &'a str,
    /// Where the files will be, such as `https://github.com/OWNER/NAME`.
    pub repository: Option<&'a str>,
    /// From 0 to 9. A test has no use for small files.
    pub compression: u32,
}

impl Release<'_> {
    /// Writes all files into an empty or missing folder, and returns their names.
    pub fn write(&self, folder: &Path) -> Result<Vec<String>> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        if fs::read_dir(folder)?.next().is_some() {
            bail!("{} is not empty, and what is in it could be taken for a part of the release", folder.display());
        }
        let program = Program::new(self.program);
        if program.version()? != VERSION {
            bail!("{} is not of version {VERSION}", self.program.display());
        }
        let packages = packages::shipped(self.target)?;
        let notices = licenses::notices(&packages)?;
        let bundle = bundle::file(&program, &notices, self.compression)?;
        let named = format!("{NAME}-{VERSION}-{}", self.target);
        let bundle_name = format!("{named}.mcpb");
        let (registry_name, registry) =
            registry::file(self.repository, &bundle_name, &hexadecimal(&Sha256::digest(&bundle)))?;
        let files = [
            (format!("{named}.tar.gz"), archive::tar_gz(&self.entries(&named, &program, &notices)?, self.compression)?),
            (bundle_name, bundle),
            (format!("{NAME}-{VERSION}.wasm"), read(self.component)?),
            (format!("{named}.cdx.json"), sbom::file(&packages, self.target)),
            (registry_name.to_owned(), registry),
        ];
        let mut sums = String::new();
        for (name, bytes) in &files {
            write(&folder.join(name), bytes)?;
            sums += &format!("{}  {name}\n", hexadecimal(&Sha256::digest(bytes)));
        }
        write(&folder.join(SUMS), sums.as_bytes())?;
        Ok(files.into_iter().map(|(name, _)| name).chain([SUMS.to_owned()]).collect())
    }

    /// What somebody wants who installs it by hand.
    fn entries(&self, top: &str, program: &Program, notices: &str) -> Result<Vec<Entry>> {
        let mut entries = vec![
            Entry::program(NAME, read(self.program)?),
            Entry::new(&format!("man/{NAME}.1"), program.manual()?),
            Entry::new("THIRD-PARTY-LICENSES.txt", notices.as_bytes().to_vec()),
        ];
        for (shell, file) in program::COMPLETIONS {
            entries.push(Entry::new(&format!("completions/{file}"), program.completions(shell)?));
        }
        for (name, file) in [
            ("LICENSE-MIT", "LICENSE-MIT"),
            ("LICENSE-APACHE", "LICENSE-APACHE"),
            ("CHANGELOG.md", "CHANGELOG.md"),
            ("systemd/audiobookshelf-mcp.service", "packaging/systemd/audiobookshelf-mcp.service"),
            ("kubernetes/audiobookshelf-mcp.yaml", "packaging/kubernetes/audiobookshelf-mcp.yaml"),
        ] {
            entries.push(Entry::new(name, read(&root().join(file))?));
        }
        entries.iter_mut().for_each(|entry| entry.path = format!("{top}/{}", entry.path));
        Ok(entries)
    }
}

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

/// What a setting is, for somebody who fills in a form. The help of a secret describes the file that its flag names;
/// here it is the secret itself that is asked for.
fn explained(setting: &table::Setting) -> String {
    const OF_A_FILE: &str = "A file with an ";
    let help = match setting.help.strip_prefix(OF_A_FILE) {
        Some(secret) if matches!(setting.kind, table::Kind::Secret { .. }) => format!("An {secret}"),
        _ => setting.help.to_owned(),
    };
    format!("{help}. {}", setting.more).trim_end().to_owned()
}

/// JSON as people read it.
fn pretty(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
