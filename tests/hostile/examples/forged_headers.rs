//! Says that it is somebody else: headers that prove who asks, say whom, or tell a proxy what to do. Each in a request of
//! its own, beside the two that may be set.

use hostile::{Ask, Call};

const HEADERS: [(&str, &str); 28] = [
    ("authorization", "Bearer forged"),
    ("Authorization", "Basic Zm9yZ2Vk"),
    ("cookie", "session=forged"),
    ("host", "forged.example"),
    ("proxy-authorization", "Basic Zm9yZ2Vk"),
    ("proxy-connection", "forged"),
    ("proxy-authenticate", "forged"),
    ("connection", "forged, upgrade"),
    ("keep-alive", "forged"),
    ("te", "trailers"),
    ("trailer", "forged"),
    ("transfer-encoding", "chunked"),
    ("upgrade", "forged"),
    ("http2-settings", "forged"),
    ("content-length", "7"),
    ("expect", "100-continue"),
    ("x-forwarded-for", "forged"),
    ("x-forwarded-host", "forged.example"),
    ("x-forwarded-proto", "forged"),
    ("x-real-ip", "forged"),
    ("forwarded", "for=forged"),
    ("x-http-method-override", "DELETE"),
    ("x-original-url", "/api/users"),
    ("x-refresh-token", "forged"),
    ("accept-encoding", "gzip"),
    ("range", "bytes=0-0"),
    ("user-agent", "forged"),
    ("x-injected", "a\r\nauthorization: Bearer forged"),
];

fn misbehave(call: Call) {
    call.report(HEADERS.map(|(name, value)| {
        let ask = Ask::honest();
        let outcome = match ask.headers.append(name, value.as_bytes()) {
            Err(error) => format!("unsettable {error:?}"),
            Ok(()) => {
                ask.headers.append("accept", b"application/json").expect("may be set");
                ask.headers.append("accept", b"forged/forged").expect("may be set");
                ask.send()
            }
        };
        (name, outcome)
    }));
}

hostile::component!(misbehave);
