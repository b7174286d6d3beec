//! `--settings FILE`: the same names as in the environment, a `NAME=value` a line.
//!
//! It is the form of container tools' and systemd's environment files, so that one file does for all of them, and each setting
//! has one name. Blank lines and lines that begin with `#` say nothing. Quotation marks around a value are no part of it.
//! Nothing else has a meaning: there are no escapes, and no variables in values.

use super::{
    Problem, near,
    path::{self, Shown},
    table,
};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    fs,
    path::Path,
};

/// Several times what all settings take.
const MAX_FILE: u64 = 64 * 1024;

type Pairs = BTreeMap<&'static str, String>;

/// Reports every problem, not just the first.
pub(super) fn read(path: &Path) -> Result<Pairs, Vec<Problem>> {
    let shown = path.to_string_lossy();
    let cannot = |why: &str| vec![Problem(format!("the settings file{} cannot be used: {why}.", Shown(&shown)))];
    let (text, metadata) = path::text(path, MAX_FILE, "a list of settings").map_err(|why| cannot(&why))?;
    let mut pairs =
        parse(&text).map_err(|problems| problems.into_iter().flat_map(|why| cannot(&why)).collect::<Vec<Problem>>())?;
    if holds_secret(&pairs) && is_open(&metadata) {
        let how = "it holds a secret, and other users of this machine can read it. chmod 600 makes it yours alone";
        return Err(cannot(how));
    }
    let missing = from_here(&mut pairs, path);
    if missing.is_empty() { Ok(pairs) } else { Err(missing.iter().flat_map(|why| cannot(why)).collect()) }
}

/// Paths in a settings file are meant from where it lies: clients start the program in folders of their own.
fn from_here(pairs: &mut Pairs, path: &Path) -> Vec<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut missing = Vec::new();
    for setting in table::SETTINGS {
        let name = match setting.kind {
            table::Kind::File => setting.name,
            table::Kind::Secret { file } => file,
            table::Kind::Text | table::Kind::Switch => continue,
        };
        let Some(value) = pairs.get_mut(name).filter(|value| !value.is_empty() && Path::new(value).is_relative())
        else {
            continue;
        };
        match folder.join(&*value).to_str() {
            Some(joined) if folder.join(&*value).exists() => *value = joined.to_owned(),
            // Not what it says: keys and certificates get pasted in place of paths.
            _ => missing.push(format!(
                "{name} in it names a file that is not there. A path that does not begin at the root is meant from the folder \
                 of the settings file"
            )),
        }
    }
    missing
}

fn holds_secret(pairs: &Pairs) -> bool {
    table::SETTINGS.iter().any(|setting| {
        matches!(setting.kind, table::Kind::Secret { .. })
            && pairs.get(setting.name).is_some_and(|value| !value.is_empty())
    })
}

/// As ssh has it for private keys: a file of one's own must not be open to others. Whose file it otherwise is (a container's
/// mount, an administrator's) has to answer for it himself.
#[cfg(unix)]
fn is_open(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: it takes nothing and cannot fail.
    let me = unsafe { libc::geteuid() };
    metadata.mode() & 0o077 != 0 && me == metadata.uid()
}

#[cfg(not(unix))]
fn is_open(_metadata: &fs::Metadata) -> bool {
    false
}

fn parse(text: &str) -> Result<Pairs, Vec<String>> {
    let mut pairs = Pairs::new();
    let mut problems = Vec::new();
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((written, value)) = line.split_once('=') else {
            problems.push(format!("line {number} is not of the form NAME=value"));
            continue;
        };
        let written = written.trim();
        let Some(name) = table::names().find(|name| *name == written) else {
            problems.push(unknown(number, written));
            continue;
        };
        match pairs.entry(name) {
            Entry::Vacant(free) => drop(free.insert(unquoted(value.trim()).to_owned())),
            Entry::Occupied(_) => problems.push(format!("line {number} sets {name} a second time")),
        }
    }
    if problems.is_empty() { Ok(pairs) } else { Err(problems) }
}

fn unquoted(value: &str) -> &str {
    let inside = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(value)
}

