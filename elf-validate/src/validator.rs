//! The engine: a document, or a part of one, held against a table.

use crate::advice;
use crate::findings::Findings;
use crate::kinds::Kinds;
use crate::links::{Links, PartCollector, PartLinks};
use crate::payloads::{fault, is_plainly_good, shown};
use crate::slots::{NO_KIND, Seat, SlotFinder};
use crate::table::{Kind, Naming, Slot, Table};
use crate::undefined::TagCollector;
use crate::values;
use elf_base::{Against, Diagnostic, Sink, codes};
use elf_schema::elf_tagged::Flags;
use elf_schema::{Document, Node, NodeId, Part, Payload, Schema, TypeId, TypedDocument};
use hashbrown::DefaultHashBuilder;

/// Holds a document against a structural standard. What is found goes to `sink`, record by record in the
/// order of the file, what a structure lacks behind what is wrong beneath it; at last what only the whole
/// document shows.
pub fn validate(typed: &TypedDocument<'_>, against: Against, sink: &mut dyn Sink) {
    Validator::new(against, typed.schema()).whole(typed, sink);
}

/// Holds the parts of a document against a structural standard, on any threads.
///
/// ```
/// use elf_schema::{Diagnostic, ReadOptions, Reader, Rules};
/// use elf_validate::{Against, Standard, Validator};
///
/// let octets = b"0 HEAD\n0 @I1@ INDI\n1 FAMS @R2@\n0 @R1@ REPO\n1 NAME Archive\n0 @R2@ REPO\n0 TRLR\n";
/// let against = Against { standard: Standard::DataModel, is_named: false };
/// let mut reader = Reader::new(&octets[..], &Rules::WILD, ReadOptions::default());
/// let mut found: Vec<Diagnostic> = Vec::new();
/// // The schema stands in the first part.
/// let mut started = None;
/// while let Some(part) = reader.next_part(&mut ())? {
///     let (validator, links) = started.get_or_insert_with(|| {
///         let validator = Validator::new(against, part.schema());
///         let links = validator.links();
///         (validator, links)
///     });
///     links.add(validator.part(&part, &mut found));
/// }
/// if let Some((_, links)) = started {
///     links.finish(&mut found);
/// }
/// let found: Vec<String> = found.iter().map(ToString::to_string).collect();
/// assert_eq!(
///     found,
///     [
///         "line 6, column 1: advice[E0901]: expected `NAME` in `REPO`, but found none",
///         "line 3, column 8: advice[E0906]: expected a pointer to `FAM`, but `@R2@` is `REPO`",
///     ]
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Validator {
    table: &'static Table,
    against: Against,
    kinds: Kinds,
    /// Tells of each kind of types whether it is one of records.
    is_record: Box<[bool]>,
    /// The hasher of identifiers, for all parts.
    hasher: DefaultHashBuilder,
    /// True if each place of a tag that the standard does not have is reported by itself.
    each_undefined: bool,
}

/// A structure whose end is not reached yet.
#[derive(Clone, Copy)]
struct Open {
    id: NodeId,
    end: NodeId,
    /// The number of its kind; [`NO_KIND`] where it has none.
    kind: u16,
    slots: &'static [Slot],
    /// The index of its first count.
    counts: usize,
}

/// The structures that are open, and the numbers of substructures met in each, by the places of its kind.
struct Stack<'d> {
    /// The innermost one; [`Open::NOTHING`] between records.
    top: Open,
    /// The ones around it, that of nothing included.
    below: Vec<Open>,
    counts: Vec<u32>,
    /// The structures that lack what may stand beside them, until the one around them is at its end.
    lacking: Vec<Lack>,
    finder: SlotFinder,
    table: &'static Table,
    document: &'d Document<'d>,
}

/// A structure that lacks substructures.
#[derive(Clone, Copy)]
struct Lack {
    /// The structure around it.
    above: NodeId,
    id: NodeId,
    slot: &'static Slot,
    met: u32,
}

impl Open {
    const NOTHING: Open =
        Open { id: NodeId::FIRST, end: NodeId::new(u32::MAX), kind: NO_KIND, slots: &[], counts: 0 };
}

