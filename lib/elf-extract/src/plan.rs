//! Plans: for each record, whether it stays, decided from a survey and carried out part by part.

use crate::branch::{Branch, LoneFamilies};
use crate::doubts::{Doubt, doubts};
use crate::mentions::LivingNames;
use crate::records::{RecordAction, RecordKind, RemovalReason};
use crate::redaction::{Redaction, Replacement};
use crate::references::{Lists, References, Settled};
use crate::survey::{LinkTable, SurveyedDocument, SurveyedPart};
use elf_lineage::Lineage;
use indexmap::IndexSet;
use std::collections::HashSet;

/// The reason why a branch or a redaction cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No person bears the identifier.
    #[error("no person is called `@{0}@`")]
    NoPerson(String),
    /// The records of persons and families are not those of the graph: which is whose nobody knows.
    #[error("the graph has {people} persons and families, but the document has {records} records of such")]
    OtherGraph {
        /// The number of persons and families of the graph.
        people: usize,
        /// The number of records.
        records: usize,
    },
    /// A line of the header may have begun the record of somebody who may be living: what stands beneath the
    /// header is then that person's.
    #[error("line {line} stands in the header and may begin a record of somebody: mend it first")]
    UnclearHeader {
        /// The number of the line.
        line: u64,
    },
}

/// A decision about each record of a document. It owns all it has to know, and can be shared between threads.
#[derive(Debug)]
pub struct Plan {
    pub(crate) identifiers: IndexSet<Box<str>>,
    /// The ends of pointers to each identifier, by the numbers of the identifiers.
    pub(crate) targets: Vec<Target>,
    pub(crate) actions: Vec<RecordAction>,
    /// The structures below records that stay which only the removed referred to: records and identifiers.
    gone: Vec<(u32, u32)>,
    pub(crate) kinds: Vec<RecordKind>,
    pub(crate) parts: Vec<SurveyedPart>,
    /// The records, in their order, whose identifiers hold a word of the name of the person.
    pub(crate) named_records: Vec<u32>,
    /// The lines of [`Plan::unclear_lines`].
    unclear_lines: Vec<u64>,
    /// The doubts of [`Plan::doubts`].
    doubts: Vec<Doubt>,
    /// The replacement of those who are hidden, and their names; `None` where nobody is.
    pub(crate) redaction: Option<(Replacement, LivingNames)>,
}

/// The end of a pointer to an identifier, when the plan is carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    /// Nothing, as before.
    #[default]
    Nothing,
    /// A structure that stays.
    Kept,
    /// A person who is hidden.
    Hidden,
    /// A structure that is removed.
    Removed,
}

/// The fate of a pointer, by its record, what it leads to, and whether it links a person and a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The structure stays, with all beneath it.
    Stays,
    /// The structure stays, without what stands beneath it, which is about somebody who is hidden.
    StaysAlone,
    /// The structure goes, with all beneath it.
    Goes(RemovalReason),
}

impl Fate {
    /// A link to what is not in the file stays alone in a redaction: what is said of that is of nobody known.
    pub(crate) const fn of(
        action: RecordAction,
        target: Target,
        is_family_link: bool,
        is_redaction: bool,
    ) -> Fate {
        match (action, target) {
            (RecordAction::Keep, Target::Nothing) if is_family_link && is_redaction => Fate::StaysAlone,
            (RecordAction::Remove(reason), _) => Fate::Goes(reason),
            (RecordAction::Hide, Target::Kept | Target::Hidden) if is_family_link => Fate::StaysAlone,
            (RecordAction::Hide, _) => Fate::Goes(RemovalReason::Living),
            (RecordAction::Keep, Target::Removed) => Fate::Goes(RemovalReason::PointerToRemoved),
            (RecordAction::Keep, Target::Hidden) if is_family_link => Fate::StaysAlone,
            (RecordAction::Keep, Target::Hidden) => Fate::Goes(RemovalReason::Living),
            (RecordAction::Keep, Target::Kept | Target::Nothing) => Fate::Stays,
        }
    }
}

/// The numbers of records of a kind that stay, are hidden, and are removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordCounts {
    /// The number of records that stay, but for what they say of what is removed.
    pub kept: u64,
    /// The number of records of which nothing stays but their place in the tree.
    pub hidden: u64,
    /// The number of records that are removed.
    pub removed: u64,
}

