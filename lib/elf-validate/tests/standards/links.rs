//! Links between records, and all else that only the whole document shows: whole, in runs and on threads.

use crate::named;
use elf_base::{Fix, FixAction};
use elf_schema::{Diagnostic, ReadOptions, Reader, Rules, TypedDocument};
use elf_validate::{Against, Links, RunLinks, Standard, Validator, validate};
use proptest::prelude::*;

fn read<'o>(octets: &'o [u8], rules: &Rules) -> TypedDocument<'o> {
    elf_schema::read(octets, rules, &ReadOptions::default(), &mut ()).expect("a small file")
}

/// A finding as it is compared: runs do not have the line of what only the whole shows.
fn said(finding: &Diagnostic) -> String {
    format!("{finding} {:?} {:?} {:?}", finding.place, finding.help, finding.fix)
}

fn whole(octets: &[u8], rules: &Rules, against: Against) -> Vec<String> {
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&read(octets, rules), against, &mut found);
    assert!(found.iter().all(|finding| finding.place.is_some() == finding.excerpt.is_some()), "{found:?}");
    found.iter().map(said).collect()
}

/// The findings of the runs in the order of the file, then those of the whole.
fn in_runs(octets: &[u8], rules: &Rules, against: Against, size: usize) -> Vec<String> {
    let mut reader = Reader::new(octets, rules, ReadOptions::default()).with_run_size(size);
    let mut started: Option<(Validator, Links)> = None;
    let mut found: Vec<Diagnostic> = Vec::new();
    while let Some(run) = reader.next_run(&mut ()).expect("a stream in memory") {
        let (validator, links) = started.get_or_insert_with(|| {
            let validator = Validator::new(against, run.schema());
            let links = validator.links();
            (validator, links)
        });
        // As on another thread: what is returned borrows nothing of the run.
        let links_of_run: RunLinks = std::thread::scope(|scope| {
            scope.spawn(|| validator.validate_run(&run, &mut found)).join().expect("no panic")
        });
        links.add(links_of_run);
    }
    if let Some((_, links)) = started {
        links.finish(&mut found);
    }
    found.iter().map(said).collect()
}

#[test]
fn what_threads_share_can_be_shared() {
    const fn is_sync<T: Sync + Send>() {}
    const fn is_send<T: Send + 'static>() {}
    is_sync::<Validator>();
    is_send::<(RunLinks, Links)>();
}

#[test]
fn runs_have_the_findings_of_the_whole() {
    for standard in Standard::ALL {
        for rules in Rules::PRESETS {
            let file = crate::engine::FAULTY.as_bytes();
            let expected = whole(file, rules, named(standard));
            for size in [1, 8, 100, 1 << 20] {
                let found = in_runs(file, rules, named(standard), size);
                assert_eq!(found, expected, "{standard}, {}", rules.name);
            }
        }
        let expected = whole(crate::engine::FAULTY.as_bytes(), &Rules::WILD, named(standard));
        assert!(expected.iter().any(|found| found.contains("E0906")), "{expected:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn mutated_files_have_in_runs_the_findings_of_the_whole(
        records in prop::collection::vec(
            "0( @[ABC]@)? (INDI|FAM|SUBN|NOTE|_X|SOUR)\n(1 (FAMC|FAMS|CHIL|HUSB|WIFE|ALIA|SUBM|NOTE|_X)( @[ABC#]@| text)?\n(2 (SOUR|NOTE|OBJE)( @[ABC]@)?\n)?){0,6}",
            0..8,
        ),
        head in "0( @[AB]@)? HEAD\n(1 SUBM @[ABC]@\n)?(1 CHAR UTF-8\n(2 @A@ VERS\n)?)?",
        more in "([01] (@A@ )?(INDI|HEAD|TRLR|CONT)( @[ABC]@)?|  0 @A@ FAM|1 NAME caf\u{e9})?",
        size in 1_usize..200,
        rules in prop::sample::select(Rules::PRESETS.to_vec()),
        standard in prop::sample::select(Standard::ALL.to_vec()),
    ) {
        let file = format!("{head}{}{more}\n0 TRLR\n", records.concat());
        let expected = whole(file.as_bytes(), rules, named(standard));
        let found = in_runs(file.as_bytes(), rules, named(standard), size);
        prop_assert_eq!(found, expected, "{}\n{}", rules.name, file);
    }
}

/// A record of a file that is made up: its identifier, its tag, and its pointers.
type Made = (Option<u8>, &'static str, Vec<(&'static str, u8)>);

