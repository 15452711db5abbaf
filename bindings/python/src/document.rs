//! The class `Document`, which reads and edits a file.

use crate::errors::{ErrorClass, ErrorPlace, edit_error, make_error, wrong_argument};
use crate::files::save;
use crate::people::{Family, PeopleOf, Person};
use crate::snapshot::Snapshot;
use crate::source::{Reading, Source, name_of};
use crate::structure::Structure;
use elf_edit::{Edit, EditError, EditOptions, Editor, Edits, Value};
use elf_schema::{PathTypes, TypedDocument};
use elf_tagged::path::Path as StructurePath;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyList;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file in memory, to read and to edit.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct Document {
    pub(crate) path: Option<PathBuf>,
    pub(crate) reading: Reading,
    typed: Arc<TypedDocument<'static>>,
    /// The edits. `None` only while an editor uses them.
    edits: Mutex<Option<Edits>>,
    /// The number of edits so far.
    generation: AtomicU64,
    /// The people and families, with the value of `generation` when they were read.
    snapshot: Mutex<Option<(u64, Arc<Snapshot>)>>,
    types: Mutex<Option<PathTypes>>,
}

/// The encoding of a file, and the evidence for it.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct EncodingDecision {
    used: &'static str,
    because: &'static str,
    detected: Option<&'static str>,
    detected_by: Option<&'static str>,
    specified: Option<String>,
    bom: bool,
    rivals: Vec<&'static str>,
    evidence: Vec<String>,
}

#[pymethods]
impl EncodingDecision {
    fn __repr__(&self) -> String {
        format!("<EncodingDecision {}, {}>", self.used, self.because)
    }
}

/// The value for an edit. No text means no payload.
fn edit_value(text: Option<&str>) -> Value {
    text.filter(|text| !text.is_empty()).map_or(Value::None, Value::from)
}

/// Removes the at signs around an identifier.
pub(crate) fn without_at_signs(identifier: &str) -> &str {
    identifier.strip_prefix('@').and_then(|rest| rest.strip_suffix('@')).unwrap_or(identifier)
}

/// Locks a mutex, even if another thread panicked while it held the lock.
fn lock<'m, T>(py: Python<'_>, mutex: &'m Mutex<T>) -> MutexGuard<'m, T> {
    mutex.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
}

impl Document {
    pub(crate) fn new(typed: TypedDocument<'static>, path: Option<PathBuf>, reading: Reading) -> Document {
        let edits = Edits::new(typed.document());
        Document {
            path,
            reading,
            typed: Arc::new(typed),
            edits: Mutex::new(Some(edits)),
            generation: AtomicU64::new(0),
            snapshot: Mutex::new(None),
            types: Mutex::new(None),
        }
    }

