//! The edited tree: the changes that edits made, laid over the document that was read.
//!
//! Structures of the file are called by the numbers of their nodes; added structures get the numbers after
//! these. Only changes are stored, so that a thousand edits of a million lines cost as much as a thousand edits.

use crate::nodes::{NONE, Nodes};
use crate::{EditError, Value};
use elf_tagged::{Document, Flags, NodeId, Payload};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

/// The item above the records.
pub(super) const TOP: u32 = NONE;

/// The stamp of removed items.
const GONE: u32 = u32::MAX;

/// The changes that edits have made.
#[derive(Debug, Default)]
pub(super) struct TreeChanges {
    added: u32,
    /// The number of times that a structure was placed, for stamps.
    puts: u32,
    changes: BTreeMap<u32, Change>,
    /// The places of structures that were added, moved or removed.
    places: BTreeMap<u32, Placement>,
    /// The items under a structure that got or lost some, continuation lines included.
    lists: BTreeMap<u32, Vec<Entry>>,
    /// The items that change, and those above them.
    touched: HashSet<u32>,
    /// The nodes of the file that were moved or removed, with all nodes under them.
    left: Vec<u32>,
    /// The outermost of these: the first node of each, and the node after its last.
    emptied: BTreeMap<u32, u32>,
    /// The structures that got an identifier by an edit, by that identifier.
    names: HashMap<Box<str>, Vec<u32>>,
    /// The structures of the file with a repeated identifier, by that identifier; made when first needed.
    repeated: OnceLock<HashMap<Box<str>, Vec<u32>>>,
    /// The structures that point to an identifier, or did before an edit, by that identifier; made when first
    /// needed.
    pointers: Option<HashMap<Box<str>, Vec<u32>>>,
}

/// The changes to the line of a structure.
#[derive(Clone, Debug, Default)]
pub(super) struct Change {
    pub(super) xref: Option<Box<str>>,
    pub(super) tag: Option<Box<str>>,
    pub(super) payload: Option<Value>,
}

#[derive(Clone, Copy, Debug)]
struct Placement {
    /// Equal to the stamp of the list entry that is valid: older entries of a moved item are ignored.
    stamp: u32,
    superstructure: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    item: u32,
    stamp: u32,
}

/// The document with the changes made so far.
#[derive(Clone, Copy)]
pub(super) struct EditedTree<'e> {
    pub(super) document: &'e Document<'e>,
    pub(super) tree: &'e TreeChanges,
}

