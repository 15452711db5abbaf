//! Prints the findings of commands whose output is data: as text on standard error, or as JSON between the data.

use crate::args::Format;
use crate::console::Console;
use elf_base::{Diagnostic, Sink};
use elf_report::json;
use std::io::{self, Write};

/// The findings of one file, printed as they are reported.
pub(crate) struct Findings<'f, W> {
    file: &'f str,
    format: Format,
    console: &'f mut Console,
    out: &'f mut W,
    written: io::Result<()>,
}

impl<'f, W: Write> Findings<'f, W> {
    /// Prints the findings of `file` as text to `console` or as JSON to `out`.
    pub(crate) fn new(file: &'f str, format: Format, console: &'f mut Console, out: &'f mut W) -> Self {
        Findings { file, format, console, out, written: Ok(()) }
    }

    /// Returns the first error of writing, if there was one.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.written
    }
}

impl<W: Write> Sink for Findings<'_, W> {
    fn report(&mut self, finding: Diagnostic) {
        match self.format {
            Format::Human => self.console.print_diagnostic(self.file, &finding),
            Format::Json if self.written.is_ok() => {
                self.written = json::write_diagnostic(self.out, self.file, &finding);
            }
            Format::Json => {}
        }
    }
}
