//! Follows references to find the records that only removed structures refer to.

use crate::fate::{Fate, PointerCase, Target};
use crate::links::{IdentifiedStructure, LinkTable};
use crate::lists::{ListsByNumber, RangesByNumber, set_mark};
use crate::records::{RecordAction, RecordKind, RemovalReason};

/// The links of a document, and what happens to its records so far.
pub(crate) struct References<'l> {
    links: &'l LinkTable,
    is_redaction: bool,
    actions: Vec<RecordAction>,
}

/// What happens to the records and the inner records, with references taken into account.
pub(crate) struct SettledRecords {
    /// For each identifier, what happens to the targets of its pointers.
    pub(crate) targets: Vec<Target>,
    pub(crate) actions: Vec<RecordAction>,
    /// The inner records of kept records that only removed structures referred to, sorted.
    pub(crate) unreferenced: Vec<InnerStructure>,
}

/// The identifier of a structure inside a record, with the number of that record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct InnerStructure {
    pub(crate) record: u32,
    pub(crate) identifier: u32,
}

/// The records and inner records that are reached by following pointers.
struct ReachedStructures {
    records: Vec<bool>,
    /// For each inner record, whether a pointer leads to it.
    inner: Vec<bool>,
    /// For each inner record, whether it is in `inner`, or inside one that is.
    within: Vec<bool>,
}

/// The links of a document, arranged for following pointers.
struct PointerGraph {
    /// For each pointer, whether it is removed.
    is_removed: Vec<bool>,
    /// The structures with each identifier.
    identified: ListsByNumber,
    /// The pointers of each record.
    of_record: RangesByNumber,
}

