//! The functions `extract`, `redact`, `match`, `merge` and `diff`.

use crate::document::without_at_signs;
use crate::errors::{
    ErrorClass, ErrorPlace, edit_error, elf_error, make_error, merge_error, person_error, plan_error,
    wrong_argument,
};
use crate::files::save;
use crate::findings::python_of_json;
use crate::people::living_rule;
use crate::source::{Reading, Source};
use crate::threads::on_pool;
use elf_extract::{Branch, Generations, Plan, PlanError, RecordKind, Redaction, Replacement, Survey};
use elf_lineage::{Lineage, LineageView, MatchSide, PersonError, PersonMatcher};
use elf_merge::{MergeAction, UnitedPersons};
use elf_model::{Dataset, Difference, FileToCompare, Paths, ReadError, common_schema, keep_common_data};
use elf_schema::TypedDocument;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// A file without some of its records, and what was removed.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct Extraction {
    bytes: Vec<u8>,
    #[pyo3(get)]
    removed: Vec<Py<Removal>>,
    /// The lines that are kept and contain the name of a hidden person.
    #[pyo3(get)]
    mentions: Vec<u64>,
    /// The lines of records that are hidden because they may belong to a living person.
    #[pyo3(get)]
    unclear: Vec<u64>,
    #[pyo3(get)]
    doubts: Vec<(u64, &'static str)>,
    #[pyo3(get)]
    kept_people: u64,
    #[pyo3(get)]
    hidden_people: u64,
    #[pyo3(get)]
    removed_people: u64,
}

/// A structure that was removed.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct Removal {
    path: Option<String>,
    line: u64,
    tag: String,
    structures: u64,
    reason: &'static str,
}

/// A person whom `redact` hides.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct HiddenPerson {
    id: Option<String>,
    name: String,
    birth: Option<String>,
    reason: String,
    line: u64,
}

#[pymethods]
impl Extraction {
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// Writes the file completely, or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, &path, &self.bytes)
    }

    fn __repr__(&self) -> String {
        format!("<Extraction of {} people>", self.kept_people)
    }
}

#[pymethods]
impl Removal {
    fn __repr__(&self) -> String {
        format!("<Removal line {} {} {}>", self.line, self.tag, self.reason)
    }
}

#[pymethods]
impl HiddenPerson {
    fn __repr__(&self) -> String {
        format!("<HiddenPerson {} {}>", self.id.as_deref().unwrap_or_default(), self.reason)
    }
}

enum Task {
    Branch(Branch),
    Redaction(Redaction),
}

/// Why a task cannot be carried out.
enum TaskError {
    Plan(PlanError),
    Edit(elf_edit::EditError),
}

/// The result of a task, before it becomes a Python object.
struct Carried {
    bytes: Vec<u8>,
    removed: Vec<Removal>,
    mentions: Vec<u64>,
    unclear: Vec<u64>,
    doubts: Vec<(u64, &'static str)>,
    people: elf_extract::RecordCounts,
}

fn carry_out(typed: &TypedDocument<'_>, task: &Task) -> Result<Carried, TaskError> {
    let survey = Survey::of(typed);
    let plan = match task {
        Task::Branch(branch) => Plan::branch(survey, branch),
        Task::Redaction(redaction) => Plan::redaction(survey, redaction),
    };
    let plan = plan.map_err(TaskError::Plan)?;
    let extraction = plan.extract().map_err(TaskError::Edit)?;
    let mut places = extraction.places();
    let removal = |removal: &elf_extract::Removal<'_>| {
        let place = places.of_removal(removal);
        let tag = removal.structure.tag().to_owned();
        Removal {
            path: place.path,
            line: place.line,
            tag,
            structures: removal.structures(),
            reason: removal.reason.name(),
        }
    };
    let removed = extraction.removed.iter().map(removal).collect();
    let mut places = extraction.places();
    Ok(Carried {
        removed,
        mentions: extraction.mentions.iter().map(|mention| places.of_mention(mention).line).collect(),
        unclear: plan.unclear_lines().to_vec(),
        doubts: plan.doubts().iter().map(|doubt| (doubt.line, doubt.reason.name())).collect(),
        people: plan.counts(RecordKind::Person),
        bytes: extraction.octets.into_owned(),
    })
}

