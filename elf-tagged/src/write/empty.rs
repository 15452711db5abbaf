//! Leaves out empty structures under rules that do not allow them (GEDCOM 7.0 *Structures*).
//!
//! A record with an identifier may be empty, because other structures may point to it.
//!
//! It is known that a structure is empty only when the next structure comes. Until the next structure comes, the line
//! of the structure stays at the end of the text, after the lines of its superstructures that have no other content.

use super::{Writer, shorten};
use crate::NodeId;
use elf_base::codes;
use std::io;

/// A line of a structure that may be empty.
#[derive(Debug)]
pub(super) struct EmptyLine {
    level: u32,
    /// The offset in the text at which the line starts.
    start: usize,
    tag: Box<str>,
    xref: Option<Box<str>>,
    /// The node from which the structure was read.
    origin: Option<NodeId>,
}

impl<W: io::Write> Writer<'_, W> {
    #[inline]
    pub(super) fn leave_out_empty(&mut self, level: u32) {
        if self.empty.last().is_some_and(|last| last.level >= level) {
            self.leave_out_last(level);
        }
    }

    #[cold]
    fn leave_out_last(&mut self, level: u32) {
        while let Some(last) = self.empty.pop_if(|last| last.level >= level) {
            self.lines.text.truncate(last.start);
            self.lines.count -= 1;
            self.summary.structures -= 1;
            self.summary.records -= u64::from(last.level == 0);
            self.summary.dropped += 1;
            self.add_lost_identifier(last.xref.as_deref());
            let message =
                format!("left out `{}`: it has neither a payload nor substructures", shorten(&last.tag));
            self.summary.losses += 1;
            self.reports.report(codes::STRUCTURE_DROPPED, &self.rules, message, last.origin);
        }
    }

    /// Stores a structure whose line starts at `start`. `is_empty` is true if it has no payload.
    #[inline]
    pub(super) fn remember_possibly_empty(
        &mut self,
        level: u32,
        xref: Option<&str>,
        tag: &str,
        start: usize,
        is_empty: bool,
    ) {
        if self.rules.tagged.empty_structures {
            return;
        }
        let can_be_pointed_to = level == 0 && xref.is_some();
        if is_empty && !can_be_pointed_to {
            let (tag, xref) = (tag.into(), xref.map(Box::from));
            self.empty.push(EmptyLine { level, start, tag, xref, origin: self.node });
        } else {
            self.empty.clear();
        }
    }
}
