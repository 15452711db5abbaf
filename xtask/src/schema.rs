//! `cargo xtask schema [--check]`: generates the built-in schemas, the vocabulary, the dictionary of vendor tags, and
//! the tables of datatypes and correspondences from files of facts.
//!
//! The generated files are committed, so that a build needs no generator. `--check` writes nothing and fails if a file
//! differs from what the facts give.

mod correspondences;
mod datatypes;
mod facts;
mod gedcom_7;
mod render;
mod rows;
mod vendors;

use crate::{Outcome, additions};
use facts::{Facts, SchemaKind};
use std::path::Path;
use vendors::Vendors;

/// A generated file: its path, and the function that generates it.
type Output = (&'static str, fn(&Facts) -> Result<String, String>);

/// The facts about structure types.
const FACTS: &str = "elf-schema/facts/default-schema.tsv";

/// The facts about the datatypes of payloads.
const DATATYPES: &str = "elf-schema/facts/datatypes.tsv";

/// The facts about corresponding types of other standards.
const CORRESPONDENCES: &str = "elf-schema/facts/correspondences.tsv";

/// The facts about the structures of GEDCOM 7.
const GEDCOM_7: &str = "lib/elf-validate/facts/gedcom70.tsv";

/// The facts about the types of values of GEDCOM 7.
const VALUES: &str = "lib/elf-validate/facts/gedcom70-values.tsv";

/// The facts about the supertypes of structures of GEDCOM 7.
const SUPERTYPES: &str = "elf-schema/facts/gedcom-7.tsv";

/// The facts about the producers of vendor tags.
const PRODUCERS: &str = "elf-schema/facts/vendor-producers.tsv";

/// The facts about vendor tags.
const VENDOR_TAGS: &str = "elf-schema/facts/vendor-tags.tsv";

/// The generated files, except those of the dictionary.
const OUTPUTS: &[Output] = &[
    ("elf-schema/builtin/published.ged", |facts| Ok(render::render_schema(facts, SchemaKind::Published))),
    ("elf-schema/builtin/completed.ged", |facts| Ok(render::render_schema(facts, SchemaKind::Completed))),
    ("elf-schema/builtin/gedcom-7.ged", |facts| Ok(gedcom_7::render_schema(facts, &facts.gedcom_7))),
    ("elf-schema/builtin/gedcom-7-1.ged", |facts| Ok(gedcom_7::render_schema(facts, &facts.gedcom_7_1))),
    ("elf-schema/src/vocabulary.rs", |facts| Ok(render::render_vocabulary(facts))),
    ("elf-schema/src/datatypes.rs", |facts| Ok(datatypes::render_datatypes(facts))),
    ("elf-schema/src/correspondences/table.rs", |facts| Ok(correspondences::render_correspondences(facts))),
];

pub(crate) fn run(root: &Path, arguments: &[String]) -> Outcome {
    let check = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => false,
        ["--check"] => true,
        _ => return Err("usage: cargo xtask schema [--check]".to_owned()),
    };
    let read =
        |path: &str| std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let mut facts = Facts::read_facts(&read(FACTS)?).map_err(|problem| format!("{FACTS}:{problem}"))?;
    facts.datatypes = datatypes::read_datatypes(&read(DATATYPES)?, &facts)
        .map_err(|problem| format!("{DATATYPES}:{problem}"))?;
    facts.correspondences = correspondences::read_correspondences(&read(CORRESPONDENCES)?, &facts)
        .map_err(|problem| format!("{CORRESPONDENCES}:{problem}"))?;
    facts.gedcom_7 = gedcom_7::read_structures(&read(GEDCOM_7)?, &read(SUPERTYPES)?, &facts)
        .map_err(|problem| format!("{GEDCOM_7} or {SUPERTYPES}:{problem}"))?;
    let of_draft = additions::apply_additions(&read(GEDCOM_7)?, &read(additions::FACTS)?)
        .map_err(|problem| format!("{}:{problem}", additions::FACTS))?;
    facts.gedcom_7_1 = gedcom_7::read_structures(&of_draft, &read(SUPERTYPES)?, &facts)
        .map_err(|problem| format!("{} or {SUPERTYPES}:{problem}", additions::FACTS))?;
    facts.datatypes_of_gedcom_7 = gedcom_7::text_datatypes(&facts.gedcom_7_1, &read(VALUES)?)
        .map_err(|problem| format!("{VALUES}:{problem}"))?;
    let mut made = Vec::new();
    for (path, render) in OUTPUTS {
        made.push(((*path).to_owned(), render(&facts)?));
    }
    let vendors = Vendors::read_vendors(&read(PRODUCERS)?, &read(VENDOR_TAGS)?, &facts)
        .map_err(|problem| format!("{PRODUCERS} or {VENDOR_TAGS}:{problem}"))?;
    made.extend(vendor_files(&vendors, &facts));
    write_changed(root, &made, check)
}

/// The paths and texts of the files that are generated from the dictionary of vendor tags.
fn vendor_files(vendors: &Vendors, facts: &Facts) -> Vec<(String, String)> {
    let mut files = vec![
        ("elf-schema/src/vendors/table.rs".to_owned(), vendors.render_tables(facts)),
        ("elf-schema/builtin/vendors/common.ged".to_owned(), vendors.render_common_schema(facts)),
    ];
    for (number, producer) in vendors.producers.iter().enumerate() {
        let path = format!("elf-schema/builtin/vendors/{}.ged", producer.key);
        files.push((path, vendors.render_schema_of(number, facts)));
    }
    files
}

/// Writes the files that differ from the facts. With `check`, names them in an error instead.
fn write_changed(root: &Path, files: &[(String, String)], check: bool) -> Outcome {
    let mut stale = Vec::new();
    for (path, made) in files {
        let file = root.join(path);
        if std::fs::read_to_string(&file).ok().as_deref() == Some(made.as_str()) {
            println!("schema: {path}: ok");
        } else if check {
            println!("schema: {path}: differs");
            stale.push(path.as_str());
        } else {
            std::fs::write(&file, made).map_err(|error| format!("{path}: {error}"))?;
            println!("schema: {path}: written");
        }
    }
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!("{} not what the facts give; run `cargo xtask schema`", stale.join(", ")))
    }
}
