//! Server-sent events, as far as a client of MCP needs them: the data of each.

/// Longer than any result that the component gives.
const MAX_EVENT: usize = 8 * 1024 * 1024;

#[derive(Default)]
pub(super) struct Events {
    /// The line that is not complete yet.
    line: Vec<u8>,
    /// The data of the event that is not complete yet.
    data: Option<String>,
}

/// An event has no end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Endless;

impl Events {
    /// Takes the next bytes of the stream, gives the data of the events that they complete.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Vec<String>, Endless> {
        let mut complete = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.len() + self.data.as_ref().map_or(0, String::len) > MAX_EVENT {
                return Err(Endless);
            }
            if let Some(line) = self.line.strip_suffix(b"\n") {
                let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
                self.line.clear();
                complete.extend(self.line(&line));
            }
        }
        Ok(complete)
    }

    fn line(&mut self, line: &str) -> Option<String> {
        if line.is_empty() {
            return self.data.take().filter(|data| !data.trim().is_empty());
        }
        // Comments, names and ids mean nothing here.
        let value = line.strip_prefix("data:").or_else(|| (line == "data").then_some(""))?;
        let value = value.strip_prefix(' ').unwrap_or(value);
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events() {
        let stream = ": hello\n\nevent: message\nid: 1\ndata: {\"a\":1}\n\ndata:\n\ndata:{\ndata: }\r\n\r\nretry: 5\n\ndata: half";
        for size in [1, 2, 7, 1000] {
            let mut events = Events::default();
            let all: Vec<String> =
                stream.as_bytes().chunks(size).flat_map(|bytes| events.take(bytes).unwrap()).collect();
            assert_eq!(all, ["{\"a\":1}", "{\n}"], "by {size}");
        }
    }

    #[test]
    fn an_event_ends() {
        let mut events = Events::default();
        assert_eq!(events.take(&vec![b'x'; MAX_EVENT + 1]), Err(Endless));
    }
}
