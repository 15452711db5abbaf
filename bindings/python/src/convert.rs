//! The function `convert`, which does the same as `elf convert`.

use crate::errors::{ErrorClass, ErrorPlace, elf_error, make_error, wrong_argument};
use crate::files::save;
use crate::findings::Finding;
use crate::source::{Reading, Source, named_encoding, named_rules};
use crate::threads::on_pool;
use elf_base::Diagnostic;
use elf_convert::{Convert, ConvertError, LineBreak, WriteOptions};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::Arc;

/// A converted file, with the findings about what was lost.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct ConvertedFile {
    bytes: Vec<u8>,
    /// The findings of the conversion: losses, and identifiers that were renamed.
    #[pyo3(get)]
    findings: Vec<Py<Finding>>,
    #[pyo3(get)]
    losses: u64,
    /// False if the rules stopped reading early, so that the rest of the file is missing.
    #[pyo3(get)]
    is_complete: bool,
}

#[pymethods]
impl ConvertedFile {
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// Writes the file completely, or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, &path, &self.bytes)
    }

    fn __repr__(&self) -> String {
        format!("<ConvertedFile with {} losses>", self.losses)
    }
}

fn line_break_of(name: &str) -> PyResult<LineBreak> {
    match name {
        "lf" => Ok(LineBreak::Lf),
        "cr" => Ok(LineBreak::Cr),
        "crlf" => Ok(LineBreak::CrLf),
        _ => Err(wrong_argument(format!("unknown line break `{name}`: expected `lf`, `cr` or `crlf`"))),
    }
}

/// A converted file, before it becomes a Python object.
struct Output {
    bytes: Vec<u8>,
    losses: u64,
    is_complete: bool,
    findings: Vec<Diagnostic>,
}

/// Converts a file to another encoding, standard or draft, as `elf convert` does.
#[pyfunction]
#[pyo3(signature = (
    source, *, to_rules=None, encoding="UTF-8", line_break=None, bom=false, width=None, partial=false, rules=None,
    from_encoding=None, schema=None
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn convert(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    to_rules: Option<&str>,
    encoding: &str,
    line_break: Option<&str>,
    bom: bool,
    width: Option<u32>,
    partial: bool,
    rules: Option<&str>,
    from_encoding: Option<&str>,
    schema: Option<&str>,
) -> PyResult<ConvertedFile> {
    let source = Source::of(source)?;
    let reading = Reading::of_source(&source, rules, from_encoding, schema)?;
    let writing = WriteOptions::new()
        .with_encoding(named_encoding(encoding)?)
        .with_mark(bom.then_some(true))
        .with_width(width)
        .with_partial(partial);
    let mut convert = Convert::new(reading.rules).with_reading(reading.options()).with_writing(writing);
    if let Some(name) = to_rules {
        convert = convert.to(named_rules(name)?);
    }
    if let Some(name) = line_break {
        convert = convert.with_line_break(line_break_of(name)?);
    }
    let bytes = source.bytes.as_ref();
    let done = py.detach(|| {
        on_pool(|| {
            let mut findings: Vec<Diagnostic> = Vec::new();
            let (bytes, converted) = convert.convert(bytes, &mut findings)?;
            let (losses, is_complete) = (converted.written.losses, converted.is_complete());
            Ok(Output { bytes, losses, is_complete, findings })
        })
    });
    let name = source.name();
    let Output { bytes, losses, is_complete, findings } =
        done.map_err(|failure| convert_error(py, name.as_deref(), &failure))?;
    let file: Option<Arc<str>> = name.as_deref().map(Into::into);
    let findings = findings.into_iter().map(|diagnostic| {
        Py::new(py, Finding { diagnostic, file: file.clone(), record: None, path: None, fix: None })
    });
    Ok(ConvertedFile { bytes, findings: findings.collect::<PyResult<Vec<_>>>()?, losses, is_complete })
}

fn convert_error(py: Python<'_>, file: Option<&str>, failure: &ConvertError) -> PyErr {
    match failure {
        ConvertError::Ended { finding, .. } => {
            let line = finding.as_ref().and_then(|finding| finding.place).map(|place| place.line);
            let message =
                format!("{failure}; `partial` writes the part that was read, and the rules `wild` continue");
            make_error(py, ErrorClass::Incomplete, &message, ErrorPlace { file, line, path: None })
        }
        _ => elf_error(py, file, failure),
    }
}
