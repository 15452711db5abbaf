//! The examples of the crates, which the cookbook shows: each does what it says.

#![allow(clippy::disallowed_methods, clippy::expect_used, reason = "a test suite reads its own files")]
#![allow(dead_code, reason = "an example is a program, and here its function is called")]

#[path = "../../../elf-tagged/examples/build.rs"]
mod build;
#[path = "../../../elf-schema/examples/counts.rs"]
mod counts;
#[path = "../../../lib/elf-edit/examples/date.rs"]
mod date;
#[path = "../../../lib/elf-lineage/examples/events.rs"]
mod events;
#[path = "../../../lib/elf-lineage/examples/kinship.rs"]
mod kinship;
#[path = "../../../elf-model/examples/likeness.rs"]
mod likeness;
#[path = "../../../elf-model/examples/merge.rs"]
mod merge;
#[path = "../../../elf-tagged/examples/names.rs"]
mod names;
#[path = "../../../elf-tagged/examples/notes.rs"]
mod notes;
#[path = "../../../lib/elf-tables/examples/people.rs"]
mod people;
#[path = "../../../lib/elf-extract/examples/privacy.rs"]
mod privacy;
#[path = "../../../elf-tagged/examples/reflow.rs"]
mod reflow;
#[path = "../../../lib/elf-edit/examples/session.rs"]
mod session;
#[path = "../../../lib/elf-migrate/examples/standards.rs"]
mod standards;
#[path = "../../../elf-tagged/examples/stats.rs"]
mod stats;
#[path = "../../../elf-schema/examples/stream.rs"]
mod stream;

use elf_lineage::elf_schema::TypedDocument;
use elf_tagged::write::WriteOptions;
use elf_tagged::{Class, Diagnostic, Encoding, Options, Rules};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).expect("an example")
}

#[test]
fn names_are_those_of_people() {
    assert_eq!(names::names(&file("diskette.ged")).expect("a small file"), ["Käthe Völker", "Georg Groß"]);
}

#[test]
fn a_hundred_people_are_built_by_three_standards() {
    let tree = build::people(100).expect("all identifiers are different");
    let targets = [
        (&Rules::DECEMBER_2019, Encoding::Utf8),
        (&Rules::GEDCOM_5_5_1, Encoding::Ansel),
        (&Rules::JULY_2017, Encoding::Utf8),
    ];
    for (rules, encoding) in targets {
        let (mut octets, mut found) = (Vec::new(), Vec::<Diagnostic>::new());
        let options = WriteOptions::new().with_encoding(encoding);
        tree.write(&mut octets, rules, &options, &mut found).expect("memory does not fail");
        assert_eq!(found, [], "{}", rules.name);
        let mut found: Vec<Diagnostic> = Vec::new();
        let document =
            elf_tagged::read(&octets, rules, &Options::default(), &mut found).expect("a small file");
        let graver: Vec<_> = found.iter().filter(|one| one.class < Class::Advice).collect();
        assert!(graver.is_empty() && document.is_complete(), "{}: {graver:?}", rules.name);
        let names = document.records().filter_map(|one| one.substructure("NAME"));
        // ANSEL has no composed letters.
        let name = names.last().map(|name| elf_tagged::elf_octets::nfc(&name.text()).into_owned());
        assert_eq!(name.as_deref(), Some("Zoë No. 100 /Łucka/"), "{}", rules.name);
    }
}

#[test]
fn lines_are_cut_at_another_width_and_say_the_same() {
    let text = |file: &[u8]| {
        let document = elf_tagged::Document::parse(file).expect("a small file");
        document.structures().map(|one| one.text().into_owned()).collect::<Vec<_>>()
    };
    let file = file("diskette.ged");
    let options = WriteOptions::new();
    let mut plain = Vec::new();
    let document = elf_tagged::Document::parse(&file).expect("a small file");
    elf_tagged::write::write_document(&document, &mut plain, &Rules::DECEMBER_2019, &options, &mut ())
        .expect("memory does not fail");
    let cut = reflow::reflow(&plain, &Rules::DECEMBER_2019, 24).expect("lines");
    assert!(cut.lines().filter(|line| line.contains(" CONC ")).count() > 2, "{cut}");
    assert_eq!(text(cut.as_bytes()), text(&plain));
}

