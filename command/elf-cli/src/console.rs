//! Standard error, where a person is told what happens: diagnostics, notices, failures, progress.

use crate::io;
use crate::meter::Meter;
use crate::progress::Progress;
use elf_base::Diagnostic;
use elf_check::config::ConfigError;
use elf_report::{human, sanitise};
use std::io::{BufWriter, Stderr, Write};
use std::path::Path;

/// Standard error. A reader that went away is nobody to tell anything: errors of writing are skipped.
pub(crate) struct Console {
    stderr: BufWriter<Stderr>,
    renderer: human::Renderer,
    progress: Progress,
}

impl Console {
    /// Standard error as this run finds it.
    pub(crate) fn new() -> Console {
        let stderr = std::io::stderr();
        let renderer = human::Renderer::new(io::is_coloured(&stderr), io::terminal_width());
        Console { stderr: BufWriter::new(stderr), renderer, progress: Progress::new() }
    }

    /// Prints one diagnostic of `file`.
    pub(crate) fn diagnostic(&mut self, file: &str, diagnostic: &Diagnostic) {
        let text = self.renderer.diagnostic(file, diagnostic);
        self.print(&text);
    }

    /// Returns a renderer of findings for standard error.
    pub(crate) fn renderer(&self) -> human::Renderer {
        human::Renderer::new(io::is_coloured(self.stderr.get_ref()), io::terminal_width())
    }

    /// Prints text that is neutralised already, and empties it.
    pub(crate) fn pass_on(&mut self, text: &mut Vec<u8>) {
        self.progress.hide();
        let _ = self.stderr.write_all(text);
        text.clear();
        self.flush();
    }

    /// Says what the command could not do. `message` is sanitised here.
    pub(crate) fn failure(&mut self, message: &str) {
        let text = self.renderer.failure(message);
        self.print(&text);
        self.flush();
    }

    /// Says why a configuration cannot be taken, and where.
    pub(crate) fn misconfigured(&mut self, error: &ConfigError) {
        let ConfigError { file, message, place, help, .. } = error;
        let text = self.renderer.config_error(file, message, place.as_ref(), *help);
        self.print(&text);
        self.flush();
    }

    /// Says that `path` could not be read, and why.
    pub(crate) fn unreadable(&mut self, path: &Path, reason: &str) {
        self.failure(&format!("cannot read {}: {reason}", named(path, "standard input")));
    }

    /// Says that what was read of `path` could not be fixed, and why.
    pub(crate) fn unrepairable(&mut self, path: &Path, reason: &str) {
        self.failure(&format!("cannot fix {}: {reason}", named(path, "standard input")));
    }

    /// Says that `path` could not be written, and why.
    pub(crate) fn unwritable(&mut self, path: &Path, reason: &str) {
        self.failure(&format!("cannot write {}: {reason}", named(path, "standard output")));
    }

    /// Says something worth knowing. `message` is sanitised here.
    pub(crate) fn note(&mut self, message: &str) {
        let text = self.renderer.note(message);
        self.print(&text);
        self.flush();
    }

    /// Says on a terminal, should the work take longer than a second, that the command is `doing` something,
    /// and how far it is: what is read for it is counted by the meter. The line vanishes with the next thing
    /// that is printed here; whoever prints to standard output calls [`done`](Console::done) before.
    pub(crate) fn working(&mut self, doing: &str) -> Meter {
        self.flush();
        self.progress.show(sanitise(doing).into_owned())
    }

    /// Says that the current file is number `number` of `of`, from 1.
    pub(crate) fn at_file(&mut self, number: usize, of: usize) {
        self.progress.at_file(number, of);
    }

    /// Says no more that it is doing something.
    pub(crate) fn done(&mut self) {
        self.progress.hide();
        self.flush();
    }

    fn print(&mut self, text: &str) {
        self.progress.hide();
        let _ = self.stderr.write_all(text.as_bytes()).and_then(|()| self.stderr.write_all(b"\n"));
    }

    fn flush(&mut self) {
        let _ = self.stderr.flush();
    }
}

fn named(path: &Path, standard: &str) -> String {
    if io::is_standard(path) { standard.to_owned() } else { format!("`{}`", path.display()) }
}
