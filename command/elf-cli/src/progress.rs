//! A line on standard error that shows the progress of long work: what is done, how much of it, and how fast. A thread
//! redraws the line twice a second from the counts of a [`Meter`].

use crate::io;
use crate::meter::Meter;
use elf_report::progress::{fitted, line as progress_line};
use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Work that takes less time shows no progress.
const SILENT: Duration = Duration::from_secs(1);

/// The time between two drawings.
const PAUSE: Duration = Duration::from_millis(500);

/// A line of progress on the terminal. It is removed when this value is dropped.
pub(crate) struct Progress {
    line: Arc<Mutex<Line>>,
    meter: Meter,
    /// True if standard error is a terminal.
    is_seen: bool,
    drawing: Option<Drawing>,
}

/// The thread that draws the line. It ends when the sender is dropped.
struct Drawing {
    running: Sender<()>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Line {
    /// The name of the work, such as `checking family.ged`. `None` if nothing is shown.
    doing: Option<String>,
    /// When the first work began.
    since: Option<Instant>,
    /// The number of the current file and of all files, if there are several.
    files: Option<(usize, usize)>,
    /// True while the line is on the terminal.
    is_drawn: bool,
}

impl Progress {
    /// Draws nothing until [`show`](Progress::show) is called, and nothing at all unless standard error is a terminal.
    pub(crate) fn new() -> Progress {
        let is_seen = std::io::stderr().is_terminal();
        Progress { line: Arc::default(), meter: Meter::default(), is_seen, drawing: None }
    }

    /// Shows `doing` from now on, once all work took longer than a second. The returned meter counts the bytes that are
    /// read.
    pub(crate) fn show(&mut self, doing: String) -> Meter {
        self.meter.reset();
        {
            let mut line = lock_line(&self.line);
            line.since.get_or_insert_with(Instant::now);
            line.doing = Some(doing);
        }
        if self.drawing.is_none() && self.is_seen {
            let (line, meter) = (Arc::clone(&self.line), self.meter.clone());
            let (running, is_running) = mpsc::channel();
            // If no thread can be created, work without a progress line.
            let thread =
                thread::Builder::new().spawn(move || draw_until_stopped(&line, &meter, &is_running)).ok();
            self.drawing = thread.map(|thread| Drawing { running, thread });
        }
        self.meter.clone()
    }

    pub(crate) fn set_file_number(&mut self, number: usize, of: usize) {
        lock_line(&self.line).files = (of > 1).then_some((number, of));
    }

    /// Removes the line until the next call of [`show`](Progress::show).
    pub(crate) fn hide(&mut self) {
        let mut line = lock_line(&self.line);
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

/// Draws the line twice a second until the sender of `is_running` is dropped. Errors of writing are ignored.
fn draw_until_stopped(line: &Mutex<Line>, meter: &Meter, is_running: &Receiver<()>) {
    while is_running.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
        // Hold the lock while drawing, so that `hide` never leaves half of a line.
        let mut line = lock_line(line);
        let since = line.since.map(|since| since.elapsed()).filter(|since| *since >= SILENT);
        let (Some(doing), Some(since)) = (&line.doing, since) else { continue };
        let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let text = progress_line(doing, line.files, meter.measure(), millis);
        let text = fitted(&text, io::terminal_width().unwrap_or(80));
        let _ = write!(std::io::stderr(), "\r{text}\u{1b}[K");
        line.is_drawn = true;
    }
}

fn lock_line(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}
