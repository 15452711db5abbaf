//! The engine beyond the rows of a table: depth, runs, extensions, and who names the standard.

use crate::named;
use elf_schema::{Class, Diagnostic, ReadOptions, Rules};
use elf_validate::{Against, Standard, validate};

fn found(file: &str, against: Against) -> Vec<Diagnostic> {
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut found = Vec::new();
    validate(&typed, against, &mut found);
    found
}

fn lines(found: &[Diagnostic]) -> Vec<(u64, &'static str)> {
    found.iter().map(|found| (found.place.map_or(0, |place| place.line), found.code.name())).collect()
}

/// Has findings by both standards, one of which only the whole shows: the pointer in line 3.
pub(crate) const FAULTY: &str =
    "0 HEAD\n0 @I1@ INDI Ada\n1 FAMS @I1@\n1 SEX M\n1 SEX F\n1 ASSO @I1@\n0 @F1@ FAM\n1 HUSB\n0 TRLR\n";

#[test]
fn all_is_advice_unless_the_standard_is_named() {
    for standard in Standard::ALL {
        let unasked = found(FAULTY, Against { standard, is_named: false });
        assert!(unasked.iter().all(|found| found.class == Class::Advice), "{unasked:?}");
        assert_eq!(lines(&unasked), lines(&found(FAULTY, named(standard))));
    }
    let classes: Vec<_> =
        found(FAULTY, named(Standard::DataModel)).iter().map(|f| (f.code.name(), f.class)).collect();
    assert_eq!(
        classes,
        [
            ("payload-unexpected", Class::NonConformant),
            ("structure-repeated", Class::Advice),
            ("structure-missing", Class::Advice),
            ("payload-missing", Class::NonConformant),
            ("pointer-wrong-type", Class::NonConformant),
        ]
    );
}

#[test]
fn nothing_is_said_beneath_what_gedcom_does_not_have() {
    let file = "0 HEAD\n1 SOUR x\n1 SUBM @U@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n\
                0 @U@ SUBM\n1 NAME x\n0 @I@ INDI\n1 _EVT\n2 SEX\n2 SEX\n0 TRLR\n";
    assert_eq!(lines(&found(file, named(Standard::Gedcom551))), []);
    let event = file.replace("1 _EVT\n2 SEX\n2 SEX", "1 BIRT x\n2 DATE");
    let expected = [(11, "value-not-listed"), (12, "payload-missing")];
    assert_eq!(lines(&found(&event, named(Standard::Gedcom551))), expected);
}

#[test]
fn values_are_listed_in_capital_and_small_letters_alike() {
    for (value, expected) in [("m", 0), ("X", 1)] {
        let file = format!("0 HEAD\n0 INDI\n1 SEX {value}\n0 TRLR\n");
        assert_eq!(found(&file, named(Standard::DataModel)).len(), expected, "{value}");
    }
}

#[test]
fn the_types_of_2017_have_their_counterparts() {
    use elf_validate::Validator;
    let old = |file: &str, rules: &Rules| {
        let typed =
            elf_schema::read(file.as_bytes(), rules, &ReadOptions::default(), &mut ()).expect("a small file");
        let mut found = Vec::new();
        validate(&typed, named(Standard::DataModel), &mut found);
        let whole = lines(&found);
        let mut reader =
            elf_schema::Reader::new(file.as_bytes(), rules, ReadOptions::default()).with_run_size(1);
        let (mut started, mut found) = (None, Vec::new());
        while let Some(run) = reader.next_run(&mut ()).expect("a small file") {
            let (validator, links) = started.get_or_insert_with(|| {
                let validator = Validator::new(named(Standard::DataModel), run.schema());
                let links = validator.links();
                (validator, links)
            });
            links.add(validator.validate_run(&run, &mut found));
        }
        if let Some((_, links)) = started {
            links.finish(&mut found);
        }
        let (mut of_runs, mut one) = (lines(&found), whole.clone());
        of_runs.sort_unstable();
        one.sort_unstable();
        assert_eq!(of_runs, one);
        whole
    };
    for rules in [&Rules::OCTOBER_2017, &Rules::JULY_2017] {
        let faulty = FAULTY.replace("0 HEAD\n", "0 HEAD\n1 CHAR UTF-8\n");
        let expected = lines(&found(&faulty, named(Standard::DataModel)));
        assert_eq!(expected.len(), 5);
        assert_eq!(old(&faulty, rules), expected);
        // A tag that the file defines to be another, and one that is none of the standard.
        let file = "0 HEAD\n1 CHAR UTF-8\n1 DEFN GESCHL http://terms.fhiso.org/elf/SEX\n\
                    0 @I1@ INDI\n1 GESCHL F\n1 SEX M\n1 BIRT\n2 PLAC x\n2 PLAC y\n1 XYZ\n2 PLAC x\n2 PLAC y\n0 TRLR\n";
        let found = old(file, rules);
        assert_eq!(found, [(6, "structure-repeated"), (9, "structure-repeated")], "{}", rules.name);
    }
    // Rules that know the types leave alone what has none.
    let file = "0 HEAD\n1 SCHMA\n2 PRFX e https://e.example/\n2 IRI e:A\n3 TAG INDI elf:Document\n0 INDI\n1 SEX M\n1 SEX M\n0 TRLR\n";
    assert_eq!(old(file, &Rules::JANUARY_2019), []);
}

#[test]
fn a_deep_file_takes_no_stack() {
    let mut file = "0 HEAD\n0 INDI\n".to_owned();
    for level in 1..50_000 {
        file.push_str(&format!("{level} SOUR x\n"));
    }
    file.push_str("0 TRLR\n");
    for standard in Standard::ALL {
        assert!(found(&file, named(standard)).len() < 10, "{standard}");
    }
}
