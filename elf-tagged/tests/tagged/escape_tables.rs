//! The escapes that tags preserve, by the schema of the header and by each draft.

use elf_tagged::escape::{DEFAULT_SCHEMA, EscapeSource, EscapeTable, EscapeTypes, replace_in_stream};
use elf_tagged::{PreambleLine, Rules};

/// The address of the default schema that names no version of it.
const DEFAULT_SCHEMA_LATEST: &str = "https://fhiso.org/TR/elf-data-model";

fn table(lines: &[(u32, &str, &str)], rules: &Rules) -> EscapeTable {
    let lines: Vec<_> =
        lines.iter().map(|&(level, tag, payload)| PreambleLine::new(level, tag, payload)).collect();
    ().table(&lines, rules)
}

fn letters(types: EscapeTypes) -> String {
    types.letters().collect()
}

#[test]
fn the_three_states_by_each_draft() {
    let of = |lines: &[(u32, &str, &str)], rules: &Rules| {
        let table = table(lines, rules);
        let all = letters(EscapeTypes::ALL);
        ["DATE", "NOTE", "AGE"].map(|tag| letters(table.of(tag)).replace(&all, "*")).join(",")
    };
    let inline = [(1, "SCHMA", ""), (2, "ESC", "NOTE L")];
    let missing = [(1, "SCHMA", ""), (2, "SCHMA", "https://e.example/s"), (2, "ESC", "NOTE L")];
    let default = [(1, "SCHMA", ""), (2, "SCHMA", DEFAULT_SCHEMA_LATEST), (2, "ESC", "NOTE L")];
    let silent = [(1, "SCHMA", ""), (2, "IRI", "https://e.example/T")];
    let faulty = [(1, "SCHMA", ""), (2, "ESC", "DATE d"), (2, "ESC", "DATE")];
    for (lines, december, january, declarative) in [
        (&[][..], "D,D,D", "D,,", "D,,"),
        (&inline, ",L,", ",L,", ",L,"),
        (&missing, "*,L,*", "*,L,*", ",L,"),
        (&default, "D,L,", "D,L,", ",L,"),
        (&silent, "D,D,D", ",,", ",,"),
        (&faulty, "D,D,D", ",,", ",,"),
    ] {
        assert_eq!(of(lines, &Rules::DECEMBER_2019), december, "{lines:?}");
        assert_eq!(of(lines, &Rules::JANUARY_2019), january, "{lines:?}");
        assert_eq!(of(lines, &Rules::DECLARATIVE), declarative, "{lines:?}");
        assert_eq!(of(lines, &Rules::OCTOBER_2017), "*,*,*", "{lines:?}");
    }
}

#[test]
fn a_schema_of_gedcom_7_is_none() {
    let seven = [(1, "SCHMA", ""), (2, "TAG", "_X https://e.example/X")];
    assert_eq!(table(&seven, &Rules::WILD), EscapeTable::default_of(&Rules::WILD));
}

#[test]
fn the_first_definition_counts_and_external_ones_come_last() {
    let lines = [(1, "SCHMA", ""), (2, "SCHMA", DEFAULT_SCHEMA), (2, "ESC", "DATE G"), (2, "ESC", "DATE Q")];
    assert_eq!(letters(table(&lines, &Rules::JANUARY_2019).of("DATE")), "G");
}

#[test]
fn the_stream_stage_knows_no_doubling() {
    let (text, _) = replace_in_stream("1 NOTE @@#U41@@\n1 NOTE Jo@#Ue3@ o").unwrap();
    assert_eq!(text, "1 NOTE @A@\n1 NOTE João");
    assert_eq!(replace_in_stream("@#U@ @#UD800@ @#UX@"), None);
}
