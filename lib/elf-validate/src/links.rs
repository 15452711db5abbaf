//! Checks the links between records. These checks need the whole document.

mod answers;
mod circles;
mod index;
mod rules;
mod run_links;

pub(crate) use answers::rules_with_certain_tags;
pub(crate) use rules::{RuleSet, RulesByKind};
pub(crate) use run_links::LinkCollector;
pub use run_links::RunLinks;

use crate::findings::{FIRST, new_finding};
use crate::payloads::shorten;
use crate::slots::NO_KIND;
use crate::table::{Link, LinkRule, Table};
use crate::undefined::{self, TagPlace};
use circles::{Circles, RepeatedPointers};
use elf_base::{Against, Code, Place, Related, Sink, codes};
use elf_schema::tally::UndefinedTally;
use index::{BearerId, BearerIndex};
use rules::ManyPointers;
use run_links::{Bearer, Pointer, to_u32};
use std::sync::Arc;

/// Collects the links between records from all runs of a document. [`Validator::links`](crate::Validator::links)
/// creates it.
#[derive(Clone, Debug)]
pub struct Links {
    table: &'static Table,
    rules: &'static RulesByKind,
    against: Against,
    runs: Vec<RunLinks>,
    /// The tags that the standard does not allow at their places.
    undefined: UndefinedTally<TagPlace>,
    /// The rules for which the schema defines the tag of the missing half of a link.
    certain: RuleSet,
    /// The extension tags that may be a record of the standard or another record, sorted.
    doubtful: Arc<[Box<str>]>,
    /// True if a trailer was found at the end. Without a trailer, the file may be cut off, so that
    /// the missing half of a link may have been lost.
    has_trailer: bool,
}

/// The links of a whole document, which can be checked run by run on several threads. [`Links::end`] creates it.
#[derive(Debug)]
pub struct EndedLinks {
    links: Links,
    rules: &'static RulesByKind,
    index: BearerIndex,
    crowded: ManyPointers,
    circles: Circles,
    repeated: RepeatedPointers,
}

/// The invalid pointers of a run. [`EndedLinks::find_faults`] returns them.
#[derive(Debug)]
pub struct LinkFaults {
    run: u32,
    /// The index of each invalid pointer in the run, and the index of the record that contains it.
    pointers: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct PointerInRecord<'l> {
    pointer: Pointer,
    /// The index of the pointer in its run.
    at: u32,
    id: BearerId,
    record: &'l Bearer,
}

#[derive(Clone, Copy)]
enum LinkFault {
    /// The pointer refers to a record of the wrong kind.
    WrongType(BearerId),
    /// The pointer violates a rule.
    Against(BearerId, &'static Link),
}

/// A fault that can only be found when all runs are known.
enum RunFault {
    /// A top-level structure occurs too often. The values are its slot in the table, and the place
    /// of its first occurrence.
    Repeated(u16, Place),
    /// A pointer is invalid. The values are its index in the run and the index of its record.
    Link(u32, u32),
}

impl LinkFault {
    /// Returns the code of the fault, and whether the standard states the rule.
    const fn code(self) -> (Code, bool) {
        match self {
            LinkFault::WrongType(_) => (codes::POINTER_WRONG_TYPE, true),
            LinkFault::Against(_, link) => match link.rule {
                LinkRule::Answered { .. } => (codes::LINK_ONE_SIDED, link.is_required),
                LinkRule::Elsewhere | LinkRule::Unanswered { .. } | LinkRule::Acyclic => {
                    (codes::POINTER_CIRCULAR, link.is_required)
                }
                LinkRule::Once => (codes::POINTER_REPEATED, link.is_required),
            },
        }
    }
}

impl Links {
    pub(crate) fn new(
        table: &'static Table,
        rules: &'static RulesByKind,
        against: Against,
        certain: RuleSet,
        doubtful: Arc<[Box<str>]>,
    ) -> Links {
        Links {
            table,
            rules,
            against,
            runs: Vec::new(),
            undefined: UndefinedTally::default(),
            certain,
            doubtful,
            has_trailer: false,
        }
    }

