//! The identifiers of a document that is read in parts.

use super::index::Key;
use super::retain_visible;
use crate::tree::View;
use crate::tree::build::{Built, Names};
use elf_base::rules::Metadata;
use elf_base::{Code, Diagnostic, Place, Related, Rules, Sink, codes};
use elf_octets::Locator;
use hashbrown::HashMap;
use std::borrow::Cow;

/// Which identifiers were met, and which pointers wait for theirs. An identifier of more than seven octets is known by a
/// keyed hash of 56 bits only.
#[derive(Debug, Default)]
pub(crate) struct Census {
    bearers: HashMap<Key, Bearer>,
    waiting: Vec<Waiting>,
    repeated: Vec<(Place, Place)>,
}

#[derive(Clone, Copy, Debug)]
struct Bearer {
    place: Place,
    repeated: bool,
    nested: bool,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    key: Key,
    place: Place,
    external: bool,
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
        for bearer in bearers {
            let place = locator.place(view.xref_span(bearer.node));
            let new = Bearer { place, repeated: false, nested: bearer.nested };
            self.bearers
                .entry(bearer.key)
                .and_modify(|first| {
                    first.repeated = true;
                    self.repeated.push((first.place, place));
                })
                .or_insert(new);
        }
        for pointer in pointers {
            let Some(xref) = view.line_pointer(pointer.node) else { continue };
            let found = self.bearers.get(&pointer.key);
            if found.is_some_and(|found| !found.repeated && !found.nested) {
                continue;
            }
            let place = locator.place(view.payload_span(pointer.node));
            self.waiting.push(Waiting { key: pointer.key, place, external: xref.contains([':', '!']) });
        }
    }

    /// Says, in the order of the file, what is wrong with the names of the whole document.
    /// What is not met may stand in the rest, where the reading did not get `to_end`.
    pub(crate) fn report(&mut self, to_end: bool, rules: &Rules, sink: &mut dyn Sink) {
        for (first, place) in self.repeated.drain(..) {
            let message = "the cross-reference identifier is borne by another structure too";
            let related = Related::new("first borne here", first, None);
            sink.report(
                Diagnostic::new(codes::XREF_REPEATED, rules, message).at(place, None).related(related),
            );
        }
        if !to_end {
            return;
        }
        let mut findings: Vec<(Place, Code, &'static str)> = Vec::new();
        for Waiting { key, place, external } in self.waiting.drain(..) {
            match self.bearers.get(&key) {
                None => findings.push(super::lost(place, external)),
                Some(found) if found.repeated => {
                    let message =
                        "expected one structure of this cross-reference identifier, but several bear it";
                    findings.push((place, codes::POINTER_AMBIGUOUS, message));
                }
                Some(found) if found.nested => {
                    let message = "the pointer leads to a structure that is no record";
                    findings.push((place, codes::POINTER_TO_SUBSTRUCTURE, message));
                }
                Some(_) => {}
            }
        }
        findings.sort_by_key(|finding| finding.0);
        for (place, code, message) in findings {
            let mut diagnostic = Diagnostic::new(code, rules, message).at(place, None);
            if code != codes::POINTER_TO_SUBSTRUCTURE {
                diagnostic.help = Some(Cow::Borrowed("the pointer is kept as it is written"));
            }
            sink.report(diagnostic);
        }
    }
}
