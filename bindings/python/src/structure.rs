//! The class `Structure`, a handle that reads and edits a structure of a document.

use crate::dates::HistoricalDate;
use crate::document::{Document, without_at_signs};
use crate::errors::{ErrorClass, ErrorPlace, edit_error, make_error};
use elf_edit::{EditError, Editor, Value};
use elf_schema::is_of_dates;
use elf_tagged::Payload;
use elf_values::DateValue;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// A structure of a document: a record, or a line under one.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct Structure {
    document: Py<Document>,
    handle: elf_edit::Structure,
}

impl Structure {
    pub(crate) fn new(document: &Bound<'_, Document>, handle: elf_edit::Structure) -> Structure {
        Structure { document: document.clone().unbind(), handle }
    }

    fn of_document(&self) -> &Document {
        self.document.get()
    }

    /// Calls `work` with the structure.
    fn read_with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Editor<'_>, elf_edit::Structure) -> Result<T, EditError>,
    ) -> PyResult<T> {
        let document = self.of_document();
        let read = document.read_with(py, |editor| work(editor, self.handle));
        read.map_err(|failure| edit_error(py, document.file().as_deref(), &failure))
    }

    /// Edits the structure.
    fn edit_with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Editor<'_>, elf_edit::Structure) -> Result<T, EditError>,
    ) -> PyResult<T> {
        self.of_document().edit_with(py, |editor| work(editor, self.handle))
    }

    fn other_structure(&self, py: Python<'_>, handle: elf_edit::Structure) -> Structure {
        Structure { document: self.document.clone_ref(py), handle }
    }

    /// The substructures with a tag, or all of them.
    fn substructures_with(&self, py: Python<'_>, tag: Option<&str>) -> PyResult<Vec<Structure>> {
        let found = self.read_with(py, |editor, handle| {
            let mut below = editor.substructures(handle)?;
            if let Some(tag) = tag {
                below.retain(|one| editor.tag(*one).is_ok_and(|found| found == tag));
            }
            Ok(below)
        })?;
        Ok(found.into_iter().map(|handle| self.other_structure(py, handle)).collect())
    }

    fn first(&self, py: Python<'_>, tag: &str) -> PyResult<Option<Structure>> {
        let found = self.read_with(py, |editor, handle| {
            let below = editor.substructures(handle)?;
            Ok(below.into_iter().find(|one| editor.tag(*one).is_ok_and(|found| found == tag)))
        })?;
        Ok(found.map(|handle| self.other_structure(py, handle)))
    }

    /// The tags from the record down to this structure.
    fn tags(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read_with(py, |editor, handle| Ok(editor.tags(handle)?.into_iter().map(str::to_owned).collect()))
    }
}

/// The value for an edit. No text means no payload.
fn edit_value(text: Option<String>) -> Value {
    text.filter(|text| !text.is_empty()).map_or(Value::None, Value::Text)
}

#[pymethods]
impl Structure {
    #[getter]
    fn document(&self, py: Python<'_>) -> Py<Document> {
        self.document.clone_ref(py)
    }

    #[getter]
    fn tag(&self, py: Python<'_>) -> PyResult<String> {
        self.read_with(py, |editor, handle| editor.tag(handle).map(str::to_owned))
    }

    #[setter]
    fn set_tag(&self, py: Python<'_>, tag: &str) -> PyResult<()> {
        self.edit_with(py, |editor, handle| editor.set_tag(handle, tag))
    }

    /// The identifier without at signs.
    #[getter]
    fn id(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.read_with(py, |editor, handle| Ok(editor.xref(handle)?.map(str::to_owned)))
    }

