//! Collects or passes on the findings of a writer.

use crate::NodeId;
use elf_base::{Code, Diagnostic, Excerpt, Rules, Sink};
use std::borrow::Cow;

/// The destination of a writer's findings.
pub(super) enum Reports<'w> {
    To(&'w mut dyn Sink),
    /// Findings are collected for the caller, who knows their places in the input. A finding has a node if it is not
    /// about the current node.
    Held(Vec<(Diagnostic, Option<NodeId>)>),
    Nobody,
}

impl Reports<'_> {
    pub(super) fn report(
        &mut self,
        code: Code,
        rules: &Rules,
        message: impl Into<Cow<'static, str>>,
        origin: Option<NodeId>,
    ) {
        if !matches!(self, Reports::Nobody) {
            self.report_finding(Diagnostic::new(code, rules, message), origin);
        }
    }

    pub(super) fn report_finding(&mut self, finding: Diagnostic, origin: Option<NodeId>) {
        match self {
            Reports::To(sink) => sink.report(finding),
            Reports::Held(held) => held.push((finding, origin)),
            Reports::Nobody => {}
        }
    }

    pub(super) const fn has_held(&self) -> bool {
        matches!(self, Reports::Held(held) if !held.is_empty())
    }

    pub(super) fn take(&mut self) -> Vec<(Diagnostic, Option<NodeId>)> {
        match self {
            Reports::Held(held) => std::mem::take(held),
            Reports::To(_) | Reports::Nobody => Vec::new(),
        }
    }
}

pub(super) fn shorten(text: &str) -> String {
    Excerpt::short(text).into_owned()
}
