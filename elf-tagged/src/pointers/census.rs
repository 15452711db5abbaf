//! The identifiers of a document that is read in parts.

use super::index::Key;
use super::places::{At, Places};
use super::retain_visible;
use crate::tree::View;
use crate::tree::build::{Built, Names};
use elf_base::rules::Metadata;
use elf_base::{Code, Diagnostic, Place, Related, Rules, Sink, codes};
use elf_octets::Locator;
use hashbrown::HashMap;
use std::borrow::Cow;

/// Which identifiers were met, and which pointers. An identifier of more than seven octets is known by a keyed hash of 56
/// bits only.
#[derive(Debug, Default)]
pub(crate) struct Census {
    bearers: HashMap<Key, Bearer>,
    pointers: Vec<Pointer>,
    places: Places,
    repeated: Vec<(Place, Place)>,
    /// The pointers that have the shape of GEDCOM's for other files and for parts of records, by their number.
    external: Vec<usize>,
}

/// The first structure that bears an identifier.
#[derive(Clone, Copy, Debug)]
struct Bearer {
    at: At,
    repeated: bool,
    nested: bool,
}

#[derive(Clone, Copy, Debug)]
struct Pointer {
    key: Key,
    place: u64,
}

impl Census {
    /// Takes note of the names of one part.
    pub(crate) fn take(&mut self, built: &mut Built, text: &str, rules: &Rules, locator: &mut Locator<'_>) {
        let Names { mut bearers, mut pointers, .. } = std::mem::take(&mut built.names);
        let header_end =
            built.header.head.and_then(|head| built.nodes.get(head as usize)).map_or(0, |head| head.next);
        let within = if rules.tagged.metadata == Metadata::PseudoStructures { u32::MAX } else { header_end };
        retain_visible(&mut bearers, &built.nodes, within);
        retain_visible(&mut pointers, &built.nodes, within);
        let view = View { text, made: &built.made, nodes: &built.nodes };
        self.places.start_part(self.pointers.len());
        for bearer in bearers {
            let place = locator.place(view.xref_span(bearer.node));
            let (places, repeated) = (&mut self.places, &mut self.repeated);
            self.bearers
                .entry(bearer.key)
                .and_modify(|first| {
                    first.repeated = true;
                    repeated.push((places.place(first.at), place));
                })
                .or_insert_with(|| Bearer { at: places.keep(place), repeated: false, nested: bearer.nested });
        }
        for pointer in pointers {
            // A continuation may have made a string of it since.
            let Some(xref) = view.line_pointer(pointer.node) else { continue };
            if xref.contains([':', '!']) {
                self.external.push(self.pointers.len());
            }
            let place = self.places.keep(locator.place(view.payload_span(pointer.node))).packed;
            self.pointers.push(Pointer { key: pointer.key, place });
        }
    }

    /// Says, in the order of the file, what is wrong with the names of the whole document. What is not met may stand in
    /// the rest, where the reading did not get `to_end`.
    pub(crate) fn report(&mut self, to_end: bool, rules: &Rules, sink: &mut dyn Sink) {
        for (first, place) in self.repeated.drain(..) {
            let message = "the cross-reference identifier is borne by another structure too";
            let related = Related::new("first borne here", first, None);
            let diagnostic = Diagnostic::new(codes::XREF_REPEATED, rules, message);
            sink.report(diagnostic.at(place, None).related(related));
        }
        if !to_end {
            return;
        }
        for (number, pointer) in self.pointers.iter().enumerate() {
            let found = self.bearers.get(&pointer.key);
            let Some((code, message)) = self.judge(number, found) else { continue };
            let place = self.places.place_of_pointer(number, pointer.place);
            let mut diagnostic = Diagnostic::new(code, rules, message).at(place, None);
            if code != codes::POINTER_TO_SUBSTRUCTURE {
                diagnostic.help = Some(Cow::Borrowed("the pointer is kept as it is written"));
            }
            sink.report(diagnostic);
        }
    }

    /// What is wrong with the pointer of that number, which `found` answers to.
    fn judge(&self, number: usize, found: Option<&Bearer>) -> Option<(Code, &'static str)> {
        match found {
            None => {
                let ((), code, message) = super::lost((), self.external.binary_search(&number).is_ok());
                Some((code, message))
            }
            Some(Bearer { repeated: true, .. }) => {
                let message =
                    "expected one structure of this cross-reference identifier, but several bear it";
                Some((codes::POINTER_AMBIGUOUS, message))
            }
            Some(Bearer { nested: true, .. }) => {
                Some((codes::POINTER_TO_SUBSTRUCTURE, "the pointer leads to a structure that is no record"))
            }
            Some(_) => None,
        }
    }
}
