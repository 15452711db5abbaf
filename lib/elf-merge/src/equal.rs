//! Finding records that say the same under the same identifier in both files.
//!
//! Equal text alone is not enough, because identifiers such as `I1` and `F1` occur in most files. A person who is known
//! by name and surname or by a date is the same by that. Any other pair of records counts only if all records that it
//! points to are such pairs, too.

use crate::content::content_of;
use crate::families::{Family, families_of};
use crate::plan::{RecordKind, kinds_of, records_of};
use elf_lineage::LineageView;
use elf_tagged::{Document, Node, NodeId, Payload, Target, is_external_pointer};
use std::collections::{HashMap, HashSet};

/// A record of B that may be a record of A.
struct Candidate {
    of_a: NodeId,
    /// The identifiers of the records that must be united, too.
    needs: Vec<String>,
}

/// Returns the record of A for each record of B that is equal to it. Takes linear time.
pub(crate) fn equal_records(a: &LineageView<'_, '_>, b: &LineageView<'_, '_>) -> HashMap<NodeId, NodeId> {
    let (of_a, of_b) = (a.typed().document(), b.typed().document());
    let candidates = candidates(a, b);
    let mut needed_by: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    let mut refused: Vec<NodeId> = Vec::new();
    for (&record, candidate) in &candidates {
        for xref in &candidate.needs {
            match needed_record(of_a, of_b, xref) {
                Needed::Nothing => {}
                Needed::Record(needed) if candidates.contains_key(&needed) => {
                    needed_by.entry(needed).or_default().push(record);
                }
                Needed::Record(_) | Needed::Impossible => refused.push(record),
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

fn candidates(a: &LineageView<'_, '_>, b: &LineageView<'_, '_>) -> HashMap<NodeId, Candidate> {
    let mut same = |xref: &str| xref.to_owned();
    let mut of_a: HashMap<(&str, String), NodeId> = HashMap::new();
    for record in records_of(a.typed().document()).filter(|record| !record.is_error()) {
        if let Some(xref) = record.xref() {
            of_a.entry((xref, content_of(record, &mut same))).or_insert(record.id());
        }
    }
    let kinds = kinds_of(b);
    let mut candidates: HashMap<NodeId, Candidate> = HashMap::new();
    for record in records_of(b.typed().document()).filter(|record| !record.is_error()) {
        let Some(xref) = record.xref() else { continue };
        if let Some(&of_a) = of_a.get(&(xref, content_of(record, &mut same))) {
            let is_person = kinds.get(&record.id()) == Some(&RecordKind::Person);
            let is_known = is_person && (has_dated_event(record) || has_whole_name(record));
            let needs = if is_known { Vec::new() } else { pointers_under(record) };
            candidates.insert(record.id(), Candidate { of_a, needs });
        }
    }
    add_couples(a, b, &mut candidates);
    candidates
}

/// Adds the families of couples whose own records have dates. Such a family is decided by the couple: its other lines
/// may differ.
fn add_couples(
    a: &LineageView<'_, '_>,
    b: &LineageView<'_, '_>,
    candidates: &mut HashMap<NodeId, Candidate>,
) {
    let couple = |document: &Document<'_>, family: &Family| -> Option<Vec<String>> {
        let partners = family.partners.iter().map(|partner| document.node(*partner));
        let partners: Vec<Node<'_>> = partners.collect::<Option<Vec<Node<'_>>>>()?;
        let is_couple = partners.len() > 1 && partners.iter().all(|partner| has_dated_event(*partner));
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
            candidates.insert(family.record, Candidate { of_a, needs: partners });
        }
    }
}

/// Returns whether a person is known by more than a name.
fn has_dated_event(person: Node<'_>) -> bool {
    person.substructures().any(|event| event.tag() != "CHAN" && event.substructure("DATE").is_some())
}

/// Returns whether a person has a given name and a surname.
fn has_whole_name(person: Node<'_>) -> bool {
    person.substructures_tagged("NAME").any(|name| {
        let text = name.text();
        let mut parts = text.split('/').map(|part| part.chars().any(char::is_alphabetic));
        parts.next() == Some(true) && parts.next() == Some(true)
    })
}

fn pointers_under(record: Node<'_>) -> Vec<String> {
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

/// What a pointer asks for before the record that has it can be united.
enum Needed {
    Nothing,
    Record(NodeId),
    Impossible,
}

fn needed_record(a: &Document<'_>, b: &Document<'_>, xref: &str) -> Needed {
    if b.header().is_void(xref) || is_external_pointer(xref) {
        return Needed::Nothing;
    }
    match (a.resolve(xref), b.resolve(xref)) {
        (Target::One(_), Target::One(node)) => Needed::Record(record_of(node)),
        (Target::One(_), _) | (_, Target::One(_)) => Needed::Impossible,
        (_, _) => Needed::Nothing,
    }
}

fn record_of(mut node: Node<'_>) -> NodeId {
    while let Some(above) = node.superstructure() {
        node = above;
    }
    node.id()
}