#[test]
fn records_are_counted_part_by_part() {
    let file = file("haugen.ged");
    let counts = stats::stats(file.as_slice()).expect("memory does not fail");
    let lines = String::from_utf8(file).expect("UTF-8");
    let people = lines.lines().filter(|line| line.starts_with('0') && line.ends_with(" INDI")).count();
    assert!(people > 0 && counts.get("INDI").copied() == u64::try_from(people).ok(), "{counts:?}");
}

#[test]
fn events_of_made_up_kinds_are_found() {
    let file = file("bell-ringers.ged");
    let typed = TypedDocument::parse(&file).expect("a small file");
    let expected = ["BIRT\t1741-03-14", "_PEAL\t1768-12-26", "BIRT\t1770~", "_APPR\t1784/1789"];
    assert_eq!(events::events(&typed), expected);
}

#[test]
fn a_stream_gets_the_schema_that_its_header_refers_to() {
    let mut file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA https://e.example/peals\n".to_owned();
    // More than one part of it, so that the start is not all.
    (0..60_000)
        .for_each(|person| file.push_str(&format!("0 @I{person}@ INDI\n1 _PEAL\n2 DATE 26 DEC 1768\n")));
    file.push_str("0 TRLR\n");
    let schema = "0 HEAD\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI elf:INDIVIDUAL_RECORD\n\
        3 TAG INDI elf:Document\n2 IRI elf:Event\n2 IRI https://e.example/Peal\n3 ISA elf:Event\n\
        3 TAG _PEAL elf:INDIVIDUAL_RECORD\n0 TRLR\n";
    let mut asked = Vec::new();
    let count = stream::count_events(file.as_bytes(), &mut |iri| {
        asked.push(iri.to_owned());
        Some(schema.as_bytes().to_vec())
    });
    assert_eq!((count.expect("it is read"), asked), (60_000, vec!["https://e.example/peals".to_owned()]));
    assert_eq!(stream::count_events(file.as_bytes(), &mut |_| None).expect("it is read"), 0);
}

#[test]
fn two_files_become_one() {
    let bells = file("bell-ringers.ged");
    let one = elf_model::read(&bells, &elf_model::Rules::WILD, &elf_model::ReadOptions::default(), &mut ())
        .expect("it is whole");
    let (both, notes) = merge::merge(&bells, &bells).expect("both are whole");
    let both = elf_model::read(&both, &elf_model::Rules::WILD, &elf_model::ReadOptions::default(), &mut ());
    assert!(both.expect("it is whole").means_the_same(&one) && notes.is_empty(), "{notes:?}");

    let (both, notes) = merge::merge(&bells, &file("haugen.ged")).expect("both are whole");
    let both = elf_model::read(&both, &elf_model::Rules::WILD, &elf_model::ReadOptions::default(), &mut ())
        .expect("it is whole");
    // The made-up kinds of the one and the births of the other are events beside each other.
    let events = |dataset: &elf_model::Dataset| dataset.of_type(elf_model::vocabulary::elf::EVENT).count();
    assert!(events(&both) > events(&one) && events(&one) == 4, "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("is renamed to")), "{notes:?}");
}

#[test]
fn a_pedigree_has_generations() {
    let file = file("haugen.ged");
    let typed = TypedDocument::parse(&file).expect("a small file");
    let lines = events::pedigree(&typed, "I10");
    assert_eq!(lines[..2], ["1 Knut Andersen Haugen", "1 Mary Prydderch"]);
    assert!(lines.contains(&"2 Anders Knutsen Haugen".to_owned()), "{lines:?}");
    assert_eq!(events::pedigree(&typed, "I99"), Vec::<String>::new());
}

#[test]
fn one_line_changes() {
    let before = file("diskette.ged");
    let after = date::changed(&before, "@I1@/BIRT/DATE", "3 MAR 1891").expect("it is found");
    let lines =
        |octets: &[u8]| -> Vec<Vec<u8>> { octets.split(|o| *o == b'\n').map(<[u8]>::to_vec).collect() };
    let (before, after) = (lines(&before), lines(&after));
    let changed: Vec<usize> = (0..before.len()).filter(|&line| before[line] != after[line]).collect();
    assert_eq!((before.len(), changed), (after.len(), vec![17]));
    assert_eq!(after[17], b"2 DATE 3 MAR 1891\r");
}

#[test]
fn the_living_are_hidden() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /King/\n1 BIRT\n2 DATE 1999\n0 @I2@ INDI\n1 NAME Eve\n\
        1 BIRT\n2 DATE 1815\n0 TRLR\n";
    let public = privacy::public(file, 2_461_368).expect("it is whole");
    let public = String::from_utf8(public).expect("UTF-8");
    assert!(!public.contains("Ada") && public.contains("1 NAME Private\n"), "{public}");
    assert!(public.ends_with("0 @I2@ INDI\n1 NAME Eve\n1 BIRT\n2 DATE 1815\n0 TRLR\n"), "{public}");
}

