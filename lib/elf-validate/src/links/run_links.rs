//! Collects the records and pointers of a run.

use crate::slots::NO_KIND;
use crate::table::{Link, LinkRule, Table};
use crate::undefined::{TagCollector, TagPlace};
use elf_base::{PackedText, Place, Rules, Span};
use elf_schema::elf_tagged::elf_lines::may_begin_record;
use elf_schema::elf_tagged::{LinePlaces, XrefList, XrefNodes};
use elf_schema::tally::UndefinedTag;
use elf_schema::{Document, Node, NodeId};
use std::ops::Range;
use std::sync::Arc;

/// The records and pointers of a run, which are checked when the whole document is known.
/// [`Validator::validate_run`](crate::Validator::validate_run) returns a `RunLinks`. It borrows
/// nothing.
///
/// A `RunLinks` shares the identifiers and pointers of the run with the reader. It adds sixteen bytes for each record
/// and two for each pointer, and the text of long identifiers.
#[derive(Clone, Debug)]
pub struct RunLinks {
    xrefs: Arc<XrefList>,
    pub(super) bearers: Box<[Bearer]>,
    /// How each pointer of `xrefs` is checked.
    roles: Box<[PointerRole]>,
    texts: BearerTexts,
    /// Links that the file qualifies: the index of the record, and the identifier that the link
    /// names. The list is sorted.
    qualified: Vec<(u32, u64)>,
    /// Structures directly under records that should be pointers but are not: the index of the
    /// record, and the kind number of the structure. The list is sorted.
    broken: Vec<(u32, u16)>,
    /// The indices of pointers with a PEDI, sorted. Such a pointer may be repeated, because a
    /// family can foster and later adopt a child.
    with_pedigree: Vec<u32>,
    /// The indices of records that fixes must not change, sorted. These records are locked, or may
    /// contain lines of another record.
    guarded: Vec<u32>,
    /// Top-level structures whose number is limited: the slot in the table, and the place of the
    /// structure.
    roots: Vec<(u16, Place)>,
    /// The tags that the standard does not allow at their places.
    pub(super) undefined: Vec<UndefinedTag<TagPlace>>,
    /// True if the run ends with a trailer.
    pub(super) has_trailer: bool,
}

/// How many top-level lines at the end of the run are searched for the trailer.
const MOST_BEHIND_TRAILER: usize = 8;

/// A record, or another structure that has an identifier. Only records have pointers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bearer {
    /// The index of the bearer's identifier in `xrefs`, or [`NO_XREF`] if it has none.
    xref: u32,
    /// The index of the bearer's first pointer.
    first_pointer: u32,
    /// The index of the first pointer after the end of the bearer.
    pointers_end: u32,
    /// The kind number of the bearer, or [`NO_KIND`] if it has none.
    pub(super) kind: u16,
    /// True if the bearer is not a record.
    pub(super) is_nested: bool,
    /// True if another structure has the same identifier. The field is set when all runs are known.
    pub(super) is_repeated: bool,
}

const NO_XREF: u32 = u32::MAX;

/// The kind number of a pointer to check. The highest bit is set if the pointer is directly under its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PointerRole(u16);

/// A pointer to check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    /// The identifier that the pointer names.
    pub(super) key: u64,
    pub(super) kind: u16,
    /// True if the pointer is directly under its record.
    pub(super) is_direct: bool,
}

impl PointerRole {
    /// The pointer is not checked.
    const NONE: PointerRole = PointerRole(NO_KIND);
    const DIRECT: u16 = 1 << 15;

    const fn of(kind: u16, is_direct: bool) -> PointerRole {
        PointerRole(kind & !PointerRole::DIRECT | if is_direct { PointerRole::DIRECT } else { 0 })
    }
}

/// The texts of bearers that do not follow from the key and the kind of the bearer. These are long
/// identifiers, and tags that differ from the tag of the kind.
#[derive(Clone, Debug, Default)]
struct BearerTexts {
    text: String,
    /// The ends of the texts, sorted by bearer.
    ends: Vec<TextEnds>,
}

