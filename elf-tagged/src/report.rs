//! Findings with their places.

use elf_base::{Code, Diagnostic, Related, Rules, Sink, Span};
use elf_lines::Fault;
use elf_octets::Locator;
use std::borrow::Cow;

/// Turns findings at spans of the text into diagnostics at places of the file.
pub(crate) struct Reporter<'s, 'k> {
    rules: &'s Rules,
    locator: Locator<'s>,
    sink: &'k mut dyn Sink,
}

impl<'s, 'k> Reporter<'s, 'k> {
    pub(crate) fn new(rules: &'s Rules, locator: Locator<'s>, sink: &'k mut dyn Sink) -> Reporter<'s, 'k> {
        Reporter { rules, locator, sink }
    }

    /// Reports a finding at `span`.
    #[cold]
    pub(crate) fn at(&mut self, code: Code, span: Span, message: impl Into<Cow<'static, str>>) {
        let diagnostic = self.diagnostic(code, span, message);
        self.sink.report(diagnostic);
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
        let diagnostic = self.diagnostic(code, span, message).help(help);
        self.sink.report(diagnostic);
    }

    /// Reports a finding at `span` that speaks of another one.
    #[cold]
    pub(crate) fn related(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<Cow<'static, str>>,
        other: Span,
        label: &'static str,
    ) {
        let place = self.locator.place(other);
        let related = Related::new(label, place, self.locator.excerpt(other));
        let diagnostic = self.diagnostic(code, span, message).related(related);
        self.sink.report(diagnostic);
    }

    /// Reports what keeps the line string at `start` from being a line.
    #[cold]
    pub(crate) fn line_fault(&mut self, start: u32, fault: &Fault, help: &'static str) {
        let span = Span::new(start + fault.span.start, start + fault.span.end);
        self.with_help(fault.code, span, fault.message.clone(), help);
    }

    fn diagnostic(&mut self, code: Code, span: Span, message: impl Into<Cow<'static, str>>) -> Diagnostic {
        let place = self.locator.place(span);
        let excerpt = self.locator.excerpt(span);
        Diagnostic::new(code, self.rules, message).at(place, excerpt)
    }
}