#[test]
fn a_folder_makes_one_table() {
    let files = ["haugen.ged", "attic.ged", "README"].map(|name| folder().join(name)).to_vec();
    let mut out = Vec::new();
    people::table(files, &mut out).expect("they are read");
    let table = String::from_utf8(out).expect("UTF-8");
    let mut lines = table.lines();
    assert!(lines.next().is_some_and(|header| header.starts_with("file,id,name,")), "{table}");
    assert!(lines.next().is_some_and(|row| row.starts_with("attic.ged,I1,Marie")), "{table}");
    assert_eq!(lines.filter(|row| row.starts_with("haugen.ged,")).count(), 26);
}

#[test]
fn notes_are_listed_with_their_records() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 NOTE at sea\n3 CONT off Malta\n1 SNOTE @N1@\n\
        0 @N1@ SNOTE shared\n0 NOTE alone\n0 TRLR\n";
    let expected = ["I1\tat sea\noff Malta", "I1\t@N1@", "N1\tshared", "NOTE\talone"];
    assert_eq!(notes::notes(file).expect("a small file"), expected);
    for name in ["attic.ged", "bell-ringers.ged", "diskette.ged", "haugen.ged"] {
        let text = file_text(name);
        // Notes of the header belong to no record.
        let records = text.find("\n0 ").map_or("", |end| &text[end..]);
        let lines = records.lines().filter(|line| line.split(' ').skip(1).take(2).any(|word| word == "NOTE"));
        let notes = notes::notes(&self::file(name)).expect("a small file");
        assert_eq!(notes.len(), lines.count(), "{name}");
    }
}

/// The characters of an example, whatever its encoding.
fn file_text(name: &str) -> String {
    let file = file(name);
    let document = elf_tagged::Document::parse(&file).expect("a small file");
    document.text().to_owned()
}

#[test]
fn events_are_counted_by_type() {
    let file = file("bell-ringers.ged");
    let counts = counts::counts(file.as_slice()).expect("memory does not fail");
    let birth = elf_model::vocabulary::elf::BIRTH;
    assert_eq!((counts.values().sum::<u64>(), counts.get(birth)), (4, Some(&2)), "{counts:?}");
}

#[test]
fn a_session_takes_back_what_it_did() {
    for name in ["attic.ged", "bell-ringers.ged", "diskette.ged", "haugen.ged", "damaged.ged"] {
        let before = file(name);
        let document = elf_tagged::Document::parse(&before).expect("a small file");
        let mut session = session::Session::new(&document).expect("it has people");
        let first = document.records().find_map(|record| record.substructure("NAME")).expect("a name");
        let first = first.text().into_owned();
        session.rename(&first, "Ada /Byron/").expect("it is a name");
        let renamed = session.save().expect("it can be saved");
        session.remove(&first).expect("it is there");
        session.undo().expect("it is the same session");
        assert!(session.save().expect("it can be saved") == renamed && renamed != before, "{name}");
        session.undo().expect("it is the same session");
        session.undo().expect("nothing is left to undo");
        assert!(session.save().expect("it can be saved") == before, "{name}");
    }
}

#[test]
fn people_of_two_files_become_one_by_likeness() {
    let one =
        b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /Byron/\n1 BIRT\n2 DATE 10 DEC 1815\n1 FAMS @F1@\n\
        0 @F1@ FAM\n1 WIFE @I1@\n0 TRLR\n";
    let two =
        b"0 HEAD\n1 CHAR UTF-8\n0 @F1@ FAM\n1 WIFE @P7@\n0 @P7@ INDI\n1 NAME ADA /BYRON/\n1 FAMS @F1@\n\
        1 BIRT\n2 DATE ABT 1815\n1 DEAT\n2 DATE 1852\n0 @I1@ INDI\n1 NAME Eve\n0 TRLR\n";
    let (both, joined) = likeness::merge(one, two).expect("both are whole");
    let both = String::from_utf8(both).expect("UTF-8");
    assert_eq!(joined, 2, "{both}");
    let ada = "0 @I1@ INDI\n1 NAME Ada /Byron/\n1 BIRT\n2 DATE 10 DEC 1815\n1 FAMS @F1@\n1 NAME ADA /BYRON/\n\
        1 BIRT\n2 DATE ABT 1815\n1 DEAT\n2 DATE 1852\n0 @F1@ FAM\n1 WIFE @I1@\n0 @I2@ INDI\n1 NAME Eve\n";
    assert!(both.contains(ada), "{both}");
}

