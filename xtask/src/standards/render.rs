//! Rendering of a table as a file of Rust.

use std::fmt::Write;

/// A table that is made.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// The standard, for the documentation.
    pub(super) title: &'static str,
    /// The variant of `Naming`.
    pub(super) naming: &'static str,
    pub(super) kinds: Vec<Kind>,
    pub(super) roots: Vec<Slot>,
}

/// A kind of structures.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) payloads: Payloads,
    pub(super) targets: Vec<String>,
    pub(super) values: Vec<String>,
    /// The indices of all supertypes.
    pub(super) supertypes: Vec<usize>,
    pub(super) slots: Vec<Slot>,
}

/// A place for substructures.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    pub(super) name: String,
    /// The index of the kind.
    pub(super) kind: usize,
    pub(super) cardinality: Cardinality,
}

/// The fewest and the most; `None` is any number.
pub(super) type Cardinality = (u32, Option<u32>);

/// The payloads: none, text, pointer.
pub(super) type Payloads = [bool; 3];

/// Reads a cell of payloads; an empty one stands for all of them.
pub(super) fn payloads(cell: &str) -> Result<Payloads, String> {
    const NAMES: [&str; 3] = ["none", "text", "pointer"];
    if let Some(other) = cell.split('|').find(|name| !name.is_empty() && !NAMES.contains(name)) {
        return Err(format!("expected none, text or pointer, but found `{other}`"));
    }
    Ok(NAMES.map(|name| cell.is_empty() || cell.split('|').any(|part| part == name)))
}

/// Reads the fewest and the most.
pub(super) fn cardinality(min: &str, max: &str) -> Result<Cardinality, String> {
    let number = |text: &str| text.parse().map_err(|_| format!("expected a number, but found `{text}`"));
    Ok((number(min)?, if max == "M" { None } else { Some(number(max)?) }))
}

impl Table {
    /// The table as a file of Rust.
    pub(super) fn render(&self, facts: &str) -> String {
        let mut out = format!(
            "//! The structures of {}.\n//!\n//! Made by `cargo xtask standards` of {facts}; not to be edited.\n\n\
             use crate::table::{{Kind, Naming, Slot, Table, kind, many, payloads, some}};\n\n\
             /// The table.\n\
             pub(crate) const TABLE: Table = Table {{ naming: Naming::{}, kinds: KINDS, roots: ROOTS }};\n\n\
             /// The structures that stand in no other.\n#[rustfmt::skip]\nconst ROOTS: &[Slot] = &{};\n\n\
             /// The kinds of structures, by their numbers.\n#[rustfmt::skip]\nconst KINDS: &[Kind] = &[\n",
            self.title,
            self.naming,
            slots(&self.roots),
        );
        for kind in &self.kinds {
            let [none, text, pointer] = kind.payloads;
            let _ = writeln!(
                out,
                "    kind({:?}, payloads({none}, {text}, {pointer}), &{:?}, &{:?}, &{:?}, &{}),",
                kind.name,
                kind.targets,
                kind.values,
                kind.supertypes,
                slots(&kind.slots)
            );
        }
        out.push_str("];\n");
        out
    }
}

fn slots(slots: &[Slot]) -> String {
    let slots: Vec<String> = slots
        .iter()
        .map(|Slot { name, kind, cardinality: (min, max) }| match max {
            Some(max) => format!("some({name:?}, {kind}, {min}, {max})"),
            None => format!("many({name:?}, {kind}, {min})"),
        })
        .collect();
    format!("[{}]", slots.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read() {
        assert_eq!(payloads(""), Ok([true; 3]));
        assert_eq!(payloads("none|pointer"), Ok([true, false, true]));
        assert_eq!(
            payloads("none|words"),
            Err("expected none, text or pointer, but found `words`".to_owned())
        );
        assert_eq!(cardinality("0", "M"), Ok((0, None)));
        assert_eq!(cardinality("1", "3"), Ok((1, Some(3))));
        assert_eq!(cardinality("1", "N"), Err("expected a number, but found `N`".to_owned()));
    }
}
