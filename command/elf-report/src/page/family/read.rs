//! Reads the people of a file.

use super::{
    BookChart, BookFact, BookFamily, BookParent, BookPerson, BookSource, Citation, DateAndPlace, FamilyBook,
    HiddenLines, PeopleOptions,
};
use crate::pictures::{FamilyTree, TreeOptions, life, parent_word};
use elf_base::Rules;
use elf_extract::{PRIVATE, Plan, Redaction, Survey};
use elf_lineage::{
    Family, Lineage, LineageBuilder, LineageReader, LineageView, LivingRule, Person, Role, RoleNode,
    fact_noun,
};
use elf_schema::vocabulary::elf;
use elf_schema::{Node, ReadOptions, TypedDocument};
use elf_values::Bound;
use std::collections::HashMap;

/// The number of generations of ancestors in the chart.
const UP: u32 = 3;

/// The maximum number of people of a chart with grandchildren, and of one without them. The chart is next to text, so
/// it must be small.
const MOST: [usize; 2] = [40, 60];

/// Reads the people of a file, and collects the lines that findings must not quote.
///
/// # Errors
///
/// Returns the reason if the file cannot be read or living people cannot be hidden.
pub(crate) fn read_people(
    bytes: &[u8],
    rules: &Rules,
    options: &ReadOptions<'_>,
    people: PeopleOptions,
) -> Result<(FamilyBook, HiddenLines), String> {
    let typed = elf_schema::read(bytes, rules, options, &mut ()).map_err(|error| error.to_string())?;
    match people.living {
        None => Ok((FamilyBook::of(&typed), HiddenLines::default())),
        Some(rule) => read_redacted(&typed, rules, options, rule),
    }
}

/// Reads the people from the output that `elf redact` would write for the file.
fn read_redacted(
    typed: &TypedDocument<'_>,
    rules: &Rules,
    options: &ReadOptions<'_>,
    rule: LivingRule,
) -> Result<(FamilyBook, HiddenLines), String> {
    let redaction = Redaction::by(rule);
    let survey = Survey::of(typed);
    let is_hidden = redaction.hidden_persons(survey.lineage()).map_err(|error| error.to_string())?;
    let mut lines = HiddenLines::of(&survey, &is_hidden);
    let plan = Plan::redaction(survey, &redaction).map_err(|error| error.to_string())?;
    let extraction = plan.extract().map_err(|error| error.to_string())?;
    lines.add_lines(typed, &extraction);
    // Use the same encoding, because the redacted file may lack the lines that showed it.
    let encoding = typed.document().source().decision().used;
    let octets = options.octets.with_forced(Some(encoding));
    let options = options.clone().with_octets(octets);
    let left =
        elf_schema::read(&extraction.octets, rules, &options, &mut ()).map_err(|error| error.to_string())?;
    let hidden = is_hidden.iter().filter(|is_hidden| **is_hidden).count() as u64;
    let book = FamilyBook::read(&left, |person| {
        person.name() == PRIVATE
            || person.identifier().is_some_and(|identifier| lines.hides_person(&identifier))
    });
    Ok((FamilyBook { hidden, ..book }, lines))
}

impl FamilyBook {
    /// Reads all people of a document.
    pub fn of(typed: &TypedDocument<'_>) -> FamilyBook {
        FamilyBook::read(typed, |_| false)
    }

    /// Reads the people of a document. Placeholders replace hidden people.
    fn read(typed: &TypedDocument<'_>, is_placeholder: impl Fn(Person<'_>) -> bool) -> FamilyBook {
        let mut builder = LineageBuilder::default();
        builder.take(LineageReader::new(typed.schema()).with_whole_names().read(typed));
        let lineage = builder.build();
        let view = LineageView::new(&lineage, typed);
        let mut reader = BookReader { view: &view, sources: HashMap::new() };
        let sources = reader.read_sources();
        let mut persons: Vec<BookPerson> =
            lineage.persons().map(|person| reader.read_person(person)).collect();
        let families = lineage.families().map(|family| reader.read_family(family)).collect();
        for (book, person) in persons.iter_mut().zip(lineage.persons()) {
            book.is_hidden = is_placeholder(person);
            if book.is_hidden {
                PRIVATE.clone_into(&mut book.name);
            }
        }
        let chart = draw_chart(&lineage, &persons);
        FamilyBook { persons, families, sources, hidden: 0, chart }
    }
}

