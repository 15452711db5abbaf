//! Findings with their places.

use elf_base::{Code, Detail, Diagnostic, Fix, FixAction, Rules, Sink, Span, codes};
use elf_lines::Fault;
use elf_octets::Locator;
use std::borrow::Cow;

/// A finding at a span of the text, before it has its place in the file.
#[derive(Clone, Debug)]
pub(crate) struct SpanFinding {
    pub(crate) code: Code,
    pub(crate) span: Span,
    message: Cow<'static, str>,
    help: Option<Cow<'static, str>>,
    fix: Option<Fix>,
}

impl SpanFinding {
    pub(crate) fn new(code: Code, span: Span, message: impl Into<Cow<'static, str>>) -> SpanFinding {
        SpanFinding { code, span, message: message.into(), help: None, fix: None }
    }

    /// Makes the finding about what keeps the line string at `start` from being a line. A code point that is
    /// no character can be removed.
    pub(crate) fn of_line(start: u32, fault: &Fault) -> SpanFinding {
        let span = Span::new(start + fault.span.start, start + fault.span.end);
        let removed = (fault.code == codes::CHARACTER_FORBIDDEN)
            .then(|| Fix::guess(FixAction::Replace(Cow::Borrowed(""))));
        SpanFinding::new(fault.code, span, fault.message.clone()).fix(removed)
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<Cow<'static, str>>) -> SpanFinding {
        self.help = Some(help.into());
        self
    }

    /// Adds the fix, if there is one.
    #[must_use]
    pub(crate) fn fix(mut self, fix: impl Into<Option<Fix>>) -> SpanFinding {
        self.fix = fix.into();
        self
    }
}

/// Turns findings at spans of the text into diagnostics at places of the file.
pub(crate) struct Reporter<'s, 'k> {
    rules: &'s Rules,
    locator: Locator<'s>,
    sink: &'k mut dyn Sink,
    /// The parts of them that anybody has a use for.
    detail: Detail,
    /// True if findings are held until they are released, in the order of the file.
    holds: bool,
    held: Vec<Diagnostic>,
}

/// The number of findings that are held at most: of a record with more, the order of the file holds among so
/// many.
const MOST_HELD: usize = 1 << 10;

impl<'s, 'k> Reporter<'s, 'k> {
    pub(crate) fn new(rules: &'s Rules, locator: Locator<'s>, sink: &'k mut dyn Sink) -> Reporter<'s, 'k> {
        let detail = sink.detail();
        Reporter { rules, locator, sink, detail, holds: false, held: Vec::new() }
    }

    /// Holds findings back until they are [released](Reporter::release): some faults of a line are known only
    /// when its record is whole.
    pub(crate) fn holding(self) -> Reporter<'s, 'k> {
        Reporter { holds: true, ..self }
    }

    /// Hands on the findings held, in the order of the file (AMB-37).
    #[inline]
    pub(crate) fn release(&mut self) {
        if !self.held.is_empty() {
            self.release_held();
        }
    }

    #[cold]
    fn release_held(&mut self) {
        // Those without a place first.
        self.held.sort_by_key(|finding| finding.place.map_or(0, |place| place.octet + 1));
        self.held.drain(..).for_each(|finding| self.sink.report(finding));
    }

    /// Forgets the findings held that are at the offset `start` of the text or after it.
    #[cold]
    pub(crate) fn forget_from(&mut self, start: u32) {
        let from = self.locator.place(Span::new(start, start)).octet;
        self.held.retain(|finding| finding.place.is_none_or(|place| place.octet < from));
    }

    /// Returns a message or help, if anybody has a use for words.
    pub(crate) fn words(&self, say: impl FnOnce() -> String) -> Cow<'static, str> {
        if self.detail <= Detail::NoWords { Cow::Borrowed("") } else { Cow::Owned(say()) }
    }

    /// Reports a finding at its place.
    #[cold]
    pub(crate) fn report(&mut self, finding: SpanFinding) {
        if self.detail == Detail::Nothing {
            return;
        }
        let SpanFinding { code, span, message, help, fix } = finding;
        let place = self.locator.place(span);
        let excerpt = if self.detail == Detail::Full { self.locator.excerpt(span) } else { None };
        let mut diagnostic = Diagnostic::new(code, self.rules, message).at(place, excerpt);
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        if let Some(fix) = fix {
            diagnostic = diagnostic.fix(fix);
        }
        self.hand_on(diagnostic);
    }

    fn hand_on(&mut self, diagnostic: Diagnostic) {
        if !self.holds {
            return self.sink.report(diagnostic);
        }
        if self.held.len() == MOST_HELD {
            self.release_held();
        }
        self.held.push(diagnostic);
    }

    /// Reports a finding at `span`.
    #[cold]
    pub(crate) fn at(&mut self, code: Code, span: Span, message: impl Into<Cow<'static, str>>) {
        self.report(SpanFinding::new(code, span, message));
    }

    /// Reports a finding at `span`, with help.
    #[cold]
    pub(crate) fn with_help(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
    ) {
        self.report(SpanFinding::new(code, span, message).help(help));
    }

    /// Reports what keeps the line string at `start` from being a line.
    #[cold]
    pub(crate) fn line_fault(&mut self, start: u32, fault: &Fault, help: &'static str) {
        self.report(SpanFinding::of_line(start, fault).help(help));
    }
}
