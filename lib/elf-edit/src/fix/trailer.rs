//! Moves a trailer that comes before other records to the end of the file.

use super::split::LineSplitter;
use super::{FixOptions, FixedFinding, Fixes};
use elf_base::{Diagnostic, FixAction};
use elf_octets::Patch;
use elf_tagged::Document;

/// Returns whether the fix of a finding moves a trailer. Such a fix removes a line of one record and adds a line after
/// another record.
pub(super) fn is_trailer_fix(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.action == FixAction::MoveTrailer)
}

impl Fixes {
    /// Removes the trailers that come before other records. Adds a trailer after the last record if the file does not
    /// end with one. If the last line has no line ending, the end of the file may be missing, so nothing is moved.
    pub(super) fn move_trailers(
        &mut self,
        document: &Document<'_>,
        splitter: &LineSplitter<'_>,
        findings: &[Diagnostic],
        options: FixOptions<'_>,
    ) {
        let source = document.source();
        let end = splitter.lines().end;
        let is_whole = source.line(end.saturating_sub(1)).is_some_and(|line| line.ending.is_some());
        if !source.is_last() || !is_whole {
            return;
        }
        let wanted =
            findings.iter().enumerate().filter(|(_, one)| is_trailer_fix(one) && options.wants_fix_of(one));
        let lines: Vec<(usize, u64)> =
            wanted.filter_map(|(index, one)| Some((index, one.place?.line))).collect();
        let Some(&(last, _)) = lines.last() else { return };
        let ends_well = document
            .nodes()
            .rev()
            .find(|node| node.superstructure().is_none())
            .is_some_and(|node| node.tag() == "TRLR");
        for (index, line) in lines {
            let mut patches = vec![self.add_patch(Patch::new(line..line + 1, ""))];
            let is_added = self.patches.iter().any(|patch| patch.lines.start >= end);
            if index == last && !ends_well && !is_added {
                let mut added = Patch::new(end..end, "0 TRLR\n");
                added.line_break = Some(source.line_break_of(&added));
                patches.push(self.add_patch(added));
            }
            self.fixed.push(FixedFinding { finding: index, patches });
        }
        self.sort_patches(self.patches.len());
    }

    /// Adds a patch and returns its index.
    fn add_patch(&mut self, patch: Patch) -> usize {
        self.patches.push(patch);
        self.patches.len() - 1
    }
}
