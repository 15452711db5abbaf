//! Says how two people are related, by every line: `cargo run --example kinship -- FILE IDENTIFIER IDENTIFIER`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_lineage::Lineage;
use elf_lineage::elf_schema::TypedDocument;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, one, other] = &*arguments else { return Err("expected a file and two identifiers".into()) };
    let octets = std::fs::read(file)?;
    kinship(&TypedDocument::parse(&octets)?, one, other).iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Returns a line for each relationship with the common ancestors, and the coefficient of relationship.
pub(crate) fn kinship(typed: &TypedDocument<'_>, one: &str, other: &str) -> Vec<String> {
    let lineage = Lineage::of(typed);
    let (Some(one), Some(other)) = (lineage.find_person(one), lineage.find_person(other)) else {
        return Vec::new();
    };
    let kinship = one.kinship(other);
    let mut lines = Vec::new();
    for relationship in kinship.relationships() {
        let ancestors = relationship.common_ancestors.iter().filter_map(|id| lineage.person(*id));
        let ancestors: Vec<String> = ancestors.map(|person| person.name().to_string()).collect();
        lines.push(format!("{}: {}", relationship.name(one.sex()), ancestors.join(" and ")));
    }
    lines.push(format!("{}", kinship.coefficient()));
    lines
}