/// Draws the chart of the first person who is not hidden and has parents or children.
fn draw_chart(lineage: &Lineage, persons: &[BookPerson]) -> Option<BookChart> {
    let has_relatives = |person: &Person<'_>| {
        person.parents().next().is_some() || person.families_as_partner().next().is_some()
    };
    let is_shown = |person: &Person<'_>| !persons[person.id().index()].is_hidden;
    let root = lineage.persons().find(|person| is_shown(person) && has_relatives(person))?;
    let tree = |down: u32, most: usize| {
        FamilyTree::of(root, &TreeOptions::default().with_up(UP).with_down(down).with_most(most))
    };
    let with_grandchildren = tree(2, MOST[0]);
    let tree = if with_grandchildren.left_out() > 0 { tree(1, MOST[1]) } else { with_grandchildren };
    Some(BookChart { tree })
}

/// Reads the records of a document.
struct BookReader<'v, 'l, 'd> {
    view: &'v LineageView<'l, 'd>,
    /// The indices of the sources, by their identifiers.
    sources: HashMap<&'d str, usize>,
}

impl<'d> BookReader<'_, '_, 'd> {
    fn read_sources(&mut self) -> Vec<BookSource> {
        let mut sources = Vec::new();
        for record in self.view.typed().records().filter(|record| !record.is_inserted()) {
            let with_role = self.view.role_of_record(record);
            if with_role.iri() == Some(elf::SOURCE_RECORD) {
                if let Some(xref) = record.xref() {
                    self.sources.entry(xref).or_insert(sources.len());
                }
                sources.push(self.read_source(with_role));
            }
        }
        sources
    }

    fn read_source(&self, record: RoleNode<'d>) -> BookSource {
        let mut source = BookSource::default();
        for RoleNode { node, counterpart, .. } in self.view.substructures(record) {
            let field = match counterpart.iri() {
                Some(elf::SOURCE_DESCRIPTIVE_TITLE) => &mut source.title,
                Some(elf::SOURCE_ORIGINATOR) => &mut source.author,
                Some(elf::SOURCE_PUBLICATION_FACTS) => &mut source.publication,
                Some(elf::SOURCE_REPOSITORY_CITATION) => {
                    source.repositories.extend(self.read_repository(node));
                    continue;
                }
                _ => continue,
            };
            if field.is_empty() {
                *field = text_of(node);
            }
        }
        source
    }

    /// Reads the name of the repository of a source.
    fn read_repository(&self, node: Node<'d>) -> Option<String> {
        let Some(record) = node.target() else { return nonempty_text(node) };
        let mut parts = self.view.substructures(self.view.role_of_record(record));
        let name = parts.find(|part| part.iri() == Some(elf::NAME_OF_REPOSITORY));
        name.and_then(|name| nonempty_text(name.node))
    }

    fn read_person(&self, person: Person<'_>) -> BookPerson {
        let Some(facts) = self.view.facts(person.id()) else { return BookPerson::default() };
        let record = self.view.role_of_record(facts.record);
        let mut book = BookPerson {
            name: facts.name().trim().to_owned(),
            years: life(person),
            birth: DateAndPlace { date: trim_text(&facts.birth.date), place: trim_text(&facts.birth.place) },
            death: DateAndPlace { date: trim_text(&facts.death.date), place: trim_text(&facts.death.place) },
            parents: list_parents(person),
            families: person.families_as_partner().map(|family| family.id().index()).collect(),
            ..BookPerson::default()
        };
        if let Some(name) = facts.names.first() {
            book.surname.clone_from(&name.surname);
            book.given.clone_from(&name.given);
        }
        for name in facts.names.iter().skip(1).map(|name| name.text.trim()) {
            if !name.is_empty() && name != book.name && !book.other_names.iter().any(|known| known == name) {
                book.other_names.push(name.to_owned());
            }
        }
        let mut about = self.read_about(record, Role::is_event_of_person);
        about.facts.sort_by_key(|fact| fact.rank);
        book.facts = about.facts.into_iter().map(|fact| fact.fact).collect();
        (book.notes, book.citations) = (about.notes, about.citations);
        book
    }

    fn read_family(&self, family: Family<'_>) -> BookFamily {
        let about = self
            .view
            .family(family.id())
            .map(|record| self.read_about(self.view.role_of_record(record), Role::is_event_of_family));
        let About { facts, notes, citations } = about.unwrap_or_default();
        BookFamily {
            partners: family.partners().map(|(person, _)| person.id().index()).collect(),
            children: family.children().map(|person| person.id().index()).collect(),
            facts: facts.into_iter().map(|fact| fact.fact).collect(),
            notes,
            citations,
        }
    }

