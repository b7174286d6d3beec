//! Files that a program is given.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};

/// Gone when it is dropped.
pub struct TempFile(PathBuf);

impl TempFile {
    /// As other users may read it.
    pub fn new(name: &str, text: &str) -> TempFile {
        TempFile::with_mode(name, text, 0o644)
    }

    pub fn private(name: &str, text: &str) -> TempFile {
        TempFile::with_mode(name, text, 0o600)
    }

    fn with_mode(name: &str, text: &str, mode: u32) -> TempFile {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("audiobookshelf-mcp-suite-{}-{count}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&path).expect("a new file");
        file.write_all(text.as_bytes()).expect("room for it");
        // The mask of this process has no say.
        file.set_permissions(fs::Permissions::from_mode(mode)).expect("a file of our own");
        TempFile(path)
    }

    pub fn path(&self) -> &str {
        self.0.to_str().expect("text")
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
