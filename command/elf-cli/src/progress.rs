//! The progress of long work, for a person at a terminal: the work, how much of it is done, and how fast.
//!
//! A reader counts octets in a [`Meter`]; a thread draws a line of them on standard error twice a second.

use crate::io;
use elf_report::progress::{Measure, fitted, line as progress_line};
use std::io::{IsTerminal, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time that work may take before it is shown.
const SILENT: Duration = Duration::from_secs(1);

/// The time from one drawing to the next.
const PAUSE: Duration = Duration::from_millis(500);

/// A count of octets read, shared by who reads and who draws.
#[derive(Clone, Default)]
pub(crate) struct Meter(Arc<MeterCounts>);

/// Octets are only shown: no order among the counts is needed.
#[derive(Default)]
struct MeterCounts {
    /// The octets read since the input was last at its start.
    read: AtomicU64,
    /// The octets of the input, 0 while nobody knows.
    size: AtomicU64,
    /// The number of times that the input was read from its start again.
    again: AtomicU64,
    /// The octets read of all inputs, as often as they were.
    total: AtomicU64,
}

impl Meter {
    /// Counts what is read of `input`, of which there are `size` octets, if that is known.
    pub(crate) fn counting<R>(&self, input: R, size: Option<u64>) -> Counting<R> {
        self.0.read.store(0, Ordering::Relaxed);
        self.0.size.store(size.unwrap_or(0), Ordering::Relaxed);
        Counting { input, meter: self.clone() }
    }

    fn add(&self, octets: usize) {
        self.0.read.fetch_add(octets as u64, Ordering::Relaxed);
        self.0.total.fetch_add(octets as u64, Ordering::Relaxed);
    }

    fn start_again(&self) {
        if self.0.read.swap(0, Ordering::Relaxed) > 0 {
            self.0.again.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn reset(&self) {
        for count in [&self.0.read, &self.0.size, &self.0.again] {
            count.store(0, Ordering::Relaxed);
        }
    }

    fn measure(&self) -> Measure {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let counts = &*self.0;
        Measure {
            read: of(&counts.read),
            size: of(&counts.size),
            again: of(&counts.again),
            total: of(&counts.total),
        }
    }
}

/// An input whose octets are counted.
pub(crate) struct Counting<R> {
    input: R,
    meter: Meter,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let octets = self.input.read(buffer)?;
        self.meter.add(octets);
        Ok(octets)
    }
}

impl<R: Seek> Seek for Counting<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let place = self.input.seek(to)?;
        if place == 0 {
            self.meter.start_again();
        }
        Ok(place)
    }
}

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
            // If there is no thread to be had, the work is done without a line.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn a_meter_counts_each_reading_apart_and_all_together() {
        let meter = Meter::default();
        let mut input = meter.counting(Cursor::new([7; 1000]), Some(1000));
        input.rewind().unwrap();
        assert_eq!(meter.measure().again, 0, "nothing was read before it");
        let mut octets = Vec::new();
        input.read_to_end(&mut octets).unwrap();
        input.rewind().unwrap();
        input.by_ref().take(300).read_to_end(&mut octets).unwrap();
        let Measure { read, size, again, total } = meter.measure();
        assert_eq!((read, size, again, total), (300, 1000, 1, 1300));
        meter.reset();
        let Measure { read, size, again, total } = meter.measure();
        assert_eq!((read, size, again, total), (0, 0, 0, 1300));
    }
}
