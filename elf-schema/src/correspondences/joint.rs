//! A common schema for files of GEDCOM 7 and of the other standards.

use super::counterparts::types_of_gedcom_7;
use crate::ids::TypeId;
use crate::provenance::{Origin, Provenance};
use crate::resolve::Resolver;
use crate::schema::Schema;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// Returns the completed schema, extended by the tags of GEDCOM 7 with their corresponding types, so that a GEDCOM 7
/// file can be compared with one of another standard. Structures without a clear counterpart have no type.
///
/// ```
/// use elf_schema::{Resolver, TypeId, joint_with_gedcom_7};
/// let mut resolver = Resolver::new(joint_with_gedcom_7().clone());
/// let [note, shared] = ["NOTE", "SNOTE"].map(|tag| resolver.resolve(TypeId::DOCUMENT, tag));
/// assert_eq!(note, shared);
/// assert!(!resolver.is_undefined(shared));
/// ```
pub fn joint_with_gedcom_7() -> &'static Arc<Schema> {
    static JOINT: OnceLock<Arc<Schema>> = OnceLock::new();
    JOINT.get_or_init(|| Arc::new(build_joint_schema()))
}

fn build_joint_schema() -> Schema {
    let (completed, of_7) = (Schema::completed(), Schema::gedcom_7());
    let mut resolver = Resolver::new(Arc::clone(completed));
    let mut joint = Schema::clone(completed);
    // Pairs of superstructures in GEDCOM 7 and in the completed schema. The first two are the same in both.
    let mut open = vec![(TypeId::METADATA, TypeId::METADATA), (TypeId::DOCUMENT, TypeId::DOCUMENT)];
    let mut met: HashSet<(TypeId, TypeId)> = open.iter().copied().collect();
    while let Some((above_7, above)) = open.pop() {
        for definition in of_7.definitions_in(above_7) {
            let Some(found_7) = of_7.type_of(definition.structure_type()) else { continue };
            let own = resolver.resolve(above, definition.tag());
            let found = if resolver.is_undefined(own) {
                let Some(found) = find_counterpart(completed, above, definition.structure_type()) else {
                    continue;
                };
                let provenance = Provenance { origin: Origin::Gedcom70, place: None };
                joint.add_definition(definition.tag(), above, found, provenance);
                found
            } else {
                own
            };
            if met.insert((found_7, found)) {
                open.push((found_7, found));
            }
        }
    }
    joint
}

/// Returns the type that corresponds to a structure of GEDCOM 7. If there are several, the one that is allowed under
/// `above`.
fn find_counterpart(completed: &Schema, above: TypeId, uri: &str) -> Option<TypeId> {
    let types = types_of_gedcom_7(uri);
    if let [only] = types[..] {
        return Some(only);
    }
    let mut there = completed.typed_tags_under(above).map(|(_, of)| of).filter(|of| types.contains(of));
    let first = there.next()?;
    there.all(|of| of == first).then_some(first)
}
