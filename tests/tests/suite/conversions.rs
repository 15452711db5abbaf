//! From each set of rules to each: nothing is lost in silence, and what is written is conformant.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::{Diagnostic, Rules, codes};
use elf_octets::{Encoding, Options};
use elf_schema::ReadOptions;
use elf_tagged::write::{LineBreak, Summary, WriteOptions};
use elf_tests::conversion::{Conversion, find_faults};
use elf_tests::corpus::corpus;
use elf_tests::fixtures::Fixture;

/// Files with types of their own, in the ways of the drafts.
const OWN_TYPES: [(&str, &Rules); 4] = [
    (
        "0 HEAD\n1 CHAR UTF-8\n1 PRFX X_ http://e.example/\n1 DEFN AUTH http://e.example/author\n\
         1 DEFN DATE http://e.example/date\n0 INDI\n1 X_LAT 54\n2 X_UNIT deg\n1 AUTH Ada\n1 BIRT\n2 DATE 1\n\
         0 X_PLACE\n1 NAME x\n0 TRLR\n",
        &Rules::OCTOBER_2017,
    ),
    (
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n\
         2 PRFX ex http://e.example/\n2 IRI ex:Shoe\n3 ISA ex:Thing\n3 TAG _SHOE elf:INDIVIDUAL_RECORD\n\
         2 IRI ex:Size\n3 TAG SIZE ex:Shoe\n2 IRI ex:Other\n3 TAG SIZE elf:FAMILY_RECORD\n0 INDI\n1 _SHOE a\n\
         2 SIZE 9\n0 FAM\n1 SIZE 3\n0 NOTE x\n1 SIZE y\n0 TRLR\n",
        &Rules::JANUARY_2019,
    ),
    (
        "0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n\
         1 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n0 INDI\n1 SEX F\n0 TRLR\n",
        &Rules::DECEMBER_2019,
    ),
    (
        "0 HEAD\n1 CHAR UTF-8\n1 GEDC A\n2 VERS 5.5.1\n3 BUILD 7\n2 FORM LINEAGE-LINKED\n2 _EXTRA x\n0 INDI\n0 TRLR\n",
        &Rules::JANUARY_2019,
    ),
];

fn convert(
    octets: &[u8],
    from: &Rules,
    to: &Rules,
    options: &WriteOptions,
) -> (Vec<u8>, Summary, Vec<Diagnostic>) {
    let document = elf_tagged::read(octets, from, &Options::default(), &mut ()).expect("a file below 4 GiB");
    let mut written = Vec::new();
    let mut losses = Vec::new();
    let options = options.with_partial(true);
    let summary =
        elf_schema::convert(document, &ReadOptions::default(), &mut written, to, &options, &mut losses)
            .expect("memory");
    (written, summary, losses)
}

/// Checks one conversion; an error describes the fault.
fn check(octets: &[u8], from: &Rules, to: &Rules, options: &WriteOptions) -> Result<(), String> {
    let read = ReadOptions::default();
    let before = elf_schema::read(octets, from, &read, &mut ()).expect("a file below 4 GiB");
    // Where no line is one, nothing is written.
    if before.document().is_empty() {
        return Ok(());
    }
    let (written, summary, reports) = convert(octets, from, to, options);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let after = elf_schema::read(&written, to, &read, &mut findings).expect("a file below 4 GiB");
    let errors: Vec<String> = findings
        .iter()
        // `wild` is no draft to conform to.
        .filter(|found| found.class.is_error() && to != &Rules::WILD)
        // Where the octets may decide, that they look like another encoding is a suspicion.
        .filter(|found| !to.octets.content || found.code != codes::ENCODING_CONTRADICTED)
        // Lines that run on are written as they were read.
        .filter(|found| found.code != codes::LINES_JOINED)
        .map(|found| format!("{} {}", found.code.id(), found.message))
        .collect();
    if !after.document().is_complete() && to != &Rules::WILD || !errors.is_empty() {
        return Err(format!("not conformant: {:?}", errors.iter().take(3).collect::<Vec<_>>()));
    }
    let found = find_faults(&Conversion { before: &before, after: &after, reports: &reports, summary });
    if found.is_empty() {
        return Ok(());
    }
    let some: Vec<String> = found.iter().take(4).map(|fault| fault.chars().take(160).collect()).collect();
    Err(format!("{} faults: {}", found.len(), some.join("; ")))
}

fn inputs() -> Vec<(String, Vec<u8>, Vec<&'static Rules>)> {
    let mut inputs: Vec<(String, Vec<u8>, Vec<&Rules>)> = Vec::new();
    for (text, rules) in OWN_TYPES {
        inputs.push((text.chars().take(60).collect(), text.as_bytes().to_vec(), vec![rules]));
    }
    for fixture in Fixture::all_fixtures().expect("fixtures") {
        let (octets, rules) = (fixture.octets().expect("octets"), fixture.rules().expect("rules"));
        inputs.push((fixture.name(), octets, vec![rules]));
    }
    for file in corpus().into_iter().flatten().filter(|file| file.octets.len() < 300_000) {
        inputs.push((file.name.clone(), file.octets.clone(), Rules::PRESETS.to_vec()));
    }
    inputs
}

