//! Reporting: the findings about identifiers and pointers, which are said after all others.

use super::key::Key;
use super::resolve::PointerFault;
use elf_base::{Diagnostic, Excerpt, Place, Related, Rules, Sink, codes};
use std::borrow::Cow;

/// The findings about the identifiers and pointers of a document, each at a position of the form `P`.
#[derive(Debug)]
pub(crate) struct Findings<P> {
    /// The positions where an identifier is borne again, and where it was first.
    pub(super) repeated: Vec<(P, P, Key)>,
    /// The structures that are rejected for bearing or naming a repeated identifier.
    pub(super) rejected: Vec<P>,
    pub(super) pointers: Vec<(P, PointerFault, Key)>,
}

impl<P: Copy> Findings<P> {
    pub(super) fn extend(&mut self, more: Findings<P>) {
        self.repeated.extend(more.repeated);
        self.rejected.extend(more.rejected);
        self.pointers.extend(more.pointers);
    }

    /// Reports them, those of a kind in the order of the file: `offset` says where a position stands in it,
    /// `place` where it is to be seen.
    pub(super) fn report(
        mut self,
        offset: impl Fn(P) -> u64,
        mut place: impl FnMut(P) -> (Place, Option<Excerpt>),
        rules: &Rules,
        sink: &mut dyn Sink,
    ) {
        let at = |code, message: String, (place, excerpt)| {
            Diagnostic::new(code, rules, message).at(place, excerpt)
        };
        self.repeated.sort_unstable_by_key(|&(here, ..)| offset(here));
        for (here, first, key) in self.repeated {
            let identifier = spelled("the cross-reference identifier", key);
            let message = format!("{identifier} is borne by another structure too");
            let (first, excerpt) = place(first);
            let related = Related::new("first borne here", first, excerpt);
            sink.report(at(codes::XREF_REPEATED, message, place(here)).related(related));
        }
        self.rejected.sort_unstable_by_key(|&here| offset(here));
        for here in self.rejected {
            let message = "bears or names a repeated cross-reference identifier".to_owned();
            sink.report(at(codes::STRUCTURE_REJECTED, message, place(here)));
        }
        self.pointers.sort_unstable_by_key(|&(here, ..)| offset(here));
        for (here, fault, key) in self.pointers {
            let (code, message, help) = fault.meaning(key, rules);
            let mut diagnostic = at(code, message, place(here));
            diagnostic.help = help.map(Cow::Borrowed);
            sink.report(diagnostic);
        }
    }
}

/// Spells an identifier behind what it is called. Of long ones parts do not keep the text, and a whole
/// document says no more than they do.
pub(super) fn spelled(noun: &str, key: Key) -> String {
    key.text().map_or_else(|| noun.to_owned(), |xref| format!("{noun} `@{xref}@`"))
}

impl<P> Default for Findings<P> {
    fn default() -> Findings<P> {
        Findings { repeated: Vec::new(), rejected: Vec::new(), pointers: Vec::new() }
    }
}
