//! The files that are measured: those of `cargo xtask generate`, made on the spot.

use xtask::generate::{Plan, write};

/// The seed of every measured file.
pub const SEED: u64 = 1;

/// A generated file of at least so many octets, in UTF-8 with LF line breaks.
///
/// # Panics
///
/// Never: a vector takes what is written to it.
pub fn file(octets: u64) -> Vec<u8> {
    let mut out = Vec::new();
    write(&Plan::new(octets, SEED), &mut out).expect("a vector takes what is written to it");
    out
}
