//! The facts about GEDCOM 7.1: those about GEDCOM 7.0 and the additions of the draft.

use std::collections::BTreeMap;

/// The path of the facts about the draft.
pub(crate) const FACTS: &str = "lib/elf-validate/facts/gedcom71.tsv";

/// The namespaces of the types of GEDCOM 7.0 and of the types that only the draft of 7.1 has.
const NAMESPACES: [&str; 2] = ["https://gedcom.io/terms/v7/", "https://gedcom.io/terms/v7.1/"];

/// The prefix, in the facts, of types that only the draft has.
const OF_DRAFT: &str = "7.1:";

/// Returns the IRI of a type by its name in the facts.
pub(crate) fn iri_of(name: &str) -> String {
    match name.strip_prefix(OF_DRAFT) {
        Some(name) => format!("{}{name}", NAMESPACES[1]),
        None => format!("{}{name}", NAMESPACES[0]),
    }
}

/// Returns the name of a type with its prefix, as in a schema.
pub(crate) fn with_prefix(name: &str) -> String {
    match name.strip_prefix(OF_DRAFT) {
        Some(name) => format!("g71:{name}"),
        None => format!("g7:{name}"),
    }
}

/// Adds rows to the facts: new types, and new substructures of existing types. An error names the line of the
/// additions.
pub(crate) fn apply_additions(facts: &str, additions: &str) -> Result<String, String> {
    let rows = |text: &str| -> Vec<(usize, Vec<String>)> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
        lines.map(|(at, line)| (at + 1, line.split('\t').map(str::to_owned).collect())).collect()
    };
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, cells) in rows(facts) {
        types.insert(cells.first().cloned().unwrap_or_default(), cells);
    }
    for (line, cells) in rows(additions) {
        let [name, tag, .., below] = cells.as_slice() else {
            return Err(format!("{line}: expected six columns"));
        };
        match types.get_mut(name) {
            Some(known) if tag.is_empty() => add_places(known, below),
            None if !tag.is_empty() => _ = types.insert(name.clone(), cells),
            _ => return Err(format!("{line}: `{name}` is not new, or not known")),
        }
    }
    Ok(types.into_values().map(|cells| cells.join("\t") + "\n").collect())
}

/// Adds the places of substructures to a row. An existing place gets the new cardinality.
fn add_places(cells: &mut [String], more: &str) {
    let Some(below) = cells.last_mut() else { return };
    let name = |place: &str| place.split('{').next().unwrap_or_default().to_owned();
    let added: Vec<&str> = more.split(';').collect();
    let kept = below
        .split(';')
        .filter(|place| !place.is_empty() && !added.iter().any(|one| name(one) == name(place)));
    *below = kept.chain(added.iter().copied()).collect::<Vec<_>>().join(";");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_added_and_places_replaced() {
        let facts = "# x\nA\tA\tnone\t\t\tB{0:1};C{0:1}\nB\tB\ttext\t\t\t\n";
        let added = apply_additions(facts, "7.1:D\tD\ttext\t\t\t\nA\t\t\t\t\tB{0:M};7.1:D{0:1}\n")
            .expect("good rows");
        let expected = "7.1:D\tD\ttext\t\t\t\nA\tA\tnone\t\t\tC{0:1};B{0:M};7.1:D{0:1}\nB\tB\ttext\t\t\t\n";
        assert_eq!(added, expected);
        assert!(
            apply_additions(facts, "C\t\t\t\t\tB{0:M}\n").is_err()
                && apply_additions(facts, "A\tA\tnone\t\t\t\n").is_err()
        );
        assert_eq!(iri_of("7.1:D"), "https://gedcom.io/terms/v7.1/D");
        assert_eq!((with_prefix("7.1:D"), with_prefix("A")), ("g71:D".to_owned(), "g7:A".to_owned()));
    }
}
