//! Which lines of a redacted file are lines of the file itself.

use elf_tagged::elf_octets::Patch;

/// Where a line of a redacted file comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineOrigin {
    /// The number of the line in the file. For a line that the redaction made, the line that it stands for.
    pub(crate) line: u64,
    /// True if the line is the same in the file.
    pub(crate) is_same: bool,
}

/// The lines of a redacted file and of the file that it was made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineMap {
    /// The changes, in order.
    changes: Vec<LineChange>,
}

/// Lines of the file that are left out, and lines in their place.
#[derive(Clone, Copy, Debug)]
struct LineChange {
    /// The first of the lines in the file.
    start: u64,
    removed: u64,
    /// The first of the lines in the redacted file.
    new_start: u64,
    added: u64,
}

impl LineMap {
    /// The map of a file that was changed by patches.
    pub(crate) fn of(patches: &[Patch]) -> LineMap {
        let (mut removed_before, mut added_before) = (0, 0);
        let mut changes = Vec::with_capacity(patches.len());
        for patch in patches {
            let start = patch.lines.start;
            let removed = patch.lines.end.saturating_sub(start);
            let added = patch.with.lines().count() as u64;
            let new_start = start + added_before - removed_before;
            changes.push(LineChange { start, removed, new_start, added });
            removed_before += removed;
            added_before += added;
        }
        LineMap { changes }
    }

    /// The lines of the file that are left out or replaced, in order.
    pub(crate) fn changed_lines(&self) -> impl Iterator<Item = u64> {
        self.changes.iter().flat_map(|change| change.start..change.start + change.removed)
    }

    /// Where a line of the redacted file comes from.
    pub(crate) fn find_origin(&self, line: u64) -> LineOrigin {
        let before = self.changes.partition_point(|change| change.new_start <= line);
        let Some(change) = before.checked_sub(1).and_then(|at| self.changes.get(at)) else {
            return LineOrigin { line, is_same: true };
        };
        let offset = line - change.new_start;
        if offset < change.added {
            let last = change.removed.saturating_sub(1);
            return LineOrigin { line: change.start + offset.min(last), is_same: false };
        }
        LineOrigin { line: change.start + change.removed + (offset - change.added), is_same: true }
    }

    /// For the map of edits of a redacted file: the line of the edited file that an edited redacted line is. `redaction` is the
    /// map of the redaction, and `edits` the map of the same edits of the file.
    pub(crate) fn line_in_twin(&self, line: u64, redaction: &LineMap, edits: &LineMap) -> u64 {
        let origin = self.find_origin(line);
        if origin.is_same {
            return edits.shown_from(redaction.find_origin(origin.line).line);
        }
        // New lines come after the same line in both.
        let before = self.changes.partition_point(|change| change.new_start <= line).checked_sub(1);
        let Some(change) = before.and_then(|at| self.changes.get(at)) else { return line };
        let above = redaction.find_origin(change.start.saturating_sub(1)).line;
        let above = if change.start > 1 { edits.shown_from(above) } else { 0 };
        above + 1 + (line - change.new_start)
    }

    /// The line of the redacted file that is this line of the file; `None` if the line is hidden.
    pub(crate) fn shown(&self, line: u64) -> Option<u64> {
        let before = self.changes.partition_point(|change| change.start <= line);
        let Some(change) = before.checked_sub(1).and_then(|at| self.changes.get(at)) else {
            return Some(line);
        };
        let offset = line - change.start;
        (offset >= change.removed).then(|| change.new_start + change.added + (offset - change.removed))
    }

    /// The first line of the redacted file that is this line of the file or a later one.
    pub(crate) fn shown_from(&self, line: u64) -> u64 {
        let before = self.changes.partition_point(|change| change.start <= line);
        let Some(change) = before.checked_sub(1).and_then(|at| self.changes.get(at)) else { return line };
        let offset = line - change.start;
        match offset.checked_sub(change.removed) {
            Some(behind) => change.new_start + change.added + behind,
            None => change.new_start + change.added,
        }
    }
}

impl LineMap {
    /// The first line of the redacted file that stands for this line of the file or for a later one. Lines that the
    /// redaction made count, by the line that each stands for.
    pub(crate) fn first_line_for(&self, line: u64) -> u64 {
        let before = self.changes.partition_point(|change| change.start <= line);
        let Some(change) = before.checked_sub(1).and_then(|at| self.changes.get(at)) else { return line };
        let offset = line - change.start;
        let last = change.removed.saturating_sub(1);
        match offset <= last {
            // All lines that were added after the last removed one stand for that one.
            true => change.new_start + offset.min(change.added),
            false => self.shown_from(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_both_directions() {
        // a b c d e f  →  a X Y d f Z
        let patches = [Patch::new(2..4, "X\nY\n"), Patch::new(5..6, ""), Patch::new(7..7, "Z\n")];
        let map = LineMap::of(&patches);
        let origins: Vec<(u64, bool)> =
            (1..=6).map(|line| map.find_origin(line)).map(|of| (of.line, of.is_same)).collect();
        assert_eq!(origins, [(1, true), (2, false), (3, false), (4, true), (6, true), (7, false)]);
        let shown: Vec<Option<u64>> = (1..=6).map(|line| map.shown(line)).collect();
        assert_eq!(shown, [Some(1), None, None, Some(4), None, Some(5)]);
        let from: Vec<u64> = (1..=6).map(|line| map.shown_from(line)).collect();
        assert_eq!(from, [1, 4, 4, 4, 5, 5]);
        for line in 1..=7 {
            let expected = (1..=7).find(|new| map.find_origin(*new).line >= line).unwrap_or(7);
            assert_eq!(map.first_line_for(line), expected, "{line}");
        }
        let same = LineMap::default();
        assert_eq!((same.find_origin(9).line, same.shown(9), same.shown_from(9)), (9, Some(9), 9));
    }
}
