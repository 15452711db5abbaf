//! Reading what was written gives an equal dataset, whatever it holds and however it is written.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_model::{
    Class, Dataset, DatasetBuilder, Diagnostic, Encoding, Header, LineBreak, Payload, Piece, ReadOptions,
    Rules, Schema, SchemaForm, Structure, WriteOptions,
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization;

/// Strings that look like something else, and what they are made of.
const HOSTILE: &[&str] = &[
    "@",
    "@@",
    "@#",
    "@#U",
    "@#U41@",
    "@#UE3@ ",
    "@#D",
    "@#DJULIAN@",
    "@#DJULIAN@ ",
    "#",
    "U",
    "D",
    "41",
    "I1",
    "@I1@",
    " ",
    "\t",
    "\n",
    "\n\n",
    "\u{85}",
    "\u{2028}",
    "\u{A0}",
    "\u{7F}",
    "\u{1}",
    "é",
    "e",
    "\u{301}",
    "\u{327}",
    "\u{316}",
    "Å",
    "ß",
    "عزيز",
    "漢字",
    "😀",
    "👩\u{200D}👩\u{1F3FD}",
    "\u{FEFF}",
    "\u{10FFFF}",
    "\u{E000}",
    "0 TRLR",
    "1 CONT ",
    "a longer word of some length ",
];

const TAGS: &[&str] = &["INDI", "NOTE", "BIRT", "DATE", "FAMC", "NAME", "LANG", "_UID", "SOUR", "X"];

/// A structure to be built: how many levels to close before it, and what it holds.
#[derive(Clone, Debug)]
struct Made {
    close: usize,
    tag: &'static str,
    xref: Option<u8>,
    payload: MadePayload,
}

#[derive(Clone, Debug)]
enum MadePayload {
    None,
    Pointer(u8),
    Pieces(Vec<(bool, String)>),
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(prop::sample::select(HOSTILE), 0..12).prop_map(|parts| parts.concat()),
        1 => prop::collection::vec(prop::sample::select(HOSTILE), 40..90).prop_map(|parts| parts.concat()),
        1 => any::<String>().prop_map(|text| text.replace(['\0', '\r', '\u{FFFE}', '\u{FFFF}'], "")),
    ]
}

fn payload() -> impl Strategy<Value = MadePayload> {
    prop_oneof![
        1 => Just(MadePayload::None),
        1 => (0..6_u8).prop_map(MadePayload::Pointer),
        4 => text().prop_map(|text| MadePayload::Pieces(vec![(false, text)])),
        1 => prop::collection::vec((any::<bool>(), text()), 1..4).prop_map(MadePayload::Pieces),
    ]
}

fn structures() -> impl Strategy<Value = Vec<Made>> {
    let structure = (0..4_usize, prop::sample::select(TAGS), prop::option::of(0..6_u8), payload())
        .prop_map(|(close, tag, xref, payload)| Made { close, tag, xref, payload });
    prop::collection::vec(structure, 0..12)
}

/// Builds a dataset; identifiers that repeat, and payloads that are empty, are left out.
fn build(schema: &std::sync::Arc<Schema>, metadata: &[Made], records: &[Made]) -> Dataset {
    let mut builder = DatasetBuilder::new(schema);
    builder.header(Header::new().with_gedcom_version(Some("5.5.1")));
    let mut borne = Vec::new();
    for (part, all) in [metadata, records].into_iter().enumerate() {
        let mut depth = 0;
        for made in all {
            for _ in 0..made.close.min(depth) {
                builder.close();
                depth -= 1;
            }
            match (depth, part) {
                (0, 0) => builder.metadata(made.tag),
                (0, _) => builder.record(made.tag),
                _ => builder.open(made.tag),
            };
            depth += 1;
            if let Some(xref) = made.xref.filter(|xref| part == 1 && !borne.contains(xref)) {
                borne.push(xref);
                builder.xref(&format!("I{xref}"));
            }
            match &made.payload {
                MadePayload::None => {}
                MadePayload::Pointer(id) => {
                    builder.pointer(&format!("I{id}"));
                }
                MadePayload::Pieces(parts) => {
                    let pieces: Vec<Piece<'_>> = parts
                        .iter()
                        .flat_map(|(escape, text)| {
                            let escape = escape.then_some(Piece::Escape("@#DFRENCH R@"));
                            escape.into_iter().chain([Piece::Text(text)])
                        })
                        .collect();
                    if parts.iter().any(|(escape, text)| *escape || !text.is_empty()) {
                        builder.pieces(&pieces);
                    }
                }
            }
        }
    }
    builder.finish().expect("small")
}

