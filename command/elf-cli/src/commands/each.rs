//! Commands about several files: what is printed comes in the order of the files, whoever reads them.

use crate::console::Console;
use crate::io::{Listed, Output, WaitingText};
use crate::many::in_order;
use crate::progress::Meter;
use std::io::{self, Write};

/// The destination of what is printed of several files.
pub(super) trait Outlet: Write {
    /// Tells whether a person sees it as it is written.
    fn is_terminal(&self) -> bool;
}

impl Outlet for Output {
    fn is_terminal(&self) -> bool {
        Output::is_terminal(self)
    }
}

/// Some files, and how they are read.
pub(super) struct Files<'f, F> {
    pub(super) list: &'f [F],
    pub(super) threads: usize,
    /// The work that is done on them, for a person: `checking`.
    pub(super) doing: &'static str,
    /// The separators of the texts that are printed of the files.
    pub(super) separators: Separators,
}

/// A file of a list, perhaps with more that belongs to it.
pub(super) trait AsListed {
    fn listed(&self) -> &Listed;
}

impl AsListed for Listed {
    fn listed(&self) -> &Listed {
        self
    }
}

impl<T> AsListed for (Listed, T) {
    fn listed(&self) -> &Listed {
        &self.0
    }
}

/// The octets before the first text of several, and between any two.
pub(super) type Separators = [&'static [u8]; 2];

impl<F: AsListed + Sync> Files<'_, F> {
    /// Does `work` on each file, on several at once unless one is so large that it takes all threads, whose
    /// number it gets. What it writes is printed to `out` in the order of the files, and then `add` gets
    /// its result.
    pub(super) fn each<T: Send>(
        &self,
        out: &mut dyn Outlet,
        console: &mut Console,
        work: impl Fn(&F, usize, &Meter, &mut dyn Write) -> io::Result<T> + Sync,
        mut add: impl FnMut(&F, T, &mut Aside<'_>),
    ) -> io::Result<()> {
        let Files { list, threads, doing, separators } = *self;
        let mut any_printed = false;
        let is_terminal = out.is_terminal();
        let apart = |number: usize| {
            let mut text = WaitingText::default();
            let done = work(list.get(number)?, 1, &Meter::default(), &mut text);
            Some(done.map(|done| (done, text)))
        };
        let take = |number: usize, done: Option<_>| -> io::Result<()> {
            let Some(file) = list.get(number) else { return Ok(()) };
            console.at_file(number + 1, list.len());
            let meter = console.working(&format!("{doing} {}", file.listed().name.display()));
            let mut led = Led::new(&mut *out, separators, any_printed);
            let done = match done.flatten() {
                Some(done) => {
                    let (done, text): (T, WaitingText) = done?;
                    console.done();
                    text.pass_on(&mut led)?;
                    done
                }
                None => {
                    let mut outlet = Unmixed { out: &mut led, console, is_terminal };
                    let done = work(file, threads, &meter, &mut outlet);
                    console.done();
                    done?
                }
            };
            any_printed |= led.is_started();
            if is_terminal {
                out.flush()?;
            }
            let mut aside = Aside { out: &mut *out, console, flushed: Ok(()) };
            add(file, done, &mut aside);
            aside.flushed
        };
        let is_alone = |number: usize| list.get(number).is_none_or(|file| file.listed().is_large());
        in_order(list.len(), threads, is_alone, apart, take)
    }
}

/// The console beside an output.
pub(super) struct Aside<'a> {
    out: &'a mut dyn Outlet,
    console: &'a mut Console,
    flushed: io::Result<()>,
}

impl Aside<'_> {
    /// The console, to say something of a file: all that was found before goes out first, so that findings
    /// and failures of several files stand in their order.
    pub(super) fn console(&mut self) -> &mut Console {
        if self.flushed.is_ok() {
            self.flushed = self.out.flush();
        }
        self.console
    }
}

/// An outlet to a terminal, perhaps: the line of progress is taken away before anything stands beside it.
struct Unmixed<'o, 'l> {
    out: &'o mut Led<'l>,
    console: &'o mut Console,
    is_terminal: bool,
}

impl Write for Unmixed<'_, '_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if !octets.is_empty() && std::mem::take(&mut self.is_terminal) {
            self.console.done();
        }
        self.out.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// An outlet of one text of several: before the first octet of it comes what parts it from those before.
pub(super) struct Led<'o> {
    out: &'o mut dyn Write,
    separator: &'static [u8],
    is_started: bool,
}

impl<'o> Led<'o> {
    /// Makes an outlet for the next text, which is the first unless `any_printed`.
    pub(super) fn new(out: &'o mut dyn Write, [first, between]: Separators, any_printed: bool) -> Led<'o> {
        Led { out, separator: if any_printed { between } else { first }, is_started: false }
    }

    /// Tells whether anything was written.
    pub(super) const fn is_started(&self) -> bool {
        self.is_started
    }
}

impl Write for Led<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if !octets.is_empty() && !self.is_started {
            self.is_started = true;
            self.out.write_all(self.separator)?;
        }
        self.out.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
