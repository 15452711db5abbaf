//! Each row of the facts about each standard, held against: what it allows gives no finding, what it does not
//! allow gives one.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

mod engine;
mod gedcom55;
mod gedcom70;
mod links;
mod media;
mod messages;
mod nasty;
mod paths;
mod pointers;
mod record_rules;
mod rules;
mod tags;
mod types;

use elf_validate::{Against, Standard};

/// The fewest and the most of a row.
type Cardinality = (u32, Option<u32>);

/// The kinds of payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    None,
    Text,
    Pointer,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::None, Kind::Text, Kind::Pointer];

    fn name(self) -> &'static str {
        ["none", "text", "pointer"][self as usize]
    }

    /// Returns whether a cell of kinds has this one.
    fn is_in(self, cell: &str) -> bool {
        cell.is_empty() || cell.split('|').any(|name| name == self.name())
    }

    /// The finding where a structure may not have this kind.
    fn fault(self) -> &'static str {
        if self == Kind::None { "payload-missing" } else { "payload-unexpected" }
    }
}

fn named(standard: Standard) -> Against {
    Against { standard, is_named: true }
}

fn cardinality(min: &str, max: &str) -> Cardinality {
    (min.parse().expect("a number"), (max != "M").then(|| max.parse().expect("a number")))
}

/// The rows of a file of facts.
fn rows(facts: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    facts.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}
