//! The engine: a document, or a part of one, held against a table.

use crate::advice;
use crate::findings::Findings;
use crate::kinds::Kinds;
use crate::links::{Links, PartCollector, PartLinks};
use crate::payloads::{fault, name, shown};
use crate::table::{Kind, Naming, Slot, Table};
use crate::undefined::TagCollector;
use crate::values;
use elf_base::{Against, Diagnostic, Excerpt, Sink, codes};
use elf_schema::{Document, Node, Part, Payload, Schema, TypeId, TypedDocument};
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
///         "line 6, column 1: advice[E0901]: expected at least 1 `elf:NAME_OF_REPOSITORY` in `REPO`, but found 0",
///         "line 3, column 1: advice[E0906]: expected a pointer to `elf:FAM_RECORD`, but `@R2@` is `REPO`",
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
struct Open<'d> {
    node: Node<'d>,
    number: Option<u16>,
    kind: Option<&'static Kind>,
    /// The index of its first count.
    counts: usize,
}

/// The structures that are open, and the numbers of substructures met in each, by the places of its kind.
#[derive(Default)]
struct Stack<'d> {
    open: Vec<Open<'d>>,
    counts: Vec<u32>,
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
        links.add(self.document(document, &|node| typed.type_id(node), sink));
        links.finish(&mut |mut found: Diagnostic| {
            found.excerpt = found.place.and_then(|place| {
                let line = document.source().line_text(place.line)?;
                let start = line.char_indices().nth(usize::try_from(place.column.checked_sub(1)?).ok()?);
                Some(Excerpt::around(line, start.map_or(line.len(), |(start, _)| start), place.column))
            });
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
        self.document(part.document(), &|node| part.type_id(node), sink)
    }

    fn document(
        &self,
        document: &Document<'_>,
        type_of: &dyn Fn(Node<'_>) -> Option<TypeId>,
        sink: &mut dyn Sink,
    ) -> PartLinks {
        let mut findings = Findings::new(self.against, sink);
        let mut links = PartCollector::new(document, self.hasher.clone());
        let mut tags = TagCollector::new(self.each_undefined);
        let mut stack = Stack::default();
        // Serialisation metadata is no structure to the drafts, but it is to GEDCOM.
        let head = document.head().into_iter().flat_map(|head| head.subtree());
        let head = head.filter(|node| !node.is_continuation());
        let records = document.records().filter(|record| !record.is_inserted());
        let records = records.flat_map(|record| std::iter::once(record).chain(record.descendants()));
        for node in head.chain(records) {
            stack.close(node, self.table.naming, &mut findings);
            let number = match self.table.naming {
                Naming::Type => {
                    let number = type_of(node).and_then(|of| self.kinds.get(of));
                    if let Some(number) = number {
                        stack.count_type(number, node, self.table, &mut findings);
                    }
                    number
                }
                Naming::Tag if stack.open.is_empty() => self.count_root(node, &mut links),
                Naming::Tag => stack.count_tag(node, &mut findings),
            };
            if number.is_none() && self.table.naming == Naming::Tag && stack.has_kinds_beneath() {
                let above = stack.open.last().and_then(|open| open.number);
                tags.meet(node, above, self.table, &mut findings);
            }
            match stack.open.len() {
                0 => links.record(node, number),
                _ => {
                    links.structure(node, number);
                    self.look_for_record(node, number, &mut findings);
                }
            }
            let kind = number.and_then(|number| self.table.kind(number));
            if let (Some(number), Some(kind)) = (number, kind) {
                let payload = node.payload();
                match (fault(&payload, kind), payload) {
                    (Some((code, message)), _) => findings.report(code, node, message),
                    (None, Payload::Pointer(to)) if !kind.targets.is_empty() => {
                        links.pointer(node, number, to, stack.open.len() == 1);
                    }
                    (None, payload) => values::hold(node, &payload, &kind.text, &mut findings),
                }
            }
            stack.push(node, number, kind);
        }
        stack.close_all(self.table.naming, &mut findings);
        links.finish(tags)
    }

    /// Reports a record that is a substructure.
    fn look_for_record<'d>(&self, node: Node<'d>, kind: Option<u16>, findings: &mut Findings<'_, 'd>) {
        if kind.is_some_and(|kind| self.is_record.get(usize::from(kind)) == Some(&true)) {
            let above = node.superstructure().map_or("", Node::tag);
            let message =
                format!("expected a record, but `{}` stands in `{}`", shown(node.tag()), shown(above));
            findings.report(codes::RECORD_NESTED, node, message);
        }
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

impl<'d> Stack<'d> {
    /// Tells whether the standard says what may stand here: nothing is said beneath what it does not have.
    fn has_kinds_beneath(&self) -> bool {
        self.open.last().is_none_or(|open| open.kind.is_some())
    }

    /// Opens a structure.
    fn push(&mut self, node: Node<'d>, number: Option<u16>, kind: Option<&'static Kind>) {
        let counts = self.counts.len();
        self.open.push(Open { node, number, kind, counts });
        self.counts.resize(counts + kind.map_or(0, |kind| kind.slots.len()), 0);
    }

    /// Closes the structures that end before a node.
    fn close(&mut self, node: Node<'d>, naming: Naming, findings: &mut Findings<'_, 'd>) {
        while self.open.last().is_some_and(|open| open.node.subtree_end() <= node.id()) {
            self.close_last(naming, findings);
        }
    }

    fn close_all(&mut self, naming: Naming, findings: &mut Findings<'_, 'd>) {
        while !self.open.is_empty() {
            self.close_last(naming, findings);
        }
    }

    fn close_last(&mut self, naming: Naming, findings: &mut Findings<'_, 'd>) {
        let Some(Open { node, kind, counts, .. }) = self.open.pop() else { return };
        // A pointer to a record stands for what must be written out without it, as OBJE needs FILE (5.5.1).
        let is_short = kind.is_some_and(|kind| kind.payloads.has_forms()) && node.flags().is_pointer();
        let counted = if is_short { None } else { self.counts.get(counts..) };
        let met = counted.unwrap_or_default();
        for (slot, &met) in kind.map_or(&[][..], |kind| kind.slots).iter().zip(met) {
            if met < slot.min {
                let (min, what, tag) = (slot.min, name(slot.name, naming), shown(node.tag()));
                let message = format!("expected at least {min} `{what}` in `{tag}`, but found {met}");
                findings.report(codes::STRUCTURE_MISSING, node, message);
            }
        }
        if let (Naming::Tag, Some(kind)) = (naming, kind) {
            advice::hold(node, kind, met, findings);
        }
        self.counts.truncate(counts);
    }

    /// Counts a substructure of the last open structure by its tag, and returns its kind.
    fn count_tag(&mut self, node: Node<'d>, findings: &mut Findings<'_, 'd>) -> Option<u16> {
        let slots = self.open.last()?.kind?.slots;
        let at = slots.binary_search_by_key(&node.tag(), |slot| slot.name).ok()?;
        self.count_at(at, (node, Naming::Tag), findings);
        slots.get(at).map(|slot| slot.kind)
    }

    /// Counts a substructure of the last open structure by its kind and each supertype of it.
    fn count_type(&mut self, of: u16, node: Node<'d>, table: &Table, findings: &mut Findings<'_, 'd>) {
        let Some(slots) = self.open.last().and_then(|open| open.kind).map(|kind| kind.slots) else { return };
        let above = table.kind(of).map_or(&[][..], |kind| kind.supertypes);
        for of in above.iter().copied().chain([of]) {
            if let Ok(at) = slots.binary_search_by_key(&of, |slot| slot.kind) {
                self.count_at(at, (node, Naming::Type), findings);
            }
        }
    }

    fn count_at(&mut self, at: usize, named: (Node<'d>, Naming), findings: &mut Findings<'_, 'd>) {
        let Some(open) = self.open.last() else { return };
        let Some(slot) = open.kind.and_then(|kind| kind.slots.get(at)) else { return };
        let Some(met) = self.counts.get_mut(open.counts + at) else { return };
        let tag = open.node.tag();
        count(met, slot, tag, named, findings);
    }
}

/// Counts a structure, and reports it where there are enough.
fn count<'d>(
    met: &mut u32,
    slot: &Slot,
    place: &str,
    (node, naming): (Node<'d>, Naming),
    findings: &mut Findings<'_, 'd>,
) {
    *met = met.saturating_add(1);
    if let Some(max) = slot.max.filter(|max| *met > *max) {
        let what = name(slot.name, naming);
        let message = format!("expected at most {max} `{what}` in `{}`, but found another one", shown(place));
        findings.report(codes::STRUCTURE_REPEATED, node, message);
    }
}
