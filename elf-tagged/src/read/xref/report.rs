//! Reports findings about identifiers and pointers. These findings come after all other findings.

use super::key::Key;
use super::resolve::PointerFault;
use elf_base::rules::XrefErrors;
use elf_base::{Diagnostic, Excerpt, Place, Related, Rules, Sink, Span, codes};
use std::borrow::Cow;

/// The findings about the identifiers and pointers of a document.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The spans of repeated identifiers. Each comes with the span of the identifier's first occurrence.
    pub(super) repeated: Vec<(Span, Span, Key)>,
    /// The structures that are rejected because they have a repeated identifier or point to one.
    pub(super) rejected: Vec<Span>,
    pub(super) pointers: Vec<(Span, PointerFault, Key)>,
}

impl Findings {
    /// Reports the findings. Each kind is in the order of the file. `place` returns the place of a span, and its line.
    pub(super) fn report(
        mut self,
        mut place: impl FnMut(Span) -> PlaceWithLine,
        rules: &Rules,
        sink: &mut dyn Sink,
    ) {
        self.repeated.sort_by_key(|&(here, ..)| here.start);
        for (here, first, key) in self.repeated {
            let first = place(first);
            sink.report(repeated_finding(place(here), first, key, rules));
        }
        self.rejected.sort_by_key(|&here| here.start);
        for here in self.rejected {
            let message = "the structure has, or points to, a repeated cross-reference identifier".to_owned();
            let here = place(here);
            sink.report(Diagnostic::new(codes::STRUCTURE_REJECTED, rules, message).at(here.place, here.line));
        }
        self.pointers.sort_by_key(|&(here, ..)| here.start);
        for (here, fault, key) in self.pointers {
            report_pointer(place(here), fault, key, rules, sink);
        }
    }
}

/// A place, and its line if the text is known.
pub(super) struct PlaceWithLine {
    pub(super) place: Place,
    pub(super) line: Option<Excerpt>,
}

impl PlaceWithLine {
    /// Creates a place whose line is unknown.
    pub(super) const fn without_line(place: Place) -> PlaceWithLine {
        PlaceWithLine { place, line: None }
    }
}

pub(super) fn repeated_finding(
    here: PlaceWithLine,
    first: PlaceWithLine,
    key: Key,
    rules: &Rules,
) -> Diagnostic {
    let identifier = name_identifier("the cross-reference identifier", key);
    let message = format!("another structure has {identifier}, too");
    let related = Related::new("first used here", first.place, first.line);
    Diagnostic::new(codes::XREF_REPEATED, rules, message).at(here.place, here.line).related(related)
}

pub(super) fn report_pointer(
    here: PlaceWithLine,
    fault: PointerFault,
    key: Key,
    rules: &Rules,
    sink: &mut dyn Sink,
) {
    let mut finding = Diagnostic::new(fault.code(), rules, "").at(here.place, here.line);
    if sink.wants_words(finding.code, finding.place) {
        (finding.message, finding.help) = describe_pointer(fault, key, rules);
    }
    sink.report(finding);
}

/// Describes a pointer that does not refer to a record. Returns the message, and help about what happens to the
/// pointer.
fn describe_pointer(
    fault: PointerFault,
    key: Key,
    rules: &Rules,
) -> (Cow<'static, str>, Option<Cow<'static, str>>) {
    let pointer = name_identifier("the pointer", key);
    let message = match fault {
        PointerFault::Dangling => match key.text() {
            Some(xref) => format!("unresolved pointer `@{xref}@`: no record has this identifier"),
            None => "unresolved pointer: no record has its identifier".to_owned(),
        },
        PointerFault::External => format!("{pointer} refers to another file or to a part of a record"),
        PointerFault::Ambiguous => match key.text() {
            Some(xref) => format!("ambiguous pointer `@{xref}@`: several structures have this identifier"),
            None => "ambiguous pointer: several structures have its identifier".to_owned(),
        },
        PointerFault::Substructure => format!("{pointer} refers to a structure that is not a record"),
    };
    let help = match rules.tagged.xref_errors {
        XrefErrors::Undef => "an empty record with the tag UNDEF is added for it",
        XrefErrors::Keep | XrefErrors::Options(_) => "the pointer is kept",
    };
    (message.into(), Some(help.into()).filter(|_| fault != PointerFault::Substructure))
}

/// Returns `noun`, followed by the identifier if it is short. Runs do not store the text of long identifiers, so these
/// cannot be named.
fn name_identifier(noun: &str, key: Key) -> String {
    key.text().map_or_else(|| noun.to_owned(), |xref| format!("{noun} `@{xref}@`"))
}
