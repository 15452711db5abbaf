//! The names of a person, from NAME and from vendor tags.

use elf_lineage::{Lineage, LineageView, NameKind, PersonName};
use elf_schema::vendors::VendorTag;
use elf_schema::vocabulary::elf;
use elf_schema::{ReadOptions, Rules};

/// The names of a person, and the main name in the graph.
struct Names {
    all: Vec<PersonName>,
    of_graph: String,
}

impl Names {
    /// Reads names with the dictionary of vendor tags, and checks that they are the same without it.
    fn of(lines: &str) -> Names {
        let found = Names::with(lines, "X", &ReadOptions::default().with_vendor_tags(true));
        let without = Names::with(lines, "X", &ReadOptions::default());
        assert_eq!((&found.all, &found.of_graph), (&without.all, &without.of_graph), "{lines}");
        found
    }

    fn with(lines: &str, source: &str, options: &ReadOptions) -> Names {
        let file = format!("0 HEAD\n1 SOUR {source}\n1 CHAR UTF-8\n0 @I1@ INDI\n{lines}0 TRLR\n");
        Names::in_file(&file, &Rules::WILD, options)
    }

    fn in_file(file: &str, rules: &Rules, options: &ReadOptions) -> Names {
        let typed = elf_schema::read(file.as_bytes(), rules, options, &mut ()).expect("a small file");
        let lineage = Lineage::of(&typed);
        let view = LineageView::new(&lineage, &typed);
        let person = lineage.find_person("I1").expect("a person");
        let all = view.facts(person.id()).expect("facts").names;
        Names { all, of_graph: person.name().to_owned() }
    }

    fn texts(&self) -> Vec<&str> {
        self.all.iter().map(|name| &*name.text).collect()
    }
}

#[test]
fn pieces_with_vendor_tags_do_not_replace_the_given_names() {
    for (lines, given, nickname) in [
        ("1 NAME Johann Sebastian /Bach/\n2 _RUFNAME Sebastian\n", "Johann Sebastian", "Sebastian"),
        ("1 NAME J. /Bach/\n2 _RUFN Sebastian\n2 GIVN Johann Sebastian\n", "Johann Sebastian", "Sebastian"),
        ("1 NAME Bob /White/\n2 _USED Bobby\n", "Bob", "Bobby"),
        ("1 NAME Bob /White/\n2 _USED Bobby\n2 NICK Rob\n", "Bob", "Rob"),
        ("1 NAME Bob \"Rob\" /White/\n2 _USED Bobby\n", "Bob \"Rob\"", "Rob"),
        ("1 NAME John Quincy /Adams/\n2 _MIDN Quincy\n", "John Quincy", ""),
        ("1 NAME /Adams/\n2 _MIDN Quincy\n2 GIVN John\n", "John", ""),
        // Nothing else says a given name.
        ("1 NAME /Adams/\n2 _MIDN Quincy\n", "Quincy", ""),
        ("1 NAME\n2 _USED Bobby\n2 SURN White\n", "", "Bobby"),
    ] {
        let found = Names::of(lines).all;
        assert_eq!(found.len(), 1, "{lines}: {found:?}");
        assert_eq!((&*found[0].given, &*found[0].nickname), (given, nickname), "{lines}");
    }
    let found = Names::of("1 NAME Jan\n2 _SURNAS Smidt\n2 SURN Smit\n").all;
    assert_eq!(found[0].surname, "Smit");
}

