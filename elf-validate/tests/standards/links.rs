//! Links between records, and all else that only the whole document shows: whole, in parts and on threads.

use crate::named;
use elf_schema::elf_tagged::{Names, NamesReader};
use elf_schema::{Diagnostic, ReadOptions, Reader, Rules, TypedDocument};
use elf_validate::{Against, Links, PartLinks, Standard, Validator, validate};
use proptest::prelude::*;

fn read<'o>(octets: &'o [u8], rules: &Rules) -> TypedDocument<'o> {
    elf_schema::read(octets, rules, &ReadOptions::default(), &mut ()).expect("a small file")
}

/// A finding as it is compared: parts do not have the line of what only the whole shows.
fn said(finding: &Diagnostic) -> String {
    format!("{finding} {:?} {:?} {:?}", finding.place, finding.help, finding.fix)
}

fn whole(octets: &[u8], rules: &Rules, against: Against) -> Vec<String> {
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&read(octets, rules), against, &mut found);
    assert!(found.iter().all(|finding| finding.place.is_some() == finding.excerpt.is_some()), "{found:?}");
    found.iter().map(said).collect()
}

/// The findings of the parts in the order of the file, then those of the whole.
fn in_parts(octets: &[u8], rules: &Rules, against: Against, size: usize) -> Vec<String> {
    let options = ReadOptions::default();
    let reader = if Names::are_needed(rules) {
        let mut names = NamesReader::new(octets, rules, &options.octets).with_part_size(size);
        while names.next_part().expect("a stream in memory").is_some() {}
        Reader::with_names(octets, options, names.into_names().expect("names"))
    } else {
        Reader::new(octets, rules, options)
    };
    let mut reader = reader.with_part_size(size);
    let mut started: Option<(Validator, Links)> = None;
    let mut found: Vec<Diagnostic> = Vec::new();
    while let Some(part) = reader.next_part(&mut ()).expect("a stream in memory") {
        let (validator, links) = started.get_or_insert_with(|| {
            let validator = Validator::new(against, part.schema());
            let links = validator.links();
            (validator, links)
        });
        // As on another thread: what is returned borrows nothing of the part.
        let part: PartLinks = std::thread::scope(|scope| {
            scope.spawn(|| validator.part(&part, &mut found)).join().expect("no panic")
        });
        links.add(part);
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
    is_send::<(PartLinks, Links)>();
}

#[test]
fn parts_say_what_the_whole_says() {
    for standard in Standard::ALL {
        for rules in Rules::PRESETS {
            let file = crate::engine::FAULTY.as_bytes();
            let expected = whole(file, rules, named(standard));
            for size in [1, 8, 100, 1 << 20] {
                let found = in_parts(file, rules, named(standard), size);
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
    fn mutated_files_say_in_parts_what_they_say_whole(
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
        let found = in_parts(file.as_bytes(), rules, named(standard), size);
        prop_assert_eq!(found, expected, "{}\n{}", rules.name, file);
    }
}
