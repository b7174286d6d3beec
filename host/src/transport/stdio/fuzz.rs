//! Lines and messages against a second reading of them; the component's own is the second one of messages.

use super::lines::{Line, Lines};
use super::message::{Message, answers, asks};
use fuzz::{Result, Unstructured, json, text};
use guest::mcp::envelope::{self, Message as Understood};
use serde_json::{Value, json};
use std::io::BufReader;

/// What the lines of an input are, read all at once.
fn expected(input: &[u8], limit: usize) -> Vec<Line> {
    let mut pieces: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
    pieces.pop_if(|last| last.is_empty());
    let lines = pieces.into_iter().enumerate().map(|(i, raw)| {
        let line = raw.strip_suffix(b"\r").unwrap_or(raw);
        let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| i == 0).unwrap_or(line);
        let fits = line.len() <= limit && raw.len() <= limit + 1;
        if fits { Line::Message(line.to_vec()) } else { Line::TooLong }
    });
    let is_blank = |line: &Line| matches!(line, Line::Message(text) if text.iter().all(u8::is_ascii_whitespace));
    lines.filter(|line| !is_blank(line)).collect()
}

#[test]
fn lines_are_the_same_in_any_pieces() {
    fuzz::run(|u| {
        let mut input = Vec::new();
        for _ in 0..u.int_in_range(0..=6)? {
            match u.int_in_range(0..=3)? {
                0 => input.extend_from_slice(u.choose(&[
                    &b"\n"[..],
                    b"\r\n",
                    b"\r",
                    b" ",
                    b"\t\n",
                    b"\xef\xbb\xbf",
                    b"\0",
                ])?),
                1 => input.extend_from_slice(text::odd(u)?.as_bytes()),
                2 => input.extend_from_slice(u.bytes(u.len().min(8))?),
                _ => input.extend(vec![b'x'; u.int_in_range(0..=20)?]),
            }
        }
        let (limit, buffer) = (u.int_in_range(0..=16)?, u.int_in_range(1..=20)?);
        let mut lines = Lines::new(BufReader::with_capacity(buffer, &input[..]), limit);
        let mut all = Vec::new();
        while let Some(line) = lines.next().expect("memory can be read") {
            all.push(line);
        }
        assert_eq!(all, expected(&input, limit), "{input:?} by {buffer}, at most {limit}");
        Ok(())
    });
}

fn message(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let id = json::value(u, 0)?;
    let known = [
        json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}),
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "x", "requestId": 1}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "x"}}),
        json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept"}}),
        json!([id, "tools/call", {}]),
    ];
    let mut message = u.choose(&known)?.clone();
    for _ in 0..u.int_in_range(0..=2)? {
        json::change(u, &mut message)?;
    }
    let mut bytes = message.to_string().into_bytes();
    if u.arbitrary()? {
        json::change_text(u, &mut bytes)?;
    }
    Ok(bytes)
}

#[test]
fn the_bridge_and_the_component_understand_a_message_alike() {
    fuzz::run(|u| {
        let line = message(u)?;
        let shown = || String::from_utf8_lossy(&line);
        let read = Message::read(&line);
        let understood = envelope::parse(&line).and_then(envelope::classify);
        let answered = match &understood {
            Ok(Understood::Request { id, .. }) => Some(id.clone()),
            Ok(_) => None,
            Err(fault) => fault.id.clone(),
        };
        // What the bridge answers when the component does not is what the component would have answered.
        assert!(read.request.is_none() || read.request == answered, "{} is {read:?}, {understood:?}", shown());
        match understood {
            Ok(Understood::Request { id, method, .. }) => {
                let same = read.request == Some(id) && read.is_initialize == (method == "initialize");
                assert!(same && read.cancels.is_none(), "{} is {read:?}", shown());
            }
            Ok(Understood::Notification { method, params }) if method == "notifications/cancelled" => {
                assert_eq!(read.cancels.as_ref(), params.get("requestId"), "{}", shown());
            }
            _ => assert!(read.cancels.is_none(), "{} is {read:?}", shown()),
        }
        let text = String::from_utf8_lossy(&line);
        assert!(!(asks(&text) && answers(&text, &Value::from(1))), "{text}");
        Ok(())
    });
}
