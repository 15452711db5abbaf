//! The edited tree, which consists of the document that was read and the changes that edits made.
//!
//! A structure of the file has the number of its node. Added structures get the numbers that follow. Only changes are
//! stored, so the cost depends on the number of edits and not on the size of the file.

use crate::nodes::{NONE, Nodes};
use crate::{EditError, Value};
use elf_tagged::{Document, Flags, NodeId, Payload};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

/// The parent of the records.
pub(super) const TOP: u32 = NONE;

/// The stamp of items that have been removed.
const GONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(super) struct TreeChanges {
    added: u32,
    /// The number of times that a structure has been placed. The number is the source of new stamps.
    placements: u32,
    changes: BTreeMap<u32, Change>,
    /// The places of structures that were added, moved or removed.
    places: BTreeMap<u32, Placement>,
    /// The items under each structure whose list of items has changed. Continuation lines are included.
    lists: BTreeMap<u32, Vec<Entry>>,
    /// The items that have changed, and all items above them.
    touched: HashSet<u32>,
    /// The nodes of the file that were moved or removed, and all nodes under them.
    vacated: Vec<u32>,
    /// The outermost nodes that were moved or removed. The value is the node after the last node under each of them.
    vacated_ranges: BTreeMap<u32, u32>,
    /// The structures that got an identifier by an edit, by this identifier.
    items_by_new_xref: HashMap<Box<str>, Vec<u32>>,
    /// The structures of the file that have a repeated identifier, by this identifier. The structures are computed when
    /// they are first needed.
    items_by_repeated_xref: OnceLock<HashMap<Box<str>, Vec<u32>>>,
    /// The structures that point to an identifier now or did so before an edit, by this identifier. The structures are
    /// computed when they are first needed.
    items_by_target: Option<HashMap<Box<str>, Vec<u32>>>,
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
    /// The stamp of the list entry that is valid. Other entries of a moved item have older stamps.
    stamp: u32,
    superstructure: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    item: u32,
    stamp: u32,
}

#[derive(Clone, Copy)]
pub(super) struct EditedTree<'e> {
    pub(super) document: &'e Document<'e>,
    pub(super) tree: &'e TreeChanges,
}