impl Plan {
    /// Plans to keep a branch, and what its records refer to.
    ///
    /// # Errors
    ///
    /// [`PlanError`], as where nobody bears an identifier that the branch starts from.
    pub fn branch(document: SurveyedDocument, branch: &Branch) -> Result<Plan, PlanError> {
        let SurveyedDocument { lineage, links, parts, .. } = document;
        let members = branch.members(&lineage)?;
        let mut planner = Planner::new(&links, &lineage, false)?;
        planner.persons(|person| match members.get(person).copied().unwrap_or_default() {
            true => RecordAction::Keep,
            false => RecordAction::Remove(RemovalReason::Outside),
        });
        planner.families(branch.lone_families);
        let settled = planner.finish();
        Ok(Plan::new(links, parts, settled, None))
    }

    /// Plans to hide those who may be living, and what only they refer to.
    ///
    /// # Errors
    ///
    /// [`PlanError`], as where nobody bears an identifier of those to be kept.
    pub fn redaction(document: SurveyedDocument, redaction: &Redaction) -> Result<Plan, PlanError> {
        let SurveyedDocument { lineage, links, parts, has_trailer } = document;
        if let Some(line) = links.unclear_header {
            return Err(PlanError::UnclearHeader { line });
        }
        let hidden = redaction.hidden(&lineage)?;
        let is_hidden = |person: usize| hidden.get(person).copied().unwrap_or_default();
        let mut planner = Planner::new(&links, &lineage, true)?;
        planner.persons(|person| match (is_hidden(person), redaction.replacement) {
            (false, _) => RecordAction::Keep,
            (true, Replacement::Nothing) => RecordAction::Remove(RemovalReason::Living),
            (true, _) => RecordAction::Hide,
        });
        planner.families(LoneFamilies::Remove);
        planner.hide_families(is_hidden);
        planner.hide_ambiguous_families();
        planner.private_records();
        let settled = planner.finish();
        let is_of_living = |record: u32| match settled.actions.get(record as usize) {
            Some(RecordAction::Hide | RecordAction::Remove(RemovalReason::Living | RemovalReason::Stray)) => {
                true
            }
            Some(RecordAction::Keep | RecordAction::Remove(_)) | None => false,
        };
        let names = links.names.iter().filter(|(record, _)| is_of_living(*record)).map(|(_, name)| *name);
        let names = LivingNames::of(names);
        let doubts = doubts(&links, &settled, has_trailer);
        Ok(Plan { doubts, ..Plan::new(links, parts, settled, Some((redaction.replacement, names))) })
    }

    fn new(
        links: LinkTable,
        parts: Vec<SurveyedPart>,
        Settled { targets, actions, gone }: Settled,
        redaction: Option<(Replacement, LivingNames)>,
    ) -> Plan {
        let kinds = links.records.iter().map(|record| record.kind).collect();
        let named_records = (0..).zip(&links.records).filter(|(_, record)| record.is_named);
        Plan {
            identifiers: links.identifiers,
            targets,
            actions,
            gone,
            kinds,
            parts,
            named_records: named_records.map(|(number, _)| number).collect(),
            unclear_lines: if redaction.is_some() { links.unclear_lines } else { Vec::new() },
            doubts: Vec::new(),
            redaction,
        }
    }

    /// Tells whether the plan hides persons.
    pub const fn is_redaction(&self) -> bool {
        self.redaction.is_some()
    }

    /// The lines, by their numbers, for which a redaction hides or removes their records: they may have begun
    /// records of others, or nobody knows whom they are about.
    pub fn unclear_lines(&self) -> &[u64] {
        &self.unclear_lines
    }

    /// The places that show that a redaction may leave something of those who are hidden: by kinds, each in
    /// the order of the file.
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// Counts the records of a kind by what becomes of them.
    pub fn counts(&self, kind: RecordKind) -> RecordCounts {
        let mut counts = RecordCounts::default();
        let of_kind = self.kinds.iter().zip(&self.actions).filter(|(of, _)| **of == kind);
        for (_, action) in of_kind {
            *match action {
                RecordAction::Keep => &mut counts.kept,
                RecordAction::Hide => &mut counts.hidden,
                RecordAction::Remove(_) => &mut counts.removed,
            } += 1;
        }
        counts
    }

    /// Tells whether the identifier of a record holds a word of the name of the person.
    pub(crate) fn is_named(&self, record: usize) -> bool {
        u32::try_from(record).is_ok_and(|record| self.named_records.binary_search(&record).is_ok())
    }