/// Where the texts of a bearer end in [`BearerTexts::text`]. The tag follows the identifier.
#[derive(Clone, Copy, Debug)]
struct TextEnds {
    /// The index of the bearer.
    bearer: u32,
    identifier_end: u32,
    tag_end: u32,
}

impl BearerTexts {
    fn add(&mut self, bearer: usize, identifier: &str, tag: &str) {
        self.text.push_str(identifier);
        let identifier_end = to_u32(self.text.len());
        self.text.push_str(tag);
        let tag_end = to_u32(self.text.len());
        self.ends.push(TextEnds { bearer: to_u32(bearer), identifier_end, tag_end });
    }

    /// Returns the stored identifier and tag of a bearer; empty if they follow from its key and kind.
    fn identifier_and_tag(&self, bearer: usize) -> (&str, &str) {
        let Ok(at) = self.ends.binary_search_by_key(&to_u32(bearer), |ends| ends.bearer) else {
            return ("", "");
        };
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |ends| ends.tag_end);
        let Some(&TextEnds { identifier_end, tag_end, .. }) = self.ends.get(at) else { return ("", "") };
        let text = |from: u32, to: u32| Span::new(from, to).of(&self.text);
        (text(start, identifier_end), text(identifier_end, tag_end))
    }

    fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Converts an index in a run to 32 bits. It fits, because a run is shorter than 4 GiB.
pub(super) fn to_u32(number: usize) -> u32 {
    debug_assert!(u32::try_from(number).is_ok(), "a run is shorter than 4 GiB");
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Collects the records and pointers of a run in document order.
pub(crate) struct LinkCollector<'d> {
    table: &'static Table,
    document: &'d Document<'d>,
    xrefs: Arc<XrefNodes>,
    /// The index of the last bearer that was found. The next search starts here.
    near_bearer: usize,
    /// The index of the last pointer that was found. The next search starts here.
    near_pointer: usize,
    bearers: Vec<Bearer>,
    roles: Box<[PointerRole]>,
    texts: BearerTexts,
    qualified: Vec<(u32, u64)>,
    broken: Vec<(u32, u16)>,
    with_pedigree: Vec<u32>,
    guarded: Vec<u32>,
    roots: Vec<(u16, Place)>,
    lines: LinePlaces<'d>,
    /// The index of the current record. Structures inside the record that have identifiers come
    /// after it.
    open: usize,
    open_end: NodeId,
    /// The end of the last serialisation metadata. Pointers before this node are not links.
    hidden_end: NodeId,
    /// True if the rules allow escaped line breaks or leave out lines. Then the meaning of the next
    /// line is uncertain, so that all links count as qualified.
    hides_lines: bool,
}

/// Returns the index of the first node at or after `node`. The search starts at `near`.
#[inline]
fn seek_node(nodes: &[NodeId], near: &mut usize, node: NodeId) -> usize {
    if near.checked_sub(1).and_then(|before| nodes.get(before)).is_some_and(|before| *before >= node) {
        *near = nodes.partition_point(|one| *one < node);
    }
    while nodes.get(*near).is_some_and(|one| *one < node) {
        *near += 1;
    }
    *near
}

const fn hides_lines(rules: &Rules) -> bool {
    rules.octets.stream_escapes || rules.tagged.bad_line.leaves_lines_out()
}

