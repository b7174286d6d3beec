//! The rules of egress, checked against a second statement of them that shares no code with the first: it reads the rows as
//! the documentation prints them.

use fuzz::{Result, Unstructured, text};
use policy::{Access, Origin, ROUTES, Route, check, split_authority};

const ORIGINS: [&str; 4] = [
    "https://abs.example.com",
    "http://192.0.2.7:13378",
    "https://h/audiobookshelf",
    "http://[2001:db8::1]:8080/a.b/c",
];

/// A segment that a hole admits.
fn good_segment(u: &mut Unstructured<'_>, hole: &str) -> Result<String> {
    Ok(match hole {
        "{id}" => (*u.choose(&["li_abc", "0a1b2c3d-0000-4000-8000-000000000000", "...", "a", "_", "-"])?).to_owned(),
        "{year}" => u.int_in_range(2000..=2100)?.to_string(),
        "{seconds}" => (*u.choose(&["0", "12.5", "00.00", "3600.000001"])?).to_owned(),
        literal => literal.to_owned(),
    })
}

/// A request that a row stands for.
fn good_target(u: &mut Unstructured<'_>, origin: &Origin, route: &Route) -> Result<String> {
    let row = route.to_string();
    let (_, path) = row.split_once(' ').expect("method and path");
    let mut out = origin.base_path().to_owned();
    for segment in path[1..].split('/') {
        out.push('/');
        out.push_str(&good_segment(u, segment)?);
    }
    let mut separator = '?';
    for key in route.query {
        if u.ratio(1, 3)? {
            out.push_str(&format!("{separator}{key}={}", u.choose(&["", "1", "a%26b", "x=y"])?));
            separator = '&';
        }
    }
    Ok(out)
}

/// The rule for paths, once more: segment by segment, on the raw text.
fn is_instance(row: &str, method: &str, path: &str) -> bool {
    let mut wanted = row.split([' ', '/']).filter(|part| !part.is_empty());
    let mut given = path.split('/');
    wanted.next() == Some(method)
        && given.next() == Some("")
        && given.clone().count() == wanted.clone().count()
        && given.zip(wanted).all(|(segment, hole)| {
            let all = |allowed: &str| segment.chars().all(|c| c.is_ascii_alphanumeric() || allowed.contains(c));
            let digits = |text: &str| !text.is_empty() && text.len() <= 20 && text.chars().all(|c| c.is_ascii_digit());
            match hole {
                "{id}" => all("._-") && !["", ".", ".."].contains(&segment) && segment.len() < 256,
                "{year}" => segment == "2100" || segment.len() == 4 && segment.starts_with("20") && digits(segment),
                "{seconds}" => {
                    let parts: Vec<&str> = segment.split('.').collect();
                    parts.len() <= 2 && parts.into_iter().all(digits)
                }
                literal => segment == literal,
            }
        })
}

fn query_is_of(route: &Route, query: &str) -> bool {
    let mut keys: Vec<&str> = query.split('&').map(|pair| pair.split('=').next().unwrap_or(pair)).collect();
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    keys.len() == count && keys.iter().all(|key| route.query.contains(key))
}

fn authority_is_of(origin: &Origin, authority: &str) -> bool {
    let lower = authority.to_ascii_lowercase();
    let (host, port) = match lower.rfind(':').filter(|colon| !lower[*colon..].contains(']')) {
        Some(colon) => (&lower[..colon], Some(&lower[colon + 1..])),
        None => (lower.as_str(), None),
    };
    let address = |host: &str| host.strip_prefix('[')?.strip_suffix(']')?.parse::<std::net::Ipv6Addr>().ok();
    let same_host = if origin.host().contains(':') {
        address(host).is_some_and(|address| address.to_string() == origin.host())
    } else {
        host == origin.host()
    };
    let default = if origin.scheme().as_str() == "https" { 443 } else { 80 };
    let is_port = |port: &str| (1..=5).contains(&port.len()) && port.chars().all(|c| c.is_ascii_digit());
    same_host && port.map_or(origin.port() == default, |port| is_port(port) && port.parse() == Ok(origin.port()))
}

#[test]
fn what_is_let_through_is_a_row_of_the_table() {
    fuzz::run(|u| {
        let origin = Origin::parse(u.choose(&ORIGINS)?).expect("an origin");
        let route = *u.choose(ROUTES)?;
        let read_only = u.arbitrary()?;
        let mut method = route.method.as_str().to_owned();
        let mut scheme = origin.scheme().as_str().to_owned();
        let mut authority = origin.authority();
        let mut target = good_target(u, &origin, route)?;
        if u.ratio(1, 2)? {
            target = text::spiked(u, &target)?;
        }
        for part in [&mut target, &mut authority, &mut scheme, &mut method] {
            if u.ratio(1, 6)? {
                *part = if u.ratio(1, 8)? { text::odd(u)? } else { text::changed(u, part)? };
            }
        }
        let outcome = check(&origin, read_only, &method, &scheme, &authority, &target);
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (target.as_str(), None),
        };
        let below = path.strip_prefix(origin.base_path());
        let row = ROUTES.iter().find(|row| below.is_some_and(|path| is_instance(&row.to_string(), &method, path)));
        let may = row.filter(|row| {
            query.is_none_or(|query| query_is_of(row, query))
                && (!read_only || row.access == Access::Read)
                && scheme.eq_ignore_ascii_case(origin.scheme().as_str())
                && authority_is_of(&origin, &authority)
        });
        assert_eq!(outcome.ok(), may.copied(), "{method} {scheme} {authority} {target}, read-only: {read_only}");
        Ok(())
    });
}

#[test]
fn an_origin_is_what_it_was_read_from() {
    fuzz::run(|u| {
        let text = match u.int_in_range(0..=3)? {
            0 => text::odd(u)?,
            1 => format!("{}://{}", u.choose(&["http", "https", "HTTPS"])?, text::odd(u)?),
            _ => {
                let known = *u.choose(&ORIGINS)?;
                text::changed(u, known)?
            }
        };
        let Ok(origin) = Origin::parse(&text) else { return Ok(()) };
        let whole = format!("{origin}{}", origin.base_path());
        assert_eq!(Origin::parse(&whole).as_ref(), Ok(&origin), "{text:?}");
        assert!(origin.admits(origin.scheme().as_str(), &origin.authority()), "{text:?}");
        let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "._~-/:[]".contains(c));
        assert!(plain(&whole) && !whole.contains("/../") && !whole.ends_with('/'), "{text:?} became {whole:?}");
        // Nothing was made up: but for an IPv6 address, which has many spellings, the host stands in the text.
        let is_name = !origin.host().contains(':');
        assert!(!is_name || text.to_ascii_lowercase().contains(origin.host()), "{text:?} became {whole:?}");
        Ok(())
    });
}

#[test]
fn an_authority_names_one_host() {
    fuzz::run(|u| {
        let known =
            *u.choose(&["abs.example.com:443", "[::1]:80", "[::ffff:127.0.0.1]", "localhost.", "127.0.0.1:1"])?;
        let text = text::changed(u, known)?;
        let Some((host, port)) = split_authority(&text) else { return Ok(()) };
        let host = if host.contains(':') { format!("[{host}]") } else { host };
        let again = port.map_or(host.clone(), |port| format!("{host}:{port}"));
        assert_eq!(split_authority(&again), split_authority(&text), "{text:?}");
        assert!(!host.contains(['@', '/', '?', '#', '\\', '%']) && host.is_ascii() && port != Some(0), "{text:?}");
        Ok(())
    });
}
