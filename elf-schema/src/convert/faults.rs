//! What of a schema in a header cannot be written again, because no draft understands it.

use super::{payload, schema_nodes};
use crate::document::TypedDocument;
use crate::schema::Schema;
use elf_base::rules::Mechanism;
use elf_base::{Diagnostic, Rules, codes};
use elf_tagged::NodeId;
use elf_tagged::write::PreambleLine;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The structures of a schema that `rules` do not let stand, with what is wrong with them.
pub(super) type Faults = BTreeMap<NodeId, String>;

/// Finds the faults of a schema among the `grave` ones that were reported when the document was read.
pub(super) fn faults(typed: &TypedDocument<'_>, grave: &[Diagnostic]) -> Faults {
    let mut faults = Faults::new();
    if grave.is_empty() {
        return faults;
    }
    let document = typed.document();
    let mut locator = document.locator();
    let by_line: HashMap<u64, NodeId> =
        schema_nodes(document).map(|(_, node)| (locator.place(node.span()).line, node.id())).collect();
    for finding in grave {
        // Of two definitions that disagree neither may stay: the tag would get the type of the other.
        let others = finding.related.iter().filter(|_| finding.code == codes::TAG_CONFLICT);
        for place in finding.place.iter().chain(others.map(|other| &other.place)) {
            if let Some(&node) = by_line.get(&place.line) {
                faults.entry(node).or_insert_with(|| finding.message.to_string());
            }
        }
    }
    faults
}

/// The lines of the schema but for its faults. `None` where the whole of it was passed over, so that the default one is in
/// force.
pub(super) fn without(
    typed: &TypedDocument<'_>,
    faults: &Faults,
    rules: &Rules,
) -> Option<Vec<PreambleLine<'static>>> {
    let document = typed.document();
    let default = Schema::default_of(document.rules());
    if typed.typing().dictionary().is_none()
        && default.is_some_and(|default| Arc::ptr_eq(default, typed.schema()))
    {
        return None;
    }
    let mut lines = Vec::new();
    let mut left_out = None;
    for (level, node) in schema_nodes(document) {
        if left_out.is_some_and(|end| node.id() < end) {
            continue;
        }
        let faulty = faults.contains_key(&node.id());
        // An empty SCHMA still puts the default schema out of force.
        if faulty && (level > 1 || node.tag() != "SCHMA") {
            left_out = Some(node.subtree_end());
            continue;
        }
        let text = if faulty { String::new() } else { payload(node) };
        lines.push(PreambleLine::new(level, node.tag().to_owned(), text));
    }
    // By December 2019 a SCHMA is an IRI or has something beneath it.
    let empty = matches!(&*lines, [one] if one.tag == "SCHMA" && one.payload.is_empty());
    if empty && !matches!(rules.schema.mechanism, Mechanism::Inline { .. }) {
        lines.clear();
    }
    Some(lines)
}