impl Validator {
    /// A validator of documents with that schema.
    pub fn new(against: Against, schema: &Schema) -> Validator {
        let table = Table::of(against.standard);
        let (kinds, hasher) = (Kinds::of(table, schema), DefaultHashBuilder::default());
        let is_root = |of: u16| table.roots.iter().any(|slot| slot.kind == of);
        let is_record = (0..).zip(table.kinds).map(|(number, kind)| {
            let is_root = is_root(number) || kind.supertypes.iter().any(|&above| is_root(above));
            table.naming == Naming::Type && is_root
        });
        Validator { table, against, kinds, is_record: is_record.collect(), hasher, each_undefined: false }
    }

    /// Sets whether each structure whose tag the standard does not have where it stands is reported by
    /// itself; else the first of its tag beneath a kind is, with how many there are. By the types of a
    /// schema, typing the document says so.
    #[must_use]
    pub fn with_each_undefined(mut self, each_undefined: bool) -> Validator {
        self.each_undefined = each_undefined;
        self
    }

    /// Holds a whole document against the standard, as [`validate`] does.
    pub fn whole(&self, typed: &TypedDocument<'_>, sink: &mut dyn Sink) {
        let document = typed.document();
        let mut links = self.links();
        links.add(self.document(document, |node| typed.type_id(node), sink));
        links.finish(&mut |mut found: Diagnostic| {
            found.excerpt = found.place.and_then(|place| document.source().excerpt(place));
            sink.report(found);
        });
    }

    /// Starts the links of a document, to which [those of each part](Validator::part) are to be added.
    pub fn links(&self) -> Links {
        Links::new(self.table, self.against, self.hasher.clone())
    }

    /// Holds a part of the document against the standard. What it shows alone goes to `sink`; what concerns
    /// the whole document is returned, for [`Links::add`].
    pub fn part(&self, part: &Part<'_>, sink: &mut dyn Sink) -> PartLinks {
        self.document(part.document(), |node| part.type_id(node), sink)
    }

    fn document<'d>(
        &self,
        document: &'d Document<'_>,
        type_of: impl Fn(Node<'d>) -> Option<TypeId>,
        sink: &mut dyn Sink,
    ) -> PartLinks {
        let mut findings = Findings::new(self.against, sink);
        let mut links = PartCollector::new(document, self.hasher.clone());
        let mut tags = TagCollector::new(self.each_undefined);
        let mut stack = Stack::new(self.table, document);
        let naming = self.table.naming;
        // Rules that insert records for pointers to nothing lead those there.
        let is_as_written = !document.has_insertions();
        each_structure(document, |node, flags| {
            stack.close(node.id(), &mut findings);
            let is_root = stack.is_empty();
            let number = match naming {
                Naming::Type => {
                    let number = type_of(node).and_then(|of| self.kinds.get(of)).unwrap_or(NO_KIND);
                    stack.count_type(number, node, &mut findings);
                    number
                }
                Naming::Tag if is_root => self.count_root(node, &mut links).unwrap_or(NO_KIND),
                Naming::Tag => stack.count_tag(node, &mut findings),
            };
            if number == NO_KIND && naming == Naming::Tag && stack.has_kinds_beneath() {
                tags.meet(node, stack.kind_above(), self.table, &mut findings);
            }
            if is_root {
                links.record(node, number);
            } else {
                if flags.has_xref() || flags.is_hidden() {
                    links.structure(node, number);
                }
                if self.is_record.get(usize::from(number)) == Some(&true) {
                    report_record(node, &mut findings);
                }
            }
            let kind = self.table.kind(number);
            let is_link =
                |kind: &Kind| flags.is_pointer() && kind.payloads.pointer && !kind.targets.is_empty();
            if is_as_written
                && kind.is_some_and(is_link)
                && let Some(to) = node.pointer()
            {
                links.pointer(node, number, to, stack.is_record_open());
            } else if let Some(kind) = kind.filter(|kind| !is_plainly_good((node, flags), kind)) {
                let payload = node.payload();
                match (fault(&payload, kind), payload) {
                    // Of a pointer to nothing the reader speaks.
                    (fault, Payload::Pointer(to)) if fault.is_some() || !kind.targets.is_empty() => {
                        let is_kept = links.pointer(node, number, to, stack.is_record_open());
                        if let Some((code, message)) = fault.filter(|_| !is_kept) {
                            findings.report(code, node, message);
                        }
                    }
                    (Some((code, message)), _) => findings.report(code, node, message),
                    (None, payload) => values::hold(node, &payload, &kind.text, &mut findings),
                }
            }
            stack.push(node, (number, kind));
        });
        stack.close(NodeId::new(u32::MAX - 1), &mut findings);
        links.finish(tags)
    }

