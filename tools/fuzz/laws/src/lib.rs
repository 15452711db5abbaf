//! Laws of every input, as functions that panic where it does not.
//!
//! The fuzz targets feed them whatever they invent, and an ordinary test of `xtask` feeds them the seeds, so
//! that a law is kept on every machine. A law takes any octets, well-formed or not, and reads them by rules
//! that come with them.

mod archive;
mod comparison;
mod config;
mod conversion;
mod dataset;
mod edit;
mod edits;
mod input;
mod lineage;
mod lines;
mod migration;
mod mutation;
mod octets;
mod redaction;
mod render;
mod runs;
mod schema;
mod second_reader;
mod tables;
mod tree;
mod validation;
mod values;
mod write;

pub use input::Input;
pub use mutation::{Material, dictionary, mutated};

/// A law of every input: it panics where an input breaks it.
pub type Law = fn(&Input<'_>);

/// Every law by the name of its target and of its folder of seeds.
pub const LAWS: &[(&str, Law)] = &[
    ("octets", octets::octets),
    ("lines", lines::lines),
    ("values", values::values),
    ("tree", tree::tree),
    ("runs", runs::runs),
    ("write", write::write),
    ("edit", edit::edit),
    ("edits", edits::edits),
    ("schema", schema::schema),
    ("conversion", conversion::conversion),
    ("second_reader", second_reader::second_reader),
    ("dataset", dataset::dataset),
    ("comparison", comparison::comparison),
    ("validation", validation::validation),
    ("lineage", lineage::lineage),
    ("redaction", redaction::redaction),
    ("tables", tables::tables),
    ("migration", migration::migration),
    ("render", render::render),
    ("config", config::config),
    ("archive", archive::archive),
];

/// Hands out the runs of a document, of about `size` octets each.
fn runs_of(input: &Input<'_>, size: usize, mut take: impl FnMut(&elf_schema::TypedDocument<'_>)) {
    let options = elf_schema::ReadOptions::default();
    let mut reader = elf_schema::Reader::new(input.octets, input.rules, options).with_run_size(size);
    while let Some(run) = reader.next_run(&mut ()).expect("octets in memory") {
        take(&run);
    }
}

/// Returns whether a file has faults by the rules it is read by; what becomes of those is for recovery to say.
fn has_faults(input: &Input<'_>) -> bool {
    let mut faults = false;
    let mut take = |found: elf_base::Diagnostic| faults |= found.class.is_error();
    let options = elf_schema::ReadOptions::default();
    let typed = elf_schema::read(input.octets, input.rules, &options, &mut take);
    let is_complete = typed.is_ok_and(|typed| typed.document().is_complete());
    faults || !is_complete
}

/// The findings with their places, in any order.
fn said(findings: &[elf_base::Diagnostic]) -> Vec<String> {
    let one = |finding: &elf_base::Diagnostic| {
        format!("{:?} {}: {} {:?}", finding.place, finding.code, finding.message, finding.related)
    };
    let mut said: Vec<String> = findings.iter().map(one).collect();
    said.sort();
    said
}

/// Level, identifier, tag and payload of a structure, to be compared and read.
fn summary(node: elf_tagged::Node<'_>) -> String {
    let level = node.with_ancestors().count() - 1;
    let payload = match node.payload() {
        // An empty text is written as none.
        elf_tagged::Payload::None => String::new(),
        elf_tagged::Payload::Text(text) if text.is_empty() => String::new(),
        elf_tagged::Payload::Text(text) => format!(" {text:?}"),
        elf_tagged::Payload::Pointer(id) => format!(" @{id}@"),
    };
    format!("{level} {}{}{payload}", node.xref().map(|id| format!("@{id}@ ")).unwrap_or_default(), node.tag())
}
