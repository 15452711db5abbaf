//! The classes of people, families and events, and the function `find`.

use crate::dates::{HistoricalDate, today};
use crate::document::{Document, without_at_signs};
use crate::errors::{ErrorClass, ErrorPlace, make_error, person_error, wrong_argument};
use crate::snapshot::Snapshot;
use crate::structure::Structure;
use elf_lineage::{
    EventStructure, FamilyId, LivingRule, NameKind, PartnerRole, PersonFacts, PersonId, PersonQuery,
    Relation, Sex, SexCode, Tie, TiesFollowed, YearRange,
};
use elf_schema::Node;
use elf_tagged::path::Path as StructurePath;
use pyo3::prelude::*;
use std::sync::Arc;

/// The document as it was when its people were requested.
#[derive(Clone)]
pub(crate) struct PeopleOf {
    document: Arc<Py<Document>>,
    snapshot: Arc<Snapshot>,
}

/// A person.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct Person {
    of: PeopleOf,
    id: PersonId,
}

/// A family.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct Family {
    of: PeopleOf,
    id: FamilyId,
}

/// A name of a person.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct PersonName {
    kind: &'static str,
    text: String,
    given: String,
    surname: String,
    prefix: String,
    suffix: String,
    nickname: String,
}

/// An event or attribute of a person or a family.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct Event {
    #[pyo3(get)]
    tag: String,
    #[pyo3(get, name = "type")]
    structure_type: Option<String>,
    #[pyo3(get)]
    value: Option<String>,
    #[pyo3(get)]
    date_text: Option<String>,
    #[pyo3(get)]
    place: Option<String>,
    #[pyo3(get)]
    date: Option<Py<HistoricalDate>>,
    #[pyo3(get)]
    structure: Option<Py<Structure>>,
}

/// A parent of a person, with the family and the kind of tie.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct Parent {
    person: Py<Person>,
    family: Py<Family>,
    role: &'static str,
    tie: &'static str,
    is_by_birth: bool,
}

/// A relationship between two people.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct Relationship {
    kind: &'static str,
    name: String,
    up: Option<u32>,
    down: Option<u32>,
    half: bool,
    common_ancestors: Vec<Py<Person>>,
}

impl PeopleOf {
    pub(crate) fn new(document: &Bound<'_, Document>) -> PyResult<PeopleOf> {
        let py = document.py();
        let snapshot = document.get().snapshot(py)?;
        py.detach(|| {
            snapshot.view();
        });
        Ok(PeopleOf { document: Arc::new(document.clone().unbind()), snapshot })
    }

    fn person_of(&self, id: PersonId) -> Person {
        Person { of: self.clone(), id }
    }

    fn family_of(&self, id: FamilyId) -> Family {
        Family { of: self.clone(), id }
    }

    pub(crate) fn people(&self) -> Vec<Person> {
        self.snapshot.lineage().persons().map(|person| self.person_of(person.id())).collect()
    }

    pub(crate) fn families(&self) -> Vec<Family> {
        self.snapshot.lineage().families().map(|family| self.family_of(family.id())).collect()
    }

    pub(crate) fn person(&self, identifier: &str) -> PyResult<Person> {
        match self.snapshot.lineage().only_person(identifier) {
            Ok(person) => Ok(self.person_of(person.id())),
            Err(failure) => Python::attach(|py| Err(person_error(py, self.file().as_deref(), &failure))),
        }
    }

    pub(crate) fn family(&self, identifier: &str) -> PyResult<Family> {
        let mut families = self.snapshot.lineage().families();
        match families.find(|family| family.identifier().as_deref() == Some(identifier)) {
            Some(family) => Ok(self.family_of(family.id())),
            None => Python::attach(|py| {
                let file = self.file();
                let place = ErrorPlace { file: file.as_deref(), line: None, path: Some(identifier) };
                let message = format!("no family has the identifier `@{identifier}@`");
                Err(make_error(py, ErrorClass::StructureNotFound, &message, place))
            }),
        }
    }

    fn file(&self) -> Option<String> {
        self.document.get().file()
    }

    fn structure(&self, py: Python<'_>, node: Node<'_>) -> Option<Structure> {
        let document = self.document.bind(py);
        let handle = document.get().read_with(py, |editor| self.snapshot.handle(editor, node));
        handle.map(|handle| Structure::new(document, handle))
    }

