//! Certificates of X.509 (RFC 5280), as few octets of DER as TLS asks for.

use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};

const SEQUENCE: u8 = 0x30;
const OID: u8 = 0x06;
/// `ecdsa-with-SHA256`.
const ECDSA_SHA256: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2];
/// `id-ecPublicKey`.
const PUBLIC_KEY: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1];
/// `prime256v1`.
const P256: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7];
/// `commonName`.
const COMMON_NAME: &[u8] = &[0x55, 4, 3];
/// `subjectAltName`.
const ALTERNATIVE_NAME: &[u8] = &[0x55, 0x1D, 17];
/// `basicConstraints`.
const CONSTRAINTS: &[u8] = &[0x55, 0x1D, 19];

/// An authority that signs certificates.
pub(crate) struct Authority {
    name: &'static str,
    key: EcdsaKeyPair,
    /// The certificate of the authority, signed by itself.
    pub(crate) certificate: Vec<u8>,
}

/// A certificate, and the key of its subject as PKCS #8.
pub(crate) struct Signed {
    pub(crate) certificate: Vec<u8>,
    pub(crate) key: Vec<u8>,
}

impl Authority {
    /// A new authority of that name.
    pub(crate) fn new(name: &'static str) -> Authority {
        let (key, _) = new_key();
        let is_authority = der(SEQUENCE, &[&der(0x01, &[&[0xFF]])]);
        let certificate = certificate(name, (name, &key), &key, CONSTRAINTS, &is_authority);
        Authority { name, key, certificate }
    }

    /// Signs a certificate for the server at an address.
    pub(crate) fn sign(&self, address: [u8; 4]) -> Signed {
        let (key, pkcs8) = new_key();
        let names = der(SEQUENCE, &[&der(0x87, &[&address])]);
        let certificate = certificate("server", (self.name, &self.key), &key, ALTERNATIVE_NAME, &names);
        Signed { certificate, key: pkcs8 }
    }
}

fn new_key() -> (EcdsaKeyPair, Vec<u8>) {
    let (algorithm, random) = (&ECDSA_P256_SHA256_ASN1_SIGNING, SystemRandom::new());
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
    let key = EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).expect("the same key");
    (key, pkcs8.as_ref().to_vec())
}

/// A certificate of version 3 with one extension, valid for all of this century.
fn certificate(
    subject: &str,
    (issuer, signer): (&str, &EcdsaKeyPair),
    key: &EcdsaKeyPair,
    extension: &[u8],
    content: &[u8],
) -> Vec<u8> {
    let algorithm = der(SEQUENCE, &[&der(OID, &[ECDSA_SHA256])]);
    let valid = der(SEQUENCE, &[&der(0x17, &[b"000101000000Z"]), &der(0x18, &[b"20991231235959Z"])]);
    let kind = der(SEQUENCE, &[&der(OID, &[PUBLIC_KEY]), &der(OID, &[P256])]);
    let public = der(SEQUENCE, &[&kind, &bits(key.public_key().as_ref())]);
    let extension = der(SEQUENCE, &[&der(OID, &[extension]), &der(0x04, &[content])]);
    let signed = der(
        SEQUENCE,
        &[
            &der(0xA0, &[&der(0x02, &[&[2]])]),
            &der(0x02, &[&[1]]),
            &algorithm,
            &name(issuer),
            &valid,
            &name(subject),
            &public,
            &der(0xA3, &[&der(SEQUENCE, &[&extension])]),
        ],
    );
    let signature = signer.sign(&SystemRandom::new(), &signed).expect("a signature");
    der(SEQUENCE, &[&signed, &algorithm, &bits(signature.as_ref())])
}

fn name(text: &str) -> Vec<u8> {
    let attribute = der(SEQUENCE, &[&der(OID, &[COMMON_NAME]), &der(0x0C, &[text.as_bytes()])]);
    der(SEQUENCE, &[&der(0x31, &[&attribute])])
}

/// A string of bits, a whole number of octets.
fn bits(octets: &[u8]) -> Vec<u8> {
    der(0x03, &[&[0], octets])
}

/// A value of DER: its tag, its length, and its parts one after the other.
fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = u16::try_from(content.len()).expect("a short value").to_be_bytes();
    let mut value = vec![tag];
    match length {
        [0, short @ ..0x80] => value.push(short),
        [0, long] => value.extend([0x81, long]),
        [high, low] => value.extend([0x82, high, low]),
    }
    value.extend(content);
    value
}
