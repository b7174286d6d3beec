//! Filters and queries, decoded as ABS does it: they come out as they went in.

use crate::abs::filter::{Filter, NAMES, encode};
use fuzz::{Result, Unstructured, text};
use policy::{ROUTES, table};

/// `decodeURIComponent`; `None` where it throws, which ends ABS.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// `Buffer.from(text, 'base64')`: both alphabets, up to the first padding.
fn from_base64(text: &str) -> Vec<u8> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for c in text.chars().take_while(|c| *c != '=') {
        let six = match c {
            'A'..='Z' => c as u32 - 'A' as u32,
            'a'..='z' => c as u32 - 'a' as u32 + 26,
            '0'..='9' => c as u32 - '0' as u32 + 52,
            '+' | '-' => 62,
            '/' | '_' => 63,
            _ => continue,
        };
        bits = (bits << 6 | six) & 0xFFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xFF) as u8);
        }
    }
    bytes
}

fn value(u: &mut Unstructured<'_>) -> Result<String> {
    if u.arbitrary()? { text::odd(u) } else { Ok(u.arbitrary::<&str>()?.to_owned()) }
}

#[test]
fn a_filter_is_what_was_given() {
    fuzz::run(|u| {
        let value = value(u)?;
        let group = *u.choose(&NAMES)?;
        let queries =
            [Some(encode(group, &value)), Filter::read(Some(group), Some(&value)).ok().flatten().map(|f| f.query())];
        for (i, query) in queries.iter().enumerate().filter_map(|(i, query)| Some((i, query.as_ref()?))) {
            let target =
                table::LIST_ITEMS.target(&["lib"], &[("limit", "1"), ("filter", query), ("desc", "0")]).expect("valid");
            let sent =
                target.strip_prefix("/api/libraries/lib/items?limit=1&filter=").and_then(|t| t.strip_suffix("&desc=0"));
            let filter = decoded(sent.unwrap_or_else(|| panic!("{target}"))).expect(&target);
            let plain = query.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
            assert!(plain && filter == *query, "{query}");
            // ABS takes what stands before the first dot, and decodes the rest once more.
            let (name, rest) = filter.split_once('.').expect(&filter);
            let given = from_base64(&decoded(rest).expect(rest));
            let same = given == value.as_bytes();
            let free = matches!(group, "genres" | "tags" | "narrators" | "publishers" | "languages");
            assert!(name == group && (same || i == 1 && !free), "{group} {value:?}: {query}");
        }
        Ok(())
    });
}

#[test]
fn a_query_keeps_its_keys_and_values() {
    fuzz::run(|u| {
        let route = *u.choose(ROUTES)?;
        let mut pairs = Vec::new();
        for key in route.query {
            if u.arbitrary()? {
                pairs.push((*key, value(u)?));
            }
        }
        let query: Vec<(&str, &str)> = pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let holes: Vec<&str> = route.to_string().matches('{').map(|_| "2024").collect();
        let target = route.target(&holes, &query).expect("holes are valid");
        let (_, sent) = target.split_once('?').unwrap_or_default();
        let sent: Vec<(String, String)> = sent
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| pair.split_once('=').expect(pair))
            .map(|(key, value)| (key.to_owned(), decoded(value).expect(value)))
            .collect();
        let given: Vec<(String, String)> = pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        assert_eq!(sent, given, "{target}");
        assert!(target.is_ascii() && !target.contains(['#', ' ', '+', '"', '\\']), "{target}");
        Ok(())
    });
}
