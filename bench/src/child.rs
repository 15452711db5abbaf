//! One case in a process of its own, so that its memory is its own.

use crate::cases::Case;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// What one process measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The quickest run: the time its thread had a core where the system tells and the run is long enough for that,
    /// else the time on the wall. A busy machine then costs caches, but not the turns of others.
    pub time: Duration,
    /// How many things the case made.
    pub things: u64,
    /// The most memory the process held at once, its input included, in octets; 0 where the system does not tell.
    pub peak: u64,
}

/// How long a process repeats its case where it is timed.
pub const ENOUGH: Duration = Duration::from_millis(1500);

impl Measured {
    /// Reads the file into memory and runs the case over it once, and then again until `enough` time is gone.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn take(case: &Case, path: &str, enough: Duration) -> io::Result<Measured> {
        let input = fs::read(path)?;
        let mut measured = Measured { time: Duration::MAX, things: 0, peak: 0 };
        let started = Instant::now();
        loop {
            let start = Clock::now();
            let things = (case.run)(&input);
            measured.time = measured.time.min(start.elapsed());
            if measured.peak == 0 {
                measured.peak = peak_memory();
            }
            measured.things = things;
            if started.elapsed() >= enough {
                return Ok(measured);
            }
        }
    }

    /// Runs a program from start to end, its output thrown away. What it made is not known, its memory is looked at
    /// every few milliseconds.
    ///
    /// # Errors
    ///
    /// Where it cannot be run.
    pub fn take_of_command(command: &mut Command) -> io::Result<Measured> {
        let start = Instant::now();
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let mut peak = 0;
        while child.try_wait()?.is_none() {
            peak = peak.max(peak_memory_of(&child.id().to_string()));
            thread::sleep(Duration::from_millis(2));
        }
        Ok(Measured { time: start.elapsed(), things: 0, peak })
    }

    /// As one line, for the process that asked.
    pub fn to_line(self) -> String {
        format!("{} {} {}", self.time.as_nanos(), self.things, self.peak)
    }

    /// From such a line.
    pub fn from_line(line: &str) -> Option<Measured> {
        let mut numbers = line.split_whitespace().map(|number| number.parse::<u64>().ok());
        let (time, things, peak) = (numbers.next()??, numbers.next()??, numbers.next()??);
        Some(Measured { time: Duration::from_nanos(time), things, peak })
    }
}

/// Time on a core, and time on the wall.
struct Clock {
    core: Option<Duration>,
    wall: Instant,
}

impl Clock {
    /// The kernel keeps the books of a running thread to a few milliseconds.
    const COARSE: Duration = Duration::from_millis(50);

    fn now() -> Clock {
        Clock { core: core_time(), wall: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        let wall = self.wall.elapsed();
        let core = self.core.zip(core_time()).map(|(start, end)| end.saturating_sub(start));
        core.filter(|core| *core >= Clock::COARSE).unwrap_or(wall)
    }
}

/// How long this thread has had a core (`schedstat`, Linux).
fn core_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The high-water mark of this process's resident memory in octets (`VmHWM`, Linux); 0 elsewhere.
pub fn peak_memory() -> u64 {
    peak_memory_of("self")
}

fn peak_memory_of(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibioctets = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibioctets.unwrap_or_default() * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_carries_a_measurement() {
        let measured = Measured { time: Duration::from_nanos(12), things: 3, peak: 4096 };
        assert_eq!(Measured::from_line(&measured.to_line()), Some(measured));
        assert_eq!(Measured::from_line("12 3"), None);
        assert_eq!(Measured::from_line("12 3 x"), None);
    }
}
