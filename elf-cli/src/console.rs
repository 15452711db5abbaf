//! Standard error, where a person is told what happens: diagnostics, notices, failures, progress.

use crate::io;
use crate::render::{grouped, human, sanitise};
use annotate_snippets::Level;
use elf_base::{Class, Diagnostic};
use std::io::{BufWriter, IsTerminal, Stderr, Write};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Standard error. A reader that went away is nobody to tell anything: errors of writing are passed over.
pub(crate) struct Console {
    stderr: BufWriter<Stderr>,
    renderer: human::Renderer,
    progress: Option<Progress>,
}

impl Console {
    /// Standard error as this run finds it.
    pub(crate) fn new() -> Console {
        let stderr = std::io::stderr();
        let renderer = human::Renderer::new(io::is_coloured(&stderr), io::terminal_width());
        Console { stderr: BufWriter::new(stderr), renderer, progress: None }
    }

    /// Prints one diagnostic of `file`.
    pub(crate) fn diagnostic(&mut self, file: &str, diagnostic: &Diagnostic) {
        let text = self.renderer.diagnostic(file, diagnostic);
        self.print(&text);
    }

    /// Says how many more findings of a code there are than were printed.
    pub(crate) fn more(&mut self, class: Class, code: &str, more: u64) {
        self.print(&format!("{class}[{code}]: {} more; `--all` prints them\n", grouped(more)));
    }

    /// Says what the command could not do. `message` is sanitised here.
    pub(crate) fn failure(&mut self, message: &str) {
        let text = self.renderer.title(Level::ERROR, message);
        self.print(&text);
        self.flush();
    }

    /// Says that `path` could not be read, and why.
    pub(crate) fn unreadable(&mut self, path: &Path, reason: &str) {
        self.failure(&format!("cannot read {}: {reason}", named(path, "standard input")));
    }

    /// Says that `path` could not be written, and why.
    pub(crate) fn unwritable(&mut self, path: &Path, reason: &str) {
        self.failure(&format!("cannot write {}: {reason}", named(path, "standard output")));
    }

    /// Says something worth knowing. `message` is sanitised here.
    pub(crate) fn note(&mut self, message: &str) {
        let text = self.renderer.title(Level::NOTE, message);
        self.print(&text);
        self.flush();
    }

    /// Says on a terminal, should it take longer than a second, that the command is `doing` something.
    pub(crate) fn working(&mut self, doing: &str) {
        self.progress = None;
        if self.stderr.get_ref().is_terminal() {
            self.flush();
            self.progress = Some(Progress::start(sanitise(doing).into_owned()));
        }
    }

    /// Says no more that it is doing something.
    pub(crate) fn done(&mut self) {
        self.progress = None;
        self.flush();
    }

    fn print(&mut self, text: &str) {
        self.progress = None;
        let _ = self.stderr.write_all(text.as_bytes()).and_then(|()| self.stderr.write_all(b"\n"));
    }

    fn flush(&mut self) {
        let _ = self.stderr.flush();
    }
}

fn named(path: &Path, standard: &str) -> String {
    if io::is_standard(path) { standard.to_owned() } else { format!("`{}`", path.display()) }
}

/// A line on the terminal that shows that work goes on; it vanishes with this value.
struct Progress {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    fn start(doing: String) -> Progress {
        let (stop, stopped) = mpsc::channel::<()>();
        let run = move || {
            let start = Instant::now();
            let mut shown = false;
            let mut pause = Duration::from_secs(1);
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let _ = write!(std::io::stderr(), "\r{doing} … {} s", start.elapsed().as_secs());
                shown = true;
                pause = Duration::from_millis(500);
            }
            if shown {
                let _ = write!(std::io::stderr(), "\r\u{1b}[K");
            }
        };
        // Without a thread there is no progress to see; the work is done all the same.
        let thread = thread::Builder::new().spawn(run).ok();
        Progress { stop: Some(stop), thread }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
