//! Vendor tags: explanations agree with types, and proposals.

#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads samples"
)]

use elf_schema::vendors::Producer;
use elf_schema::{DefinitionsInUse, Options, ReadOptions, Reason, Rules, Schema, TypedDocument, read};
use std::path::Path;
use std::sync::Arc;

fn read_wild<'o>(file: &'o [u8], options: &ReadOptions<'_>) -> TypedDocument<'o> {
    read(file, &Rules::WILD, options, &mut ()).expect("a short file")
}

/// Checks that each explanation names the type that the structure has.
fn check_explanations(typed: &TypedDocument<'_>, name: &str) {
    for node in typed.document().structures() {
        if let Some(why) = typed.why(node) {
            assert_eq!(Some(&*why.structure_type), typed.type_of(node), "{name}: {node:?}");
        }
    }
}

#[test]
fn explanations_name_the_types_of_structures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/vendors");
    let options = ReadOptions::default().with_vendor_tags(true);
    let mut files = 0;
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        let file = std::fs::read(&path).expect("a readable file");
        check_explanations(&read_wild(&file, &options), &path.display().to_string());
        files += 1;
    }
    assert!(files > 5, "{files}");
    let labels = b"0 HEAD\n1 SOUR FTM\n1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL Ordained deacon\n0 @I1@ INDI\n1 _FA1\n2 DATE 1900\n0 TRLR\n";
    check_explanations(&read_wild(labels, &options), "labels");
    let flags = b"0 HEAD\n1 SOUR FAMILY_HISTORIAN\n0 @I1@ INDI\n1 _FLGS\n2 __CENSUS\n0 TRLR\n";
    let typed = read_wild(flags, &options);
    check_explanations(&typed, "flags");
    let flag = typed.document().structures().find(|node| node.tag() == "__CENSUS").expect("a flag");
    assert_eq!(typed.why(flag).expect("an explanation").reason, Reason::UserFlag);
}

#[test]
fn definitions_that_the_caller_adds_have_precedence_and_are_named() {
    let text = b"0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 IRI https://e.example/Service\n3 ISA https://terms.fhiso.org/elf/IndividualEvent\n\
        3 TAG _MILT https://terms.fhiso.org/elf/INDIVIDUAL_RECORD\n0 TRLR\n";
    let completed = Schema::completed();
    let more = completed.read_additions("own.elf", text, &Options::default(), &(), &mut ());
    let more = Arc::new(more.expect("a short text").expect("a schema"));
    let options = ReadOptions::default().with_vendor_tags(true).with_additions(Some(more));
    let typed = read_wild(b"0 HEAD\n1 SOUR FTM\n0 @I1@ INDI\n1 _MILT\n2 DATE 1915\n0 TRLR\n", &options);
    check_explanations(&typed, "additions");
    let service = typed.document().structures().find(|node| node.tag() == "_MILT").expect("a service");
    let lines = typed.why(service).expect("an explanation").lines(typed.schema());
    assert!(lines.iter().any(|line| line.contains("the external schema `own.elf`, line 6")), "{lines:?}");
}

#[test]
fn a_definition_of_gedcom_l_may_be_under_another_one() {
    let file = b"0 HEAD\n1 _SCHEMA\n2 INDI\n3 _BELL\n4 _DEFN Bells that the person rang\n4 _TONE\n5 _DEFN Pitch of the bell\n\
        0 @I1@ INDI\n1 _BELL tenor\n2 _TONE c\n0 TRLR\n";
    let typed = read_wild(file, &ReadOptions::default().with_vendor_tags(true));
    let tone = typed.document().structures().filter(|node| node.tag() == "_TONE").last().expect("a tone");
    assert_eq!(typed.type_of(tone), Some("https://terms.fhiso.org/elf/vendor/INDI-_BELL-_TONE"));
    check_explanations(&typed, "GEDCOM-L");
}

#[test]
fn files_that_follow_the_addendum_have_its_tags() {
    let producer = |source: &str| {
        let file = format!(
            "0 HEAD\n1 SOUR {source}\n1 GEDC\n2 VERS 5.5.1\n3 _ADDENDUM\n4 VERS R5\n0 @F1@ FAM\n1 _STAT NOT MARRIED\n0 TRLR\n"
        );
        let typed = read_wild(file.as_bytes(), &ReadOptions::default().with_vendor_tags(true));
        Producer::of(typed.document()).map(Producer::key)
    };
    assert_eq!(producer("GES-2000"), Some("gedcom-l"));
    assert_eq!(producer("FTM"), Some("family-tree-maker"));
}

#[test]
fn a_known_tag_elsewhere_is_the_most_similar_one() {
    let file = b"0 HEAD\n1 SOUR X\n0 @I1@ INDI\n1 _FREL step\n1 _CREA x\n1 _MILTX\n0 TRLR\n";
    let mut in_use = DefinitionsInUse::default();
    in_use.add(&read_wild(file, &ReadOptions::default().with_vendor_tags(true)));
    let proposals = in_use.proposals();
    let like = |tag: &str| proposals.iter().find(|one| &*one.tag == tag).and_then(|one| one.like);
    assert_eq!((like("_FREL"), like("_MILTX")), (Some("_FREL"), Some("_MILT")));
}
