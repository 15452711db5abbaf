//! Outlets for the findings of a writer.

use elf_base::{Code, Diagnostic, Rules, Sink};
use std::borrow::Cow;

/// The destination of the findings of a writer.
pub(super) enum Reports<'w> {
    To(&'w mut dyn Sink),
    /// They are kept for whoever writes, who knows where they stand in the file that was read; with the node
    /// that they are about, where that is not the one at hand.
    PreservedEscapes(Vec<(Diagnostic, Option<u32>)>),
    Nobody,
}

impl Reports<'_> {
    pub(super) fn report(
        &mut self,
        code: Code,
        rules: &Rules,
        message: impl Into<Cow<'static, str>>,
        origin: Option<u32>,
    ) {
        let finding = || Diagnostic::new(code, rules, message);
        match self {
            Reports::To(sink) => sink.report(finding()),
            Reports::PreservedEscapes(kept) => kept.push((finding(), origin)),
            Reports::Nobody => {}
        }
    }

    /// Tells whether there are findings to be [taken](Reports::take).
    pub(super) const fn has_kept(&self) -> bool {
        matches!(self, Reports::PreservedEscapes(kept) if !kept.is_empty())
    }

    /// Takes the findings that were kept, each with its node.
    pub(super) fn take(&mut self) -> Vec<(Diagnostic, Option<u32>)> {
        match self {
            Reports::PreservedEscapes(kept) => std::mem::take(kept),
            Reports::To(_) | Reports::Nobody => Vec::new(),
        }
    }
}
