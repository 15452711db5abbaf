//! The structures that are open at some point of the document, with counts of their substructures.

use crate::advice;
use crate::findings::Findings;
use crate::payloads::shorten;
use crate::slots::{NO_KIND, SlotIndices, SlotRow, SlotRows, TagEntry};
use crate::table::{Kind, Naming, Slot, Table};
use elf_base::codes;
use elf_schema::{Document, Node, NodeId};

#[derive(Clone, Copy)]
struct OpenStructure {
    id: NodeId,
    end: NodeId,
    /// The slots of the structure's substructures.
    row: SlotRow,
    /// Bit `n` is set if a slot whose index modulo 64 is `n` may be filled.
    filled: u64,
    /// The index of the structure's first tally.
    tallies: usize,
    /// The kind number of the structure, or [`NO_KIND`] if it has none.
    kind: u16,
    /// True if the structure is checked when it ends.
    has_end_check: bool,
}

/// The count of substructures in one slot of an open structure.
#[derive(Clone, Copy)]
struct Tally {
    place: u8,
    count: u32,
    first: NodeId,
}

/// The stack of open structures. It counts the substructures of each structure by slot.
pub(crate) struct StructureStack<'d> {
    /// The innermost open structure, or [`OpenStructure::NOTHING`] between records.
    top: OpenStructure,
    /// The structures that contain the innermost one. The first entry is
    /// [`OpenStructure::NOTHING`].
    below: Vec<OpenStructure>,
    /// The tallies of all open structures, concatenated. Nearly all structures have few filled slots.
    tallies: Vec<Tally>,
    /// Structures with missing substructures. They are kept until their superstructure ends,
    /// because the missing substructures may be siblings of them.
    missing: Vec<MissingSlot>,
    rows: &'static SlotRows,
    table: &'static Table,
    document: &'d Document<'d>,
}

/// A structure with too few substructures in a slot.
#[derive(Clone, Copy)]
struct MissingSlot {
    /// The superstructure of the structure.
    above: NodeId,
    id: NodeId,
    slot: &'static Slot,
    count: u32,
}

/// Which checks an opened structure needs.
#[derive(Clone, Copy)]
pub(crate) struct EndChecks {
    /// True if the substructures of the structure are counted.
    pub(crate) is_counting: bool,
    /// True if the structure is checked at its end even if it has no substructures.
    pub(crate) has_end_check: bool,
}

impl OpenStructure {
    const NOTHING: OpenStructure = OpenStructure {
        id: NodeId::FIRST,
        end: NodeId::new(u32::MAX),
        row: SlotRow::NONE,
        filled: 0,
        tallies: 0,
        kind: NO_KIND,
        has_end_check: false,
    };
}

/// Returns the bit of a slot in [`OpenStructure::filled`]. Several slots may share a bit.
const fn slot_bit(place: u8) -> u64 {
    1 << (place % 64)
}

