//! Reports findings with their positions in the file.

use elf_base::{Against, Class, Code, Diagnostic, Fix, Related, Sink, Span, Standard, codes};
use elf_schema::elf_tagged::LinePlaces;
use elf_schema::elf_tagged::elf_octets::Locator;
use elf_schema::{Document, ExtensionNames, Node, about_value, payload_fix};
use elf_values::{Finding, Respelling};

pub(crate) struct Findings<'f, 'd> {
    against: Against,
    /// The calendars and months that the document defines with extension tags.
    pub(crate) names: &'f ExtensionNames,
    /// Finds positions. It is created when it is first needed.
    locator: Option<Locator<'d>>,
    /// Finds positions without a table of all lines. It is created when it is first needed.
    lines: Option<LinePlaces<'d>>,
    sink: &'f mut dyn Sink,
}

impl<'f, 'd> Findings<'f, 'd> {
    pub(crate) fn new(
        against: Against,
        names: &'f ExtensionNames,
        sink: &'f mut dyn Sink,
    ) -> Findings<'f, 'd> {
        Findings { against, names, locator: None, lines: None, sink }
    }

    /// Returns whether dates, ages and times are checked when types are found. The grammars of
    /// GEDCOM 7.0 are then the same, so they need no second check.
    pub(crate) fn dates_are_checked(&self) -> bool {
        self.against.standard.has_values_of_7() && !self.against.is_named
    }

    /// Reports a finding at the line of a structure.
    #[cold]
    pub(crate) fn report(&mut self, code: Code, node: Node<'d>, message: String) {
        let lines = self.lines.get_or_insert_with(|| node.document().line_places());
        let span = node.line_span();
        let found =
            new_finding(code, self.against, message).at(lines.place(node, span), lines.excerpt(node, span));
        self.sink.report(found);
    }

    pub(crate) const fn standard(&self) -> Standard {
        self.against.standard
    }

    pub(crate) const fn against(&self) -> Against {
        self.against
    }

    pub(crate) fn locator(&mut self, document: &'d Document<'_>) -> &mut Locator<'d> {
        self.locator.get_or_insert_with(|| document.locator())
    }

    #[cold]
    pub(crate) fn report_with_help(&mut self, code: Code, node: Node<'d>, message: String, help: &str) {
        self.report_at(code, node, node.line_span(), message, Some(help.to_owned()));
    }

    #[cold]
    pub(crate) fn report_with_fix(
        &mut self,
        code: Code,
        node: Node<'d>,
        message: String,
        help: String,
        fix: Fix,
    ) {
        let locator = self.locator.get_or_insert_with(|| node.document().locator());
        let span = node.line_span();
        let found = new_finding(code, self.against, message).at(locator.place(span), locator.excerpt(span));
        self.sink.report(found.help(help).fix(fix));
    }

    /// Reports a structure that exceeds the allowed number, with the place of the first such
    /// structure.
    #[cold]
    pub(crate) fn report_repeated(&mut self, node: Node<'d>, first: Option<Node<'d>>, message: String) {
        let locator = self.locator.get_or_insert_with(|| node.document().locator());
        let span = node.line_span();
        let mut found = new_finding(codes::STRUCTURE_REPEATED, self.against, message)
            .at(locator.place(span), locator.excerpt(span));
        if let Some(span) = first.map(Node::line_span) {
            found = found.related(Related::new(FIRST, locator.place(span), locator.excerpt(span)));
        }
        self.sink.report(found);
    }

    /// Reports a finding at `span`, which is a part of a structure.
    #[cold]
    pub(crate) fn report_at(
        &mut self,
        code: Code,
        node: Node<'d>,
        span: Span,
        message: String,
        help: Option<String>,
    ) {
        self.report_finding(new_finding(code, self.against, message), node, span, help);
    }

    /// Sets the place of a finding to `span`, which is a part of a structure, and reports it.
    #[cold]
    pub(crate) fn report_finding(
        &mut self,
        found: Diagnostic,
        node: Node<'d>,
        span: Span,
        help: Option<String>,
    ) {
        let locator = self.locator.get_or_insert_with(|| node.document().locator());
        let mut found = found.at(locator.place(span), locator.excerpt(span));
        if let Some(help) = help {
            found = found.help(help);
        }
        self.sink.report(found);
    }

    /// Reports a fault in a payload at the bytes that are wrong.
    #[cold]
    pub(crate) fn report_in_payload(&mut self, code: Code, node: Node<'d>, fault: PayloadFault) {
        let locator = self.locator.get_or_insert_with(|| node.document().locator());
        let span = node.payload_place(fault.span);
        let mut found = Diagnostic::of_standard(code, self.against, fault.message)
            .at(locator.place(span), locator.excerpt(span));
        if let Some(help) = fault.help {
            found = found.help(help);
        }
        found.class = fault.class.unwrap_or(found.class);
        found.fix = fault.respelling.and_then(|respelling| payload_fix(node, respelling));
        self.sink.report(found);
    }

    /// Reports an invalid value. The finding may have a class and a respelling of its own.
    #[cold]
    pub(crate) fn report_value(&mut self, node: Node<'d>, mut fault: Finding) {
        let locator = self.locator.get_or_insert_with(|| node.document().locator());
        let message = std::mem::take(&mut fault.message);
        let found = Diagnostic::of_standard(fault.code, self.against, message);
        self.sink.report(about_value(found, fault, node, locator));
    }
}

pub(crate) struct PayloadFault {
    /// The part of the payload that is wrong.
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: Option<&'static str>,
    /// The class, if it differs from that of the code.
    pub(crate) class: Option<Class>,
    /// The value to write instead.
    pub(crate) respelling: Option<Respelling>,
}

impl PayloadFault {
    pub(crate) const fn new(span: Span, message: String) -> PayloadFault {
        PayloadFault { span, message, help: None, class: None, respelling: None }
    }

    pub(crate) fn with_help(self, help: &'static str) -> PayloadFault {
        PayloadFault { help: Some(help), ..self }
    }
}

/// The words that messages use for the first of several structures.
pub(crate) const FIRST: &str = "the first one";

/// Creates a finding without a place, with help about its consequences in other programs.
pub(crate) fn new_finding(code: Code, against: Against, message: String) -> Diagnostic {
    let found = Diagnostic::of_standard(code, against, message);
    match HELP.iter().find(|(of, _)| *of == code) {
        Some((_, help)) => found.help(*help),
        None => found,
    }
}

/// The consequences of findings in other programs.
const HELP: [(Code, &str); 9] = [
    (codes::STRUCTURE_MISSING, "programs that need it may leave out the whole structure"),
    (codes::STRUCTURE_REPEATED, "most programs use the first or the last and ignore the others"),
    (codes::PAYLOAD_MISSING, "programs leave out the structure or keep an empty entry"),
    (codes::PAYLOAD_UNEXPECTED, "programs do not expect it here: they lose it or show it as plain text"),
    (codes::POINTER_WRONG_TYPE, "programs drop the link or show the record in the wrong place"),
    (codes::LINK_ONE_SIDED, "programs that follow the link from the other record do not find it"),
    (codes::RECORD_NESTED, "programs look for records at level 0 only and ignore this one"),
    (codes::TYPE_ABSTRACT, "programs know its subtypes only and ignore the structure"),
    (codes::POINTER_CIRCULAR, "programs drop the link or follow it forever"),
];
