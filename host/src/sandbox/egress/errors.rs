//! From what the network stack says to the error codes of `wasi:http`, of which the component makes its sentences.

use super::client::NameNotResolved;
use hyper_util::client::legacy;
use policy::CertificateFault;
use rustls::CertificateError;
use std::{error::Error as StdError, io};
use wasmtime_wasi_http::Error;

/// Before the head of the response.
pub(super) fn of_exchange(error: &legacy::Error) -> Error {
    classify(error, error.is_connect())
}

/// In the body of the response.
pub(super) fn in_body(error: &hyper::Error) -> Error {
    if error.is_timeout() {
        return Error::HttpResponseTimeout;
    }
    match io_kind(error) {
        // Chunks that are none.
        Some(io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => Error::HttpProtocolError,
        _ => Error::HttpResponseIncomplete,
    }
}

fn classify(error: &(dyn StdError + 'static), connecting: bool) -> Error {
    if find::<NameNotResolved>(error).is_some() {
        return Error::DnsError { rcode: None, info_code: None };
    }
    if let Some(error) = find::<rustls::Error>(error) {
        return of_tls(error);
    }
    if let Some(error) = find::<hyper::Error>(error) {
        // ABS was reached and went away without an answer. It also does that when a request makes it exit.
        if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
            return Error::ConnectionTerminated;
        }
        if error.is_parse_too_large() {
            return Error::HttpResponseHeaderSectionSize(None);
        }
        if error.is_parse() {
            return Error::HttpProtocolError;
        }
    }
    match io_kind(error) {
        Some(io::ErrorKind::ConnectionRefused) => Error::ConnectionRefused,
        Some(io::ErrorKind::TimedOut) => Error::ConnectionTimeout,
        Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => Error::DestinationIpUnroutable,
        Some(
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof,
        ) => {
            // There was a connection, or it would have been refused. So it was TLS that did not come about.
            if connecting { Error::TlsProtocolError } else { Error::ConnectionTerminated }
        }
        _ if connecting => Error::DestinationUnavailable,
        _ => Error::HttpProtocolError,
    }
}

fn of_tls(error: &rustls::Error) -> Error {
    match error {
        rustls::Error::InvalidCertificate(why) => Error::InternalError(Some(fault(why).code().to_owned())),
        rustls::Error::NoCertificatesPresented => Error::TlsCertificateError,
        rustls::Error::AlertReceived(alert) => {
            Error::TlsAlertReceived { alert_id: Some(u8::from(*alert)), alert_message: Some(format!("{alert:?}")) }
        }
        _ => Error::TlsProtocolError,
    }
}

fn fault(why: &CertificateError) -> CertificateFault {
    match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => CertificateFault::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => CertificateFault::NotYetValid,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            CertificateFault::OtherName
        }
        // An authority that was made anew under its old name signs with another key.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => CertificateFault::UnknownIssuer,
        // Of the crate below, whose errors rustls does not export.
        CertificateError::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            CertificateFault::Authority
        }
        _ => CertificateFault::Other,
    }
}

/// What happened to the connection. Those of kind `Other` only wrap another.
fn io_kind(error: &(dyn StdError + 'static)) -> Option<io::ErrorKind> {
    find_if::<io::Error>(error, |error| error.kind() != io::ErrorKind::Other).map(io::Error::kind)
}

fn find<'a, E: StdError + 'static>(error: &'a (dyn StdError + 'static)) -> Option<&'a E> {
    find_if(error, |_: &E| true)
}

/// The first such error of a type in the chain. An `io::Error` may wrap another error without naming it as its source.
fn find_if<'a, E: StdError + 'static>(error: &'a (dyn StdError + 'static), fits: impl Fn(&E) -> bool) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>().filter(|found| fits(found)) {
            return Some(found);
        }
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match wrapped {
            Some(inner) => Some(inner as &(dyn StdError + 'static)),
            None => error.source(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::AlertDescription;

    #[test]
    fn each_failure_keeps_its_name() {
        let code = |error: io::Error, connecting| {
            let text = format!("{:?}", classify(&error, connecting));
            text.split([' ', '(', '{']).next().unwrap().to_owned()
        };
        use io::ErrorKind as K;
        for (kind, want) in [
            (K::ConnectionRefused, "ConnectionRefused"),
            (K::TimedOut, "ConnectionTimeout"),
            (K::NetworkUnreachable, "DestinationIpUnroutable"),
            (K::ConnectionReset, "TlsProtocolError"),
            (K::PermissionDenied, "DestinationUnavailable"),
        ] {
            assert_eq!(code(kind.into(), true), want, "{kind}");
        }
        assert_eq!(code(K::PermissionDenied.into(), false), "HttpProtocolError");
        assert_eq!(code(K::ConnectionReset.into(), false), "ConnectionTerminated");
        assert_eq!(code(io::Error::other(io::Error::from(K::UnexpectedEof)), true), "TlsProtocolError");
        for (error, want) in [
            (rustls::Error::InvalidCertificate(CertificateError::Expired), "InternalError"),
            (rustls::Error::NoCertificatesPresented, "TlsCertificateError"),
            (rustls::Error::AlertReceived(AlertDescription::HandshakeFailure), "TlsAlertReceived"),
            (rustls::Error::DecryptError, "TlsProtocolError"),
        ] {
            assert_eq!(code(io::Error::new(K::InvalidData, error.clone()), true), want, "{error}");
        }
    }
}
