//! Entries of `allowed_outbound_hosts`: what Spin 4.0.2 takes, and which requests an entry lets out.
//!
//! Only scheme, host and port of a request are looked at: neither its method nor its path.

use http::Uri;
use std::{net::IpAddr, ops::Range};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost {
    /// None: any.
    scheme: Option<String>,
    host: Host,
    port: Port,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    Any,
    /// With its dot in front.
    Below(String),
    /// The application itself.
    Own,
    Network(IpAddr, u32),
    /// Compared as written.
    One(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Port {
    Any,
    One(u16),
    Between(Range<u16>),
}

impl AllowedHost {
    /// An entry in which templates are rendered already.
    pub fn parse(entry: &str) -> Result<AllowedHost, String> {
        let refuse = |why: &str| format!("{entry:?} is no allowed host: {why}");
        let (scheme, rest) = entry.trim().split_once("://").ok_or_else(|| refuse("it has no scheme"))?;
        if scheme.is_empty() || (scheme != "*" && !scheme.chars().all(char::is_alphabetic)) {
            return Err(refuse("its scheme is neither a word nor *"));
        }
        // The last colon, wherever it is: an IPv6 address needs a port behind it.
        let (host, port) = rest.rsplit_once(':').unwrap_or((rest, ""));
        let (port, path) = port.split_once('/').unwrap_or((port, ""));
        if !path.is_empty() {
            return Err(refuse("it has a path"));
        }
        Ok(AllowedHost {
            host: Host::parse(host).map_err(|why| refuse(&why))?,
            port: Port::parse(port, scheme).map_err(|why| refuse(&why))?,
            scheme: (scheme != "*").then(|| scheme.to_owned()),
        })
    }

    pub fn allows(&self, target: &Uri) -> bool {
        let (Some(scheme), Some(host)) = (target.scheme_str(), target.host()) else { return false };
        self.scheme.as_deref().is_none_or(|allowed| allowed == scheme)
            && self.host.allows(&host.to_ascii_lowercase())
            && self.port.allows(target.port_u16().or_else(|| usual_port(scheme)))
    }
}

impl Host {
    fn parse(host: &str) -> Result<Host, String> {
        let host = host.trim();
        if host.starts_with('{') {
            return Err("lists of hosts are not supported".into());
        }
        match host {
            "*" => return Ok(Host::Any),
            "self" | "self.alt" => return Ok(Host::Own),
            _ => {}
        }
        let (address, bits) = host.split_once('/').unwrap_or((host, ""));
        if let Ok(address) = address.parse::<IpAddr>() {
            let all = if address.is_ipv4() { 32 } else { 128 };
            let bits = if bits.is_empty() { Some(all) } else { bits.parse().ok().filter(|bits| *bits <= all) };
            return bits.map(|bits| Host::Network(address, bits)).ok_or_else(|| "its network is none".into());
        }
        if host.split('/').nth(1).is_some_and(|path| !path.is_empty()) {
            return Err("it has a path".into());
        }
        let host = host.trim_end_matches('/');
        let (below, name) = host.strip_prefix("*.").map_or((false, host), |rest| (true, rest));
        if name.contains('*') {
            return Err("a * stands only in front, as *.example.com".into());
        }
        if name.is_empty() {
            return Err("it has no host".into());
        }
        Ok(if below { Host::Below(format!(".{name}")) } else { Host::One(name.to_owned()) })
    }

    fn allows(&self, host: &str) -> bool {
        match self {
            Host::Any => true,
            Host::Own => false,
            Host::Below(suffix) => host.ends_with(suffix),
            Host::One(one) => one == host,
            Host::Network(network, bits) => {
                let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
                literal.is_ok_and(|address| prefix(*network, *bits) == prefix(address, *bits))
            }
        }
    }
}

/// The first bits of an address, which tell families apart as well.
fn prefix(address: IpAddr, bits: u32) -> (bool, u128) {
    let (all, number) = match address {
        IpAddr::V4(address) => (32, u128::from(address.to_bits())),
        IpAddr::V6(address) => (128, address.to_bits()),
    };
    (address.is_ipv4(), number.checked_shr(all - bits.min(all)).unwrap_or(0))
}

impl Port {
    fn parse(port: &str, scheme: &str) -> Result<Port, String> {
        let number = |text: &str| text.parse().map_err(|_| format!("its port {text:?} is no number"));
        match port {
            "" => {
                usual_port(scheme).map(Port::One).ok_or_else(|| "its scheme has no usual port, so it needs one".into())
            }
            "*" => Ok(Port::Any),
            _ => match port.split_once("..") {
                Some((first, end)) => Ok(Port::Between(number(first)?..number(end)?)),
                None => number(port).map(Port::One),
            },
        }
    }

    fn allows(&self, port: Option<u16>) -> bool {
        match (self, port) {
            (Port::Any, _) => true,
            (Port::One(one), Some(port)) => *one == port,
            (Port::Between(range), Some(port)) => range.contains(&port),
            (_, None) => false,
        }
    }
}

fn usual_port(scheme: &str) -> Option<u16> {
    Some(match scheme {
        "http" => 80,
        "https" => 443,
        "redis" => 6379,
        "mysql" => 3306,
        "postgres" => 5432,
        "mqtt" => 1883,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_entry_may_be() {
        for (entry, why) in [
            ("https://abs.example.com", ""),
            ("https://abs.example.com/", ""),
            ("http://192.0.2.7:13378", ""),
            ("http://[::1]:80", ""),
            ("http://10.0.0.0/8:*", ""),
            ("*://*:*", ""),
            ("https://*.example.com:8000..9000", ""),
            ("http://self", ""),
            ("http://unset.invalid", ""),
            ("", "no scheme"),
            ("abs.example.com", "no scheme"),
            ("insecure:allow-all", "no scheme"),
            ("https://", "no host"),
            ("ht-tp://h", "neither a word"),
            ("://h", "neither a word"),
            ("https://h/path", "a path"),
            ("https://h:1/path", "a path"),
            ("https://{a,b}", "lists"),
            ("https://a.*.b", "only in front"),
            ("https://h:port", "no number"),
            ("https://h:{1,2}", "no number"),
            ("https://h:65536", "no number"),
            ("ftp://h", "needs one"),
            ("*://h", "needs one"),
            // Fixed in later versions of Spin; this is 4.0.2.
            ("http://[::1]", "no number"),
            ("http://10.0.0.0/33:80", "network"),
        ] {
            let problem = AllowedHost::parse(entry).err().unwrap_or_default();
            assert!(problem.contains(why) && problem.is_empty() == why.is_empty(), "{entry}: {problem}");
        }
    }

    #[test]
    fn what_an_entry_lets_out() {
        for (entry, target, want) in [
            ("https://abs.example.com", "https://abs.example.com/any/path?at=all", true),
            ("https://abs.example.com", "https://ABS.example.com:443/", true),
            ("https://abs.example.com", "http://abs.example.com/", false),
            ("https://abs.example.com", "https://abs.example.com:8443/", false),
            ("https://abs.example.com", "https://abs.example.com.evil.example/", false),
            ("https://ABS.example.com", "https://abs.example.com/", false),
            ("http://192.0.2.7:13378", "http://192.0.2.7:13378/api/me", true),
            ("http://192.0.2.7:13378", "http://192.0.2.70:13378/", false),
            ("http://[::1]:80", "http://[::1]/", true),
            ("http://[::1]:80", "http://[::2]/", false),
            ("http://10.0.0.0/8:*", "http://10.1.2.3:99/", true),
            ("http://10.0.0.0/8:*", "http://11.1.2.3/", false),
            ("http://10.0.0.0/8:*", "http://ten.example.com/", false),
            ("https://*.example.com", "https://a.example.com/", true),
            ("https://*.example.com", "https://example.com/", false),
            ("http://h:8000..9000", "http://h:8999/", true),
            ("http://h:8000..9000", "http://h:9000/", false),
            ("*://*:*", "ftp://h/", true),
            ("*://*:*", "/no/authority", false),
        ] {
            let allowed = AllowedHost::parse(entry).unwrap();
            assert_eq!(allowed.allows(&target.parse().unwrap()), want, "{entry} {target}");
        }
    }
}