fn options() -> impl Strategy<Value = WriteOptions> {
    let encodings = [Encoding::Utf8, Encoding::Ascii, Encoding::Ansel, Encoding::Utf16Le, Encoding::Utf16Be];
    let breaks = [LineBreak::Lf, LineBreak::Cr, LineBreak::CrLf];
    let width = prop_oneof![Just(None), Just(Some(0)), (8..80_u32).prop_map(Some)];
    (prop::sample::select(encodings.to_vec()), prop::sample::select(breaks.to_vec()), width, any::<bool>())
        .prop_map(|(encoding, line_break, width, guard)| {
            WriteOptions::new()
                .with_encoding(encoding)
                .with_line_break(line_break)
                .with_width(width)
                .with_guarded_whitespace(guard)
        })
}

/// The treatment of pointers that rules may call an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dangling {
    /// Pointers are written as they are.
    CachedSchema,
    /// A pointer that leads nowhere is led to a record that is written for it.
    Undefined,
    /// A pointer that leads nowhere becomes text.
    Text,
    /// A pointer that leads to no record becomes text.
    TextUnlessRecord,
}

fn astray(rules: &Rules) -> Dangling {
    match rules.name {
        "2019-12" => Dangling::CachedSchema,
        "2019-01" => Dangling::Undefined,
        "declarative" => Dangling::TextUnlessRecord,
        _ => Dangling::Text,
    }
}

/// Returns whether `rules` make text of the pointer of a structure.
fn is_lost(structure: Structure<'_>, rules: &Rules) -> bool {
    let leads = structure.target();
    let record = || leads.is_some_and(|target| target.superstructure().is_none());
    structure.pointer().is_some()
        && match astray(rules) {
            Dangling::CachedSchema | Dangling::Undefined => false,
            Dangling::Text => leads.is_none(),
            Dangling::TextUnlessRecord => !record(),
        }
}

/// Collects the identifiers that pointers of a dataset name and no structure has, in order, where `rules`
/// have records written for them.
fn undefined(dataset: &Dataset, rules: &Rules) -> BTreeSet<String> {
    let undefined = astray(rules) == Dangling::Undefined;
    let lost = dataset.structures().filter(|each| undefined && each.target().is_none());
    lost.filter_map(Structure::pointer).map(str::to_owned).collect()
}

/// Returns whether all pointers of a dataset are the same when it is read again.
fn is_whole(dataset: &Dataset, rules: &Rules) -> bool {
    undefined(dataset, rules).is_empty() && !dataset.structures().any(|each| is_lost(each, rules))
}

