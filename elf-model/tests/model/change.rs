//! Tests of changes of datasets: what is done to one structure leaves the others as they are.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_model::vocabulary::elf;
use elf_model::{
    ChangeError, Dataset, DatasetMut, Header, Position, ReadOptions, Rules, Schema, SchemaForm, Structure,
    StructureId, WriteOptions,
};
use proptest::prelude::*;
use proptest::sample::Index;

fn read(octets: &str) -> Dataset {
    elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole")
}

/// A dataset as lines, each with its depth: stricter than `==`, for the order of records counts.
fn lines(dataset: &Dataset) -> Vec<String> {
    serde_json::to_value(dataset).map(|value| vec![value.to_string()]).expect("JSON")
}

fn written_again(dataset: &Dataset, rules: &Rules) -> Dataset {
    let mut octets = Vec::new();
    elf_model::write(dataset, &mut octets, rules, &WriteOptions::new(), &mut ()).expect("memory takes all");
    elf_model::read(&octets, rules, &ReadOptions::default(), &mut ()).expect("whole")
}

const FAMILY: &str = "0 HEAD\n1 CHAR UTF-8\n1 SOUR X\n0 @I1@ INDI\n1 NAME Ada\n1 BIRT\n2 DATE 1815\n1 FAMS @F1@\n\
    0 @I2@ INDI\n1 NAME William\n0 @F1@ FAM\n1 WIFE @I1@\n1 HUSB @I2@\n0 TRLR\n";

fn at(dataset: &Dataset, path: &str) -> usize {
    dataset.find(&path.parse().expect("a path")).expect("it is there")[0].index()
}

#[test]
fn structures_are_added_at_any_position() {
    let dataset = read(FAMILY);
    let birth = at(&dataset, "@I1@/BIRT");
    let mut dataset = dataset.into_mut();
    let birth = dataset.id(birth).expect("a birth");
    let person = dataset.resolve("I1").expect("a person");
    dataset.add(Position::Before(birth), "SEX").expect("here");
    dataset.add(Position::After(birth), "BURI").expect("here");
    dataset.add(Position::FirstIn(person), "_A").expect("here");
    dataset.add(person, "_Z").expect("here");
    dataset.add(Position::LastMetadata, "LANG").expect("here");
    dataset.add(Position::LastRecord, "NOTE").expect("here");
    let family = dataset.resolve("F1").expect("a family");
    dataset.add(Position::After(family), "OBJE").expect("here");
    let dataset = dataset.finish().expect("small");
    let tags: Vec<&str> = dataset.structures().map(Structure::tag).collect();
    let expected = "SOUR LANG INDI _A NAME SEX BIRT DATE BURI FAMS _Z INDI NAME FAM WIFE HUSB OBJE NOTE";
    assert_eq!(tags.join(" "), expected);
    assert_eq!(dataset.of_type(elf::EVENT).count(), 2);
}

#[test]
fn identifiers_are_renamed_with_their_pointers() {
    let mut dataset = read(FAMILY).into_mut();
    let person = dataset.resolve("I1").expect("a person");
    assert_eq!(dataset.rename(person, "I2"), Err(ChangeError::XrefTaken { xref: "I2".to_owned() }));
    assert_eq!(dataset.rename(person, "ADA"), Ok(1));
    assert_eq!((dataset.resolve("I1"), dataset.resolve("ADA")), (None, Some(person)));
    let pointer = dataset.pointers_to("ADA").next().expect("a pointer");
    let view = dataset.get(pointer).expect("it stands");
    assert_eq!((view.tag(), view.target().map(|target| target.id())), ("WIFE", Some(person)));
    // Alone, an identifier leaves its pointers after.
    dataset.set_xref(person, None).expect("here");
    assert_eq!((dataset.resolve("ADA"), dataset.pointers_to("ADA").count()), (None, 1));
    dataset.set_target(pointer, person).expect("here");
    assert_eq!(dataset.get(person).and_then(|person| person.xref()), Some("I3"));
}

