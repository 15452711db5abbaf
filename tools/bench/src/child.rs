//! One case in a process of its own, so that its memory is its own.

use crate::case::Case;
use crate::cases;
use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

/// The measurements of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The quickest run: the time its thread had a core where the system tells, else the time on the wall. A
    /// busy machine then costs caches, but not the turns of others.
    pub time: Duration,
    /// The number of things that the case made.
    pub things: u64,
    /// The most memory the process held at once, its input included, in octets; 0 where the system does not
    /// tell.
    pub peak: u64,
}

/// The time for which a process repeats its case where it is timed.
pub const ENOUGH: Duration = Duration::from_millis(1500);

/// The number of times that a process runs its case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Until enough time is gone.
    Often,
    /// Once: what it does with memory is then what it does to memory nobody has had before.
    Once,
}

impl Repeat {
    const fn argument(self) -> &'static str {
        match self {
            Repeat::Often => "--child",
            Repeat::Once => "--once",
        }
    }
}

/// Runs a program of this crate with its arguments: the case that they ask for, else `run`, which tells
/// whether all is well.
pub fn main(run: impl FnOnce(&[String]) -> Result<bool, Box<dyn Error>>) -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = answer(&arguments).map_or_else(|| run(&arguments), |answer| answer.map(|()| true));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The case that a process is asked for, `--once CASE FILE` or `--child CASE FILE`, run and printed; `None`
/// where the arguments ask for something else.
fn answer(arguments: &[String]) -> Option<Result<(), Box<dyn Error>>> {
    let [how, name, path] = arguments else { return None };
    let enough = match how.as_str() {
        "--child" => ENOUGH,
        "--once" => Duration::ZERO,
        _ => return None,
    };
    Some(match cases::named(name) {
        Some(case) => Measured::take(case, path, enough)
            .map(|measured| println!("{}", measured.to_line()))
            .map_err(Box::from),
        None => Err(unknown(name).into()),
    })
}

/// Describes the error of a name that no case has.
pub fn unknown(name: &str) -> String {
    let names: Vec<&str> = cases::all().map(|case| case.name).collect();
    format!("expected a case ({}), but found {name:?}", names.join(", "))
}

/// Runs a case over a file in another process of this program, which has to [`answer`].
///
/// # Errors
///
/// An error if the process cannot be run, or fails.
pub fn run(case: &str, path: &Path, repeat: Repeat) -> Result<Measured, Box<dyn Error>> {
    measured_by(Command::new(env::current_exe()?).args([repeat.argument(), case]).arg(path))
}

/// Runs a command that measures itself and prints what it measured.
///
/// # Errors
///
/// An error if the process cannot be run, or fails.
pub fn measured_by(command: &mut Command) -> Result<Measured, Box<dyn Error>> {
    let output = command.output()?;
    Measured::from_line(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{command:?} failed: {}\n{said}", output.status).into()
    })
}

impl Measured {
    /// Reads the file into memory and runs the case over it once, and then again until `enough` time is gone.
    ///
    /// # Errors
    ///
    /// An error if the file cannot be read.
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

    /// Runs a program from start to end, its output thrown away. The number of things that it made is not
    /// known; its memory is looked at every few milliseconds.
    ///
    /// # Errors
    ///
    /// An error if the program cannot be run.
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

    /// Renders the measurements as one line, for the process that asked.
    pub fn to_line(self) -> String {
        format!("{} {} {}", self.time.as_nanos(), self.things, self.peak)
    }

    /// Reads the measurements from the line that [`to_line`](Measured::to_line) gives.
    pub fn from_line(line: &str) -> Option<Measured> {
        let mut numbers = line.split_whitespace().map(|number| number.parse::<u64>().ok());
        let (time, things, peak) = (numbers.next()??, numbers.next()??, numbers.next()??);
        Some(Measured { time: Duration::from_nanos(time), things, peak })
    }
}

/// Time on a core where the system tells, else time on the wall.
struct Clock {
    core: Option<Duration>,
    wall: Instant,
}

impl Clock {
    fn now() -> Clock {
        Clock { core: core_time(), wall: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        let wall = self.wall.elapsed();
        self.core.zip(core_time()).map_or(wall, |(start, end)| end.saturating_sub(start))
    }
}

/// Returns the time for which this thread has had a core (`schedstat`, Linux).
fn core_time() -> Option<Duration> {
    // The kernel keeps the books of a running thread to a few milliseconds, and settles them when it stops.
    thread::sleep(Duration::from_micros(50));
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
