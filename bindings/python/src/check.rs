//! The functions `check` and `fix`, which do the same as `elf check`.

use crate::dates::today;
use crate::errors::{ErrorClass, ErrorPlace, elf_error, make_error, os_error, wrong_argument};
use crate::files::save;
use crate::findings::{Finding, Report, Summary};
use crate::source::{Reading, Source, name_of};
use crate::threads::on_pool;
use elf_base::Safety;
use elf_check::config::{Config, FindingWord, Section, StandardChoice, parse_denied};
use elf_check::runs::RunError;
use elf_check::{CheckRequest, FactRequest, Keep, Settings};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of a check, without the file.
pub(crate) struct CheckArguments<'py> {
    pub(crate) rules: Option<String>,
    pub(crate) against: Option<String>,
    pub(crate) facts: bool,
    pub(crate) unlikely: bool,
    pub(crate) today: Option<Bound<'py, PyAny>>,
    pub(crate) select: Vec<String>,
    pub(crate) ignore: Vec<String>,
    pub(crate) deny: Vec<String>,
    pub(crate) config: Option<PathBuf>,
    pub(crate) encoding: Option<String>,
    pub(crate) schema: Option<String>,
    pub(crate) each_undefined: bool,
}

/// A check with all its settings.
struct ReadyCheck {
    settings: Settings,
    reading: Reading,
    /// The name of the configuration, if one was used.
    config: Option<String>,
    each_undefined: bool,
}

/// The findings of a check, before they become Python objects.
struct CheckedFile {
    findings: Vec<Finding>,
    checked: elf_check::Checked,
}

impl ReadyCheck {
    fn new(py: Python<'_>, source: &Source, arguments: &CheckArguments<'_>) -> PyResult<ReadyCheck> {
        let CheckArguments { rules, encoding, schema, each_undefined, .. } = arguments;
        let reading = Reading::of_source(source, rules.as_deref(), encoding.as_deref(), schema.as_deref())?;
        let is_named = rules.is_some() || source.reading.is_some();
        let select = parse_finding_words(&arguments.select)?;
        let ignore = parse_finding_words(&arguments.ignore)?;
        let deny = arguments.deny.iter().map(|word| parse_denied(word).map_err(wrong_argument));
        let deny = deny.collect::<PyResult<Vec<FindingWord>>>()?;
        let against = arguments.against.as_deref().map(str::parse::<StandardChoice>).transpose();
        let against = against.map_err(|error| wrong_argument(error.to_string()))?;
        let facts = match arguments.facts || arguments.unlikely {
            true => Some(FactRequest {
                today: today(arguments.today.as_ref(), py)?,
                unlikely: arguments.unlikely,
            }),
            false => None,
        };
        let request = CheckRequest {
            rules: is_named.then_some(reading.rules),
            select: &select,
            ignore: &ignore,
            deny: &deny,
            against,
            each_undefined: *each_undefined,
            facts,
        };
        let (section, config) = match &arguments.config {
            Some(path) => (section_of(py, path, source.path.as_deref())?, Some(name_of(path))),
            None => (Section::default(), None),
        };
        let settings = Settings::new(&request, section);
        let config = config.filter(|_| settings.is_configured);
        Ok(ReadyCheck { settings, reading, config, each_undefined: *each_undefined })
    }

    fn check(&self, keep: Keep) -> elf_check::Check<'static> {
        let options = self
            .reading
            .options()
            .with_vendor_tags(true)
            .with_check_values(true)
            .with_each_undefined(self.each_undefined);
        self.settings.check(&options, keep)
    }

    fn run(&self, mut bytes: &[u8], file: Option<Arc<str>>) -> Result<CheckedFile, RunError> {
        let mut findings = Vec::new();
        let checked = self.check(Keep::Related).run(&mut bytes, None, &mut |some, records| {
            findings.extend(some.iter().map(|one| Finding {
                diagnostic: one.diagnostic.clone(),
                file: file.clone(),
                record: one.context.as_ref().map(|context| context.record(records)),
                path: one.context.as_ref().and_then(|context| context.path(records)),
                fix: one.fix.clone(),
            }));
            Ok(())
        })?;
        Ok(CheckedFile { findings, checked })
    }
}

