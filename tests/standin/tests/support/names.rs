//! Names for the ids of the sample library, so that requests read like sentences.

use standin::ids;

/// `{DRACULA}` is its id, `{b64:DRACULA}` that id in base64, `{b64:Horror}` the word, `{P:DRACULA}` root's progress record.
pub fn fill(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let close = rest[open..].find('}').map(|n| n + open);
        let word = close.map(|close| &rest[open + 1..close]);
        match word.and_then(value).zip(close) {
            Some((value, close)) => {
                out.push_str(&rest[..open]);
                out.push_str(&value);
                rest = &rest[close + 1..];
            }
            None => {
                out.push_str(&rest[..=open]);
                rest = &rest[open + 1..];
            }
        }
    }
    out + rest
}

fn value(word: &str) -> Option<String> {
    if let Some(plain) = word.strip_prefix("b64:") {
        return Some(base64(id(plain).unwrap_or(plain)));
    }
    if let Some(item) = word.strip_prefix("P:") {
        return Some(ids::progress("root", id(item)?));
    }
    if let Some(count) = word.strip_prefix("LONG:") {
        return Some("a".repeat(count.parse().ok()?));
    }
    id(word).map(str::to_owned)
}

macro_rules! named {
    ($($kind:literal: $($name:ident)*;)*) => {
        const NAMED: &[(&str, &str, &str)] = &[$($((stringify!($name), ids::$name, $kind),)*)*];
    };
}

named! {
    "book-library": BOOKS EMPTY;
    "podcast-library": PODCASTS;
    "book": ALICE LOOKING_GLASS DRACULA FRANKENSTEIN FANNY_HILL LAST_MAN EMMA MONTE_CRISTO MYSTERIOUS_ISLAND TWENTY_THOUSAND_LEAGUES
        EIGHTY_DAYS TIME_MACHINE STUDY_IN_SCARLET GILDED_AGE MISSING_FOLDER BROADSIDES PRIDE_AND_PREJUDICE INJECTION;
    "podcast": NIGHT_SKY PENNY_DREADFUL HOSTILE_PODCAST;
    "episode": NIGHT_SKY_1 NIGHT_SKY_2 NIGHT_SKY_3 NIGHT_SKY_4 PENNY_DREADFUL_1 PENNY_DREADFUL_2 PENNY_DREADFUL_3;
    "series": HOLMES NEMO WONDERLAND VOYAGES HOSTILE_SERIES;
    "author": VERNE TWAIN DOYLE;
    "collection": SEA_AND_SHORE BAKER_STREET_IN_ORDER HOSTILE_COLLECTION ADULTS_ONLY;
    "playlist": ROAD_TRIP EPISODE_QUEUE HOSTILE_PLAYLIST KIDS_PLAYLIST;
    "unknown": UNKNOWN;
}

pub fn id(name: &str) -> Option<&'static str> {
    NAMED.iter().find(|(known, ..)| *known == name).map(|(_, id, _)| *id)
}

pub fn kinds() -> impl Iterator<Item = (String, String)> {
    NAMED.iter().filter(|(_, _, kind)| *kind != "unknown").map(|(_, id, kind)| ((*id).to_owned(), (*kind).to_owned()))
}

/// Without padding, which ABS does not want.
pub fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for n in 0..=chunk.len() {
            out.push(ALPHABET[(bits >> (18 - 6 * n) & 63) as usize] as char);
        }
    }
    out
}
