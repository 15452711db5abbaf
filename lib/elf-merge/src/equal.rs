//! Finds records with the same content and the same identifier in both files.
//!
//! Equal text is not enough, because identifiers such as `I1` and `F1` occur in most files. Two
//! records of people match if they have a given name and a surname, or a date. Other records match
//! only if all records that they point to match, too.

use crate::content::record_key;
use crate::families::{Family, families_of};
use crate::plan::{RecordKind, find_record_kinds, list_records};
use elf_lineage::LineageView;
use elf_tagged::{Document, Node, NodeId, Payload, Target, is_external_pointer};
use std::collections::{HashMap, HashSet};

/// A record of A that may be the same as a record of B.
struct EqualPair {
    of_a: NodeId,
    /// The identifiers of the records that must match as well.
    required: Vec<String>,
}

/// Returns, for each record of B, the equal record of A. Takes linear time.
pub(crate) fn find_equal_records(
    a: &LineageView<'_, '_>,
    b: &LineageView<'_, '_>,
) -> HashMap<NodeId, NodeId> {
    let (of_a, of_b) = (a.typed().document(), b.typed().document());
    let candidates = find_candidates(a, b);
    let mut needed_by: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    let mut refused: Vec<NodeId> = Vec::new();
    for (&record, candidate) in &candidates {
        for xref in &candidate.required {
            match requirement_of(of_a, of_b, xref) {
                PointerRequirement::Nothing => {}
                PointerRequirement::Record(needed) if candidates.contains_key(&needed) => {
                    needed_by.entry(needed).or_default().push(record);
                }
                PointerRequirement::Record(_) | PointerRequirement::Impossible => refused.push(record),
            }
        }
    }
    let mut is_refused: HashSet<NodeId> = HashSet::new();
    while let Some(record) = refused.pop() {
        if is_refused.insert(record) {
            refused.extend(needed_by.get(&record).into_iter().flatten().copied());
        }
    }
    let equal = candidates.into_iter().filter(|(record, _)| !is_refused.contains(record));
    equal.map(|(record, candidate)| (record, candidate.of_a)).collect()
}

fn find_candidates(a: &LineageView<'_, '_>, b: &LineageView<'_, '_>) -> HashMap<NodeId, EqualPair> {
    let mut same = |xref: &str| xref.to_owned();
    let mut of_a: HashMap<(&str, String), NodeId> = HashMap::new();
    for record in list_records(a.typed().document()).filter(|record| !record.is_error()) {
        if let Some(xref) = record.xref() {
            of_a.entry((xref, record_key(record, &mut same))).or_insert(record.id());
        }
    }
    let kinds = find_record_kinds(b);
    let mut candidates: HashMap<NodeId, EqualPair> = HashMap::new();
    for record in list_records(b.typed().document()).filter(|record| !record.is_error()) {
        let Some(xref) = record.xref() else { continue };
        if let Some(&of_a) = of_a.get(&(xref, record_key(record, &mut same))) {
            let is_person = kinds.get(&record.id()) == Some(&RecordKind::Person);
            let is_known = is_person && (has_event_with_date(record) || has_given_name_and_surname(record));
            let needs = if is_known { Vec::new() } else { targets_of_pointers(record) };
            candidates.insert(record.id(), EqualPair { of_a, required: needs });
        }
    }
    add_families_of_couples(a, b, &mut candidates);
    candidates
}

/// Adds the families of couples if the records of the members have dates. Only the couple must be
/// the same; other lines of the family may differ.
fn add_families_of_couples(
    a: &LineageView<'_, '_>,
    b: &LineageView<'_, '_>,
    candidates: &mut HashMap<NodeId, EqualPair>,
) {
    let couple = |document: &Document<'_>, family: &Family| -> Option<Vec<String>> {
        let partners = family.partners.iter().map(|partner| document.node(*partner));
        let partners: Vec<Node<'_>> = partners.collect::<Option<Vec<Node<'_>>>>()?;
        let is_couple = partners.len() > 1 && partners.iter().all(|partner| has_event_with_date(*partner));
        let mut xrefs = partners.iter().map(|partner| partner.xref().map(str::to_owned));
        let mut xrefs: Vec<String> = xrefs.by_ref().collect::<Option<Vec<String>>>().filter(|_| is_couple)?;
        xrefs.sort_unstable();
        Some(xrefs)
    };
    let document = a.typed().document();
    let mut of_a: HashMap<(&str, Vec<String>), NodeId> = HashMap::new();
    for family in families_of(a) {
        let xref = document.node(family.record).and_then(Node::xref);
        if let Some((xref, couple)) = xref.zip(couple(document, &family)) {
            of_a.entry((xref, couple)).or_insert(family.record);
        }
    }
    let document = b.typed().document();
    for family in families_of(b) {
        let Some(xref) = document.node(family.record).and_then(Node::xref) else { continue };
        let Some(partners) = couple(document, &family) else { continue };
        if let Some(&of_a) = of_a.get(&(xref, partners.clone())) {
            candidates.insert(family.record, EqualPair { of_a, required: partners });
        }
    }
}

fn has_event_with_date(person: Node<'_>) -> bool {
    person.substructures().any(|event| event.tag() != "CHAN" && event.substructure("DATE").is_some())
}

fn has_given_name_and_surname(person: Node<'_>) -> bool {
    person.substructures_tagged("NAME").any(|name| {
        let text = name.text();
        let mut parts = text.split('/').map(|part| part.chars().any(char::is_alphabetic));
        parts.next() == Some(true) && parts.next() == Some(true)
    })
}

fn targets_of_pointers(record: Node<'_>) -> Vec<String> {
    let mut pointers = Vec::new();
    let mut waiting = vec![record];
    while let Some(node) = waiting.pop() {
        if let Payload::Pointer(xref) = node.payload() {
            pointers.push(xref.to_owned());
        }
        waiting.extend(node.substructures());
    }
    pointers
}

/// The condition that a pointer sets for its record: which other records must match first.
enum PointerRequirement {
    Nothing,
    Record(NodeId),
    Impossible,
}

fn requirement_of(a: &Document<'_>, b: &Document<'_>, xref: &str) -> PointerRequirement {
    if b.header().is_void(xref) || is_external_pointer(xref) {
        return PointerRequirement::Nothing;
    }
    match (a.resolve(xref), b.resolve(xref)) {
        (Target::One(_), Target::One(node)) => PointerRequirement::Record(containing_record(node)),
        (Target::One(_), _) | (_, Target::One(_)) => PointerRequirement::Impossible,
        (_, _) => PointerRequirement::Nothing,
    }
}

fn containing_record(mut node: Node<'_>) -> NodeId {
    while let Some(above) = node.superstructure() {
        node = above;
    }
    node.id()
}
