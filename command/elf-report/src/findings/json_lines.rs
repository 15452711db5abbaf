//! Findings as JSON Lines.

use super::at::At;
use crate::json;
use elf_base::{Diagnostic, FlatFinding};
use elf_check::flat_fix;
use std::io::{self, Write};

/// Writes one finding of `file`, and the structure that it is about, as one line.
pub(super) fn finding(out: &mut dyn Write, file: &str, finding: &Diagnostic, at: &At<'_>) -> io::Result<()> {
    let finding = FlatFinding::new(finding)
        .in_file(file)
        .in_record(at.record.as_deref(), at.path.as_deref())
        .with_fix(at.repair.map(flat_fix));
    json::write_line(out, &finding)
}
