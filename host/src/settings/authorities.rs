//! `AUDIOBOOKSHELF_CA_FILE`: authorities that are trusted besides the platform's.
//!
//! The file is read at the start, whole: one that cannot be used stops the program, since without it no call would succeed.

use super::{
    Problem,
    path::{self, Shown},
};
use crate::environment::Environment;
use rustls::{
    RootCertStore,
    pki_types::{
        CertificateDer,
        pem::{self, PemObject},
    },
};
use std::fmt;

pub(super) const NAME: &str = "AUDIOBOOKSHELF_CA_FILE";

/// Several times all the authorities of a browser.
const MAX_FILE: u64 = 4 * 1024 * 1024;

/// In addition to those of the platform.
#[derive(Clone, Default)]
pub struct Authorities(Vec<CertificateDer<'static>>);

impl Authorities {
    pub fn certificates(&self) -> impl ExactSizeIterator<Item = CertificateDer<'static>> {
        self.0.iter().cloned()
    }
}

impl fmt::Debug for Authorities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} certificates", self.0.len())
    }
}

pub(super) fn read(environment: &Environment) -> Result<Authorities, Problem> {
    let Some(path) = environment.get(NAME) else { return Ok(Authorities::default()) };
    if path.contains("-----BEGIN") {
        return Err(Problem(format!(
            "{NAME} holds what should be in a file. Put the certificate into a file and set {NAME} to its path."
        )));
    }
    let cannot = |why: &str| Problem(format!("the file that {NAME} points to{} cannot be used: {why}.", Shown(path)));
    let (bytes, _) = path::contents(path.as_ref(), MAX_FILE, "a list of certificates").map_err(|why| cannot(&why))?;
    parse(&bytes).map(Authorities).map_err(cannot)
}

fn parse(bytes: &[u8]) -> Result<Vec<CertificateDer<'static>>, &'static str> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err("it is empty");
    }
    // An ASN.1 sequence with a length of two bytes, as every certificate begins.
    if bytes.starts_with(&[0x30, 0x82]) {
        return Err("it is a binary (DER) file and must be text (PEM). openssl x509 -inform der -in FILE converts it");
    }
    let mut roots = RootCertStore::empty();
    let mut certificates = Vec::new();
    for certificate in CertificateDer::pem_slice_iter(bytes) {
        let certificate = certificate.map_err(|error| match error {
            pem::Error::MissingSectionEnd { .. } => "a certificate in it is cut off: its END line is missing",
            _ => "it is not valid PEM",
        })?;
        roots.add(certificate.clone()).map_err(|_| "what it calls a certificate is none")?;
        certificates.push(certificate);
    }
    if certificates.is_empty() {
        let pem = bytes.windows(10).any(|window| window == b"-----BEGIN");
        return Err(if pem { "it holds no certificate, but something else" } else { "it holds no certificate in PEM" });
    }
    Ok(certificates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
    use std::path::PathBuf;

    struct File(PathBuf);

    impl File {
        fn with(name: &str, bytes: impl AsRef<[u8]>) -> File {
            let path = std::env::temp_dir().join(format!("audiobookshelf-mcp-ca-{}-{name}.pem", std::process::id()));
            std::fs::write(&path, bytes).unwrap();
            File(path)
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    fn authority() -> (String, Vec<u8>, String) {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::default();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = parameters.self_signed(&key).unwrap();
        (certificate.pem(), certificate.der().to_vec(), key.serialize_pem())
    }

    #[test]
    fn files() {
        let (pem, der, key) = authority();
        let half = &pem[..pem.len() / 2];
        let no_certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        for (name, bytes, want) in [
            ("one", pem.as_bytes(), Ok(1)),
            ("two", format!("# ours\n{pem}\nand\n{pem}").as_bytes(), Ok(2)),
            ("crlf", pem.replace('\n', "\r\n").as_bytes(), Ok(1)),
            ("with a key", format!("{key}{pem}").as_bytes(), Ok(1)),
            ("empty", b"", Err("it is empty")),
            ("blank", b" \n\n", Err("it is empty")),
            ("text", b"hello", Err("holds no certificate in PEM")),
            ("html", b"<html></html>", Err("holds no certificate in PEM")),
            ("der", &der, Err("binary (DER)")),
            ("key", key.as_bytes(), Err("something else")),
            ("half", half.as_bytes(), Err("cut off")),
            ("whole and half", format!("{pem}{half}").as_bytes(), Err("cut off")),
            ("no certificate", no_certificate.as_bytes(), Err("is none")),
            ("no base64", no_certificate.replace("AAAA", "!!!!").as_bytes(), Err("not valid PEM")),
        ] {
            let file = File::with(&name.replace(' ', "-"), bytes);
            let path = file.0.to_str().unwrap();
            match (read(&Environment::of(&[(NAME, path)])), want) {
                (Ok(authorities), Ok(count)) => assert_eq!(authorities.certificates().len(), count, "{name}"),
                (Err(Problem(text)), Err(want)) => {
                    assert!(text.contains(NAME) && text.contains(path) && text.contains(want), "{name}: {text}");
                    assert!(!text.contains("PRIVATE KEY"), "{text}");
                }
                (got, want) => panic!("{name}: {got:?}, not {want:?}"),
            }
        }
    }

    #[test]
    fn what_is_no_usable_file() {
        let (pem, ..) = authority();
        let key = format!("eyJhbGciOiJIUzI1NiJ9.{}", "c2VjcmV0".repeat(12));
        for (value, want, shown) in [
            ("/nowhere/ca.pem", "not found", true),
            ("/", "is a directory", true),
            (&pem, "should be in a file", false),
            (&key, "cannot be used", false),
        ] {
            let Problem(text) = read(&Environment::of(&[(NAME, value)])).unwrap_err();
            assert!(text.contains(NAME) && text.contains(want), "{text}");
            assert_eq!(text.contains(value), shown, "{text}");
        }
        assert_eq!(read(&Environment::of(&[(NAME, "")])).unwrap().certificates().len(), 0);
    }
}