    /// Adds the links of the next run, in the order of the file.
    pub fn add(&mut self, mut run: RunLinks) {
        self.undefined.add_run(std::mem::take(&mut run.undefined));
        self.has_trailer |= run.has_trailer;
        self.runs.push(run);
    }

    /// Reports problems of the whole document, in the order of the file. The findings have places, but no excerpts.
    pub fn finish(self, sink: &mut dyn Sink) {
        let ended = self.end();
        let faults: Vec<LinkFaults> = (0..ended.run_count()).map(|run| ended.find_faults(run)).collect();
        ended.report(faults, sink);
    }

    /// Ends the collection of links when all runs were added. Use this instead of
    /// [`finish`](Links::finish) to check the runs on several threads.
    ///
    /// ```
    /// use elf_schema::{Diagnostic, ReadOptions, Reader, Rules};
    /// use elf_validate::{Against, Standard, Validator};
    ///
    /// let octets = b"0 HEAD\n0 @I1@ INDI\n1 FAMS @R2@\n0 @R2@ REPO\n1 NAME Archive\n0 TRLR\n";
    /// let against = Against { standard: Standard::DataModel, is_named: false };
    /// let mut reader = Reader::new(&octets[..], &Rules::WILD, ReadOptions::default());
    /// let mut found: Vec<Diagnostic> = Vec::new();
    /// if let Some(run) = reader.next_run(&mut ())? {
    ///     let validator = Validator::new(against, run.schema());
    ///     let mut links = validator.links();
    ///     links.add(validator.validate_run(&run, &mut found));
    ///     let ended = links.end();
    ///     let faults = std::thread::scope(|scope| scope.spawn(|| ended.find_faults(0)).join());
    ///     ended.report(faults.ok(), &mut found);
    /// }
    /// assert_eq!(found[0].message, "expected a pointer to `FAM`, but `@R2@` is `REPO`");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn end(mut self) -> EndedLinks {
        let rules = self.rules;
        let index = BearerIndex::of(&mut self.runs);
        let crowded = ManyPointers::of(&self.runs, rules, &index);
        let circles = Circles::of(&self.runs, rules, &index);
        let repeated = RepeatedPointers::of(&self.runs, rules);
        EndedLinks { links: self, rules, index, crowded, circles, repeated }
    }

    /// Returns a run by its number. The number must come from the index of these runs or from
    /// [`find_faults`](EndedLinks::find_faults).
    fn get_run(&self, number: u32) -> &RunLinks {
        &self.runs[number as usize]
    }
}

impl EndedLinks {
    /// Returns the number of runs.
    pub fn run_count(&self) -> usize {
        self.links.runs.len()
    }

    /// Finds the invalid pointers of a run. Runs are numbered from 0.
    ///
    /// # Panics
    ///
    /// Panics if there is no run of that number.
    pub fn find_faults(&self, run: usize) -> LinkFaults {
        let (at, run) = (to_u32(run), &self.links.runs[run]);
        let mut pointers = Vec::new();
        for (of, record) in run.bearers.iter().enumerate() {
            let id = BearerId::new(at, of);
            for number in run.pointers_of(of) {
                let Some(pointer) = run.get_pointer(number) else { continue };
                if self.find_fault(PointerInRecord { pointer, at: to_u32(number), id, record }).is_some() {
                    pointers.push((to_u32(number), to_u32(of)));
                }
            }
        }
        LinkFaults { run: at, pointers }
    }

