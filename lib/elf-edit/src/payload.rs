//! Finds the lines of a payload that do not change when the payload changes.
//!
//! A payload is split at its line breaks into *parts*. A part is the text on the structure's own line or on a CONT
//! line, together with the CONC lines that follow it. If parts at the start and at the end have the same text as
//! before, they keep their lines, however these are spelled. So setting a payload to the value that it already has
//! changes nothing.

use elf_tagged::Node;
use elf_tagged::PayloadLine;
use elf_tagged::escape::unescape;
use std::ops::Range;

/// A payload of the file, split at its line breaks.
#[derive(Debug, Default)]
pub(super) struct PayloadParts {
    /// The unescaped text of the payload, with U+000A between parts.
    text: String,
    parts: Vec<PayloadPart>,
}

#[derive(Debug)]
struct PayloadPart {
    /// The range of the part in [`PayloadParts::text`].
    text: Range<usize>,
    /// The lines of the part, as indices into the lines of the payload.
    lines: Range<usize>,
}

/// The part of a payload that changes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PayloadDiff {
    /// The lines that change, as indices. The structure's own line has index 0.
    pub(super) lines: Range<usize>,
    /// The range of the new text that these lines will contain. The range includes the line breaks between these lines
    /// and the lines that do not change.
    pub(super) text: Range<usize>,
    /// Whether lines before the changed ones stay. If they stay, the text starts with a line break, unless it is empty.
    pub(super) before: bool,
    /// Whether lines after the changed ones stay. If they stay, the text ends with a line break. This may be the same
    /// line break with which the text starts.
    pub(super) behind: bool,
}

impl PayloadParts {
    pub(super) fn of(node: Node<'_>) -> PayloadParts {
        let lines: Vec<PayloadLine<'_>> = node.payload_lines().collect();
        let mut parts = PayloadParts::default();
        let mut start = 0;
        for (index, _) in lines.iter().enumerate().filter(|(_, line)| line.breaks > 0) {
            parts.push_part(node, &lines, start..index);
            parts.text.push('\n');
            start = index;
        }
        parts.push_part(node, &lines, start..lines.len());
        parts
    }