impl<'d> LinkCollector<'d> {
    pub(crate) fn new(table: &'static Table, document: &'d Document<'_>) -> LinkCollector<'d> {
        let xrefs = document.xref_nodes();
        LinkCollector {
            table,
            document,
            near_bearer: 0,
            near_pointer: 0,
            // Nearly all records have an identifier.
            bearers: Vec::with_capacity(xrefs.bearers().len() + 2),
            roles: vec![PointerRole::NONE; xrefs.pointers().len()].into(),
            xrefs,
            texts: BearerTexts::default(),
            qualified: Vec::new(),
            broken: Vec::new(),
            with_pedigree: Vec::new(),
            guarded: Vec::new(),
            roots: Vec::new(),
            lines: document.line_places(),
            open: 0,
            open_end: NodeId::FIRST,
            hidden_end: NodeId::FIRST,
            hides_lines: hides_lines(document.rules()),
        }
    }

    pub(crate) fn start_record(&mut self, node: Node<'_>, kind: u16) {
        self.end_record();
        (self.open, self.open_end) = (self.bearers.len(), node.subtree_end());
        let tag = node.tag();
        let is_own = self.table.kind(kind).is_some_and(|kind| kind.tag == Some(tag));
        self.add_bearer(node, if is_own { "" } else { tag }, kind, false);
    }

    /// Adds a structure that is not a record, if it has an identifier.
    pub(crate) fn add_structure(&mut self, node: Node<'_>, kind: u16) {
        let flags = node.flags();
        if flags.is_hidden() {
            self.hidden_end = self.hidden_end.max(node.subtree_end());
        }
        if flags.has_xref() && !self.is_hidden(node) && node.xref().is_some() {
            self.add_bearer(node, "", kind, true);
        }
    }

    /// Adds a pointer of the current record. Returns whether the pointer can be resolved; a pointer
    /// in serialisation metadata cannot.
    pub(crate) fn add_pointer(&mut self, node: Node<'_>, kind: u16, is_beneath_record: bool) -> bool {
        if self.is_hidden(node) {
            return false;
        }
        self.add_listed_pointer(node, kind, is_beneath_record);
        true
    }

    /// Adds a pointer of the current record if the reader lists the pointer. Returns whether the
    /// reader does.
    #[inline]
    pub(crate) fn add_listed_pointer(&mut self, node: Node<'_>, kind: u16, is_beneath_record: bool) -> bool {
        let nodes = self.xrefs.pointers();
        let at = seek_node(nodes, &mut self.near_pointer, node.id());
        if nodes.get(at) != Some(&node.id()) || self.is_hidden(node) {
            return false;
        }
        // `roles` has an entry for each pointer of `xrefs`.
        self.roles[at] = PointerRole::of(kind, is_beneath_record);
        let may_be_qualified = self.hides_lines || node.subtree_end().index() > node.id().index() + 1;
        if may_be_qualified && is_beneath_record && self.is_qualified(node, kind) {
            let key = self.xrefs.list().pointers().key(at);
            self.qualified.extend(key.map(|key| (to_u32(self.open), key)));
        }
        if may_be_qualified && node.substructure("PEDI").is_some() {
            self.with_pedigree.push(to_u32(at));
        }
        true
    }

    /// Adds a structure of the current record that should be a pointer but is not.
    #[cold]
    pub(crate) fn add_broken_pointer(&mut self, node: Node<'_>, kind: u16, is_beneath_record: bool) {
        let broken = (to_u32(self.open), kind);
        if is_beneath_record && !self.is_hidden(node) && self.broken.last() != Some(&broken) {
            self.broken.push(broken);
        }
    }

    /// Handles a restriction notice: a locked record is not changed by fixes.
    pub(crate) fn add_restriction(&mut self, node: Node<'_>, is_beneath_record: bool) {
        let locks = |word: &str| word.trim().eq_ignore_ascii_case("locked");
        if is_beneath_record && node.text().split(',').any(locks) {
            self.guard_record();
        }
    }

    /// Handles a line that is read as text. The line may be the start of another record, so fixes
    /// do not change the current record.
    #[cold]
    pub(crate) fn add_raw_line(&mut self, node: Node<'_>) {
        if node.line_payload().is_some_and(may_begin_record) {
            self.guard_record();
        }
    }

    /// Excludes the current record from fixes.
    fn guard_record(&mut self) {
        let open = to_u32(self.open);
        if self.guarded.last() != Some(&open) {
            self.guarded.push(open);
        }
    }

    /// Adds a top-level structure, and returns its kind number by its tag. Missing and repeated headers and trailers
    /// are reported by the reader.
    pub(crate) fn count_root(&mut self, node: Node<'_>) -> Option<u16> {
        let at = self.table.root_index(node.tag())?;
        let slot = self.table.roots.get(at)?;
        if slot.min == 0 && slot.max.is_some() {
            let place = self.lines.place(node, node.line_span());
            self.roots.extend(u16::try_from(at).ok().map(|at| (at, place)));
        }
        Some(slot.kind)
    }

    pub(crate) fn finish(mut self, tags: TagCollector<'_>) -> RunLinks {
        self.end_record();
        let LinkCollector { xrefs, bearers, roles, mut texts, .. } = self;
        let LinkCollector { mut qualified, mut broken, mut with_pedigree, guarded, roots, .. } = self;
        with_pedigree.sort_unstable();
        qualified.sort_unstable();
        broken.sort_unstable();
        broken.dedup();
        texts.shrink();
        let (xrefs, undefined) = (Arc::clone(xrefs.list()), tags.finish());
        // Few lines follow a trailer, if any.
        let is_trailer = |node: Node<'_>| node.tag() == "TRLR" && node.superstructure().is_none();
        let has_trailer = self.document.lines().rev().take(MOST_BEHIND_TRAILER).any(is_trailer);
        let bearers = bearers.into();
        RunLinks {
            xrefs,
            bearers,
            roles,
            texts,
            qualified,
            broken,
            with_pedigree,
            guarded,
            roots,
            undefined,
            has_trailer,
        }
    }

    /// Returns whether a structure is in serialisation metadata.
    fn is_hidden(&self, node: Node<'_>) -> bool {
        node.id() < self.hidden_end
    }

    /// Returns whether a substructure qualifies a link. STAT, for example, can be `disproven` or
    /// `challenged`.
    fn is_qualified(&self, node: Node<'_>, kind: u16) -> bool {
        let supertypes = || self.table.kind(kind).map_or(&[][..], |kind| kind.supertypes);
        let is_answered = |link: &Link| {
            matches!(link.rule, LinkRule::Answered { .. })
                && (link.pointer == kind || supertypes().contains(&link.pointer))
        };
        // Many producers write under CHIL how child and parent are related. An added link without
        // this information would mean a birth.
        let is_other = |tie: Node<'_>| {
            let text = tie.text();
            !["natural", "birth", ""].iter().any(|known| text.trim().eq_ignore_ascii_case(known))
        };
        let has_tie = || ["_FREL", "_MREL"].iter().any(|tag| node.substructures_tagged(tag).any(is_other));
        (self.hides_lines || node.substructure("STAT").is_some() || has_tie())
            && self.table.links.iter().any(is_answered)
    }

