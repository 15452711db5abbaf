//! Findings of a unit, as far as repairs are judged by them: there may be as many as lines, or more.

use elf_base::{Class, Code, Detail, Diagnostic, Fix, Safety, Sink};

/// A finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnitFinding {
    pub(super) code: Code,
    /// The line; 0 where it is about the file.
    pub(super) line: u64,
    pub(super) column: u32,
    pub(super) end_column: u32,
    /// The number of its fix among those of the unit, from 1; 0 for none.
    fix: u32,
    /// True if it is to be repaired, as far as the caller has a say.
    pub(super) is_wanted: bool,
    /// True if repairs may not bring it about: any finding is such a fault, except those of deprecated
    /// statements of the file about itself.
    pub(super) is_fault: bool,
}

/// The findings of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UnitFindings {
    all: Vec<UnitFinding>,
    /// The fixes that they propose, each once if many do.
    fixes: Vec<Fix>,
}

/// The number of fixes among which one is looked for: most of a file are of a few kinds.
const ALIKE: usize = 16;

impl UnitFindings {
    /// Adds a finding.
    pub(super) fn add(&mut self, finding: &Diagnostic, is_wanted: bool) {
        let fix = finding.fix.as_ref().map_or(0, |fix| self.number_of(fix));
        let column = |column: u64| u32::try_from(column).unwrap_or(u32::MAX);
        let place = finding.place;
        self.all.push(UnitFinding {
            code: finding.code,
            line: place.map_or(0, |place| place.line),
            column: place.map_or(0, |place| column(place.column)),
            end_column: place.map_or(0, |place| column(place.end_column)),
            fix,
            is_wanted,
            is_fault: finding.class != Class::Deprecated,
        });
    }

    /// Adds findings of others.
    pub(super) fn extend<'f>(&mut self, others: impl IntoIterator<Item = (UnitFinding, Option<&'f Fix>)>) {
        for (finding, fix) in others {
            let fix = fix.map_or(0, |fix| self.number_of(fix));
            self.all.push(UnitFinding { fix, ..finding });
        }
    }

    /// Adds a finding of others whose fix nobody asks for.
    pub(super) fn push(&mut self, finding: UnitFinding) {
        self.all.push(UnitFinding { fix: 0, ..finding });
    }

    fn number_of(&mut self, fix: &Fix) -> u32 {
        let known = self.fixes.iter().take(ALIKE).position(|known| known == fix);
        let index = known.unwrap_or_else(|| {
            self.fixes.push(fix.clone());
            self.fixes.len() - 1
        });
        u32::try_from(index + 1).unwrap_or(0)
    }

    /// The fix that a finding proposes.
    pub(super) fn fix_of(&self, finding: &UnitFinding) -> Option<&Fix> {
        self.fixes.get((finding.fix as usize).checked_sub(1)?)
    }

    pub(super) fn get(&self, index: u32) -> Option<&UnitFinding> {
        self.all.get(index as usize)
    }

    pub(super) fn all(&self) -> &[UnitFinding] {
        &self.all
    }

    /// All findings with their fixes.
    pub(super) fn with_fixes(&self) -> impl Iterator<Item = (UnitFinding, Option<&Fix>)> {
        self.all.iter().map(|finding| (*finding, self.fix_of(finding)))
    }

    /// The ones that are to be repaired, with their indices and fixes.
    pub(super) fn wanted(&self) -> impl Iterator<Item = (u32, UnitFinding, &Fix)> {
        let wanted = (0..).zip(&self.all).filter(|(_, finding)| finding.is_wanted);
        wanted.filter_map(|(index, finding)| Some((index, *finding, self.fix_of(finding)?)))
    }

    /// Tells whether any of them might be repaired that safely.
    pub(super) fn any_repair(&self, most: Safety) -> bool {
        self.wanted().any(|(_, _, fix)| fix.safety <= most)
    }

    /// The number of those of each code.
    pub(super) fn by_code(&self) -> CountByCode {
        self.count_by_code(|_| true)
    }

    /// The number of those of each code that `is_counted` is true of.
    pub(super) fn count_by_code(&self, is_counted: impl Fn(&UnitFinding) -> bool) -> CountByCode {
        let mut by_code = CountByCode::default();
        for run in self.all.chunk_by(|one, other| one.code == other.code) {
            let count = run.iter().filter(|finding| is_counted(finding)).count();
            if let Some(first) = run.first().filter(|_| count > 0) {
                by_code.add(first.code, count);
            }
        }
        by_code
    }

    /// Puts them in the order of their lines.
    pub(super) fn sort(&mut self) {
        self.all.sort_by_key(|finding| finding.line);
    }
}

/// The number of findings of each code: there are few codes, so none is looked up in a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct CountByCode(Vec<(Code, usize)>);

impl CountByCode {
    pub(super) fn add(&mut self, code: Code, count: usize) {
        match self.of_mut(code) {
            Some(known) => *known += count,
            None => self.0.push((code, count)),
        }
    }

    pub(super) fn of_mut(&mut self, code: Code) -> Option<&mut usize> {
        self.0.iter_mut().find(|(known, _)| *known == code).map(|(_, count)| count)
    }

    pub(super) fn of(&self, code: Code) -> usize {
        self.0.iter().find(|(known, _)| *known == code).map_or(0, |(_, count)| *count)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Code, usize)> {
        self.0.iter().copied()
    }
}

/// Takes findings as they are reported; `chosen` says which are to be repaired.
pub(super) struct FindingTaker<'f, F> {
    pub(super) findings: &'f mut UnitFindings,
    pub(super) chosen: F,
}

impl<F: Fn(&Diagnostic) -> bool> Sink for FindingTaker<'_, F> {
    fn report(&mut self, finding: Diagnostic) {
        let is_wanted = (self.chosen)(&finding);
        self.findings.add(&finding, is_wanted);
    }

    fn detail(&self) -> Detail {
        Detail::NoWords
    }
}

/// Values by key, of which each is taken out once: of one key, those that were added first come first.
#[derive(Clone, Debug)]
pub(super) struct Keyed<K, V> {
    all: Vec<KeyedValue<K, V>>,
    is_sorted: bool,
}

#[derive(Clone, Debug)]
struct KeyedValue<K, V> {
    key: K,
    value: V,
    /// The number of values of the key that were taken out, at the first of them.
    taken: u32,
}

impl<K, V> Default for Keyed<K, V> {
    fn default() -> Self {
        Keyed { all: Vec::new(), is_sorted: true }
    }
}

impl<K: Ord, V: Clone> Keyed<K, V> {
    /// Adds a value. None may be added behind the first that is taken out.
    pub(super) fn add(&mut self, key: K, value: V) {
        self.is_sorted &= self.all.last().is_none_or(|last| last.key <= key);
        self.all.push(KeyedValue { key, value, taken: 0 });
    }

    /// Takes out the next value of a key.
    pub(super) fn take(&mut self, key: &K) -> Option<V> {
        if !std::mem::replace(&mut self.is_sorted, true) {
            self.all.sort_by(|one, other| one.key.cmp(&other.key));
        }
        let first = self.all.partition_point(|one| one.key < *key);
        let taken = self.all.get(first).filter(|one| one.key == *key)?.taken;
        let value = self.all.get(first + taken as usize).filter(|one| one.key == *key)?.value.clone();
        self.all.get_mut(first).into_iter().for_each(|one| one.taken += 1);
        Some(value)
    }

    /// The values, in the order in which they were added, or, once one is taken out, of their keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.all.iter().map(|one| (&one.key, &one.value))
    }
}