fn extract_task(py: Python<'_>, source: &Source, reading: &Reading, task: &Task) -> PyResult<Extraction> {
    let (typed, file) = (source.typed(py, reading)?, source.name());
    check_complete(py, &typed, file.as_deref())?;
    let done = py.detach(|| on_pool(|| carry_out(&typed, task)));
    let done = done.map_err(|failure| match failure {
        TaskError::Plan(failure) => plan_error(py, file.as_deref(), &failure),
        TaskError::Edit(failure) => edit_error(py, file.as_deref(), &failure),
    })?;
    let Carried { bytes, removed, mentions, unclear, doubts, people } = done;
    let removed = removed.into_iter().map(|one| Py::new(py, one)).collect::<PyResult<Vec<_>>>()?;
    let (kept_people, hidden_people, removed_people) = (people.kept, people.hidden, people.removed);
    Ok(Extraction { bytes, removed, mentions, unclear, doubts, kept_people, hidden_people, removed_people })
}

/// Refuses a file if the rules stopped reading early.
fn check_complete(py: Python<'_>, typed: &TypedDocument<'_>, file: Option<&str>) -> PyResult<()> {
    if typed.document().is_complete() {
        return Ok(());
    }
    let message = "reading of the file stopped early under these rules; the rules `wild` continue";
    Err(make_error(py, ErrorClass::Incomplete, message, ErrorPlace { file, ..ErrorPlace::default() }))
}

/// A number of generations. `None` means all.
fn generations(number: Option<u32>) -> Generations {
    number.map_or(Generations::All, Generations::UpTo)
}

/// Makes a file of one branch of a tree, as `elf extract` does.
#[pyfunction]
#[pyo3(
    signature = (
        source, people, *, ancestors=Some(0), descendants=Some(0), spouses=false, rules=None, encoding=None
    ),
    text_signature = "(source, people, *, ancestors=0, descendants=0, spouses=False, rules=None, encoding=None)"
)]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn extract(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    people: Vec<String>,
    ancestors: Option<u32>,
    descendants: Option<u32>,
    spouses: bool,
    rules: Option<&str>,
    encoding: Option<&str>,
) -> PyResult<Extraction> {
    let source = Source::of(source)?;
    let reading = Reading::of_source(&source, rules, encoding, None)?;
    let branch = Branch::of(people.iter().map(|id| without_at_signs(id)))
        .with_ancestors(generations(ancestors))
        .with_descendants(generations(descendants))
        .with_spouses(spouses);
    extract_task(py, &source, &reading, &Task::Branch(branch))
}

/// The arguments of a redaction.
struct RedactArguments<'a, 'py> {
    replacement: &'a str,
    keep: &'a [String],
    within: u32,
    today: Option<&'a Bound<'py, PyAny>>,
    bare_death: bool,
}

impl RedactArguments<'_, '_> {
    fn redaction(&self, py: Python<'_>) -> PyResult<Redaction> {
        let replacement = Replacement::ALL.into_iter().find(|one| one.name() == self.replacement);
        let replacement = replacement.ok_or_else(|| {
            let names = Replacement::ALL.map(Replacement::name).join("`, `");
            wrong_argument(format!("unknown replacement `{}`: expected one of `{names}`", self.replacement))
        })?;
        let rule = living_rule(py, self.within, self.today, self.bare_death)?;
        Ok(Redaction::by(rule)
            .with_replacement(replacement)
            .with_keep(self.keep.iter().map(|id| without_at_signs(id))))
    }
}

