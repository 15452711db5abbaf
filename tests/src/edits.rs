//! Edits of a file in two ways: of all of it, and of the parts of it that they concern.

#![allow(clippy::expect_used, reason = "what is in memory can be read")]

use elf_base::{Diagnostic, Rules, Sink};
use elf_edit::{Cascaded, Edit, EditOptions, EditScope, Edited, Editor, FileOutline, PartOutline};
use elf_octets::{Options, Patch, ReplacedReader, Rereading};
use elf_schema::ReadOptions;
use elf_tagged::{Reader, TooLarge, Xrefs, codes};
use std::io::{Cursor, Read};

/// The result of edits of a file.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    /// The octets of the edited file.
    pub octets: Vec<u8>,
    /// The lines that change.
    pub patches: Vec<Patch>,
    /// The findings that the edits brought about.
    pub findings: Vec<Diagnostic>,
    /// The number of faults among that.
    pub faults: u64,
    /// The structures that went with what was removed.
    pub cascaded: Vec<Cascaded>,
}

fn make<'o>(
    mut editor: Editor<'o>,
    edits: &[Edit],
    rules: &Rules,
) -> Option<(Editor<'o>, Edited<'o>, Vec<Diagnostic>)> {
    edits.iter().try_for_each(|edit| editor.apply(edit, &mut ())).ok()?;
    let mut check = |octets: &[u8], sink: &mut dyn Sink| -> Result<(), TooLarge> {
        let mut news = |finding: Diagnostic| {
            if finding.code != codes::TAG_UNDEFINED {
                sink.report(finding);
            }
        };
        elf_schema::read(octets, rules, &ReadOptions::default(), &mut news).map(drop)
    };
    let mut findings = Vec::new();
    let edited = editor.finish_checked(&mut check, &mut findings).ok()?;
    Some((editor, edited, findings))
}

/// Returns the outcome of edits of the whole file; `None` where one of them is refused.
///
/// # Panics
///
/// If the file is larger than any of a test.
pub fn whole(octets: &[u8], rules: &Rules, edits: &[Edit], options: EditOptions) -> Option<Outcome> {
    let editor =
        Editor::open_with(octets, rules, &Options::default(), &ReadOptions::default()).expect("small");
    let (editor, edited, findings) = make(editor.with_options(options), edits, rules)?;
    let Edited { patches, faults, .. } = edited;
    let cascaded = editor.cascaded();
    Some(Outcome { octets: edited.octets.into_owned(), patches, findings, faults, cascaded })
}

/// Returns the outcome by parts of about `size` octets; `None` where they are not enough.
///
/// # Panics
///
/// If the file is larger than any of a test.
pub fn in_parts(
    octets: &[u8],
    rules: &Rules,
    edits: &[Edit],
    options: EditOptions,
    size: usize,
) -> Option<Outcome> {
    let scope = EditScope::of(edits).filter(|_| !Xrefs::are_needed(rules))?;
    let mut file = Rereading::of(Cursor::new(octets));
    let mut reader = Reader::new(&mut file, rules, &Options::default()).with_run_size(size);
    let mut outline = FileOutline::new();
    while let Some(part) = reader.next_run_with(&ReadOptions::default(), &mut ()).expect("memory") {
        outline.add(PartOutline::of(&part, &scope));
    }
    let parts = outline.concerned(&scope, options.cascade, reader.line_breaks())?;
    let mut joined = Vec::new();
    parts.ranges().try_for_each(|range| file.read_range(range, &mut joined)).expect("memory");
    let editor =
        Editor::open_with(&joined, rules, &Options::default(), &ReadOptions::default()).expect("small");
    let editor = parts.style(editor.with_options(options))?;
    let (editor, edited, findings) = make(editor, edits, rules)?;
    let placed = parts.place(&editor, &edited, findings)?;
    let keeps = parts.keep_encoding(&mut file, &placed.replacements, (rules, &Options::default()));
    let mut octets = Vec::new();
    let mut read = ReplacedReader::new(file.restart().expect("memory"), &placed.replacements);
    read.read_to_end(&mut octets).expect("memory");
    let (patches, findings, cascaded) = (placed.patches, placed.findings, placed.cascaded);
    keeps.expect("memory").then_some(Outcome { octets, patches, findings, faults: edited.faults, cascaded })
}
