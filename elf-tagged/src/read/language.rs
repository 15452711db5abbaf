//! Checks PLANG and DTYPE, which describe the payload of their superstructure (D19 *Tags*).

use crate::read::escape::{EscapeTypes, unescape};
use crate::read::report::SpanFinding;
use crate::read::tree::build::{Builder, Flow};
use crate::read::tree::{NONE, flag};
use elf_base::{codes, is_language_tag};

/// The message for a payload language that is not a language tag.
pub(crate) const NO_LANGUAGE_TAG: &str = "expected a language tag such as `en` or `pt-BR`";

impl Builder<'_, '_> {
    /// Checks the last PLANG or DTYPE when its payload is complete.
    #[cold]
    pub(crate) fn check_description(&mut self) -> Flow {
        let Some(node) = self.description.take() else { return Flow::Continue };
        let view = self.view();
        let parent = view.nodes.parent(node);
        let tag = if view.tag(node) == "PLANG" { "PLANG" } else { "DTYPE" };
        let misuse = if parent == NONE {
            Some("is a record, so it does not describe a payload")
        } else if view.flags(node) & flag::POINTER != 0 {
            Some("has a pointer as its payload")
        } else if view.flags(parent) & flag::POINTER != 0 {
            Some("is under a pointer, but can only describe text")
        } else if !self.described.insert((parent, tag)) {
            Some("is repeated; the first one is used")
        } else {
            None
        };
        if let Some(misuse) = misuse {
            return self.report_about(codes::RESERVED_TAG_MISUSED, node, format!("`{tag}` {misuse}"));
        }
        if tag == "PLANG" && !is_language_tag(&self.payload_of_last_structure(node)) {
            let view = self.view();
            let span = view.payload_span(node);
            let span = if span.is_empty() { view.tag_span(node) } else { span };
            return self
                .report_finding(node, SpanFinding::new(codes::LANGUAGE_MALFORMED, span, NO_LANGUAGE_TAG));
        }
        Flow::Continue
    }

    /// Returns the merged and unescaped payload of the last structure. The end of that structure is not known yet, so
    /// only its continuation lines may follow it.
    fn payload_of_last_structure(&mut self, node: u32) -> String {
        let end = self.next_index();
        self.nodes.set_end(node, end);
        let grammar = self.rules.tagged.escape;
        let mut text = String::new();
        for line in self.view().payload_lines(node) {
            text.extend(std::iter::repeat_n('\n', line.breaks));
            text.push_str(&unescape(line.text, grammar, EscapeTypes::NONE));
        }
        text
    }
}