#[test]
fn a_record_that_goes_tells_who_pointed_to_it() {
    let mut dataset = read(FAMILY).into_mut();
    let family = dataset.resolve("F1").expect("a family");
    let left = dataset.remove(family).expect("here");
    let tags: Vec<&str> = left.iter().filter_map(|&id| dataset.get(id)).map(|view| view.tag()).collect();
    assert_eq!(tags, ["FAMS"]);
    // What pointed from within it is not told of afterwards.
    let person = dataset.resolve("I1").expect("a person");
    assert_eq!(dataset.remove(person), Ok(Vec::new()));
    assert_eq!(dataset.remove(family), Err(ChangeError::Removed));
}

#[test]
fn what_cannot_be_is_an_error() {
    let mut dataset = read(FAMILY).into_mut();
    let mut other = read(FAMILY).into_mut();
    let person = dataset.resolve("I1").expect("a person");
    let name = dataset.get(person).and_then(|person| person.substructures().next()).expect("a name").id();
    assert_eq!(other.set_text(name, "x"), Err(ChangeError::Foreign));
    assert!(other.get(name).is_none());
    assert_eq!(dataset.move_to(person, name), Err(ChangeError::IntoItself));
    assert_eq!(dataset.move_to(person, person), Err(ChangeError::IntoItself));
    assert_eq!(dataset.move_to(name, name), Err(ChangeError::IntoItself));
    assert_eq!(dataset.move_to(name, Position::After(name)), Err(ChangeError::IntoItself));
    dataset.remove(person).expect("here");
    assert_eq!(dataset.add(name, "NOTE"), Err(ChangeError::Removed));
    assert_eq!(dataset.add(Position::Before(person), "NOTE"), Err(ChangeError::Removed));
    let [one, two] = [read(FAMILY), read(FAMILY)];
    let mixed = one.records().chain(two.records());
    assert_eq!(dataset.append(Position::LastRecord, mixed), Err(ChangeError::SeveralDatasets));
}

#[test]
fn types_and_their_supertypes_come_along() {
    let schema = "1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI elf:INDIVIDUAL_RECORD\n\
        3 TAG INDI elf:Document\n2 IRI elf:IndividualEvent\n3 ISA elf:Event\n2 IRI https://e.example/Peal\n\
        3 ISA elf:IndividualEvent\n3 TAG BELL elf:INDIVIDUAL_RECORD\n";
    let other = read(&format!("0 HEAD\n{schema}0 @I1@ INDI\n1 BELL yes\n0 TRLR\n"));
    let mut dataset = read(FAMILY).into_mut();
    dataset.append(Position::LastRecord, other.records()).expect("small");
    let dataset = dataset.finish().expect("small");
    assert_eq!(dataset.of_type(elf::EVENT).count(), 2);
    let rules = &Rules::JANUARY_2019;
    let mut findings: Vec<elf_model::Diagnostic> = Vec::new();
    let dataset = dataset.tagged_by(Schema::completed(), rules, SchemaForm::Reference, &mut findings);
    // A tag without an underscore is for the schema that defined it.
    let changed: Vec<&str> = findings.iter().map(|one| one.code.id()).collect();
    assert_eq!(changed, ["E0502"], "{findings:?}");
    let again = written_again(&dataset, rules);
    assert_eq!(again.of_type(elf::EVENT).count(), 2);
    assert_eq!(again, dataset);
    // What the tags mean now is what they mean for what is added.
    let peal = dataset.of_type("https://e.example/Peal").next().expect("a peal").tag().to_owned();
    let mut changed = dataset.into_mut();
    let person = changed.resolve("I1").expect("a person");
    let added = changed.add(person, &peal).expect("here");
    let of = changed.get(added).and_then(|added| added.structure_type());
    assert_eq!(of, Some("https://e.example/Peal"));
}

#[test]
fn no_pointer_comes_to_mean_another_record() {
    let mut dataset = read("0 HEAD\n0 @I1@ INDI\n1 FAMS @F9@\n0 TRLR\n").into_mut();
    let other = read("0 HEAD\n0 @I7@ INDI\n1 ASSO @I1@\n1 ASSO @X@\n0 @F9@ FAM\n0 TRLR\n");
    let appended = dataset.append(Position::LastRecord, other.records()).expect("small");
    let renamed: Vec<&str> = appended.renamed.iter().map(|(from, _)| from.as_str()).collect();
    assert_eq!((renamed, appended.dangling), (vec!["I1", "F9"], vec!["I1".to_owned(), "X".to_owned()]));
    let dataset = dataset.finish().expect("small");
    assert_eq!(dataset.structures().filter_map(Structure::target).count(), 0);
}

