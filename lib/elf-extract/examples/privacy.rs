//! Writes a file without people who may be living: `cargo run --example privacy -- FILE > PUBLIC`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_extract::elf_schema::TypedDocument;
use elf_extract::{LivingRule, Plan, Redaction, Survey};
use std::error::Error;
use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("expected a file")?;
    // The library does not look at the clock. 1 January 1970 is the Julian day 2440588.
    let days = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() / 86_400;
    let public = public(&std::fs::read(file)?, 2_440_588 + i64::try_from(days)?)?;
    Ok(std::io::stdout().write_all(&public)?)
}

/// Removes people who may be living on `today`, a Julian day number.
pub(crate) fn public(octets: &[u8], today: i64) -> Result<Vec<u8>, Box<dyn Error>> {
    let typed = TypedDocument::parse(octets)?;
    let plan = Plan::redaction(Survey::of(&typed), &Redaction::by(LivingRule::on(today)))?;
    Ok(plan.extract()?.octets.into_owned())
}
