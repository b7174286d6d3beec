//! Event streams, in any pieces.

use super::events::Events;
use fuzz::text;

#[test]
fn events_are_the_same_in_any_pieces() {
    fuzz::run(|u| {
        let mut stream = Vec::new();
        let mut sent = Vec::new();
        for _ in 0..u.int_in_range(0..=5)? {
            match u.int_in_range(0..=3)? {
                // As the component writes them: JSON in one line.
                0 | 1 => {
                    let data = serde_json::Value::from(text::odd(u)?).to_string();
                    stream.extend_from_slice(format!("event: message\ndata: {data}\n\n").as_bytes());
                    sent.push(data);
                }
                2 => stream.extend_from_slice(b": waiting\n\n"),
                _ => stream.extend_from_slice(b"retry: 5\r\nid: 1\r\n\r\n"),
            }
        }
        let is_ours: bool = u.arbitrary()?;
        if !is_ours {
            text::changed_bytes(u, &mut stream)?;
        }
        let whole = Events::default().take(&stream).expect("it is short");
        let mut events = Events::default();
        let mut pieces = Vec::new();
        let mut rest = &stream[..];
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(u.int_in_range(1..=rest.len().min(9))?);
            pieces.extend(events.take(piece).expect("it is short"));
            rest = after;
        }
        assert_eq!(pieces, whole, "{:?}", String::from_utf8_lossy(&stream));
        assert!(!is_ours || whole == sent, "{:?}", String::from_utf8_lossy(&stream));
        Ok(())
    });
}
