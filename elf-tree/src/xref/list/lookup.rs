//! Looking up the pointers of listed parts, by rules that change nothing for the sake of identifiers.

use super::super::key::Key;
use super::super::report;
use super::super::resolve::PointerFault;
use super::{XrefEntries, XrefList, index};
use elf_base::{CountedIndex, PartNumbers, Place, Rules, Sink};
use std::collections::HashSet;
use std::sync::Arc;

/// The lists of the parts of a document. Nothing is looked up before the end.
///
/// It is done in the order of the file then. What most identifiers lead to stands in an array by their
/// numbers, so that the time of a pointer hardly grows with the document.
#[derive(Debug, Default)]
pub(crate) struct ListedParts(Vec<Arc<XrefList>>);

/// The number of a part, and the index of a bearer there.
type BearerId = (u32, u32);

impl ListedParts {
    /// Adds the list of the next part.
    pub(in crate::xref) fn add(&mut self, list: Arc<XrefList>) {
        self.0.push(list);
    }

    /// Reports all irregularities, those of a kind in the order of the file; `pointers`: those too, but for
    /// those that name `void`.
    pub(in crate::xref) fn report(
        &self,
        pointers: bool,
        void: Option<Key>,
        rules: &Rules,
        sink: &mut dyn Sink,
    ) {
        let numbers = PartNumbers::of(self.0.iter().map(|part| part.bearers.len()));
        let of = |bearer: u32| {
            let (part, at) = numbers.place(bearer)?;
            self.0.get(part as usize)?.bearers.key(at as usize)
        };
        let keys = self.0.iter().flat_map(|part| part.bearers.keys());
        let mut bearers = CountedIndex::with_room(PartNumbers::NONE, keys.map(Key::number));
        let mut repeated: HashSet<u32> = HashSet::new();
        let mut next = 0..PartNumbers::NONE;
        for part in &self.0 {
            for (key, number) in part.bearers.keys().zip(next.by_ref()) {
                let Some(first) = bearers.add(key.number(), number, of) else { continue };
                repeated.insert(first);
                let place = |bearer| self.place(numbers.place(bearer)?);
                let places = place(number).zip(place(first));
                if let Some((here, first)) = places {
                    sink.report(report::repeated((here, None), (first, None), key, rules));
                }
            }
        }
        for part in self.0.iter().filter(|_| pointers) {
            for (at, key) in part.pointers.keys().enumerate() {
                if Some(key) == void {
                    continue;
                }
                let fault = match bearers.get(key.number(), of) {
                    None if part.is_external(at) => PointerFault::External,
                    None => PointerFault::Dangling,
                    Some(bearer) if repeated.contains(&bearer) => PointerFault::Ambiguous,
                    Some(bearer) if numbers.place(bearer).is_some_and(|at| self.is_nested(at)) => {
                        PointerFault::Substructure
                    }
                    Some(_) => continue,
                };
                if let Some(place) = part.pointers.place(at) {
                    report::report_pointer((place, None), (fault, key), rules, sink);
                }
            }
        }
    }

    fn place(&self, (part, at): BearerId) -> Option<Place> {
        self.0.get(part as usize)?.bearers.place(at as usize)
    }

    fn is_nested(&self, (part, at): BearerId) -> bool {
        self.0.get(part as usize).is_some_and(|part| has(&part.nested, at))
    }
}

impl XrefList {
    fn is_external(&self, pointer: usize) -> bool {
        has(&self.external, index(pointer))
    }
}

impl XrefEntries {
    fn keys(&self) -> impl Iterator<Item = Key> {
        (0..self.len()).filter_map(|at| self.keys.get(at)).map(Key::of_number)
    }
}

/// Tells whether an index is among some, of which there are hardly any.
fn has(some: &[u32], index: u32) -> bool {
    !some.is_empty() && some.binary_search(&index).is_ok()
}