    /// The events, notes and citations of a record.
    fn read_about(&self, record: RoleNode<'d>, is_event: fn(Role) -> bool) -> About {
        let mut about = About::default();
        for part in self.view.substructures(record) {
            let node = part.node;
            match (part.role(), part.iri()) {
                (Some(role), _) if is_event(role) => about.facts.push(self.read_fact(part, role)),
                (_, Some(elf::SOURCE_CITATION)) => about.citations.push(self.read_citation(node)),
                (_, Some(elf::NOTE_STRUCTURE)) => about.notes.extend(read_note(node)),
                _ => {}
            }
        }
        about
    }

    fn read_fact(&self, event: RoleNode<'d>, role: Role) -> RankedFact {
        let mut fact = BookFact::default();
        let mut kind = String::new();
        for part in self.view.substructures(event) {
            let node = part.node;
            match (part.role(), part.iri(), node.tag()) {
                (Some(Role::Date), ..) if fact.when.date.is_empty() => fact.when.date = text_of(node),
                (Some(Role::Place), ..) if fact.when.place.is_empty() => fact.when.place = text_of(node),
                (Some(Role::Type), ..) if kind.is_empty() => kind = text_of(node),
                (Some(Role::Age), ..) => {
                    fact.details.extend(nonempty_text(node).map(|age| format!("aged {age}")))
                }
                (_, Some(elf::SOURCE_CITATION), _) => fact.citations.push(self.read_citation(node)),
                (_, Some(elf::NOTE_STRUCTURE), _) => fact.details.extend(read_note(node)),
                (_, _, "CAUS") => {
                    fact.details.extend(nonempty_text(node).map(|cause| format!("cause: {cause}")))
                }
                _ => {}
            }
        }
        let node = event.node;
        fact.noun = fact_noun(role, node.tag(), self.view.typed().type_of(node), &kind).into_owned();
        if !kind.is_empty() && kind != fact.noun {
            fact.details.insert(0, kind);
        }
        fact.value = text_of(node);
        if fact.value.eq_ignore_ascii_case("Y") {
            fact.value.clear();
        }
        RankedFact { rank: rank_fact(role, &fact.when.date, node), fact }
    }

    fn read_citation(&self, node: Node<'d>) -> Citation {
        let source = node.pointer().and_then(|xref| self.sources.get(xref)).copied();
        let page = node.substructure("PAGE").map(text_of).unwrap_or_default();
        let text = if node.pointer().is_some() { page } else { text_of(node) };
        Citation { source, text }
    }
}

/// What is under a record.
#[derive(Default)]
struct About {
    facts: Vec<RankedFact>,
    notes: Vec<String>,
    citations: Vec<Citation>,
}

/// A fact with its sort key: births first, deaths last, the others by their dates.
struct RankedFact {
    rank: (u8, i64),
    fact: BookFact,
}

fn rank_fact(role: Role, date: &str, node: Node<'_>) -> (u8, i64) {
    let order = match role {
        Role::Birth => 0,
        Role::Baptism | Role::Christening => 1,
        Role::Death => 3,
        Role::Burial | Role::Cremation => 4,
        Role::Will | Role::Probate => 5,
        _ => 2,
    };
    let rules = node.document().rules().schema.dates;
    let days = elf_values::DateValue::parse_lenient(date, rules).map(|value| value.days());
    let first = days.and_then(|days| match (days.earliest, days.latest) {
        (Bound::Day(day), _) | (_, Bound::Day(day)) => Some(day),
        _ => None,
    });
    (order, first.unwrap_or(i64::MAX))
}

/// Returns the parents, birth parents first.
fn list_parents(person: Person<'_>) -> Vec<BookParent> {
    let mut parents: Vec<_> = person.parents().collect();
    parents.sort_by_key(|parent| !parent.is_by_birth);
    let parents = parents.into_iter();
    parents
        .map(|parent| BookParent { person: parent.person.id().index(), tie: parent_word(parent.tie) })
        .collect()
}

/// Returns the text of a note, or of the note record that it points to.
fn read_note(node: Node<'_>) -> Option<String> {
    nonempty_text(node.target().unwrap_or(node))
}

fn text_of(node: Node<'_>) -> String {
    trim_text(&node.text())
}

fn nonempty_text(node: Node<'_>) -> Option<String> {
    Some(text_of(node)).filter(|text| !text.is_empty())
}

fn trim_text(text: &str) -> String {
    text.trim().to_owned()
}
