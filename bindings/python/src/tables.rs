//! Tables of files, passed to Arrow consumers without copying (Arrow PyCapsule interface).

use crate::errors::{elf_error, os_error, wrong_argument};
use crate::people::living_rule;
use crate::source::{Content, Reading, Source, bytes_of, name_of};
use crate::threads::on_pool;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::SchemaRef;
use arrow_schema::ffi::FFI_ArrowSchema;
use elf_lineage::LivingRule;
use elf_tables::arrow::{ArrowBuilder, ArrowFailure};
use elf_tables::{Rows, Survey, Table, TableReader};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList, PyString};
use rayon::prelude::*;

/// A table in memory. Arrow consumers such as pyarrow, polars and duckdb use it without a copy.
#[pyclass(frozen, module = "elf_gedcom", name = "Table")]
pub(crate) struct ArrowTable {
    name: &'static str,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

/// The columns of a table, without rows.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct TableSchema {
    schema: SchemaRef,
}

/// A file that could not be read, or not completely.
#[pyclass(frozen, get_all, module = "elf_gedcom")]
pub(crate) struct FileError {
    file: Option<String>,
    message: String,
    /// True if the rules stopped reading early. The table contains the rows up to that point.
    is_partial: bool,
}

impl ArrowTable {
    /// Creates a table of the rows of a builder.
    pub(crate) fn of(table: Table, builder: ArrowBuilder) -> Result<ArrowTable, ArrowFailure> {
        let schema = SchemaRef::clone(builder.schema());
        Ok(ArrowTable { name: table.name(), schema, batches: builder.finish()? })
    }
}

#[pymethods]
impl FileError {
    fn __repr__(&self) -> String {
        format!("<FileError {}: {}>", self.file.as_deref().unwrap_or("bytes"), self.message)
    }
}

#[pymethods]
impl TableSchema {
    /// The schema as a capsule for consumers of Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        columns_of(&self.schema)
    }
}

fn schema_capsule<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let exported = FFI_ArrowSchema::try_from(schema.as_ref()).map_err(|error| elf_error(py, None, &error))?;
    PyCapsule::new_with_value(py, exported, c"arrow_schema")
}

fn columns_of(schema: &SchemaRef) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}

#[pymethods]
impl ArrowTable {
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        columns_of(&self.schema)
    }

    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    /// The schema as a capsule for consumers of Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    /// The batches as a capsule for consumers of Arrow. Nothing is copied.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the requested schema.
        drop(requested_schema);
        let batches: Vec<Result<RecordBatch, _>> = self.batches.iter().cloned().map(Ok).collect();
        let reader = RecordBatchIterator::new(batches, SchemaRef::clone(&self.schema));
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("<Table {} with {} rows>", self.name, self.num_rows())
    }
}

pub(crate) fn named_table(name: &str) -> PyResult<Table> {
    Table::ALL.into_iter().find(|table| table.name() == name).ok_or_else(|| {
        let names = Table::ALL.map(Table::name).join("`, `");
        wrong_argument(format!("unknown table `{name}`: expected one of `{names}`"))
    })
}

/// The requested columns, or all.
pub(crate) fn selected_columns(table: Table, columns: Option<Vec<String>>) -> Vec<String> {
    columns.unwrap_or_else(|| table.columns().iter().map(|column| column.name.to_owned()).collect())
}

/// The schema of a table.
#[pyfunction]
#[pyo3(signature = (name, *, columns=None))]
pub(crate) fn table_schema(name: &str, columns: Option<Vec<String>>) -> PyResult<TableSchema> {
    let table = named_table(name)?;
    let builder = ArrowBuilder::new(table, &selected_columns(table, columns))
        .map_err(|failure| wrong_argument(failure.to_string()))?;
    Ok(TableSchema { schema: SchemaRef::clone(builder.schema()) })
}

/// A file to read.
struct Input {
    place: Place,
    reading: Reading,
}

enum Place {
    Path(std::path::PathBuf),
    Memory(Content, Option<String>),
}

impl Input {
    fn of(argument: &Bound<'_, PyAny>, reading: &Reading) -> PyResult<Input> {
        if is_path(argument)? {
            return Ok(Input { place: Place::Path(argument.extract()?), reading: reading.clone() });
        }
        let source = Source::of(argument)?;
        let reading = source.reading.clone().unwrap_or_else(|| reading.clone());
        let name = source.name();
        Ok(Input { place: Place::Memory(source.bytes, name), reading })
    }

    /// The size in bytes, to divide the work evenly between threads.
    fn size(&self) -> u64 {
        match &self.place {
            Place::Path(path) => std::fs::metadata(path).map_or(0, |found| found.len()),
            Place::Memory(bytes, _) => bytes.as_ref().len() as u64,
        }
    }
}

/// Why a file could not be read completely.
enum InputError {
    Io(std::path::PathBuf, std::io::Error),
    Elf(Option<String>, String),
    Partial(Option<String>),
}

/// The rows of some files.
struct RowsOfFiles {
    batches: Vec<RecordBatch>,
    errors: Vec<InputError>,
}

/// How rows are made of files.
struct TableJob<'j> {
    table: Table,
    columns: &'j [String],
    living: LivingRule,
}

/// Files of about this many bytes together become one batch.
const SHARE: u64 = 4 << 20;