    /// Takes note of a structure that stands in no other. Of header and trailer, which alone must be there,
    /// the reader says that they are missing or repeated.
    fn count_root(&self, node: Node<'_>, links: &mut PartCollector<'_>) -> Option<u16> {
        let at = self.table.root_index(node.tag())?;
        let slot = self.table.roots.get(at)?;
        if slot.min == 0 && slot.max.is_some() {
            links.root(node, at);
        }
        Some(slot.kind)
    }
}

/// Goes through all structures in the order of the file, those of the header first: serialisation metadata is
/// no structure to the drafts, but it is to GEDCOM. What the rules insert is not gone through.
fn each_structure<'d>(document: &'d Document<'_>, mut see: impl FnMut(Node<'d>, Flags)) {
    let metadata = document.head().map_or(0..0, |head| head.id().get()..head.subtree_end().get());
    let mut at = metadata.start;
    while let Some(node) = document.node(NodeId::new(at)).filter(|_| at < metadata.end) {
        let flags = node.flags();
        if flags.is_continuation() {
            at = node.subtree_end().get().max(at + 1);
        } else {
            see(node, flags);
            at += 1;
        }
    }
    at = 0;
    while let Some(node) = document.node(NodeId::new(at)) {
        let flags = node.flags();
        if flags.is_continuation() || flags.is_hidden() || flags.is_inserted() || metadata.contains(&at) {
            at = node.subtree_end().get().max(at + 1);
        } else {
            see(node, flags);
            at += 1;
        }
    }
}

/// Reports a record that is a substructure.
#[cold]
fn report_record<'d>(node: Node<'d>, findings: &mut Findings<'_, 'd>) {
    let above = node.superstructure().map_or("", Node::tag);
    let message = format!("expected a record, but `{}` stands in `{}`", shown(node.tag()), shown(above));
    findings.report(codes::RECORD_NESTED, node, message);
}

/// Reports that a structure has too few substructures at a place.
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

impl<'d> Stack<'d> {
    fn new(table: &'static Table, document: &'d Document<'d>) -> Stack<'d> {
        let (below, counts, lacking) = (Vec::new(), Vec::new(), Vec::new());
        Stack { top: Open::NOTHING, below, counts, lacking, finder: SlotFinder::new(table), table, document }
    }

    fn is_empty(&self) -> bool {
        self.below.is_empty()
    }

    /// Tells whether the innermost structure that is open is a record.
    fn is_record_open(&self) -> bool {
        self.below.len() == 1
    }

    /// Tells whether the standard says what may stand here: nothing is said beneath what it does not have.
    fn has_kinds_beneath(&self) -> bool {
        self.is_empty() || self.top.kind != NO_KIND
    }

    /// The number of the kind of the innermost structure that is open.
    fn kind_above(&self) -> Option<u16> {
        (self.top.kind != NO_KIND).then_some(self.top.kind)
    }

    /// Opens a structure that others stand in, or must stand in; by tags also one that they are advised in.
    #[inline]
    fn push(&mut self, node: Node<'d>, (number, kind): (u16, Option<&'static Kind>)) {
        let (id, end) = (node.id(), node.subtree_end());
        let by_tag = self.table.naming == Naming::Tag;
        let is_held = |kind: &Kind| kind.is_demanding || by_tag && kind.may_be_advised;
        if end.get() > id.get() + 1 || kind.is_some_and(is_held) {
            let slots = kind.filter(|kind| by_tag || kind.is_counting).map_or(&[][..], |kind| kind.slots);
            let counts = self.counts.len();
            self.below.push(self.top);
            self.top = Open { id, end, kind: number, slots, counts };
            self.counts.resize(counts + slots.len(), 0);
        }
    }

    /// Closes the structures that end before a node.
    #[inline]
    fn close(&mut self, before: NodeId, findings: &mut Findings<'_, 'd>) {
        while self.top.end <= before {
            self.close_last(findings);
        }
    }