    /// Reports problems of the whole document, given the invalid pointers of all runs in order.
    pub fn report(mut self, faults: impl IntoIterator<Item = LinkFaults>, sink: &mut dyn Sink) {
        let undefined = std::mem::take(&mut self.links.undefined);
        let table = self.links.table;
        let mut roots: Vec<(u32, Option<Place>)> = vec![(0, None); table.roots.len()];
        let mut late: Vec<(Place, RunFault)> = Vec::new();
        for LinkFaults { run: number, pointers } in faults {
            let run = self.links.get_run(number);
            for (slot, place) in run.limited_roots() {
                let Some((met, first)) = roots.get_mut(usize::from(slot)) else { continue };
                *met = met.saturating_add(1);
                let first = *first.get_or_insert(place);
                let max = table.roots.get(usize::from(slot)).and_then(|slot| slot.max);
                if max.is_some_and(|max| *met > max) {
                    late.push((place, RunFault::Repeated(slot, first)));
                }
            }
            late.extend(pointers.into_iter().filter_map(|(at, record)| {
                Some((run.pointer_place(at as usize)?, RunFault::Link(at, record)))
            }));
            late.sort_by_key(|(place, _)| *place);
            for (place, fault) in late.drain(..) {
                self.report_fault(number, place, &fault, sink);
            }
        }
        undefined::report_undefined_tags(undefined, table, self.links.against, sink);
    }

    /// Reports a fault in the run with this number.
    #[cold]
    fn report_fault(&self, run_number: u32, place: Place, fault: &RunFault, sink: &mut dyn Sink) {
        let (table, against) = (self.links.table, self.links.against);
        let (mut fix, mut related) = (None, Vec::new());
        let said = match *fault {
            RunFault::Repeated(slot, first) => table.roots.get(usize::from(slot)).map(|slot| {
                related.push(Related::new(FIRST, first, None));
                let (max, what) = (slot.max.unwrap_or(u32::MAX), table.display_name(slot.name));
                let message = format!("expected at most {max} `{what}` in the file, but found another one");
                (codes::STRUCTURE_REPEATED, true, message)
            }),
            RunFault::Link(at, record) => {
                let id = BearerId::new(run_number, record as usize);
                let run = self.links.get_run(run_number);
                run.get_pointer(at as usize).zip(self.links.get_bearer(id)).and_then(|(pointer, record)| {
                    let met = PointerInRecord { pointer, at, id, record };
                    let fault = self.find_fault(met)?;
                    if let LinkFault::Against(target, link) = fault {
                        fix = self.fix_one_sided(met, target, link);
                    }
                    let (code, is_required) = fault.code();
                    let wants_words = sink.wants_words(code, Some(place));
                    let message = if wants_words { self.describe_fault(met, fault)? } else { String::new() };
                    Some((code, is_required, message))
                })
            }
        };
        if let Some((code, is_required, message)) = said {
            let is_named = against.is_named && is_required;
            let mut found = new_finding(code, Against { is_named, ..against }, message).at(place, None);
            (found.fix, found.related) = (fix, related);
            sink.report(found);
        }
    }

    /// Returns the fault of a pointer, if it has one.
    fn find_fault(&self, met: PointerInRecord<'_>) -> Option<LinkFault> {
        let PointerInRecord { pointer, at: number, id: of, record } = met;
        let (at, target) = self.index.find_bearer(pointer.key, &self.links.runs)?;
        // The reader reports repeated identifiers and identifiers of substructures.
        if target.is_nested || target.is_repeated {
            return None;
        }
        if !self.rules.may_refer_to(pointer.kind, target) && !self.may_be_target(at, target) {
            return Some(LinkFault::WrongType(at));
        }
        let about = self.rules.rules_about(&pointer, record);
        if about == 0 || target.kind == NO_KIND {
            return None;
        }
        let answers = of.xref_key(&self.links.runs).map_or(0, |key| self.rules_satisfied_by(at, key));
        let against = rules::rules_in_set(about, self.links.table).find(|(bit, link)| match link.rule {
            LinkRule::Elsewhere => at == of,
            LinkRule::Acyclic => self.circles.contain_both([of, at]),
            LinkRule::Once => self.repeated.contains(of.run_number(), number),
            LinkRule::Unanswered { .. } => answers & bit != 0,
            // Pointers to a repeated identifier are ambiguous.
            LinkRule::Answered { .. } => answers & bit == 0 && !record.is_repeated,
        });
        against.map(|(_, link)| LinkFault::Against(at, link))
    }