    fn events(&self, py: Python<'_>, record: Option<Node<'_>>) -> PyResult<Vec<Event>> {
        let Some(node) = record.and_then(|record| self.snapshot.typed.document().node(record.id())) else {
            return Ok(Vec::new());
        };
        let events = self.snapshot.view().events_of_record(node);
        events.into_iter().map(|event| self.event(py, event)).collect()
    }

    fn event(&self, py: Python<'_>, event: EventStructure<'_>) -> PyResult<Event> {
        let EventStructure { event: node, date, place, .. } = event;
        let typed = &self.snapshot.typed;
        let text = |node: Node<'_>| Some(node.text().trim().to_owned()).filter(|text| !text.is_empty());
        let read =
            date.and_then(|node| Some(HistoricalDate::new(node.text().into_owned(), typed.date(node)?)));
        Ok(Event {
            tag: node.tag().to_owned(),
            structure_type: typed.type_of(node).map(str::to_owned),
            value: text(node).filter(|text| !text.eq_ignore_ascii_case("y")),
            date_text: date.and_then(text),
            place: place.and_then(text),
            date: read.map(|date| Py::new(py, date)).transpose()?,
            structure: self.structure(py, node).map(|structure| Py::new(py, structure)).transpose()?,
        })
    }
}

#[pymethods]
impl Event {
    fn __repr__(&self) -> String {
        let date = self.date_text.as_deref().map_or_else(String::new, |date| format!(" {date}"));
        format!("<Event {}{date}>", self.tag)
    }
}

#[pymethods]
impl PersonName {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("PersonName({:?})", self.text)
    }
}

#[pymethods]
impl Relationship {
    fn __repr__(&self) -> String {
        format!("<Relationship {}>", self.name)
    }
}

#[pymethods]
impl Parent {
    fn __repr__(&self) -> String {
        format!("<Parent {}>", self.role)
    }
}

impl Person {
    pub(crate) fn facts<T>(&self, work: impl FnOnce(&PersonFacts<'_, '_>) -> T) -> Option<T> {
        self.of.snapshot.view().facts(self.id).map(|facts| work(&facts))
    }

    fn lineage(&self) -> Option<elf_lineage::Person<'_>> {
        self.of.snapshot.lineage().person(self.id)
    }

    /// Makes a list of people without duplicates.
    fn relatives<'l>(&'l self, all: impl Iterator<Item = elf_lineage::Person<'l>>) -> Vec<Person> {
        let mut met = std::collections::HashSet::from([self.id]);
        all.filter(|person| met.insert(person.id())).map(|person| self.of.person_of(person.id())).collect()
    }
}

/// The text, unless it is empty.
fn non_empty(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

const fn sex_name(sex: Sex) -> &'static str {
    match sex {
        Sex::Male => "M",
        Sex::Female => "F",
        Sex::Unknown => "U",
    }
}

const fn role_name(role: PartnerRole) -> &'static str {
    match role {
        PartnerRole::Husband => "husband",
        PartnerRole::Wife => "wife",
        PartnerRole::Partner => "partner",
    }
}

const fn tie_name(tie: Tie) -> &'static str {
    match tie {
        Tie::Unknown => "unknown",
        Tie::Uncertain => "uncertain",
        Tie::Birth => "birth",
        Tie::Adopted => "adopted",
        Tie::Foster => "foster",
        Tie::Other => "other",
        Tie::Disproven => "disproven",
    }
}

fn ties_followed(all: bool) -> TiesFollowed {
    if all { TiesFollowed::All } else { TiesFollowed::ByBirth }
}

#[pymethods]
impl Person {
    /// The identifier without at signs.
    #[getter]
    fn id(&self) -> Option<String> {
        self.lineage().and_then(elf_lineage::Person::identifier)
    }

    /// The first name, without the slashes around the surname.
    #[getter]
    fn name(&self) -> String {
        self.lineage().map(|person| person.name().to_owned()).unwrap_or_default()
    }

    #[getter]
    fn names(&self) -> Vec<PersonName> {
        let name = |name: &elf_lineage::PersonName| PersonName {
            kind: match name.kind {
                NameKind::Name => "name",
                NameKind::Variant => "variant",
                NameKind::Married => "married",
                NameKind::Other | _ => "other",
            },
            text: name.text.clone(),
            given: name.given.clone(),
            surname: name.surname.clone(),
            prefix: name.prefix.clone(),
            suffix: name.suffix.clone(),
            nickname: name.nickname.clone(),
        };
        self.facts(|facts| facts.names.iter().map(name).collect()).unwrap_or_default()
    }