impl TableJob<'_> {
    /// Makes the rows of some files. Without `keeps_going`, stops after the first file that cannot be read.
    fn read_rows(&self, inputs: &[Input], keeps_going: bool) -> Result<RowsOfFiles, ArrowFailure> {
        let mut builder = ArrowBuilder::new(self.table, self.columns)?;
        let mut errors = Vec::new();
        for input in inputs {
            match self.add_rows(input, &mut builder)? {
                None => {}
                Some(error @ InputError::Partial(_)) => errors.push(error),
                Some(error) => {
                    errors.push(error);
                    if !keeps_going {
                        break;
                    }
                }
            }
        }
        Ok(RowsOfFiles { batches: builder.finish()?, errors })
    }

    fn add_rows(
        &self,
        input: &Input,
        builder: &mut ArrowBuilder,
    ) -> Result<Option<InputError>, ArrowFailure> {
        let (read, name);
        let bytes = match &input.place {
            Place::Path(path) => {
                name = Some(name_of(path));
                read = match std::fs::read(path) {
                    Ok(read) => read,
                    Err(error) => return Ok(Some(InputError::Io(path.clone(), error))),
                };
                &read[..]
            }
            Place::Memory(bytes, of_memory) => {
                name = of_memory.clone();
                bytes.as_ref()
            }
        };
        let Reading { rules, .. } = input.reading;
        let typed =
            match elf_schema::read(bytes, rules, &input.reading.options().with_vendor_tags(true), &mut ()) {
                Ok(typed) => typed,
                Err(error) => return Ok(Some(InputError::Elf(name, error.to_string()))),
            };
        let reader = TableReader::new(self.table, typed.schema()).with_living(self.living);
        let mut survey = Survey::of(self.table);
        if TableReader::needs_survey(self.table) {
            survey.take(reader.survey(&typed));
        }
        let mut rows = Rows::of(self.table.columns().len());
        reader.rows(&typed, &survey.finish(), name.as_deref().unwrap_or_default(), &mut rows);
        builder.rows(&rows)?;
        Ok((!typed.document().is_complete()).then_some(InputError::Partial(name)))
    }

    /// Makes the rows of all files on all threads. The rows are in the order of the files.
    fn read_all(&self, inputs: &[Input], keeps_going: bool) -> Result<RowsOfFiles, ArrowFailure> {
        let shares: Vec<Result<RowsOfFiles, ArrowFailure>> =
            divide_files(inputs).into_par_iter().map(|share| self.read_rows(share, keeps_going)).collect();
        let mut all = RowsOfFiles { batches: Vec::new(), errors: Vec::new() };
        for share in shares {
            let RowsOfFiles { batches, errors } = share?;
            all.batches.extend(batches);
            all.errors.extend(errors);
        }
        Ok(all)
    }
}

/// Divides the list of files into parts of about the same size.
fn divide_files(inputs: &[Input]) -> Vec<&[Input]> {
    let mut shares = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (index, input) in inputs.iter().enumerate() {
        size += input.size();
        if size >= SHARE {
            shares.extend(inputs.get(start..=index));
            (start, size) = (index + 1, 0);
        }
    }
    shares.extend(inputs.get(start..).filter(|rest| !rest.is_empty()));
    shares
}

fn is_path(argument: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(argument.is_instance_of::<PyString>() || argument.hasattr("__fspath__")?)
}

/// The files in an argument, which is one file or several.
fn inputs_of(argument: &Bound<'_, PyAny>, reading: &Reading) -> PyResult<Vec<Input>> {
    let is_one = is_path(argument)?
        || argument.is_instance_of::<crate::document::Document>()
        || bytes_of(argument)?.is_some();
    if is_one {
        return Ok(vec![Input::of(argument, reading)?]);
    }
    argument.try_iter()?.map(|one| Input::of(&one?, reading)).collect()
}

/// Makes a table of files, as `elf table` does.
#[pyfunction]
#[pyo3(signature = (
    name, files, *, columns=None, errors=None, rules=None, encoding=None, schema=None, within=110, today=None,
    bare_death=false
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn read_table(
    py: Python<'_>,
    name: &str,
    files: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    errors: Option<&Bound<'_, PyList>>,
    rules: Option<&str>,
    encoding: Option<&str>,
    schema: Option<&str>,
    within: u32,
    today: Option<Bound<'_, PyAny>>,
    bare_death: bool,
) -> PyResult<ArrowTable> {
    let table = named_table(name)?;
    let columns = selected_columns(table, columns);
    let schema_of_table = table_schema(name, Some(columns.clone()))?.schema;
    let reading = Reading::new(rules, encoding, schema)?;
    let inputs = inputs_of(files, &reading)?;
    let living = living_rule(py, within, today.as_ref(), bare_death)?;
    let job = TableJob { table, columns: &columns, living };
    let keeps_going = errors.is_some();
    let done = py.detach(|| on_pool(|| job.read_all(&inputs, keeps_going)));
    let done = done.map_err(|failure| elf_error(py, None, &failure))?;
    for failure in done.errors {
        match (failure, errors) {
            (failure, Some(errors)) => errors.append(Py::new(py, FileError::of(failure))?)?,
            (InputError::Io(path, failure), None) => return Err(os_error(&failure, &path)),
            (InputError::Elf(file, message), None) => return Err(elf_error(py, file.as_deref(), &message)),
            // The table contains the rows that could be read.
            (InputError::Partial(_), None) => {}
        }
    }
    Ok(ArrowTable { name: table.name(), schema: schema_of_table, batches: done.batches })
}

impl FileError {
    fn of(failure: InputError) -> FileError {
        match failure {
            InputError::Io(path, error) => {
                FileError { file: Some(name_of(&path)), message: error.to_string(), is_partial: false }
            }
            InputError::Elf(file, message) => FileError { file, message, is_partial: false },
            InputError::Partial(file) => FileError {
                file,
                message:
                    "reading stopped early under these rules; the table contains only the part that was read"
                        .to_owned(),
                is_partial: true,
            },
        }
    }
}