    /// Tells whether a structure of a record goes since only the removed referred to it by its identifier.
    pub(crate) fn is_gone(&self, record: usize, identifier: &str) -> bool {
        let of_record = u32::try_from(record).ok().zip(self.identifiers.get_index_of(identifier));
        let of_record = of_record.map(|(record, number)| (record, u32::try_from(number).unwrap_or(u32::MAX)));
        of_record.is_some_and(|pair| self.gone.binary_search(&pair).is_ok())
    }

    /// Finds out where pointers to an identifier lead.
    pub(crate) fn target(&self, identifier: &str) -> Target {
        let number = self.identifiers.get_index_of(identifier);
        number.and_then(|number| self.targets.get(number)).copied().unwrap_or_default()
    }
}

/// Decides what becomes of records: first of persons, then of families, then of what nothing refers to.
struct Planner<'p> {
    links: &'p LinkTable,
    lineage: &'p Lineage,
    /// True if what bears a notice of privacy is removed.
    is_redaction: bool,
    actions: Vec<RecordAction>,
    /// The records of the persons and of the families, by their numbers in the graph.
    persons: Vec<usize>,
    families: Vec<usize>,
}

impl<'p> Planner<'p> {
    fn new(links: &'p LinkTable, lineage: &'p Lineage, is_redaction: bool) -> Result<Planner<'p>, PlanError> {
        let of_kind = |kind| -> Vec<usize> {
            let records = links.records.iter().enumerate().filter(move |(_, record)| record.kind == kind);
            records.map(|(number, _)| number).collect()
        };
        let (persons, families) = (of_kind(RecordKind::Person), of_kind(RecordKind::Family));
        // They are paired by their order: one more or less, and each would be taken for another.
        if (persons.len(), families.len()) != (lineage.person_count(), lineage.family_count()) {
            let people = lineage.person_count() + lineage.family_count();
            return Err(PlanError::OtherGraph { people, records: persons.len() + families.len() });
        }
        let actions = vec![RecordAction::Keep; links.records.len()];
        Ok(Planner { links, lineage, is_redaction, actions, persons, families })
    }

    fn act(&mut self, record: Option<usize>, action: RecordAction) {
        if let Some(entry) = record.and_then(|record| self.actions.get_mut(record)) {
            *entry = action;
        }
    }

    fn is_removed(&self, record: Option<&usize>) -> bool {
        let action = record.and_then(|&record| self.actions.get(record));
        matches!(action, Some(RecordAction::Remove(_)))
    }

    /// Decides of each person, by its number in the graph.
    fn persons(&mut self, action: impl Fn(usize) -> RecordAction) {
        for (number, &record) in self.persons.iter().enumerate() {
            if let Some(entry) = self.actions.get_mut(record) {
                *entry = action(number);
            }
        }
    }

    /// Removes families of whose persons too few are left.
    fn families(&mut self, lone: LoneFamilies) {
        for family in self.lineage.families() {
            let partners = family.partners().map(|(person, _)| person);
            let (mut left, mut removed) = (0_u32, false);
            for person in partners.chain(family.children()) {
                match self.is_removed(self.persons.get(person.id().index())) {
                    true => removed = true,
                    false => left = left.saturating_add(1),
                }
            }
            let is_lone = left == 0 || left == 1 && lone == LoneFamilies::Remove;
            if removed && is_lone {
                let record = self.families.get(family.id().index()).copied();
                self.act(record, RecordAction::Remove(RemovalReason::LoneFamily));
            }
        }
    }

    /// Hides the families of which a partner is hidden, or somebody to whom the record points otherwise;
    /// those without partners, unless they have children and none of them is hidden; and those with a notice
    /// of privacy, or that may hold what is another's.
    fn hide_families(&mut self, is_hidden: impl Fn(usize) -> bool) {
        let mut pointing = vec![false; self.links.records.len()];
        let hidden_persons: HashSet<u32> = self.hidden_identifiers();
        let direct =
            self.links.pointers.iter().filter(|pointer| pointer.is_direct && !pointer.is_family_link);
        for pointer in direct.filter(|pointer| hidden_persons.contains(&pointer.identifier)) {
            if let Some(is_pointing) = pointing.get_mut(pointer.record as usize) {
                *is_pointing = true;
            }
        }
        for family in self.lineage.families() {
            let record = self.families.get(family.id().index()).copied();
            let data = record.and_then(|record| self.links.records.get(record));
            let is_private = data.is_some_and(|record| record.is_private || record.is_unclear);
            let of_hidden = || {
                let mut partners = family.partners().peekable();
                let of_nobody = partners.peek().is_none() && family.children().next().is_none();
                let of_children =
                    partners.peek().is_none() && family.children().any(|child| is_hidden(child.id().index()));
                of_nobody || of_children || partners.any(|(person, _)| is_hidden(person.id().index()))
            };
            let is_pointing = record.and_then(|record| pointing.get(record)).copied().unwrap_or_default();
            if !self.is_removed(record.as_ref()) && (is_private || is_pointing || of_hidden()) {
                self.act(record, RecordAction::Hide);
            }
        }
    }

    /// The identifiers of the persons who are hidden or removed.
    fn hidden_identifiers(&self) -> HashSet<u32> {
        let is_hidden = |record: u32| {
            let record = record as usize;
            let of_person = self.links.records.get(record).is_some_and(|one| one.kind == RecordKind::Person);
            of_person && self.actions.get(record) != Some(&RecordAction::Keep)
        };
        let hidden =
            self.links.bearers.iter().filter(|bearer| bearer.inner().is_none() && is_hidden(bearer.record));
        hidden.map(|bearer| bearer.identifier).collect()
    }

    /// Hides the families that may be of somebody who is hidden, where several records bear the identifier of
    /// the one or the other: the graph has no link there.
    fn hide_ambiguous_families(&mut self) {
        let mut bearers: Vec<(u32, u32)> =
            self.links.bearers.iter().map(|bearer| (bearer.identifier, bearer.record)).collect();
        bearers.sort();
        bearers.dedup();
        let bearers = Lists::of(bearers, self.links.identifiers.len());
        let is_family = |record: u32| {
            self.links.records.get(record as usize).is_some_and(|record| record.kind == RecordKind::Family)
        };
        let is_hidden = |record: u32| !is_family(record) && !is_kept_in(&self.actions, record);
        let any_hidden: HashSet<u32> = (0..)
            .take(self.links.identifiers.len())
            .filter(|&number| bearers.of_number(number).iter().any(|&record| is_hidden(record)))
            .collect();
        let (mut hidden, mut met) = (Vec::new(), HashSet::new());
        for pointer in self.links.pointers.iter().filter(|pointer| pointer.is_family_link) {
            let (from, to) = (pointer.record, bearers.of_number(pointer.identifier));
            if to.len() < 2 {
                continue;
            }
            if is_family(from) && any_hidden.contains(&pointer.identifier) {
                hidden.push(from);
            } else if is_hidden(from) && met.insert(pointer.identifier) {
                hidden.extend(to.iter().filter(|&&record| is_family(record)));
            }
        }
        for record in hidden {
            if is_kept_in(&self.actions, record) {
                self.act(Some(record as usize), RecordAction::Hide);
            }
        }
    }

    /// Removes other records with a notice of privacy, or of which nobody knows whom they are about; hides
    /// such submitters, whom the header needs.
    fn private_records(&mut self) {
        for (record, action) in self.links.records.iter().zip(&mut self.actions) {
            match record.kind {
                RecordKind::Other if record.is_private => {
                    *action = RecordAction::Remove(RemovalReason::Private);
                }
                RecordKind::Other if record.is_unclear => {
                    *action = RecordAction::Remove(RemovalReason::Stray);
                }
                RecordKind::Submitter if record.is_private || record.is_unclear => {
                    *action = RecordAction::Hide;
                }
                _ => {}
            }
        }
    }

    /// Removes lines that fit nowhere: where they stand behind a record that does not stay, and of a
    /// redaction all.
    fn strays(&mut self) {
        let mut before = RecordAction::Keep;
        for (record, action) in self.links.records.iter().zip(&mut self.actions) {
            if record.is_stray {
                *action = match before {
                    RecordAction::Keep if self.is_redaction => RecordAction::Remove(RemovalReason::Stray),
                    RecordAction::Hide => RecordAction::Remove(RemovalReason::Living),
                    kept_or_removed => kept_or_removed,
                };
            }
            before = *action;
        }
    }

    /// Removes what only the removed refer to.
    fn finish(mut self) -> Settled {
        self.strays();
        References::new(self.links, self.is_redaction, self.actions).settle()
    }
}

/// Tells whether a record stays as it is so far.
fn is_kept_in(actions: &[RecordAction], record: u32) -> bool {
    actions.get(record as usize) == Some(&RecordAction::Keep)
}
