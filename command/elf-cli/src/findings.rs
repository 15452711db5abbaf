//! Outlets of findings of commands whose output is data: standard error for a person, one object a line among
//! the data for a program.

use crate::args::Format;
use crate::console::Console;
use elf_base::{Diagnostic, Sink};
use elf_report::json;
use std::io::{self, Write};

/// The findings of one file, printed as they come.
pub(crate) struct Findings<'f, W> {
    file: &'f str,
    format: Format,
    console: &'f mut Console,
    out: &'f mut W,
    written: io::Result<()>,
}

impl<'f, W: Write> Findings<'f, W> {
    /// Makes a printer of the findings of `file`, as JSON to `out`.
    pub(crate) fn of(file: &'f str, format: Format, console: &'f mut Console, out: &'f mut W) -> Self {
        Findings { file, format, console, out, written: Ok(()) }
    }

    /// Ends the printing. An error if any finding could not be written.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.written
    }
}

impl<W: Write> Sink for Findings<'_, W> {
    fn report(&mut self, finding: Diagnostic) {
        match self.format {
            Format::Human => self.console.diagnostic(self.file, &finding),
            Format::Json if self.written.is_ok() => {
                self.written = json::diagnostic(self.out, self.file, &finding);
            }
            Format::Json => {}
        }
    }
}