    #[getter]
    fn given(&self) -> Option<String> {
        self.facts(|facts| facts.names.first().and_then(|name| non_empty(&name.given))).flatten()
    }

    #[getter]
    fn surname(&self) -> Option<String> {
        self.facts(|facts| facts.names.first().and_then(|name| non_empty(&name.surname))).flatten()
    }

    /// `M`, `F` or `U`.
    #[getter]
    fn sex(&self) -> &'static str {
        self.lineage().map_or("U", |person| sex_name(person.sex()))
    }

    /// The date of birth as written.
    #[getter]
    fn birth(&self) -> Option<String> {
        self.facts(|facts| non_empty(&facts.birth.date)).flatten()
    }

    #[getter]
    fn birth_place(&self) -> Option<String> {
        self.facts(|facts| non_empty(&facts.birth.place)).flatten()
    }

    #[getter]
    fn death(&self) -> Option<String> {
        self.facts(|facts| non_empty(&facts.death.date)).flatten()
    }

    #[getter]
    fn death_place(&self) -> Option<String> {
        self.facts(|facts| non_empty(&facts.death.place)).flatten()
    }

    /// The first and last possible day of the birth as Julian day numbers. Without a birth, the baptism counts.
    #[getter]
    fn born_days(&self) -> Option<(Option<i64>, Option<i64>)> {
        self.facts(|facts| facts.born.map(|days| (days.earliest.day(), days.latest.day()))).flatten()
    }

    /// The first and last possible day of the death as Julian day numbers. Without a death, the burial counts.
    #[getter]
    fn died_days(&self) -> Option<(Option<i64>, Option<i64>)> {
        self.facts(|facts| facts.died.map(|days| (days.earliest.day(), days.latest.day()))).flatten()
    }

    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Vec<Event>> {
        self.of.events(py, self.of.snapshot.view().person(self.id))
    }

    /// The number of the first line of the record.
    #[getter]
    fn line(&self) -> u64 {
        self.lineage().map_or(0, |person| person.position().line)
    }

    /// The record of the person.
    #[getter]
    fn record(&self, py: Python<'_>) -> Option<Structure> {
        let node = self.of.snapshot.view().person(self.id).map(|node| node.id())?;
        self.of.structure(py, self.of.snapshot.typed.document().node(node)?)
    }

    /// The parents, each with the family that links them to the person.
    #[getter]
    fn parent_links(&self, py: Python<'_>) -> PyResult<Vec<Parent>> {
        let parents = self.lineage().into_iter().flat_map(elf_lineage::Person::parents);
        let link = |parent: elf_lineage::Parent<'_>| {
            Ok(Parent {
                person: Py::new(py, self.of.person_of(parent.person.id()))?,
                family: Py::new(py, self.of.family_of(parent.family))?,
                role: role_name(parent.role),
                tie: tie_name(parent.tie),
                is_by_birth: parent.is_by_birth,
            })
        };
        parents.map(link).collect()
    }

    #[getter]
    fn parents(&self) -> Vec<Person> {
        let parents = self.lineage().into_iter().flat_map(elf_lineage::Person::parents);
        self.relatives(parents.map(|parent| parent.person))
    }

    #[getter]
    fn partners(&self) -> Vec<Person> {
        let families = self.lineage().into_iter().flat_map(elf_lineage::Person::families_as_partner);
        self.relatives(families.flat_map(elf_lineage::Family::partners).map(|(partner, _)| partner))
    }

    #[getter]
    fn children(&self) -> Vec<Person> {
        self.relatives(self.lineage().into_iter().flat_map(elf_lineage::Person::children))
    }

    /// The other children of the person's families.
    #[getter]
    fn siblings(&self) -> Vec<Person> {
        let families = self.lineage().into_iter().flat_map(elf_lineage::Person::families_as_child);
        self.relatives(families.flat_map(elf_lineage::Family::children))
    }

    #[getter]
    fn families_as_child(&self) -> Vec<Family> {
        let families = self.lineage().into_iter().flat_map(elf_lineage::Person::families_as_child);
        families.map(|family| self.of.family_of(family.id())).collect()
    }

    #[getter]
    fn families_as_partner(&self) -> Vec<Family> {
        let families = self.lineage().into_iter().flat_map(elf_lineage::Person::families_as_partner);
        families.map(|family| self.of.family_of(family.id())).collect()
    }

    /// The ancestors with their generations (1 = parents): by birth, or with `all_ties` by any tie.
    #[pyo3(signature = (*, all_ties=false))]
    fn ancestors(&self, all_ties: bool) -> Vec<(Person, u32)> {
        let found = self.lineage().into_iter().flat_map(|person| person.ancestors(ties_followed(all_ties)));
        found.map(|(person, generation)| (self.of.person_of(person.id()), generation)).collect()
    }

    /// The descendants with their generations (1 = children): by birth, or with `all_ties` by any tie.
    #[pyo3(signature = (*, all_ties=false))]
    fn descendants(&self, all_ties: bool) -> Vec<(Person, u32)> {
        let found = self.lineage().into_iter().flat_map(|person| person.descendants(ties_followed(all_ties)));
        found.map(|(person, generation)| (self.of.person_of(person.id()), generation)).collect()
    }

    /// Returns whether the person may be living, by the rule of `redact`.
    #[pyo3(signature = (*, within=110, today=None, bare_death=false))]
    fn may_be_living(
        &self,
        py: Python<'_>,
        within: u32,
        today: Option<Bound<'_, PyAny>>,
        bare_death: bool,
    ) -> PyResult<bool> {
        let rule = living_rule(py, within, today.as_ref(), bare_death)?;
        Ok(self.lineage().is_some_and(|person| person.may_be_living(&rule)))
    }

    /// The relationships to another person, with the nearest first.
    fn relationships(&self, py: Python<'_>, other: &Bound<'_, Person>) -> PyResult<Vec<Relationship>> {
        let other = other.get();
        let (Some(one), Some(two)) = (self.lineage(), other.lineage()) else { return Ok(Vec::new()) };
        if !Arc::ptr_eq(&self.of.snapshot, &other.of.snapshot) {
            return Err(wrong_argument("expected two people from the same version of the document"));
        }
        let kinship = py.detach(|| one.kinship(two));
        let relationship = |found: &elf_lineage::Relationship| {
            let generations = match found.relation {
                Relation::Kin(generations) => Some(generations),
                _ => None,
            };
            let ancestors = found.common_ancestors.iter().map(|id| Py::new(py, self.of.person_of(*id)));
            Ok(Relationship {
                kind: found.kind.name(),
                name: found.name(one.sex()),
                up: generations.map(|generations| generations.up),
                down: generations.map(|generations| generations.down),
                half: generations.is_some_and(|generations| generations.half),
                common_ancestors: ancestors.collect::<PyResult<Vec<_>>>()?,
            })
        };
        kinship.relationships().iter().map(relationship).collect()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Person>().is_ok_and(|other| {
            let other = other.get();
            self.id == other.id && Arc::ptr_eq(&self.of.snapshot, &other.of.snapshot)
        })
    }

    fn __hash__(&self) -> usize {
        self.id.index()
    }

    fn __str__(&self) -> String {
        self.name()
    }

    fn __repr__(&self) -> String {
        format!("<Person {} {:?}>", self.id().unwrap_or_default(), self.name())
    }
}

