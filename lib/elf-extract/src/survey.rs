//! The survey of a document: its records, their links, its people and families.

use crate::error::PlanError;
use crate::links::LinkTable;
use crate::records::header_and_records;
use crate::redaction::Redaction;
use crate::roles::RoleFinder;
use elf_lineage::{Event, Lineage, LineageBuilder, LineageReader, LivingReason, LivingRule, Person};
use elf_schema::elf_values::Calendar;
use elf_schema::{Node, Role, TypedDocument};

/// The records of a document, the pointers between them, and the graph of its people and families. A
/// [`Plan`](crate::Plan) uses it.
#[derive(Debug)]
pub struct Survey<'d> {
    pub(crate) roles: RoleFinder<'d>,
    pub(crate) lineage: Lineage,
    pub(crate) links: LinkTable,
    /// True if the last line is a trailer.
    pub(crate) has_trailer: bool,
}

/// A person whom a redaction hides, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HiddenPerson {
    /// The identifier of the record, without at signs.
    pub identifier: Option<String>,
    /// The name, without the slashes around the surname. Empty if there is none.
    pub name: String,
    /// The date of birth as written.
    pub birth: Option<String>,
    /// The reason in words.
    pub reason: String,
    /// The line number of the record.
    pub line: u64,
}

/// Describes in words why a person is hidden. `birth` is the date of birth as written, if there is only one.
fn describe_reason(
    person: Person<'_>,
    reason: LivingReason,
    birth: Option<&str>,
    rule: &LivingRule,
) -> String {
    let within = rule.within;
    let is_death = |event: Event<'_>| matches!(event.role(), Role::Death | Role::Burial | Role::Cremation);
    let no_death = if person.events().any(is_death) { "no certain death" } else { "no death" };
    match (reason, birth) {
        (LivingReason::Private, _) => "marked as private or living".to_owned(),
        (LivingReason::Born(_), Some(birth)) => format!("{no_death} and born {birth}, within {within} years"),
        (LivingReason::Born(day), None) => {
            let year = year_of(day);
            format!(
                "{no_death} and born by {year} by the dates of events or relatives, within {within} years"
            )
        }
        (LivingReason::LaterSign { birth, sign }, _) => {
            let [birth, sign] = [birth, sign].map(year_of);
            format!(
                "{no_death}; born by {birth}, but an event of {sign} or later is more than {within} years after \
                 that, so the person outlived the limit of `--within`"
            )
        }
        (LivingReason::Contradicted, _) => format!("{no_death}, and dates that contradict each other"),
        (LivingReason::Undated, Some(birth)) => {
            format!("{no_death}, and the birth `{birth}` has no certain year")
        }
        (LivingReason::Undated, None) => format!("{no_death}, and no date that limits the birth"),
        (LivingReason::Unclear | _, _) => "the record may contain lines of another person".to_owned(),
    }
}

fn describe_person(person: Person<'_>, births: Vec<String>, rule: &LivingRule) -> HiddenPerson {
    let only_birth = births.first().filter(|_| births.len() == 1);
    // A person in the list of people to keep is hidden only if the record is unclear.
    let reason = person.living_reason(rule).unwrap_or(LivingReason::Unclear);
    HiddenPerson {
        identifier: person.identifier(),
        name: person.name().to_owned(),
        reason: describe_reason(person, reason, only_birth.map(String::as_str), rule),
        birth: births.into_iter().next(),
        line: person.position().line,
    }
}

/// Returns the year of a Julian day number.
fn year_of(day: i64) -> i64 {
    Calendar::Gregorian.day(day).map_or(0, |day| day.year)
}

impl<'d> Survey<'d> {
    /// Collects the records, links, people and families of a document.
    pub fn of(typed: &'d TypedDocument<'d>) -> Survey<'d> {
        let roles = RoleFinder::of(typed);
        let mut lineage = LineageBuilder::default();
        let reader = LineageReader::new(typed.schema()).with_whole_names().with_unclear_records();
        lineage.take(reader.with_restriction_tags(roles.restriction_tags()).read(typed));
        let last = typed.document().lines().rev().find(|line| !line.is_inserted());
        Survey {
            lineage: lineage.build(),
            links: LinkTable::of(&roles),
            has_trailer: last.is_some_and(|line| line.tag() == "TRLR"),
            roles,
        }
    }

    /// Returns whether the document has any record, including the header. A file that was read in
    /// the wrong encoding may have none.
    pub fn has_records(&self) -> bool {
        !self.links.records.is_empty()
    }

    /// Returns the line numbers that make it unclear whom their records are about. A redaction
    /// treats these records as those of living people.
    pub fn unclear_lines(&self) -> &[u64] {
        &self.links.unclear_lines
    }

    /// Returns the people whom a redaction hides.
    ///
    /// # Errors
    ///
    /// [`PlanError::NoPerson`] if no person has one of the identifiers to keep.
    pub fn hidden_persons(&self, redaction: &Redaction) -> Result<Vec<HiddenPerson>, PlanError> {
        let is_hidden = redaction.hidden_persons(&self.lineage)?;
        let persons = self.lineage.persons().zip(is_hidden).filter(|(_, is_hidden)| *is_hidden);
        let records: Vec<Node<'d>> = header_and_records(self.roles.document()).collect();
        let record_of = |person: Person<'_>| {
            let line = person.position().line;
            let at = self.links.records.binary_search_by_key(&line, |record| record.line).ok()?;
            records.get(at).copied()
        };
        let described = persons.map(|(person, _)| {
            let births = record_of(person).map(|record| self.birth_dates_in(record)).unwrap_or_default();
            describe_person(person, births, &redaction.rule)
        });
        Ok(described.collect())
    }

    /// Returns the dates of the dated births, as written.
    fn birth_dates_in(&self, record: Node<'_>) -> Vec<String> {
        let counterpart = self.roles.counterpart_of_record(record);
        let is_birth = |node: &Node<'_>| self.roles.role(counterpart, *node) == Some(Role::Birth);
        let dates = record.substructures().filter(is_birth).filter_map(|birth| birth.substructure("DATE"));
        dates.map(|date| date.text().trim().to_owned()).filter(|date| !date.is_empty()).collect()
    }

    /// Returns the graph of people and families.
    pub const fn lineage(&self) -> &Lineage {
        &self.lineage
    }
}