    /// The document before edits.
    pub(crate) const fn typed(&self) -> &Arc<TypedDocument<'static>> {
        &self.typed
    }

    pub(crate) fn file(&self) -> Option<String> {
        self.path.as_deref().map(name_of)
    }

    /// Calls `work` with the edited document.
    pub(crate) fn read_with<T>(&self, py: Python<'_>, work: impl FnOnce(&Editor<'_>) -> T) -> T {
        self.with_editor(py, |editor| work(editor))
    }

    /// Edits the document. If the edit fails, nothing changes.
    pub(crate) fn edit_with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Editor<'_>) -> Result<T, EditError>,
    ) -> PyResult<T> {
        let edited = self.with_editor(py, |editor| {
            self.generation.fetch_add(1, Ordering::Relaxed);
            work(editor)
        });
        edited.map_err(|failure| edit_error(py, self.file().as_deref(), &failure))
    }

    fn with_editor<T>(&self, py: Python<'_>, work: impl FnOnce(&mut Editor<'_>) -> T) -> T {
        let document = self.typed.document();
        let mut held = lock(py, &self.edits);
        // After a panic in an edit, the edits are lost, and handles are refused.
        let edits = held.take().unwrap_or_else(|| Edits::new(document));
        let mut editor = match Editor::with_edits(document, edits) {
            Ok(editor) => editor,
            Err(_) => Editor::new(document),
        };
        let result = work(&mut editor);
        *held = Some(editor.into_edits());
        result
    }

    pub(crate) fn is_edited(&self, py: Python<'_>) -> bool {
        lock(py, &self.edits).as_ref().is_some_and(|edits| !edits.is_empty())
    }

    /// The bytes of the edited document.
    pub(crate) fn bytes(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        if !self.is_edited(py) {
            return Ok(self.typed.document().source().octets().to_vec());
        }
        let finished = self.read_with(py, |editor| {
            py.detach(|| editor.finish_quietly().map(|edited| edited.octets.into_owned()))
        });
        finished.map_err(|failure| edit_error(py, self.file().as_deref(), &failure))
    }

    /// The current document, read as a whole.
    pub(crate) fn snapshot(&self, py: Python<'_>) -> PyResult<Arc<Snapshot>> {
        let generation = self.generation.load(Ordering::Relaxed);
        if let Some((of, snapshot)) = &*lock(py, &self.snapshot)
            && *of == generation
        {
            return Ok(Arc::clone(snapshot));
        }
        // No other thread can edit between the writing and the reading.
        let made = self.read_with(py, |editor| {
            let generation = self.generation.load(Ordering::Relaxed);
            Ok((generation, py.detach(|| self.new_snapshot(editor))?))
        });
        let (generation, snapshot) =
            made.map_err(|failure: EditError| edit_error(py, self.file().as_deref(), &failure))?;
        let snapshot = Arc::new(snapshot);
        *lock(py, &self.snapshot) = Some((generation, Arc::clone(&snapshot)));
        Ok(snapshot)
    }

    fn new_snapshot(&self, editor: &Editor<'_>) -> Result<Snapshot, EditError> {
        if !editor.is_edited() {
            return Ok(Snapshot::of_document(Arc::clone(&self.typed)));
        }
        let typed = self.reading.read(&editor.finish_quietly()?.octets)?;
        Ok(Snapshot::of_edits(typed, editor))
    }

    /// The records, without header and trailer.
    fn record_handles(&self, py: Python<'_>) -> Vec<elf_edit::Structure> {
        self.read_with(py, |editor| {
            let mut records = editor.records();
            records.retain(|record| editor.tag(*record).is_ok_and(|tag| tag != "HEAD" && tag != "TRLR"));
            records
        })
    }

    /// Calls `work` with the types that paths may name.
    pub(crate) fn with_types<T>(&self, py: Python<'_>, work: impl FnOnce(&mut PathTypes) -> T) -> T {
        let mut types = lock(py, &self.types);
        work(types.get_or_insert_with(|| PathTypes::new(self.typed.typing(), self.typed.document().rules())))
    }

    /// Makes Python objects for structures.
    pub(crate) fn structures(
        of: &Bound<'_, Document>,
        handles: impl IntoIterator<Item = elf_edit::Structure>,
    ) -> Vec<Structure> {
        handles.into_iter().map(|handle| Structure::new(of, handle)).collect()
    }

    fn parse_path(&self, path: &str) -> PyResult<StructurePath> {
        path.parse().map_err(|error| wrong_argument(format!("invalid path `{path}`: {error}")))
    }

    fn apply(&self, py: Python<'_>, edit: &Edit, options: EditOptions) -> PyResult<()> {
        let mut types = PathTypes::new(self.typed.typing(), self.typed.document().rules());
        self.edit_with(py, |editor| {
            editor.set_options(options);
            let applied = editor.apply(edit, &mut types);
            editor.set_options(EditOptions::default());
            applied
        })
    }

    fn not_found(&self, py: Python<'_>, identifier: &str) -> PyErr {
        let file = self.file();
        let message = format!("no record has the identifier `@{identifier}@`");
        let place = ErrorPlace { file: file.as_deref(), line: None, path: Some(identifier) };
        make_error(py, ErrorClass::StructureNotFound, &message, place)
    }
}

#[pymethods]
impl Document {
    /// The path from which the document was read.
    #[getter(path)]
    fn get_path(&self) -> Option<String> {
        self.file()
    }

