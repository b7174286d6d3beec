//! Who may call.
//!
//! stdio: whoever started the process. HTTP: whoever shows the token; without one, only callers on this machine, which a
//! `Host` header alone does not prove. So the host says where it listens, and a loopback `Host` and `Origin` are wanted on
//! top of that: a web page that got its own name to resolve to 127.0.0.1 has neither (DNS rebinding). Where nobody vouches
//! for anything (Spin), no `Host` helps.
//!
//! | | `Host` | `Origin`, if there is one |
//! |---|---|---|
//! | loopback, no token | loopback or listed | loopback or listed |
//! | loopback, token | any; with a list, loopback or listed | loopback or listed |
//! | network | any; with a list, listed | listed |

use super::http::{HttpRequest, HttpResponse};
use crate::settings::{Settings, Surface, WebOrigin};
use hmac::{Hmac, KeyInit, Mac};
use policy::{is_loopback, split_authority};
use sha2::Sha256;

/// What a caller who got in may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    Trusted,
    /// May look at the tool list, and is told at each call what the operator has to set.
    Unproven,
}

pub fn check(request: &HttpRequest, settings: &Settings) -> Result<Caller, HttpResponse> {
    if settings.surface == Surface::Stdio {
        return Ok(Caller::Trusted);
    }
    check_host(request, settings)?;
    check_origin(request, settings)?;
    match &settings.callers.token {
        Some(token) => match bearer(request) {
            Some(given) if same(token, given) => Ok(Caller::Trusted),
            given => Err(unauthorized(given.is_some())),
        },
        None if settings.surface == Surface::Loopback || settings.callers.allow_unauthenticated => Ok(Caller::Trusted),
        None => Ok(Caller::Unproven),
    }
}

pub fn check_host(request: &HttpRequest, settings: &Settings) -> Result<(), HttpResponse> {
    let callers = &settings.callers;
    let on_loopback = settings.surface == Surface::Loopback;
    if callers.hosts.is_empty() && !(on_loopback && callers.token.is_none()) {
        return Ok(());
    }
    let asked = request.authority.as_deref().and_then(split_authority);
    let served = asked.is_some_and(|(name, port)| {
        (on_loopback && is_loopback(&name)) || callers.hosts.iter().any(|host| host.admits(&name, port))
    });
    if served {
        return Ok(());
    }
    let message = settings.naming(
        "Forbidden: this server does not answer to that Host. Where it is called by another name than 127.0.0.1 or \
         localhost (in a container, behind a proxy), its operator has to list that name in AUDIOBOOKSHELF_ALLOWED_HOSTS",
    );
    Err(HttpResponse::refuse(403, &message))
}

fn check_origin(request: &HttpRequest, settings: &Settings) -> Result<(), HttpResponse> {
    let text = match request.single("origin") {
        Ok(None) => return Ok(()),
        Ok(Some(text)) => text,
        Err(_) => return Err(foreign_origin(settings)),
    };
    let allowed = WebOrigin::parse(text).is_some_and(|origin| {
        (settings.surface == Surface::Loopback && origin.is_loopback()) || settings.callers.origins.contains(&origin)
    });
    if allowed { Ok(()) } else { Err(foreign_origin(settings)) }
}

pub fn foreign_origin(settings: &Settings) -> HttpResponse {
    let message = settings.naming(
        "Forbidden: pages of this Origin may not call. The operator of this server can list it in \
         AUDIOBOOKSHELF_ALLOWED_ORIGINS",
    );
    HttpResponse::refuse(403, &message)
}

/// The challenge names no metadata and there is none: there is no authorization server to discover. A wrong token is told
/// from none, as RFC 6750 wants it.
fn unauthorized(shown: bool) -> HttpResponse {
    let challenge = match shown {
        true => "Bearer realm=\"audiobookshelf-mcp\", error=\"invalid_token\"",
        false => "Bearer realm=\"audiobookshelf-mcp\"",
    };
    HttpResponse::refuse(
        401,
        "Unauthorized: send the token of this server as Authorization: Bearer. There is no OAuth here",
    )
    .with("www-authenticate", challenge)
}