    #[inline(never)]
    fn close_last(&mut self, findings: &mut Findings<'_, 'd>) {
        let Open { id, kind, counts, .. } = self.top;
        if self.lacking.last().is_some_and(|lack| lack.above == id) {
            self.report_lacking(findings);
        }
        if let (Some(kind), Some(node)) = (self.table.kind(kind), self.document.node(id)) {
            if kind.is_demanding {
                self.report_missing(node, kind, findings);
            }
            if kind.may_be_advised && self.table.naming == Naming::Tag {
                advice::hold(node, kind, self.counts.get(counts..).unwrap_or_default(), findings);
            }
        }
        self.counts.truncate(counts);
        self.top = self.below.pop().unwrap_or(Open::NOTHING);
    }

    /// Reports each place of the last open structure of which too few structures were met. Where they may
    /// stand beside it instead, the end of the structure around it shows that.
    fn report_missing(&mut self, node: Node<'d>, kind: &'static Kind, findings: &mut Findings<'_, 'd>) {
        // A pointer to a record stands for what must be written out without it, as OBJE needs FILE (5.5.1).
        if kind.payloads.has_forms() && node.flags().is_pointer() {
            return;
        }
        let met = self.counts.get(self.top.counts..).unwrap_or_default();
        for (slot, &met) in kind.slots.iter().zip(met).filter(|(slot, met)| **met < slot.min) {
            let lack = |above: &Open| Lack { above: above.id, id: node.id(), slot, met };
            match self.below.last().filter(|above| above.kind != NO_KIND) {
                Some(above) => self.lacking.push(lack(above)),
                None => report_lack(node, (slot, met), self.table, findings),
            }
        }
    }

    /// Reports what the structures in the last open one lack. What stands beside them is not missing: where
    /// the standard has a place for it there, as of the format of multimedia, which GEDCOM 5.5 has beneath
    /// OBJE and 5.5.1 beneath FILE; and where it has none, a finding about it says where it belongs.
    #[cold]
    fn report_lacking(&mut self, findings: &mut Findings<'_, 'd>) {
        let Open { id, slots, counts, .. } = self.top;
        let from = self.lacking.iter().rposition(|lack| lack.above != id).map_or(0, |at| at + 1);
        // Structures of a file lack the substructures of few kinds.
        let mut known: Vec<(u16, bool)> = Vec::new();
        for lack in self.lacking.split_off(from) {
            let Lack { id: of, slot, met, .. } = lack;
            let stands_beside = || match slots.iter().position(|beside| beside.kind == slot.kind) {
                Some(at) => self.counts.get(counts + at).is_some_and(|&met| met > 0),
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

    /// Counts a substructure of the last open structure by its tag, and returns its kind.
    fn count_tag(&mut self, node: Node<'d>, findings: &mut Findings<'_, 'd>) -> u16 {
        if self.top.kind == NO_KIND {
            return NO_KIND;
        }
        let seat = self.finder.by_tag(self.top.kind, node.tag());
        if seat.is_counted() {
            self.count(seat, node, findings);
        }
        seat.kind
    }

    /// Counts a substructure of the last open structure by its kind and each supertype of it.
    #[inline]
    fn count_type(&mut self, of: u16, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        if of != NO_KIND && self.top.kind != NO_KIND {
            let seat = self.finder.by_type(self.top.kind, of);
            if seat.is_counted() {
                self.count(seat, node, findings);
            }
        }
    }

    /// Counts a substructure of the last open structure in its places, and reports it where there are enough.
    fn count(&mut self, seat: Seat, node: Node<'d>, findings: &mut Findings<'_, 'd>) {
        let Stack { top, counts, table, document, .. } = self;
        for at in seat.counted() {
            let (Some(slot), Some(met)) = (top.slots.get(at), counts.get_mut(top.counts + at)) else {
                continue;
            };
            *met = met.saturating_add(1);
            if let Some(max) = slot.max.filter(|max| *met > *max) {
                let place = document.node(top.id).map_or("", Node::tag);
                let (what, place) = (table.shown(slot.name), shown(place));
                let message = format!("expected at most {max} `{what}` in `{place}`, but found another one");
                findings.report(codes::STRUCTURE_REPEATED, node, message);
            }
        }
    }
}
