//! A started program, and all that it writes to stderr.

use super::{PATIENCE, Secret};
use std::{
    io::{BufRead, BufReader, pipe},
    process::ExitStatus,
    thread::{self, JoinHandle},
};
use tokio::{
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::watch,
    time::timeout,
};

/// Killed when it is dropped, and then read to the end: a key in its log fails the test that started it.
pub struct Process {
    child: Child,
    secret: Secret,
    log: watch::Receiver<String>,
    reader: Option<JoinHandle<()>>,
}

impl Process {
    pub fn start(mut command: Command, secret: Secret) -> Process {
        let (reader, writer) = pipe().expect("a pipe");
        let child = command.stderr(writer).kill_on_drop(true).spawn().expect("the program starts");
        // It holds the writing end, and the reader would wait for that.
        drop(command);
        let (sender, log) = watch::channel(String::new());
        // A thread, so that it can be waited for where nothing can be awaited.
        let reader = thread::spawn(move || {
            for line in BufReader::new(reader).lines() {
                let line = line.expect("stderr is text");
                sender.send_modify(|log| *log += &(line + "\n"));
            }
        });
        Process { child, secret, log, reader: Some(reader) }
    }

    pub fn id(&self) -> u32 {
        self.child.id().expect("it was not waited for")
    }

    /// Sends a signal by its name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.id());
        let status = std::process::Command::new("sh").args(["-c", &kill]).status().expect("there is a shell");
        assert!(status.success(), "{kill}");
    }

    pub fn stdin(&mut self) -> ChildStdin {
        self.child.stdin.take().expect("stdin is piped")
    }

    pub fn stdout(&mut self) -> ChildStdout {
        self.child.stdout.take().expect("stdout is piped")
    }

    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// What is on stderr up to now.
    pub fn stderr(&self) -> String {
        let text = self.log.borrow().clone();
        self.secret.must_not_be_in("stderr", text.as_bytes());
        text
    }

    /// Waits until stderr is as wanted.
    pub async fn stderr_when(&self, wanted: impl FnMut(&String) -> bool) -> String {
        let mut log = self.log.clone();
        let seen = timeout(PATIENCE, log.wait_for(wanted)).await.map(|seen| seen.is_ok());
        assert!(matches!(seen, Ok(true)), "stderr is not as wanted:\n{}", self.stderr());
        self.stderr()
    }

    /// Waits for its end. Then stderr is complete.
    pub async fn wait(&mut self) -> ExitStatus {
        let status = timeout(PATIENCE, self.child.wait()).await.expect("the process ends in time");
        self.rest();
        status.expect("the process ends")
    }

    fn rest(&mut self) {
        if let Some(reader) = self.reader.take() {
            reader.join().expect("stderr is text");
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.start_kill();
        if !thread::panicking() {
            self.rest();
            let text = self.stderr();
            // Of a host that keeps Spin's contract: whoever broke it, the test failed, whatever else came of it.
            assert!(!text.contains(": broken:"), "{text}");
        }
    }
}
