//! Tests of the reading of the files of the built-in schemas.

use super::*;
use crate::build::Builder;
use crate::builtin;
use crate::findings::Findings;
use elf_base::Rules;

/// Returns all that a schema says, with its places.
fn said(schema: &Definitions) -> String {
    let Definitions { prefixes, types, declared, tags, definitions, by_superstructure, .. } = schema;
    let Definitions { supertypes, graph, escapes, references, first_layer, .. } = schema;
    format!(
        "{prefixes:#?} {types:#?} {declared:#?} {tags:#?} {definitions:#?} {by_superstructure:?} \
         {supertypes:#?} {graph:?} {escapes:#?} {references:?} {first_layer}"
    )
}

#[test]
fn built_in_schemas_are_what_the_reader_of_all_schemas_makes_of_their_files() {
    for origin in [Origin::Published, Origin::Completed, Origin::Gedcom7] {
        let mut findings = Findings::default();
        let read_in_full = Builder::new(&Rules::JANUARY_2019, &mut findings)
            .build(&[builtin::raw(origin.clone())], Vec::new());
        assert!(findings.list.is_empty(), "{origin}");
        let (quick, full) = (said(&builtin::definitions(&origin)), said(read_in_full.said()));
        if let Some((quick, full)) = quick.lines().zip(full.lines()).find(|(quick, full)| quick != full) {
            panic!("{origin}: {quick}, but {full}");
        }
        assert!(quick == full, "{origin}: one of them says more");
    }
}