#[test]
fn what_is_given_twice_comes_once() {
    let other = read(FAMILY);
    let person = other.records().next().expect("a person");
    let name = person.substructures().next().expect("a name");
    let family = other.records().last().expect("a family");
    let mut dataset = Dataset::new().into_mut();
    let given = [name, family, person, person, name];
    let appended = dataset.append(Position::LastRecord, given).expect("small");
    let tags = |ids: &[StructureId], dataset: &DatasetMut| -> Vec<String> {
        ids.iter().filter_map(|&id| Some(dataset.get(id)?.tag().to_owned())).collect()
    };
    assert_eq!(tags(&appended.ids, &dataset), ["FAM", "INDI"]);
    assert_eq!(dataset.finish().expect("small").len(), family.subtree().count() + person.subtree().count());
}

#[test]
fn only_identifiers_in_use_are_taken() {
    let mut dataset = read(FAMILY).into_mut();
    let all: Vec<StructureId> = dataset.records().map(|record| record.id()).collect();
    let kept = dataset.unused_xref("I");
    for record in all {
        dataset.remove(record).expect("here");
    }
    // What was borne once is free, what the caller was given is not.
    let other = read(&FAMILY.replace("I2", &kept));
    let appended = dataset.append(Position::LastRecord, other.records()).expect("small");
    let renamed: Vec<&str> = appended.renamed.iter().map(|(from, _)| from.as_str()).collect();
    assert_eq!(renamed, [kept.as_str()]);
    // One that is given out in place of another is none of those that come.
    let mut dataset = read("0 HEAD\n0 @I1@ INDI\n0 TRLR\n").into_mut();
    let appended = dataset.append(Position::LastRecord, read(FAMILY).records()).expect("small");
    assert_eq!(appended.renamed, [("I1".to_owned(), "I3".to_owned())]);
}

#[test]
fn paths_lead_to_structures_as_they_stand_now() {
    let mut dataset = read(FAMILY).into_mut();
    let find = |dataset: &DatasetMut, path: &str| {
        dataset.find(&path.parse().expect("a path")).map_err(|error| error.to_string())
    };
    let [birth, person] = ["@I1@/BIRT", "@I2@"].map(|path| find(&dataset, path).expect("one")[0]);
    dataset.move_to(birth, person).expect("here");
    let marriage = dataset.find(&"FAM".parse().expect("a path")).expect("one")[0];
    let marriage = dataset.add(marriage, "MARR").expect("here");
    assert_eq!(find(&dataset, "@I2@/elf:Event"), Ok(vec![birth]));
    assert_eq!(find(&dataset, "FAM/elf:Event"), Ok(vec![marriage]));
    let error = find(&dataset, "@I1@/elf:Event").expect_err("it was moved");
    assert_eq!(error, "no structure at `@I1@/elf:Event`; `@I1@` has NAME, FAMS");
    assert_eq!(find(&dataset, "HEAD/SOUR").map(|found| found.len()), Ok(1));
    assert!(find(&dataset, "HEAD").is_err());
    // Those that have one identifier come in the order in which they stand.
    let twice = "0 HEAD\n0 @N@ NOTE a\n0 @N@ NOTE b\n0 TRLR\n";
    let mut twice = read(twice).into_mut();
    let [one, two] = [0, 1].map(|index| twice.id(index).expect("a note"));
    twice.move_to(two, Position::Before(one)).expect("here");
    assert_eq!(find(&twice, "@N@[*]"), Ok(vec![two, one]));
}

#[test]
fn many_siblings_take_no_square_time() {
    const MANY: usize = 100_000;
    let mut dataset = Dataset::new().into_mut();
    let record = dataset.add(Position::LastRecord, "NOTE").expect("here");
    let mut all: Vec<StructureId> = Vec::new();
    for _ in 0..MANY {
        let added = dataset.add(Position::FirstIn(record), "X").expect("here");
        dataset.set_xref(added, None).expect("here");
        dataset.set_pointer(added, "N1").expect("here");
        all.push(added);
    }
    dataset.set_xref(record, Some("N1")).expect("here");
    assert_eq!(dataset.rename(record, "N2"), Ok(MANY));
    for pair in all.chunks(2) {
        dataset.move_to(pair[0], Position::FirstIn(record)).expect("here");
        assert_eq!(dataset.remove(pair[1]), Ok(Vec::new()));
    }
    // And as deep as they come.
    let mut deepest = record;
    for _ in 0..MANY {
        deepest = dataset.add(deepest, "Y").expect("here");
    }
    let copy = dataset.finish().expect("small");
    assert_eq!(copy.len(), 1 + MANY / 2 + MANY);
    let mut dataset = copy.clone().into_mut();
    dataset.append(Position::LastRecord, copy.records()).expect("small");
    let first = dataset.records().next().expect("a record").id();
    assert_eq!(dataset.remove(first).map(|left| left.len()), Ok(0));
    assert_eq!(dataset.finish().expect("small").len(), copy.len());
}

