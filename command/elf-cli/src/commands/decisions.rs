//! Decisions about pairs of persons: the table of `elf match`, in which a reader has written `same` or `different`.

use crate::io as files;
use crate::meter::Meter;
use crate::reading;
use std::path::Path;

/// A row with a decision.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    /// The number of the line, from 1.
    pub(super) line: u64,
    pub(super) a: NamedPerson,
    pub(super) b: NamedPerson,
    pub(super) is_same: bool,
}

/// A person as a row names one.
#[derive(Clone, Debug)]
pub(super) struct NamedPerson {
    pub(super) file: String,
    pub(super) id: String,
}

impl NamedPerson {
    /// Returns whether the person is of the file of that name: of the same path, or of the same name in another folder.
    pub(super) fn is_of(&self, file: &str) -> bool {
        let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
        self.file.is_empty() || self.file == file || base(&self.file) == base(file)
    }
}

/// The columns that are read.
const COLUMNS: [&str; 5] = ["decision", "a_file", "a_id", "b_file", "b_id"];

/// Reads the rows of a table that have a decision.
///
/// # Errors
///
/// The reason why the table cannot be used, with its place.
pub(super) fn decisions(path: &Path) -> Result<Vec<Decision>, String> {
    let name = reading::name(path);
    let bytes =
        files::read(path, &Meter::default()).map_err(|error| format!("{name}: {}", files::reason(&error)))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| format!("{name}: expected a table in UTF-8"))?;
    parse(text).map_err(|(line, reason)| format!("{name}:{line}: {reason}"))
}

/// The line and the reason of an error.
type RowError = (u64, String);

fn parse(text: &str) -> Result<Vec<Decision>, RowError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let header = text.lines().next().unwrap_or("");
    // Spreadsheets in many countries write semicolons.
    let count = |mark: char| header.matches(mark).count();
    let delimiter =
        [(b',', ','), (b';', ';'), (b'\t', '\t')].into_iter().max_by_key(|(_, mark)| count(*mark));
    let delimiter = delimiter.map_or(b',', |(delimiter, _)| delimiter);
    let mut csv = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let header = csv.headers().map_err(|error| (1, error.to_string()))?.clone();
    let mut columns = [0; COLUMNS.len()];
    for (column, name) in columns.iter_mut().zip(COLUMNS) {
        let found = header.iter().position(|field| field.trim() == name);
        *column =
            found.ok_or_else(|| (1, format!("not a table of `elf match`: it has no column `{name}`")))?;
    }
    let mut decisions = Vec::new();
    for row in csv.records() {
        let row =
            row.map_err(|error| (error.position().map_or(1, csv::Position::line), error.to_string()))?;
        let line = row.position().map_or(1, csv::Position::line);
        decisions.extend(decision(&row, columns, line)?);
    }
    Ok(decisions)
}

fn decision(
    row: &csv::StringRecord,
    columns: [usize; COLUMNS.len()],
    line: u64,
) -> Result<Option<Decision>, RowError> {
    let [decision, a_file, a_id, b_file, b_id] = columns.map(|column| row.get(column).map_or("", str::trim));
    let is_same = match &*decision.to_lowercase() {
        "" => return Ok(None),
        "same" => true,
        "different" => false,
        _ => {
            return Err((
                line,
                format!("expected the decision `same` or `different`, but found `{decision}`"),
            ));
        }
    };
    let person = |file: &str, id: &str| match id.trim_matches('@') {
        "" => Err((line, "a person has no identifier".to_owned())),
        id => Ok(NamedPerson { file: file.to_owned(), id: id.to_owned() }),
    };
    Ok(Some(Decision { line, a: person(a_file, a_id)?, b: person(b_file, b_id)?, is_same }))
}