impl<'e> EditedTree<'e> {
    pub(super) const fn nodes(self) -> Nodes<'e> {
        Nodes::of(self.document)
    }

    fn of_file(self, item: u32) -> bool {
        (item as usize) < self.document.len()
    }

    /// Returns whether an item of the file has its place under its superstructure, which may have been moved.
    pub(super) fn is_in_place(self, item: u32) -> bool {
        self.of_file(item) && !self.tree.places.contains_key(&item)
    }

    /// Returns whether an item is part of the document and has not been removed.
    pub(super) fn stands(self, item: u32) -> bool {
        if !self.of_file(item) && item - self.len() >= self.tree.added {
            return false;
        }
        if self.has_stayed(item) {
            return true;
        }
        let mut at = item;
        while at != TOP {
            match self.tree.places.get(&at) {
                Some(place) if place.stamp == GONE => return false,
                Some(place) => at = place.superstructure,
                None => at = self.superstructure(at),
            }
        }
        true
    }

    /// Returns whether neither an item of the file nor any item above it was moved or removed.
    fn has_stayed(self, item: u32) -> bool {
        let outermost = self.tree.emptied.range(..=item).next_back();
        self.of_file(item) && outermost.is_none_or(|(_, &end)| end <= item)
    }

    fn len(self) -> u32 {
        self.nodes().count()
    }

    pub(super) fn change(self, item: u32) -> Option<&'e Change> {
        self.tree.changes.get(&item)
    }

    pub(super) fn is_touched(self, item: u32) -> bool {
        self.tree.is_touched(item)
    }

    /// Nodes of the file that left their place, with everything under them.
    pub(super) fn left(self) -> &'e [u32] {
        &self.tree.left
    }

    pub(super) fn flags(self, item: u32) -> Flags {
        self.nodes().flags(item)
    }

    pub(super) fn tag(self, item: u32) -> &'e str {
        match self.change(item).and_then(|change| change.tag.as_deref()) {
            Some(tag) => tag,
            None => self.nodes().tag(item),
        }
    }

    pub(super) fn xref(self, item: u32) -> Option<&'e str> {
        match self.change(item).and_then(|change| change.xref.as_deref()) {
            Some(xref) => Some(xref),
            None => self.nodes().xref(item),
        }
    }

    pub(super) fn payload(self, item: u32) -> Payload<'e> {
        match self.change(item).and_then(|change| change.payload.as_ref()) {
            Some(Value::None) => Payload::None,
            Some(Value::Text(text)) => Payload::Text(text.into()),
            Some(Value::Pointer(id)) => Payload::Pointer(id),
            None => {
                self.document.node(NodeId::new(item)).map_or(Payload::None, |node| match node.pointer() {
                    Some(id) => Payload::Pointer(id),
                    None => node.payload(),
                })
            }
        }
    }

    pub(super) fn pointer(self, item: u32) -> Option<&'e str> {
        match self.change(item).and_then(|change| change.payload.as_ref()) {
            Some(Value::Pointer(id)) => Some(id),
            Some(_) => None,
            None => self.nodes().pointer(item),
        }
    }

    /// Returns the superstructure of an item; [`TOP`] for records.
    pub(super) fn superstructure(self, item: u32) -> u32 {
        match self.tree.places.get(&item) {
            Some(place) => place.superstructure,
            None => self.nodes().parent(item),
        }
    }

    /// Returns the items under a structure, or the records under [`TOP`], with continuation lines and
    /// serialisation metadata, but without items that the rules inserted.
    pub(super) fn below(self, item: u32) -> impl Iterator<Item = u32> + use<'e> {
        let tree = self.tree;
        let list = tree.lists.get(&item);
        let changed = list.into_iter().flatten().filter(move |entry| tree.stamp(entry.item) == entry.stamp);
        let kept = list.is_none().then(|| self.of_the_file(item)).into_iter().flatten();
        changed.map(|entry| entry.item).chain(kept)
    }

    fn of_the_file(self, item: u32) -> impl Iterator<Item = u32> + use<'e> {
        let nodes = self.nodes();
        nodes
            .children(item)
            .filter(move |&child| self.is_in_place(child) && !nodes.flags(child).is_inserted())
    }

    /// The substructures of a structure.
    pub(super) fn substructures(self, item: u32) -> impl Iterator<Item = u32> + use<'e> {
        self.below(item).filter(move |&child| !self.flags(child).is_continuation())
    }

    /// The structures with an identifier, in the order of the file, then added ones.
    pub(super) fn bearers(self, xref: &str) -> Vec<u32> {
        let mut found = Vec::new();
        match self.document.resolve(xref) {
            elf_tagged::Target::None if !self.document.header().is_void(xref) => {}
            // A pointer does not lead to a structure with the void identifier, but a path does. In a run, a path
            // leads to what is there.
            elf_tagged::Target::None | elf_tagged::Target::Unknown => {
                let bearers = self.document.nodes().filter(|node| node.xref() == Some(xref));
                found.extend(bearers.map(|node| node.id().get()));
            }
            elf_tagged::Target::One(node) => found.push(node.id().get()),
            elf_tagged::Target::Several => found.extend(self.repeated().get(xref).into_iter().flatten()),
        }
        found.extend(self.tree.names.get(xref).into_iter().flatten());
        found.retain(|&item| self.bears(item, xref));
        found.sort();
        found.dedup();
        found
    }

    /// Returns whether a structure is still part of the document and has this identifier.
    fn bears(self, item: u32, xref: &str) -> bool {
        self.xref(item) == Some(xref) && !self.flags(item).is_inserted() && self.stands(item)
    }

    fn repeated(self) -> &'e HashMap<Box<str>, Vec<u32>> {
        self.tree.repeated.get_or_init(|| {
            let found = self.document.repeated_bearers();
            let numbers = |bearers: Vec<NodeId>| bearers.into_iter().map(NodeId::get).collect();
            found.into_iter().map(|(xref, bearers)| (xref.into(), numbers(bearers))).collect()
        })
    }

    /// The tags from the record down to a structure.
    pub(super) fn tags(self, item: u32) -> Vec<&'e str> {
        let mut tags = Vec::new();
        let mut at = item;
        while at != TOP {
            tags.push(self.tag(at));
            at = self.superstructure(at);
        }
        tags.reverse();
        tags
    }

    /// Returns whether a structure is `other` or under it.
    pub(super) fn is_within(self, item: u32, other: u32) -> bool {
        let mut at = item;
        while at != other && at != TOP {
            at = self.superstructure(at);
        }
        at == other
    }

    /// The outermost structure of the serialisation metadata that a structure is part of.
    pub(super) fn metadata(self, item: u32) -> Option<u32> {
        let head = self.document.head()?.id().get();
        if self.has_stayed(item) && !(head..self.nodes().end(head)).contains(&item) {
            return None;
        }
        let mut at = item;
        while at != TOP {
            let above = self.superstructure(at);
            if above == head {
                let is_metadata = self.document.rules().tagged.metadata.includes(self.tag(at), true);
                return is_metadata.then_some(at);
            }
            at = above;
        }
        None
    }
}

