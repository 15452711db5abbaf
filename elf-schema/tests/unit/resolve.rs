//! Tests of the way from a tag to a type.

use super::*;

#[test]
fn more_pairs_than_slots_are_resolved_alike() {
    let mut resolver = Resolver::new(Arc::clone(Schema::published()));
    let tags: Vec<String> = (0..5 * SLOTS).map(|number| format!("_{number}")).collect();
    for _ in 0..2 {
        for tag in &tags {
            let found = resolver.resolve(TypeId::DOCUMENT, tag);
            assert_eq!(resolver.iri(found).and_then(term::undefined_tag), Some(tag.as_str()));
        }
    }
}

#[test]
fn resolvers_share_what_the_schema_defines_and_nothing_else() {
    let schema = Schema::completed();
    let mut first = Resolver::new(Arc::clone(schema));
    let mut second = Resolver::new(Arc::clone(schema));
    let person = first.resolve(TypeId::DOCUMENT, "INDI");
    let own = first.resolve(person, "_OWN");
    let birth = first.resolve(person, "BIRT");
    assert_eq!(second.resolve(TypeId::DOCUMENT, "INDI"), person);
    // The type of a tag that the first has met already is not known to the second.
    assert_eq!(second.type_of("https://terms.fhiso.org/elf/Undefined#_OWN"), None);
    let other = second.resolve(person, "_OTHER");
    assert_eq!(second.resolve(person, "BIRT"), birth);
    assert_eq!(
        (first.iri(own), second.iri(other)),
        (
            Some("https://terms.fhiso.org/elf/Undefined#_OWN"),
            Some("https://terms.fhiso.org/elf/Undefined#_OTHER"),
        )
    );
    assert_eq!((first.type_count(), second.type_count()), (schema.len() + 1, schema.len() + 1));
}
