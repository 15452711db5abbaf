//! Outlets of findings: standard error for a person, one object a line among the data for a program.

use crate::args::Format;
use crate::console::Console;
use crate::render::json;
use elf_base::{Class, Diagnostic, Sink};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The most findings that wait to be put in order.
const WAITING: usize = 100_000;

/// The most findings of one code in one file that are drawn for a person who did not ask for all.
const DRAWN: u64 = 10;

/// The findings of one file, printed as they come, or in the order of its lines.
pub(crate) struct Findings<'f, W> {
    file: &'f str,
    format: Format,
    console: &'f mut Console,
    out: &'f mut W,
    written: io::Result<()>,
    /// The findings that wait to be put in order; `None` where all are printed as they come.
    waiting: Option<Vec<Diagnostic>>,
    /// The number of findings of each code, by its identifier, where only the first of a code are drawn.
    met: Option<BTreeMap<&'static str, (Class, u64)>>,
}

impl<'f, W: Write> Findings<'f, W> {
    /// Makes a printer of the findings of `file`, as JSON to `out`.
    pub(crate) fn of(file: &'f str, format: Format, console: &'f mut Console, out: &'f mut W) -> Self {
        Findings { file, format, console, out, written: Ok(()), waiting: None, met: None }
    }

    /// Prints the findings in the order of the lines that they are about, whichever layer found them and
    /// when; those about the file as a whole come last. Where they are too many for the memory, so many at
    /// once are put in order.
    pub(crate) fn by_lines(self) -> Self {
        Findings { waiting: Some(Vec::new()), ..self }
    }

    /// Draws only the first findings of a code for a person, and says how many more there are. Programs get
    /// all.
    pub(crate) fn first_of_each(self) -> Self {
        Findings { met: Some(BTreeMap::new()), ..self }
    }

    /// Prints the findings that still wait. An error if any finding could not be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.print_waiting();
        for (id, (class, count)) in self.met.take().unwrap_or_default() {
            if let Some(more) = count.checked_sub(DRAWN).filter(|more| *more > 0) {
                self.console.more(class, id, more);
            }
        }
        self.written
    }

    fn print_waiting(&mut self) {
        let mut waiting = self.waiting.as_mut().map(std::mem::take).unwrap_or_default();
        waiting.sort_by_key(|finding| finding.place.map_or(u64::MAX, |place| place.octet));
        for finding in waiting {
            self.print(&finding);
        }
    }

    /// Counts a finding, and tells if it is one of those that are drawn.
    fn is_drawn(&mut self, finding: &Diagnostic) -> bool {
        let Some(met) = &mut self.met else { return true };
        let (_, count) = met.entry(finding.code.id()).or_insert((finding.class, 0));
        *count += 1;
        *count <= DRAWN
    }

    fn print(&mut self, finding: &Diagnostic) {
        match self.format {
            Format::Human => {
                if self.is_drawn(finding) {
                    self.console.diagnostic(self.file, finding);
                }
            }
            Format::Json if self.written.is_ok() => {
                self.written = json::diagnostic(self.out, self.file, finding);
            }
            Format::Json => {}
        }
    }
}

impl<W: Write> Sink for Findings<'_, W> {
    fn report(&mut self, finding: Diagnostic) {
        let Some(waiting) = &mut self.waiting else { return self.print(&finding) };
        waiting.push(finding);
        if waiting.len() >= WAITING {
            self.print_waiting();
        }
    }
}
