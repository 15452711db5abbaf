//! Findings as Python objects with the members of the JSON.

use elf_base::{Diagnostic, FlatFinding, FlatRelated};
use elf_check::{FindingCounts, flat_fix};
use elf_tagged::elf_octets::Patch;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde::Serialize;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A problem, or a possible problem, of a file.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct Finding {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) file: Option<Arc<str>>,
    pub(crate) record: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) fix: Option<Box<[Patch]>>,
}

/// Another place that is relevant to a finding.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct RelatedPlace {
    message: String,
    line: u64,
    column: u64,
    end_column: u64,
    octet: u64,
}

/// The lines that `fix` changes for a finding. Empty if the fix of another finding fixes this one too.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct Fix {
    safety: &'static str,
    lines: Vec<Py<FixedLines>>,
}

/// Consecutive lines that a fix changes.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct FixedLines {
    line: u64,
    remove: u64,
    insert: Vec<String>,
}

impl Finding {
    fn to_json(&self) -> String {
        serde_json::to_string(&self.flat()).unwrap_or_default()
    }

    fn flat(&self) -> FlatFinding<'_> {
        let flat = FlatFinding::new(&self.diagnostic)
            .in_record(self.record.as_deref(), self.path.as_deref())
            .with_fix(self.fix.as_deref().map(flat_fix));
        match &self.file {
            Some(file) => flat.in_file(file),
            None => flat,
        }
    }
}

#[pymethods]
impl Finding {
    #[getter]
    fn code(&self) -> &'static str {
        self.flat().code
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.flat().name
    }

    #[getter]
    fn class_(&self) -> &'static str {
        self.flat().class
    }

    #[getter]
    fn message(&self) -> &str {
        &self.diagnostic.message
    }

    #[getter]
    fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    #[getter]
    fn line(&self) -> Option<u64> {
        self.flat().line
    }

    #[getter]
    fn column(&self) -> Option<u64> {
        self.flat().column
    }

    #[getter]
    fn end_column(&self) -> Option<u64> {
        self.flat().end_column
    }

    #[getter]
    fn octet(&self) -> Option<u64> {
        self.flat().octet
    }

    #[getter]
    fn record(&self) -> Option<&str> {
        self.record.as_deref()
    }

    #[getter]
    fn path(&self) -> Option<String> {
        self.flat().path.map(str::to_owned)
    }

    #[getter]
    fn clause(&self) -> Option<&'static str> {
        self.flat().clause
    }

    #[getter]
    fn help(&self) -> Option<String> {
        self.flat().help.map(str::to_owned)
    }

    #[getter]
    fn count(&self) -> Option<u64> {
        self.flat().count.map(u64::from)
    }

    #[getter]
    fn related(&self) -> Vec<RelatedPlace> {
        let place = |related: FlatRelated<'_>| {
            let FlatRelated { message, line, column, end_column, octet } = related;
            RelatedPlace { message: message.to_owned(), line, column, end_column, octet }
        };
        self.flat().related.into_iter().map(place).collect()
    }

    #[getter]
    fn fix(&self, py: Python<'_>) -> PyResult<Option<Fix>> {
        let Some(fix) = self.flat().fix else { return Ok(None) };
        let lines = fix.lines.into_iter().map(|lines| {
            let insert = lines.insert.into_iter().map(str::to_owned).collect();
            Py::new(py, FixedLines { line: lines.line, remove: lines.remove, insert })
        });
        Ok(Some(Fix { safety: fix.safety, lines: lines.collect::<PyResult<Vec<_>>>()? }))
    }

    /// The finding as a dictionary with the members of `elf check --format json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_of_json(py, &self.flat())
    }

    /// Two findings are equal if all their members are, whatever run found them.
    fn __eq__(&self, other: &Finding) -> bool {
        self.to_json() == other.to_json()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.to_json().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        let flat = self.flat();
        let place = flat.line.map_or_else(String::new, |line| format!("line {line}: "));
        format!("{place}{}[{}] {}", flat.class, flat.code, flat.message)
    }

    fn __repr__(&self) -> String {
        let flat = self.flat();
        let place = flat.line.map_or_else(String::new, |line| format!(" line {line}"));
        format!("<Finding {} {}{place}>", flat.code, flat.name)
    }
}

/// The numbers of findings in a file.
#[pyclass(frozen, module = "elf_gedcom")]
#[derive(Serialize)]
pub(crate) struct Summary {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(flatten)]
    pub(crate) counts: FindingCounts,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) config: Option<String>,
}

#[pymethods]
impl Summary {
    #[getter]
    fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    #[getter]
    fn lines(&self) -> u64 {
        self.counts.lines
    }

    #[getter]
    fn records(&self) -> u64 {
        self.counts.records
    }

    #[getter]
    fn vendor(&self) -> u64 {
        self.counts.vendor.values().sum()
    }

    #[getter]
    fn malformed(&self) -> u64 {
        self.counts.malformed
    }

    #[getter]
    fn non_conformant(&self) -> u64 {
        self.counts.non_conformant
    }

    #[getter]
    fn deprecated(&self) -> u64 {
        self.counts.deprecated
    }

    #[getter]
    fn advice(&self) -> u64 {
        self.counts.advice
    }

    #[getter]
    fn questions(&self) -> u64 {
        self.counts.questions
    }

    #[getter]
    fn ignored(&self) -> u64 {
        self.counts.ignored
    }

    #[getter]
    fn repairable(&self) -> u64 {
        self.counts.repairable
    }

    #[getter]
    fn complete(&self) -> bool {
        self.counts.complete
    }

    #[getter]
    fn config(&self) -> Option<&str> {
        self.config.as_deref()
    }

    /// The counts as a dictionary with the members of `elf check --format json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_of_json(py, self)
    }

    fn __repr__(&self) -> String {
        let FindingCounts { lines, records, malformed, non_conformant, .. } = &self.counts;
        format!(
            "<Summary {lines} lines, {records} records, {malformed} malformed, {non_conformant} non-conformant>"
        )
    }
}

/// The findings of a file, in the order of the file.
#[pyclass(frozen, sequence, module = "elf_gedcom")]
pub(crate) struct Report {
    pub(crate) findings: Vec<Py<Finding>>,
    pub(crate) summary: Py<Summary>,
    pub(crate) fails: bool,
}

#[pymethods]
impl Report {
    #[getter]
    fn summary(&self, py: Python<'_>) -> Py<Summary> {
        self.summary.clone_ref(py)
    }

    /// True if `elf check` would exit with status 1.
    #[getter]
    fn fails(&self) -> bool {
        self.fails
    }

    fn __len__(&self) -> usize {
        self.findings.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyList::new(py, &self.findings)?.call_method0("__iter__")
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<Finding>> {
        let index = if index < 0 {
            self.findings.len().checked_add_signed(index)
        } else {
            usize::try_from(index).ok()
        };
        let found = index.and_then(|index| self.findings.get(index));
        found.map(|one| one.clone_ref(py)).ok_or_else(|| PyIndexError::new_err("no such finding"))
    }

    fn __repr__(&self) -> String {
        format!("<Report of {} findings>", self.findings.len())
    }
}

/// Converts a value to Python objects through its JSON.
pub(crate) fn python_of_json<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value)
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
