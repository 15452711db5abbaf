//! Tables of one large file, made split by split: in several processes, or on several computers.

use crate::errors::{ErrorClass, ErrorPlace, elf_error, make_error, os_error, wrong_argument};
use crate::people::living_rule;
use crate::source::{Reading, name_of};
use crate::tables::{ArrowTable, named_table, selected_columns};
use crate::threads::on_pool;
use elf_check::runs::{CACHED_RUN_SIZE, RunReader};
use elf_lineage::LivingRule;
use elf_schema::{ReadOptions, Resolver, TypedDocument};
use elf_tables::arrow::{ArrowBuilder, ArrowFailure};
use elf_tables::parts::{DocumentPart, PartList, PartReadError, RunSummary};
use elf_tables::{Rows, RunSurvey, Survey, Surveyed, Table, TableReader};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How to make a table of a large file in several splits. Plans can be pickled.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct TablePlan(PlanContent<Py<TableSplit>>);

/// A plan with its splits, or with references to them.
#[derive(Serialize, Deserialize)]
struct PlanContent<S> {
    is_complete: bool,
    splits: Vec<S>,
}

/// A split of a table: some consecutive rows. Splits can be pickled.
#[pyclass(frozen, module = "elf_gedcom")]
#[derive(Serialize, Deserialize)]
pub(crate) struct TableSplit {
    table: String,
    path: PathBuf,
    reading: ReadingNames,
    part: DocumentPart,
    survey: Vec<u8>,
}

/// The arguments that say how to read the file.
#[derive(Clone, Serialize, Deserialize)]
struct ReadingNames {
    rules: Option<String>,
    encoding: Option<String>,
    schema: Option<String>,
}

impl ReadingNames {
    fn reading(&self) -> PyResult<Reading> {
        Reading::new(self.rules.as_deref(), self.encoding.as_deref(), self.schema.as_deref())
    }
}

/// Returns a reader that reads the same runs for a plan and for its splits.
fn run_reader<R: io::Read>(input: R, reading: &Reading, options: &ReadOptions<'_>) -> elf_tagged::Reader<R> {
    let reader = elf_tagged::Reader::new(input, reading.rules, &options.octets);
    reader.with_run_size(CACHED_RUN_SIZE).without_lookup()
}

fn read_options(reading: &Reading) -> ReadOptions<'static> {
    reading.options().with_vendor_tags(true).with_check_tags(false)
}

/// A pass over a file, for a plan.
struct PlanningPass<'p> {
    path: &'p Path,
    reading: &'p Reading,
    table: Table,
    living: LivingRule,
    split_bytes: u64,
}

/// What the pass finds.
struct PassResult {
    parts: Vec<PartOfTable>,
    is_complete: bool,
}

struct PartOfTable {
    part: DocumentPart,
    survey: Vec<u8>,
}

impl PlanningPass<'_> {
    fn read(&self) -> io::Result<PassResult> {
        let file = File::open(self.path)?;
        let mut list = PartList::of_file(file.metadata()?.len());
        let options = read_options(self.reading);
        let mut runs = RunReader::new(run_reader(file, self.reading, &options), options);
        let reader = OnceLock::new();
        let mut survey = Survey::of(self.table);
        let make = |run: &TypedDocument<'_>, ()| {
            let new_reader = || TableReader::new(self.table, run.schema()).with_living(self.living);
            (RunSummary::of(run.document()), reader.get_or_init(new_reader).survey(run))
        };
        let take = |(summary, of_run): (RunSummary, RunSurvey), _: &elf_tagged::Reader<_>| {
            list.add_run(summary);
            survey.take(of_run);
            Ok(())
        };
        runs.for_each(|| (), make, take, &mut ())?;
        // With a schema of extreme size, the types of a run depend on all runs before it.
        let is_divisible = runs.resolver().is_some_and(Resolver::never_gives_up);
        let parts = list.divide(if is_divisible { self.split_bytes } else { u64::MAX });
        let surveyed = survey.finish();
        let Some(reader) = reader.get() else {
            return Ok(PassResult { parts: Vec::new(), is_complete: true });
        };
        let with_survey = |part: DocumentPart| {
            let survey = surveyed.part(reader, part.runs()).map_err(io::Error::other)?;
            Ok(PartOfTable { part, survey })
        };
        let parts = parts.into_par_iter().map(with_survey).collect::<io::Result<Vec<PartOfTable>>>()?;
        Ok(PassResult { parts, is_complete: runs.tagged().is_complete() })
    }
}

