//! The ELF data model, type by type, each also by a type of the file under it.

use crate::{Cardinality, Kind, cardinality, named, rows};
use elf_schema::{Class, Diagnostic, ReadOptions, Rules, Schema};
use elf_validate::{Standard, validate};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

struct Row {
    supertypes: Vec<&'static str>,
    payloads: &'static str,
    target: &'static str,
    grammar: &'static str,
    values: &'static str,
    is_required: bool,
    slots: BTreeMap<&'static str, Cardinality>,
}

/// The types, and a schema by which each may be a record and stand wherever it has a place: as `A` and its
/// index; and as `B` and its index a subtype that the file defines.
struct Types {
    rows: BTreeMap<&'static str, Row>,
    options: ReadOptions<'static>,
}

impl Types {
    fn read() -> Types {
        let mut types: BTreeMap<&'static str, Row> = BTreeMap::new();
        for cells in rows(include_str!("../../facts/data-model.tsv")) {
            let [of, _, supertypes, payloads, target, grammar, values, required, places] = cells[..] else {
                panic!("{cells:?}")
            };
            let mut slots: BTreeMap<&'static str, Cardinality> = BTreeMap::new();
            for place in places.split(';').filter(|place| !place.is_empty()) {
                let (name, rest) = place.split_once('{').expect("a cardinality");
                let (min, max) = rest.split('}').next().and_then(|both| both.split_once(':')).expect("two");
                let (min, max) = cardinality(min, max);
                let slot = slots.entry(name).or_insert((min, max));
                *slot = (slot.0.max(min), [slot.1, max].into_iter().flatten().min());
            }
            let supertypes = supertypes.split('|').filter(|name| !name.is_empty()).collect();
            let is_required = required == "must";
            types.insert(of, Row { supertypes, payloads, target, grammar, values, is_required, slots });
        }
        let schema = schema(&types);
        Types { rows: types, options: ReadOptions::default().with_schema(Some(schema)) }
    }

    fn tag(&self, letter: char, of: &str) -> String {
        format!("{letter}{}", self.rows.keys().position(|known| *known == of).expect("a type"))
    }

    fn good(&self, of: &str) -> String {
        let row = &self.rows[of];
        if row.payloads.is_empty() || Kind::None.is_in(row.payloads) {
            String::new()
        } else {
            format!(" @{}@", self.tag('R', row.target))
        }
    }

    /// A structure with all it must have; of one substructure as many as are asked for.
    fn structure(
        &self,
        (level, of): (usize, &str),
        letter: char,
        meant: Option<(&str, u32)>,
        out: &mut String,
    ) {
        for (slot, (min, _)) in &self.rows[of].slots {
            let times = meant.filter(|(meant, _)| meant == slot).map_or(*min, |(_, times)| times);
            for _ in 0..times {
                let _ = writeln!(out, "{level} {}{}", self.tag(letter, slot), self.good(slot));
                self.structure((level + 1, slot), letter, None, out);
            }
        }
    }

    fn findings(&self, of: &str, letter: char, payload: &str, meant: Option<(&str, u32)>) -> Vec<String> {
        let found = self.diagnostics(of, letter, payload, meant);
        found.iter().map(|found| found.code.name().to_owned()).collect()
    }

    fn diagnostics(
        &self,
        of: &str,
        letter: char,
        payload: &str,
        meant: Option<(&str, u32)>,
    ) -> Vec<Diagnostic> {
        let mut file = "0 HEAD\n1 CHAR UTF-8\n".to_owned();
        for record in ["INDIVIDUAL", "FAM", "SUBMITTER", "MULTIMEDIA", "NOTE", "SOURCE", "REPOSITORY"] {
            let record = format!("elf:{record}_RECORD");
            let _ = writeln!(file, "0 @{}@ {}", self.tag('R', &record), self.tag(letter, &record));
            self.structure((1, &record), letter, None, &mut file);
        }
        let _ = writeln!(file, "0 @X@ {}{payload}", self.tag(letter, of));
        self.structure((1, of), letter, meant, &mut file);
        file.push_str("0 TRLR\n");
        let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &self.options, &mut ()).expect("small");
        let mut found: Vec<Diagnostic> = Vec::new();
        validate(&typed, named(Standard::DataModel), &mut found);
        // What concerns two records has tests of its own, and so have abstract types.
        found.retain(|found| {
            let others = ["link-one-sided", "pointer-circular", "record-nested", "type-abstract"];
            !others.contains(&found.code.name())
        });
        found
    }
}

fn schema(types: &BTreeMap<&'static str, Row>) -> Arc<Schema> {
    let mut file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n\
                    2 PRFX e https://e.example/\n"
        .to_owned();
    for (index, of) in types.keys().enumerate() {
        let mut places = " elf:Document".to_owned();
        for (above, _) in types.iter().filter(|(_, row)| row.slots.contains_key(of)) {
            let _ = write!(places, " {above}");
        }
        let _ = writeln!(file, "2 IRI {of}\n3 TAG A{index}{places}");
        let _ = writeln!(file, "2 IRI e:B{index}\n3 ISA {of}\n3 TAG B{index}{places}");
    }
    file.push_str("0 TRLR\n");
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ());
    Arc::clone(typed.expect("a small file").schema())
}

/// Types that are no structures.
const NO_STRUCTURES: [&str; 2] = ["elf:Document", "elf:Metadata"];

