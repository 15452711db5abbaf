//! What is wrong with the names of a document: with its identifiers, and with the pointers to them.

use super::index::Found;
use elf_base::rules::XrefErrors;
use elf_base::{Code, Diagnostic, Place, Related, Rules, Sink, codes};
use std::borrow::Cow;

/// Why a pointer does not lead to one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing bears the identifier.
    Lost,
    /// Nothing does, and it has the shape of GEDCOM's for other files and for parts of records (D19 *Payloads*).
    External,
    /// Several structures bear it.
    Ambiguous,
    /// What bears it is no record.
    Substructure,
}

/// The findings about names, which are said after all others: each at a place, in whatever form `P` it is kept.
#[derive(Debug)]
pub(crate) struct Findings<P> {
    /// Where an identifier is borne again, and where it was first.
    pub(super) repeated: Vec<(P, P)>,
    /// The structures that are rejected for bearing or naming a repeated identifier.
    pub(super) rejected: Vec<P>,
    pub(super) pointers: Vec<(P, Fault)>,
}

impl Fault {
    /// What is wrong with a pointer to `xref`, if anything is, of which that was found.
    pub(super) fn of(found: Option<Found>, xref: &str) -> Option<Fault> {
        match found {
            None => Some(Fault::lost(xref)),
            Some(Found { repeated: true, .. }) => Some(Fault::Ambiguous),
            Some(Found { nested: true, .. }) => Some(Fault::Substructure),
            Some(_) => None,
        }
    }

    /// What is wrong with a pointer to `xref`, which nothing bears.
    pub(super) fn lost(xref: &str) -> Fault {
        if super::is_external(xref) { Fault::External } else { Fault::Lost }
    }

    pub(super) const fn code(self) -> Code {
        match self {
            Fault::Lost => codes::POINTER_DANGLING,
            Fault::External => codes::POINTER_EXTERNAL,
            Fault::Ambiguous => codes::POINTER_AMBIGUOUS,
            Fault::Substructure => codes::POINTER_TO_SUBSTRUCTURE,
        }
    }

    /// How it is reported, and what becomes of the pointer.
    pub(super) fn meaning(self, rules: &Rules) -> (Code, &'static str, Option<&'static str>) {
        let message = match self {
            Fault::Lost => "expected the cross-reference identifier of a structure, but none bears it",
            Fault::External => "the pointer leads out of the file, or into a record",
            Fault::Ambiguous => {
                "expected one structure of this cross-reference identifier, but several bear it"
            }
            Fault::Substructure => "the pointer leads to a structure that is no record",
        };
        let help = match rules.tagged.xref_errors {
            XrefErrors::Undef => "the pointer is led to an inserted record tagged UNDEF",
            XrefErrors::Keep | XrefErrors::Options(_) => "the pointer is kept as it is written",
        };
        (self.code(), message, Some(help).filter(|_| self != Fault::Substructure))
    }
}

/// What is said of an identifier that is borne again, and of where it is borne first.
pub(super) const REPEATED: (&str, &str) =
    ("the cross-reference identifier is borne by another structure too", "first borne here");

/// What is said of a structure that is rejected for a repeated identifier.
pub(super) const REJECTED: &str = "bears or names a repeated cross-reference identifier";

impl<P: Copy> Findings<P> {
    pub(super) fn extend(&mut self, more: Findings<P>) {
        self.repeated.extend(more.repeated);
        self.rejected.extend(more.rejected);
        self.pointers.extend(more.pointers);
    }

    /// Reports them, those of a kind in the order of the file.
    pub(super) fn report(mut self, place: impl Fn(P) -> Place, rules: &Rules, sink: &mut dyn Sink) {
        let octet = |at: P| place(at).octet;
        let at = |code, message, at: P| Diagnostic::new(code, rules, message).at(place(at), None);
        self.repeated.sort_unstable_by_key(|&(here, _)| octet(here));
        for (here, first) in self.repeated {
            let (message, label) = REPEATED;
            let related = Related::new(label, place(first), None);
            sink.report(at(codes::XREF_REPEATED, message, here).related(related));
        }
        self.rejected.sort_unstable_by_key(|&here| octet(here));
        for here in self.rejected {
            sink.report(at(codes::STRUCTURE_REJECTED, REJECTED, here));
        }
        self.pointers.sort_unstable_by_key(|&(here, _)| octet(here));
        for (here, fault) in self.pointers {
            let (code, message, help) = fault.meaning(rules);
            let mut diagnostic = at(code, message, here);
            diagnostic.help = help.map(Cow::Borrowed);
            sink.report(diagnostic);
        }
    }
}

impl<P> Default for Findings<P> {
    fn default() -> Findings<P> {
        Findings { repeated: Vec::new(), rejected: Vec::new(), pointers: Vec::new() }
    }
}
