//! Named tests about the tables themselves: all obligations of a draft are met.

use super::expect_true;
use crate::requirements::Standard;
use crate::suite::{Status, Suite};
use elf_base::Draft;

/// J19-OCT-01: a program conforms if it does everything that its draft requires.
pub(super) fn january() -> Result<(), String> {
    every_obligation_is_met(Draft::January2019, "J19-OCT-01")
}

/// D19-GEN-01: the same for December.
pub(super) fn december() -> Result<(), String> {
    every_obligation_is_met(Draft::December2019, "D19-GEN-01")
}

/// Checks that every requirement with an absolute keyword is met or untestable. `own` is the requirement of this test.
fn every_obligation_is_met(draft: Draft, own: &str) -> Result<(), String> {
    let suite = Suite::load()?;
    let mut seen = 0;
    for row in suite.requirements.rows() {
        let binds = matches!(row.strength.as_str(), "MUST" | "MUST NOT" | "SHALL" | "SHALL NOT" | "REQUIRED");
        if row.standard != Standard::Draft(draft) || !binds || row.id == own {
            continue;
        }
        seen += 1;
        expect_true(&format!("{} to be met", row.id), !matches!(suite.status_of(&row.id), Status::Open(_)))?;
    }
    expect_true("rows that oblige", seen > 50)
}
