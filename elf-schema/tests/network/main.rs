//! Fetching external schemas from servers on loopback.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod certificate;
mod http;
mod tls;

/// Makes `ring` the provider of cryptography for all tests of this program.
fn install_crypto_provider() {
    static INSTALLED: std::sync::Once = std::sync::Once::new();
    INSTALLED.call_once(|| {
        let installed = rustls::crypto::ring::default_provider().install_default();
        assert!(installed.is_ok(), "another provider is installed");
    });
}