/// Hides living people, as `elf redact` does.
#[pyfunction]
#[pyo3(signature = (
    source, *, replacement="placeholder", keep=Vec::new(), within=110, today=None, bare_death=false, rules=None,
    encoding=None
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn redact(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    replacement: &str,
    keep: Vec<String>,
    within: u32,
    today: Option<Bound<'_, PyAny>>,
    bare_death: bool,
    rules: Option<&str>,
    encoding: Option<&str>,
) -> PyResult<Extraction> {
    let source = Source::of(source)?;
    let reading = Reading::of_source(&source, rules, encoding, None)?;
    let arguments = RedactArguments { replacement, keep: &keep, within, today: today.as_ref(), bare_death };
    extract_task(py, &source, &reading, &Task::Redaction(arguments.redaction(py)?))
}

/// Lists the people whom `redact` would hide, as `elf redact --check` does.
#[pyfunction]
#[pyo3(signature = (
    source, *, keep=Vec::new(), within=110, today=None, bare_death=false, rules=None, encoding=None
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn hidden_people(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    keep: Vec<String>,
    within: u32,
    today: Option<Bound<'_, PyAny>>,
    bare_death: bool,
    rules: Option<&str>,
    encoding: Option<&str>,
) -> PyResult<Vec<HiddenPerson>> {
    let source = Source::of(source)?;
    let reading = Reading::of_source(&source, rules, encoding, None)?;
    let replacement = Replacement::default().name();
    let arguments = RedactArguments { replacement, keep: &keep, within, today: today.as_ref(), bare_death };
    let redaction = arguments.redaction(py)?;
    let (typed, file) = (source.typed(py, &reading)?, source.name());
    let hidden = py.detach(|| Survey::of(&typed).hidden_persons(&redaction));
    let hidden = hidden.map_err(|failure| plan_error(py, file.as_deref(), &failure))?;
    let person = |person: elf_extract::HiddenPerson| HiddenPerson {
        id: person.identifier,
        name: person.name,
        birth: person.birth,
        reason: person.reason,
        line: person.line,
    };
    Ok(hidden.into_iter().map(person).collect())
}

/// A file and its people.
struct PeopleFile {
    typed: TypedDocument<'static>,
    lineage: Lineage,
    name: Option<String>,
}

impl PeopleFile {
    fn read(py: Python<'_>, argument: &Bound<'_, PyAny>, rules: Option<&str>) -> PyResult<PeopleFile> {
        let source = Source::of(argument)?;
        let reading = Reading::of_source(&source, rules, None, None)?;
        let typed = source.typed(py, &reading)?;
        let lineage = py.detach(|| Lineage::with_notices(&typed));
        Ok(PeopleFile { name: source.name(), typed, lineage })
    }

    fn view(&self) -> LineageView<'_, '_> {
        LineageView::new(&self.lineage, &self.typed)
    }
}

/// Two people who are probably the same person.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct Match {
    score: f64,
    a: Py<MatchedPerson>,
    b: Py<MatchedPerson>,
    agree: Vec<&'static str>,
    similar: Vec<&'static str>,
    differ: Vec<&'static str>,
}

/// One of the two people of a match.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct MatchedPerson {
    file: Option<String>,
    id: Option<String>,
    name: String,
    birth: Option<String>,
    death: Option<String>,
}

#[pymethods]
impl Match {
    fn __repr__(&self, py: Python<'_>) -> String {
        let id = |person: &Py<MatchedPerson>| person.bind(py).get().id.clone().unwrap_or_default();
        format!("<Match {:.4} {} {}>", self.score, id(&self.a), id(&self.b))
    }
}

#[pymethods]
impl MatchedPerson {
    fn __repr__(&self) -> String {
        format!("<MatchedPerson {} {:?}>", self.id.as_deref().unwrap_or_default(), self.name)
    }
}

