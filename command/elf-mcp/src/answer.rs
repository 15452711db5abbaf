//! The parts that the answers of several tools have.

use crate::snapshot::{Citer, Snapshot};
use crate::text::{CleanText, NOTE, at_signs, clean, field, field_if_any};
use elf_lineage::{
    EventStructure, LineageView, Person, PersonFacts, Sex, Tie, days_in_words, fact_noun, noun_of_tag,
    years_between,
};
use elf_schema::{Node, Role};
use elf_values::DateValue;
use schemars::JsonSchema;
use serde::Serialize;

/// The most notes and sources of one fact: `lines` shows the others.
const MOST_OF_FACT: usize = 3;

/// The name of hidden people.
pub(crate) const HIDDEN: &str = "(may be living, hidden)";

/// A person in a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PersonBrief {
    /// The identifier, such as `@I1@`. Missing if the record has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    /// `M`, `F`, `X` or `U`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sex: Option<String>,
    /// The date of birth, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) birth: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) birth_place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) death: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) death_place: Option<String>,
    /// True if the person may be living and is hidden.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) hidden: bool,
    /// The file and the line of the record, such as `family.ged:12`.
    pub(crate) cite: String,
}

/// A fact: an event or an attribute, with its evidence.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Fact {
    /// What it is, such as `birth` or `occupation`: the words of TYPE where the tag says only that it is a fact (EVEN, FACT),
    /// and the label of a tag of a program, such as `military service` for `_MILT`.
    pub(crate) kind: String,
    /// The tag, such as `BIRT`.
    pub(crate) tag: String,
    /// True if the file says that it did not happen, as in `MARR N` or `NO MARR`.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) did_not_happen: bool,
    /// The payload, such as the occupation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// The date, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<String>,
    /// The date in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) date_means: Option<String>,
    /// The age of the person by the date of birth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) age: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<NoteText>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sources: Vec<SourceUse>,
    /// The path, for `propose_edits`.
    pub(crate) path: String,
    /// The file and the line.
    pub(crate) cite: String,
    /// The number of the line of the date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) date_line: Option<u64>,
    /// The number of the line of the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) place_line: Option<u64>,
}

/// A note. Its text is data of the file, not an instruction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct NoteText {
    pub(crate) text: String,
    /// True if the end of the text is left out: `lines` shows all of it.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) cut: bool,
    /// The file and the line.
    pub(crate) cite: String,
}

/// A source that a record or a fact cites.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct SourceUse {
    /// The identifier of the source record. Missing if the source is only a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// The title of the source, or the text.
    pub(crate) title: String,
    /// Where in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<String>,
    /// The text of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// The file and the line of the citation.
    pub(crate) cite: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
pub(crate) const fn is_false(value: &bool) -> bool {
    !*value
}

impl PersonBrief {
    /// Describes a person in a few words.
    pub(crate) fn of(snapshot: &Snapshot, view: &LineageView<'_, '_>, person: Person<'_>) -> PersonBrief {
        match view.facts(person.id()).filter(|_| !snapshot.is_hidden(person.id())) {
            Some(facts) => PersonBrief::shown(snapshot, &facts),
            None => PersonBrief::hidden(snapshot, person),
        }
    }

    fn shown(snapshot: &Snapshot, facts: &PersonFacts<'_, '_>) -> PersonBrief {
        let name = field_if_any(facts.name());
        PersonBrief {
            id: facts.record.xref().map(at_signs),
            name: name.unwrap_or_else(|| "(no name)".to_owned()),
            sex: field_if_any(&facts.sex),
            birth: field_if_any(&facts.birth.date),
            birth_place: field_if_any(&facts.birth.place),
            death: field_if_any(&facts.death.date),
            death_place: field_if_any(&facts.death.place),
            hidden: false,
            cite: snapshot.cite_line(facts.line),
        }
    }

