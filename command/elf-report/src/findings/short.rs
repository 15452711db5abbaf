//! Findings one a line, for editors and `grep`.

use crate::sanitise;
use elf_base::Diagnostic;
use std::io::{self, Write};

/// Writes `FILE:LINE:COLUMN: CLASS[CODE] MESSAGE`; what has no place is of the file alone.
pub(super) fn finding(out: &mut dyn Write, file: &str, finding: &Diagnostic) -> io::Result<()> {
    let Diagnostic { class, code, message, place, .. } = finding;
    write!(out, "{}:", sanitise(file))?;
    if let Some(place) = place {
        write!(out, "{}:{}:", place.line, place.column)?;
    }
    writeln!(out, " {class}[{}] {}", code.id(), sanitise(message))
}
