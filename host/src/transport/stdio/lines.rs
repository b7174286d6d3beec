//! Lines on standard input: one message each, with a limit.

use std::io::{self, BufRead};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Message(Vec<u8>),
    /// Longer than the limit; all of it was skipped.
    TooLong,
}

pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    first: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Lines { input, limit, first: true }
    }

    /// The next line that is not blank, without its end (LF or CRLF). A last line need not end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let Some(line) = self.read()? else { return Ok(None) };
            match line {
                Line::Message(text) if text.trim_ascii().is_empty() => {}
                line => return Ok(Some(line)),
            }
        }
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let mut too_long = false;
        let mut any = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() {
                if !any {
                    return Ok(None);
                }
                break;
            }
            any = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            // One more than the limit, for the CR that may be the last.
            too_long = too_long || line.len() + part.len() > self.limit + 1;
            if too_long {
                line = Vec::new();
            } else {
                line.extend_from_slice(part);
            }
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if std::mem::take(&mut self.first) && line.starts_with(b"\xef\xbb\xbf") {
            // Some shells put a byte order mark in front of what they pipe.
            line.drain(..3);
        }
        Ok(Some(if too_long || line.len() > self.limit { Line::TooLong } else { Line::Message(line) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8], buffer: usize) -> Vec<String> {
        let mut lines = Lines::new(io::BufReader::with_capacity(buffer, input), 5);
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push(match line {
                Line::Message(text) => String::from_utf8(text).unwrap(),
                Line::TooLong => "TOO LONG".to_owned(),
            });
        }
        all
    }

    #[test]
    fn framing() {
        for buffer in [1, 2, 3, 64] {
            for (input, want) in [
                (&b""[..], &[][..]),
                (b"a\nb\n", &["a", "b"]),
                (b"a\r\n\r\n \t\n\nb", &["a", "b"]),
                (b"\xef\xbb\xbfa\n", &["a"]),
                (b"12345\n12345\r\nx", &["12345", "12345", "x"]),
                (b"123456\nx\n", &["TOO LONG", "x"]),
                (b"123456\r\nx\n", &["TOO LONG", "x"]),
                (b"1234567890\nx", &["TOO LONG", "x"]),
                (b"1234567890", &["TOO LONG"]),
                (b"a\rb\n", &["a\rb"]),
            ] {
                assert_eq!(lines(input, buffer), want, "{input:?} by {buffer}");
            }
        }
    }
}
