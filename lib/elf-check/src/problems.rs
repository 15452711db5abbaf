//! A summary of the problems of a file, which has their number and the first of the most severe ones.

use elf_base::{Class, Diagnostic, Sink, codes};

/// Counts malformed and non-conformant findings, and keeps the first of the most severe ones. If the rules stop
/// reading, that finding is the reason. [`join`](Problems::join) combines the problems of several runs.
///
/// ```
/// use elf_base::{Diagnostic, Rules, Sink, codes};
/// use elf_check::Problems;
///
/// let mut problems = Problems::default();
/// problems.report(Diagnostic::new(codes::POINTER_DANGLING, &Rules::WILD, "advice, which does not count"));
/// problems.report(Diagnostic::new(codes::LEVEL_TOO_DEEP, &Rules::WILD, "too deep"));
/// problems.report(Diagnostic::new(codes::TAG_MALFORMED, &Rules::WILD, "no tag"));
/// assert_eq!((problems.count(), &*problems.place()), (2, " (E0203)"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Problems {
    count: u64,
    worst: Option<Box<Diagnostic>>,
    /// The finding that reports an uncertain encoding.
    uncertain: Option<Box<Diagnostic>>,
    /// The findings that report two joined lines. If lines are joined, a record may be missing.
    joined: Vec<Diagnostic>,
}

impl Sink for Problems {
    fn report(&mut self, finding: Diagnostic) {
        if finding.code == codes::ENCODING_UNCERTAIN {
            self.uncertain = Some(Box::new(finding));
        } else if finding.class.is_error() {
            self.count += 1;
            if finding.code == codes::LINES_JOINED {
                self.joined.push(finding.clone());
            }
            if self.worst.as_ref().is_none_or(|known| severity_rank(&finding) < severity_rank(known)) {
                self.worst = Some(Box::new(finding));
            }
        }
    }
}

impl Problems {
    /// Returns the number of malformed and non-conformant findings.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Adds the problems of the next run.
    pub fn join(&mut self, other: Problems) {
        let count = self.count.saturating_add(other.count);
        let mut joined = std::mem::take(&mut self.joined);
        joined.extend(other.joined);
        other.worst.into_iter().for_each(|found| self.report(*found));
        (self.count, self.joined) = (count, joined);
        self.uncertain = self.uncertain.take().or(other.uncertain);
    }

    /// Removes and returns the finding that reports an uncertain encoding. Such a finding does not count as a problem,
    /// but the text may be wrong.
    pub fn take_uncertain(&mut self) -> Option<Box<Diagnostic>> {
        self.uncertain.take()
    }

    /// Removes and returns the findings that report two joined lines. A converter then writes one record where two were
    /// meant.
    pub fn take_joined(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.joined)
    }

    /// Returns the first of the most severe findings. The message of the finding may quote the file, even the names of
    /// people that were hidden.
    pub fn into_worst(self) -> Option<Box<Diagnostic>> {
        self.worst
    }

    /// Returns whether any finding is malformed. Lines may then be at a wrong place in the tree.
    pub fn is_malformed(&self) -> bool {
        self.worst.as_ref().is_some_and(|worst| worst.class == Class::Malformed)
    }

    /// Returns the place and code of the first of the most severe findings, such as ` at line 3 (E0203)`. The text is
    /// empty if there are no problems.
    pub fn place(&self) -> String {
        self.worst.as_ref().map_or_else(String::new, |worst| {
            let code = worst.code.id();
            worst
                .place
                .map_or_else(|| format!(" ({code})"), |place| format!(" at line {} ({code})", place.line))
        })
    }
}

/// Returns a key for sorting. A more severe finding has a lower key. If two findings are equally severe, the earlier
/// one has a lower key.
fn severity_rank(finding: &Diagnostic) -> (bool, u64, u64) {
    let place = finding.place.map_or((0, 0), |place| (place.octet, place.line));
    (finding.class != Class::Malformed, place.0, place.1)
}
