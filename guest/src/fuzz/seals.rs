//! Seals, changed: only the very text that was sealed opens, for its purpose and under its secret.

use crate::guard::seal::{Purpose, Sealer};
use fuzz::{json, text};

const PURPOSES: [Purpose; 3] = [Purpose::Session, Purpose::Question, Purpose::Token];

#[test]
fn a_changed_seal_stays_closed() {
    fuzz::run(|u| {
        let secrets = [u.bytes(u.len().min(8))?.to_vec(), b"secret".to_vec()];
        let mut sealed = Vec::new();
        for _ in 0..u.int_in_range(1..=3)? {
            let (secret, purpose) = (u.choose(&secrets)?, *u.choose(&PURPOSES)?);
            let expires = u.int_in_range(1..=1000)?;
            let content = json::value(u, 1)?;
            sealed.push((secret, purpose, expires, Sealer { secret }.seal(purpose, expires, content)));
        }
        for (.., text) in &sealed {
            let shown = match u.int_in_range(0..=5)? {
                0 => text.clone(),
                1 => text::odd(u)?,
                2 => format!("{}.", text),
                3 => {
                    // The parts of two.
                    let mut parts: Vec<&str> = text.split('.').collect();
                    let other: Vec<&str> = u.choose(&sealed)?.3.split('.').collect();
                    let at = u.int_in_range(0..=2)?;
                    parts[at] = other[at];
                    parts.join(".")
                }
                4 => {
                    let mut bytes = text.clone().into_bytes();
                    text::changed_bytes(u, &mut bytes)?;
                    String::from_utf8_lossy(&bytes).into_owned()
                }
                _ => text::changed(u, text)?,
            };
            let (secret, purpose, now) = (u.choose(&secrets)?, *u.choose(&PURPOSES)?, u.int_in_range(0..=1000)?);
            let opened = Sealer { secret }.open(purpose, now, &shown);
            let known =
                sealed.iter().find(|(s, p, x, text)| *s == secret && *p == purpose && *x > now && *text == shown);
            let fits = known.is_some() && shown.len() <= 1024;
            assert_eq!(opened.is_some(), fits, "{shown:?} at {now}, from {sealed:?}");
        }
        Ok(())
    });
}