impl<'e> EditedTree<'e> {
    pub(super) const fn nodes(self) -> Nodes<'e> {
        Nodes::of(self.document)
    }

    fn is_of_file(self, item: u32) -> bool {
        (item as usize) < self.document.len()
    }

    /// Returns whether an item of the file is still under its original superstructure. The superstructure itself may
    /// have been moved.
    pub(super) fn is_in_place(self, item: u32) -> bool {
        self.is_of_file(item) && !self.tree.places.contains_key(&item)
    }

    /// Returns whether an item is part of the document and has not been removed.
    pub(super) fn exists(self, item: u32) -> bool {
        if !self.is_of_file(item) && item - self.len() >= self.tree.added {
            return false;
        }
        if self.is_unmoved(item) {
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
    fn is_unmoved(self, item: u32) -> bool {
        let outermost = self.tree.vacated_ranges.range(..=item).next_back();
        self.is_of_file(item) && outermost.is_none_or(|(_, &end)| end <= item)
    }

    fn len(self) -> u32 {
        self.nodes().count()
    }

    pub(super) fn change(self, item: u32) -> Option<&'e Change> {
        self.tree.changes.get(&item)
    }

    pub(super) fn has_changes(self, item: u32) -> bool {
        self.tree.has_changes(item)
    }

    /// Returns the nodes of the file that were moved or removed, with everything under them.
    pub(super) fn vacated_nodes(self) -> &'e [u32] {
        &self.tree.vacated
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

    /// Returns the superstructure of an item. Returns [`TOP`] for records.
    pub(super) fn superstructure(self, item: u32) -> u32 {
        match self.tree.places.get(&item) {
            Some(place) => place.superstructure,
            None => self.nodes().parent(item),
        }
    }

    /// Returns the items under a structure, or the records if the structure is [`TOP`]. Continuation lines and
    /// serialisation metadata are included. Items that the rules inserted are not included.
    pub(super) fn items_below(self, item: u32) -> impl Iterator<Item = u32> + use<'e> {
        let tree = self.tree;
        let list = tree.lists.get(&item);
        let changed =
            list.into_iter().flatten().filter(move |entry| tree.stamp_of(entry.item) == entry.stamp);
        let kept = list.is_none().then(|| self.items_below_as_read(item)).into_iter().flatten();
        changed.map(|entry| entry.item).chain(kept)
    }

    fn items_below_as_read(self, item: u32) -> impl Iterator<Item = u32> + use<'e> {
        let nodes = self.nodes();
        nodes
            .children(item)
            .filter(move |&child| self.is_in_place(child) && !nodes.flags(child).is_inserted())
    }

    pub(super) fn substructures(self, item: u32) -> impl Iterator<Item = u32> + use<'e> {
        self.items_below(item).filter(move |&child| !self.flags(child).is_continuation())
    }

    /// Returns the structures with an identifier. Structures of the file come first, in order; added structures follow.
    pub(super) fn items_with_xref(self, xref: &str) -> Vec<u32> {
        let mut found = Vec::new();
        match self.document.resolve(xref) {
            elf_tagged::Target::None if !self.document.header().is_void(xref) => {}
            // A path can lead to a structure with the identifier `VOID`, although a pointer cannot refer to it. In a
            // run, a path finds the structures of the run.
            elf_tagged::Target::None | elf_tagged::Target::Unknown => {
                let bearers = self.document.nodes().filter(|node| node.xref() == Some(xref));
                found.extend(bearers.map(|node| node.id().get()));
            }
            elf_tagged::Target::One(node) => found.push(node.id().get()),
            elf_tagged::Target::Several => {
                found.extend(self.items_by_repeated_xref().get(xref).into_iter().flatten())
            }
        }
        found.extend(self.tree.items_by_new_xref.get(xref).into_iter().flatten());
        found.retain(|&item| self.has_xref(item, xref));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns whether a structure has this identifier and has not been removed.
    fn has_xref(self, item: u32, xref: &str) -> bool {
        self.xref(item) == Some(xref) && !self.flags(item).is_inserted() && self.exists(item)
    }

    fn items_by_repeated_xref(self) -> &'e HashMap<Box<str>, Vec<u32>> {
        self.tree.items_by_repeated_xref.get_or_init(|| {
            let found = self.document.repeated_bearers();
            let numbers = |bearers: Vec<NodeId>| bearers.into_iter().map(NodeId::get).collect();
            found.into_iter().map(|(xref, bearers)| (xref.into(), numbers(bearers))).collect()
        })
    }

    /// Returns the tags from the record down to a structure.
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

    /// Returns the outermost structure of the serialisation metadata that contains a structure.
    pub(super) fn metadata_root(self, item: u32) -> Option<u32> {
        let head = self.document.head()?.id().get();
        if self.is_unmoved(item) && !(head..self.nodes().subtree_end(head)).contains(&item) {
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
    /// Returns whether an item, or an item under it, has changed.
    pub(super) fn has_changes(&self, item: u32) -> bool {
        self.touched.contains(&item)
    }

    pub(super) const fn added_count(&self) -> u32 {
        self.added
    }

    /// Returns the structures that were added after the first `added` structures.
    pub(super) fn added_since(&self, document: &Document<'_>, added: u32) -> std::ops::Range<u32> {
        let len = Nodes::of(document).count();
        len + added..len + self.added
    }

    fn stamp_of(&self, item: u32) -> u32 {
        self.places.get(&item).map_or(0, |place| place.stamp)
    }

    /// Returns the changes to the line of a structure, to which further changes can be added.
    pub(super) fn change_mut(&mut self, document: &Document<'_>, item: u32) -> &mut Change {
        self.mark_changed(document, item);
        self.changes.entry(item).or_default()
    }

    /// Marks a structure and its ancestors as changed.
    fn mark_changed(&mut self, document: &Document<'_>, item: u32) {
        let mut at = item;
        while self.touched.insert(at) && at != TOP {
            at = EditedTree { document, tree: self }.superstructure(at);
        }
    }

    /// Records that a node of the file is moved or removed.
    fn mark_vacated(&mut self, document: &Document<'_>, item: u32) {
        let now = EditedTree { document, tree: self };
        let (is_outermost, end) = (now.is_unmoved(item), now.nodes().subtree_end(item));
        self.vacated.push(item);
        if is_outermost {
            while let Some((&inner, _)) = self.vacated_ranges.range(item..end).next() {
                self.vacated_ranges.remove(&inner);
            }
            self.vacated_ranges.insert(item, end);
        }
    }

    pub(super) fn remove(&mut self, document: &Document<'_>, item: u32) {
        let now = EditedTree { document, tree: self };
        let superstructure = now.superstructure(item);
        let in_place = now.is_in_place(item);
        if in_place {
            self.mark_vacated(document, item);
        }
        self.mark_changed(document, superstructure);
        self.places.insert(item, Placement { stamp: GONE, superstructure });
    }

    /// Adds a structure. The structure has no place in the tree yet.
    pub(super) fn add(&mut self, document: &Document<'_>, change: Change) -> Result<u32, EditError> {
        let item = u32::try_from(document.len()).ok().and_then(|len| len.checked_add(self.added));
        let item = item.filter(|&item| item < TOP).ok_or(EditError::TooLarge)?;
        self.added += 1;
        if let Some(xref) = &change.xref {
            self.items_by_new_xref.entry(xref.clone()).or_default().push(item);
        }
        self.index_pointer(item, change.payload.as_ref());
        self.changes.insert(item, change);
        self.places.insert(item, Placement { stamp: GONE, superstructure: TOP });
        Ok(item)
    }

    /// Places a structure under another structure, before `before`. If `before` is `None`, places it at the end.
    /// Records are placed before the trailer.
    pub(super) fn place_under(
        &mut self,
        document: &Document<'_>,
        item: u32,
        superstructure: u32,
        before: Option<u32>,
    ) {
        let now = EditedTree { document, tree: self };
        let (from, in_place) = (now.superstructure(item), now.is_in_place(item));
        if in_place {
            self.mark_vacated(document, item);
            self.mark_changed(document, from);
        }
        let mut list = match self.lists.remove(&superstructure) {
            Some(list) => list,
            None => {
                let now = EditedTree { document, tree: self };
                now.items_below_as_read(superstructure).map(|item| Entry { item, stamp: 0 }).collect()
            }
        };
        self.placements += 1;
        let stamp = self.placements;
        self.places.insert(item, Placement { stamp, superstructure });
        let counts = |entry: &Entry| self.stamp_of(entry.item) == entry.stamp;
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
        self.mark_changed(document, superstructure);
    }

    pub(super) fn rename(&mut self, document: &Document<'_>, item: u32, xref: &str) {
        self.change_mut(document, item).xref = Some(xref.into());
        self.items_by_new_xref.entry(xref.into()).or_default().push(item);
    }

    pub(super) fn set_payload(&mut self, document: &Document<'_>, item: u32, payload: Value) {
        self.index_pointer(item, Some(&payload));
        self.change_mut(document, item).payload = Some(payload);
    }

    /// Returns whether a structure has this identifier. If structures at the end of the list have lost the identifier,
    /// they are removed from the list, so that many removals take linear time in total.
    pub(super) fn is_xref_in_use(&mut self, document: &Document<'_>, xref: &str) -> bool {
        let now = EditedTree { document, tree: self };
        let of_file = match document.resolve(xref) {
            // Edits of a run do not need the pointers in the rest of the file.
            elf_tagged::Target::None | elf_tagged::Target::Unknown => false,
            elf_tagged::Target::One(node) => now.has_xref(node.id().get(), xref),
            elf_tagged::Target::Several => {
                let last = now
                    .items_by_repeated_xref()
                    .get(xref)
                    .and_then(|bearers| bearers.iter().rposition(|&item| now.has_xref(item, xref)));
                let left = last.map_or(0, |last| last + 1);
                if let Some(all) = self.items_by_repeated_xref.get_mut().and_then(|index| index.get_mut(xref))
                {
                    all.truncate(left);
                }
                left > 0
            }
        };
        let now = EditedTree { document, tree: self };
        of_file
            || self.items_by_new_xref.get(xref).into_iter().flatten().any(|&item| now.has_xref(item, xref))
    }

    fn index_pointer(&mut self, item: u32, payload: Option<&Value>) {
        if let (Some(index), Some(Value::Pointer(id))) = (&mut self.items_by_target, payload) {
            index.entry(id.as_str().into()).or_default().push(item);
        }
    }

    pub(super) fn items_pointing_to(&mut self, document: &Document<'_>, xref: &str) -> Vec<u32> {
        if document.header().is_void(xref) {
            return Vec::new();
        }
        if self.items_by_target.is_none() {
            self.items_by_target = Some(EditedTree { document, tree: self }.index_all_pointers());
        }
        let index = self.items_by_target.as_mut();
        let mut found = index.and_then(|index| index.get(xref).cloned()).unwrap_or_default();
        let now = EditedTree { document, tree: self };
        found.retain(|&item| now.pointer(item) == Some(xref) && now.exists(item));
        // If a pointer was changed and then changed back, it is in the list twice.
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl TreeChanges {
    /// Returns a copy without the indexes. The indexes are computed again when they are needed.
    pub(super) fn snapshot(&self) -> TreeChanges {
        TreeChanges {
            added: self.added,
            placements: self.placements,
            changes: self.changes.clone(),
            places: self.places.clone(),
            lists: self.lists.clone(),
            touched: self.touched.clone(),
            vacated: self.vacated.clone(),
            vacated_ranges: self.vacated_ranges.clone(),
            items_by_new_xref: self.items_by_new_xref.clone(),
            items_by_repeated_xref: OnceLock::new(),
            items_by_target: None,
        }
    }

    /// Restores a snapshot. Structures that were added after it count as removed, so that their numbers are not used
    /// again.
    pub(super) fn restore(&mut self, document: &Document<'_>, snapshot: &TreeChanges) {
        let first = Nodes::of(document).count();
        let later = first + snapshot.added..first + self.added;
        let (added, puts) = (self.added, self.placements);
        *self = TreeChanges { added, placements: puts, ..snapshot.snapshot() };
        self.places.extend(later.map(|item| (item, Placement { stamp: GONE, superstructure: TOP })));
    }
}

impl EditedTree<'_> {
    /// Lists all pointers by their targets. Serialisation metadata has no pointers (D19 *Parsing serialisation
    /// metadata*).
    fn index_all_pointers(self) -> HashMap<Box<str>, Vec<u32>> {
        let mut index: HashMap<Box<str>, Vec<u32>> = HashMap::new();
        let mut item = 0;
        while item < self.len() + self.tree.added {
            if self.flags(item).is_hidden() {
                item = self.nodes().subtree_end(item).max(item + 1);
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