impl TreeChanges {
    /// Tells whether an item, or one under it, has changed.
    pub(super) fn is_touched(&self, item: u32) -> bool {
        self.touched.contains(&item)
    }

    /// Returns the number of structures that were added.
    pub(super) const fn added(&self) -> u32 {
        self.added
    }

    /// The structures added since there were that many.
    pub(super) fn added_since(&self, document: &Document<'_>, added: u32) -> std::ops::Range<u32> {
        let len = Nodes::of(document).count();
        len + added..len + self.added
    }

    fn stamp(&self, item: u32) -> u32 {
        self.places.get(&item).map_or(0, |place| place.stamp)
    }

    /// Returns the changes to the line of a structure, for further ones.
    pub(super) fn change(&mut self, document: &Document<'_>, item: u32) -> &mut Change {
        self.touch(document, item);
        self.changes.entry(item).or_default()
    }

    /// Marks a structure and those above it as changed.
    fn touch(&mut self, document: &Document<'_>, item: u32) {
        let mut at = item;
        while self.touched.insert(at) && at != TOP {
            at = EditedTree { document, tree: self }.superstructure(at);
        }
    }

    /// Notes that a node of the file is moved or removed.
    fn leave(&mut self, document: &Document<'_>, item: u32) {
        let now = EditedTree { document, tree: self };
        let (is_outermost, end) = (now.has_stayed(item), now.nodes().end(item));
        self.left.push(item);
        if is_outermost {
            while let Some((&inner, _)) = self.emptied.range(item..end).next() {
                self.emptied.remove(&inner);
            }
            self.emptied.insert(item, end);
        }
    }

    /// Removes a structure and its substructures.
    pub(super) fn remove(&mut self, document: &Document<'_>, item: u32) {
        let now = EditedTree { document, tree: self };
        let superstructure = now.superstructure(item);
        let in_place = now.is_in_place(item);
        if in_place {
            self.leave(document, item);
        }
        self.touch(document, superstructure);
        self.places.insert(item, Placement { stamp: GONE, superstructure });
    }

    /// Adds a structure that has no place yet.
    pub(super) fn add(&mut self, document: &Document<'_>, change: Change) -> Result<u32, EditError> {
        let item = u32::try_from(document.len()).ok().and_then(|len| len.checked_add(self.added));
        let item = item.filter(|&item| item < TOP).ok_or(EditError::TooLarge)?;
        self.added += 1;
        if let Some(xref) = &change.xref {
            self.names.entry(xref.clone()).or_default().push(item);
        }
        self.note_pointer(item, change.payload.as_ref());
        self.changes.insert(item, change);
        self.places.insert(item, Placement { stamp: GONE, superstructure: TOP });
        Ok(item)
    }

    /// Places a structure under another one: before `before` or, without it, at the end; records before the
    /// trailer.
    pub(super) fn put(
        &mut self,
        document: &Document<'_>,
        item: u32,
        superstructure: u32,
        before: Option<u32>,
    ) {
        let now = EditedTree { document, tree: self };
        let (from, in_place) = (now.superstructure(item), now.is_in_place(item));
        if in_place {
            self.leave(document, item);
            self.touch(document, from);
        }
        let mut list = match self.lists.remove(&superstructure) {
            Some(list) => list,
            None => {
                let now = EditedTree { document, tree: self };
                now.of_the_file(superstructure).map(|item| Entry { item, stamp: 0 }).collect()
            }
        };
        self.puts += 1;
        let stamp = self.puts;
        self.places.insert(item, Placement { stamp, superstructure });
        let counts = |entry: &Entry| self.stamp(entry.item) == entry.stamp;
        let at = match before {
            Some(before) => list.iter().position(|entry| entry.item == before && counts(entry)),
            None if superstructure == TOP => {
                let now = EditedTree { document, tree: self };
                let last = list.iter().rposition(counts);
                let is_trailer =
                    |&at: &usize| list.get(at).is_some_and(|entry| now.tag(entry.item) == "TRLR");
                last.filter(is_trailer)
            }
            None => None,
        };
        list.insert(at.unwrap_or(list.len()), Entry { item, stamp });
        self.lists.insert(superstructure, list);
        self.touch(document, superstructure);
    }

