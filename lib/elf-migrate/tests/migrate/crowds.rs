//! Structures of GEDCOM 7.0 that are more than GEDCOM 5.5.1 has in one, by the tables of both: no more are
//! written than that has, and of the others it is said or they come back.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use elf_migrate::{Target, migrated};
use elf_schema::{Diagnostic, ReadOptions, Reader, Rules};
use elf_validate::{Kind, Standard, Table};
use std::collections::BTreeSet;

/// A place with room for more in GEDCOM 7.0: the tags that lead there, and the most of GEDCOM 5.5.1.
struct Edge {
    way: Vec<&'static str>,
    most: u32,
}

/// Meets the structures that both standards have, and finds where GEDCOM 5.5.1 has fewer.
fn edges() -> Vec<Edge> {
    let tables = [Standard::Gedcom70, Standard::Gedcom551].map(Table::of);
    let mut open: Vec<([u16; 2], Vec<&'static str>)> = Vec::new();
    for tag in ["HEAD", "INDI", "FAM", "SOUR", "REPO", "OBJE", "SUBM", "SNOTE"] {
        let old = if tag == "SNOTE" { "NOTE" } else { tag };
        let [new, old] = [(0, tag), (1, old)].map(|(at, tag)| tables[at].root(tag).expect("a record").kind);
        open.push(([new, old], vec![tag]));
    }
    let (mut met, mut edges) = (BTreeSet::new(), Vec::new());
    while let Some((kinds, way)) = open.pop() {
        if !met.insert(kinds) {
            continue;
        }
        let kind = |at: usize| -> &'static Kind { tables[at].kind(kinds[at]).expect("a kind") };
        for slot in kind(0).slots {
            let tag = match (way.last(), slot.name) {
                (_, "SNOTE") => "NOTE",
                (Some(&"ASSO"), "ROLE") => "RELA",
                (_, tag) => tag,
            };
            let Some(old) = kind(1).slot(tag) else { continue };
            let way: Vec<&str> = way.iter().copied().chain([slot.name]).collect();
            if let Some(most) = old.max.filter(|most| slot.max.is_none_or(|max| *most < max)) {
                edges.push(Edge { way: way.clone(), most });
            }
            open.push(([slot.kind, old.kind], way));
        }
    }
    edges
}

/// The payloads of a structure that are different and good.
fn payload(tag: &str, at: u32) -> String {
    match tag {
        "LANG" => ["en", "fr", "de", "nl"][at as usize % 4].to_owned(),
        "EMAIL" => format!("a{at}@example.com"),
        _ => format!("{at}"),
    }
}

fn migrate(file: &str, target: Target, findings: &mut Vec<Diagnostic>) -> String {
    let reader = || Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default());
    let written = migrated(reader, target, findings).expect("it is small").octets;
    String::from_utf8(written).expect("UTF-8")
}

/// The numbers of the lines with a level and a tag.
fn lines(file: &str, level: usize, tag: &str) -> Vec<u64> {
    let (bare, start) = (format!("{level} {tag}"), format!("{level} {tag} "));
    let is_one = |line: &str| line == bare || line.starts_with(&start);
    (1..).zip(file.lines()).filter(|(_, line)| is_one(line)).map(|(number, _)| number).collect()
}

#[test]
fn no_more_are_written_than_gedcom_5_5_1_has() {
    let edges = edges();
    assert!(edges.len() > 100, "{} edges", edges.len());
    assert!(edges.iter().any(|edge| edge.way == ["FAM", "NCHI"] && edge.most == 1));
    let mut wrong = Vec::new();
    for Edge { way, most } in &edges {
        let (tag, above) = way.split_last().expect("a tag");
        let level = above.len();
        let mut file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n".to_owned();
        if above[0] != "HEAD" {
            file.push_str(&format!("0 @X1@ {}\n", above[0]));
        }
        for (at, tag) in above.iter().enumerate().skip(1) {
            let payload = if matches!(*tag, "NAME" | "SOUR" | "CORP") { " Ada" } else { "" };
            file.push_str(&format!("{at} {tag}{payload}\n"));
        }
        for at in 0..=*most {
            file.push_str(&format!("{level} {tag} {}\n", payload(tag, at)));
        }
        file.push_str("0 TRLR\n");
        let mut found = Vec::new();
        let there = migrate(&file, Target::Gedcom551, &mut found);
        let back = migrate(&there, Target::Gedcom70, &mut Vec::new());
        let before = lines(&file, level, tag);
        let written = lines(&there, level, tag).len();
        let is_said = before
            .iter()
            .skip(*most as usize)
            .all(|line| found.iter().any(|finding| finding.place.is_some_and(|place| place.line == *line)));
        let is_back = lines(&back, level, tag).len() == before.len();
        if written > *most as usize || !is_said && !is_back {
            wrong.push(format!("{}: {written} of at most {most}\n{there}", way.join(".")));
        }
    }
    assert!(wrong.is_empty(), "{} edges, such as {}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
}
