//! What can be wrong with the certificate of Audiobookshelf.
//!
//! `wasi:http` has one code for all of it. The host says which it is in the text of an internal error, and the component
//! makes its sentence of that; the texts of other hosts are none of these, so that they never pass for one.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateFault {
    Expired,
    NotYetValid,
    OtherName,
    UnknownIssuer,
    /// A certificate that may sign others, shown as a server's own: what `openssl req -x509` makes.
    Authority,
    Other,
}

impl CertificateFault {
    pub const ALL: [CertificateFault; 6] = [
        CertificateFault::Expired,
        CertificateFault::NotYetValid,
        CertificateFault::OtherName,
        CertificateFault::UnknownIssuer,
        CertificateFault::Authority,
        CertificateFault::Other,
    ];

    pub const fn code(self) -> &'static str {
        match self {
            CertificateFault::Expired => "certificate-expired",
            CertificateFault::NotYetValid => "certificate-not-yet-valid",
            CertificateFault::OtherName => "certificate-for-another-name",
            CertificateFault::UnknownIssuer => "certificate-of-unknown-issuer",
            CertificateFault::Authority => "certificate-of-an-authority",
            CertificateFault::Other => "certificate-not-valid",
        }
    }

    pub fn from_code(code: &str) -> Option<CertificateFault> {
        CertificateFault::ALL.into_iter().find(|fault| fault.code() == code)
    }
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CertificateFault::Expired => "its certificate has expired (or the clock here is wrong)",
            CertificateFault::NotYetValid => "its certificate is not valid yet (or the clock here is wrong)",
            CertificateFault::OtherName => {
                "its certificate is made out for other names than the host in AUDIOBOOKSHELF_URL"
            }
            CertificateFault::UnknownIssuer => {
                "its certificate comes from an authority that is not known here; if it is your own, put its certificate into \
                 a file and name that in AUDIOBOOKSHELF_CA_FILE"
            }
            CertificateFault::Authority => {
                "the certificate it shows is an authority's, which may not be a server's own; make one for the server and \
                 sign it with that authority"
            }
            CertificateFault::Other => "its certificate is not valid",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_back_and_nothing_else_is() {
        for fault in CertificateFault::ALL {
            assert_eq!(CertificateFault::from_code(fault.code()), Some(fault));
        }
        for other in ["", "expired", "certificate-expired ", "invalid peer certificate: Expired"] {
            assert_eq!(CertificateFault::from_code(other), None, "{other}");
        }
    }
}
