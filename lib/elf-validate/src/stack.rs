//! The structures that are open at some point of the document, with counts of their substructures.

use crate::advice;
use crate::findings::Findings;
use crate::payloads::shown;
use crate::slots::{Counted, NO_KIND, Row, Rows, Seat};
use crate::table::{Kind, Naming, Slot, Table};
use elf_base::codes;
use elf_schema::{Document, Node, NodeId};

/// A structure whose end is not yet reached.
#[derive(Clone, Copy)]
struct Open {
    id: NodeId,
    end: NodeId,
    /// The slots of its substructures.
    row: Row,
    /// Bit `n` is set if a slot whose index modulo 64 is `n` may be filled.
    met: u64,
    /// The index of its first tally.
    tallies: usize,
    /// Its kind number; [`NO_KIND`] if it has none.
    kind: u16,
    /// True if its end is checked.
    is_held: bool,
}

/// The count of substructures in one slot of an open structure.
#[derive(Clone, Copy)]
struct Tally {
    place: u8,
    count: u32,
    first: NodeId,
}

/// The stack of open structures. Each has counts of its substructures by slot.
pub(crate) struct Stack<'d> {
    /// The innermost open structure; [`Open::NOTHING`] between records.
    top: Open,
    /// The structures that contain it. The first one is [`Open::NOTHING`].
    below: Vec<Open>,
    /// The tallies of all open structures, concatenated. Nearly all structures have few filled slots.
    tallies: Vec<Tally>,
    /// Structures with missing substructures, kept until their superstructure ends: the missing ones may be beside
    /// them.
    lacking: Vec<Lack>,
    rows: &'static Rows,
    table: &'static Table,
    document: &'d Document<'d>,
}

/// A structure with too few substructures in a slot.
#[derive(Clone, Copy)]
struct Lack {
    /// Its superstructure.
    above: NodeId,
    id: NodeId,
    slot: &'static Slot,
    met: u32,
}

/// Which checks an opened structure needs.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    /// Its substructures are counted.
    pub(crate) is_counting: bool,
    /// Its end is checked even if it has no substructures.
    pub(crate) is_held: bool,
}

impl Open {
    const NOTHING: Open = Open {
        id: NodeId::FIRST,
        end: NodeId::new(u32::MAX),
        row: Row::NONE,
        met: 0,
        tallies: 0,
        kind: NO_KIND,
        is_held: false,
    };
}

/// Returns the bit of a slot in [`Open::met`]. Several slots may share a bit.
const fn bit(place: u8) -> u64 {
    1 << (place % 64)
}

