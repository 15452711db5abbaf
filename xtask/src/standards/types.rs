//! Reads a standard that names structures by their types.

use super::render::{Cardinality, Kind, Slot, Table, Text, parse_cardinality, parse_payloads};
use super::{fact_rows, split_cell};
use std::collections::BTreeMap;

const ELF: &str = "https://terms.fhiso.org/elf/";

/// The number of the line, and the cells after the type.
type Row<'t> = (usize, [&'t str; 8]);

/// Reads the facts. An error names the line.
pub(super) fn read_standard(text: &str) -> Result<Table, String> {
    let mut types: BTreeMap<String, Row<'_>> = BTreeMap::new();
    for row in fact_rows::<9>(text) {
        let (line, [name, cells @ ..]) = row?;
        if types.insert(iri(name).map_err(|error| format!("{line}: {error}"))?, (line, cells)).is_some() {
            return Err(format!("{line}: `{name}` has a row already"));
        }
    }
    let kinds = types
        .iter()
        .map(|(name, row)| build_kind(name, row, &types).map_err(|message| format!("{}: {message}", row.0)));
    let kinds = kinds.collect::<Result<Vec<Kind>, _>>()?;
    let numbers = types.keys().enumerate().map(|(number, iri)| (iri.replacen(ELF, "elf:", 1), number));
    let numbers = numbers.collect();
    let document = kinds.iter().find(|kind: &&Kind| kind.name.strip_prefix(ELF) == Some("Document"));
    let roots = document.map(|document| document.slots.clone()).unwrap_or_default();
    let links = Vec::new();
    Ok(Table { title: "the ELF data model", naming: "Type", kinds, roots, numbers, has_types: false, links })
}

fn build_kind(name: &str, row: &Row<'_>, types: &BTreeMap<String, Row<'_>>) -> Result<Kind, String> {
    let (_, [tag, supertypes, payload, targets, grammar, values, required, slots]) = row;
    let number = |name: &str| {
        types.keys().position(|known| known == name).ok_or_else(|| format!("`{name}` has no row"))
    };
    // Follow each supertype once, so that a cycle of them ends.
    let mut all: Vec<usize> = Vec::new();
    let mut open = split_cell(supertypes, '|');
    while let Some(supertype) = open.pop() {
        let supertype = iri(&supertype)?;
        let at = number(&supertype)?;
        if !all.contains(&at) {
            all.push(at);
            open.extend(
                types.get(&supertype).into_iter().flat_map(|(_, [_, above, ..])| split_cell(above, '|')),
            );
        }
    }
    all.sort_unstable();
    let mut places: BTreeMap<String, Cardinality> = BTreeMap::new();
    for place in slots.split(';').filter(|place| !place.is_empty()) {
        let (name, limits) = parse_slot(place)?;
        // If a type and its supertype both limit a substructure, both limits apply.
        let entry = places.entry(name).or_insert(limits);
        entry.0 = entry.0.max(limits.0);
        entry.1 = entry.1.into_iter().chain(limits.1).min();
    }
    let slots =
        places.into_iter().map(|(name, cardinality)| Ok(Slot { kind: number(&name)?, name, cardinality }));
    Ok(Kind {
        name: name.to_owned(),
        tag: (*tag).to_owned(),
        payloads: parse_payloads(payload)?,
        targets: split_cell(targets, '|').iter().map(|name| iri(name)).collect::<Result<_, _>>()?,
        text: Text::parse(grammar, values, required, "")?,
        supertypes: all,
        slots: slots.collect::<Result<_, String>>()?,
        must_say_something: false,
    })
}

/// Reads `elf:NAME{0:1}`, with or without the supertype from which it is inherited.
fn parse_slot(place: &str) -> Result<(String, Cardinality), String> {
    let malformed = || format!("expected a type and its cardinality, but found `{place}`");
    let (name, rest) = place.split_once('{').ok_or_else(malformed)?;
    let (limits, _) = rest.split_once('}').ok_or_else(malformed)?;
    let (min, max) = limits.split_once(':').ok_or_else(malformed)?;
    Ok((iri(name)?, parse_cardinality(min, max)?))
}

fn iri(name: &str) -> Result<String, String> {
    let local =
        name.strip_prefix("elf:").ok_or_else(|| format!("expected a type of ELF, but found `{name}`"))?;
    Ok(format!("{ELF}{local}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supertypes_are_followed_and_cardinalities_joined() {
        let facts = "elf:B\tB\telf:A\tnone\t\t\t\t\telf:C{1:M};elf:C{0:1}@elf:A\nelf:A\t\telf:C\t\t\t\t\t\t\nelf:C\tC\telf:A\ttext\t\t\tx|y\tshould\t\n";
        let table = read_standard(facts).expect("good facts");
        let [_, b, c] = table.kinds.as_slice() else { panic!("three kinds") };
        assert_eq!(b.supertypes, [0, 2]);
        assert_eq!((b.slots[0].kind, b.slots[0].cardinality), (2, (1, Some(1))));
        assert_eq!((&*b.tag, &*c.tag), ("B", "C"));
        assert_eq!(c.text.values, ["x", "y"]);
    }

    #[test]
    fn faults_are_found() {
        let message = |text| read_standard(text).expect_err("a problem");
        assert_eq!(message("A\t\t\t\t\t\t\t\t\n"), "1: expected a type of ELF, but found `A`");
        assert!(message("elf:A\t\telf:B\t\t\t\t\t\t\n").ends_with("elf/B` has no row"));
        assert!(
            message("elf:A\t\t\t\t\t\t\t\telf:A\n").starts_with("1: expected a type and its cardinality")
        );
        assert_eq!(message("elf:A\t\t\t\t\t\t\t\t\nelf:A\t\t\t\t\t\t\t\t\n"), "2: `elf:A` has a row already");
    }
}