#[test]
fn all_names_of_the_dictionary_are_names_under_a_name_and_under_a_person() {
    let is_name = |entry: &VendorTag| entry.supertype() == Some(elf::PERSONAL_NAME);
    let mut count = 0;
    for entry in VendorTag::all().filter(is_name) {
        let tag = entry.tag();
        // A tag without an underscore is in the dictionary of its producer only.
        let (producer, levels) = if tag.starts_with('_') { ("X", &[2, 1][..]) } else { ("TMG", &[2][..]) };
        for level in levels {
            let lines = format!("1 NAME Ole /Olsen/\n{level} {tag} Broder /Tuck/\n");
            let found = Names::with(&lines, producer, &ReadOptions::default().with_vendor_tags(true));
            assert_eq!(found.texts(), ["Ole Olsen", "Broder Tuck"], "{producer}: {lines}");
            assert_eq!(found.of_graph, "Ole Olsen", "{lines}");
            assert_eq!((&*found.all[1].given, &*found.all[1].surname), ("Broder", "Tuck"), "{lines}");
            assert_ne!(found.all[1].kind, NameKind::Name, "{lines}");
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn names_with_vendor_tags_are_known_without_the_dictionary() {
    let options = ReadOptions::default();
    let lines = "1 NAME Ole /Olsen/\n2 _RELN Broder /Tuck/\n2 _MARNAME Hansen\n2 _HEIG 180\n1 _PATR Hans\n";
    let found = Names::with(lines, "X", &options).all;
    let found: Vec<(NameKind, &str)> = found.iter().map(|name| (name.kind, &*name.text)).collect();
    let expected =
        [(NameKind::Name, "Ole Olsen"), (NameKind::Other, "Broder Tuck"), (NameKind::Married, "Hansen")];
    assert_eq!(found, expected);
}

#[test]
fn the_main_name_is_a_name_without_a_vendor_tag_if_there_is_one() {
    for (lines, expected, main) in [
        ("1 _MARNM Anna /Huber/\n1 NAME Anna /Maier/\n", &["Anna Maier", "Anna Huber"][..], "Anna Maier"),
        ("1 _MARNM Anna Huber\n1 NAME Anna /Maier/\n", &["Anna Maier", "Anna Huber"], "Anna Maier"),
        ("1 SEX F\n1 _MARNM Anna /Huber/\n", &["Anna Huber"], "Anna Huber"),
        ("1 _MARNM @I2@\n1 SEX F\n", &[], ""),
        // Empty names do not count.
        ("1 NAME\n1 _MARNM Anna /Huber/\n", &["Anna Huber"], "Anna Huber"),
        ("1 NAME / /\n1 NAME Anna /Maier/\n", &["Anna Maier"], "Anna Maier"),
        ("1 NAME\n2 TRAN Anna /Maier/\n1 NAME Ann /Maier/\n", &["Anna Maier", "Ann Maier"], "Anna Maier"),
        ("1 NAME\n2 GIVN Anna\n2 SURN Maier\n1 NAME Ann\n", &["Anna Maier", "Ann"], "Anna Maier"),
        ("1 NAME ///\n2 GIVN Anna\n", &["Anna"], "Anna"),
        ("1 NAME \u{a0}\n1 _MARNM\n", &[], ""),
    ] {
        let found = Names::of(lines);
        assert_eq!((&*found.texts(), &*found.of_graph), (expected, main), "{lines}");
    }
}

#[test]
fn married_names_have_given_names_or_pieces() {
    for (lines, given, surname) in [
        ("2 _MARNM Huber\n", "", "Huber"),
        ("2 _MARNM Anna Huber\n", "Anna", "Huber"),
        ("2 _MAR Huber\n", "", "Huber"),
    ] {
        let found = Names::of(&format!("1 NAME Anna /Maier/\n{lines}")).all;
        assert_eq!(found[1].kind, NameKind::Married, "{lines}");
        assert_eq!((&*found[1].given, &*found[1].surname), (given, surname), "{lines}");
    }
    // Only the dictionary gives types to the pieces of such a name.
    let lines = "1 NAME Anna /Maier/\n2 _MARNM\n3 GIVN Anna Maria\n3 SURN Huber\n";
    let found = Names::with(lines, "X", &ReadOptions::default().with_vendor_tags(true)).all;
    assert_eq!((&*found[1].given, &*found[1].surname), ("Anna Maria", "Huber"));
}

#[test]
fn many_married_names_take_no_square_time() {
    let mut lines = String::from("1 NAME Anna /Maier/\n");
    for number in 0..50_000 {
        lines.push_str(&format!("2 _MARNM Anna{number} /Huber/\n2 _MARNM Anna{number} Huber\n"));
    }
    assert_eq!(Names::of(&lines).all.len(), 100_001);
}

#[test]
fn names_of_gedcom_7_and_of_the_file_s_own_types_are_further_names() {
    let vendor = "https://terms.fhiso.org/elf/vendor/";
    let file = format!(
        "0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _MARNM {vendor}INDI-_MARNM\n2 TAG _HEB {vendor}INDI-NAME-_HEB\n\
         2 TAG _RUFNAME {vendor}_RUFNAME\n0 @I1@ INDI\n1 _MARNM Anna Huber\n1 NAME Anna Sophie /Maier/\n\
         2 _RUFNAME Sophie\n2 _HEB Chana\n0 TRLR\n"
    );
    let found = Names::in_file(&file, &Rules::WILD, &ReadOptions::default());
    assert_eq!(
        (found.texts(), &*found.of_graph),
        (vec!["Anna Sophie Maier", "Chana", "Anna Huber"], "Anna Sophie Maier")
    );
    assert_eq!(found.all[0].nickname, "Sophie");

    let file = "0 HEAD\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI elf:INDIVIDUAL_RECORD\n\
        3 TAG INDI elf:Document\n2 IRI elf:PERSONAL_NAME_STRUCTURE\n3 TAG NAME elf:INDIVIDUAL_RECORD\n\
        2 IRI https://e.example/STAGE\n3 ISA elf:PERSONAL_NAME_STRUCTURE\n3 TAG STAGE elf:INDIVIDUAL_RECORD\n\
        0 @I1@ INDI\n1 STAGE Anna /Star/\n1 NAME Anna /Maier/\n0 TRLR\n";
    let found = Names::in_file(file, &Rules::JANUARY_2019, &ReadOptions::default());
    assert_eq!((found.texts(), &*found.of_graph), (vec!["Anna Maier", "Anna Star"], "Anna Maier"));
}
