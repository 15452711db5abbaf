//! Splits a document into records that are fixed separately.

use elf_octets::{LONGEST_START, LineBreak};
use elf_tagged::{Document, starts_record};
use std::ops::Range;

/// Splits the lines of a document at the starts of records. The line before a start does not matter.
pub(super) struct LineSplitter<'d> {
    document: &'d Document<'d>,
    lines: Range<u64>,
}

impl<'d> LineSplitter<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> LineSplitter<'d> {
        let source = document.source();
        let start = source.start().line;
        let mut end = start + source.line_count();
        // The line at which reading stopped does not belong to the lines.
        while source.line(end).is_some() {
            end += 1;
        }
        LineSplitter { document, lines: start..end }
    }

    pub(super) const fn lines(&self) -> &Range<u64> {
        &self.lines
    }

    /// Returns the records that contain the lines `numbers`, which must be ascending. `from` is the first line of a
    /// record.
    pub(super) fn records_with(&self, numbers: &[u64], from: u64) -> Vec<Range<u64>> {
        let mut records: Vec<Range<u64>> = Vec::new();
        let mut done = from;
        for &line in numbers {
            // A structure that is missing at the end is reported after the last line.
            let line = line.min(self.lines.end.saturating_sub(1));
            if line < done || done >= self.lines.end {
                continue;
            }
            let start =
                (done..=line).rev().find(|&line| line == done || self.starts_record(line)).unwrap_or(done);
            done = self.next_start(line + 1);
            records.push(start..done);
        }
        records
    }

    /// Returns the first line, from `from` on, that starts a record. Returns the end of the lines if there is no such
    /// line.
    pub(super) fn next_start(&self, from: u64) -> u64 {
        (from..self.lines.end).find(|&line| self.starts_record(line)).unwrap_or(self.lines.end)
    }

    fn starts_record(&self, number: u64) -> bool {
        let source = self.document.source();
        let is_start = |text: &str| starts_record(text, self.document.rules());
        if !source.line_text(number).is_some_and(is_start) {
            return false;
        }
        // If a line feed can be part of a payload, the line that follows it can be part of that payload too.
        let is_behind_feed = || {
            number > self.lines.start
                && source.line(number - 1).is_some_and(|line| line.ending == Some(LineBreak::Lf))
        };
        if source.feeds_break_payloads() && is_behind_feed() {
            return false;
        }
        let Some(line) = source.line(number) else { return false };
        let all = source.irregular();
        let first = all.partition_point(|one| one.text.end < line.text.start);
        let is_irregular = all.get(first).is_some_and(|one| one.text.start <= line.text.end);
        let ending = line.ending.map_or(0, |ending| ending.text().len() as u64);
        let length = line.octets.end - line.octets.start;
        !is_irregular && length <= LONGEST_START as u64 + ending
    }
}
