//! Sinks, which receive diagnostics.

use crate::{Class, Code, Diagnostic, Place};
use std::ops::ControlFlow;

/// Receives diagnostics from a reader or writer. The number of diagnostics has no limit: the sink decides which ones to
/// keep.
///
/// These types implement it: `Vec<Diagnostic>` (keeps all), [`BoundedFindings`] (keeps the first few, then ends the
/// reading), [`First`] (keeps the first one of the most severe class), [`Tally`] (counts), `()` (keeps nothing), and
/// every closure `FnMut(Diagnostic)`.
///
/// ```
/// use elf_base::{Diagnostic, Rules, Sink, codes};
///
/// fn reader(sink: &mut dyn Sink) {
///     sink.report(Diagnostic::new(codes::TRAILER_MISSING, &Rules::WILD, "the last record is not the trailer"));
/// }
///
/// let mut all: Vec<Diagnostic> = Vec::new();
/// reader(&mut all);
/// let mut count = 0;
/// reader(&mut |_: Diagnostic| count += 1);
/// assert_eq!((all.len(), count), (1, 1));
/// ```
pub trait Sink {
    /// Receives one diagnostic.
    fn report(&mut self, diagnostic: Diagnostic);

    /// Returns the parts of diagnostics that the sink uses. The answer must never change, because a reader may ask only
    /// once, before it starts, and then omit the other parts.
    fn detail(&self) -> Detail {
        Detail::Full
    }

    /// Returns whether the sink uses the message and the help of a finding of `code` at `place`. For example, a sink
    /// that prints only the first finding of each code does not use most messages.
    fn wants_words(&self, _code: Code, _place: Option<Place>) -> bool {
        self.detail() > Detail::NoWords
    }

    /// Returns whether the sink needs no more findings. A reader of runs then ends before the next run. The findings of
    /// the current run are still reported.
    fn has_enough(&self) -> bool {
        false
    }
}

/// The parts of diagnostics that a [`Sink`] uses. If every line of a file has an error, writing the messages takes much
/// of the time.
///
/// ```
/// use elf_base::{Detail, Diagnostic, Sink};
///
/// let all: Vec<Diagnostic> = Vec::new();
/// assert_eq!((all.detail(), ().detail()), (Detail::Full, Detail::Nothing));
/// assert!(Detail::Nothing < Detail::NoWords && Detail::NoExcerpts < Detail::Full);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    /// The sink uses nothing. Diagnostics may be omitted.
    Nothing,
    /// The sink uses codes, classes, places and fixes. The message and the help may be empty.
    NoWords,
    /// The sink uses everything except the excerpts.
    NoExcerpts,
    /// The sink uses everything.
    Full,
}

/// Keeps the first diagnostic of the most severe class.
#[derive(Clone, Debug, Default)]
pub struct First(pub Option<Diagnostic>);

/// Counts diagnostics by class, and passes them on to another sink.
#[derive(Debug)]
pub struct Tally<S> {
    /// The number of malformed findings.
    pub malformed: u64,
    /// The number of non-conformant findings.
    pub non_conformant: u64,
    /// The number of deprecated findings.
    pub deprecated: u64,
    /// The number of findings that are advice.
    pub advice: u64,
    /// The number of findings that are questions about facts.
    pub questions: u64,
    /// The sink that receives each diagnostic after it is counted.
    pub next: S,
}

impl<S> Tally<S> {
    /// Creates a tally that passes diagnostics on to `next`.
    pub const fn new(next: S) -> Tally<S> {
        Tally { malformed: 0, non_conformant: 0, deprecated: 0, advice: 0, questions: 0, next }
    }

    /// Returns the number of diagnostics that make the file non-conformant.
    pub const fn errors(&self) -> u64 {
        self.malformed + self.non_conformant
    }

    /// Returns the number of all diagnostics that were counted.
    pub const fn total(&self) -> u64 {
        self.errors() + self.deprecated + self.advice + self.questions
    }
}

