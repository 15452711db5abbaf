//! Remarks about a migration: losses and rearranged structures.

use elf_base::{Code, Diagnostic, Rules, Sink, codes};
use elf_tagged::{Document, NodeId};

#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) origin: NodeId,
    pub(crate) code: Code,
    pub(crate) message: String,
}

pub(crate) fn is_loss(code: Code) -> bool {
    [
        codes::STRUCTURE_NOT_CARRIED,
        codes::VALUE_NOT_CARRIED,
        codes::SCHEMA_CANNOT_BE_WRITTEN,
        codes::FAULTY_LINE_WRITTEN,
        codes::XREF_CANNOT_BE_WRITTEN,
        codes::POINTER_CANNOT_BE_WRITTEN,
        codes::ESCAPE_CANNOT_BE_KEPT,
        codes::CHARACTER_CANNOT_BE_WRITTEN,
    ]
    .contains(&code)
}

/// Reports remarks at the places of their structures. Returns the number of losses.
pub(crate) fn report(
    remarks: Vec<Remark>,
    document: &Document<'_>,
    rules: &Rules,
    sink: &mut dyn Sink,
) -> u64 {
    let mut losses = 0;
    if remarks.is_empty() {
        return losses;
    }
    let mut places = document.line_places();
    for Remark { origin, code, message } in remarks {
        losses += u64::from(is_loss(code));
        let finding = Diagnostic::new(code, rules, message);
        sink.report(match document.node(origin) {
            Some(node) => {
                let span = node.tag_span();
                finding.at(places.place(node, span), places.excerpt(node, span))
            }
            None => finding,
        });
    }
    losses
}
