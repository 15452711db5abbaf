//! The arguments that name a file (a path, bytes or a document) and how to read it.

use crate::document::Document;
use crate::errors::{elf_error, os_error, wrong_argument};
use elf_base::Rules;
use elf_schema::{Encoding, Options, ReadOptions, Schema, TypedDocument};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};
use std::path::PathBuf;
use std::sync::Arc;

/// The content of a file, and its name.
pub(crate) struct Source {
    pub(crate) bytes: Content,
    pub(crate) path: Option<PathBuf>,
    /// How the file was read, if it is a document.
    pub(crate) reading: Option<Reading>,
}

/// Bytes that Python owns, or that were read from a file.
pub(crate) enum Content {
    Python(PyBackedBytes),
    Owned(Vec<u8>),
}

impl AsRef<[u8]> for Content {
    fn as_ref(&self) -> &[u8] {
        match self {
            Content::Python(bytes) => bytes,
            Content::Owned(bytes) => bytes,
        }
    }
}

/// How to read a file.
#[derive(Clone)]
pub(crate) struct Reading {
    pub(crate) rules: &'static Rules,
    pub(crate) encoding: Option<Encoding>,
    pub(crate) schema: Option<Arc<Schema>>,
}

impl Reading {
    /// Parses the arguments of a function.
    pub(crate) fn new(
        rules: Option<&str>,
        encoding: Option<&str>,
        schema: Option<&str>,
    ) -> PyResult<Reading> {
        let rules = rules.map(named_rules).transpose()?.unwrap_or(&Rules::WILD);
        let encoding = encoding.map(named_encoding).transpose()?;
        let schema = schema.map(named_schema).transpose()?;
        Ok(Reading { rules, encoding, schema })
    }

    /// Parses the arguments of a function. For a document, missing arguments are those by which it was read.
    pub(crate) fn of_source(
        source: &Source,
        rules: Option<&str>,
        encoding: Option<&str>,
        schema: Option<&str>,
    ) -> PyResult<Reading> {
        let named = Reading::new(rules, encoding, schema)?;
        let Some(of_document) = &source.reading else { return Ok(named) };
        Ok(Reading {
            rules: if rules.is_some() { named.rules } else { of_document.rules },
            encoding: named.encoding.or(of_document.encoding),
            schema: named.schema.or_else(|| of_document.schema.clone()),
        })
    }

    pub(crate) fn options(&self) -> ReadOptions<'static> {
        ReadOptions::default()
            .with_octets(Options::default().with_forced(self.encoding))
            .with_schema(self.schema.clone())
    }

    /// Reads a file into memory and drops its findings.
    pub(crate) fn read(&self, bytes: &[u8]) -> Result<TypedDocument<'static>, elf_tagged::TooLarge> {
        let options = self.options().with_vendor_tags(true);
        Ok(elf_schema::read(bytes, self.rules, &options, &mut ())?.into_owned())
    }
}

pub(crate) fn named_rules(name: &str) -> PyResult<&'static Rules> {
    Rules::from_name(name).ok_or_else(|| {
        let names = Rules::PRESETS.map(|rules| rules.name).join("`, `");
        wrong_argument(format!("unknown rules `{name}`: expected one of `{names}`"))
    })
}

pub(crate) fn named_encoding(name: &str) -> PyResult<Encoding> {
    Encoding::from_name(name).ok_or_else(|| wrong_argument(format!("unknown encoding `{name}`")))
}

fn named_schema(name: &str) -> PyResult<Arc<Schema>> {
    match name {
        "completed" => Ok(Arc::clone(Schema::completed())),
        "published" => Ok(Arc::clone(Schema::published())),
        "gedcom-7" => Ok(Arc::clone(Schema::gedcom_7())),
        _ => Err(wrong_argument(format!(
            "unknown schema `{name}`: expected one of `completed`, `published`, `gedcom-7`"
        ))),
    }
}

impl Source {
    /// Reads the argument of a function: the file at a path, or the current bytes of a document.
    pub(crate) fn of(argument: &Bound<'_, PyAny>) -> PyResult<Source> {
        let py = argument.py();
        if let Ok(document) = argument.cast::<Document>() {
            let document = document.get();
            let bytes = Content::Owned(document.bytes(py)?);
            let (path, reading) = (document.path.clone(), Some(document.reading.clone()));
            return Ok(Source { bytes, path, reading });
        }
        if let Some(bytes) = bytes_of(argument)? {
            return Ok(Source { bytes: Content::Python(bytes), path: None, reading: None });
        }
        let path: PathBuf = argument.extract().map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err("expected a path, bytes or a Document as a file")
        })?;
        let bytes = py.detach(|| std::fs::read(&path)).map_err(|error| os_error(&error, &path))?;
        Ok(Source { bytes: Content::Owned(bytes), path: Some(path), reading: None })
    }

    /// The name of the file for findings and tables.
    pub(crate) fn name(&self) -> Option<String> {
        self.path.as_deref().map(name_of)
    }

    /// Reads the file by `reading`, or as the document was read.
    pub(crate) fn typed(&self, py: Python<'_>, reading: &Reading) -> PyResult<TypedDocument<'static>> {
        let bytes = self.bytes.as_ref();
        let typed = py.detach(|| reading.read(bytes));
        typed.map_err(|error| elf_error(py, self.name().as_deref(), &error))
    }
}

/// The bytes of an argument. `None` if it is not bytes. Bytes that Python may change are copied.
pub(crate) fn bytes_of(argument: &Bound<'_, PyAny>) -> PyResult<Option<PyBackedBytes>> {
    if let Ok(bytes) = argument.cast::<PyBytes>() {
        return Ok(Some(PyBackedBytes::from(bytes.clone())));
    }
    let is_buffer = argument.is_instance_of::<PyByteArray>() || argument.is_instance_of::<PyMemoryView>();
    if !is_buffer {
        return Ok(None);
    }
    let copy = argument.py().get_type::<PyBytes>().call1((argument,))?;
    Ok(Some(PyBackedBytes::from(copy.cast_into::<PyBytes>()?)))
}

/// The name of a file: its path as given. A byte that is not UTF-8 becomes `\xE9`.
pub(crate) fn name_of(path: &std::path::Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        name.extend(chunk.invalid().iter().map(|octet| format!("\\x{octet:02X}")));
    }
    name
}
