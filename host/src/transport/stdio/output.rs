//! Standard output: whole lines, one after the other, from a thread of its own, since a client that does not read blocks it.

use std::{
    io::{self, Write},
    thread,
    time::Duration,
};
use tokio::sync::{mpsc, oneshot};

/// How long the last lines may take to be read.
const LAST_LINES: Duration = Duration::from_secs(5);

pub(super) struct Output(mpsc::Sender<String>);

/// Resolves once everything is written.
pub(super) struct Written(oneshot::Receiver<()>);

impl Output {
    pub(super) fn start() -> io::Result<(Output, Written)> {
        let (sender, receiver) = mpsc::channel(64);
        let (done, written) = oneshot::channel();
        thread::Builder::new().name("stdout".to_owned()).spawn(move || {
            // A client that closed its end is a client that left.
            let _ = write_all(receiver);
            let _ = done.send(());
        })?;
        Ok((Output(sender), Written(written)))
    }

    /// Waits for room; a line for a client that left goes nowhere.
    pub(super) async fn line(&self, text: String) {
        let _ = self.0.send(text).await;
    }

    pub(super) async fn closed(&self) {
        self.0.closed().await;
    }
}

impl Written {
    pub(super) async fn wait(self) {
        let _ = tokio::time::timeout(LAST_LINES, self.0).await;
    }
}

fn write_all(mut lines: mpsc::Receiver<String>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    while let Some(mut line) = lines.blocking_recv() {
        // LF on every system, and in one piece.
        line.push('\n');
        stdout.write_all(line.as_bytes())?;
        stdout.flush()?;
    }
    Ok(())
}