#[test]
fn nothing_is_lost_in_silence() {
    let mut faults = Vec::new();
    let mut count = 0;
    for (name, octets, from) in inputs() {
        for from in from {
            for to in Rules::PRESETS {
                count += 1;
                if let Err(fault) = check(&octets, from, to, &WriteOptions::new()) {
                    faults.push(format!("{name}: {} to {}: {fault}", from.name, to.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn no_encoding_loses_anything_in_silence() {
    let encodings = [Encoding::Ascii, Encoding::Ansel, Encoding::Utf16Le, Encoding::Utf16Be];
    let mut faults = Vec::new();
    for (name, octets, from) in inputs().into_iter().filter(|(_, octets, _)| octets.len() < 40_000) {
        for (encoding, to) in encodings.into_iter().flat_map(|each| Rules::PRESETS.map(|to| (each, to))) {
            let options = WriteOptions::new().with_encoding(encoding).with_line_break(LineBreak::CrLf);
            // GEDCOM 7 is UTF-8.
            if options.check(to).is_err() {
                continue;
            }
            if let Some(Err(fault)) = from.first().map(|from| check(&octets, from, to, &options)) {
                faults.push(format!("{name}: to {} in {encoding}: {fault}", to.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn types_of_a_file_are_carried_over() {
    for (text, from) in OWN_TYPES {
        let own = |octets: &[u8], rules: &Rules| {
            let typed =
                elf_schema::read(octets, rules, &ReadOptions::default(), &mut ()).expect("a small file");
            let mut own: Vec<String> = typed
                .document()
                .structures()
                .filter_map(|node| typed.type_of(node))
                .filter(|iri| iri.contains("e.example"))
                .map(str::to_owned)
                .collect();
            own.sort();
            own
        };
        for to in Rules::PRESETS {
            let (written, _, losses) = convert(text.as_bytes(), from, to, &WriteOptions::new());
            let (before, after) = (own(text.as_bytes(), from), own(&written, to));
            let text = String::from_utf8_lossy(&written);
            let count = |all: &[String], iri: &String| all.iter().filter(|of| *of == iri).count();
            for iri in &before {
                // GEDCOM defines no types: they go with the schema.
                let is_said = losses.iter().any(|loss| {
                    loss.code == codes::TYPE_CANNOT_BE_KEPT && loss.message.contains(&**iri)
                        || loss.code == codes::SCHEMA_CANNOT_BE_WRITTEN
                            && !to.schema.mechanism.defines_types()
                });
                assert!(
                    is_said || count(&before, iri) == count(&after, iri),
                    "{iri}, {} to {}: {before:?} {after:?}\n{text}",
                    from.name,
                    to.name
                );
            }
        }
    }
}

/// The lines of the losses, and the codes.
fn losses(text: &str, from: &Rules, to: &Rules) -> Vec<(u64, &'static str)> {
    let (_, summary, losses) = convert(text.as_bytes(), from, to, &WriteOptions::new());
    assert_eq!(summary.losses, losses.len() as u64);
    losses.iter().map(|loss| (loss.place.map_or(0, |place| place.line), loss.code.id())).collect()
}

#[test]
fn every_loss_has_its_line() {
    let [dictionary, schema, _, header] = OWN_TYPES.map(|(text, _)| text);
    let (january, december, october) = (&Rules::JANUARY_2019, &Rules::DECEMBER_2019, &Rules::OCTOBER_2017);
    // GEDC is data in January and none in December: its payload, what is under VERS, and _EXTRA.
    assert_eq!(losses(header, january, december), [(3, "E0806"), (5, "E0806"), (7, "E0806")]);
    assert_eq!(losses(header, january, january), []);
    // A dictionary has no supertypes, and no place for a definition that no structure uses: FAMILY_RECORD is
    // no type.
    assert_eq!(losses(schema, january, october), [(7, "E0809"), (12, "E0809")]);
    assert_eq!(losses(schema, january, december), []);
    assert_eq!(losses(dictionary, october, january), []);
    let unused = "0 HEAD\n1 CHAR UTF-8\n1 PRFX X_ http://e.example/\n1 DEFN AUTH http://e.example/a http://e.example/b\n\
                  0 AUTH\n0 TRLR\n";
    assert_eq!(losses(unused, october, january), [(3, "E0809"), (4, "E0809")]);
    // No schema may define a tag of that type.
    let whole =
        "0 HEAD\n1 CHAR UTF-8\n1 DEFN _ALL https://terms.fhiso.org/elf/Document\n0 _ALL\n1 NOTE x\n0 TRLR\n";
    assert_eq!(losses(whole, october, january), [(4, "E0810")]);
    check(whole.as_bytes(), october, january, &WriteOptions::new()).expect("conformant");
    let two = "0 HEAD\n1 CHAR UTF-8\n1 PRFX http://a.example/\n1 PRFX http://b.example/\n0 INDI\n0 TRLR\n";
    assert_eq!(losses(two, october, december), [(4, "E0809")]);
    // Of definitions that disagree all go, those that are said twice too.
    let conflict = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 IRI http://e.example/A\n3 TAG _C http://e.example/X\n\
                    3 TAG _C http://e.example/X\n2 IRI http://e.example/B\n3 TAG _C http://e.example/X\n0 TRLR\n";
    assert_eq!(losses(conflict, january, january), [(5, "E0809"), (6, "E0809"), (8, "E0809")]);
    let language = "0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 PLANG fr\n0 INDI\n0 TRLR\n";
    assert_eq!(losses(language, december, january), [(7, "E0806")]);
    assert_eq!(losses(language, december, december), []);
}
