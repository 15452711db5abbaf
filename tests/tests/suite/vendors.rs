//! Vendor tags: how many structures the dictionary gives types, and the same types where its definitions are in the file.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_convert::{Convert, ConvertError};
use elf_schema::{Node, ReadOptions, Rules, TypedDocument, term};
use elf_tests::corpus::corpus;
use elf_tests::generate::vendor_files::{PROGRAMS, generated_file};

/// The page with the numbers.
const PAGE: &str = include_str!("../../../docs/vendors.md");

/// Files of the corpus that test readers with tags that no program writes.
const TORTURE: [&str; 3] = ["customtagstorture.ged", "issue102_100levels.ged", "allged.ged"];

/// The share of the structures without a type that the dictionary must give one, in percent.
const TYPED: u64 = 95;

fn read<'o>(octets: &'o [u8], rules: &'static Rules, with_vendor_tags: bool) -> TypedDocument<'o> {
    let options = ReadOptions::default().with_vendor_tags(with_vendor_tags);
    elf_schema::read(octets, rules, &options, &mut ()).expect("a small file")
}

/// The numbers of structures: all, those without a type if there is no dictionary, and those without a type.
#[derive(Clone, Copy, Default)]
struct Counts {
    all: u64,
    before: u64,
    after: u64,
}

impl Counts {
    fn of(octets: &[u8]) -> Counts {
        let count = |with_vendor_tags| {
            let typed = read(octets, &Rules::WILD, with_vendor_tags);
            let is_undefined =
                |node: &Node<'_>| typed.type_of(*node).is_some_and(|of| term::undefined_tag(of).is_some());
            let all = typed.document().structures();
            (all.count() as u64, all.filter(is_undefined).count() as u64)
        };
        let ((all, before), (_, after)) = (count(false), count(true));
        Counts { all, before, after }
    }

    fn add(&mut self, more: Counts) {
        self.all += more.all;
        self.before += more.before;
        self.after += more.after;
    }

    /// Returns the row of the page.
    fn row(self, name: &str) -> String {
        let Counts { all, before, after } = self;
        let grouped = elf_report::grouped;
        let per_mille = (before - after) * 1000 / before.max(1);
        let share = format!("{}.{} %", per_mille / 10, per_mille % 10);
        format!("| {name} | {} | {} | {} | {share} |", grouped(all), grouped(before), grouped(after))
    }

    fn are_typed(self) -> bool {
        (self.before - self.after) * 100 >= self.before * TYPED
    }
}

#[test]
fn the_dictionary_gives_types_to_nearly_all_structures_of_ten_programs() {
    let mut total = Counts::default();
    let mut missing = Vec::new();
    let mut check = |name: &str, counts: Counts| {
        let row = counts.row(name);
        if !PAGE.contains(&row) {
            missing.push(row);
        }
    };
    for (name, title) in PROGRAMS {
        let counts = Counts::of(generated_file(name).as_bytes());
        check(title, counts);
        total.add(counts);
    }
    check("All ten", total);
    assert!(missing.is_empty(), "the page lacks these rows:\n{}", missing.join("\n"));
    assert!(total.are_typed());
}

#[test]
fn the_dictionary_gives_types_to_nearly_all_structures_of_the_corpus() {
    let Some(files) = corpus() else { return };
    let is_torture = |name: &str| TORTURE.iter().any(|end| name.ends_with(end));
    let (mut real, mut torture) = (Counts::default(), Counts::default());
    for file in &files {
        let counts = if is_torture(&file.name) { &mut torture } else { &mut real };
        counts.add(Counts::of(&file.octets));
    }
    let titles = [
        format!("{} real files", files.len() - TORTURE.len()),
        format!("{} files with tags that nobody writes", TORTURE.len()),
    ];
    let rows: Vec<String> =
        titles.iter().zip([real, torture]).map(|(title, counts)| counts.row(title)).collect();
    assert!(
        rows.iter().all(|row| PAGE.contains(row)),
        "the page lacks one of these rows:\n{}",
        rows.join("\n")
    );
    assert!(real.are_typed());
}

/// The tags and types of all structures in records, but the records that the draft of January 2019 has for unresolved
/// pointers.
fn types(typed: &TypedDocument<'_>) -> Vec<(String, String)> {
    let of = |node: Node<'_>| {
        let path: Vec<&str> = node.with_ancestors().map(Node::tag).collect();
        (path.join("<"), typed.type_of(node).unwrap_or_default().to_owned())
    };
    let is_in_record = |node: &Node<'_>| {
        let top = node.with_ancestors().last().map_or("", Node::tag);
        !matches!(top, "HEAD" | "TRLR" | "UNDEF")
    };
    typed.document().structures().filter(is_in_record).map(of).collect()
}

/// Returns the first structure that has another type after a file was written with the definitions of its vendor tags and
/// read without the dictionary.
fn first_difference(octets: &[u8], to: &'static Rules) -> Option<String> {
    let before = types(&read(octets, &Rules::WILD, true));
    let convert = Convert::new(&Rules::WILD).to(to).with_definitions(true);
    let (written, _) = match convert.convert(octets, &mut ()) {
        Ok(converted) => converted,
        // A web page or an archive.
        Err(ConvertError::Ended { .. }) => return None,
        Err(error) => return Some(error.to_string()),
    };
    let after = types(&read(&written, to, false));
    let found = before.iter().zip(&after).find(|(before, after)| before != after);
    match found {
        Some((before, after)) => Some(format!("{before:?} became {after:?}")),
        None if before.len() == after.len() => None,
        None => Some(format!("{} structures became {}", before.len(), after.len())),
    }
}

const DRAFTS: [&Rules; 3] = [&Rules::JANUARY_2019, &Rules::DECEMBER_2019, &Rules::DECLARATIVE];

#[test]
fn written_definitions_give_all_structures_the_same_types_without_the_dictionary() {
    for (name, _) in PROGRAMS {
        let file = generated_file(name);
        for to in DRAFTS {
            assert_eq!(first_difference(file.as_bytes(), to), None, "{name} to {}", to.name);
        }
    }
}

#[test]
fn written_definitions_give_all_structures_of_the_corpus_the_same_types() {
    for file in corpus().unwrap_or_default() {
        // Files of GEDCOM 7.0 are migrated, so their structures get other types.
        if read(&file.octets, &Rules::WILD, false).document().header().says_gedcom_7() {
            continue;
        }
        for to in DRAFTS {
            assert_eq!(first_difference(&file.octets, to), None, "{} to {}", file.name, to.name);
        }
    }
}
