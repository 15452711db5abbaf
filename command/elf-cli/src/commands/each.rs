//! Commands that work on several files: output comes in the order of the files, whichever thread makes it.

use crate::console::Console;
use crate::io::{Listed, Output, WaitingText};
use crate::meter::Meter;
use rayon::prelude::*;
use std::io::{self, Write};

/// Where the output of several files goes.
pub(super) trait Outlet: Write {
    /// Returns whether a person sees it as it is written.
    fn is_terminal(&self) -> bool;
}

impl Outlet for Output {
    fn is_terminal(&self) -> bool {
        Output::is_terminal(self)
    }
}

/// Some files, and how they are worked on.
pub(super) struct Files<'f, F> {
    pub(super) list: &'f [F],
    /// What is done to them, for a person: `checking`.
    pub(super) doing: &'static str,
    /// The separators of the texts that are printed of the files.
    pub(super) separators: Separators,
}

/// A file of a list, perhaps with something that belongs to it.
pub(super) trait HasFile {
    fn file(&self) -> &Listed;
}

impl HasFile for Listed {
    fn file(&self) -> &Listed {
        self
    }
}

impl<T> HasFile for (Listed, T) {
    fn file(&self) -> &Listed {
        &self.0
    }
}

/// The bytes before the first text of several, and between any two.
pub(super) type Separators = [&'static [u8]; 2];

/// The number of files for each thread whose output waits for its turn at any time.
const FILES_PER_THREAD: usize = 16;

impl<F: HasFile + Sync> Files<'_, F> {
    /// Does `work` on each file. What it writes goes to `out` in the order of the files, and then `add` gets
    /// its result.
    pub(super) fn each<T: Send>(
        &self,
        out: &mut dyn Outlet,
        console: &mut Console,
        work: impl Fn(&F, &Meter, &mut dyn Write) -> io::Result<T> + Sync,
        mut add: impl FnMut(&F, T, &mut OrderedConsole<'_>),
    ) -> io::Result<()> {
        if let [file] = self.list {
            return self.one(file, out, console, work, add);
        }
        let mut any_printed = false;
        let at_once = FILES_PER_THREAD * rayon::current_num_threads();
        for (number, files) in (1..).step_by(at_once).zip(self.list.chunks(at_once)) {
            console.at_file(number, self.list.len());
            if let Some(first) = files.first() {
                console.working(&self.words(first));
            }
            let done: Vec<io::Result<(T, WaitingText)>> = files
                .par_iter()
                .map(|file| {
                    let mut text = WaitingText::default();
                    let done = work(file, &Meter::default(), &mut text)?;
                    Ok((done, text))
                })
                .collect();
            console.done();
            for (file, done) in files.iter().zip(done) {
                let (done, text) = done?;
                let mut separated = SeparatedWriter::new(&mut *out, self.separators, any_printed);
                text.pass_on(&mut separated)?;
                any_printed |= separated.is_started();
                let mut ordered = OrderedConsole { out: &mut *out, console, flushed: Ok(()) };
                add(file, done, &mut ordered);
                ordered.flushed?;
            }
            if out.is_terminal() {
                out.flush()?;
            }
        }
        Ok(())
    }

    /// Works on the only file, and writes straight to `out`.
    fn one<T>(
        &self,
        file: &F,
        out: &mut dyn Outlet,
        console: &mut Console,
        work: impl Fn(&F, &Meter, &mut dyn Write) -> io::Result<T>,
        mut add: impl FnMut(&F, T, &mut OrderedConsole<'_>),
    ) -> io::Result<()> {
        let meter = console.working(&self.words(file));
        let clears_progress = out.is_terminal();
        let mut separated = SeparatedWriter::new(&mut *out, self.separators, false);
        let mut writer = ProgressClearingWriter { out: &mut separated, console, clears_progress };
        let done = work(file, &meter, &mut writer);
        console.done();
        let done = done?;
        if out.is_terminal() {
            out.flush()?;
        }
        let mut ordered = OrderedConsole { out, console, flushed: Ok(()) };
        add(file, done, &mut ordered);
        ordered.flushed
    }

    /// Returns what is done to a file, in words.
    fn words(&self, file: &F) -> String {
        format!("{} {}", self.doing, file.file().name.display())
    }
}

/// The console beside an output.
pub(super) struct OrderedConsole<'a> {
    out: &'a mut dyn Outlet,
    console: &'a mut Console,
    flushed: io::Result<()>,
}

impl OrderedConsole<'_> {
    /// Returns the console, once everything before was written: findings and failures of several files come in
    /// their order.
    pub(super) fn console(&mut self) -> &mut Console {
        if self.flushed.is_ok() {
            self.flushed = self.out.flush();
        }
        self.console
    }
}

/// A writer that removes the line of progress before the first byte is written to the same terminal.
struct ProgressClearingWriter<'o, 'l> {
    out: &'o mut SeparatedWriter<'l>,
    console: &'o mut Console,
    clears_progress: bool,
}

impl Write for ProgressClearingWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !bytes.is_empty() && std::mem::take(&mut self.clears_progress) {
            self.console.done();
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A writer of one text of several: a separator comes before its first byte.
pub(super) struct SeparatedWriter<'o> {
    out: &'o mut dyn Write,
    separator: &'static [u8],
    is_started: bool,
}

impl<'o> SeparatedWriter<'o> {
    /// Makes a writer of the next text, which is the first unless `any_printed`.
    pub(super) fn new(
        out: &'o mut dyn Write,
        [first, between]: Separators,
        any_printed: bool,
    ) -> SeparatedWriter<'o> {
        SeparatedWriter { out, separator: if any_printed { between } else { first }, is_started: false }
    }

    /// Returns whether anything was written.
    pub(super) const fn is_started(&self) -> bool {
        self.is_started
    }
}

impl Write for SeparatedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !bytes.is_empty() && !self.is_started {
            self.is_started = true;
            self.out.write_all(self.separator)?;
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