impl Family {
    fn lineage(&self) -> Option<elf_lineage::Family<'_>> {
        self.of.snapshot.lineage().family(self.id)
    }
}

#[pymethods]
impl Family {
    #[getter]
    fn id(&self) -> Option<String> {
        self.lineage().and_then(elf_lineage::Family::identifier)
    }

    #[getter]
    fn partners(&self) -> Vec<Person> {
        let partners = self.lineage().into_iter().flat_map(elf_lineage::Family::partners);
        partners.map(|(person, _)| self.of.person_of(person.id())).collect()
    }

    /// The first partner with the tag `HUSB`.
    #[getter]
    fn husband(&self) -> Option<Person> {
        self.partner_of(PartnerRole::Husband)
    }

    /// The first partner with the tag `WIFE`.
    #[getter]
    fn wife(&self) -> Option<Person> {
        self.partner_of(PartnerRole::Wife)
    }

    #[getter]
    fn children(&self) -> Vec<Person> {
        let children = self.lineage().into_iter().flat_map(elf_lineage::Family::children);
        children.map(|person| self.of.person_of(person.id())).collect()
    }

    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Vec<Event>> {
        self.of.events(py, self.of.snapshot.view().family(self.id))
    }

    #[getter]
    fn line(&self) -> u64 {
        self.lineage().map_or(0, |family| family.position().line)
    }