fn file_of(records: &[Made]) -> String {
    let mut file = "0 HEAD\n1 CHAR UTF-8\n".to_owned();
    for (identifier, tag, pointers) in records {
        let identifier = identifier.map(|number| format!(" @R{number}@")).unwrap_or_default();
        file.push_str(&format!("0{identifier} {tag}\n"));
        for (tag, to) in pointers {
            file.push_str(&format!("1 {tag} @R{to}@\n"));
        }
    }
    file + "0 TRLR\n"
}

/// The lines of the pointers to the wrong type, and of those that are not answered, as the rules are worded:
/// by looking through all records for each pointer.
fn judged(file: &str, rules: &Rules) -> Vec<(u64, &'static str)> {
    let typed = read(file.as_bytes(), rules);
    let document = typed.document();
    let mut judged = Vec::new();
    for record in document.records() {
        for link in record.substructures() {
            let (target_tag, answers): (&str, &[&str]) = match (record.tag(), link.tag()) {
                ("FAM", "CHIL") => ("INDI", &["FAMC"]),
                ("FAM", "HUSB" | "WIFE") => ("INDI", &["FAMS"]),
                ("INDI", "FAMC") => ("FAM", &["CHIL"]),
                ("INDI", "FAMS") => ("FAM", &["HUSB", "WIFE"]),
                ("INDI", "ALIA") => ("INDI", &[]),
                _ => continue,
            };
            let Some(target) = link.target().filter(|target| !target.is_inserted()) else { continue };
            let name = if target.tag() != target_tag {
                "pointer-wrong-type"
            } else if link.tag() == "ALIA" {
                if target != record {
                    continue;
                }
                "pointer-circular"
            } else if record.xref().is_some_and(|xref| document.is_repeated(xref))
                || target
                    .substructures()
                    .any(|back| answers.contains(&back.tag()) && back.target() == Some(record))
            {
                continue;
            } else {
                "link-one-sided"
            };
            judged.push((document.locator().place(link.line_span()).line, name));
        }
    }
    judged
}

fn links_of(found: &[Diagnostic]) -> Vec<(u64, &'static str)> {
    let names = ["pointer-wrong-type", "pointer-circular", "link-one-sided"];
    let links = found.iter().filter(|found| names.contains(&found.code.name()));
    links.map(|found| (found.place.map_or(0, |place| place.line), found.code.name())).collect()
}

fn made() -> impl Strategy<Value = Vec<Made>> {
    let record = |tag: &'static str, tags: &'static [&'static str]| {
        let pointer = (prop::sample::select(tags), 0_u8..12);
        (prop::option::weighted(0.95, 0_u8..12), Just(tag), prop::collection::vec(pointer, 0..8))
    };
    let person = record("INDI", &["FAMC", "FAMC", "FAMS", "FAMS", "ALIA"]);
    let family = record("FAM", &["CHIL", "CHIL", "HUSB", "WIFE"]);
    prop::collection::vec(prop_oneof![person, family], 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn links_are_what_an_independent_judge_says(
        records in made(),
        rules in prop::sample::select(Rules::PRESETS.to_vec()),
    ) {
        let file = file_of(&records);
        let judge = |rules: &Rules, standard: Standard| {
            let mut found: Vec<Diagnostic> = Vec::new();
            validate(&read(file.as_bytes(), rules), named(standard), &mut found);
            prop_assert_eq!(links_of(&found), judged(&file, rules), "{} {}\n{}", standard, rules.name, file);
            Ok(())
        };
        // By types where those of the tags are the ones of the data model.
        judge(&Rules::WILD, Standard::DataModel)?;
        judge(rules, Standard::Gedcom551)?;
    }
}

#[test]
fn records_with_many_pointers_are_judged_as_others() {
    // A family of 6,000 children, of whom every tenth does not answer; each says so forty times over.
    let child = |number: u32| -> String {
        let family = if number.is_multiple_of(10) { "1 FAMC @X@\n" } else { "1 FAMC @F@\n" };
        format!("0 @I{number}@ INDI\n{}", family.repeat(40))
    };
    let children: String = (0..6_000).map(child).collect();
    let links: String = (0..6_000).map(|number| format!("1 CHIL @I{number}@\n")).collect();
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{children}0 @F@ FAM\n{links}0 TRLR\n");
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&read(file.as_bytes(), &Rules::WILD), named(Standard::DataModel), &mut found);
    let first = 2 + 6_000 * 41 + 2;
    let expected: Vec<_> = (0..600).map(|tenth| (first + tenth * 10, "link-one-sided")).collect();
    assert_eq!(links_of(&found), expected);
}

