//! Who may call.
//!
//! stdio: whoever started the process. HTTP: whoever shows the token; without one, only callers on this machine, which a
//! `Host` header alone does not prove. So the host says where it listens, and a loopback `Host` and `Origin` are wanted on
//! top of that: a web page that got its own name to resolve to 127.0.0.1 has neither (DNS rebinding).

use super::http::{HttpRequest, HttpResponse};
use crate::settings::{Settings, Surface};
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
    let from_here = |origin: &str| settings.surface == Surface::Loopback && is_loopback_origin(origin);
    match request.single("origin") {
        Ok(None) => {}
        Ok(Some(origin)) if from_here(origin) => {}
        Ok(Some(_)) | Err(_) => return Err(HttpResponse::refuse(403, "Forbidden: this Origin is not allowed")),
    }
    if let Some(token) = &settings.mcp_token {
        return match bearer(request) {
            Some(given) if same(token, given) => Ok(Caller::Trusted),
            _ => {
                Err(HttpResponse::refuse(401, "Unauthorized: send Authorization: Bearer with the token of this server")
                    .with("www-authenticate", "Bearer"))
            }
        };
    }
    match settings.surface {
        Surface::Loopback => {
            let host = request.authority.as_deref().and_then(split_authority);
            if host.is_some_and(|(host, _)| is_loopback(&host)) {
                Ok(Caller::Trusted)
            } else {
                Err(HttpResponse::refuse(
                    403,
                    "Forbidden: without a token only loopback names are served (Host header)",
                ))
            }
        }
        _ if settings.allow_unauthenticated => Ok(Caller::Trusted),
        _ => Ok(Caller::Unproven),
    }
}

fn is_loopback_origin(origin: &str) -> bool {
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.and_then(split_authority).is_some_and(|(host, _)| is_loopback(&host))
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

    #[test]
    fn with_a_token() {
        let there = [("mcp_token", "s3cret")];
        let with = |value: &str| outcome(&there, "mcp.example.com", &[("authorization", value)]);
        assert_eq!(with("Bearer s3cret"), Ok(Caller::Trusted));
        assert_eq!(with("bearer s3cret"), Ok(Caller::Trusted));
        for wrong in ["Bearer s3cre", "Bearer s3cret ", "Bearer  s3cret", "Basic s3cret", "s3cret", "Bearer", ""] {
            // A trailing space is header padding, which every HTTP reader drops.
            let want = if wrong.ends_with("t ") { Ok(Caller::Trusted) } else { Err(401) };
            assert_eq!(with(wrong), want, "{wrong:?}");
        }
        assert_eq!(outcome(&there, "mcp.example.com", &[]), Err(401));
    }

    #[test]
    fn a_host_that_vouches_for_nothing() {
        assert_eq!(outcome(&[], "localhost", &[]), Ok(Caller::Unproven));
        assert_eq!(outcome(&[("allow_unauthenticated", "yes")], "localhost", &[]), Ok(Caller::Unproven));
        assert_eq!(outcome(&[("allow_unauthenticated", "true")], "x", &[]), Ok(Caller::Trusted));
    }
}
