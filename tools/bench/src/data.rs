//! The files that are measured: those of `cargo xtask generate`, made on the spot.

use xtask::generate::{Plan, write};

/// The plan of every measured file: of at least so many octets, in UTF-8 with LF line breaks.
pub const fn plan(octets: u64) -> Plan {
    Plan::new(octets, 1)
}

/// The file of `plan`.
///
/// # Panics
///
/// If the plan asks for an encoding that CHAR has no name for.
pub fn file(plan: &Plan) -> Vec<u8> {
    let mut out = Vec::new();
    write(plan, &mut out).expect("a vector takes what is written to it");
    out
}

/// The text of `plan`, which asks for UTF-8.
///
/// # Panics
///
/// If the plan asks for another encoding.
pub fn text(plan: &Plan) -> String {
    String::from_utf8(file(plan)).expect("a file in UTF-8")
}