/// Plans how to make a table of a large file in several splits.
#[pyfunction]
#[pyo3(signature = (
    name, file, *, split_bytes=33_554_432, rules=None, encoding=None, schema=None, within=110, today=None,
    bare_death=false
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn plan_table(
    py: Python<'_>,
    name: &str,
    file: PathBuf,
    split_bytes: u64,
    rules: Option<String>,
    encoding: Option<String>,
    schema: Option<String>,
    within: u32,
    today: Option<Bound<'_, PyAny>>,
    bare_death: bool,
) -> PyResult<TablePlan> {
    let table = named_table(name)?;
    if file.to_str().is_none() {
        return Err(wrong_argument("the path of a file with a plan must be text"));
    }
    let names = ReadingNames { rules, encoding, schema };
    let reading = names.reading()?;
    let living = living_rule(py, within, today.as_ref(), bare_death)?;
    let pass = PlanningPass { path: &file, reading: &reading, table, living, split_bytes };
    let pass = py.detach(|| on_pool(|| pass.read()));
    let pass = pass.map_err(|error| read_error(py, &error, &file))?;
    let splits = pass.parts.into_iter().map(|PartOfTable { part, survey }| TableSplit {
        table: name.to_owned(),
        path: file.clone(),
        reading: names.clone(),
        part,
        survey,
    });
    TablePlan::of(py, PlanContent { is_complete: pass.is_complete, splits: splits.collect() })
}

/// The exception for a file that the system cannot read, or whose records are too long.
fn read_error(py: Python<'_>, error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(_) => os_error(error, path),
        None => elf_error(py, Some(&name_of(path)), error),
    }
}

fn plan_failure(py: Python<'_>, file: Option<&str>, message: &str) -> PyErr {
    make_error(py, ErrorClass::Plan, message, ErrorPlace { file, ..ErrorPlace::default() })
}

/// Why the rows of a split cannot be made.
enum SplitFailure {
    Part(PartReadError),
    Arrow(ArrowFailure),
    Survey(elf_tables::parts::PartError),
}

/// What to read of a split, and how.
struct SplitReading<'s> {
    path: &'s Path,
    reading: &'s Reading,
    table: Table,
    columns: &'s [String],
}

impl TableSplit {
    fn make_table(&self, how: &SplitReading<'_>) -> Result<ArrowTable, SplitFailure> {
        let SplitReading { path, reading, table, columns } = *how;
        let mut builder = ArrowBuilder::new(table, columns).map_err(SplitFailure::Arrow)?;
        let surveyed = Surveyed::of_part(&self.survey).map_err(SplitFailure::Survey)?;
        let options = read_options(reading);
        let (mut reader, mut made) = (None, Ok(()));
        let name = name_of(&self.path);
        let new_reader =
            |input| elf_schema::Reader::of(run_reader(input, reading, &options), options.clone());
        let make_rows = |run: &TypedDocument<'_>| {
            let reader = reader.get_or_insert_with(|| TableReader::new(table, run.schema()));
            let mut rows = Rows::of(table.columns().len());
            reader.rows(run, &surveyed, &name, &mut rows);
            if made.is_ok() {
                made = builder.rows(&rows);
            }
        };
        self.part.read(|| File::open(path), new_reader, make_rows).map_err(SplitFailure::Part)?;
        made.map_err(SplitFailure::Arrow)?;
        ArrowTable::of(table, builder).map_err(SplitFailure::Arrow)
    }
}

#[pymethods]
impl TableSplit {
    #[getter]
    fn name(&self) -> &str {
        &self.table
    }

    #[getter]
    fn file(&self) -> String {
        name_of(&self.path)
    }

    #[getter]
    fn start(&self) -> u64 {
        self.part.start()
    }

