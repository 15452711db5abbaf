//! Formats and titles of media that stand where GEDCOM 5.5.1 does not have them.

use elf_base::{Diagnostic, Rules, codes};
use elf_tagged::{Document, Node};

/// Finds the formats and titles that stand beside the `FILE` of a media record or link, as GEDCOM 5.5 has them, and not
/// under it, where programs that read GEDCOM 5.5.1 look for them. A writer within one standard moves no structures.
pub(crate) fn misplaced_media(document: &Document<'_>) -> Vec<Diagnostic> {
    let mut locator = document.locator();
    let media = document.nodes().filter(|node| node.tag() == "OBJE" && node.substructure("FILE").is_some());
    let misplaced = media.flat_map(|media| {
        let is_record = media.superstructure().is_none();
        media.substructures().filter(move |node| is_beside_file(*node, is_record))
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

/// Tells whether a structure under `OBJE` belongs under its `FILE`. The link to a file has its title under `OBJE`.
fn is_beside_file(node: Node<'_>, is_of_record: bool) -> bool {
    node.tag() == "FORM" || node.tag() == "TITL" && is_of_record
}