#[test]
fn a_dataset_from_json_is_typed_again() {
    let json = serde_json::to_string(&read(FAMILY)).expect("JSON");
    let dataset: Dataset = serde_json::from_str(&json).expect("a dataset");
    assert!(dataset.schema().is_none());
    let mut dataset = dataset.with_schema(Schema::published().clone()).into_mut();
    dataset.set_header(Header::new().with_language(Some("fr")));
    let person = dataset.resolve("I2").expect("a person");
    dataset.add(person, "DEAT").expect("here");
    let dataset = dataset.finish().expect("small");
    assert_eq!(dataset.of_type(elf::DEATH).count(), 1);
    assert_eq!(dataset.header().language.as_deref(), Some("fr"));
    assert!(dataset.schema().is_some());
}

const TAGS: &[&str] = &["INDI", "NOTE", "BIRT", "DATE", "FAMC", "_UID", "X"];

/// Something done to a dataset; indices are of structures that stand or once stood.
#[derive(Clone, Debug)]
enum Step {
    Add(Option<Index>, usize),
    Text(Index, String),
    Pointer(Index, u8),
    Xref(Index, Option<u8>),
    Move(Index, Index, u8),
    Remove(Index),
    Append,
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<Index>;
    prop_oneof![
        4 => (prop::option::weighted(0.8, index()), 0..TAGS.len()).prop_map(|(at, tag)| Step::Add(at, tag)),
        2 => (index(), "[a-z@#\n é]{1,8}").prop_map(|(of, text)| Step::Text(of, text)),
        1 => (index(), 0..4_u8).prop_map(|(of, to)| Step::Pointer(of, to)),
        1 => (index(), prop::option::of(0..4_u8)).prop_map(|(of, xref)| Step::Xref(of, xref)),
        2 => (index(), index(), 0..4_u8).prop_map(|(of, to, how)| Step::Move(of, to, how)),
        1 => index().prop_map(Step::Remove),
        1 => Just(Step::Append),
    ]
}

/// Does a step; what cannot be done is left undone.
fn take(dataset: &mut DatasetMut, all: &mut Vec<StructureId>, step: &Step) {
    let of = |index: &Index| (!all.is_empty()).then(|| *index.get(all));
    let done = match step {
        Step::Add(at, tag) => {
            let at = at.as_ref().and_then(of).map_or(Position::LastRecord, Position::from);
            dataset.add(at, TAGS[*tag]).map(|added| all.push(added))
        }
        Step::Text(id, text) => of(id).map_or(Ok(()), |id| dataset.set_text(id, text)),
        Step::Pointer(id, to) => of(id).map_or(Ok(()), |id| dataset.set_pointer(id, &format!("I{to}"))),
        Step::Xref(id, xref) => {
            let xref = xref.map(|xref| format!("I{xref}"));
            of(id).map_or(Ok(()), |id| dataset.set_xref(id, xref.as_deref()))
        }
        Step::Move(id, to, how) => match (of(id), of(to)) {
            (Some(id), Some(to)) => {
                let to = match how {
                    0 => Position::FirstIn(to),
                    1 => Position::LastIn(to),
                    2 => Position::Before(to),
                    _ => Position::After(to),
                };
                dataset.move_to(id, to)
            }
            _ => Ok(()),
        },
        Step::Remove(id) => of(id).map_or(Ok(()), |id| dataset.remove(id).map(drop)),
        Step::Append => {
            let other = read(FAMILY);
            dataset.append(Position::LastRecord, other.records()).map(|appended| all.extend(appended.ids))
        }
    };
    assert!(
        matches!(
            done,
            Ok(()) | Err(ChangeError::Removed | ChangeError::IntoItself | ChangeError::XrefTaken { .. })
        ),
        "{done:?}"
    );
}

