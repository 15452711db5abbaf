//! Finds the lines that a restriction notice locks (RESN, GEDCOM 5.5.1 and 7.0). Safe fixes do not change anything in a
//! locked record or event.

use elf_lines::may_begin_record;
use elf_octets::Locator;
use elf_tagged::{Document, Node};
use std::ops::Range;

/// The tag of a restriction notice.
const NOTICE: &str = "RESN";

/// The lines of locked structures. The ranges are in ascending order and do not touch each other.
pub(super) struct LockedLines(Vec<Range<u64>>);

impl LockedLines {
    pub(super) fn of(document: &Document<'_>, locator: &mut Locator<'_>) -> LockedLines {
        let mut locked: Vec<Range<u64>> = Vec::new();
        // Hardly any file has a restriction notice.
        if document.text().contains(NOTICE) {
            let notices = document.structures().filter(|node| is_lock(*node));
            for above in notices.filter_map(Node::superstructure) {
                let start = locator.line_number(above.span());
                // A structure within a locked structure is already in the list.
                if locked.last().is_some_and(|last| (last.start..last.end).contains(&start)) {
                    continue;
                }
                let behind = document.node(above.subtree_end()).filter(|node| !node.is_inserted());
                let end = behind.map_or(u64::MAX, |behind| locator.line_number(behind.span()));
                // A notice may follow other substructures of the structure that it locks.
                while locked.last().is_some_and(|last| start <= last.start) {
                    locked.pop();
                }
                locked.push(start..end);
            }
        }
        LockedLines(locked)
    }

    pub(super) fn contains(&self, line: u64) -> bool {
        let LockedLines(locked) = self;
        let at = locked.partition_point(|range| range.end <= line);
        locked.get(at).is_some_and(|range| range.start <= line)
    }
}

/// Returns whether a node is a restriction notice that locks its superstructure.
fn is_lock(node: Node<'_>) -> bool {
    node.tag() == NOTICE && node.text().split(',').any(|word| word.trim().eq_ignore_ascii_case("locked"))
}

/// Returns whether safe fixes must not add anything to a record. Nothing may be added to a record that is locked as a
/// whole. Nothing may be added either if a line in the record may be the start of another record, to which the
/// following lines would then belong.
pub(super) fn is_guarded(record: Node<'_>) -> bool {
    let is_doubtful =
        |node: Node<'_>| node.flags().is_raw() && node.line_payload().is_some_and(may_begin_record);
    record.substructures_tagged(NOTICE).any(is_lock) || record.subtree_lines().any(is_doubtful)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_locked_structures_are_known() {
        let file =
            b"0 HEAD\n0 @I1@ INDI\n1 NOTE one\n1 BIRT\n2 RESN LOCKED, PRIVACY\n2 DATE 1900\n\n1 SEX M\n\
            0 @I2@ INDI\n1 BIRT\n2 RESN Locked\n1 RESN locked\n0 @I3@ INDI\n1 RESN privacy\n0 @I4@ INDI\n1 NOTE x\nO @I5@ INDI\n0 TRLR\n";
        let document = Document::parse(file).expect("a small file");
        let locked = LockedLines::of(&document, &mut document.locator());
        let lines: Vec<u64> = (1..16).filter(|&line| locked.contains(line)).collect();
        assert_eq!(lines, [4, 5, 6, 7, 9, 10, 11, 12]);
        let records: Vec<bool> = document.records().map(is_guarded).collect();
        assert_eq!(records, [false, true, false, true]);
    }
}
