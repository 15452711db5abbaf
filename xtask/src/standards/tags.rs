//! Reads a standard whose structures have types and are distinguished by their tags: GEDCOM 7.0.

use super::paths::{read_texts, text_of};
use super::render::{Kind, Slot, Table, parse_cardinality, parse_payloads};
use super::{fact_rows, split_cell};
use std::collections::BTreeMap;

/// The row for records, which are in no structure.
const DATASET: &str = "(dataset)";

/// The types that may be empty: the start and the end of a file are not structures.
const PSEUDO: [&str; 2] = ["HEAD", "TRLR"];

/// The number of the line, and the cells after the type.
type Row<'t> = (usize, [&'t str; 5]);

/// Reads the facts. An error names the line.
pub(super) fn read_standard(title: &'static str, text: &str, values: &str) -> Result<Table, String> {
    let texts = read_texts(values)?;
    let mut types: BTreeMap<&str, Row<'_>> = BTreeMap::new();
    for row in fact_rows::<6>(text) {
        let (line, [name, cells @ ..]) = row?;
        if types.insert(name, (line, cells)).is_some() {
            return Err(format!("{line}: `{name}` has a row already"));
        }
    }
    let dataset = types.remove(DATASET).ok_or_else(|| format!("1: `{DATASET}` has no row"))?;
    let mut order: Vec<(&str, &str)> = types.iter().map(|(name, (_, [tag, ..]))| (*tag, *name)).collect();
    order.sort_unstable();
    let numbers: BTreeMap<&str, usize> =
        order.iter().enumerate().map(|(number, (_, name))| (*name, number)).collect();
    let slots = |cell: &str| -> Result<Vec<Slot>, String> {
        let mut slots = Vec::new();
        for place in split_cell(cell, ';') {
            let malformed = || format!("expected a type and its cardinality, but found `{place}`");
            let (name, limits) = place.split_once('{').ok_or_else(malformed)?;
            let (min, max) =
                limits.strip_suffix('}').and_then(|limits| limits.split_once(':')).ok_or_else(malformed)?;
            let kind = *numbers.get(name).ok_or_else(|| format!("nothing says what `{name}` is"))?;
            let name = order.get(kind).map_or("", |(tag, _)| tag).to_owned();
            slots.push(Slot { name, kind, cardinality: parse_cardinality(min, max)? });
        }
        slots.sort_by(|one, other| one.name.cmp(&other.name));
        match slots.iter().zip(slots.iter().skip(1)).find(|(one, other)| one.name == other.name) {
            Some((one, _)) => Err(format!("`{}` stands for two types", one.name)),
            None => Ok(slots),
        }
    };
    let kind = |name: &str, [tag, payload, targets, value, below]: [&str; 5]| -> Result<Kind, String> {
        Ok(Kind {
            name: tag.to_owned(),
            tag: tag.to_owned(),
            payloads: parse_payloads(payload)?,
            targets: split_cell(targets, '|'),
            text: text_of(value, &texts)?,
            supertypes: Vec::new(),
            slots: slots(below)?,
            must_say_something: !PSEUDO.contains(&name),
        })
    };
    let mut kinds = Vec::new();
    for (line, name, cells) in order.iter().filter_map(|(_, name)| {
        let (line, cells) = types.get(name)?;
        Some((line, *name, *cells))
    }) {
        kinds.push(kind(name, cells).map_err(|message| format!("{line}: {message}"))?);
    }
    let (line, [.., below]) = dataset;
    let roots = slots(below).map_err(|message| format!("{line}: {message}"))?;
    let numbers = numbers.into_iter().map(|(name, number)| (name.to_owned(), number)).collect();
    Ok(Table { title, naming: "Tag", kinds, roots, numbers, has_types: true, links: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_one_tag_are_told_apart() {
        let facts = "(dataset)\t\tnone\t\t\tB{0:M};TRLR{1:1}\nB\tB\tnone\t\t\tB-A{1:1}\nB-A\tA\ttext\t\t\tA{0:M}\n\
                     A\tA\tnone|text\t\t\t\nTRLR\tTRLR\tnone\t\t\t\n";
        let table = read_standard("x", facts, "").expect("good facts");
        let names: Vec<&str> = table.kinds.iter().map(|kind| kind.name.as_str()).collect();
        assert_eq!(names, ["A", "A", "B", "TRLR"]);
        assert_eq!((table.kinds[2].slots[0].kind, table.kinds[1].slots[0].kind), (1, 0));
        assert_eq!(table.roots.len(), 2);
        assert_eq!(
            table.kinds.iter().map(|kind| kind.must_say_something).collect::<Vec<_>>(),
            [true, true, true, false]
        );
    }

    #[test]
    fn faults_are_found() {
        let message = |rows: &str| {
            read_standard("x", &format!("(dataset)\t\tnone\t\t\t\n{rows}"), "").expect_err("a problem")
        };
        assert_eq!(message("A\tA\tnone\t\t\t\nA\tA\tnone\t\t\t\n"), "3: `A` has a row already");
        assert_eq!(message("A\tA\tnone\t\t\tB{0:1}\n"), "2: nothing says what `B` is");
        assert_eq!(message("A\tA\tnone\t\t\tB\n"), "2: expected a type and its cardinality, but found `B`");
        assert_eq!(
            message("A\tA\tnone\t\t\tA{0:1};B{0:1}\nB\tA\tnone\t\t\t\n"),
            "2: `A` stands for two types"
        );
        assert_eq!(read_standard("x", "", ""), Err("1: `(dataset)` has no row".to_owned()));
    }
}