impl<'d> Stack<'d> {
    pub(crate) fn new(table: &'static Table, rows: &'static Rows, document: &'d Document<'d>) -> Stack<'d> {
        let (below, tallies, lacking) = (Vec::new(), Vec::new(), Vec::new());
        Stack { top: Open::NOTHING, below, tallies, lacking, rows, table, document }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.below.is_empty()
    }

    /// Returns whether the innermost open structure is a record.
    pub(crate) fn is_record_open(&self) -> bool {
        self.below.len() == 1
    }

    /// Returns whether the standard says what is allowed here. It says nothing about substructures of unknown
    /// structures.
    pub(crate) fn has_kinds_beneath(&self) -> bool {
        self.is_empty() || self.top.kind != NO_KIND
    }

    /// Returns the kind number of the innermost open structure.
    pub(crate) fn kind_above(&self) -> Option<u16> {
        (self.top.kind != NO_KIND).then_some(self.top.kind)
    }

    /// Opens a structure if it has substructures or its end is checked.
    #[inline]
    pub(crate) fn push(&mut self, node: Node<'d>, kind: u16, asked: Asked) {
        let (id, end) = (node.id(), node.subtree_end());
        if end.get() > id.get() + 1 || asked.is_held {
            let row = if asked.is_counting { self.rows.get(kind) } else { Row::NONE };
            let open =
                Open { id, end, row, met: 0, tallies: self.tallies.len(), kind, is_held: asked.is_held };
            self.below.push(std::mem::replace(&mut self.top, open));
        }
    }

    /// Closes the structures that end before the node `before`.
    #[inline]
    pub(crate) fn close(&mut self, before: NodeId, findings: &mut Findings<'_, 'd>) {
        while self.top.end <= before {
            if self.top.is_held || !self.lacking.is_empty() {
                self.report_end(findings);
            }
            self.tallies.truncate(self.top.tallies);
            self.top = self.below.pop().unwrap_or(Open::NOTHING);
        }
    }

    /// Checks the innermost open structure when it ends.
    #[inline(never)]
    fn report_end(&mut self, findings: &mut Findings<'_, 'd>) {
        let Open { id, kind, is_held, .. } = self.top;
        if self.lacking.last().is_some_and(|lack| lack.above == id) {
            self.report_lacking(findings);
        }
        if let (true, Some(kind), Some(node)) = (is_held, self.table.kind(kind), self.document.node(id)) {
            if kind.is_demanding {
                self.report_missing(node, kind, findings);
            }
            if kind.advice.is_some() && self.table.naming == Naming::Tag {
                advice::hold(node, kind, |place| self.count_of(place) > 0, findings);
            }
        }
    }

    /// Reports each slot of the innermost open structure that has too few structures. If the missing ones may be beside
    /// it, the check waits for the end of its superstructure.
    fn report_missing(&mut self, node: Node<'d>, kind: &'static Kind, findings: &mut Findings<'_, 'd>) {
        // A pointer to a record replaces the substructures that are otherwise required, such as FILE in OBJE (5.5.1).
        if kind.payloads.has_forms() && node.flags().is_pointer() {
            return;
        }
        for (place, slot) in (0..).zip(kind.slots).filter(|(_, slot)| slot.min > 0) {
            let met = self.count_of(place);
            if met >= slot.min || self.stands_beneath(node, kind, slot) {
                continue;
            }
            let lack = |above: &Open| Lack { above: above.id, id: node.id(), slot, met };
            // GEDCOM 7.0 has only one place for each structure, so nothing can be beside it.
            match self.below.last().filter(|above| above.kind != NO_KIND && !kind.must_say_something) {
                Some(above) => self.lacking.push(lack(above)),
                None => report_lack(node, (slot, met), self.table, findings),
            }
        }
    }

    /// Returns whether a missing substructure is in another substructure that does not allow it, and is reported there.
    /// An example is `FORM` of multimedia when GEDCOM 5.5.1 is validated against 5.5.
    fn stands_beneath(&self, node: Node<'d>, kind: &Kind, slot: &Slot) -> bool {
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

    /// Reports the slots that are missing in substructures of the innermost open structure, unless the missing
    /// structures are beside them. GEDCOM 5.5, for example, has the format of multimedia under OBJE, and 5.5.1 under
    /// FILE. If it is not allowed beside them, another finding says where it belongs.
    #[cold]
    fn report_lacking(&mut self, findings: &mut Findings<'_, 'd>) {
        let Open { id, kind, .. } = self.top;
        let slots = self.table.kind(kind).map_or(&[][..], |kind| kind.slots);
        let from = self.lacking.iter().rposition(|lack| lack.above != id).map_or(0, |at| at + 1);
        // The list is short, because few kinds of structures have missing substructures.
        let mut known: Vec<(u16, bool)> = Vec::new();
        for lack in self.lacking.split_off(from) {
            let Lack { id: of, slot, met, .. } = lack;
            let stands_beside = || match (0..).zip(slots).find(|(_, beside)| beside.kind == slot.kind) {
                Some((place, _)) => self.count_of(place) > 0,
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
                report_lack(node, (slot, met), self.table, findings);
            }
        }
    }

    /// Counts a substructure of the innermost open structure by its tag. Returns its kind number.
    #[inline]
    pub(crate) fn count_tag(&mut self, node: Node<'d>, findings: &mut Findings<'_, 'd>) -> u16 {
        let Row::ByTag(row) = self.top.row else { return NO_KIND };
        let Seat { kind, counted } = row.get(node.packed_tag(), || node.tag());
        self.count(counted, node, findings);
        kind
    }

    /// Counts a substructure of the innermost open structure by its kind and all supertypes.
    #[inline]
    pub(crate) fn count_type(&mut self, of: u16, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        let counted = match self.top.row {
            Row::ByType(row) => row.get(usize::from(of)).copied().unwrap_or(Counted::NOWHERE),
            Row::ByTag(row) => row.counted(of),
        };
        self.count(counted, node, findings);
    }

    /// Counts a substructure of the innermost open structure by several kinds and all their supertypes, once in each
    /// slot.
    #[cold]
    pub(crate) fn count_types(&mut self, kinds: &[u16], node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        let Row::ByType(row) = self.top.row else { return };
        let counted = kinds.iter().filter_map(|of| row.get(usize::from(*of)));
        let mut places: Vec<u8> = counted.flat_map(|counted| counted.places()).collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().for_each(|place| self.count_in(place, node, findings));
    }

    /// Counts a substructure in its slots, and reports it if a slot is full.
    #[inline]
    fn count(&mut self, counted: Counted, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        if let Some((first, has_others)) = counted.first() {
            self.count_in(first, node, findings);
            if has_others {
                self.count_in_others(counted, node, findings);
            }
        }
    }

    #[cold]
    fn count_in_others(&mut self, counted: Counted, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        counted.places().skip(1).for_each(|place| self.count_in(place, node, findings));
    }

    #[inline]
    fn count_in(&mut self, place: u8, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        // Fast path: nearly all slots are filled once.
        if self.top.met & bit(place) == 0 {
            self.top.met |= bit(place);
            self.tallies.push(Tally { place, count: 1, first: node.id() });
        } else {
            self.count_again(place, node, findings);
        }
    }

    #[inline(never)]
    fn count_again(&mut self, place: u8, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
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
            self.report_repeated((node, first), (slot, max), findings);
        }
    }

    /// Returns how many substructures of the innermost open structure are in a slot.
    fn count_of(&self, place: u8) -> u32 {
        if self.top.met & bit(place) == 0 {
            return 0;
        }
        let mut tallies = self.tallies.iter().skip(self.top.tallies);
        tallies.find(|tally| tally.place == place).map_or(0, |tally| tally.count)
    }

    #[cold]
    fn report_repeated(
        &self,
        (node, first): (Node<'d>, NodeId),
        (slot, max): (&Slot, u32),
        findings: &mut Findings<'_, 'd>,
    ) {
        let place = self.document.node(self.top.id).map_or("", Node::tag);
        let (what, place) = (self.table.shown(slot.name), shown(place));
        let message = format!("expected at most {max} `{what}` in `{place}`, but found another one");
        findings.report_repeated(node, self.document.node(first), message);
    }
}

#[cold]
fn report_lack<'d>(
    node: Node<'d>,
    (slot, met): (&Slot, u32),
    table: &Table,
    findings: &mut Findings<'_, 'd>,
) {
    let (what, tag) = (table.shown(slot.name), shown(node.tag()));
    let message = match slot.min {
        1 => format!("expected `{what}` in `{tag}`, but found none"),
        min => format!("expected at least {min} `{what}` in `{tag}`, but found {met}"),
    };
    findings.report(codes::STRUCTURE_MISSING, node, message);
}
