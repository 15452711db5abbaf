//! Schemas over https, from a server whose certificate an authority of the test has signed: the caller's
//! roots of trust count, and no others.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use crate::certificate::{Authority, Signed};
use elf_schema::source::http::{FetchError, Fetcher, Limits, reqwest};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

const SCHEMA: &[u8] = b"0 HEAD\n1 SCHMA\n2 IRI https://e.example/A\n0 TRLR\n";

/// A server with a certificate for 127.0.0.1; returns its port.
fn serve(Signed { certificate, key }: Signed) -> u16 {
    let chain = vec![CertificateDer::from(certificate)];
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key));
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key);
    let config = Arc::new(config.expect("a certificate and its key"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
            let mut stream = BufReader::new(StreamOwned::new(connection, stream));
            // A client that trusts nobody here goes away, and nothing can be read.
            let asked = stream.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            if asked.count() > 0 {
                let mut stream = stream.into_inner();
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                    SCHEMA.len()
                );
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(SCHEMA));
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    port
}

/// Asks `host` for a schema, with a client that trusts these roots alone, or those of the machine.
fn fetch(host: &str, port: u16, roots: Option<&[&Authority]>) -> Result<Vec<u8>, FetchError> {
    let mut client = reqwest::Client::builder();
    if let Some(roots) = roots {
        let root =
            |root: &&Authority| reqwest::Certificate::from_der(&root.certificate).expect("a certificate");
        client = client.tls_certs_only(roots.iter().map(root));
    }
    // Loopback is no public address: the caller vouches for it.
    let fetcher = Fetcher::from_builder(client, Limits::default(), ["127.0.0.1", "localhost"])?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let fetched = runtime.block_on(fetcher.fetch(&format!("https://{host}:{port}/schema"), None));
    fetched.map(|fetched| fetched.kept.octets)
}

#[test]
fn the_roots_of_the_caller_decide_whom_to_trust() {
    crate::install_crypto_provider();
    let [ours, other] = ["ours", "other"].map(Authority::new);
    let port = serve(ours.sign([127, 0, 0, 1]));
    assert_eq!(fetch("127.0.0.1", port, Some(&[&ours])).expect("a schema"), SCHEMA);
    assert_eq!(fetch("127.0.0.1", port, Some(&[&other, &ours])).expect("a schema"), SCHEMA);
    refuse(fetch("127.0.0.1", port, Some(&[&other])), "`127.0.0.1` is not signed by a trusted authority");
    // An authority of a test is none of the machine's.
    refuse(fetch("127.0.0.1", port, None), "`127.0.0.1` is not signed by a trusted authority");
    // The certificate is that of an address, not of a name that leads there.
    refuse(fetch("localhost", port, Some(&[&ours])), "`localhost` is for another host");
}

fn refuse(fetched: Result<Vec<u8>, FetchError>, why: &str) {
    let error = fetched.expect_err("nobody vouches for it");
    assert_eq!(error.to_string(), format!("the certificate of {why}"));
}
