//! Reports findings with their places in the file.

use elf_base::{Code, Detail, Diagnostic, Fix, FixAction, Rules, Sink, Span, codes};
use elf_lines::Fault;
use elf_octets::Locator;
use std::borrow::Cow;

/// A finding about a span of the text. The finding has no place in the file yet.
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

    /// Makes the finding about an invalid line string at `start`. The fix of the finding removes a forbidden code
    /// point.
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

    #[must_use]
    pub(crate) fn fix(mut self, fix: impl Into<Option<Fix>>) -> SpanFinding {
        self.fix = fix.into();
        self
    }
}

/// Converts findings at spans of the text to diagnostics at places in the file.
pub(crate) struct Reporter<'s, 'k> {
    rules: &'s Rules,
    locator: Locator<'s>,
    sink: &'k mut dyn Sink,
    /// The parts of a diagnostic that the sink needs.
    detail: Detail,
    /// Whether findings are held, so that they can be sorted before they are released.
    holds: bool,
    held: Vec<Diagnostic>,
}

/// The greatest number of findings that are held. If a record has more findings, they are sorted in portions of this
/// size.
const MOST_HELD: usize = 1 << 10;

impl<'s, 'k> Reporter<'s, 'k> {
    pub(crate) fn new(rules: &'s Rules, locator: Locator<'s>, sink: &'k mut dyn Sink) -> Reporter<'s, 'k> {
        let detail = sink.detail();
        Reporter { rules, locator, sink, detail, holds: false, held: Vec::new() }
    }

    /// Makes the reporter hold findings until they are [released](Reporter::release). Some faults of a line are found
    /// only when its record is complete.
    pub(crate) fn holding(self) -> Reporter<'s, 'k> {
        Reporter { holds: true, ..self }
    }

    /// Passes on the findings that were held, in the order of the file (AMB-37).
    #[inline]
    pub(crate) fn release(&mut self) {
        if !self.held.is_empty() {
            self.release_held();
        }
    }

    #[cold]
    fn release_held(&mut self) {
        // Findings without a place come first.
        self.held.sort_by_key(|finding| finding.place.map_or(0, |place| place.octet + 1));
        self.held.drain(..).for_each(|finding| self.sink.report(finding));
    }

    /// Removes the held findings at the offset `start` of the text or after it.
    #[cold]
    pub(crate) fn forget_from(&mut self, start: u32) {
        let from = self.locator.place(Span::new(start, start)).octet;
        self.held.retain(|finding| finding.place.is_none_or(|place| place.octet < from));
    }

    /// Returns a message or a help text. Returns an empty text if the sink does not need texts.
    pub(crate) fn words_if_wanted(&self, say: impl FnOnce() -> String) -> Cow<'static, str> {
        if self.detail <= Detail::NoWords { Cow::Borrowed("") } else { Cow::Owned(say()) }
    }

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
        self.pass_on(diagnostic);
    }

    fn pass_on(&mut self, diagnostic: Diagnostic) {
        if !self.holds {
            return self.sink.report(diagnostic);
        }
        if self.held.len() == MOST_HELD {
            self.release_held();
        }
        self.held.push(diagnostic);
    }

    #[cold]
    pub(crate) fn report_at(&mut self, code: Code, span: Span, message: impl Into<Cow<'static, str>>) {
        self.report(SpanFinding::new(code, span, message));
    }

    #[cold]
    pub(crate) fn report_with_help(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
    ) {
        self.report(SpanFinding::new(code, span, message).help(help));
    }

    #[cold]
    pub(crate) fn report_line_fault(&mut self, start: u32, fault: &Fault, help: &'static str) {
        self.report(SpanFinding::of_line(start, fault).help(help));
    }
}