/// What does not look like a name is not repeated: it may be the half of a key.
fn unknown(number: usize, written: &str) -> String {
    let like_a_name = |text: &str| text.len() <= 60 && text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    if written.starts_with("export ") {
        return format!("line {number} begins with export, which belongs into a shell's file and not into this one");
    }
    // Words have no underscore, and names of settings nearly always do.
    if !like_a_name(written) || !written.contains('_') && near::nearest(written, table::names()).is_none() {
        return format!(
            "line {number} sets something that is no setting of this program (not shown, it is not like a name)"
        );
    }
    let question =
        near::nearest(written, table::names()).map(|name| format!("; did you mean {name}?")).unwrap_or_default();
    format!("line {number} sets {written}, which is no setting of this program{question}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let text = "# mine\n\nAUDIOBOOKSHELF_URL = http://h:1 \r\n  ELICITATION='false'\nAUDIOBOOKSHELF_API_KEY=\"a=b#c\"\n\
                    AUDIOBOOKSHELF_CA_FILE=\nAUDIOBOOKSHELF_DENY_TOOLS=\"";
        let want = [
            ("AUDIOBOOKSHELF_API_KEY", "a=b#c"),
            ("AUDIOBOOKSHELF_CA_FILE", ""),
            ("AUDIOBOOKSHELF_DENY_TOOLS", "\""),
            ("AUDIOBOOKSHELF_URL", "http://h:1"),
            ("ELICITATION", "false"),
        ];
        assert_eq!(parse(text).unwrap(), want.map(|(name, value)| (name, value.to_owned())).into());
    }

    #[test]
    fn lines_that_are_wrong() {
        for (text, want, hidden) in [
            ("AUDIOBOOKSHELF_URL", "line 1 is not of the form", "URL"),
            ("\nAUDIOBOOKSHELF_READONLY=secret", "line 2 sets AUDIOBOOKSHELF_READONLY, which is no setting", "secret"),
            ("AUDIOBOOKSHELF_READONLY=x", "did you mean AUDIOBOOKSHELF_READ_ONLY?", "=x"),
            ("eyJhbGciOi.c2VjcmV0=", "no setting of this program (not shown", "c2VjcmV0"),
            ("export ELICITATION=false", "begins with export", "false"),
            ("correcthorsebatterystaple=", "not shown", "horse"),
            ("ELICITATON=false", "did you mean ELICITATION?", "false"),
            ("ELICITATION=true\nELICITATION=false", "line 2 sets ELICITATION a second time", "false"),
            ("[settings]", "line 1 is not of the form", "settings]"),
        ] {
            let found = parse(text).unwrap_err().join(" ");
            assert!(found.contains(want) && !found.contains(hidden), "{text}: {found}");
        }
        assert_eq!(parse("x\ny\nz=1").unwrap_err().len(), 3, "all of them at once");
    }

    #[test]
    fn paths_are_meant_from_where_the_file_lies_and_nothing_is_cut_off() {
        let folder = std::env::temp_dir().join(format!("settings-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("abs.env");
        let write = |text: &str| fs::write(&file, text).unwrap();
        fs::write(folder.join("abs.key"), "key").unwrap();
        write("\u{feff}AUDIOBOOKSHELF_API_KEY_FILE=abs.key\nAUDIOBOOKSHELF_CA_FILE=/etc/ca.pem\n");
        let pairs = read(&file).unwrap();
        assert_eq!(pairs["AUDIOBOOKSHELF_API_KEY_FILE"], folder.join("abs.key").to_str().unwrap());
        assert_eq!(pairs["AUDIOBOOKSHELF_CA_FILE"], "/etc/ca.pem");
        write("AUDIOBOOKSHELF_API_KEY_FILE=sesame\n");
        let problem = read(&file).unwrap_err()[0].to_string();
        assert!(problem.contains("from the folder of the settings file") && !problem.contains("sesame"), "{problem}");
        write(&format!("#{}\nAUDIOBOOKSHELF_READ_ONLY=true\n", "x".repeat(MAX_FILE as usize)));
        let Err(problems) = read(&file) else { panic!("it was cut") };
        assert!(problems[0].to_string().contains("far too large"), "{}", problems[0]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