    #[getter]
    fn record(&self, py: Python<'_>) -> Option<Structure> {
        let node = self.of.snapshot.view().family(self.id).map(|node| node.id())?;
        self.of.structure(py, self.of.snapshot.typed.document().node(node)?)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Family>().is_ok_and(|other| {
            let other = other.get();
            self.id == other.id && Arc::ptr_eq(&self.of.snapshot, &other.of.snapshot)
        })
    }

    fn __hash__(&self) -> usize {
        self.id.index()
    }

    fn __repr__(&self) -> String {
        format!("<Family {}>", self.id().unwrap_or_default())
    }
}

impl Family {
    fn partner_of(&self, wanted: PartnerRole) -> Option<Person> {
        let mut partners = self.lineage()?.partners();
        let found = partners.find(|(_, role)| *role == wanted);
        found.map(|(person, _)| self.of.person_of(person.id()))
    }
}

/// The rule for living people.
pub(crate) fn living_rule(
    py: Python<'_>,
    within: u32,
    day: Option<&Bound<'_, PyAny>>,
    bare_death: bool,
) -> PyResult<LivingRule> {
    let mut rule = LivingRule::on(today(day, py)?);
    (rule.within, rule.bare_death) = (within, bare_death);
    Ok(rule)
}

/// Finds people of a document, as `elf find` does.
#[pyfunction]
#[pyo3(signature = (
    document, *, name=None, surname=None, given=None, sounds_like=None, born=None, died=None, place=None, sex=None,
    has=Vec::new(), lacks=Vec::new(), unconnected=false, ancestor_of=None, descendant_of=None, living=None,
    within=110, today=None, bare_death=false
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn find(
    py: Python<'_>,
    document: &Bound<'_, Document>,
    name: Option<&str>,
    surname: Option<&str>,
    given: Option<&str>,
    sounds_like: Option<&str>,
    born: Option<&str>,
    died: Option<&str>,
    place: Option<&str>,
    sex: Option<&str>,
    has: Vec<String>,
    lacks: Vec<String>,
    unconnected: bool,
    ancestor_of: Option<&str>,
    descendant_of: Option<&str>,
    living: Option<bool>,
    within: u32,
    today: Option<Bound<'_, PyAny>>,
    bare_death: bool,
) -> PyResult<Vec<Person>> {
    let mut query = PersonQuery::new();
    query = name.into_iter().fold(query, PersonQuery::with_name);
    query = surname.into_iter().fold(query, PersonQuery::with_surname);
    query = given.into_iter().fold(query, PersonQuery::with_given);
    query = sounds_like.into_iter().fold(query, PersonQuery::with_sound);
    query = place.into_iter().fold(query, PersonQuery::with_place);
    query = years_of(born)?.into_iter().fold(query, PersonQuery::with_birth);
    query = years_of(died)?.into_iter().fold(query, PersonQuery::with_death);
    query = sex.map(sex_code).transpose()?.into_iter().fold(query, PersonQuery::with_sex);
    query = paths_of(&has)?.into_iter().fold(query, PersonQuery::with_structure);
    query = paths_of(&lacks)?.into_iter().fold(query, PersonQuery::without_structure);
    if unconnected {
        query = query.without_families();
    }
    query = ancestor_of.into_iter().fold(query, |query, id| query.with_descendant(without_at_signs(id)));
    query = descendant_of.into_iter().fold(query, |query, id| query.with_ancestor(without_at_signs(id)));
    if let Some(is_living) = living {
        query = query.with_living(living_rule(py, within, today.as_ref(), bare_death)?, is_living);
    }
    let of = PeopleOf::new(document)?;
    let found = py.detach(|| query.find(&of.snapshot.view()));
    let found = found.map_err(|failure| person_error(py, of.file().as_deref(), &failure))?;
    Ok(found.into_iter().map(|id| of.person_of(id)).collect())
}

fn years_of(text: Option<&str>) -> PyResult<Option<YearRange>> {
    text.map(parse_argument).transpose()
}

fn paths_of(texts: &[String]) -> PyResult<Vec<StructurePath>> {
    texts.iter().map(|text| parse_argument(text)).collect()
}

fn parse_argument<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(|error| wrong_argument(format!("`{text}`: {error}")))
}

fn sex_code(code: &str) -> PyResult<SexCode> {
    match code {
        "M" => Ok(SexCode::Male),
        "F" => Ok(SexCode::Female),
        "X" => Ok(SexCode::Other),
        "U" => Ok(SexCode::Unknown),
        _ => Err(wrong_argument(format!("unknown sex `{code}`: expected `M`, `F`, `X` or `U`"))),
    }
}
