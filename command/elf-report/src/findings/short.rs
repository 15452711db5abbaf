//! Prints one line per finding, for editors and `grep`.

use crate::sanitise;
use elf_base::Diagnostic;
use std::io::{self, Write};

/// Writes `FILE:LINE:COLUMN: CLASS[CODE] MESSAGE`. Without a place, line and column are left out.
pub(super) fn finding(out: &mut dyn Write, file: &str, finding: &Diagnostic) -> io::Result<()> {
    let Diagnostic { class, code, message, place, .. } = finding;
    write!(out, "{}:", sanitise(file))?;
    if let Some(place) = place {
        write!(out, "{}:{}:", place.line, place.column)?;
    }
    writeln!(out, " {class}[{}] {}", code.id(), sanitise(message))
}