#[test]
fn every_type_is_held_to_its_row() {
    let types = Types::read();
    assert_eq!(types.rows.len(), 176);
    for ((of, row), letter) in types.rows.iter().flat_map(|row| [(row, 'A'), (row, 'B')]) {
        if NO_STRUCTURES.contains(of) {
            continue;
        }
        let good = types.good(of);
        assert_eq!(types.findings(of, letter, &good, None), [""; 0], "{of}");
        for (slot, (min, max)) in &row.slots {
            let found = |times| types.findings(of, letter, &good, Some((slot, times)));
            assert_eq!(found(max.unwrap_or(4)), [""; 0], "{slot} in {of}");
            if let Some(max) = max {
                assert_eq!(found(max + 1), ["structure-repeated"], "{slot} in {of}");
            }
            if *min > 0 {
                assert_eq!(found(0), ["structure-missing"], "{slot} in {of}");
            }
        }
        let target = if row.target.is_empty() { "elf:NOTE_RECORD" } else { row.target };
        let pointer = format!(" @{}@", types.tag('R', target));
        let text = match row.grammar {
            "latitude" => " N1",
            "longitude" => " E1",
            _ => &format!(" {}", row.values.split('|').next().filter(|v| !v.is_empty()).unwrap_or("x")),
        };
        for (kind, payload) in Kind::ALL.into_iter().zip(["", text, &pointer]) {
            let found = types.findings(of, letter, payload, None);
            let expected: &[&str] = if kind.is_in(row.payloads) { &[] } else { &[kind.fault()] };
            assert_eq!(found, expected, "{of} with {}", kind.name());
        }
        if !row.values.is_empty() {
            assert_eq!(types.findings(of, letter, " none of them", None), ["value-not-listed"], "{of}");
        }
        if !row.grammar.is_empty() {
            assert_eq!(types.findings(of, letter, " x/", None), ["value-malformed"], "{of}");
            let class = if row.is_required { Class::NonConformant } else { Class::Advice };
            assert_eq!(types.diagnostics(of, letter, " x/", None)[0].class, class, "{of}");
        }
        if !row.target.is_empty() {
            let other = if row.target == "elf:FAM_RECORD" { "elf:NOTE_RECORD" } else { "elf:FAM_RECORD" };
            let other = format!(" @{}@", types.tag('R', other));
            assert_eq!(types.findings(of, letter, &other, None), ["pointer-wrong-type"], "{of}");
        }
    }
}

/// The findings of a file with a schema of these lines beside INDI, SEX and RESN, by January 2019.
fn found_by(schema: &str, body: &str, against: Standard) -> Vec<(&'static str, Class, String)> {
    let file = format!(
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n\
         2 PRFX e https://e.example/\n2 IRI elf:INDIVIDUAL_RECORD\n3 TAG INDI elf:Document\n\
         2 IRI elf:SEX_VALUE\n3 TAG SEX elf:INDIVIDUAL_RECORD\n2 IRI elf:RESTRICTION_NOTICE\n\
         3 TAG RESN elf:INDIVIDUAL_RECORD\n{schema}{body}0 TRLR\n"
    );
    let typed = elf_schema::read(file.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), &mut ())
        .expect("small");
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&typed, named(against), &mut found);
    found.into_iter().map(|found| (found.code.name(), found.class, found.message.into())).collect()
}

#[test]
fn no_structure_has_an_abstract_type() {
    for of in ["IndividualEvent", "Event", "Agent", "PersonalName", "Structure", "IndividualAttribute"] {
        let schema = format!("2 IRI elf:{of}\n3 TAG HAPP elf:INDIVIDUAL_RECORD\n");
        let found = found_by(&schema, "0 @I1@ INDI\n1 HAPP\n", Standard::DataModel);
        let message = format!("`HAPP` has the type `elf:{of}`, which is abstract");
        assert_eq!(found, [("type-abstract", Class::NonConformant, message)]);
        // A type of the file's own under it is none.
        let schema = format!("2 IRI e:A\n3 ISA elf:{of}\n3 TAG HAPP elf:INDIVIDUAL_RECORD\n");
        assert_eq!(found_by(&schema, "0 @I1@ INDI\n1 HAPP\n", Standard::DataModel), [], "{of}");
    }
}

#[test]
fn a_type_with_two_supertypes_is_counted_by_both() {
    let schema = "2 IRI e:A\n3 ISA elf:SEX_VALUE\n3 ISA e:B\n3 TAG BOTH elf:INDIVIDUAL_RECORD\n\
                  2 IRI e:B\n3 ISA e:C\n2 IRI e:C\n3 ISA elf:RESTRICTION_NOTICE\n";
    let found = |body: &str| -> Vec<String> {
        let body = format!("0 @I1@ INDI\n{body}");
        found_by(schema, &body, Standard::DataModel).into_iter().map(|(_, _, message)| message).collect()
    };
    let more = |what: &str| format!("expected at most 1 `{what}` in `INDI`, but found another one");
    assert_eq!(found("1 BOTH\n"), [""; 0]);
    assert_eq!(found("1 SEX M\n1 BOTH\n"), [more("SEX")]);
    assert_eq!(found("1 BOTH\n1 RESN locked\n"), [more("RESN")]);
    let mut both = found("1 SEX M\n1 RESN locked\n1 BOTH\n");
    both.sort_unstable();
    assert_eq!(both, [more("RESN"), more("SEX")]);
}

#[test]
fn a_type_has_the_places_of_its_supertypes() {
    let types = Types::read();
    for (of, row) in &types.rows {
        for supertype in &row.supertypes {
            for (slot, (min, _)) in &types.rows[supertype].slots {
                assert!(row.slots[slot].0 >= *min, "{slot} in {of}, which is a {supertype}");
            }
        }
    }
}
