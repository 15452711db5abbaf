//! References: where pointers lead, and what only the removed referred to.

use crate::plan::{Fate, Target};
use crate::records::{RecordAction, RecordKind, RemovalReason};
use crate::survey::{BearerData, InnerData, LinkTable, PointerData};

/// The number that stands for no structure below a record.
const NONE: u32 = u32::MAX;

/// The pointers of a document, and what becomes of its records so far.
pub(crate) struct References<'l> {
    links: &'l LinkTable,
    /// True if what bears a notice of privacy is removed.
    is_redaction: bool,
    actions: Vec<RecordAction>,
}

/// The fate of the records, and of the structures below them that bear identifiers.
pub(crate) struct Settled {
    /// The ends of pointers to each identifier.
    pub(crate) targets: Vec<Target>,
    pub(crate) actions: Vec<RecordAction>,
    /// The structures below records that stay to which only the removed referred: records and identifiers,
    /// sorted.
    pub(crate) gone: Vec<(u32, u32)>,
}

/// Records and structures below them that a way along pointers met.
struct Met {
    records: Vec<bool>,
    /// The structures below records that something refers to.
    inner: Vec<bool>,
    /// The structures of `inner`, and the ones in them.
    within: Vec<bool>,
}

impl<'l> References<'l> {
    pub(crate) const fn new(
        links: &'l LinkTable,
        is_redaction: bool,
        actions: Vec<RecordAction>,
    ) -> References<'l> {
        References { links, is_redaction, actions }
    }

    /// Removes the records, and the structures with identifiers of their own, that only removed ones, and
    /// structures that go, refer to.
    ///
    /// A record that stands one level too deep is such a structure: it is no part of what it stands in.
    pub(crate) fn settle(mut self) -> Settled {
        let is_cut = self.cut_pointers(&self.targets(&[]));
        let cut = |pointer: usize| is_cut.get(pointer).copied().unwrap_or_default();
        // What is withheld goes by itself, and says nothing of its record.
        let bearers = self.bearers();
        let referred = |pointer: usize| {
            let identifier = self.links.pointers.get(pointer).map_or(NONE, |pointer| pointer.identifier);
            bearers.of_number(identifier).iter().filter_map(|&bearer| self.links.bearers.get(bearer as usize))
        };
        // The pointers of each record stand together.
        let of_record =
            Ranges::of(self.links.pointers.iter().map(|pointer| pointer.record), self.actions.len());
        // Of records that nothing referred to before, nobody knows whom they are about: they stay.
        let of_inner = Lists::of(self.owners(&|_| true), self.links.inner.len());
        let nested = (0..).zip(&self.links.inner).filter_map(|(number, inner)| {
            inner.above().map(|above| (u32::try_from(above).unwrap_or(NONE), number))
        });
        let nested = Lists::of(nested.collect(), self.links.inner.len());
        let mut removed = self.none_met();
        let mut waiting: Vec<usize> = (0..is_cut.len()).filter(|&pointer| cut(pointer)).collect();
        let mut seen = vec![false; self.links.identifiers.len()];
        while let Some(pointer) = waiting.pop() {
            if !self.is_first(pointer, &mut seen) {
                continue;
            }
            for bearer in referred(pointer) {
                if self.is_other(bearer.record) && mark(&mut removed.records, bearer.record as usize) {
                    waiting.extend(of_record.of_number(bearer.record));
                }
                let inner = bearer.inner().filter(|_| self.is_kept(bearer.record));
                let Some(inner) = inner.filter(|&inner| mark(&mut removed.inner, inner)) else { continue };
                let mut open = vec![u32::try_from(inner).unwrap_or(NONE)];
                while let Some(inner) = open.pop() {
                    if !mark(&mut removed.within, inner as usize) {
                        continue;
                    }
                    waiting.extend(of_inner.of_number(inner).iter().map(|&pointer| pointer as usize));
                    open.extend(nested.of_number(inner));
                }
            }
        }
        let kept = self.kept(&removed, &cut, &of_record, &referred);
        let mut gone = Vec::new();
        for (at, inner) in self.links.inner.iter().enumerate() {
            let is_gone = |met: &Met| met.inner.get(at) == Some(&true);
            if is_gone(&removed) && !is_gone(&kept) {
                gone.push((inner.record, inner.identifier));
            }
        }
        gone.sort();
        for (action, (removed, kept)) in
            self.actions.iter_mut().zip(removed.records.iter().zip(&kept.records))
        {
            if *removed && !kept {
                *action = RecordAction::Remove(RemovalReason::Unreferenced);
            }
        }
        Settled { targets: self.targets(&gone), actions: self.actions, gone }
    }

    /// Finds out what of all that removed records refer to others refer to, too.
    fn kept<'r, R: Iterator<Item = &'r BearerData>>(
        &self,
        removed: &Met,
        cut: &dyn Fn(usize) -> bool,
        of_record: &Ranges,
        referred: &dyn Fn(usize) -> R,
    ) -> Met {
        let is_removed = |inner: usize| removed.inner.get(inner) == Some(&true);
        let owners = self.owners(&is_removed);
        let mut owned = vec![false; self.links.pointers.len()];
        for &(_, pointer) in &owners {
            mark(&mut owned, pointer as usize);
        }
        let of_inner = Lists::of(owners, self.links.inner.len());
        let is_free = |pointer: &usize| !cut(*pointer) && owned.get(*pointer) == Some(&false);
        let stays = |pointer: &usize| {
            let record = self.links.pointers.get(*pointer).map(|pointer| pointer.record as usize);
            is_free(pointer) && record.is_some_and(|record| removed.records.get(record) == Some(&false))
        };
        let mut met = self.none_met();
        let mut waiting: Vec<usize> = (0..self.links.pointers.len()).filter(stays).collect();
        let mut seen = vec![false; self.links.identifiers.len()];
        while let Some(pointer) = waiting.pop() {
            if !self.is_first(pointer, &mut seen) {
                continue;
            }
            for bearer in referred(pointer) {
                if self.is_other(bearer.record) && mark(&mut met.records, bearer.record as usize) {
                    waiting.extend(of_record.of_number(bearer.record).filter(is_free));
                }
                let mut above = bearer.inner();
                while let Some(inner) = above.filter(|&inner| mark(&mut met.inner, inner)) {
                    let number = u32::try_from(inner).unwrap_or(NONE);
                    let pointers = of_inner.of_number(number).iter().map(|&pointer| pointer as usize);
                    waiting.extend(pointers.filter(|&pointer| !cut(pointer)));
                    above = self.links.inner.get(inner).and_then(|inner| inner.above());
                }
            }
        }
        met
    }

    /// Tells whether a pointer is the first that is met to its identifier: all bearers are met by it.
    fn is_first(&self, pointer: usize, seen: &mut [bool]) -> bool {
        let identifier = self.links.pointers.get(pointer).map(|pointer| pointer.identifier as usize);
        identifier.is_some_and(|identifier| mark(seen, identifier))
    }

    /// The pointers within structures below records, each with the innermost of those that count.
    fn owners(&self, counts: &dyn Fn(usize) -> bool) -> Vec<(u32, u32)> {
        let mut owners = Vec::new();
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut last = 0;
        let mut own = |open: &mut Vec<(u32, u32)>, until: u32| {
            while last < until {
                while open.pop_if(|(_, end)| *end <= last).is_some() {}
                let Some(&(inner, end)) = open.last() else {
                    last = until;
                    return;
                };
                let end = end.min(until);
                owners.extend((last..end).map(|pointer| (inner, pointer)));
                last = end;
            }
        };
        for (number, InnerData { pointers: (first, end), .. }) in (0..).zip(&self.links.inner) {
            if counts(number as usize) && first < end {
                own(&mut open, *first);
                open.push((number, *end));
            }
        }
        own(&mut open, u32::try_from(self.links.pointers.len()).unwrap_or(NONE));
        owners
    }

    fn none_met(&self) -> Met {
        let inner = vec![false; self.links.inner.len()];
        Met { records: vec![false; self.actions.len()], within: inner.clone(), inner }
    }

    fn is_kept(&self, record: u32) -> bool {
        self.actions.get(record as usize) == Some(&RecordAction::Keep)
    }

    /// Tells whether a record stays so far, and only as long as something refers to it.
    fn is_other(&self, record: u32) -> bool {
        let kind = self.links.records.get(record as usize).map(|record| record.kind);
        kind == Some(RecordKind::Other) && self.is_kept(record)
    }

    /// Works out what pointers to each identifier lead to, by what becomes of the records so far, and without
    /// structures below them.
    fn targets(&self, gone: &[(u32, u32)]) -> Vec<Target> {
        let mut targets = vec![Target::Nothing; self.links.identifiers.len()];
        for bearer in &self.links.bearers {
            let record = bearer.record as usize;
            let kind = self.links.records.get(record).map(|record| record.kind);
            let is_record = bearer.inner().is_none();
            let is_gone = || gone.binary_search(&(bearer.record, bearer.identifier)).is_ok();
            let target = match self.actions.get(record) {
                Some(RecordAction::Remove(_)) => Target::Removed,
                Some(RecordAction::Hide) if !is_record => Target::Removed,
                Some(RecordAction::Hide) if kind == Some(RecordKind::Person) => Target::Hidden,
                _ if self.is_redaction && bearer.is_withheld => Target::Removed,
                _ if !is_record && is_gone() => Target::Removed,
                _ => Target::Kept,
            };
            let Some(entry) = targets.get_mut(bearer.identifier as usize) else { continue };
            // Of several bearers one that is hidden counts, else one that stays.
            *entry = match (*entry, target) {
                (Target::Hidden, _) | (_, Target::Hidden) => Target::Hidden,
                (Target::Kept, _) | (_, Target::Kept) => Target::Kept,
                (_, target) => target,
            };
        }
        targets
    }

    /// Tells of each pointer whether it goes, if the targets are these.
    fn cut_pointers(&self, targets: &[Target]) -> Vec<bool> {
        let mut is_cut: Vec<bool> = Vec::with_capacity(self.links.pointers.len());
        let fate = |pointer: &PointerData| {
            let action = self.actions.get(pointer.record as usize).copied().unwrap_or(RecordAction::Keep);
            let target = targets.get(pointer.identifier as usize).copied().unwrap_or_default();
            Fate::of(action, target, pointer.is_family_link, self.is_redaction)
        };
        for pointer in &self.links.pointers {
            let beneath = pointer.above().is_some_and(|above| {
                let is_alone = self.links.pointers.get(above).map(fate) == Some(Fate::StaysAlone);
                is_alone || is_cut.get(above).copied().unwrap_or_default()
            });
            let is_withheld = self.is_redaction && pointer.is_withheld;
            is_cut.push(beneath || is_withheld || matches!(fate(pointer), Fate::Goes(_)));
        }
        is_cut
    }

    /// The numbers of the bearers of each identifier, of those that do not go by themselves.
    fn bearers(&self) -> Lists {
        let counted = (0..).zip(&self.links.bearers);
        let counted = counted.filter(|(_, bearer)| !(self.is_redaction && bearer.is_withheld));
        let pairs = counted.map(|(number, bearer)| (bearer.identifier, number));
        Lists::of(pairs.collect(), self.links.identifiers.len())
    }
}

