//! The findings that are kept to be printed, picked out as they are reported.
//!
//! A file may have a fault in every line, and what nobody will see is not held.

use super::context::BearerNumbers;
use super::gather::CodeCounts;
use elf_base::{Code, Diagnostic};
use elf_config::Choice;
use elf_edit::{Repairable, WantedRepairs};
use std::collections::BTreeMap;
use std::mem::size_of;

/// The most findings of one code in one file that are drawn for a person who did not ask for all.
pub(crate) const DRAWN: usize = 10;

/// The findings of a file that are kept to be printed; all are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// None of them.
    Nothing,
    /// The first of each code.
    FirstOfEach,
    /// All, with the lines they stand in.
    All,
    /// All, without the lines they stand in.
    Related,
    /// All, without the lines they stand in and the other places they speak of.
    Bare,
}

impl Keep {
    /// Keeps all for now where it is only known later which are to be.
    const fn or_all(self, keyed: bool) -> Keep {
        match self {
            Keep::Nothing if keyed => Keep::Bare,
            Keep::FirstOfEach if keyed => Keep::All,
            keep => keep,
        }
    }

    /// Leaves out what is not kept of a finding.
    fn strip(self, finding: &mut Diagnostic) {
        match self {
            Keep::Nothing | Keep::Bare => {
                finding.excerpt = None;
                finding.related = Vec::new();
            }
            Keep::Related => {
                finding.excerpt = None;
                finding.related.iter_mut().for_each(|related| related.excerpt = None);
            }
            Keep::FirstOfEach | Keep::All => {}
        }
    }
}

/// The way in which findings of a part are picked out.
#[derive(Clone, Copy)]
pub(crate) struct Sieve<'s> {
    pub(crate) choice: &'s Choice,
    pub(crate) keep: Keep,
    /// True if there is a baseline: then all chosen ones are kept, with their signatures.
    pub(crate) keyed: bool,
}

/// The key by which findings are put in order: those about the file as a whole come last.
pub(crate) fn order(finding: &Diagnostic) -> (u64, &'static str) {
    (finding.place.map_or(u64::MAX, |place| place.octet), finding.code.id())
}

/// Counts the octets that a finding takes in memory, about.
pub(crate) fn octets_of(finding: &Diagnostic) -> usize {
    let text = |text: &std::borrow::Cow<'static, str>| match text {
        std::borrow::Cow::Borrowed(_) => 0,
        std::borrow::Cow::Owned(text) => text.capacity(),
    };
    let Diagnostic { message, help, excerpt, related, .. } = finding;
    let lines = excerpt.iter().chain(related.iter().filter_map(|related| related.excerpt.as_ref()));
    size_of::<Diagnostic>()
        + text(message)
        + help.as_ref().map_or(0, text)
        + std::mem::size_of_val(related.as_slice())
        + lines.map(|line| line.text.len()).sum::<usize>()
}

/// Findings that are kept, of those that were added.
#[derive(Debug)]
pub(crate) struct Kept {
    keep: Keep,
    /// All of them, unless the first of each code are.
    all: Vec<Diagnostic>,
    /// The first of each code, in order.
    first: BTreeMap<&'static str, Vec<Diagnostic>>,
    octets: usize,
}

impl Kept {
    /// Keeps nothing yet; all for now if `keyed`, since a baseline is asked first.
    pub(crate) const fn new(keep: Keep, keyed: bool) -> Kept {
        Kept { keep: keep.or_all(keyed), all: Vec::new(), first: BTreeMap::new(), octets: 0 }
    }

    /// Adds a finding, unless it is not kept.
    pub(crate) fn add(&mut self, mut finding: Diagnostic) {
        match self.keep {
            Keep::Nothing => {}
            Keep::FirstOfEach => {
                let first = self.first.entry(finding.code.id()).or_default();
                let key = order(&finding);
                let at = first.partition_point(|one| order(one) <= key);
                if at < DRAWN {
                    first.truncate(DRAWN - 1);
                    first.insert(at, finding);
                }
            }
            Keep::All | Keep::Related | Keep::Bare => {
                self.keep.strip(&mut finding);
                self.octets += octets_of(&finding);
                self.all.push(finding);
            }
        }
    }

    /// The number of findings that are kept of all.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The octets that those take in memory, about.
    pub(crate) const fn octets(&self) -> usize {
        self.octets
    }

    /// Takes out all findings in their order.
    pub(crate) fn take(&mut self) -> Vec<Diagnostic> {
        let mut all = std::mem::take(&mut self.all);
        all.extend(std::mem::take(&mut self.first).into_values().flatten());
        all.sort_by_key(order);
        self.octets = 0;
        all
    }
}

/// The findings of a part of a file as its reader reports them: counted, and kept as far as they are printed.
pub(crate) struct Sifted<'s> {
    choice: &'s Choice,
    keyed: bool,
    pub(super) counts: CodeCounts,
    pub(super) kept: Kept,
    /// The findings that a safe repair may concern.
    pub(super) wanted: WantedRepairs,
    /// The codes of what was found of the encoding.
    pub(super) encoding: Vec<Code>,
    /// The records that share an identifier, whether that is chosen or not.
    pub(super) bearers: BearerNumbers,
}

impl<'s> Sifted<'s> {
    /// Takes what passes `sieve`.
    pub(crate) fn new(Sieve { choice, keep, keyed }: Sieve<'s>) -> Sifted<'s> {
        let (wanted, encoding) = (WantedRepairs::default(), Vec::new());
        Sifted {
            choice,
            keyed,
            counts: CodeCounts::default(),
            kept: Kept::new(keep, keyed),
            wanted,
            encoding,
            bearers: BearerNumbers::default(),
        }
    }
}

impl elf_base::Sink for Sifted<'_> {
    fn report(&mut self, finding: Diagnostic) {
        self.wanted.see(&finding);
        self.bearers.see(&finding);
        // Where there is a baseline, it is asked where all findings come together.
        let is_chosen = match self.keyed {
            true => self.counts.is_chosen(&finding, self.choice),
            false => self.counts.count(&finding, self.choice),
        };
        if !is_chosen {
            return;
        }
        self.wanted.add(&finding);
        self.encoding.extend(Repairable::about_encoding(&finding));
        self.kept.add(finding);
    }
}