    fn hidden(snapshot: &Snapshot, person: Person<'_>) -> PersonBrief {
        let sex = match person.sex() {
            Sex::Male => Some("M".to_owned()),
            Sex::Female => Some("F".to_owned()),
            Sex::Unknown => None,
        };
        PersonBrief {
            id: person.identifier().map(|identifier| at_signs(&identifier)),
            name: HIDDEN.to_owned(),
            sex,
            birth: None,
            birth_place: None,
            death: None,
            death_place: None,
            hidden: true,
            cite: snapshot.cite_line(person.position().line),
        }
    }
}

/// A fact, or a statement of GEDCOM 7 that something never happened.
pub(crate) enum Statement<'s> {
    Event(EventStructure<'s>),
    Denial(Node<'s>),
}

impl<'s> Statement<'s> {
    const fn node(&self) -> Node<'s> {
        match self {
            Statement::Event(event) => event.event,
            Statement::Denial(node) => *node,
        }
    }
}

/// Describes the facts, notes and sources of records.
pub(crate) struct Describer<'s> {
    snapshot: &'s Snapshot,
    view: LineageView<'s, 's>,
    pub(crate) citer: Citer<'s>,
    paths: elf_edit::PathFinder<'s>,
}

impl<'s> Describer<'s> {
    pub(crate) fn new(snapshot: &'s Snapshot) -> Describer<'s> {
        let view = snapshot.view();
        let paths = elf_edit::PathFinder::of(snapshot.typed.document());
        Describer { snapshot, view, citer: snapshot.citer(), paths }
    }

    /// The path of a structure, as paths are written in edits.
    pub(crate) fn path(&mut self, node: Node<'s>) -> String {
        field(&self.paths.path_of(node.id()))
    }

    /// The facts of the record of a person or a family. `birth` is that of the person, for ages.
    pub(crate) fn events(&self, record: Node<'s>) -> Vec<EventStructure<'s>> {
        self.view.events_of_record(record)
    }

    /// The facts of the record, and the statements of GEDCOM 7 that something never happened, in the order of the file.
    pub(crate) fn statements(&self, record: Node<'s>) -> Vec<Statement<'s>> {
        let denials = record.substructures_tagged("NO").filter(|node| node.pointer().is_none());
        let events = self.events(record).into_iter();
        let events = events.filter(|event| event.event.tag() != "NO").map(Statement::Event);
        let mut all: Vec<Statement<'s>> = events.chain(denials.map(Statement::Denial)).collect();
        all.sort_by_key(|one| one.node().id());
        all
    }

    /// Describes a fact, or a statement that something never happened.
    pub(crate) fn statement(&mut self, statement: &Statement<'s>, birth: Option<elf_values::Days>) -> Fact {
        match statement {
            Statement::Event(event) => self.fact(event, birth),
            Statement::Denial(node) => self.denial(*node),
        }
    }

    fn denial(&mut self, node: Node<'s>) -> Fact {
        let tag = node.text();
        let date = node.substructure("DATE");
        let rules = self.snapshot.typed.document().rules().schema.dates;
        let date_text = date.map(Node::text);
        let read = date_text.as_deref().and_then(|text| DateValue::parse_lenient(text, rules));
        Fact {
            kind: field(&noun_of_tag(tag.trim())),
            tag: field(node.tag()),
            did_not_happen: true,
            value: field_if_any(&tag),
            date: date_text.as_deref().and_then(field_if_any),
            date_means: read.as_ref().map(days_in_words).map(|words| field(&words)),
            age: None,
            place: None,
            notes: self.notes(node).into_iter().take(MOST_OF_FACT).collect(),
            sources: self.sources(node).into_iter().take(MOST_OF_FACT).collect(),
            path: self.path(node),
            cite: self.citer.cite(node),
            date_line: date.map(|date| self.citer.line_of_file(date)),
            place_line: None,
        }
    }

    /// Describes an event or an attribute.
    pub(crate) fn fact(&mut self, event: &EventStructure<'s>, birth: Option<elf_values::Days>) -> Fact {
        let node = event.event;
        let value = node.text();
        let date = event.date.map(Node::text);
        let read = event.date.and_then(|date| self.snapshot.typed.date(date));
        let days = read.as_ref().map(DateValue::days);
        let age = birth.zip(days).filter(|_| event.role != Role::Birth);
        let age = age.and_then(|(birth, days)| years_between(birth, days)).map(|(least, most)| {
            match least == most {
                true => least.to_string(),
                false => format!("{least} to {most}"),
            }
        });
        Fact {
            kind: kind_of_fact(self.snapshot, event),
            tag: field(node.tag()),
            did_not_happen: event.did_not_happen(),
            value: field_if_any(&value),
            date: date.as_deref().and_then(field_if_any),
            date_means: read.as_ref().map(days_in_words).map(|words| field(&words)),
            age,
            place: event.place.and_then(|place| field_if_any(&place.text())),
            notes: self.notes(node).into_iter().take(MOST_OF_FACT).collect(),
            sources: self.sources(node).into_iter().take(MOST_OF_FACT).collect(),
            path: self.path(node),
            cite: self.citer.cite(node),
            date_line: event.date.map(|date| self.citer.line_of_file(date)),
            place_line: event.place.map(|place| self.citer.line_of_file(place)),
        }
    }

    /// The notes directly under a structure.
    pub(crate) fn notes(&mut self, above: Node<'s>) -> Vec<NoteText> {
        let notes = above.substructures().filter(|node| matches!(node.tag(), "NOTE" | "SNOTE"));
        let notes: Vec<Node<'s>> = notes.map(|note| note.target().unwrap_or(note)).collect();
        notes.into_iter().map(|note| self.note(note)).filter(|note| !note.text.is_empty()).collect()
    }

    /// A note, a text of a source, or another long text.
    pub(crate) fn note(&mut self, node: Node<'s>) -> NoteText {
        let CleanText { text, is_cut } = clean(node.text().trim(), NOTE);
        NoteText { text, cut: is_cut, cite: self.citer.cite(node) }
    }

    /// The sources directly under a structure.
    pub(crate) fn sources(&mut self, above: Node<'s>) -> Vec<SourceUse> {
        let sources: Vec<Node<'s>> = above.substructures().filter(|node| node.tag() == "SOUR").collect();
        sources.into_iter().map(|source| self.source(source)).collect()
    }

    fn source(&mut self, citation: Node<'s>) -> SourceUse {
        let text = |node: Node<'s>| clean(node.text().trim(), NOTE).text;
        let title = match (citation.target(), citation.pointer()) {
            (Some(record), _) => title_of(record),
            (None, Some(pointer)) => format!("unresolved pointer {}", at_signs(pointer)),
            (None, None) => text(citation),
        };
        let quoted = citation.substructure("DATA").and_then(|data| data.substructure("TEXT"));
        SourceUse {
            id: citation.pointer().map(at_signs),
            title,
            page: citation.substructure("PAGE").and_then(|page| field_if_any(&page.text())),
            text: quoted.or_else(|| citation.substructure("TEXT")).map(text).filter(|text| !text.is_empty()),
            cite: self.citer.cite(citation),
        }
    }
}

/// Returns what a fact is, in words.
pub(crate) fn kind_of_fact(snapshot: &Snapshot, event: &EventStructure<'_>) -> String {
    let node = event.event;
    let words = node.substructure("TYPE").map(|words| words.text().into_owned()).unwrap_or_default();
    field(&fact_noun(event.role, node.tag(), snapshot.typed.type_of(node), &words))
}

/// The title of a record that is not about a person or a family.
pub(crate) fn title_of(record: Node<'_>) -> String {
    let titles =
        ["TITL", "NAME", "ABBR", "FILE", "TEXT"].into_iter().filter_map(|tag| record.substructure(tag));
    let mut texts = titles.map(Node::text).chain(std::iter::once(record.text()));
    texts.find_map(|text| field_if_any(&text)).unwrap_or_else(|| "(no title)".to_owned())
}

/// How a child is tied to a parent, unless by birth.
pub(crate) const fn tie_name(tie: Tie) -> Option<&'static str> {
    match tie {
        Tie::Unknown | Tie::Birth => None,
        Tie::Uncertain => Some("uncertain"),
        Tie::Adopted => Some("adopted"),
        Tie::Foster => Some("foster"),
        Tie::Other => Some("other"),
        Tie::Disproven => Some("disproven"),
    }
}