/// Writes a dataset, and reads it again without a finding that would make it non-conformant. Nothing is lost
/// but pointers that become text, each of which is reported, escapes that do, and blanks in 2017.
fn again(dataset: &Dataset, rules: &Rules, options: &WriteOptions) -> (Dataset, Vec<u8>) {
    let mut octets = Vec::new();
    let mut lost: Vec<Diagnostic> = Vec::new();
    elf_model::write(dataset, &mut octets, rules, options, &mut lost).expect("memory");
    // An escape that the rules have no place for stays as text (docs/readings.md, AMB-11), said once of a
    // structure.
    let escapes = dataset.structures().filter(|each| each.text().contains("@#")).count();
    assert!(lost.iter().filter(|finding| finding.code.id() == "E0813").count() <= escapes, "{lost:?}");
    lost.retain(|finding| !["E0807", "E0813"].contains(&finding.code.id()) && finding.class != Class::Advice);
    let codes: Vec<&str> = lost.iter().map(|finding| finding.code.id()).collect();
    let pointers = dataset.structures().filter(|each| is_lost(*each, rules)).count();
    assert_eq!(codes, vec!["E0805"; pointers], "{lost:?}");
    let mut found: Vec<Diagnostic> = Vec::new();
    let read = elf_model::read(&octets, rules, &ReadOptions::default(), &mut found).expect("whole");
    found.retain(|finding| {
        finding.class < Class::Advice
            // An encoding may be out of use.
            && finding.code.id() != "E0117"
    });
    assert!(found.is_empty(), "{}: {found:?}\n{}", rules.name, String::from_utf8_lossy(&octets));
    (read, octets)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_the_drafts_of_2019(metadata in structures(), records in structures(), options in options()) {
        for rules in [&Rules::DECEMBER_2019, &Rules::JANUARY_2019, &Rules::DECLARATIVE] {
            let schema = Schema::default_of(rules).expect("a schema");
            let dataset = build(schema, &metadata, &records);
            let (read, octets) = again(&dataset, rules, &options);
            let text = String::from_utf8_lossy(&octets);
            let whole = is_whole(&dataset, rules);
            let [read, without] = [&read, &dataset].map(without_gedc);
            // ANSEL has letters and marks apart.
            prop_assert_eq!(outline(&read, decomposed), expected(&without, rules, decomposed), "{}", text);
            if whole && options.encoding != Encoding::Ansel {
                prop_assert_eq!(&read, &without, "{}\n{}", rules.name, text);
                prop_assert!(read.means_the_same(&without));
            }
            let json = serde_json::to_string(&dataset).expect("a value");
            prop_assert_eq!(&serde_json::from_str::<Dataset>(&json).expect("a dataset"), &dataset);
        }
    }

    #[test]
    fn by_another_schema_than_the_one_in_force(metadata in structures(), records in structures(), inline in any::<bool>()) {
        let form = if inline { SchemaForm::Inline } else { SchemaForm::Reference };
        for rules in [&Rules::DECEMBER_2019, &Rules::JANUARY_2019, &Rules::DECLARATIVE] {
            let mut findings: Vec<Diagnostic> = Vec::new();
            let built = build(Schema::completed(), &metadata, &records);
            let dataset = built.clone().tagged_by(Schema::published(), rules, form, &mut findings);
            let (read, octets) = again(&dataset, rules, &WriteOptions::new());
            // What is undefined in one schema may be defined in the other, which is reported.
            if findings.is_empty() && is_whole(&built, rules) {
                let [read, built] = [&read, &built].map(without_gedc);
                prop_assert_eq!(&read, &built, "{}\n{}", rules.name, String::from_utf8_lossy(&octets));
            }
        }
    }

    #[test]
    fn in_those_of_2017_but_for_whitespace_at_the_ends_of_lines(records in structures(), options in options()) {
        for rules in [&Rules::OCTOBER_2017, &Rules::JULY_2017] {
            let dataset = build(Schema::published(), &[], &records);
            let (read, octets) = again(&dataset, rules, &options);
            let text = String::from_utf8_lossy(&octets);
            let [read, dataset] = [&read, &dataset].map(without_gedc);
            prop_assert_eq!(outline(&read, trimmed), expected(&dataset, rules, trimmed), "{}", text);
            let (twice, _) = again(&read, rules, &options);
            prop_assert_eq!(outline(&without_gedc(&twice), decomposed), outline(&read, decomposed));
        }
    }
}

/// The structures of a dataset in order, with their payloads as `text` has them.
fn outline(dataset: &Dataset, text: fn(&str) -> String) -> Vec<String> {
    dataset.structures().map(|structure| shown(structure, false, text)).collect()
}

/// The outline of a dataset that was written by `rules` and read again.
fn expected(dataset: &Dataset, rules: &Rules, text: fn(&str) -> String) -> Vec<String> {
    let mut outline: Vec<String> =
        dataset.structures().map(|structure| shown(structure, is_lost(structure, rules), text)).collect();
    outline.extend(undefined(dataset, rules).into_iter().map(|id| format!("1 {:?} UNDEF ", Some(id))));
    outline
}

fn shown(structure: Structure<'_>, lost: bool, text: fn(&str) -> String) -> String {
    let payload = match structure.payload() {
        Payload::None => String::new(),
        Payload::Pointer(id) if lost => format!("@{id}@"),
        Payload::Pointer(id) => format!("->{id}"),
        Payload::Literal(literal) => text(literal.text),
    };
    format!("{} {:?} {} {payload}", structure.with_ancestors().count(), structure.xref(), structure.tag())
}

/// Letters and marks apart.
fn decomposed(text: &str) -> String {
    text.nfd().collect()
}

/// Each line trimmed, as 2017 does; and letters and marks apart.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_matches([' ', '\t'])).collect();
    decomposed(&lines.join("\n"))
}

/// A dataset without HEAD.GEDC, which is data in all drafts but one.
fn without_gedc(dataset: &Dataset) -> Dataset {
    let mut value = serde_json::to_value(dataset).expect("a value");
    if let Some(metadata) = value["metadata"].as_array_mut() {
        let mut inside = false;
        metadata.retain(|line| {
            inside = if line["level"] == 1 { line["tag"] == "GEDC" } else { inside };
            !inside
        });
    }
    serde_json::from_value(value).expect("a dataset")
}