    /// Makes the rows. Reads the start of the file and the bytes of the split.
    #[pyo3(signature = (*, columns=None, file=None))]
    fn read(
        &self,
        py: Python<'_>,
        columns: Option<Vec<String>>,
        file: Option<PathBuf>,
    ) -> PyResult<ArrowTable> {
        let table = named_table(&self.table)?;
        let columns = selected_columns(table, columns);
        let path = file.as_deref().unwrap_or(&self.path);
        let reading = self.reading.reading()?;
        let name = name_of(path);
        let how = SplitReading { path, reading: &reading, table, columns: &columns };
        py.detach(|| self.make_table(&how)).map_err(|failure| match failure {
            SplitFailure::Part(PartReadError::Io(error)) => read_error(py, &error, path),
            SplitFailure::Part(failure) => plan_failure(py, Some(&name), &failure.to_string()),
            SplitFailure::Survey(failure) => plan_failure(py, Some(&name), &failure.to_string()),
            SplitFailure::Arrow(failure @ ArrowFailure::UnknownColumn { .. }) => {
                wrong_argument(failure.to_string())
            }
            SplitFailure::Arrow(failure) => elf_error(py, Some(&name), &failure),
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        to_bytes(py, self)
    }

    #[classmethod]
    fn from_bytes(class: &Bound<'_, PyType>, data: &[u8]) -> PyResult<TableSplit> {
        from_bytes(class.py(), data)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        Ok((py.get_type::<TableSplit>().getattr("from_bytes")?, (to_bytes(py, self)?,)))
    }

    fn __repr__(&self) -> String {
        format!("<TableSplit {} of {} from byte {}>", self.table, name_of(&self.path), self.part.start())
    }
}

/// What `pickle` wants: a function and its arguments.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>,));

impl TablePlan {
    fn of(py: Python<'_>, content: PlanContent<TableSplit>) -> PyResult<TablePlan> {
        let PlanContent { is_complete, splits } = content;
        let splits = splits.into_iter().map(|split| Py::new(py, split)).collect::<PyResult<_>>()?;
        Ok(TablePlan(PlanContent { is_complete, splits }))
    }
}

#[pymethods]
impl TablePlan {
    #[getter]
    fn splits(&self, py: Python<'_>) -> Vec<Py<TableSplit>> {
        self.0.splits.iter().map(|split| split.clone_ref(py)).collect()
    }

    /// Whether the whole file was read. Otherwise the rules stopped reading early.
    #[getter]
    fn is_complete(&self) -> bool {
        self.0.is_complete
    }

    fn __len__(&self) -> usize {
        self.0.splits.len()
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let splits = self.0.splits.iter().map(Py::get).collect();
        to_bytes(py, &PlanContent { is_complete: self.0.is_complete, splits })
    }

    #[classmethod]
    fn from_bytes(class: &Bound<'_, PyType>, data: &[u8]) -> PyResult<TablePlan> {
        TablePlan::of(class.py(), from_bytes(class.py(), data)?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        Ok((py.get_type::<TablePlan>().getattr("from_bytes")?, (self.to_bytes(py)?,)))
    }

    fn __repr__(&self) -> String {
        format!("<TablePlan of {} splits>", self.0.splits.len())
    }
}

/// The start of the bytes of a plan or a split. The release follows, to the end of the line.
const START_OF_BYTES: &[u8] = b"elf-gedcom ";

/// The release of this package. Another one may write plans in another way.
const RELEASE: &str = env!("CARGO_PKG_VERSION");

fn to_bytes<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyBytes>> {
    let start = [START_OF_BYTES, RELEASE.as_bytes(), b"\n"].concat();
    let bytes = postcard::to_extend(value, start).map_err(|error| elf_error(py, None, &error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Reads the bytes of a plan or a split. The release is read first, because only the same one can decode the rest.
fn from_bytes<'d, T: Deserialize<'d>>(py: Python<'_>, data: &'d [u8]) -> PyResult<T> {
    let rest = data.strip_prefix(START_OF_BYTES);
    let end = rest.and_then(|rest| rest.iter().position(|octet| *octet == b'\n'));
    let Some((release, [_, content @ ..])) = rest.zip(end).and_then(|(rest, end)| rest.split_at_checked(end))
    else {
        return Err(plan_failure(py, None, "the bytes are not a plan"));
    };
    if release != RELEASE.as_bytes() {
        let release = release.escape_ascii();
        let message = format!("elf-gedcom {release} made the plan, but this is elf-gedcom {RELEASE}");
        return Err(plan_failure(py, None, &message));
    }
    postcard::from_bytes(content)
        .map_err(|error| plan_failure(py, None, &format!("the bytes are not a plan: {error}")))
}
