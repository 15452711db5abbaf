//! Findings as JSON Lines.

use super::at::At;
use crate::json;
use elf_base::{Diagnostic, FlatFinding, FlatFix, FlatLines, Safety};
use elf_tagged::elf_octets::Patch;
use std::io::{self, Write};

/// Writes one finding of `file`, and the structure that it is about, as one line.
pub(super) fn finding(out: &mut dyn Write, file: &str, finding: &Diagnostic, at: &At<'_>) -> io::Result<()> {
    let finding = FlatFinding::new(finding)
        .in_file(file)
        .in_record(at.record.as_deref(), at.path.as_deref())
        .repaired_by(at.repair.map(fix));
    json::line(out, &finding)
}

fn fix(patches: &[Patch]) -> FlatFix<'_> {
    let lines = patches.iter().map(|Patch { lines, with, .. }| FlatLines {
        line: lines.start,
        remove: lines.end - lines.start,
        insert: with.split_terminator('\n').collect(),
    });
    FlatFix { safety: Safety::Safe.name(), lines: lines.collect() }
}
