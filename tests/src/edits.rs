//! Edits files in tests and collects the findings that the edits introduce.

#![allow(clippy::expect_used, reason = "the files of tests are small")]

use elf_base::{Diagnostic, Rules, Sink};
use elf_edit::{Cascaded, Edit, EditOptions, Editor};
use elf_octets::Patch;
use elf_schema::ReadOptions;
use elf_tagged::codes;

/// The result of editing a file.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    /// The bytes of the edited file.
    pub octets: Vec<u8>,
    /// The changed lines.
    pub patches: Vec<Patch>,
    /// The findings that the edits introduce.
    pub findings: Vec<Diagnostic>,
    /// The number of findings that are errors.
    pub faults: u64,
    /// The structures that were removed because they pointed to a removed structure.
    pub cascaded: Vec<Cascaded>,
}

/// Applies edits to a file. `None` if one of them is refused.
///
/// # Panics
///
/// If the file is larger than any in a test.
pub fn apply_edits(octets: &[u8], rules: &Rules, edits: &[Edit], options: EditOptions) -> Option<Outcome> {
    let reading = ReadOptions::default();
    let mut before = Vec::new();
    let typed = elf_schema::read(octets, rules, &reading, &mut without_undefined_tags(&mut before));
    let typed = typed.expect("small");
    let mut editor = Editor::new(typed.document()).with_options(options);
    edits.iter().try_for_each(|edit| editor.apply(edit, &mut ())).ok()?;
    let mut findings = Vec::new();
    let edited = editor.finish_with(
        || Ok(before),
        |octets, sink| {
            let typed = elf_schema::read(octets, rules, &reading, &mut without_undefined_tags(sink))?;
            Ok(typed.into_parts().0)
        },
        &mut findings,
    );
    let edited = edited.ok()?;
    let cascaded = editor.cascaded();
    let (patches, faults) = (edited.patches, edited.faults);
    Some(Outcome { octets: edited.octets.into_owned(), patches, findings, faults, cascaded })
}

/// Wraps a sink so that findings about undefined tags are dropped, as in `elf edit`.
fn without_undefined_tags(sink: &mut dyn Sink) -> impl Sink + '_ {
    move |finding: Diagnostic| {
        if finding.code != codes::TAG_UNDEFINED {
            sink.report(finding);
        }
    }
}
