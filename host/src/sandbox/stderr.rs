//! What the component writes to stderr, line by line on ours, where the operator can tell whose line it is.
//!
//! Control characters are shown, not sent: a line may carry text that somebody else wrote, and the log may be a terminal.

use crate::log;
use bytes::Bytes;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncWrite, sink};
use wasmtime_wasi::{
    cli::{IsTerminal, StdoutStream},
    p2::{OutputStream, Pollable, StreamResult},
};

/// A line longer than this is broken.
const MAX_LINE: usize = 4 * 1024;
/// An instance that writes more than this is not listened to any longer.
const MAX_TOTAL: usize = 64 * 1024;

/// One for each instance; all streams that it opens are the same.
#[derive(Clone, Default)]
pub(super) struct Stderr(Arc<Mutex<Lines>>);

#[derive(Default)]
struct Lines {
    pending: Vec<u8>,
    total: usize,
}

impl Lines {
    /// Takes bytes, gives the lines that they complete.
    fn take(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for &byte in bytes {
            if self.total >= MAX_TOTAL {
                return lines;
            }
            self.total += 1;
            if byte != b'\n' {
                self.pending.push(byte);
            }
            if byte == b'\n' || self.pending.len() >= MAX_LINE {
                lines.extend(self.rest());
            }
            if self.total == MAX_TOTAL {
                lines.extend(self.rest());
                lines.push("(the rest of what this request writes is left out)".to_owned());
            }
        }
        lines
    }

    fn rest(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.pending);
        (!line.is_empty()).then(|| {
            String::from_utf8_lossy(&line)
                .chars()
                .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
                .collect()
        })
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        print(self.rest());
    }
}

fn print(lines: impl IntoIterator<Item = String>) {
    for line in lines {
        log::of_component(&line);
    }
}

impl IsTerminal for Stderr {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Stderr {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        // Only asked for by the interfaces of WASI 0.3, which are not linked.
        Box::new(sink())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for Stderr {
    async fn ready(&mut self) {}
}

#[wasmtime_wasi::async_trait]
impl OutputStream for Stderr {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        print(self.0.lock().unwrap_or_else(PoisonError::into_inner).take(&bytes));
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(64 * 1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_harmless_and_bounded() {
        let mut lines = Lines::default();
        assert_eq!(lines.take(b"one\ntw"), ["one"]);
        assert_eq!(lines.take(b"o\n\n\x1b[31mred\r\n"), ["two", "\\u{1b}[31mred\\r"]);
        assert_eq!(lines.take(&[b'x'; MAX_LINE + 1])[0].len(), MAX_LINE);
        let rest = lines.take(&vec![b'\n'; MAX_TOTAL]);
        assert_eq!(rest.len(), 2, "the pending x, and the note");
        assert!(rest[1].contains("left out"));
        assert_eq!(lines.take(b"more\n"), [""; 0]);
    }
}