    fn end_record(&mut self) {
        let end = to_u32(seek_node(self.xrefs.pointers(), &mut self.near_pointer, self.open_end));
        // Before the first record, there is no current record.
        if let Some(record) = self.bearers.get_mut(self.open) {
            record.pointers_end = end;
        }
    }

    fn add_bearer(&mut self, node: Node<'_>, tag: &str, kind: u16, is_nested: bool) {
        let start = to_u32(seek_node(self.xrefs.pointers(), &mut self.near_pointer, node.id()));
        let nodes = self.xrefs.bearers();
        let at = seek_node(nodes, &mut self.near_bearer, node.id());
        let xref = nodes.get(at).filter(|bearer| **bearer == node.id()).map_or(NO_XREF, |_| to_u32(at));
        let key = self.xrefs.list().bearers().key(xref as usize);
        let long = key.filter(|key| *key >= PackedText::END).and_then(|_| node.xref());
        if long.is_some() || !tag.is_empty() {
            self.texts.add(self.bearers.len(), long.unwrap_or_default(), tag);
        }
        self.bearers.push(Bearer {
            xref,
            first_pointer: start,
            pointers_end: start,
            kind,
            is_nested,
            is_repeated: false,
        });
    }
}

impl RunLinks {
    /// Returns the top-level structures whose number is limited: the slot in the table, and the
    /// place of the structure.
    pub(super) fn limited_roots(&self) -> impl Iterator<Item = (u16, Place)> {
        self.roots.iter().copied()
    }

    /// Returns the identifier of a bearer as a number, if it has one.
    #[inline]
    pub(super) fn xref_key(&self, bearer: usize) -> Option<u64> {
        self.xrefs.bearers().key(self.bearers.get(bearer)?.xref as usize)
    }

