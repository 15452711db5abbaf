//! Five of the tasks of `tools/bench/tasks`, written with gedcomkit: `cargo run --bin tasks` says how many
//! lines each takes, and what comes of it for the same files.

use gedcomkit::Document;
use gedcomkit::validate::inspect;
use gedcomkit::view::{FamilyView, IndividualView};
use std::error::Error;
use std::fs;
use std::path::Path;

type Failure = Box<dyn Error>;

pub fn faults(octets: &[u8]) -> Result<Vec<String>, Failure> {
    let (document, _) = Document::from_bytes(octets)?;
    Ok(inspect(&document).into_iter().map(|found| format!("{}: {}", found.record, found.message)).collect())
}

pub fn name(octets: &[u8], person: &str) -> Result<Option<String>, Failure> {
    let (document, _) = Document::from_bytes(octets)?;
    Ok(document.record(&format!("@{person}@")).and_then(|person| person.value_of("NAME")))
}

pub fn husband(octets: &[u8], family: &str) -> Result<Option<String>, Failure> {
    let (document, _) = Document::from_bytes(octets)?;
    let family = document.record(&format!("@{family}@"));
    let husband = family.and_then(|family| document.record(family.first("HUSB")?.pointer()?));
    Ok(husband.and_then(|husband| husband.value_of("NAME")))
}

pub fn birth_changed(octets: &[u8], person: &str, date: &str) -> Result<Vec<u8>, Failure> {
    let (mut document, _) = Document::from_bytes(octets)?;
    let person = document.record_mut(&format!("@{person}@")).ok_or("no such person")?;
    let birth = person.first_mut("BIRT").and_then(|birth| birth.first_mut("DATE"));
    birth.ok_or("no date of birth")?.set_value(Some(date.to_owned()));
    Ok(document.to_bytes())
}

pub fn events(octets: &[u8]) -> Result<Vec<String>, Failure> {
    let (document, _) = Document::from_bytes(octets)?;
    let of_people = document.records_of("INDI").flat_map(|person| IndividualView::from_node(person).events);
    let of_families = document.records_of("FAM").flat_map(|family| FamilyView::from_node(family).events);
    Ok(of_people.chain(of_families).filter_map(|event| event.date).collect())
}

fn main() -> Result<(), Failure> {
    for task in ["faults", "name", "husband", "birth_changed", "events"] {
        println!("{task:<14}{:>5} lines", lines_of(include_str!("tasks.rs"), task));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    for file in ["haugen.ged", "bell-ringers.ged", "damaged.ged"] {
        let octets = fs::read(folder.join(file))?;
        println!("\n{file}");
        println!("  faults found  {:?}", faults(&octets).map(|all| all.len()));
        println!("  name          {:?}", name(&octets, "I1"));
        println!("  husband       {:?}", husband(&octets, "F1"));
        println!(
            "  kept          {:?}",
            birth_changed(&octets, "I1", "1900").map(|after| kept(&octets, &after))
        );
        println!("  dated events  {:?}", events(&octets).map(|all| all.len()));
    }
    Ok(())
}

/// Counts the lines between the braces of a function.
fn lines_of(source: &str, function: &str) -> usize {
    let head = format!("pub fn {function}(");
    let body = source.lines().skip_while(|line| !line.starts_with(&head)).skip(1);
    body.take_while(|line| *line != "}").count()
}

/// Says how many lines of a file came through a change.
fn kept(before: &[u8], after: &[u8]) -> String {
    let mut lines: Vec<&[u8]> = before.split(|octet| *octet == b'\n').collect();
    let all = lines.len();
    lines.sort_unstable();
    let kept = after.split(|octet| *octet == b'\n').filter(|line| lines.binary_search(line).is_ok());
    format!("{} of {all} lines", kept.count())
}
