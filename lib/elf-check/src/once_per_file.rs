//! Findings that are reported once for a file, with a count.

use crate::finding::Finding;
use elf_base::{Code, Diagnostic, codes};
use elf_edit::RecordTags;
use std::num::NonZero;

/// The codes of findings that say the same at each place.
const ONCE_PER_FILE: [Code; 1] = [codes::TAG_IN_FULL];

/// Returns the number of findings where each code that is reported once for a file counts once.
pub(crate) fn count_findings<'f>(findings: impl Iterator<Item = &'f Diagnostic>) -> u64 {
    let mut met: Vec<Code> = Vec::new();
    let is_counted = |finding: &&Diagnostic| {
        let is_first = !met.contains(&finding.code);
        if is_first && ONCE_PER_FILE.contains(&finding.code) {
            met.push(finding.code);
        }
        is_first
    };
    findings.filter(is_counted).count() as u64
}

/// The first finding of each code that is reported once for a file, with the number of places so far.
#[derive(Default)]
pub(crate) struct OncePerFile {
    found: Vec<Finding>,
}

impl OncePerFile {
    /// Takes the findings that are reported once for a file out of those of a run, which are in the order of the
    /// file.
    pub(crate) fn take(findings: &mut Vec<Finding>) -> OncePerFile {
        let mut once = OncePerFile::default();
        for finding in findings.extract_if(.., |one| ONCE_PER_FILE.contains(&one.diagnostic.code)) {
            once.add(finding);
        }
        once
    }

    /// Puts them back among findings in the order of the file.
    pub(crate) fn put_back(self, findings: &mut Vec<Finding>) {
        for finding in self.found {
            let key = |one: &Finding| crate::finding::order(&one.diagnostic);
            let at = findings.partition_point(|one| key(one) <= key(&finding));
            findings.insert(at, finding);
        }
    }

    /// Counts the records of the runs before, whose tags `records` knows.
    pub(crate) fn behind(&mut self, records: &RecordTags, bearers_before: impl Fn(&str) -> u64) {
        let contexts = self.found.iter_mut().filter_map(|one| one.context.as_mut());
        contexts.for_each(|context| context.record.behind(records, &bearers_before));
    }

    /// Adds those of the next run.
    pub(crate) fn append(&mut self, run: OncePerFile) {
        run.found.into_iter().for_each(|finding| self.add(finding));
    }

    fn add(&mut self, finding: Finding) {
        let count = |one: &Finding| one.diagnostic.count.map_or(1, NonZero::get);
        match self.found.iter_mut().find(|one| one.diagnostic.code == finding.diagnostic.code) {
            None => self.found.push(finding),
            Some(first) => {
                let all = count(first).saturating_add(count(&finding));
                first.diagnostic.count = NonZero::new(all);
            }
        }
    }
}
