//! Certificates, made up when a test needs them.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio_rustls::rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer},
};

/// An authority that no system knows, and the file with its certificate.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    file: PathBuf,
}

/// When a certificate is valid.
#[derive(Clone, Copy)]
pub enum When {
    Now,
    Past,
    Future,
}

impl Authority {
    pub fn new() -> Authority {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (parameters, key) = (authority(), KeyPair::generate().expect("a key"));
        let pem = parameters.self_signed(&key).expect("a certificate").pem();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let file = std::env::temp_dir().join(format!("audiobookshelf-mcp-suite-{}-{count}.pem", std::process::id()));
        std::fs::write(&file, pem).expect("a file");
        Authority { issuer: Issuer::new(parameters, key), file }
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// A server with a certificate of this authority.
    pub fn server(&self, name: &str, when: When) -> Arc<ServerConfig> {
        let key = KeyPair::generate().expect("a key");
        let certificate = server(name, when).signed_by(&key, &self.issuer).expect("a certificate");
        config(certificate.der().clone(), &key)
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

/// A server with a certificate that it signed itself.
pub fn self_signed(name: &str) -> Arc<ServerConfig> {
    let key = KeyPair::generate().expect("a key");
    let certificate = server(name, When::Now).self_signed(&key).expect("a certificate");
    config(certificate.der().clone(), &key)
}

/// Likewise, with a certificate that may sign others and is in the file: what people make with one line of openssl.
pub fn authority_as_server(name: &str, file: &Path) -> Arc<ServerConfig> {
    let key = KeyPair::generate().expect("a key");
    let mut parameters = server(name, When::Now);
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let certificate = parameters.self_signed(&key).expect("a certificate");
    let both = format!("{}{}", std::fs::read_to_string(file).expect("the file"), certificate.pem());
    std::fs::write(file, both).expect("a file");
    config(certificate.der().clone(), &key)
}

fn authority() -> CertificateParams {
    let mut parameters = CertificateParams::default();
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    parameters.distinguished_name.push(DnType::CommonName, "Authority of the suite");
    parameters
}

fn server(name: &str, when: When) -> CertificateParams {
    let mut parameters = CertificateParams::new([name.to_owned()]).expect("a name");
    let (from, to) = match when {
        When::Now => (2020, 4000),
        When::Past => (2020, 2021),
        When::Future => (3990, 4000),
    };
    (parameters.not_before, parameters.not_after) = (date_time_ymd(from, 1, 1), date_time_ymd(to, 1, 1));
    parameters
}

fn config(certificate: CertificateDer<'static>, key: &KeyPair) -> Arc<ServerConfig> {
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("TLS")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivatePkcs8KeyDer::from(key.serialize_der()).into())
        .expect("a certificate and its key");
    Arc::new(config)
}
