//! A whole document, its parts, and its parts on several threads give one graph.

use crate::judge::{Clan, clans};
use crate::questions;
use elf_lineage::{Asking, Lineage, LineageBuilder, LineageReader, PartLineage};
use elf_schema::{PartReader, ReadOptions, Reader, Rules};
use proptest::prelude::*;

/// The whole of a graph, as text.
fn told(lineage: &Lineage) -> String {
    let mut lines = Vec::new();
    for person in lineage.persons() {
        let parents =
            person.parents().map(|one| (one.person.id(), one.family, one.role, one.tie, one.is_by_birth));
        let events =
            person.events().map(|event| (event.role(), event.days(), event.place(), event.is_stated()));
        lines.push(format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            person.identifier(),
            person.name(),
            person.sex(),
            person.place(),
            parents.collect::<Vec<_>>(),
            events.collect::<Vec<_>>(),
        ));
    }
    for family in lineage.families() {
        let partners = family.partners().map(|(person, role)| (person.id(), role));
        let children = family.children().map(|child| child.id());
        let events = family.events().map(|event| (event.role(), event.days(), event.place()));
        lines.push(format!(
            "{:?} {:?} {:?} {:?} {:?}",
            family.identifier(),
            family.place(),
            partners.collect::<Vec<_>>(),
            children.collect::<Vec<_>>(),
            events.collect::<Vec<_>>(),
        ));
    }
    let found = questions(lineage, true);
    lines.extend(found.iter().map(|found| format!("{found} {:?}", found.related)));
    lines.join("\n")
}

/// Reads the parts, all of them or what some questions compare.
fn in_parts(file: &str, size: usize, asking: Option<Asking>) -> Lineage {
    let mut reader = Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default()).with_run_size(size);
    let mut builder = LineageBuilder::default();
    let mut roles = None;
    while let Some(part) = reader.next_run(&mut ()).expect("no input to fail") {
        let roles = roles.get_or_insert_with(|| {
            let reader = LineageReader::new(part.schema());
            asking.map_or(reader.clone(), |asking| reader.for_questions(asking))
        });
        builder.take(roles.part(&part));
    }
    builder.build()
}

/// Reads the parts on so many threads, the last ones first, and takes them in their order.
fn on_threads(file: &str, threads: usize) -> Lineage {
    let mut reader = Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default()).with_run_size(1);
    let mut builder = LineageBuilder::default();
    let first = reader.next_run(&mut ()).expect("no input to fail").expect("a part");
    let roles = LineageReader::new(first.schema());
    builder.take(roles.part(&first));
    if let Some(mut divided) = reader.divide() {
        let readers: Vec<PartReader> = (0..threads).map(|_| divided.part_reader()).collect();
        let mut unread = Vec::new();
        while let Some(part) = divided.next_unread().expect("no input to fail") {
            unread.push(part);
        }
        let (unread, roles) = (&unread, &roles);
        let read = |thread: usize, mut reader: PartReader| {
            let own = (0..unread.len()).rev().filter(move |at| at % threads == thread);
            own.map(|at| {
                let (part, outcome) = reader.read(&unread[at], &mut ()).expect("a part of this reading");
                (at, roles.part(&part), outcome)
            })
            .collect::<Vec<_>>()
        };
        let mut made: Vec<(usize, PartLineage, _)> = std::thread::scope(|scope| {
            let read = &read;
            let all: Vec<_> = readers
                .into_iter()
                .enumerate()
                .map(|(thread, reader)| scope.spawn(move || read(thread, reader)))
                .collect();
            all.into_iter().flat_map(|one| one.join().expect("no panic")).collect()
        });
        made.sort_by_key(|(at, ..)| *at);
        for (_, part, outcome) in made {
            divided.take(outcome, part, &mut (), |part, _| builder.take(part)).expect("each once");
        }
    }
    while let Some(part) = reader.next_run(&mut ()).expect("no input to fail") {
        builder.take(roles.part(&part));
    }
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
    fn parts_give_what_the_whole_gives(clan in clans(), size in 1_usize..400) {
        for prefix in ["", "a-rather-long-identifier-"] {
            let file = file_of(&clan, prefix);
            let expected = told(&whole(&file));
            prop_assert_eq!(&told(&in_parts(&file, size, None)), &expected);
            prop_assert_eq!(&told(&on_threads(&file, 3)), &expected);
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
            let asking = Asking::on_date(2026, 11, 22).expect("a day").with_unlikely(unlikely);
            let asked = |lineage: &Lineage| -> Vec<String> {
                let found = questions(lineage, unlikely);
                found.iter().map(|found| format!("{found} {:?}", found.related)).collect()
            };
            let lineage = in_parts(&file, size, Some(asking));
            prop_assert_eq!(asked(&lineage), asked(&whole(&file)));
            prop_assert!(lineage.event_count() < whole(&file).event_count());
        }
    }
}

#[test]
fn what_a_thread_makes_can_be_sent() {
    fn sent<T: Send + Sync + 'static>() {}
    sent::<PartLineage>();
    sent::<Lineage>();
    sent::<LineageReader>();
    sent::<LineageBuilder>();
}