/// The section of a configuration that applies to a file.
fn section_of(py: Python<'_>, config: &Path, file: Option<&Path>) -> PyResult<Section> {
    let name = name_of(config);
    let octets = std::fs::read(config).map_err(|error| os_error(&error, config))?;
    let parsed = Config::parse(&name, &octets).map_err(|failure| {
        let line = failure.place.as_ref().map(|at| at.place.line);
        make_error(
            py,
            ErrorClass::Config,
            &failure.to_string(),
            ErrorPlace { file: Some(&name), line, path: None },
        )
    })?;
    let folder = |path: &Path| std::path::absolute(path).ok()?.parent().map(Path::to_path_buf);
    let beneath = file.zip(folder(config)).and_then(|(file, folder)| {
        let file = std::path::absolute(file).ok()?;
        Some(name_of(file.strip_prefix(folder).ok()?))
    });
    Ok(parsed.section(beneath.as_deref(), None))
}

fn parse_finding_words(words: &[String]) -> PyResult<Vec<FindingWord>> {
    let parse =
        |word: &String| word.parse::<FindingWord>().map_err(|error| wrong_argument(error.to_string()));
    words.iter().map(parse).collect()
}

/// Checks a file, as `elf check` does.
#[pyfunction]
#[pyo3(signature = (
    source, *, rules=None, against=None, facts=false, unlikely=false, today=None, select=Vec::new(),
    ignore=Vec::new(), deny=Vec::new(), config=None, encoding=None, schema=None, each_undefined=false, name=None
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn check<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    rules: Option<String>,
    against: Option<String>,
    facts: bool,
    unlikely: bool,
    today: Option<Bound<'py, PyAny>>,
    select: Vec<String>,
    ignore: Vec<String>,
    deny: Vec<String>,
    config: Option<PathBuf>,
    encoding: Option<String>,
    schema: Option<String>,
    each_undefined: bool,
    name: Option<String>,
) -> PyResult<Report> {
    let source = Source::of(source)?;
    let arguments = CheckArguments {
        rules,
        against,
        facts,
        unlikely,
        today,
        select,
        ignore,
        deny,
        config,
        encoding,
        schema,
        each_undefined,
    };
    let ready = ReadyCheck::new(py, &source, &arguments)?;
    let name = name.or_else(|| source.name());
    let bytes = source.bytes.as_ref();
    let file: Option<Arc<str>> = name.as_deref().map(Into::into);
    let done = py.detach(|| on_pool(|| ready.run(bytes, file)));
    let CheckedFile { findings, checked } = done.map_err(|error| elf_error(py, name.as_deref(), &error))?;
    let fails = checked.codes.failing > 0;
    let summary = Summary::of(&checked, name, ready.config);
    let findings = findings.into_iter().map(|one| Py::new(py, one)).collect::<PyResult<Vec<_>>>()?;
    Ok(Report { findings, summary: Py::new(py, summary)?, fails })
}

/// A fixed file.
#[pyclass(frozen, module = "elf_gedcom")]
pub(crate) struct FixedFile {
    bytes: Vec<u8>,
    fixed: u64,
    refused: u64,
}

#[pymethods]
impl FixedFile {
    fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Writes the file completely, or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, &path, &self.bytes)
    }

    #[getter]
    fn fixed(&self) -> u64 {
        self.fixed
    }

    #[getter]
    fn refused(&self) -> u64 {
        self.refused
    }

    fn __repr__(&self) -> String {
        format!("<FixedFile with {} findings fixed>", self.fixed)
    }
}

/// Fixes a file, as `elf check --fix` does.
#[pyfunction]
#[pyo3(signature = (
    source, *, r#unsafe=false, rules=None, select=Vec::new(), ignore=Vec::new(), encoding=None, schema=None
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn fix<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    r#unsafe: bool,
    rules: Option<String>,
    select: Vec<String>,
    ignore: Vec<String>,
    encoding: Option<String>,
    schema: Option<String>,
) -> PyResult<FixedFile> {
    let source = Source::of(source)?;
    let arguments = CheckArguments {
        rules,
        against: None,
        facts: false,
        unlikely: false,
        today: None,
        select,
        ignore,
        deny: Vec::new(),
        config: None,
        encoding,
        schema,
        each_undefined: false,
    };
    let ready = ReadyCheck::new(py, &source, &arguments)?;
    let most = if r#unsafe { Safety::Unsafe } else { Safety::Safe };
    let mut bytes = source.bytes.as_ref();
    let fixed = py.detach(|| on_pool(|| ready.check(Keep::Nothing).fix(&mut bytes, most)));
    let fixed = fixed.map_err(|failure| {
        let name = source.name();
        make_error(
            py,
            ErrorClass::Edit,
            &failure.to_string(),
            ErrorPlace { file: name.as_deref(), line: None, path: None },
        )
    })?;
    let refused = fixed.refused.len() as u64;
    Ok(FixedFile { bytes: fixed.bytes, fixed: fixed.count, refused })
}