impl<'l> References<'l> {
    pub(crate) const fn new(
        links: &'l LinkTable,
        is_redaction: bool,
        actions: Vec<RecordAction>,
    ) -> References<'l> {
        References { links, is_redaction, actions }
    }

    /// Removes the records and the inner records that only removed structures refer to. Records
    /// that nothing refers to are kept, because nobody knows whom they are about.
    ///
    /// An inner structure counts like a record: it may be a record that is one level too deep.
    pub(crate) fn remove_unreferenced(mut self) -> SettledRecords {
        let graph = PointerGraph {
            is_removed: self.find_cut_pointers(&self.find_targets(&[])),
            identified: self.list_identified_structures(),
            of_record: RangesByNumber::of(
                self.links.pointers.iter().map(|pointer| pointer.record),
                self.links.records.len(),
            ),
        };
        let by_removed = self.follow_from_removed(&graph);
        let by_kept = self.follow_from_kept(&graph, &by_removed);
        let mut unreferenced: Vec<InnerStructure> = Vec::new();
        for (at, inner) in self.links.inner.iter().enumerate() {
            if by_removed.inner[at] && !by_kept.inner[at] {
                unreferenced.push(InnerStructure { record: inner.record, identifier: inner.identifier });
            }
        }
        unreferenced.sort();
        for (at, action) in self.actions.iter_mut().enumerate() {
            if by_removed.records[at] && !by_kept.records[at] {
                *action = RecordAction::Remove(RemovalReason::Unreferenced);
            }
        }
        SettledRecords { targets: self.find_targets(&unreferenced), actions: self.actions, unreferenced }
    }

    /// Finds the records and inner records that removed pointers lead to, directly or through
    /// further pointers.
    fn follow_from_removed(&self, graph: &PointerGraph) -> ReachedStructures {
        let links = self.links;
        let pointers_of_inner = ListsByNumber::of(self.innermost_owners(&|_| true), links.inner.len());
        let inner_of_inner = (0..).zip(&links.inner);
        let inner_of_inner = inner_of_inner.filter_map(|(number, inner)| Some((inner.above?, number)));
        let inner_of_inner = ListsByNumber::of(inner_of_inner.collect(), links.inner.len());
        let mut reached = self.nothing_reached();
        let mut waiting: Vec<usize> = (0..links.pointers.len()).filter(|&at| graph.is_removed[at]).collect();
        let mut seen = vec![false; links.identifiers.len()];
        while let Some(pointer) = waiting.pop() {
            for bearer in self.first_targets(graph, pointer, &mut seen) {
                if self.depends_on_references(bearer.record) && set_mark(&mut reached.records, bearer.record)
                {
                    waiting.extend(graph.of_record.of_number(bearer.record));
                }
                let inner = bearer.inner.filter(|_| self.is_kept(bearer.record));
                let Some(inner) = inner.filter(|&inner| set_mark(&mut reached.inner, inner)) else {
                    continue;
                };
                let mut open = vec![inner];
                while let Some(inner) = open.pop() {
                    if set_mark(&mut reached.within, inner) {
                        waiting.extend(pointers_of_inner.of_number(inner).iter().map(|&at| at as usize));
                        open.extend(inner_of_inner.of_number(inner));
                    }
                }
            }
        }
        reached
    }

    /// Finds the records and inner records in `by_removed` that kept pointers also lead to.
    fn follow_from_kept(&self, graph: &PointerGraph, by_removed: &ReachedStructures) -> ReachedStructures {
        let links = self.links;
        let owners = self.innermost_owners(&|inner| by_removed.inner[inner as usize]);
        let mut is_owned = vec![false; links.pointers.len()];
        for &(_, pointer) in &owners {
            set_mark(&mut is_owned, pointer);
        }
        let pointers_of_inner = ListsByNumber::of(owners, links.inner.len());
        let is_free = |&pointer: &usize| !graph.is_removed[pointer] && !is_owned[pointer];
        let is_of_kept = |&pointer: &usize| !by_removed.records[links.pointers[pointer].record as usize];
        let all = 0..links.pointers.len();
        let mut waiting: Vec<usize> = all.filter(|at| is_free(at) && is_of_kept(at)).collect();
        let mut reached = self.nothing_reached();
        let mut seen = vec![false; links.identifiers.len()];
        while let Some(pointer) = waiting.pop() {
            for bearer in self.first_targets(graph, pointer, &mut seen) {
                if self.depends_on_references(bearer.record) && set_mark(&mut reached.records, bearer.record)
                {
                    waiting.extend(graph.of_record.of_number(bearer.record).filter(is_free));
                }
                let mut above = bearer.inner;
                while let Some(inner) = above.filter(|&inner| set_mark(&mut reached.inner, inner)) {
                    let pointers = pointers_of_inner.of_number(inner).iter().map(|&at| at as usize);
                    waiting.extend(pointers.filter(|&at| !graph.is_removed[at]));
                    above = links.inner[inner as usize].above;
                }
            }
        }
        reached
    }

    /// Returns the targets of a pointer. Empty if another pointer to the same identifier was
    /// `seen`.
    fn first_targets(
        &self,
        graph: &PointerGraph,
        pointer: usize,
        seen: &mut [bool],
    ) -> impl Iterator<Item = IdentifiedStructure> {
        let identifier = self.links.pointers[pointer].identifier;
        let bearers = if set_mark(seen, identifier) { graph.identified.of_number(identifier) } else { &[] };
        bearers.iter().map(|&bearer| self.links.bearers[bearer as usize])
    }

    /// Pairs each pointer with the innermost inner record that contains it. Only inner records for
    /// which `counts` returns true are considered.
    fn innermost_owners(&self, counts: &dyn Fn(u32) -> bool) -> Vec<(u32, u32)> {
        let mut inner = (0..).zip(&self.links.inner).filter(|(number, _)| counts(*number)).peekable();
        let mut open: Vec<u32> = Vec::new();
        let mut owners = Vec::new();
        for (pointer, _) in (0..).zip(&self.links.pointers) {
            while let Some((number, _)) = inner.next_if(|(_, inner)| inner.pointers.start <= pointer) {
                open.push(number);
            }
            let has_ended = |number: &mut u32| self.links.inner[*number as usize].pointers.end <= pointer;
            while open.pop_if(has_ended).is_some() {}
            owners.extend(open.last().map(|&inner| (inner, pointer)));
        }
        owners
    }

    fn nothing_reached(&self) -> ReachedStructures {
        let inner = vec![false; self.links.inner.len()];
        ReachedStructures { records: vec![false; self.actions.len()], within: inner.clone(), inner }
    }

    fn is_kept(&self, record: u32) -> bool {
        self.actions[record as usize] == RecordAction::Keep
    }

    /// Returns whether a kept record is only kept as long as something refers to it.
    fn depends_on_references(&self, record: u32) -> bool {
        self.links.record(record).kind == RecordKind::Other && self.is_kept(record)
    }

    /// Determines for each identifier what happens to the targets of its pointers. The inner
    /// records in `unreferenced` count as removed.
    fn find_targets(&self, unreferenced: &[InnerStructure]) -> Vec<Target> {
        let mut targets = vec![Target::Nothing; self.links.identifiers.len()];
        for bearer in &self.links.bearers {
            let target = self.target_of(bearer, unreferenced);
            let known = &mut targets[bearer.identifier as usize];
            // If several structures have the identifier, hidden has priority over kept, and kept
            // over removed.
            *known = match (*known, target) {
                (Target::Hidden, _) | (_, Target::Hidden) => Target::Hidden,
                (Target::Kept, _) | (_, Target::Kept) => Target::Kept,
                (_, target) => target,
            };
        }
        targets
    }

    fn target_of(&self, bearer: &IdentifiedStructure, unreferenced: &[InnerStructure]) -> Target {
        let kind = self.links.record(bearer.record).kind;
        let is_of_lineage = matches!(kind, RecordKind::Person | RecordKind::Family);
        let is_inner = bearer.inner.is_some();
        let inner = InnerStructure { record: bearer.record, identifier: bearer.identifier };
        match self.actions[bearer.record as usize] {
            RecordAction::Remove(_) => Target::Removed,
            RecordAction::Hide if is_inner => Target::Removed,
            RecordAction::Hide if is_of_lineage => Target::Hidden,
            _ if self.is_redaction && bearer.is_withheld => Target::Removed,
            _ if is_inner && unreferenced.binary_search(&inner).is_ok() => Target::Removed,
            _ => Target::Kept,
        }
    }

    /// Determines which pointers are removed, given what happens to their targets.
    fn find_cut_pointers(&self, targets: &[Target]) -> Vec<bool> {
        let links = self.links;
        let fates: Vec<Fate> = links
            .pointers
            .iter()
            .map(|pointer| {
                let case = PointerCase {
                    action: self.actions[pointer.record as usize],
                    target: targets[pointer.identifier as usize],
                    is_family_link: pointer.is_family_link,
                    is_redaction: self.is_redaction,
                };
                case.fate()
            })
            .collect();
        let mut is_cut: Vec<bool> = Vec::with_capacity(links.pointers.len());
        for (pointer, fate) in links.pointers.iter().zip(&fates) {
            // A pointer comes after the one that contains it.
            let goes_with_above = pointer
                .above
                .is_some_and(|above| fates[above as usize] == Fate::KeepAlone || is_cut[above as usize]);
            let is_withheld = self.is_redaction && pointer.is_withheld;
            is_cut.push(goes_with_above || is_withheld || matches!(fate, Fate::Remove(_)));
        }
        is_cut
    }

    /// Lists the structures with each identifier, by number. In a redaction, structures that are
    /// always removed are left out.
    fn list_identified_structures(&self) -> ListsByNumber {
        let counted = (0..).zip(&self.links.bearers);
        let counted = counted.filter(|(_, bearer)| !(self.is_redaction && bearer.is_withheld));
        let pairs = counted.map(|(number, bearer)| (bearer.identifier, number));
        ListsByNumber::of(pairs.collect(), self.links.identifiers.len())
    }
}