#[test]
fn what_may_be_a_misspelled_answer_is_not_answered() {
    let fixes = |record: &str, version: &str, standard| {
        let file = format!(
            "0 HEAD\n1 GEDC\n2 VERS {version}\n0 @I1@ INDI\n{record}\n0 @F1@ FAM\n1 CHIL @I1@\n0 @F2@ FAM\n\
             1 CHIL @I1@\n0 TRLR\n"
        );
        let mut found: Vec<Diagnostic> = Vec::new();
        validate(&read(file.as_bytes(), &Rules::WILD), named(standard), &mut found);
        let is_of_first =
            |fix: &Fix| matches!(&fix.action, FixAction::AnswerLink(answer) if &*answer.to == "F1");
        found.iter().filter_map(|one| one.fix.as_ref()).filter(|fix| is_of_first(fix)).count()
    };
    let many = |last: &str| "1 FAMC @F2@\n".repeat(40) + last;
    for (version, standard) in [("5.5.1", Standard::Gedcom551), ("7.0", Standard::Gedcom70)] {
        let fixes = |record: &str| fixes(record, version, standard);
        for whole in ["1 FAMC @F2@", "1 SEX M\n1 FAMS @f1@\n1 FAMS F1", &many("1 FAMS @f1@")] {
            assert_eq!(fixes(whole), 1, "{version}: {whole}");
        }
        for broken in [
            "1 FAMC @F1@ ",
            "1 FAMC  @F1@",
            "1 FAMC @f1@",
            "1 FAMC F1",
            "1 FAMC",
            "1 FAMC @F1@\n2 CONT x",
            "1 FAMC @F2@\n1 FAMC x",
            &many("1 FAMC @f1@"),
            &many("1 FAMC x"),
        ] {
            assert_eq!(fixes(broken), 0, "{version}: {broken}");
        }
    }
}

#[test]
fn a_child_that_is_not_by_birth_gets_no_answer_by_birth() {
    for (ties, expected) in [
        ("", 1),
        ("\n2 _FREL Natural\n2 _MREL natural", 1),
        ("\n2 _FREL Adopted", 0),
        ("\n2 _FREL Natural\n2 _MREL Step", 0),
    ] {
        let file =
            format!("0 HEAD\n1 GEDC\n2 VERS 5.5.1\n0 @I1@ INDI\n0 @F1@ FAM\n1 CHIL @I1@{ties}\n0 TRLR\n");
        let mut found: Vec<Diagnostic> = Vec::new();
        validate(&read(file.as_bytes(), &Rules::WILD), named(Standard::Gedcom551), &mut found);
        let is_answer = |fix: &&Fix| matches!(fix.action, FixAction::AnswerLink(_));
        assert_eq!(links_of(&found).len(), 1, "{ties}");
        let fixes = found.iter().filter_map(|one| one.fix.as_ref()).filter(is_answer).count();
        assert_eq!(fixes, expected, "{ties}");
    }
}

#[test]
fn answers_to_links_of_locked_and_unclear_records_are_guesses() {
    for (lines, expected) in [
        ("1 RESN locked", "unsafe"),
        ("1 RESN LOCKED, PRIVACY", "unsafe"),
        ("1 RESN privacy", "safe"),
        ("1 NOTE x\nO @I9@ INDI\n1 SEX F", "unsafe"),
        ("1 NOTE x\nand so on\n1 SEX F", "safe"),
    ] {
        let file = format!("0 HEAD\n0 @I1@ INDI\n{lines}\n0 @F1@ FAM\n1 CHIL @I1@\n0 TRLR\n");
        for standard in [Standard::DataModel, Standard::Gedcom551] {
            let mut found: Vec<Diagnostic> = Vec::new();
            validate(&read(file.as_bytes(), &Rules::WILD), named(standard), &mut found);
            let fixes: Vec<&str> =
                found.iter().filter_map(|found| Some(found.fix.as_ref()?.safety.name())).collect();
            assert_eq!(fixes, [expected], "{standard} {lines}");
        }
    }
}
