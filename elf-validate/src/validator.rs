//! The engine: a document, or a part of one, held against a table.

use crate::findings::Findings;
use crate::kinds::Kinds;
use crate::payloads::{fault, name, shown};
use crate::table::{Kind, Naming, Slot, Table};
use elf_base::{Against, Sink, codes};
use elf_schema::{Document, Node, Part, Schema, TypeId, TypedDocument};

/// Holds a document against a structural standard; what is found goes to `sink`, record by record in the
/// order of the file. What a structure lacks comes behind what is wrong beneath it.
pub fn validate(typed: &TypedDocument<'_>, against: Against, sink: &mut dyn Sink) {
    let mut validator = Validator::new(against, typed.schema());
    let mut findings = Findings::new(against, sink);
    let type_of = |node: Node<'_>| typed.type_id(node);
    validator.document(typed.document(), &type_of, true, &mut findings);
}

/// Holds the parts of a document against a structural standard, each record as it comes.
///
/// ```
/// use elf_schema::{Diagnostic, ReadOptions, Reader, Rules};
/// use elf_validate::{Against, Standard, Validator};
///
/// let octets = b"0 HEAD\n0 @R1@ REPO\n1 NAME Archive\n0 @R2@ REPO\n0 TRLR\n";
/// let against = Against { standard: Standard::DataModel, is_named: false };
/// let mut reader = Reader::new(&octets[..], &Rules::WILD, ReadOptions::default());
/// let mut validator = None;
/// let mut found: Vec<Diagnostic> = Vec::new();
/// while let Some(part) = reader.next_part(&mut ())? {
///     let validator = validator.get_or_insert_with(|| Validator::new(against, part.schema()));
///     validator.part(&part, &mut found);
/// }
/// let found: Vec<String> = found.iter().map(ToString::to_string).collect();
/// assert_eq!(
///     found,
///     ["line 4, column 1: advice[E0901]: expected at least 1 `elf:NAME_OF_REPOSITORY` in `REPO`, but found 0"]
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Validator {
    table: &'static Table,
    against: Against,
    kinds: Kinds,
    /// The numbers of structures met that stand in no other, by the places of the table for them.
    roots: Vec<u32>,
}

/// A structure whose end is not reached yet.
struct Open<'d> {
    node: Node<'d>,
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
        Validator { table, against, kinds: Kinds::of(table, schema), roots: vec![0; table.roots.len()] }
    }

    /// Holds the next part of the document against the standard; what is found goes to `sink`.
    pub fn part(&mut self, part: &Part<'_>, sink: &mut dyn Sink) {
        let mut findings = Findings::new(self.against, sink);
        self.document(part.document(), &|node| part.type_id(node), false, &mut findings);
    }

    fn document<'d>(
        &mut self,
        document: &'d Document<'_>,
        type_of: &dyn Fn(Node<'_>) -> Option<TypeId>,
        with_links: bool,
        findings: &mut Findings<'_, 'd>,
    ) {
        let kind_of = |kinds: &Kinds, node: Node<'_>| kinds.get(type_of(node)?);
        let mut stack = Stack::default();
        // Serialisation metadata is no structure to the drafts, but it is to GEDCOM.
        let head = document.head().into_iter().flat_map(|head| head.subtree());
        let head = head.filter(|node| !node.is_continuation());
        let records = document.records().filter(|record| !record.is_inserted());
        let records = records.flat_map(|record| std::iter::once(record).chain(record.descendants()));
        for node in head.chain(records) {
            stack.close(node, self.table.naming, findings);
            let kind = match self.table.naming {
                Naming::Type => {
                    let number = kind_of(&self.kinds, node);
                    if let Some(number) = number {
                        stack.count_type(number, node, self.table, findings);
                    }
                    number
                }
                Naming::Tag if stack.open.is_empty() => self.count_root(node, findings),
                Naming::Tag => stack.count_tag(node, findings),
            };
            let kind = kind.and_then(|number| self.table.kind(number));
            if let Some(kind) = kind {
                let payload = node.payload();
                match fault(&payload, kind) {
                    Some((code, message)) => findings.report(code, node, message),
                    None if with_links && !kind.targets.is_empty() => {
                        self.link(node, kind, &|target| kind_of(&self.kinds, target), findings);
                    }
                    None => {}
                }
            }
            stack.push(node, kind);
        }
        stack.close_all(self.table.naming, findings);
    }

    /// Counts a structure that stands in no other.
    fn count_root<'d>(&mut self, node: Node<'d>, findings: &mut Findings<'_, 'd>) -> Option<u16> {
        let at = self.table.root_index(node.tag())?;
        let slot = self.table.roots.get(at)?;
        count(self.roots.get_mut(at)?, slot, "the document", (node, Naming::Tag), findings);
        Some(slot.kind)
    }

    /// Looks at what a pointer leads to.
    fn link<'d>(
        &self,
        node: Node<'d>,
        kind: &Kind,
        kind_of: &dyn Fn(Node<'_>) -> Option<u16>,
        findings: &mut Findings<'_, 'd>,
    ) {
        let Some(target) = node.target() else { return };
        let is_meant = match self.table.naming {
            Naming::Tag => kind.targets.contains(&target.tag()),
            // A record of a type that is not known may be anything.
            Naming::Type => kind_of(target).and_then(|number| self.table.kind(number)).is_none_or(|found| {
                let above = found.supertypes.iter().filter_map(|&number| self.table.kind(number));
                std::iter::once(found).chain(above).any(|of| kind.targets.contains(&of.name))
            }),
        };
        if !is_meant {
            let targets: Vec<String> =
                kind.targets.iter().map(|of| format!("`{}`", name(of, self.table.naming))).collect();
            let message = format!(
                "expected a pointer to {}, but `@{}@` is `{}`",
                targets.join(" or "),
                shown(node.pointer().unwrap_or_default()),
                shown(target.tag())
            );
            findings.report(codes::POINTER_WRONG_TYPE, node, message);
        }
    }
}

impl<'d> Stack<'d> {
    /// Opens a structure.
    fn push(&mut self, node: Node<'d>, kind: Option<&'static Kind>) {
        let counts = self.counts.len();
        self.open.push(Open { node, kind, counts });
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
        let Some(Open { node, kind, counts }) = self.open.pop() else { return };
        let met = self.counts.get(counts..).unwrap_or_default();
        for (slot, &met) in kind.map_or(&[][..], |kind| kind.slots).iter().zip(met) {
            if met < slot.min {
                let (min, what, tag) = (slot.min, name(slot.name, naming), shown(node.tag()));
                let message = format!("expected at least {min} `{what}` in `{tag}`, but found {met}");
                findings.report(codes::STRUCTURE_MISSING, node, message);
            }
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
