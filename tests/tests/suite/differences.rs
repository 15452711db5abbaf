//! A file and what `convert` made of it without a loss never differ.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::{Diagnostic, Rules};
use elf_model::{Dataset, Paths, ReadError, ReadOptions, Schema, keep_common_data};
use elf_octets::Encoding;
use elf_tagged::Options;
use elf_tagged::write::WriteOptions;
use elf_tests::corpus::corpus;
use elf_tests::fixtures::Fixture;
use std::sync::Arc;

/// Small files with what the drafts say differently.
const FILES: &[&str] = &[
    // Types that only the completed schema knows, and some that none does.
    "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 SOUR X\n2 NAME n\n0 @I1@ INDI\n1 BURI\n\
     2 PLAC Rome\n1 RESI\n2 PHON 1\n1 _UID 5\n2 DATE 3\n1 SOUR @S1@\n2 PAGE 4\n0 @S1@ SOUR\n1 TITL t\n0 _X\n1 NAME y\n0 TRLR\n",
    // Empty payloads, and pointers that lead nowhere.
    "0 HEAD\n1 CHAR UTF-8\n0 @A@ NOTE\n1 CONC\n0 INDI\n1 NAME \n1 NOTE @A@\n1 FAMC @F9@\n0 TRLR\n",
    // A dictionary.
    "0 HEAD\n1 CHAR UTF-8\n1 PRFX X_ http://e.example/\n1 DEFN AUTH http://e.example/author\n0 INDI\n1 X_LAT 54\n\
     2 X_UNIT deg\n2 NAME z\n1 AUTH Ada\n1 BIRT\n2 DATE 1\n0 X_PLACE\n1 NAME x\n0 TRLR\n",
    "0 HEAD\n1 CHAR UTF-8\n1 DEFN DATE http://e.example/date\n1 DEFN _B http://terms.fhiso.org/elf/BIRT\n0 INDI\n1 BIRT\n\
     2 DATE 1\n1 _B\n2 PLAC x\n0 TRLR\n",
    // A schema, with and without the default one beside it.
    "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n2 PRFX ex http://e.example/\n\
     2 IRI ex:Shoe\n3 TAG _SHOE elf:INDIVIDUAL_RECORD\n2 IRI ex:Size\n3 TAG SIZE ex:Shoe\n0 INDI\n1 _SHOE a\n2 SIZE 9\n\
     0 NOTE x\n1 SIZE y\n0 TRLR\n",
    "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX e http://e.example/\n2 IRI e:X\n3 TAG _X elf:Document\n0 _X a\n1 NAME b\n\
     0 INDI\n1 BIRT\n0 TRLR\n",
    // Languages, and header structures that are data in some drafts.
    "0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 PLANG en-GB\n0 NOTE x\n0 TRLR\n",
    // Identifiers that differ in their form alone, a pointer to nothing that not every draft can spell, and
    // two bearers.
    "0 HEAD\n1 CHAR UTF-8\n0 @\u{E9}@ INDI\n1 NAME a\n0 @e\u{301}@ INDI\n1 NAME b\n0 FAM\n1 HUSB @\u{E9}@\n1 WIFE @e\u{301}@\n\
     0 TRLR\n",
    "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMC @A(1)@\n1 FAMS @A1@\n0 TRLR\n",
    "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMC @F1@\n0 @F1@ FAM\n1 CHIL @I1@\n0 @F1@ FAM\n0 TRLR\n",
];

const ALL: [Encoding; 4] = [Encoding::Utf8, Encoding::Ascii, Encoding::Ansel, Encoding::Utf16Le];

fn read(octets: &[u8], rules: &Rules) -> Option<Dataset> {
    let options = ReadOptions::default().with_common(Some(Arc::clone(Schema::completed())));
    match elf_model::read(octets, rules, &options, &mut ()) {
        Ok(dataset) => Some(dataset),
        Err(ReadError::Partial(_)) => None,
        Err(error) => unreachable!("{error}"),
    }
}

/// The first differences of a file and what became of it, if it was converted without a loss.
fn differences(
    octets: &[u8],
    from: &'static Rules,
    to: &'static Rules,
    encoding: Encoding,
) -> Option<Vec<String>> {
    let options = WriteOptions::new().with_encoding(encoding);
    // GEDCOM 7 is UTF-8.
    options.check(to).ok()?;
    let before = read(octets, from)?;
    let document = elf_tagged::read(octets, from, &Options::default(), &mut ()).expect("a file below 4 GiB");
    let mut written = Vec::new();
    let mut losses: Vec<Diagnostic> = Vec::new();
    let summary =
        elf_schema::convert(document, &ReadOptions::default(), &mut written, to, &options, &mut losses);
    if summary.expect("memory").losses > 0 {
        return None;
    }
    let Some(after) = read(&written, to) else {
        return Some(vec!["it is not read to its end".to_owned()]);
    };
    let [before, after] = keep_common_data([before, after], [from, to]);
    let found = before.differences(&after);
    let paths = [Paths::new(&before), Paths::new(&after)];
    let print = |found: &elf_model::Difference<'_>| match *found {
        elf_model::Difference::Removed(one) => {
            format!("- {} {:?} {:?}", paths[0].path_of(one), one.structure_type(), one.payload())
        }
        elf_model::Difference::Added(two) => {
            format!("+ {} {:?} {:?}", paths[1].path_of(two), two.structure_type(), two.payload())
        }
        elf_model::Difference::Payload(one, two) => {
            format!("{}: {:?} > {:?}", paths[0].path_of(one), one.payload(), two.payload())
        }
        other => format!("{other:?}"),
    };
    Some(found.iter().take(3).map(print).collect())
}

/// Fails where a file and what it was converted to differ, in any of these encodings.
fn check(encodings: &[Encoding], inputs: impl Iterator<Item = (String, Vec<u8>, Vec<&'static Rules>)>) {
    let mut faults = Vec::new();
    let mut compared = 0;
    for (name, octets, all_from) in inputs {
        for from in all_from {
            for (to, &encoding) in
                Rules::PRESETS.into_iter().flat_map(|to| encodings.iter().map(move |one| (to, one)))
            {
                let Some(found) = differences(&octets, from, to, encoding) else { continue };
                compared += 1;
                if !found.is_empty() {
                    faults.push(format!(
                        "{name}: {} to {} in {encoding}:\n    {}",
                        from.name,
                        to.name,
                        found.join("\n    ")
                    ));
                }
            }
        }
    }
    assert!(compared > 0 && faults.is_empty(), "{} of {compared}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn small_files_say_the_same_in_every_draft() {
    let name = |text: &&str| text.chars().take(70).collect::<String>();
    check(&ALL, FILES.iter().map(|text| (name(text), text.as_bytes().to_vec(), Rules::PRESETS.to_vec())));
}

#[test]
fn fixtures_say_the_same_in_every_draft() {
    let fixtures = Fixture::all_fixtures().expect("fixtures").into_iter();
    check(
        &[Encoding::Utf8, Encoding::Ansel],
        fixtures
            .map(|each| (each.name(), each.octets().expect("octets"), vec![each.rules().expect("rules")])),
    );
}

#[test]
fn corpus_files_say_the_same_in_every_draft() {
    let Some(files) = corpus() else { return };
    let files: Vec<_> = files.into_iter().filter(|file| file.octets.len() < 300_000).collect();
    check(
        &[Encoding::Utf8],
        files.iter().map(|file| (file.name.clone(), file.octets.clone(), Rules::PRESETS.to_vec())),
    );
}
