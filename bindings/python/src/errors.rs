//! Converts errors to Python exceptions. Their classes are in `_errors.py`.

use elf_edit::EditError;
use elf_extract::PlanError;
use elf_lineage::PersonError;
use elf_merge::MergeError;
use elf_tagged::path::FindError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use std::io;
use std::path::Path;

/// The classes of exceptions that this module raises.
#[derive(Clone, Copy)]
pub(crate) enum ErrorClass {
    Elf,
    Edit,
    Config,
    Incomplete,
    StructureNotFound,
    PersonNotFound,
    Plan,
}

impl ErrorClass {
    const fn name(self) -> &'static str {
        match self {
            ErrorClass::Elf => "ElfError",
            ErrorClass::Edit => "EditError",
            ErrorClass::Config => "ConfigError",
            ErrorClass::Incomplete => "IncompleteError",
            ErrorClass::StructureNotFound => "StructureNotFoundError",
            ErrorClass::PersonNotFound => "PersonNotFoundError",
            ErrorClass::Plan => "PlanError",
        }
    }
}

/// The place in the message of an exception.
#[derive(Clone, Copy, Default)]
pub(crate) struct ErrorPlace<'a> {
    pub(crate) file: Option<&'a str>,
    pub(crate) line: Option<u64>,
    pub(crate) path: Option<&'a str>,
}

pub(crate) fn make_error(py: Python<'_>, class: ErrorClass, message: &str, place: ErrorPlace<'_>) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("elf_gedcom._errors")?.getattr(class.name())?;
        let places = PyDict::new(py);
        places.set_item("file", place.file)?;
        places.set_item("line", place.line)?;
        places.set_item("path", place.path)?;
        Ok(PyErr::from_value(class.call((message,), Some(&places))?))
    };
    made().unwrap_or_else(|failure| failure)
}

/// The exception for an invalid argument.
pub(crate) fn wrong_argument(message: impl Into<String>) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(message.into())
}

/// The exception for a file that cannot be read or written, such as `FileNotFoundError`.
pub(crate) fn os_error(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let reason = error.to_string();
            let reason = reason.split(" (os error").next().unwrap_or_default().to_owned();
            pyo3::exceptions::PyOSError::new_err((number, reason, path.as_os_str().to_owned()))
        }
        None => pyo3::exceptions::PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

/// The exception for a path that matches no structure, or several.
pub(crate) fn find_error(py: Python<'_>, file: Option<&str>, failure: &FindError) -> PyErr {
    let message = failure.to_string();
    match failure {
        FindError::NotFound { path, .. } => {
            let place = ErrorPlace { file, path: Some(path), line: None };
            make_error(py, ErrorClass::StructureNotFound, &message, place)
        }
        FindError::Several { path, .. } => {
            let place = ErrorPlace { file, path: Some(path), line: None };
            make_error(py, ErrorClass::Edit, &message, place)
        }
        _ => make_error(py, ErrorClass::Elf, &message, ErrorPlace { file, ..ErrorPlace::default() }),
    }
}

/// The exception for an edit that cannot be applied.
pub(crate) fn edit_error(py: Python<'_>, file: Option<&str>, failure: &EditError) -> PyErr {
    let line = match failure {
        EditError::Path(failure) => return find_error(py, file, failure),
        EditError::ReadOtherwise { line }
        | EditError::Undecodable { line }
        | EditError::SharedLine { line } => Some(*line),
        _ => None,
    };
    let class = match failure {
        EditError::Incomplete => ErrorClass::Incomplete,
        EditError::XrefUnknown { .. } => ErrorClass::StructureNotFound,
        _ => ErrorClass::Edit,
    };
    make_error(py, class, &failure.to_string(), ErrorPlace { file, line, path: None })
}

/// The exception for an `extract` or `redact` that cannot be carried out.
pub(crate) fn plan_error(py: Python<'_>, file: Option<&str>, failure: &PlanError) -> PyErr {
    let (class, line) = match failure {
        PlanError::NoPerson(_) => (ErrorClass::PersonNotFound, None),
        PlanError::UnclearHeader { line } => (ErrorClass::Edit, Some(*line)),
        _ => (ErrorClass::Elf, None),
    };
    make_error(py, class, &failure.to_string(), ErrorPlace { file, line, path: None })
}

/// The exception for an identifier that matches no person, or several.
pub(crate) fn person_error(py: Python<'_>, file: Option<&str>, failure: &PersonError) -> PyErr {
    let place = ErrorPlace { file, ..ErrorPlace::default() };
    make_error(py, ErrorClass::PersonNotFound, &failure.to_string(), place)
}

/// The exception for two files that cannot be merged.
pub(crate) fn merge_error(py: Python<'_>, failure: &MergeError) -> PyErr {
    match failure {
        MergeError::Edit(failure) => edit_error(py, None, failure),
        MergeError::Incomplete => {
            make_error(py, ErrorClass::Incomplete, &failure.to_string(), ErrorPlace::default())
        }
        _ => make_error(py, ErrorClass::Edit, &failure.to_string(), ErrorPlace::default()),
    }
}

/// The exception for other errors about a file, such as one that is too large.
pub(crate) fn elf_error(py: Python<'_>, file: Option<&str>, failure: &dyn std::fmt::Display) -> PyErr {
    make_error(py, ErrorClass::Elf, &failure.to_string(), ErrorPlace { file, ..ErrorPlace::default() })
}

/// The class `datetime.date`.
pub(crate) fn date_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "datetime", "date").cloned()
}