impl<'d> StructureStack<'d> {
    pub(crate) fn new(
        table: &'static Table,
        rows: &'static SlotRows,
        document: &'d Document<'d>,
    ) -> StructureStack<'d> {
        let (below, tallies, missing) = (Vec::new(), Vec::new(), Vec::new());
        StructureStack { top: OpenStructure::NOTHING, below, tallies, missing, rows, table, document }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.below.is_empty()
    }

    pub(crate) fn is_record_open(&self) -> bool {
        self.below.len() == 1
    }

    /// Returns whether the standard says which substructures the innermost open structure may have.
    /// It says nothing about substructures of unknown structures.
    pub(crate) fn knows_substructures(&self) -> bool {
        self.is_empty() || self.top.kind != NO_KIND
    }

    pub(crate) fn top_kind(&self) -> Option<u16> {
        (self.top.kind != NO_KIND).then_some(self.top.kind)
    }

    /// Opens a structure if it has substructures, or if it is checked when it ends.
    #[inline]
    pub(crate) fn push(&mut self, node: Node<'d>, kind: u16, asked: EndChecks) {
        let (id, end) = (node.id(), node.subtree_end());
        if end.get() > id.get() + 1 || asked.has_end_check {
            let row = if asked.is_counting { self.rows.get(kind) } else { SlotRow::NONE };
            let open = OpenStructure {
                id,
                end,
                row,
                filled: 0,
                tallies: self.tallies.len(),
                kind,
                has_end_check: asked.has_end_check,
            };
            self.below.push(std::mem::replace(&mut self.top, open));
        }
    }

    #[inline]
    pub(crate) fn close_before(&mut self, before: NodeId, findings: &mut Findings<'_, 'd>) {
        while self.top.end <= before {
            if self.top.has_end_check || !self.missing.is_empty() {
                self.check_end(findings);
            }
            self.tallies.truncate(self.top.tallies);
            self.top = self.below.pop().unwrap_or(OpenStructure::NOTHING);
        }
    }

    /// Checks the innermost open structure when it ends.
    #[inline(never)]
    fn check_end(&mut self, findings: &mut Findings<'_, 'd>) {
        let OpenStructure { id, kind, has_end_check, .. } = self.top;
        if self.missing.last().is_some_and(|missing| missing.above == id) {
            self.report_missing_in_substructures(findings);
        }
        if let (true, Some(kind), Some(node)) = (has_end_check, self.table.kind(kind), self.document.node(id))
        {
            if kind.is_demanding {
                self.report_missing(node, kind, findings);
            }
            if kind.advice.is_some() && self.table.naming == Naming::Tag {
                advice::check_advice(node, kind, |place| self.slot_count(place) > 0, findings);
            }
        }
    }

    /// Reports each slot of the innermost open structure that has too few structures. If the
    /// missing structures may be siblings of the open structure, the check waits for the end of the
    /// superstructure.
    fn report_missing(&mut self, node: Node<'d>, kind: &'static Kind, findings: &mut Findings<'_, 'd>) {
        // A pointer to a record replaces the substructures that are otherwise required, such as FILE in OBJE (5.5.1).
        if kind.payloads.has_two_forms() && node.flags().is_pointer() {
            return;
        }
        for (place, slot) in (0..).zip(kind.slots).filter(|(_, slot)| slot.min > 0) {
            let count = self.slot_count(place);
            if count >= slot.min || self.is_misplaced_in_substructure(node, kind, slot) {
                continue;
            }
            let missing = |above: &OpenStructure| MissingSlot { above: above.id, id: node.id(), slot, count };
            // GEDCOM 7.0 has only one place for each structure, so a missing structure cannot be a
            // sibling.
            match self.below.last().filter(|above| above.kind != NO_KIND && !kind.must_say_something) {
                Some(above) => self.missing.push(missing(above)),
                None => report_too_few(node, slot, count, self.table, findings),
            }
        }
    }

    /// Returns whether a missing substructure is in another substructure that does not allow it. It
    /// is then reported there. An example is `FORM` of multimedia when GEDCOM 5.5.1 is validated
    /// against 5.5.
    fn is_misplaced_in_substructure(&self, node: Node<'d>, kind: &Kind, slot: &Slot) -> bool {
        let has_no_place = |below: &Node<'_>| {
            let below = kind.slot(below.tag()).and_then(|place| self.table.kind(place.kind));
            below.is_some_and(|below| below.slot(slot.name).is_none())
        };
        self.table.naming == Naming::Tag
            && !kind.must_say_something
            && node
                .substructures()
                .filter(has_no_place)
                .any(|below| below.substructures().any(|one| one.tag() == slot.name))
    }

    /// Reports the slots that are missing in substructures of the innermost open structure, unless
    /// the missing structures are siblings of these substructures. GEDCOM 5.5, for example, has the
    /// format of multimedia under OBJE, and 5.5.1 has it under FILE. If the standard does not allow
    /// the siblings, another finding says where they belong.
    #[cold]
    fn report_missing_in_substructures(&mut self, findings: &mut Findings<'_, 'd>) {
        let OpenStructure { id, kind, .. } = self.top;
        let slots = self.table.kind(kind).map_or(&[][..], |kind| kind.slots);
        let from = self.missing.iter().rposition(|missing| missing.above != id).map_or(0, |at| at + 1);
        // The list is short, because few kinds of structures have missing substructures.
        let mut known: Vec<(u16, bool)> = Vec::new();
        for missing in self.missing.split_off(from) {
            let MissingSlot { id: of, slot, count, .. } = missing;
            let stands_beside = || match (0..).zip(slots).find(|(_, beside)| beside.kind == slot.kind) {
                Some((place, _)) => self.slot_count(place) > 0,
                None if self.table.naming == Naming::Type => false,
                None => {
                    let above = self.document.node(id).into_iter();
                    let has_place = slots.iter().any(|beside| beside.name == slot.name);
                    !has_place
                        && above
                            .flat_map(|above| above.substructures())
                            .any(|beside| beside.tag() == slot.name)
                }
            };
            let is_beside = match known.iter().find(|(kind, _)| *kind == slot.kind) {
                Some(&(_, is_beside)) => is_beside,
                None => {
                    let is_beside = stands_beside();
                    known.push((slot.kind, is_beside));
                    is_beside
                }
            };
            if let Some(node) = self.document.node(of).filter(|_| !is_beside) {
                report_too_few(node, slot, count, self.table, findings);
            }
        }
    }

    /// Counts a substructure of the innermost open structure by its tag. Returns its kind number.
    #[inline]
    pub(crate) fn count_tag(&mut self, node: Node<'d>, findings: &mut Findings<'_, 'd>) -> u16 {
        let SlotRow::ByTag(row) = self.top.row else { return NO_KIND };
        let TagEntry { kind, counted } = row.slots_of_tag(node.packed_tag(), || node.tag());
        self.count_in_slots(counted, node, findings);
        kind
    }

    /// Counts a substructure of the innermost open structure by its kind and all supertypes.
    #[inline]
    pub(crate) fn count_type(&mut self, of: u16, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        let counted = match self.top.row {
            SlotRow::ByType(row) => row.get(usize::from(of)).copied().unwrap_or(SlotIndices::NOWHERE),
            SlotRow::ByTag(row) => row.slots_of_kind(of),
        };
        self.count_in_slots(counted, node, findings);
    }

    /// Counts a substructure of the innermost open structure by several kinds and all their
    /// supertypes. It counts once in each slot.
    #[cold]
    pub(crate) fn count_types(&mut self, kinds: &[u16], node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        let SlotRow::ByType(row) = self.top.row else { return };
        let counted = kinds.iter().filter_map(|of| row.get(usize::from(*of)));
        let mut places: Vec<u8> = counted.flat_map(|counted| counted.indices()).collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().for_each(|place| self.count_in_slot(place, node, findings));
    }

    /// Counts a substructure in its slots, and reports it if a slot is full.
    #[inline]
    fn count_in_slots(&mut self, counted: SlotIndices, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        if let Some((first, has_others)) = counted.first_and_more() {
            self.count_in_slot(first, node, findings);
            if has_others {
                self.count_in_other_slots(counted, node, findings);
            }
        }
    }

    #[cold]
    fn count_in_other_slots(
        &mut self,
        counted: SlotIndices,
        node: Node<'d>,
        findings: &mut Findings<'_, 'd>,
    ) {
        counted.indices().skip(1).for_each(|place| self.count_in_slot(place, node, findings));
    }

    #[inline]
    fn count_in_slot(&mut self, place: u8, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        // Fast path: nearly always the slot is still empty.
        if self.top.filled & slot_bit(place) == 0 {
            self.top.filled |= slot_bit(place);
            self.tallies.push(Tally { place, count: 1, first: node.id() });
        } else {
            self.count_further(place, node, findings);
        }
    }

    #[inline(never)]
    fn count_further(&mut self, place: u8, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        let mut tallies = self.tallies.iter_mut().skip(self.top.tallies);
        let Some(tally) = tallies.find(|tally| tally.place == place) else {
            return self.tallies.push(Tally { place, count: 1, first: node.id() });
        };
        tally.count = tally.count.saturating_add(1);
        let Tally { count, first, .. } = *tally;
        let slot = self.table.kind(self.top.kind).and_then(|kind| kind.slots.get(usize::from(place)));
        if let Some((slot, max)) = slot.and_then(|slot| Some((slot, slot.max?)))
            && count > max
        {
            self.report_repeated(node, first, slot, max, findings);
        }
    }

    /// Returns how many substructures of the innermost open structure are in a slot.
    fn slot_count(&self, place: u8) -> u32 {
        if self.top.filled & slot_bit(place) == 0 {
            return 0;
        }
        let mut tallies = self.tallies.iter().skip(self.top.tallies);
        tallies.find(|tally| tally.place == place).map_or(0, |tally| tally.count)
    }

    /// Reports that a slot contains more than `max` structures. `first` is the first of them.
    #[cold]
    fn report_repeated(
        &self,
        node: Node<'d>,
        first: NodeId,
        slot: &Slot,
        max: u32,
        findings: &mut Findings<'_, 'd>,
    ) {
        let place = self.document.node(self.top.id).map_or("", Node::tag);
        let (what, place) = (self.table.display_name(slot.name), shorten(place));
        let message = format!("expected at most {max} `{what}` in `{place}`, but found another one");
        findings.report_repeated(node, self.document.node(first), message);
    }
}

/// Reports that a slot of `node` contains only `count` structures.
#[cold]
fn report_too_few<'d>(
    node: Node<'d>,
    slot: &Slot,
    count: u32,
    table: &Table,
    findings: &mut Findings<'_, 'd>,
) {
    let (what, tag) = (table.display_name(slot.name), shorten(node.tag()));
    let message = match slot.min {
        1 => format!("expected `{what}` in `{tag}`, but found none"),
        min => format!("expected at least {min} `{what}` in `{tag}`, but found {count}"),
    };
    findings.report(codes::STRUCTURE_MISSING, node, message);
}
