//! Statuses of identifiers whose keys are the same.

use super::*;
use elf_base::Place;

#[test]
fn identifiers_of_one_key_are_told_apart() {
    let keys = Keys::default();
    let [one, other] = ["LONGER_THAN_ANY", "NO_SHORTER_THAN_IT"];
    let key = keys.key(one);
    let mut statuses: Statuses<Place> = Statuses::new(&keys, true);
    statuses.set(keys.label(key, one), Status::Substructure);
    assert!(statuses.of_key(key, one).is_some() && statuses.of_key(key, other).is_none());
    assert_eq!((statuses.bearer(one), statuses.bearer(other)), (Some(Bearer::Substructure), None));
}