    fn push_part(&mut self, node: Node<'_>, all: &[PayloadLine<'_>], lines: Range<usize>) {
        let document = node.document();
        let grammar = document.escape();
        let preserved = document.header().escapes().of(node.tag());
        let from = self.text.len();
        let of_part = &all[lines.clone()];
        // Blank lines before a raw line belong to the text too. The payload is split at the last of these line breaks.
        let blank = of_part.first().map_or(0, |line| line.breaks.saturating_sub(1));
        self.text.extend(std::iter::repeat_n('\n', blank));
        let payloads = of_part.iter().map(|line| line.text);
        if grammar.reads_merged() {
            let merged: String = payloads.collect();
            self.text.push_str(&unescape(&merged, grammar, preserved));
        } else {
            payloads.for_each(|payload| self.text.push_str(&unescape(payload, grammar, preserved)));
        }
        self.parts.push(PayloadPart { text: from..self.text.len(), lines });
    }

    /// Returns whether the payload is `text`. A missing payload counts as an empty text.
    pub(super) fn has_text(&self, text: &str) -> bool {
        self.text == text
    }

    /// Returns the part of the payload that changes if the new payload is `new`. Returns `None` if nothing changes.
    pub(super) fn diff(&self, new: &str) -> Option<PayloadDiff> {
        if self.text == new {
            return None;
        }
        let kept = |range: Range<usize>| new.as_bytes().get(range);
        // This is the number of parts at the start that do not change, and their length in the new text.
        let mut first = 0;
        let mut from = 0;
        while let Some(part) = self.parts.get(first) {
            let same = new.get(part.text.clone()) == self.text.get(part.text.clone());
            let ends = part.text.end == new.len() || kept(part.text.end..part.text.end + 1) == Some(b"\n");
            if !same || !ends {
                break;
            }
            from = part.text.end;
            first += 1;
        }
        // Find the parts at the end that do not change. A line break must remain between them and those at the start,
        // because the first part is on the structure's own line.
        let mut last = self.parts.len();
        let mut to = new.len();
        while last > first.max(1)
            && let Some(part) = self.parts.get(last - 1)
        {
            let Some(start) = to.checked_sub(part.text.len()) else { break };
            let same = new.get(start..to) == self.text.get(part.text.clone());
            let parted = start > from && kept(start - 1..start) == Some(b"\n");
            if !same || !parted || start - 1 < from {
                break;
            }
            to = start - 1;
            last -= 1;
        }
        let behind = last < self.parts.len();
        let end = self.parts.get(last).map_or(self.line_count(), |part| part.lines.start);
        let start = self.parts.get(first).map_or(self.line_count(), |part| part.lines.start);
        Some(PayloadDiff {
            lines: start..end.max(start),
            text: from..if behind { to + 1 } else { to },
            before: first > 0,
            behind,
        })
    }

    fn line_count(&self) -> usize {
        self.parts.last().map_or(0, |part| part.lines.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_tagged::{Options, Rules, read};

    /// Parses the payload of the last record before the trailer.
    fn with_parts(lines: &str, rules: &Rules, check: impl FnOnce(&PayloadParts, &str)) {
        let file = format!("0 HEAD\n{lines}0 TRLR\n");
        let document = read(file.as_bytes(), rules, &Options::default(), &mut ()).unwrap();
        let node = document.records().last().unwrap();
        check(&PayloadParts::of(node), &node.text());
    }

    #[test]
    fn the_parts_make_the_payload() {
        for lines in [
            "0 NOTE\n",
            "0 NOTE a\n1 CONT\n1 CONT b\n1 CONC c@@\n",
            "0 NOTE a\n1 CONC @#U41@\n1 CONT @#UA@\n",
            "0 NOTE a\nb\n\n \nc d\n1 CONT e\n",
            "0 NOTE ABT @#DJUL\n1 CONC IAN@ 1540\n1 CONT @@\n",
        ] {
            for rules in Rules::PRESETS {
                with_parts(lines, rules, |parts, text| {
                    assert_eq!(parts.text, text, "{}: {lines:?}", rules.name)
                });
            }
        }
    }

    #[test]
    fn parts_at_both_ends_stay() {
        let lines = "0 NOTE a\n1 CONC b\n1 CONT c\n1 CONT\n1 CONT d\n";
        let rest = |new: &str| {
            let mut found = None;
            with_parts(lines, &Rules::WILD, |parts, _| {
                found = parts.diff(new).map(|rest| {
                    (rest.lines, new.get(rest.text).unwrap().to_owned(), rest.before, rest.behind)
                });
            });
            found
        };
        let changed = |lines, text: &str, before, behind| Some((lines, text.to_owned(), before, behind));
        assert_eq!(rest("ab\nc\n\nd"), None);
        assert_eq!(rest("ab\nC\n\nd"), changed(2..3, "\nC\n", true, true));
        assert_eq!(rest("x\nc\n\nd"), changed(0..2, "x\n", false, true));
        assert_eq!(rest("\nc\n\nd"), changed(0..2, "\n", false, true));
        assert_eq!(rest("ab\nc\n\nx"), changed(4..5, "\nx", true, false));
        assert_eq!(rest("ab\nc\n"), changed(4..5, "", true, false));
        assert_eq!(rest("ab\nc\n\nd\n"), changed(5..5, "\n", true, false));
        assert_eq!(rest("ab\nc\nd"), changed(3..4, "\n", true, true));
        assert_eq!(rest("ab\nc\n\n\nd"), changed(4..4, "\n\n", true, true));
        assert_eq!(rest("x\nab\nc\n\nd"), changed(0..2, "x\nab\n", false, true));
        assert_eq!(rest("ab"), changed(2..5, "", true, false));
        assert_eq!(rest(""), changed(0..5, "", false, false));
        assert_eq!(rest("d"), changed(0..5, "d", false, false));
        assert_eq!(rest("ab\nd"), changed(2..4, "\n", true, true));
    }
}