/// Finds people who are probably the same, as `elf match` does.
#[pyfunction(name = "match")]
#[pyo3(signature = (a, b=None, *, at_least=0.8, rules=None))]
pub(crate) fn match_people(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: Option<&Bound<'_, PyAny>>,
    at_least: f64,
    rules: Option<&str>,
) -> PyResult<Vec<Match>> {
    let one = PeopleFile::read(py, a, rules)?;
    let other = b.map(|b| PeopleFile::read(py, b, rules)).transpose()?;
    let (matcher, found) = py.detach(|| {
        on_pool(|| {
            let mut matcher = PersonMatcher::default();
            matcher.add(MatchSide::A, 0, &one.view());
            if let Some(other) = &other {
                matcher.add(MatchSide::B, 1, &other.view());
            }
            let found = matcher.matches(at_least);
            (matcher, found)
        })
    });
    let person = |number: usize| {
        let person = matcher.person(number);
        let file = if person.file == 0 { Some(&one) } else { other.as_ref() };
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Py::new(
            py,
            MatchedPerson {
                file: file.and_then(|file| file.name.clone()),
                id: person.identifier.clone(),
                name: person.name.clone(),
                birth: some(&person.birth),
                death: some(&person.death),
            },
        )
    };
    let names = |fields: &[elf_lineage::MatchField]| fields.iter().map(|field| field.name()).collect();
    found
        .iter()
        .map(|found| {
            Ok(Match {
                score: found.score,
                a: person(found.a)?,
                b: person(found.b)?,
                agree: names(&found.agree),
                similar: names(&found.similar),
                differ: names(&found.differ),
            })
        })
        .collect()
}

/// The result of adding one file to another.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct Merged {
    bytes: Vec<u8>,
    #[pyo3(get)]
    actions: Vec<Py<Action>>,
    summary: MergeCounts,
}

#[derive(Serialize)]
struct MergeCounts {
    persons_united: u64,
    persons_added: u64,
    families_united: u64,
    families_added: u64,
    records_added: u64,
    conflicts: u64,
    lost: u64,
}

/// A change or a loss of a merge.
#[pyclass(frozen, get_all, module = "elf_gedcom", name = "MergeAction")]
#[derive(Default)]
pub(crate) struct Action {
    action: &'static str,
    tag: Option<String>,
    record: Option<String>,
    id: Option<String>,
    a: Option<String>,
    b: Option<String>,
    kept: Option<String>,
    added: Option<String>,
    left_out: Option<String>,
    line: Option<u64>,
    reason: Option<String>,
}

impl Action {
    fn of(action: MergeAction) -> Option<Action> {
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let none = Action::default();
        Some(match action {
            MergeAction::United { tag, a, b } => {
                Action { action: "united", tag: Some(tag), a: some(a), b: some(b), ..none }
            }
            MergeAction::Added { tag, id, b } => {
                Action { action: "added", tag: Some(tag), id: some(id), b: some(b), ..none }
            }
            MergeAction::Renamed { id, b } => Action { action: "renamed", id: some(id), b: some(b), ..none },
            MergeAction::Conflict { tag, a, b, kept, added } => Action {
                action: "conflict",
                tag: Some(tag),
                a: some(a),
                b: some(b),
                kept: Some(kept),
                added: Some(added),
                ..none
            },
            MergeAction::RoleDiffers { a, b, person, kept, left_out } => Action {
                action: "role",
                id: some(person),
                a: some(a),
                b: some(b),
                kept: Some(kept),
                left_out: Some(left_out),
                ..none
            },
            MergeAction::RenamedTag { tag, b, record } => {
                Action { action: "renamed_tag", tag: Some(tag), record, b: some(b), ..none }
            }
            MergeAction::Lost { line, reason } => {
                Action { action: "lost", line: Some(line), reason: Some(reason), ..none }
            }
            _ => return None,
        })
    }
}

#[pymethods]
impl Action {
    fn __repr__(&self) -> String {
        format!("<MergeAction {} {}>", self.action, self.tag.as_deref().unwrap_or_default())
    }
}

#[pymethods]
impl Merged {
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// Writes the file completely, or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, &path, &self.bytes)
    }

    /// The number of actions of each kind.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_of_json(py, &self.summary)
    }

    fn __repr__(&self) -> String {
        let MergeCounts { persons_united, persons_added, .. } = self.summary;
        format!("<Merged {persons_united} people united, {persons_added} added>")
    }
}