/// A dataset that steps have led to, and the structures named on the way.
fn changed(steps: &[Step]) -> (DatasetMut, Vec<StructureId>) {
    let base = read(FAMILY);
    let count = base.len();
    let mut dataset = base.into_mut();
    let mut all: Vec<StructureId> = (0..count).filter_map(|index| dataset.id(index)).collect();
    steps.iter().for_each(|step| take(&mut dataset, &mut all, step));
    (dataset, all)
}

/// Structures as they are shown: depth, tag, identifier, text and pointer.
fn shown(dataset: &DatasetMut) -> Vec<(StructureId, Option<StructureId>, String)> {
    let tops = dataset.metadata().chain(dataset.records());
    tops.flat_map(|top| top.subtree())
        .map(|view| {
            let what = format!("{} {:?} {:?} {:?}", view.tag(), view.xref(), view.text(), view.pointer());
            (view.id(), view.superstructure().map(|above| above.id()), what)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_shown_is_what_comes_of_it(steps in prop::collection::vec(step(), 0..40)) {
        let (dataset, all) = changed(&steps);
        let shown = shown(&dataset);
        // A structure that was named is shown once, or was removed.
        for id in all {
            let times = shown.iter().filter(|(other, ..)| *other == id).count();
            prop_assert_eq!(times, usize::from(dataset.get(id).is_some()));
        }
        let finished = dataset.finish().expect("small");
        let of_finished: Vec<String> = finished.structures()
            .map(|each| format!("{} {:?} {:?} {:?}", each.tag(), each.xref(), each.text(), each.pointer()))
            .collect();
        prop_assert_eq!(shown.into_iter().map(|(.., what)| what).collect::<Vec<_>>(), of_finished);
    }

    #[test]
    fn a_change_taken_back_is_none(steps in prop::collection::vec(step(), 0..20), of: Index, tag in 0..TAGS.len()) {
        let (mut dataset, all) = changed(&steps);
        let standing: Vec<StructureId> =
            all.into_iter().filter(|id| dataset.get(*id).is_some()).collect();
        prop_assume!(!standing.is_empty());
        let id = *of.get(&standing);
        let before = shown(&dataset);
        for at in [Position::FirstIn(id), Position::LastIn(id), Position::Before(id), Position::After(id)] {
            let added = dataset.add(at, TAGS[tag]).expect("here");
            dataset.set_text(added, "x").expect("here");
            dataset.add(added, "X").expect("here");
            dataset.remove(added).expect("here");
            prop_assert_eq!(&shown(&dataset), &before);
        }
        let home = dataset.get(id).expect("it stands").position();
        let record = dataset.add(Position::LastRecord, "NOTE").expect("here");
        dataset.move_to(id, record).expect("here");
        dataset.move_to(id, home).expect("here");
        dataset.remove(record).expect("here");
        prop_assert_eq!(&shown(&dataset), &before);
        let (finished, _) = changed(&steps);
        prop_assert_eq!(
            lines(&dataset.finish().expect("small")),
            lines(&finished.finish().expect("small"))
        );
    }

    #[test]
    fn what_is_changed_is_written_and_read_again(steps in prop::collection::vec(step(), 0..30)) {
        let rules = &Rules::WILD;
        let (dataset, _) = changed(&steps);
        let dataset = dataset.finish().expect("small");
        let mut findings: Vec<elf_model::Diagnostic> = Vec::new();
        let dataset = dataset.tagged_by(Schema::completed(), rules, SchemaForm::Inline, &mut findings);
        // An undefined structure cannot be moved to where its tag means something.
        prop_assume!(findings.is_empty());
        let mut octets = Vec::new();
        let written = elf_model::write(&dataset, &mut octets, rules, &WriteOptions::new(), &mut ());
        // Pointers to substructures are none by most rules.
        prop_assume!(written.expect("memory takes all").losses == 0);
        prop_assume!(dataset.structures().filter_map(Structure::target).all(|to| to.superstructure().is_none()));
        let again = elf_model::read(&octets, rules, &ReadOptions::default(), &mut ()).expect("whole");
        prop_assert_eq!(again, dataset);
    }
}
