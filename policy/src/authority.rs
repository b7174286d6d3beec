//! Hosts and ports as they are written in URLs and `Host` headers.

use std::net::IpAddr;

/// Splits `host[:port]`. The host comes back without brackets and in lower case; a port is 1 to 65535 in digits.
/// `None` for anything else: user information, an empty host, `host:`, `:80`, `host:abc`, an unclosed bracket.
pub fn split_authority(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = if let Some(rest) = authority.strip_prefix('[') {
        let (inside, after) = rest.split_once(']')?;
        let address: std::net::Ipv6Addr = inside.parse().ok()?;
        let port = match after {
            "" => None,
            _ => Some(after.strip_prefix(':')?),
        };
        (address.to_string(), port)
    } else {
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        };
        let plain =
            !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
        if !plain {
            return None;
        }
        (host.to_ascii_lowercase(), port)
    };
    let port = match port {
        None => None,
        Some(digits) if digits.len() <= 5 && digits.bytes().all(|b| b.is_ascii_digit()) => {
            Some(digits.parse::<u16>().ok().filter(|p| *p != 0)?)
        }
        Some(_) => return None,
    };
    Some((host, port))
}

/// Whether a host (as [`split_authority`] returns it) names this machine itself: 127.0.0.0/8, ::1, an IPv4-mapped
/// loopback address, `localhost` with or without its final dot. `127.example.com` does not.
pub fn is_loopback(host: &str) -> bool {
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(v4)) => v4.is_loopback(),
        Ok(IpAddr::V6(v6)) => v6.is_loopback() || v6.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback()),
        Err(_) => host.strip_suffix('.').unwrap_or(host).eq_ignore_ascii_case("localhost"),
    }
}

/// Whether what is sent to a host goes over a network. Not to loopback, nor to a name below `localhost`: RFC 6761 keeps those
/// on the machine. (As the `Host` of a request such a name proves nothing, so [`is_loopback`] does not have it.)
pub fn leaves_the_machine(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    !is_loopback(host) && !name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities() {
        let ok = |text, host: &str, port| assert_eq!(split_authority(text), Some((host.to_owned(), port)), "{text}");
        ok("abs.example.com", "abs.example.com", None);
        ok("ABS.Example.com:13378", "abs.example.com", Some(13378));
        ok("[::1]:80", "::1", Some(80));
        ok("[0:0:0:0:0:0:0:1]", "::1", None);
        for bad in [
            "", ":80", "h:", "h:abc", "h:65536", "h:0", "h:+1", "[::1", "[::1]x", "::1", "u@h", "u:p@h", "h/x", "h h",
            "hä", "[h]",
        ] {
            assert_eq!(split_authority(bad), None, "{bad}");
        }
    }

    #[test]
    fn loopback_spellings() {
        for yes in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "localhost", "localhost.", "LOCALHOST"] {
            assert!(is_loopback(yes), "{yes}");
        }
        for no in ["127.example.com", "localhost.evil", "0.0.0.0", "::", "10.0.0.1", "2130706433", "127.1", "evil"] {
            assert!(!is_loopback(no), "{no}");
        }
    }
    #[test]
    fn what_goes_over_a_network() {
        for (host, leaves, why) in [
            ("127.0.0.1", false, "loopback"),
            ("127.255.255.254", false, "all of 127.0.0.0/8 is"),
            ("::1", false, "loopback"),
            ("::ffff:127.0.0.1", false, "the same, mapped"),
            ("::ffff:7f00:1", false, "the same, in hexadecimal"),
            ("localhost", false, "loopback by name"),
            ("localhost.", false, "a name with its root is the same name"),
            ("LocalHost", false, "names have no case"),
            ("foo.localhost", false, "below localhost"),
            ("foo.localhost.", false, "the same, with its root"),
            ("127.example.com", true, "a name that begins like an address"),
            ("127.0.0.1.example.com", true, "likewise"),
            ("localhost.example.com", true, "below another name"),
            ("notlocalhost", true, "another name"),
            ("::ffff:192.0.2.7", true, "mapped, of another machine"),
            ("192.0.2.7", true, "another machine"),
            ("10.0.0.1", true, "a private network is a network"),
            ("169.254.1.1", true, "so is the link"),
            ("fe80::1", true, "likewise"),
            ("0.0.0.0", true, "no address of anything; better said once too often"),
            ("nas", true, "any name"),
            ("127.1", true, "no spelling of an address here, and no origin can have it"),
            ("2130706433", true, "likewise"),
        ] {
            assert_eq!(leaves_the_machine(host), leaves, "{host}: {why}");
        }
    }
}
