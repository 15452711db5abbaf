//! Standard error: diagnostics, notes, failures and progress for the person who runs the command.

use crate::io;
use crate::meter::Meter;
use crate::progress::Progress;
use elf_base::Diagnostic;
use elf_check::config::ConfigError;
use elf_report::{human, sanitise};
use std::io::{BufWriter, Stderr, Write};
use std::path::Path;

/// Standard error. Errors of writing are ignored, since there is nowhere to report them.
pub(crate) struct Console {
    stderr: BufWriter<Stderr>,
    renderer: human::Renderer,
    progress: Progress,
}

impl Console {
    pub(crate) fn new() -> Console {
        let stderr = std::io::stderr();
        let renderer = human::Renderer::new(io::is_coloured(&stderr), io::terminal_width());
        Console { stderr: BufWriter::new(stderr), renderer, progress: Progress::new() }
    }

    pub(crate) fn print_diagnostic(&mut self, file: &str, diagnostic: &Diagnostic) {
        let text = self.renderer.diagnostic(file, diagnostic);
        self.print(&text);
    }

    pub(crate) fn renderer(&self) -> human::Renderer {
        human::Renderer::new(io::is_coloured(self.stderr.get_ref()), io::terminal_width())
    }

    /// Prints text that is already safe for a terminal, and empties the buffer.
    pub(crate) fn print_buffer(&mut self, text: &mut Vec<u8>) {
        self.progress.hide();
        let _ = self.stderr.write_all(text);
        text.clear();
        self.flush();
    }

    /// Prints an error. Control characters in `message` are escaped.
    pub(crate) fn print_error(&mut self, message: &str) {
        let text = self.renderer.failure(message);
        self.print(&text);
        self.flush();
    }

    /// Reports an invalid configuration, with its place.
    pub(crate) fn print_config_error(&mut self, error: &ConfigError) {
        let ConfigError { file, message, place, help, .. } = error;
        let (place, excerpt) = (place.as_ref().map(|at| at.place), place.as_ref().map(|at| &at.excerpt));
        let text = self.renderer.config_error(file, message, place, excerpt, *help);
        self.print(&text);
        self.flush();
    }

    pub(crate) fn print_unreadable(&mut self, path: &Path, reason: &str) {
        self.print_error(&format!("cannot read {}: {reason}", display_name(path, "standard input")));
    }

    pub(crate) fn print_unfixable(&mut self, path: &Path, reason: &str) {
        self.print_error(&format!("cannot fix {}: {reason}", display_name(path, "standard input")));
    }

    pub(crate) fn print_unwritable(&mut self, path: &Path, reason: &str) {
        self.print_error(&format!("cannot write {}: {reason}", display_name(path, "standard output")));
    }

    /// Prints a note. Control characters in `message` are escaped.
    pub(crate) fn print_note(&mut self, message: &str) {
        let text = self.renderer.note(message);
        self.print(&text);
        self.flush();
    }

    /// Shows a line of progress on a terminal if the work takes longer than a second. The returned meter counts the
    /// bytes that are read.
    ///
    /// The line is removed before anything else is printed here. Call [`clear_progress`](Console::clear_progress) before
    /// you print to standard output.
    pub(crate) fn show_progress(&mut self, doing: &str) -> Meter {
        self.flush();
        self.progress.show(sanitise(doing).into_owned())
    }

    /// Sets the number of the current file, from 1, and the number of all files.
    pub(crate) fn set_file_number(&mut self, number: usize, of: usize) {
        self.progress.set_file_number(number, of);
    }

    /// Removes the line of progress.
    pub(crate) fn clear_progress(&mut self) {
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

fn display_name(path: &Path, standard: &str) -> String {
    if io::is_standard(path) { standard.to_owned() } else { format!("`{}`", path.display()) }
}