    /// Sets the identifier of a structure.
    pub(super) fn rename(&mut self, document: &Document<'_>, item: u32, xref: &str) {
        self.change(document, item).xref = Some(xref.into());
        self.names.entry(xref.into()).or_default().push(item);
    }

    /// Sets the payload of a structure.
    pub(super) fn set(&mut self, document: &Document<'_>, item: u32, payload: Value) {
        self.note_pointer(item, Some(&payload));
        self.change(document, item).payload = Some(payload);
    }

    /// Returns whether a structure has this identifier. Structures that lost it are dropped from the end of the
    /// list, so that asking after each of many removals takes linear time in all.
    pub(super) fn is_borne(&mut self, document: &Document<'_>, xref: &str) -> bool {
        let now = EditedTree { document, tree: self };
        let of_file = match document.resolve(xref) {
            // Edits of a run do not need the pointers of the file.
            elf_tagged::Target::None | elf_tagged::Target::Unknown => false,
            elf_tagged::Target::One(node) => now.bears(node.id().get(), xref),
            elf_tagged::Target::Several => {
                let last = now
                    .repeated()
                    .get(xref)
                    .and_then(|bearers| bearers.iter().rposition(|&item| now.bears(item, xref)));
                let left = last.map_or(0, |last| last + 1);
                if let Some(all) = self.repeated.get_mut().and_then(|index| index.get_mut(xref)) {
                    all.truncate(left);
                }
                left > 0
            }
        };
        let now = EditedTree { document, tree: self };
        of_file || self.names.get(xref).into_iter().flatten().any(|&item| now.bears(item, xref))
    }

    fn note_pointer(&mut self, item: u32, payload: Option<&Value>) {
        if let (Some(index), Some(Value::Pointer(id))) = (&mut self.pointers, payload) {
            index.entry(id.as_str().into()).or_default().push(item);
        }
    }

    /// The structures that point to an identifier.
    pub(super) fn pointing(&mut self, document: &Document<'_>, xref: &str) -> Vec<u32> {
        if document.header().is_void(xref) {
            return Vec::new();
        }
        if self.pointers.is_none() {
            self.pointers = Some(EditedTree { document, tree: self }.all_pointers());
        }
        let index = self.pointers.as_mut();
        let mut found = index.and_then(|index| index.get(xref).cloned()).unwrap_or_default();
        let now = EditedTree { document, tree: self };
        found.retain(|&item| now.pointer(item) == Some(xref) && now.stands(item));
        // A pointer that was changed and changed back is listed twice.
        found.sort();
        found.dedup();
        found
    }
}

impl TreeChanges {
    /// A copy without the indexes, which are made again when they are needed.
    pub(super) fn snapshot(&self) -> TreeChanges {
        TreeChanges {
            added: self.added,
            puts: self.puts,
            changes: self.changes.clone(),
            places: self.places.clone(),
            lists: self.lists.clone(),
            touched: self.touched.clone(),
            left: self.left.clone(),
            emptied: self.emptied.clone(),
            names: self.names.clone(),
            repeated: OnceLock::new(),
            pointers: None,
        }
    }

    /// Goes back to a snapshot. Structures added since then count as removed, so that their numbers are not used
    /// again.
    pub(super) fn restore(&mut self, document: &Document<'_>, snapshot: &TreeChanges) {
        let first = Nodes::of(document).count();
        let later = first + snapshot.added..first + self.added;
        let (added, puts) = (self.added, self.puts);
        *self = TreeChanges { added, puts, ..snapshot.snapshot() };
        self.places.extend(later.map(|item| (item, Placement { stamp: GONE, superstructure: TOP })));
    }
}

impl EditedTree<'_> {
    /// All structures that are pointers, by what they point to. Serialisation metadata holds none (D19
    /// *Parsing serialisation metadata*).
    fn all_pointers(self) -> HashMap<Box<str>, Vec<u32>> {
        let mut index: HashMap<Box<str>, Vec<u32>> = HashMap::new();
        let mut item = 0;
        while item < self.len() + self.tree.added {
            if self.flags(item).is_hidden() {
                item = self.nodes().end(item).max(item + 1);
                continue;
            }
            if let Some(id) = self.pointer(item) {
                index.entry(id.into()).or_default().push(item);
            }
            item += 1;
        }
        index
    }
}
