//! Tests of prefixes.

use super::*;
use crate::Origin;
use proptest::prelude::*;

fn of(definitions: &[(String, String)]) -> Prefixes {
    let mut prefixes = Prefixes::default();
    for (prefix, iri) in definitions {
        prefixes.define(prefix, iri, Provenance { origin: Origin::Made, place: None });
    }
    prefixes
}

proptest! {
    #[test]
    fn the_longest_is_found(definitions in proptest::collection::vec(("[a-z]{1,2}", "[abé]{0,4}"), 0..12), iri in "[abé]{0,6}") {
        let prefixes = of(&definitions);
        let plainly = prefixes
            .iter()
            .filter_map(|(prefix, definition)| Some((prefix, iri.strip_prefix(&*definition.iri)?)))
            .min_by_key(|(_, rest)| rest.len());
        let plainly = plainly.map_or(iri.clone(), |(prefix, rest)| [prefix, ":", rest].concat());
        prop_assert_eq!(prefixes.shorten(&iri), plainly);
    }
}
