//! Finds formats and titles of media that are not where GEDCOM 5.5.1 expects them.

use elf_base::{Diagnostic, Rules, codes};
use elf_tagged::{Document, Node};

/// Reports each format and title beside the `FILE` of a media record or link. GEDCOM 5.5 has them there, but programs
/// that read GEDCOM 5.5.1 look for them under `FILE`. A conversion within one standard moves no structures.
pub(crate) fn find_misplaced_media(document: &Document<'_>) -> Vec<Diagnostic> {
    let mut locator = document.locator();
    let media = document.nodes().filter(|node| node.tag() == "OBJE" && node.substructure("FILE").is_some());
    let misplaced = media.flat_map(|media| {
        let is_record = media.superstructure().is_none();
        media.substructures().filter(move |node| belongs_under_file(*node, is_record))
    });
    let report = move |node: Node<'_>| {
        let message = format!("`{}` stays beside `FILE`: GEDCOM 5.5.1 has it under `FILE`", node.tag());
        let help = "`elf convert --to-rules gedcom-7` moves it; `elf edit --move` moves it within the file";
        let span = node.tag_span();
        Diagnostic::new(codes::STRUCTURE_NOT_CARRIED, &Rules::GEDCOM_5_5_1, message)
            .help(help)
            .at(locator.place(span), locator.excerpt(span))
    };
    misplaced.map(report).collect()
}

// Returns whether the structure belongs under `FILE`. The title of a link to a file belongs under
// `OBJE`, but the title of a record belongs under `FILE`.
fn belongs_under_file(node: Node<'_>, is_of_record: bool) -> bool {
    node.tag() == "FORM" || node.tag() == "TITL" && is_of_record
}