fn bearer(request: &HttpRequest) -> Option<&str> {
    let (scheme, token) = request.single("authorization").ok()??.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

/// Compares in constant time, over digests, so that not even the length shows.
fn same(expected: &str, given: &str) -> bool {
    let digest = |text: &str| {
        let mut mac = Hmac::<Sha256>::new_from_slice(b"token").expect("HMAC takes a key of any length");
        mac.update(text.as_bytes());
        mac
    };
    digest(expected).verify_slice(&digest(given).finalize().into_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(config: &[(&str, &str)], authority: &str, headers: &[(&str, &str)]) -> Result<Caller, u16> {
        let settings =
            Settings::parse(|key| config.iter().find(|(k, _)| *k == key).map(|(_, v)| (*v).to_owned())).unwrap();
        let request = HttpRequest {
            authority: Some(authority.into()),
            headers: headers.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect(),
            ..HttpRequest::default()
        };
        check(&request, &settings).map_err(|response| response.status)
    }

    #[test]
    fn loopback_without_a_token() {
        let here = [("surface", "loopback")];
        for authority in ["127.0.0.1:8787", "localhost", "LOCALHOST:1", "[::1]:8787", "localhost."] {
            assert_eq!(outcome(&here, authority, &[]), Ok(Caller::Trusted), "{authority}");
        }
        for authority in ["evil.example.com", "127.0.0.1.evil", "127.example.com", "", "u@localhost"] {
            assert_eq!(outcome(&here, authority, &[]), Err(403), "{authority}");
        }
        for (origin, want) in [
            ("http://localhost:6274", Ok(Caller::Trusted)),
            ("http://evil.example.com", Err(403)),
            ("null", Err(403)),
            ("http://localhost.evil", Err(403)),
        ] {
            assert_eq!(outcome(&here, "localhost", &[("origin", origin)]), want, "{origin}");
        }
        let twice = [("origin", "http://localhost"), ("origin", "http://evil.example.com")];
        assert_eq!(outcome(&here, "localhost", &twice), Err(403));
    }

    const TOKEN: &str = "s3cret-s3cret-s3cret";

    #[test]
    fn with_a_token() {
        let there = [("mcp_token", TOKEN)];
        let with = |value: &str| outcome(&there, "mcp.example.com", &[("authorization", value)]);
        for (value, right) in [
            ("Bearer s3cret-s3cret-s3cret", true),
            ("bearer s3cret-s3cret-s3cret", true),
            // Padding of the header, which every HTTP reader drops.
            (" Bearer s3cret-s3cret-s3cret ", true),
            ("Bearer s3cret-s3cret-s3cre", false),
            ("Bearer s3cret-s3cret-s3cretX", false),
            ("Bearer S3cret-s3cret-s3cret", false),
            ("Bearer  s3cret-s3cret-s3cret", false),
            ("Bearer s3cret-s3cret -s3cret", false),
            ("Bearer \"s3cret-s3cret-s3cret\"", false),
            ("Bearer s3cret-s3cret-s3cret, Bearer x", false),
            ("Basic s3cret-s3cret-s3cret", false),
            ("s3cret-s3cret-s3cret", false),
            ("Bearer", false),
            ("", false),
        ] {
            assert_eq!(with(value), if right { Ok(Caller::Trusted) } else { Err(401) }, "{value:?}");
        }
        assert_eq!(outcome(&there, "mcp.example.com", &[]), Err(401));
        let right = ("authorization", "Bearer s3cret-s3cret-s3cret");
        assert_eq!(outcome(&there, "x", &[right, ("authorization", "Bearer x")]), Err(401), "twice");
        assert_eq!(
            outcome(&there, "x", &[right, ("origin", "http://localhost")]),
            Err(403),
            "a page of another machine"
        );
    }

    #[test]
    fn hosts_and_origins_of_the_lists() {
        let right = ("authorization", "Bearer s3cret-s3cret-s3cret");
        let (hosts, origins) = (("allowed_hosts", "mcp.example.com"), ("allowed_origins", "https://chat.example.com"));
        let (here, token) = (("surface", "loopback"), ("mcp_token", TOKEN));
        let chat = ("origin", "https://chat.example.com");
        let trusted = Ok(Caller::Trusted);
        type Pairs<'a> = &'a [(&'a str, &'a str)];
        type Row<'a> = (&'a str, Pairs<'a>, &'a str, Pairs<'a>, Result<Caller, u16>);
        let rows: [Row<'_>; 11] = [
            ("a listed host", &[here, hosts], "MCP.example.com:8787", &[], trusted),
            ("loopback beside a list", &[here, hosts], "127.0.0.1:8787", &[], trusted),
            ("neither", &[here, hosts], "evil.example.com", &[], Err(403)),
            ("neither, with the token", &[here, hosts, token], "evil.example.com", &[right], Err(403)),
            ("a listed host without the token", &[here, hosts, token], "mcp.example.com", &[], Err(401)),
            ("loopback, but nobody says so", &[hosts, token], "localhost", &[right], Err(403)),
            ("a listed host proves nobody", &[hosts], "mcp.example.com", &[], Ok(Caller::Unproven)),
            ("a listed origin", &[origins, token], "x", &[right, chat], trusted),
            ("a listed origin proves nobody", &[origins, token], "x", &[chat], Err(401)),
            ("a listed origin on loopback", &[here, origins], "localhost", &[chat], trusted),
            ("a foreign one beside the list", &[here, origins], "localhost", &[("origin", "https://evil")], Err(403)),
        ];
        for (what, config, authority, headers, want) in rows {
            assert_eq!(outcome(config, authority, headers), want, "{what}");
        }
    }

    #[test]
    fn a_host_that_vouches_for_nothing() {
        for authority in ["127.0.0.1", "127.0.0.1:3000", "localhost", "LOCALHOST:3000", "localhost.", "[::1]", "x", ""]
        {
            assert_eq!(outcome(&[], authority, &[]), Ok(Caller::Unproven), "{authority}");
            assert_eq!(outcome(&[], authority, &[("origin", "http://localhost")]), Err(403), "{authority}");
            for not_quite in ["yes", "TRUE", "1", " true"] {
                assert_eq!(outcome(&[("allow_unauthenticated", not_quite)], authority, &[]), Ok(Caller::Unproven));
            }
            assert_eq!(outcome(&[("allow_unauthenticated", "true")], authority, &[]), Ok(Caller::Trusted));
        }
        assert_eq!(outcome(&[("allow_unauthenticated", "true"), ("mcp_token", TOKEN)], "x", &[]), Err(401));
    }
}
