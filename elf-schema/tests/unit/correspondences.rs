//! Tests of correspondences.

use super::*;
use crate::{Schema, types_of_2017};

#[test]
fn rows_are_sorted_and_name_types_of_the_completed_schema() {
    assert!(table::ROWS.windows(2).all(|pair| pair[0].elf < pair[1].elf || pair[0].elf.is_none()));
    for row in table::ROWS {
        let Some(elf) = row.elf else { continue };
        assert!(Schema::completed().type_of(elf).is_some(), "{elf}");
        for iri in row.iris_of_2017() {
            assert!(types_of_2017(Schema::completed(), &iri).contains(&elf), "{elf} and {iri}");
        }
    }
}

#[test]
fn a_structure_of_gedcom_7_plays_one_role() {
    for uri in table::ROWS.iter().flat_map(|row| row.gedcom_7) {
        let mut roles: Vec<Option<Role>> = Correspondence::of_gedcom_7(uri).map(|row| row.role).collect();
        roles.dedup();
        assert_eq!(roles.len(), 1, "{uri}: {roles:?}");
    }
}
