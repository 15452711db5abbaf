//! A whole document, its runs, and its runs read in any order give one graph.

use crate::judge::{Clan, clans};
use crate::questions;
use elf_lineage::{Lineage, LineageBuilder, LineageReader, QuestionOptions, RunLineage};
use elf_schema::elf_tagged::{self, Options};
use elf_schema::{ReadOptions, Reader, Rules, RunTyper};
use proptest::prelude::*;

/// The whole of a graph, as text.
fn told(lineage: &Lineage) -> String {
    let mut lines = Vec::new();
    for person in lineage.persons() {
        let parents =
            person.parents().map(|one| (one.person.id(), one.family, one.role, one.tie, one.is_by_birth));
        let events =
            person.events().map(|event| (event.role(), event.days(), event.position(), event.is_stated()));
        lines.push(format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            person.identifier(),
            person.name(),
            person.sex(),
            person.position(),
            parents.collect::<Vec<_>>(),
            events.collect::<Vec<_>>(),
        ));
    }
    for family in lineage.families() {
        let partners = family.partners().map(|(person, role)| (person.id(), role));
        let children = family.children().map(|child| child.id());
        let events = family.events().map(|event| (event.role(), event.days(), event.position()));
        lines.push(format!(
            "{:?} {:?} {:?} {:?} {:?}",
            family.identifier(),
            family.position(),
            partners.collect::<Vec<_>>(),
            children.collect::<Vec<_>>(),
            events.collect::<Vec<_>>(),
        ));
    }
    let found = questions(lineage, true);
    lines.extend(found.iter().map(|found| format!("{found} {:?}", found.related)));
    lines.join("\n")
}

/// Reads the runs: all that they hold, or what some questions compare.
fn in_runs(file: &str, size: usize, options: Option<QuestionOptions>) -> Lineage {
    let mut reader = Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default()).with_run_size(size);
    let mut builder = LineageBuilder::default();
    let mut roles = None;
    while let Some(run) = reader.next_run(&mut ()).expect("memory") {
        let roles = roles.get_or_insert_with(|| {
            let reader = LineageReader::new(run.schema());
            options.map_or(reader.clone(), |options| reader.for_questions(options))
        });
        builder.take(roles.read(&run));
    }
    builder.build()
}

/// Reads each run after the header by a typer of its own, as threads do, the last run first; takes them in their
/// order.
fn in_runs_apart(file: &str, size: usize) -> Lineage {
    let mut reader =
        elf_tagged::Reader::new(file.as_bytes(), &Rules::WILD, &Options::default()).with_run_size(size);
    let (mut typer, mut builder) = (RunTyper::new(ReadOptions::default()), LineageBuilder::default());
    let mut roles = None;
    while !reader.knows_header()
        && let Some(unread) = reader.next_unread().expect("memory")
    {
        let (run, _, outcome) = typer.read(&unread, &mut ()).expect("small");
        let roles = roles.get_or_insert_with(|| LineageReader::new(run.schema()));
        builder.take(roles.read(&run));
        reader.take(outcome, &mut ());
    }
    let roles = roles.expect("a header");
    let mut unread = Vec::new();
    while let Some(run) = reader.next_unread().expect("memory") {
        unread.push(run);
    }
    let read = |run| {
        let mut typer = typer.for_thread().expect("a small schema");
        let (run, _, _) = typer.read(run, &mut ()).expect("small");
        roles.read(&run)
    };
    let made: Vec<RunLineage> = unread.iter().rev().map(read).collect();
    made.into_iter().rev().for_each(|run| builder.take(run));
    builder.build()
}

fn whole(file: &str) -> Lineage {
    let options = ReadOptions::default();
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &options, &mut ()).expect("a small file");
    Lineage::of(&typed)
}

fn file_of(clan: &Clan, prefix: &str) -> String {
    format!("0 HEAD\n1 CHAR UTF-8\n{}0 TRLR\n", clan.text(prefix))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn runs_give_what_the_whole_gives(clan in clans(), size in 1_usize..400) {
        for prefix in ["", "a-rather-long-identifier-"] {
            let file = file_of(&clan, prefix);
            let expected = told(&whole(&file));
            prop_assert_eq!(&told(&in_runs(&file, size, None)), &expected);
            prop_assert_eq!(&told(&in_runs_apart(&file, size)), &expected);
        }
    }
}

/// A file of a clan in which people state ages and have events without a date.
fn file_with_ages(clan: &Clan) -> String {
    let file = file_of(clan, "");
    file.replace("\n2 DATE", "\n2 AGE 33y\n2 DATE").replace("INDI\n", "INDI\n1 BIRT\n1 OCCU Miller\n1 DEAT\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_questions_do_not_compare_may_be_left_out(clan in clans(), size in 1_usize..400) {
        let file = file_with_ages(&clan);
        for unlikely in [true, false] {
            let options = QuestionOptions::on_date(2026, 11, 22).expect("a day").with_unlikely(unlikely);
            let asked = |lineage: &Lineage| -> Vec<String> {
                let found = questions(lineage, unlikely);
                found.iter().map(|found| format!("{found} {:?}", found.related)).collect()
            };
            let lineage = in_runs(&file, size, Some(options));
            prop_assert_eq!(asked(&lineage), asked(&whole(&file)));
            prop_assert!(lineage.event_count() < whole(&file).event_count());
        }
    }
}

#[test]
fn what_a_thread_makes_can_be_sent() {
    fn sent<T: Send + Sync + 'static>() {}
    sent::<RunLineage>();
    sent::<Lineage>();
    sent::<LineageReader>();
    sent::<LineageBuilder>();
}
