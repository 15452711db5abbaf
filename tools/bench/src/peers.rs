//! The parsers that a user would otherwise pick, on the same data in their formats.

use crate::case::Case;
use crate::forms::Form;
use serde::Deserialize;
use std::borrow::Cow;
use std::hint::black_box;

/// Every peer that may be linked here.
pub(crate) const PEERS: &[Case] = &[
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

/// A structure as serde reads it from JSON: as much borrowed as can be.
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
