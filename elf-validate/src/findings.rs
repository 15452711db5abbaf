//! The findings: made with their place, and handed on.

use elf_base::{Against, Code, Diagnostic, Sink, codes};
use elf_schema::Node;
use elf_schema::elf_tagged::elf_octets::Locator;

/// Takes findings about structures of one document.
pub(crate) struct Findings<'f, 'd> {
    against: Against,
    /// The places of the document, once they are needed.
    locator: Option<Locator<'d>>,
    sink: &'f mut dyn Sink,
}

impl<'f, 'd> Findings<'f, 'd> {
    pub(crate) fn new(against: Against, sink: &'f mut dyn Sink) -> Findings<'f, 'd> {
        Findings { against, locator: None, sink }
    }

    /// Reports a finding at the line of a structure.
    #[cold]
    pub(crate) fn report(&mut self, code: Code, node: Node<'d>, message: String) {
        let locator = self.locator.get_or_insert_with(|| node.document().locator());
        let span = node.line_span();
        let found = finding(code, self.against, message).at(locator.place(span), locator.excerpt(span));
        self.sink.report(found);
    }
}

/// A finding without a place, with what it means to other programs.
pub(crate) fn finding(code: Code, against: Against, message: String) -> Diagnostic {
    let found = Diagnostic::of_standard(code, against, message);
    match HELP.iter().find(|(of, _)| *of == code) {
        Some((_, help)) => found.help(*help),
        None => found,
    }
}

/// The consequences that findings have in other programs.
const HELP: [(Code, &str); 6] = [
    (codes::STRUCTURE_MISSING, "programs that need it may leave the whole structure out"),
    (codes::STRUCTURE_REPEATED, "most programs take the first or the last, and pass over the others"),
    (codes::PAYLOAD_MISSING, "programs leave the structure out, or keep an empty entry"),
    (codes::PAYLOAD_UNEXPECTED, "programs do not look for it there, and lose it or show it as it stands"),
    (codes::VALUE_NOT_LISTED, "programs do not know the value, and show it as it stands or take it for none"),
    (codes::POINTER_WRONG_TYPE, "programs drop the link, or show the record where it does not belong"),
];
