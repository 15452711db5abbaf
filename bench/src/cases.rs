//! What the whole-file runner measures.

use crate::floors::{floor_nodes, floor_split};
use crate::forms::Form;
use elf_base::Rules;
use serde::Deserialize;
use std::borrow::Cow;
use std::hint::black_box;

/// One thing to measure: from a file in memory to what the case makes of it.
#[derive(Clone, Copy)]
pub struct Case {
    /// The name, as it is asked for and printed.
    pub name: &'static str,
    /// What is timed.
    pub what: &'static str,
    /// The form of its input.
    pub form: Form,
    /// Reads the input, keeps all it makes until the end, and returns how many things that was: lines, nodes,
    /// records. The count shows that nothing was skipped.
    pub run: fn(&[u8]) -> u64,
}

/// Every case, the floors first.
pub const CASES: &[Case] = &[
    Case {
        name: "floor_split",
        what: "lines split, not validated, not stored",
        form: Form::Gedcom,
        run: |input| {
            black_box(floor_split(input));
            line_count(input)
        },
    },
    Case {
        name: "floor_nodes",
        what: "UTF-8 validated, one 24-octet node a line",
        form: Form::Gedcom,
        run: |input| black_box(floor_nodes(input)).len() as u64,
    },
    Case { name: "lines", what: "elf-lines: every line parsed, not stored", form: Form::Gedcom, run: lines },
    Case {
        name: "ged_io",
        what: "ged_io 0.17: people, families and sources as structs",
        form: Form::Gedcom,
        run: |input| {
            let data = ged_io::GedcomBuilder::new().build_from_bytes(input);
            black_box(data).map_or(0, |data| (data.individuals.len() + data.families.len()) as u64)
        },
    },
    Case {
        name: "gedcom-core",
        what: "gedcom-core 0.0.2: a tree of records",
        form: Form::Gedcom555,
        run: |input| {
            let text = std::str::from_utf8(input).unwrap_or_default();
            let records = gedcom_core::data::records(text);
            black_box(records).map_or(0, |records| records.len() as u64)
        },
    },
    Case {
        name: "roxmltree",
        what: "roxmltree 0.21: the same data as XML, into an arena",
        form: Form::Xml,
        run: |input| {
            let text = std::str::from_utf8(input).unwrap_or_default();
            roxmltree::Document::parse(text).map_or(0, |tree| {
                black_box(tree).descendants().filter(|node| node.is_element()).count() as u64
            })
        },
    },
    Case {
        name: "serde_json",
        what: "serde_json 1: the same data as JSON, into borrowing structs",
        form: Form::Json,
        run: |input| {
            let records = serde_json::from_slice::<Vec<Structure<'_>>>(input);
            black_box(records).map_or(0, |records| records.len() as u64)
        },
    },
];

/// What serde makes of a structure in JSON: as much borrowed as can be.
#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "it is made, kept and dropped")]
struct Structure<'t> {
    #[serde(borrow)]
    tag: Cow<'t, str>,
    #[serde(borrow, default)]
    xref: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    payload: Option<Cow<'t, str>>,
    #[serde(borrow)]
    substructures: Vec<Structure<'t>>,
}

/// The case of that name.
pub fn named(name: &str) -> Option<&'static Case> {
    CASES.iter().find(|case| case.name == name)
}

fn line_count(input: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', input).count() as u64
}

fn lines(input: &[u8]) -> u64 {
    let text = std::str::from_utf8(input).unwrap_or_default();
    let rules = &Rules::DECEMBER_2019.lines;
    let lines = text.lines().filter_map(|line| elf_lines::parse(line, rules).ok());
    lines.map(|line| black_box(line)).count() as u64
}