    /// The name of the rules by which the document was read.
    #[getter]
    fn rules(&self) -> &'static str {
        self.typed.document().rules().name
    }

    /// False if the rules stopped reading early.
    #[getter]
    fn is_complete(&self) -> bool {
        self.typed.document().is_complete()
    }

    #[getter(is_edited)]
    fn get_is_edited(&self, py: Python<'_>) -> bool {
        self.is_edited(py)
    }

    #[getter]
    fn encoding(&self) -> EncodingDecision {
        let decision = self.typed.document().source().decision();
        EncodingDecision {
            used: decision.used.name(),
            because: decision.because.name(),
            detected: decision.detected.map(|encoding| encoding.name()),
            detected_by: decision.detected_by.map(|by| by.name()),
            specified: decision.specified.as_deref().map(str::to_owned),
            bom: decision.mark,
            rivals: decision.rivals.iter().map(|encoding| encoding.name()).collect(),
            evidence: decision.evidence.clone(),
        }
    }

    #[getter]
    fn header(slf: &Bound<'_, Self>) -> Option<Structure> {
        let records = slf.get().read_with(slf.py(), |editor| {
            editor.records().into_iter().find(|record| editor.tag(*record).is_ok_and(|tag| tag == "HEAD"))
        });
        records.map(|record| Structure::new(slf, record))
    }

    /// The records in the order of the file, without header and trailer.
    #[getter]
    fn records(slf: &Bound<'_, Self>) -> Vec<Structure> {
        Document::structures(slf, slf.get().record_handles(slf.py()))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.record_handles(py).len()
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let records = PyList::new(slf.py(), Document::records(slf))?;
        records.call_method0("__iter__")
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// The record with an identifier, with or without at signs.
    fn __getitem__(slf: &Bound<'_, Self>, identifier: &str) -> PyResult<Structure> {
        let identifier = without_at_signs(identifier);
        let (document, py) = (slf.get(), slf.py());
        let found = document.read_with(py, |editor| editor.structures_with_xref(identifier));
        match found[..] {
            [] => Err(document.not_found(py, identifier)),
            [one] => Ok(Structure::new(slf, one)),
            [first, ..] => {
                let file = document.file();
                let message = format!("{} records have the identifier `@{identifier}@`", found.len());
                let line = document.read_with(py, |editor| {
                    let node = editor.node(first).ok().flatten()?;
                    Some(node.document().locator().place(node.line_span()).line)
                });
                let place = ErrorPlace { file: file.as_deref(), line, path: Some(identifier) };
                Err(make_error(py, ErrorClass::StructureNotFound, &message, place))
            }
        }
    }

    fn __contains__(&self, py: Python<'_>, identifier: &str) -> bool {
        !self.read_with(py, |editor| editor.structures_with_xref(without_at_signs(identifier))).is_empty()
    }

    /// The record with an identifier, or `default`.
    #[pyo3(signature = (identifier, default=None))]
    fn get<'py>(
        slf: &Bound<'py, Self>,
        identifier: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found =
            slf.get().read_with(slf.py(), |editor| editor.structures_with_xref(without_at_signs(identifier)));
        match found[..] {
            [one] => Ok(Some(Bound::new(slf.py(), Structure::new(slf, one))?.into_any())),
            _ => Ok(default),
        }
    }

    /// The only structure at a path, such as `@I1@/BIRT/DATE`.
    fn at(slf: &Bound<'_, Self>, path: &str) -> PyResult<Structure> {
        let (document, py) = (slf.get(), slf.py());
        let path = document.parse_path(path)?;
        let found =
            document.with_types(py, |types| document.read_with(py, |editor| editor.find_one(&path, types)));
        let found = found.map_err(|failure| edit_error(py, document.file().as_deref(), &failure))?;
        Ok(Structure::new(slf, found))
    }

    /// All structures at a path. Empty if there are none.
    fn find_all(slf: &Bound<'_, Self>, path: &str) -> PyResult<Vec<Structure>> {
        let (document, py) = (slf.get(), slf.py());
        let path = document.parse_path(path)?;
        let found =
            document.with_types(py, |types| document.read_with(py, |editor| editor.find(&path, types)));
        Ok(Document::structures(slf, found.unwrap_or_default()))
    }

    /// All structures with a type or a subtype of it, in the order of the file.
    fn of_type(slf: &Bound<'_, Self>, iri: &str) -> PyResult<Vec<Structure>> {
        let (document, py) = (slf.get(), slf.py());
        let snapshot = document.snapshot(py)?;
        let iri = snapshot.typed.schema().prefixes().expand(iri).into_owned();
        let handles = document.read_with(py, |editor| {
            let nodes = snapshot.typed.of_type(&iri);
            nodes.filter_map(|node| snapshot.handle(editor, node)).collect::<Vec<_>>()
        });
        Ok(Document::structures(slf, handles))
    }

    /// Sets the payload of the structure at a path. A value such as `@I1@` becomes a pointer.
    #[pyo3(signature = (path, value, *, create=false))]
    fn set(&self, py: Python<'_>, path: &str, value: &str, create: bool) -> PyResult<()> {
        let edit = Edit::Set(self.parse_path(path)?, Value::of(value));
        self.apply(py, &edit, EditOptions::new().with_create(create))
    }

    /// Adds a structure. The last step of the path is its tag.
    #[pyo3(signature = (path, value=None, *, create=false))]
    fn insert(&self, py: Python<'_>, path: &str, value: Option<&str>, create: bool) -> PyResult<()> {
        let edit = Edit::Insert(self.parse_path(path)?, value.map_or(Value::None, Value::of));
        self.apply(py, &edit, EditOptions::new().with_create(create))
    }

    /// Removes the structure at a path. `cascade` also removes pointers to it.
    #[pyo3(signature = (path, *, cascade=false))]
    fn remove(&self, py: Python<'_>, path: &str, cascade: bool) -> PyResult<()> {
        let edit = Edit::Remove(self.parse_path(path)?);
        self.apply(py, &edit, EditOptions::new().with_cascade(cascade))
    }

    /// Renames an identifier and updates every pointer to it.
    fn rename(&self, py: Python<'_>, identifier: &str, new: &str) -> PyResult<()> {
        let edit = Edit::Rename(without_at_signs(identifier).to_owned(), without_at_signs(new).to_owned());
        self.apply(py, &edit, EditOptions::new())
    }

    /// Adds a record at the end, before the trailer.
    #[pyo3(signature = (tag, text=None, *, id=None))]
    fn add(slf: &Bound<'_, Self>, tag: &str, text: Option<&str>, id: Option<&str>) -> PyResult<Structure> {
        let added = slf.get().edit_with(slf.py(), |editor| {
            editor.insert(None, id.map(without_at_signs), tag, edit_value(text), None)
        })?;
        Ok(Structure::new(slf, added))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        if !self.is_edited(py) {
            return Ok(pyo3::types::PyBytes::new(py, self.typed.document().source().octets()));
        }
        Ok(pyo3::types::PyBytes::new(py, &self.bytes(py)?))
    }

    /// Writes the file completely, or not at all: to its own path, or to `path`.
    #[pyo3(signature = (path=None))]
    fn save(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<()> {
        let Some(path) = path.as_ref().or(self.path.as_ref()) else {
            return Err(wrong_argument("the document was read from bytes: expected a path"));
        };
        let bytes = self.bytes(py)?;
        save(py, path, &bytes)
    }

    #[getter]
    fn people(slf: &Bound<'_, Self>) -> PyResult<Vec<Person>> {
        Ok(PeopleOf::new(slf)?.people())
    }

    #[getter]
    fn families(slf: &Bound<'_, Self>) -> PyResult<Vec<Family>> {
        Ok(PeopleOf::new(slf)?.families())
    }

    /// The person with an identifier.
    fn person(slf: &Bound<'_, Self>, identifier: &str) -> PyResult<Person> {
        PeopleOf::new(slf)?.person(without_at_signs(identifier))
    }

    /// The family with an identifier.
    fn family(slf: &Bound<'_, Self>, identifier: &str) -> PyResult<Family> {
        PeopleOf::new(slf)?.family(without_at_signs(identifier))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, pyo3::types::PyTuple>) -> bool {
        false
    }

    fn __repr__(&self) -> String {
        let name = self.file().unwrap_or_else(|| "bytes".to_owned());
        format!("<Document {name}>")
    }
}

/// Reads a file. A damaged file gives a document too; `check` lists its problems.
#[pyfunction]
#[pyo3(signature = (source, *, rules=None, encoding=None, schema=None))]
pub(crate) fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    rules: Option<&str>,
    encoding: Option<&str>,
    schema: Option<&str>,
) -> PyResult<Document> {
    let source = Source::of(source)?;
    let reading = Reading::new(rules, encoding, schema)?;
    let typed = source.typed(py, &reading)?;
    Ok(Document::new(typed, source.path, reading))
}