/// Sets a mark, and tells whether it was not set.
fn mark(marks: &mut [bool], at: usize) -> bool {
    marks.get_mut(at).is_some_and(|mark| !std::mem::replace(mark, true))
}

/// For each of some numbers, the range of the elements of a sorted list that are about it.
struct Ranges(Vec<usize>);

impl Ranges {
    /// `sorted` says of each element which number it is about, of `count` numbers.
    fn of(sorted: impl Iterator<Item = u32>, count: usize) -> Ranges {
        let mut ends = vec![0; count + 1];
        for (index, number) in sorted.enumerate() {
            if let Some(end) = ends.get_mut(number as usize + 1) {
                *end = index + 1;
            }
        }
        let mut last = 0;
        for end in &mut ends {
            last = last.max(*end);
            *end = last;
        }
        Ranges(ends)
    }

    fn of_number(&self, number: u32) -> std::ops::Range<usize> {
        let end = |at: usize| self.0.get(at).copied().unwrap_or_default();
        let at = number as usize;
        end(at)..end(at.saturating_add(1)).max(end(at))
    }
}

/// For each of some numbers, a list of others.
pub(crate) struct Lists {
    ranges: Ranges,
    values: Vec<u32>,
}

impl Lists {
    /// Lists of the second numbers of pairs, for the first ones, of which there are `count`.
    pub(crate) fn of(mut pairs: Vec<(u32, u32)>, count: usize) -> Lists {
        pairs.sort();
        Lists {
            ranges: Ranges::of(pairs.iter().map(|(number, _)| *number), count),
            values: pairs.into_iter().map(|(_, value)| value).collect(),
        }
    }

    pub(crate) fn of_number(&self, number: u32) -> &[u32] {
        self.values.get(self.ranges.of_number(number)).unwrap_or_default()
    }
}
