//! The findings that are kept to be printed, picked out as they are reported.
//!
//! A file may have a fault in every line, and what nobody will see is not held.

use crate::config::Choice;
use crate::findings::counts::CodeCounts;
use crate::findings::located::Located;
use crate::findings::packed::{BEHIND, PackedFindings};
use crate::findings::twice::ToldByReader;
use elf_base::{Class, Code, Detail, Diagnostic, Place};
use elf_edit::{BearerNumbers, Repairable, WantedRepairs};
use std::collections::BTreeMap;

/// The most findings of one code in one file that are drawn for a person who did not ask for all.
pub const DRAWN: usize = 10;

/// The findings of a part that are kept as they are.
const FEW: usize = 1 << 11;

/// The findings of a file that are kept to be printed; all are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
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
pub struct Sieve<'s> {
    /// The findings that count.
    pub choice: &'s Choice,
    /// The findings that are kept of those.
    pub keep: Keep,
    /// True if there is a baseline: then all chosen ones are kept, with their signatures.
    pub keyed: bool,
}

/// The key by which findings are put in order: those about the file as a whole come last.
pub(crate) fn order(finding: &Diagnostic) -> (u64, &'static str) {
    key(finding.code, finding.place)
}

fn key(code: Code, place: Option<Place>) -> (u64, &'static str) {
    (place.map_or(BEHIND, |place| place.octet), code.id())
}

/// Findings that are kept, of those that were added.
#[derive(Debug)]
pub(crate) struct Kept {
    keep: Keep,
    /// All of them, unless the first of each code are, or they are few.
    all: PackedFindings,
    /// The findings of a part, which are taken out soon, as long as they are few: packing them takes as long
    /// as finding them.
    few: Vec<Diagnostic>,
    /// The most of those.
    most_few: usize,
    /// The first of each code, in order.
    first: BTreeMap<&'static str, Vec<Diagnostic>>,
}

impl Kept {
    /// Keeps nothing yet; all for now if `keyed`, since a baseline is asked first.
    pub(crate) fn new(keep: Keep, keyed: bool) -> Kept {
        Kept {
            keep: keep.or_all(keyed),
            all: PackedFindings::default(),
            few: Vec::new(),
            most_few: 0,
            first: BTreeMap::new(),
        }
    }

    /// Keeps nothing yet of a part, as [`new`](Kept::new) does.
    pub(crate) fn of_part(keep: Keep, keyed: bool) -> Kept {
        Kept { most_few: FEW, ..Kept::new(keep, keyed) }
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
                if self.few.len() < self.most_few {
                    self.few.push(finding);
                } else {
                    self.pack_few();
                    self.all.push(&Located::without_place(finding));
                }
            }
        }
    }

    /// Tells whether one of that code at that place would be kept as it is.
    pub(crate) fn wants_words(&self, code: Code, place: Option<Place>) -> bool {
        match self.keep {
            Keep::Nothing => false,
            Keep::FirstOfEach => {
                let last = self.first.get(code.id()).and_then(|first| first.get(DRAWN - 1));
                last.is_none_or(|last| key(code, place) < order(last))
            }
            Keep::All | Keep::Related | Keep::Bare => true,
        }
    }

    /// Gives a finding that was added another class, if it is kept.
    fn raise(&mut self, finding: &Diagnostic, class: Class) {
        let is_it = |one: &Diagnostic| one.code == finding.code && one.place == finding.place;
        let all = self.few.iter_mut().chain(self.first.values_mut().flatten());
        match all.into_iter().find(|one| is_it(one)) {
            Some(one) => one.class = class,
            None => {
                if let Some(mut one) = self.all.remove(finding) {
                    one.finding.class = class;
                    self.all.push(&one);
                }
            }
        }
    }

    fn pack_few(&mut self) {
        self.most_few = 0;
        for one in std::mem::take(&mut self.few) {
            self.all.push(&Located::without_place(one));
        }
    }

    /// The octets that they take in memory, but for the first of each code.
    pub(crate) fn octets(&self) -> usize {
        self.all.octets()
    }

    /// Returns whether nothing is kept.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.few.is_empty() && self.first.is_empty()
    }

    /// Takes out all findings in their order.
    pub(crate) fn take_in_order(&mut self) -> impl Iterator<Item = Located> {
        let (mut few, mut all) = (std::mem::take(&mut self.few), PackedFindings::default());
        if few.is_empty() {
            all = self.take();
        }
        few.sort_by_key(order);
        few.into_iter().map(Located::without_place).chain(all.in_order())
    }

    /// Takes out all findings, to be gone through in their order.
    pub(crate) fn take(&mut self) -> PackedFindings {
        self.pack_few();
        let mut all = std::mem::take(&mut self.all);
        for one in std::mem::take(&mut self.first).into_values().flatten() {
            all.push(&Located::without_place(one));
        }
        all
    }
}

/// The findings of a part of a file as its reader reports them: counted, and kept as far as they are printed.
pub struct Sifted<'s> {
    choice: &'s Choice,
    pub(crate) keyed: bool,
    pub(crate) counts: CodeCounts,
    pub(crate) kept: Kept,
    /// The findings that a safe repair may concern.
    pub wanted: WantedRepairs,
    /// The codes of what was found of the encoding.
    pub encoding: Vec<Code>,
    /// The records that share an identifier, whether that is chosen or not.
    pub(crate) bearers: BearerNumbers,
    told: ToldByReader,
}

impl<'s> Sifted<'s> {
    /// Takes what passes `sieve`.
    pub fn new(Sieve { choice, keep, keyed }: Sieve<'s>) -> Sifted<'s> {
        let (wanted, encoding) = (WantedRepairs::default(), Vec::new());
        Sifted {
            choice,
            keyed,
            counts: CodeCounts::default(),
            kept: Kept::of_part(keep, keyed),
            wanted,
            encoding,
            bearers: BearerNumbers::default(),
            told: ToldByReader::default(),
        }
    }

    /// Tells whether the reader has told the fault of a finding: then it becomes as grave there.
    fn is_told(&mut self, finding: &Diagnostic) -> bool {
        let Some(told) = self.told.of(finding) else { return false };
        if finding.class > told.class {
            let mut raised = told.clone();
            raised.class = finding.class;
            if !self.choice.takes(&raised) {
                return false;
            }
            if !self.keyed {
                self.counts.raise(told, &raised, self.choice);
            }
            self.kept.raise(told, raised.class);
            *told = raised;
        }
        true
    }
}

impl elf_base::Sink for Sifted<'_> {
    fn report(&mut self, finding: Diagnostic) {
        self.wanted.see(&finding);
        if self.kept.keep != Keep::Nothing {
            self.bearers.see(&finding);
        }
        if self.choice.takes(&finding) && self.is_told(&finding) {
            return;
        }
        // Where there is a baseline, it is asked where all findings come together.
        let is_chosen = match self.keyed {
            true => self.counts.is_chosen(&finding, self.choice),
            false => self.counts.count(&finding, self.choice),
        };
        if !is_chosen {
            return;
        }
        self.told.see(&finding);
        self.wanted.add(&finding);
        self.encoding.extend(Repairable::about_encoding(&finding));
        self.kept.add(finding);
    }

    fn detail(&self) -> Detail {
        match self.kept.keep {
            Keep::Nothing => Detail::NoWords,
            Keep::Bare | Keep::Related => Detail::NoExcerpts,
            Keep::FirstOfEach | Keep::All => Detail::Full,
        }
    }

    fn wants_words(&self, code: Code, place: Option<Place>) -> bool {
        self.kept.wants_words(code, place)
    }
}