    /// Returns the indices of the pointers in a bearer.
    pub(super) fn pointers_of(&self, bearer: usize) -> Range<usize> {
        self.bearers
            .get(bearer)
            .map_or(0..0, |bearer| bearer.first_pointer as usize..bearer.pointers_end as usize)
    }

    /// Returns the pointer with this index, if it is to be checked.
    #[inline]
    pub(super) fn get_pointer(&self, at: usize) -> Option<Pointer> {
        let (kind, is_direct) = self.kind_and_directness(at)?;
        let key = self.xrefs.pointers().key(at)?;
        Some(Pointer { key, kind, is_direct })
    }

    /// Returns the kind number of a pointer and whether the pointer is directly under its record.
    /// Returns `None` if the pointer is not to be checked.
    #[inline]
    pub(super) fn kind_and_directness(&self, at: usize) -> Option<(u16, bool)> {
        let role = *self.roles.get(at).filter(|role| **role != PointerRole::NONE)?;
        Some((role.0 & !PointerRole::DIRECT, role.0 & PointerRole::DIRECT != 0))
    }

    /// Returns those indices in `among` whose pointers name this identifier.
    pub(super) fn pointers_to(&self, key: u64, among: Range<usize>) -> impl Iterator<Item = usize> {
        self.xrefs.pointers().positions(among, key)
    }

    pub(super) fn pointer_place(&self, at: usize) -> Option<Place> {
        self.xrefs.pointers().place(at)
    }

    /// Returns the identifier of a bearer; empty if it has none.
    pub(super) fn identifier_of(&self, bearer: usize) -> String {
        let packed = self.xref_key(bearer).and_then(PackedText::of_number);
        packed.map_or_else(|| self.texts.identifier_and_tag(bearer).0.to_owned(), PackedText::text)
    }

    /// Returns whether a record has the tag that its kind has by default.
    pub(super) fn has_own_tag(&self, bearer: usize) -> bool {
        self.texts.identifier_and_tag(bearer).1.is_empty()
    }

    /// Returns whether the file qualifies the link from a record to an identifier.
    pub(super) fn is_qualified(&self, record: usize, to: u64) -> bool {
        self.qualified.binary_search(&(to_u32(record), to)).is_ok()
    }

    /// Returns the kinds of structures directly under a record that should be pointers but are not, each once.
    pub(super) fn broken_pointers_in(&self, record: usize) -> impl Iterator<Item = u16> {
        let record = to_u32(record);
        let start = self.broken.partition_point(|(of, _)| *of < record);
        let of_record = self.broken.iter().skip(start).take_while(move |(of, _)| *of == record);
        of_record.map(|(_, kind)| *kind)
    }

    /// Returns whether a pointer has a PEDI. Such a pointer may repeat another one.
    pub(super) fn has_pedigree(&self, pointer: usize) -> bool {
        self.with_pedigree.binary_search(&to_u32(pointer)).is_ok()
    }

    /// Returns whether fixes must not change a record.
    pub(super) fn is_guarded(&self, record: usize) -> bool {
        self.guarded.binary_search(&to_u32(record)).is_ok()
    }

    pub(super) fn record_tag<'t>(&'t self, bearer: usize, table: &Table) -> &'t str {
        let own = || table.kind(self.bearers.get(bearer)?.kind)?.tag;
        match self.texts.identifier_and_tag(bearer).1 {
            "" => own().unwrap_or_default(),
            tag => tag,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_bearers_come_back() {
        let mut texts = BearerTexts::default();
        texts.add(2, "", "_LOC");
        texts.add(3, "AN_IDENTIFIER", "");
        texts.add(9, "ANOTHER_ONE", "INDI");
        texts.shrink();
        let all: Vec<(&str, &str)> =
            [0, 2, 3, 4, 9, 10].map(|bearer| texts.identifier_and_tag(bearer)).into();
        let none = ("", "");
        assert_eq!(all, [none, ("", "_LOC"), ("AN_IDENTIFIER", ""), none, ("ANOTHER_ONE", "INDI"), none]);
    }
}
