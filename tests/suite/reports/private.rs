//! An Audiobookshelf behind TLS whose certificate is from an authority that no platform knows.
//!
//! The certificates are for localhost and a hundred years, made with openssl; the key of the authority was not kept.

use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener},
    sync::Arc,
};

pub const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/suite/reports/private-ca/ca.pem");

/// Answers every request with no libraries, until the tests end.
pub fn serve() -> SocketAddr {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("private-ca/server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("private-ca/server.key")).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut tls = rustls::StreamOwned::new(connection, stream);
            let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\
                          connection: close\r\n\r\n{\"libraries\":[]}";
            // A client that does not trust it leaves.
            if tls.read(&mut [0; 4096]).is_ok() {
                let _ = tls.write_all(answer.as_bytes());
                tls.conn.send_close_notify();
                let _ = tls.flush();
            }
        }
    });
    address
}
