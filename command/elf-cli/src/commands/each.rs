//! Works on several files at once and prints their output in the order of the files.

use crate::config::FileToCheck;
use crate::console::Console;
use crate::io::{Listed, Output, WaitingText};
use crate::meter::Meter;
use rayon::prelude::*;
use std::io::{self, Write};

/// Where the output of several files goes.
pub(super) trait Outlet: Write {
    fn is_terminal(&self) -> bool;
}

impl Outlet for Output {
    fn is_terminal(&self) -> bool {
        Output::is_terminal(self)
    }
}

/// The files to work on, and how their output is printed.
pub(super) struct Files<'f, F> {
    pub(super) list: &'f [F],
    /// What is done, for the line of progress: `checking`.
    pub(super) doing: &'static str,
    pub(super) separators: Separators,
}

/// A file of a list, with data about it.
pub(super) trait HasFile {
    fn file(&self) -> &Listed;
}

impl HasFile for Listed {
    fn file(&self) -> &Listed {
        self
    }
}

impl HasFile for FileToCheck {
    fn file(&self) -> &Listed {
        &self.file
    }
}

/// The bytes before the first output, and those between two outputs.
pub(super) type Separators = [&'static [u8]; 2];

/// The number of files for each thread whose output may wait to be printed.
const FILES_PER_THREAD: usize = 16;

impl<F: HasFile + Sync> Files<'_, F> {
    /// Calls `work` for each file. Its output goes to `out` in the order of the files, and its result to `add`.
    pub(super) fn for_each<T: Send>(
        &self,
        out: &mut dyn Outlet,
        console: &mut Console,
        work: impl Fn(&F, &Meter, &mut dyn Write) -> io::Result<T> + Sync,
        mut add: impl FnMut(&F, T, &mut OrderedConsole<'_>),
    ) -> io::Result<()> {
        if let [file] = self.list {
            return self.work_on_one(file, out, console, work, add);
        }
        let mut any_printed = false;
        let at_once = FILES_PER_THREAD * rayon::current_num_threads();
        for (number, files) in (1..).step_by(at_once).zip(self.list.chunks(at_once)) {
            console.set_file_number(number, self.list.len());
            if let Some(first) = files.first() {
                console.show_progress(&self.describe_work(first));
            }
            let done: Vec<io::Result<(T, WaitingText)>> = files
                .par_iter()
                .map(|file| {
                    let mut text = WaitingText::default();
                    let done = work(file, &Meter::default(), &mut text)?;
                    Ok((done, text))
                })
                .collect();
            console.clear_progress();
            for (file, done) in files.iter().zip(done) {
                let (done, text) = done?;
                let mut separated = SeparatedWriter::new(&mut *out, self.separators, any_printed);
                text.copy_to(&mut separated)?;
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

    /// Works on the only file and writes directly to `out`.
    fn work_on_one<T>(
        &self,
        file: &F,
        out: &mut dyn Outlet,
        console: &mut Console,
        work: impl Fn(&F, &Meter, &mut dyn Write) -> io::Result<T>,
        mut add: impl FnMut(&F, T, &mut OrderedConsole<'_>),
    ) -> io::Result<()> {
        let meter = console.show_progress(&self.describe_work(file));
        let clears_progress = out.is_terminal();
        let mut separated = SeparatedWriter::new(&mut *out, self.separators, false);
        let mut writer = ProgressClearingWriter { out: &mut separated, console, clears_progress };
        let done = work(file, &meter, &mut writer);
        console.clear_progress();
        let done = done?;
        if out.is_terminal() {
            out.flush()?;
        }
        let mut ordered = OrderedConsole { out, console, flushed: Ok(()) };
        add(file, done, &mut ordered);
        ordered.flushed
    }

    /// Describes the work on a file, for the line of progress.
    fn describe_work(&self, file: &F) -> String {
        format!("{} {}", self.doing, file.file().name.display())
    }
}

/// The console, used together with an output so that the two stay in order.
pub(super) struct OrderedConsole<'a> {
    out: &'a mut dyn Outlet,
    console: &'a mut Console,
    flushed: io::Result<()>,
}

impl OrderedConsole<'_> {
    /// Writes all earlier output and returns the console, so that messages about several files come in order.
    pub(super) fn console(&mut self) -> &mut Console {
        if self.flushed.is_ok() {
            self.flushed = self.out.flush();
        }
        self.console
    }
}

/// A writer that removes the line of progress before the first byte appears on the same terminal.
struct ProgressClearingWriter<'o, 'l> {
    out: &'o mut SeparatedWriter<'l>,
    console: &'o mut Console,
    clears_progress: bool,
}

impl Write for ProgressClearingWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !bytes.is_empty() && std::mem::take(&mut self.clears_progress) {
            self.console.clear_progress();
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A writer for the output of one of several files. Writes a separator before the first byte.
pub(super) struct SeparatedWriter<'o> {
    out: &'o mut dyn Write,
    separator: &'static [u8],
    is_started: bool,
}

impl<'o> SeparatedWriter<'o> {
    /// Makes a writer. `any_printed` is true if another output was printed before.
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