    /// Returns whether an extension record may be of the expected kind. In GEDCOM 7.0, an extension
    /// tag with several URIs may have a standard type. A tag that the schema does not define cannot
    /// have one.
    #[cold]
    fn may_be_target(&self, at: BearerId, target: &Bearer) -> bool {
        let tag = || self.links.get_run(at.run_number()).record_tag(at.index(), self.links.table);
        self.links.against.standard.types_extensions()
            && target.kind == NO_KIND
            && self.links.doubtful.binary_search_by(|one| (**one).cmp(tag())).is_ok()
    }

    /// Returns the rules that are satisfied by the pointers from a record back to `to`.
    fn rules_satisfied_by(&self, of: BearerId, to: u64) -> rules::RuleSet {
        let run = self.links.get_run(of.run_number());
        let pointers = run.pointers_of(of.index());
        if let Some(answers) = self.crowded.rules_satisfied_for(pointers.len(), of, to) {
            return answers;
        }
        let back = run.pointers_to(to, pointers).filter_map(|at| run.kind_and_directness(at));
        back.fold(0, |answers, (kind, is_direct)| answers | self.rules.rules_satisfied_by(kind, is_direct))
    }

    /// Returns an identifier in the form used in messages.
    fn shorten_identifier(&self, of: BearerId) -> String {
        shorten(&self.links.get_run(of.run_number()).identifier_of(of.index()))
    }

    fn describe_fault(&self, met: PointerInRecord<'_>, fault: LinkFault) -> Option<String> {
        let table = self.links.table;
        match fault {
            LinkFault::WrongType(target) => {
                let targets = table.kind(met.pointer.kind)?.targets.iter();
                let targets: Vec<String> =
                    targets.map(|of| format!("`{}`", table.display_name(of))).collect();
                Some(format!(
                    "expected a pointer to {}, but `@{}@` is `{}`",
                    targets.join(" or "),
                    self.shorten_identifier(target),
                    shorten(self.links.get_run(target.run_number()).record_tag(target.index(), table))
                ))
            }
            LinkFault::Against(target, link) => {
                let identifier = self.shorten_identifier(target);
                Some(match link.rule {
                    LinkRule::Answered { tags, .. } => self.describe_one_sided(met, &identifier, tags),
                    LinkRule::Elsewhere => {
                        format!("`@{identifier}@` points to itself")
                    }
                    LinkRule::Acyclic => {
                        format!("circle of pointers: `@{identifier}@` leads back to this record")
                    }
                    LinkRule::Once => {
                        format!("expected one pointer to `@{identifier}@` here, but found another one")
                    }
                    LinkRule::Unanswered { .. } => {
                        format!("circle of pointers: `@{identifier}@` points back to this record")
                    }
                })
            }
        }
    }

    fn describe_one_sided(
        &self,
        PointerInRecord { id, .. }: PointerInRecord<'_>,
        target: &str,
        tags: &[&str],
    ) -> String {
        if id.xref_key(&self.links.runs).is_none() {
            let tags: Vec<String> = tags.iter().map(|tag| format!("`{tag}`")).collect();
            let tags = tags.join(" or ");
            format!("`@{target}@` cannot link back with {tags}, because this record has no identifier")
        } else {
            let own = self.shorten_identifier(id);
            let answers: Vec<String> = tags.iter().map(|tag| format!("`{tag} @{own}@`")).collect();
            let none = if answers.len() == 1 { "it" } else { "either" };
            format!(
                "expected `@{target}@` to link back with {}, but it does not have {none}",
                answers.join(" or ")
            )
        }
    }
}

impl Links {
    fn get_bearer(&self, id: BearerId) -> Option<&Bearer> {
        id.get_bearer(&self.runs)
    }
}