#[test]
fn a_dataset_is_written_by_three_standards() {
    let dataset = standards::people(100).expect("a small dataset");
    let files = standards::by_three_standards(&dataset).expect("all can be written");
    for (name, octets) in &files {
        let mut found: Vec<Diagnostic> = Vec::new();
        let options = elf_model::ReadOptions::default();
        let again = elf_model::read(octets, &Rules::WILD, &options, &mut found).expect("it is whole");
        let graver: Vec<_> = found.iter().filter(|one| one.class < Class::Advice).collect();
        assert!(graver.is_empty(), "{name}: {graver:?}");
        if *name != "7.0.ged" {
            assert!(again.differences(&dataset).is_empty(), "{name}: {:?}", again.differences(&dataset));
        }
        let found_numbers = numbers(&again);
        assert_eq!(found_numbers, (100, 99), "{name}");
    }
    assert!(files[1].1.windows(6).any(|octets| octets == b"\xEAArhus"), "ANSEL puts marks first");
}

/// The numbers of people and families.
fn numbers(dataset: &elf_model::Dataset) -> (usize, usize) {
    let count = |tag| dataset.records().filter(|record| record.tag() == tag).count();
    (count("INDI"), count("FAM"))
}

#[test]
fn merging_gedcom_7_makes_gedcom_7() {
    let file = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME Ada /Byron/\n1 BIRT\n2 DATE 1815\n0 TRLR\n";
    let other = String::from_utf8_lossy(file).replace("1815", "1816");
    let (both, notes) = merge::merge(file, other.as_bytes()).expect("both are whole");
    let both = String::from_utf8(both).expect("UTF-8");
    assert!(both.contains("2 VERS 7.0\n") && both.contains("0 @I2@ INDI\n1 NAME Ada /Byron/\n"), "{both}");
    assert!(!both.contains('_') && notes.len() == 2, "{both} {notes:?}");
    assert!(merge::merge(file, b"0 HEAD\n1 GEDC\n2 VERS 5.5.1\n0 TRLR\n").is_err());
}

#[test]
fn cousins_who_married_are_related_by_every_line() {
    // The parents of Hal are first cousins, and so are Hal and Ivy, by two lines.
    let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n");
    for (name, parents) in
        [("A", ""), ("B", ""), ("C", "1"), ("D", "1"), ("E", "2"), ("F", "3"), ("H", "4"), ("I", "4")]
    {
        let parents = if parents.is_empty() { String::new() } else { format!("1 FAMC @F{parents}@\n") };
        file.push_str(&format!("0 @{name}@ INDI\n1 NAME {name}\n{parents}"));
    }
    for (number, husband, wife, children) in
        [(1, "A", "B", "CD"), (2, "C", "", "E"), (3, "D", "", "F"), (4, "E", "F", "HI")]
    {
        file.push_str(&format!("0 @F{number}@ FAM\n1 HUSB @{husband}@\n"));
        if !wife.is_empty() {
            file.push_str(&format!("1 WIFE @{wife}@\n"));
        }
        children.chars().for_each(|child| file.push_str(&format!("1 CHIL @{child}@\n")));
    }
    file.push_str("0 TRLR\n");
    let typed = TypedDocument::parse(file.as_bytes()).expect("a small file");
    let lines = kinship::kinship(&typed, "H", "I");
    assert!(lines[0].ends_with(": E and F"), "{lines:?}");
    assert!(lines.iter().any(|line| line.ends_with(": A and B")), "{lines:?}");
    // Siblings share half, and more where their parents are cousins.
    let coefficient: f64 = lines.last().and_then(|line| line.parse().ok()).expect("a number");
    assert!(coefficient > 0.5, "{lines:?}");
    assert_eq!(kinship::kinship(&typed, "H", "nobody"), Vec::<String>::new());
}
