//! The problems of a file in short: how many there are, and the first of the gravest.

use elf_base::{Class, Diagnostic, Sink, codes};

/// Counts malformed and non-conformant findings and keeps the first of the most severe ones, which is the reason if
/// the rules stop reading. [`join`](Problems::join) combines those of runs.
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
    /// The finding that the encoding is uncertain, if it is.
    uncertain: Option<Box<Diagnostic>>,
    /// The findings that two lines are joined: a record may be missing.
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
            if self.worst.as_ref().is_none_or(|known| rank(&finding) < rank(known)) {
                self.worst = Some(Box::new(finding));
            }
        }
    }
}

impl Problems {
    /// Returns the number of findings that make a file malformed or non-conformant.
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

    /// Takes out the finding that the encoding is uncertain. It is not an error of the file, but the text may be
    /// wrong.
    pub fn take_uncertain(&mut self) -> Option<Box<Diagnostic>> {
        self.uncertain.take()
    }

    /// Takes out the findings that two lines are joined. Whoever writes such a line again writes one record where two
    /// were meant.
    pub fn take_joined(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.joined)
    }

    /// Returns the first of the most severe findings. Its message may quote the file, including names of hidden
    /// people.
    pub fn into_worst(self) -> Option<Box<Diagnostic>> {
        self.worst
    }

    /// Returns whether there is a malformed finding, so that lines may be misplaced.
    pub fn is_malformed(&self) -> bool {
        self.worst.as_ref().is_some_and(|worst| worst.class == Class::Malformed)
    }

    /// Returns the place and the code of the first of the most severe findings as text that starts with a space.
    pub fn place(&self) -> String {
        self.worst.as_ref().map_or_else(String::new, |worst| {
            let code = worst.code.id();
            worst
                .place
                .map_or_else(|| format!(" ({code})"), |place| format!(" at line {} ({code})", place.line))
        })
    }
}

/// Returns a lower number for a graver finding and, of findings as grave, for one that is before.
fn rank(finding: &Diagnostic) -> (bool, u64, u64) {
    let place = finding.place.map_or((0, 0), |place| (place.octet, place.line));
    (finding.class != Class::Malformed, place.0, place.1)
}