impl<S: Sink> Sink for Tally<S> {
    fn report(&mut self, diagnostic: Diagnostic) {
        match diagnostic.class {
            Class::Malformed => self.malformed += 1,
            Class::NonConformant => self.non_conformant += 1,
            Class::Deprecated => self.deprecated += 1,
            Class::Advice => self.advice += 1,
            Class::Question => self.questions += 1,
        }
        self.next.report(diagnostic);
    }

    /// A tally counts by class, so it needs the classes even if the next sink uses nothing.
    fn detail(&self) -> Detail {
        self.next.detail().max(Detail::NoWords)
    }

    fn has_enough(&self) -> bool {
        self.next.has_enough()
    }
}

impl Sink for () {
    fn report(&mut self, _: Diagnostic) {}

    fn detail(&self) -> Detail {
        Detail::Nothing
    }
}

impl Sink for Vec<Diagnostic> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.push(diagnostic);
    }
}

impl Sink for First {
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.0.as_ref().is_none_or(|first| first.class < diagnostic.class) {
            self.0 = Some(diagnostic);
        }
    }
}

impl<F: FnMut(Diagnostic)> Sink for F {
    fn report(&mut self, diagnostic: Diagnostic) {
        self(diagnostic);
    }
}

impl Sink for &mut dyn Sink {
    fn report(&mut self, diagnostic: Diagnostic) {
        (**self).report(diagnostic);
    }

    fn detail(&self) -> Detail {
        (**self).detail()
    }

    fn wants_words(&self, code: Code, place: Option<Place>) -> bool {
        (**self).wants_words(code, place)
    }

    fn has_enough(&self) -> bool {
        (**self).has_enough()
    }
}

/// Passes diagnostics to a function until it returns `Break`. Diagnostics after that are dropped, and readers of runs
/// stop.
///
/// ```
/// use elf_base::{Diagnostic, Rules, Sink, UntilBreak, codes};
/// use std::ops::ControlFlow;
///
/// let mut first = None;
/// let mut sink = UntilBreak::new(|diagnostic: Diagnostic| {
///     first = Some(diagnostic);
///     ControlFlow::Break(())
/// });
/// for message in ["one", "two"] {
///     sink.report(Diagnostic::new(codes::TRAILER_MISSING, &Rules::WILD, message));
/// }
/// assert!(sink.has_enough());
/// assert_eq!(first.map(|first| first.message), Some("one".into()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UntilBreak<F> {
    take: F,
    has_enough: bool,
}

impl<F: FnMut(Diagnostic) -> ControlFlow<()>> UntilBreak<F> {
    /// Creates a sink that passes each diagnostic to `take`.
    pub const fn new(take: F) -> UntilBreak<F> {
        UntilBreak { take, has_enough: false }
    }
}

impl<F: FnMut(Diagnostic) -> ControlFlow<()>> Sink for UntilBreak<F> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.has_enough {
            self.has_enough = (self.take)(diagnostic).is_break();
        }
    }

    fn has_enough(&self) -> bool {
        self.has_enough
    }
}

/// Keeps the first `most` diagnostics and drops the others. When `most` is reached, a reader of runs stops after the
/// current run.
///
/// ```
/// use elf_base::{BoundedFindings, Diagnostic, Rules, Sink, codes};
///
/// let mut sink = BoundedFindings::new(2);
/// for message in ["one", "two", "three"] {
///     sink.report(Diagnostic::new(codes::TRAILER_MISSING, &Rules::WILD, message));
/// }
/// assert!(sink.has_enough());
/// assert_eq!(sink.findings.last().map(|last| &*last.message), Some("two"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BoundedFindings {
    /// The diagnostics that were kept, in the order in which they were reported.
    pub findings: Vec<Diagnostic>,
    /// The maximum number of diagnostics to keep.
    pub most: usize,
}

impl BoundedFindings {
    /// Creates a sink that keeps at most `most` diagnostics.
    pub const fn new(most: usize) -> BoundedFindings {
        BoundedFindings { findings: Vec::new(), most }
    }
}

impl Sink for BoundedFindings {
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.has_enough() {
            self.findings.push(diagnostic);
        }
    }

    fn has_enough(&self) -> bool {
        self.findings.len() >= self.most
    }
}