/// Adds one file to another, as `elf merge` does.
#[pyfunction]
#[pyo3(signature = (a, b, *, pairs=None, at_least=None, rules=None))]
pub(crate) fn merge(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pairs: Option<Vec<(String, String)>>,
    at_least: Option<f64>,
    rules: Option<&str>,
) -> PyResult<Merged> {
    let (one, other) = (PeopleFile::read(py, a, rules)?, PeopleFile::read(py, b, rules)?);
    let united = match (pairs, at_least) {
        (Some(_), Some(_)) => return Err(wrong_argument("expected `pairs` or `at_least`, not both")),
        (Some(pairs), None) => united_by_pairs(py, &one, &other, &pairs)?,
        (None, Some(at_least)) => {
            py.detach(|| on_pool(|| UnitedPersons::by_score(&one.view(), &other.view(), at_least)))
        }
        (None, None) => UnitedPersons::equal_records(),
    };
    let merged = py.detach(|| {
        on_pool(|| {
            elf_merge::merge(&one.view(), &other.view(), &united).map(|merged| {
                let elf_merge::Merged { edited, actions, summary, .. } = merged;
                (edited.octets.into_owned(), actions, summary)
            })
        })
    });
    let (bytes, actions, counts) = merged.map_err(|failure| merge_error(py, &failure))?;
    let actions = actions.into_iter().filter_map(Action::of).map(|action| Py::new(py, action));
    Ok(Merged {
        bytes,
        actions: actions.collect::<PyResult<Vec<_>>>()?,
        summary: MergeCounts {
            persons_united: counts.persons_united,
            persons_added: counts.persons_added,
            families_united: counts.families_united,
            families_added: counts.families_added,
            records_added: counts.records_added,
            conflicts: counts.conflicts,
            lost: counts.lost,
        },
    })
}

/// Unites people by pairs of identifiers: the first in A, the second in B.
fn united_by_pairs(
    py: Python<'_>,
    one: &PeopleFile,
    other: &PeopleFile,
    pairs: &[(String, String)],
) -> PyResult<UnitedPersons> {
    let find = |file: &PeopleFile, id: &str| {
        let found: Result<_, PersonError> =
            file.lineage.only_person(without_at_signs(id)).map(elf_lineage::Person::id);
        found.map_err(|failure| person_error(py, file.name.as_deref(), &failure))
    };
    let mut united = UnitedPersons::default();
    for (a, b) in pairs {
        united = united.with_pair(find(one, a)?, find(other, b)?);
    }
    Ok(united)
}

/// A difference between two files.
#[pyclass(frozen, get_all, module = "elf_gedcom", name = "Difference")]
pub(crate) struct FileDifference {
    difference: &'static str,
    a: Option<Py<DifferencePlace>>,
    b: Option<Py<DifferencePlace>>,
}

/// A structure in one of the two files of a difference.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
#[derive(Default)]
pub(crate) struct DifferencePlace {
    path: String,
    tag: Option<String>,
    r#type: Option<String>,
    kind: Option<String>,
    text: Option<String>,
    pointer: Option<String>,
    structures: Option<u64>,
}

#[pymethods]
impl FileDifference {
    fn __repr__(&self, py: Python<'_>) -> String {
        let place = self.a.as_ref().or(self.b.as_ref()).map(|place| place.bind(py).get().path.clone());
        format!("<Difference {} {}>", self.difference, place.unwrap_or_default())
    }
}

/// One of the two files.
struct ComparedFile<'d> {
    paths: Paths,
    dataset: &'d Dataset,
}

impl ComparedFile<'_> {
    fn of(dataset: &Dataset) -> ComparedFile<'_> {
        ComparedFile { paths: Paths::new(dataset), dataset }
    }

    fn place(&self, structure: elf_model::Structure<'_>) -> DifferencePlace {
        debug_assert!(structure.index() < self.dataset.len());
        let (text, pointer) = match structure.payload() {
            elf_model::Payload::None => (None, None),
            elf_model::Payload::Pointer(id) => (None, Some(id.to_owned())),
            elf_model::Payload::Literal(literal) => (Some(literal.text.to_owned()), None),
        };
        DifferencePlace {
            path: self.paths.path_of(structure),
            tag: Some(structure.tag().to_owned()),
            r#type: structure.structure_type().map(str::to_owned),
            kind: structure.fact_kind().map(Cow::into_owned),
            text,
            pointer,
            structures: None,
        }
    }

    fn subtree(&self, structure: elf_model::Structure<'_>) -> DifferencePlace {
        DifferencePlace { structures: Some(structure.subtree().len() as u64), ..self.place(structure) }
    }
}