    /// The text of the payload. `None` if there is no payload, or a pointer.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.read_with(py, |editor, handle| {
            Ok(match editor.payload(handle)? {
                Payload::Text(text) => Some(text.into_owned()),
                Payload::None | Payload::Pointer(_) => None,
            })
        })
    }

    #[setter]
    fn set_text(&self, py: Python<'_>, text: Option<String>) -> PyResult<()> {
        self.edit_with(py, |editor, handle| editor.set(handle, edit_value(text)))
    }

    /// The identifier that the payload points to, without at signs.
    #[getter]
    fn pointer(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.read_with(py, |editor, handle| {
            Ok(match editor.payload(handle)? {
                Payload::Pointer(identifier) => Some(identifier.to_owned()),
                Payload::None | Payload::Text(_) => None,
            })
        })
    }

    #[setter]
    fn set_pointer(&self, py: Python<'_>, identifier: &str) -> PyResult<()> {
        self.edit_with(py, |editor, handle| point_to(editor, handle, without_at_signs(identifier)))
    }

    /// The structure that the payload points to. `None` if it is missing or ambiguous.
    #[getter]
    fn target(&self, py: Python<'_>) -> PyResult<Option<Structure>> {
        let found = self.read_with(py, |editor, handle| {
            let Payload::Pointer(identifier) = editor.payload(handle)? else { return Ok(None) };
            match editor.structures_with_xref(identifier)[..] {
                [one] => Ok(Some(one)),
                _ => Ok(None),
            }
        })?;
        Ok(found.map(|handle| self.other_structure(py, handle)))
    }

    /// The IRI of the type.
    #[getter]
    fn r#type(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let document = self.of_document();
        if !document.is_edited(py) {
            let node = self.read_with(py, |editor, handle| Ok(editor.node(handle)?.map(|node| node.id())))?;
            return Ok(node.and_then(|node| document.typed().typing().iri_of(node).map(str::to_owned)));
        }
        let tags = self.tags(py)?;
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        Ok(document.with_types(py, |types| types.iri_of(&tags).map(str::to_owned)))
    }

    /// The date in the payload. `None` if the type of the structure is not a date.
    #[getter]
    fn date(&self, py: Python<'_>) -> PyResult<Option<HistoricalDate>> {
        let Some(text) = self.text(py)? else { return Ok(None) };
        let tags = self.tags(py)?;
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        let document = self.of_document();
        let is_date = document.with_types(py, |types| is_of_dates(types.datatype_of(&tags)));
        let rules = document.typed().document().rules().schema.dates;
        let value = DateValue::parse_lenient(&text, rules).filter(|_| is_date).map(DateValue::into_owned);
        Ok(value.map(|value| HistoricalDate::new(text, value)))
    }

    /// The language tag of the payload.
    #[getter]
    fn language(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.read_with(py, |editor, handle| {
            let node = editor.node(handle)?;
            Ok(node.map(|node| node.language().to_owned()).filter(|language| language != "und"))
        })
    }

    /// The number of the line in the file. `None` if an edit added the structure.
    #[getter]
    fn line(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.read_with(py, |editor, handle| {
            let node = editor.node(handle)?;
            Ok(node.map(|node| node.document().locator().place(node.line_span()).line))
        })
    }

    /// The path, such as `@I1@/BIRT/DATE`.
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<String> {
        self.read_with(py, |editor, handle| {
            editor.tag(handle)?;
            Ok(editor.path_of(handle))
        })
    }

    #[getter]
    fn level(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.read_with(py, |editor, handle| Ok(editor.tags(handle)?.len()))?.saturating_sub(1))
    }

    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Structure>> {
        let above = self.read_with(py, |editor, handle| editor.superstructure(handle))?;
        Ok(above.map(|handle| self.other_structure(py, handle)))
    }

    #[getter]
    fn substructures(&self, py: Python<'_>) -> PyResult<Vec<Structure>> {
        self.substructures_with(py, None)
    }

    /// The substructures with a tag.
    fn all(&self, py: Python<'_>, tag: &str) -> PyResult<Vec<Structure>> {
        self.substructures_with(py, Some(tag))
    }

    /// The substructures with a type or a subtype of it.
    fn of_type(&self, py: Python<'_>, iri: &str) -> PyResult<Vec<Structure>> {
        let document = self.of_document();
        let snapshot = document.snapshot(py)?;
        let iri = snapshot.typed.schema().prefixes().expand(iri).into_owned();
        let found = self.read_with(py, |editor, handle| {
            let of_type = snapshot.typed.of_type(&iri).filter_map(|node| snapshot.handle(editor, node));
            let of_type: std::collections::HashSet<_> = of_type.collect();
            Ok(editor
                .substructures(handle)?
                .into_iter()
                .filter(|one| of_type.contains(one))
                .collect::<Vec<_>>())
        })?;
        Ok(found.into_iter().map(|handle| self.other_structure(py, handle)).collect())
    }

    /// The first substructure with a tag.
    fn __getitem__(&self, py: Python<'_>, tag: &str) -> PyResult<Structure> {
        if let Some(found) = self.first(py, tag)? {
            return Ok(found);
        }
        let (file, path, line) = (self.of_document().file(), self.path(py)?, self.line(py)?);
        let message = format!("no structure `{tag}` under `{path}`");
        let place = ErrorPlace { file: file.as_deref(), line, path: Some(&path) };
        Err(make_error(py, ErrorClass::StructureNotFound, &message, place))
    }

    /// The first substructure with a tag, or `default`.
    #[pyo3(signature = (tag, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        tag: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.first(py, tag)? {
            Some(found) => Ok(Some(Bound::new(py, found)?.into_any())),
            None => Ok(default),
        }
    }

    fn __contains__(&self, py: Python<'_>, tag: &str) -> PyResult<bool> {
        Ok(self.first(py, tag)?.is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyList::new(py, self.substructures_with(py, None)?)?.call_method0("__iter__")
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.read_with(py, |editor, handle| Ok(editor.substructures(handle)?.len()))
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// Adds a substructure. With `position`, it becomes the N-th one with its tag, from 1.
    #[pyo3(signature = (tag, text=None, *, pointer=None, position=None))]
    fn add(
        &self,
        py: Python<'_>,
        tag: &str,
        text: Option<String>,
        pointer: Option<&str>,
        position: Option<u32>,
    ) -> PyResult<Structure> {
        let handle = self.edit_with(py, |editor, handle| {
            let added = editor.insert(Some(handle), None, tag, edit_value(text), position)?;
            if let Some(identifier) = pointer
                && let Err(failure) = point_to(editor, added, without_at_signs(identifier))
            {
                editor.remove(added)?;
                return Err(failure);
            }
            Ok(added)
        })?;
        Ok(self.other_structure(py, handle))
    }

    /// Removes the structure with everything under it.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        self.edit_with(py, |editor, handle| editor.remove(handle))
    }

    /// Moves the structure under another one.
    fn move_to(&self, py: Python<'_>, parent: &Bound<'_, Structure>) -> PyResult<()> {
        let above = parent.get().handle;
        self.edit_with(py, |editor, handle| editor.move_to(handle, Some(above), None))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Structure>();
        other.is_ok_and(|other| {
            let other = other.get();
            self.handle == other.handle && self.document.is(&other.document)
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.handle.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.path(py) {
            Ok(path) => format!("<Structure {path}>"),
            Err(_) => "<Structure that was removed>".to_owned(),
        }
    }
}

/// Sets the payload to a pointer. The record must exist.
fn point_to(
    editor: &mut Editor<'_>,
    structure: elf_edit::Structure,
    identifier: &str,
) -> Result<(), EditError> {
    let is_void = editor.document().header().is_void(identifier);
    if !is_void && editor.structures_with_xref(identifier).is_empty() {
        return Err(EditError::XrefUnknown { xref: identifier.to_owned() });
    }
    editor.set(structure, Value::Pointer(identifier.to_owned()))
}
