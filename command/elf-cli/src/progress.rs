//! The progress of long work, for a person at a terminal: the work, how much of it is done, and how fast.
//!
//! A thread draws what a [`Meter`] counts, as a line on standard error twice a second.

use crate::io;
use crate::meter::Meter;
use elf_report::progress::{fitted, line as progress_line};
use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time that work may take before it is shown.
const SILENT: Duration = Duration::from_secs(1);

/// The time from one drawing to the next.
const PAUSE: Duration = Duration::from_millis(500);

/// A line on the terminal that shows that work goes on; it vanishes with this value.
pub(crate) struct Progress {
    line: Arc<Mutex<Line>>,
    meter: Meter,
    /// True if standard error is a terminal.
    is_seen: bool,
    drawing: Option<Drawing>,
}

/// The thread that draws the line, until the sender is dropped.
struct Drawing {
    running: Sender<()>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Line {
    /// The work; `None` while nothing is shown.
    doing: Option<String>,
    /// The time at which the first work began.
    since: Option<Instant>,
    /// The number of the file, and of all, if there are several.
    files: Option<(usize, usize)>,
    /// True while the line stands on the terminal.
    is_drawn: bool,
}

impl Progress {
    /// A progress that draws nothing yet, and only ever draws on a terminal.
    pub(crate) fn new() -> Progress {
        let is_seen = std::io::stderr().is_terminal();
        Progress { line: Arc::default(), meter: Meter::default(), is_seen, drawing: None }
    }

    /// Shows from now on, once the work as a whole took longer than a second, that it is `doing` something.
    /// Returns the meter of what is read for that.
    pub(crate) fn show(&mut self, doing: String) -> Meter {
        self.meter.reset();
        {
            let mut line = lock(&self.line);
            line.since.get_or_insert_with(Instant::now);
            line.doing = Some(doing);
        }
        if self.drawing.is_none() && self.is_seen {
            let (line, meter) = (Arc::clone(&self.line), self.meter.clone());
            let (running, is_running) = mpsc::channel();
            // If no thread can be created, work without a progress line.
            let thread = thread::Builder::new().spawn(move || draw(&line, &meter, &is_running)).ok();
            self.drawing = thread.map(|thread| Drawing { running, thread });
        }
        self.meter.clone()
    }

    /// Sets the number of the file, from 1, and of all files.
    pub(crate) fn at_file(&mut self, number: usize, of: usize) {
        lock(&self.line).files = (of > 1).then_some((number, of));
    }

    /// Removes the line from the terminal, until there is something to show again.
    pub(crate) fn hide(&mut self) {
        let mut line = lock(&self.line);
        line.doing = None;
        if std::mem::take(&mut line.is_drawn) {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.hide();
        if let Some(Drawing { running, thread }) = self.drawing.take() {
            drop(running);
            let _ = thread.join();
        }
    }
}

/// Draws the line twice a second, until the sender of `is_running` is dropped. If the terminal is gone, nobody
/// misses the line.
fn draw(line: &Mutex<Line>, meter: &Meter, is_running: &Receiver<()>) {
    while is_running.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
        // The lock is held while the line is drawn, so that `hide` never leaves half of it.
        let mut line = lock(line);
        let since = line.since.map(|since| since.elapsed()).filter(|since| *since >= SILENT);
        let (Some(doing), Some(since)) = (&line.doing, since) else { continue };
        let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let text = progress_line(doing, line.files, meter.measure(), millis);
        let text = fitted(&text, io::terminal_width().unwrap_or(80));
        let _ = write!(std::io::stderr(), "\r{text}\u{1b}[K");
        line.is_drawn = true;
    }
}

fn lock(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}