/// A difference, before it becomes a Python object.
struct FoundDifference {
    kind: &'static str,
    a: Option<DifferencePlace>,
    b: Option<DifferencePlace>,
}

impl FoundDifference {
    fn of(difference: &Difference<'_>, sides: &[ComparedFile<'_>; 2]) -> Option<FoundDifference> {
        let [one, two] = sides;
        let language = |language: &str| DifferencePlace {
            path: "HEAD/PLANG".to_owned(),
            text: Some(language.to_owned()),
            ..DifferencePlace::default()
        };
        let (kind, a, b) = match *difference {
            Difference::Payload(a, b) => ("payload", Some(one.place(a)), Some(two.place(b))),
            Difference::Order(a, b) => ("order", Some(one.place(a)), Some(two.place(b))),
            Difference::Removed(a) => ("removed", Some(one.subtree(a)), None),
            Difference::Added(b) => ("added", None, Some(two.subtree(b))),
            Difference::Language(a, b) => ("language", a.map(language), b.map(language)),
            _ => return None,
        };
        Some(FoundDifference { kind, a, b })
    }
}

/// Lists the differences in meaning between two files, as `elf diff` does.
#[pyfunction]
#[pyo3(signature = (a, b, *, rules=None, to_rules=None))]
pub(crate) fn diff(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    rules: Option<&str>,
    to_rules: Option<&str>,
) -> PyResult<Vec<FileDifference>> {
    let sources = [Source::of(a)?, Source::of(b)?];
    let readings = [
        Reading::of_source(&sources[0], rules, None, None)?,
        Reading::of_source(&sources[1], to_rules.or(rules), None, None)?,
    ];
    let found = py.detach(|| on_pool(|| differences(&sources, &readings)));
    let found = found.map_err(|(side, failure)| {
        let name = sources.get(side).and_then(Source::name);
        match failure {
            ReadError::Partial(_) => {
                let place = ErrorPlace { file: name.as_deref(), ..ErrorPlace::default() };
                make_error(
                    py,
                    ErrorClass::Incomplete,
                    "reading of the file stopped early under these rules",
                    place,
                )
            }
            failure => elf_error(py, name.as_deref(), &failure),
        }
    })?;
    let place = |place: Option<DifferencePlace>| place.map(|place| Py::new(py, place)).transpose();
    let object = |found: FoundDifference| {
        Ok(FileDifference { difference: found.kind, a: place(found.a)?, b: place(found.b)? })
    };
    found.into_iter().map(object).collect()
}

/// The index of the file that could not be read, and the reason.
type SideError = (usize, ReadError);

fn differences(sources: &[Source; 2], readings: &[Reading; 2]) -> Result<Vec<FoundDifference>, SideError> {
    let files = [0, 1]
        .map(|side| FileToCompare { octets: sources[side].bytes.as_ref(), rules: readings[side].rules });
    let read = |side: usize| {
        let options = readings[side].options();
        let common = match &readings[side].schema {
            Some(schema) => Arc::clone(schema),
            None => common_schema(files, &options.octets),
        };
        let options = options.with_schema(None).with_common(Some(common));
        elf_model::read(files[side].octets, files[side].rules, &options, &mut ())
            .map_err(|failure| (side, failure))
    };
    let (one, two) = rayon::join(|| read(0), || read(1));
    let [one, two] = keep_common_data([one?, two?], [files[0].rules, files[1].rules]);
    let found = one.differences(&two);
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let sides = [ComparedFile::of(&one), ComparedFile::of(&two)];
    Ok(found.iter().filter_map(|difference| FoundDifference::of(difference, &sides)).collect())
}
