//! Xref structures: read, merged, cut anew and written.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_tagged::write::WriteOptions;
use elf_tagged::{
    Document, Options, Rules, XrefPayload, XrefStructure, XrefWriteError, XrefWriter, merge_continuations,
    read,
};
use proptest::prelude::*;

const FILE: &[u8] = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Zoë /King/\n1 NOTE ada@@example.org says\n\
    2 CONC  @#DJULIAN@ 1 JAN\n2 CONT another\n1 FAMC @F1@\n0 TRLR\n"
    .as_bytes();

fn document(rules: &Rules) -> Document<'static> {
    read(FILE, rules, &Options::default(), &mut ()).unwrap()
}

fn lines(structures: impl IntoIterator<Item = XrefStructure<'static>>, rules: &Rules, width: u32) -> String {
    let mut writer = XrefWriter::new(rules, &WriteOptions::new().with_width(Some(width))).unwrap();
    structures.into_iter().for_each(|one| writer.write(&one).unwrap());
    writer.finish()
}

#[test]
fn rules_that_merge_first_have_merged_payloads_and_the_others_have_lines() {
    for (rules, tags) in [
        (&Rules::DECEMBER_2019, ["NOTE", "CONC", "CONT", "FAMC"].as_slice()),
        (&Rules::GEDCOM_5_5_1, &["NOTE", "CONC", "CONT", "FAMC"]),
        (&Rules::JANUARY_2019, &["NOTE", "FAMC"]),
        (&Rules::DECLARATIVE, &["NOTE", "FAMC"]),
    ] {
        let document = document(rules);
        let structures: Vec<_> = document.xref_structures().collect();
        let found: Vec<&str> = structures[4..].iter().map(|one| &*one.tag).take(tags.len()).collect();
        assert_eq!(found, tags, "{}", rules.name);
        let merged: Vec<_> = merge_continuations(structures).collect();
        let note = XrefPayload::Text("ada@@example.org says @#DJULIAN@ 1 JAN\nanother".into());
        assert_eq!((merged.len(), &merged[4].payload), (7, &note), "{}", rules.name);
    }
}

#[test]
fn a_file_that_is_written_as_it_was_cut_is_the_same() {
    for rules in [&Rules::DECEMBER_2019, &Rules::WILD] {
        let own = document(rules).xref_structures().map(XrefStructure::into_owned).collect::<Vec<_>>();
        assert_eq!(lines(own, rules, 0).as_bytes(), FILE, "{}", rules.name);
    }
}

#[test]
fn other_widths_cut_at_other_places_and_mean_the_same() {
    let rules = &Rules::DECEMBER_2019;
    let document = document(rules);
    let text = |document: &Document<'_>| {
        document.records().next().unwrap().substructure("NOTE").unwrap().text().into_owned()
    };
    for width in [0, 10, 14, 20, 40, 255] {
        let merged = merge_continuations(document.xref_structures()).map(XrefStructure::into_owned);
        let cut = lines(merged, rules, width);
        let again = read(cut.as_bytes(), rules, &Options::default(), &mut ()).unwrap();
        assert_eq!(text(&again), text(&document), "width {width}: {cut}");
    }
}

#[test]
fn what_is_no_line_is_an_error_and_adds_nothing() {
    let mut writer = XrefWriter::new(&Rules::DECEMBER_2019, &WriteOptions::new()).unwrap();
    let jump = XrefStructure::new(1, "NAME");
    assert_eq!(writer.write(&jump), Err(XrefWriteError::LevelTooDeep { most: 0, found: 1 }));
    writer.write(&XrefStructure::new(0, "INDI")).unwrap();
    let jump = XrefStructure::new(2, "NAME");
    assert_eq!(writer.write(&jump), Err(XrefWriteError::LevelTooDeep { most: 1, found: 2 }));
    assert_eq!(writer.write(&XrefStructure::new(1, "NA ME")), Err(XrefWriteError::Tag("NA ME".to_owned())));
    let mut pointer = XrefStructure::new(1, "FAMC");
    pointer.payload = XrefPayload::Pointer("a@b".into());
    assert_eq!(writer.write(&pointer), Err(XrefWriteError::Xref("a@b".to_owned())));
    assert_eq!(writer.finish(), "0 INDI\n");
}

/// Escaped texts of several lines.
fn escaped() -> impl Strategy<Value = String> {
    let parts = ["a", "Zoë", " ", "@@", "@#DJULIAN@", "e\u{323}\u{301}", "漢", "\n", "long_word"];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 1..30).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cut_text_merges_to_what_it_was(text in escaped(), width in 8_u32..60) {
        prop_assume!(!text.starts_with('\n') && text.trim() == text && !text.contains(" \n") && !text.contains("\n "));
        for rules in [&Rules::DECEMBER_2019, &Rules::JANUARY_2019] {
            let mut note = XrefStructure::new(0, "NOTE");
            note.payload = XrefPayload::Text(text.clone().into());
            let head = [XrefStructure::new(0, "HEAD"), utf_8()];
            let cut = lines(head.into_iter().chain([note.clone()]), rules, width);
            let again = read(cut.as_bytes(), rules, &Options::default(), &mut ()).unwrap();
            let merged: Vec<_> = merge_continuations(again.xref_structures()).collect();
            prop_assert_eq!(merged.last(), Some(&note), "{}: {}", rules.name, cut);
        }
    }
}

/// The line that names the encoding.
fn utf_8() -> XrefStructure<'static> {
    let mut encoding = XrefStructure::new(1, "CHAR");
    encoding.payload = XrefPayload::Text("UTF-8".into());
    encoding
}
