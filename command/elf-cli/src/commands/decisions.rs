//! Reads decisions about pairs of people: the table of `elf match` in which the user wrote `same` or `different`.

use crate::io as files;
use crate::meter::Meter;
use crate::reading;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::path::Path;

#[derive(Clone, Debug)]
pub(super) struct Decision {
    /// The path of the table and the number of the line, from 1.
    pub(super) place: String,
    pub(super) a: NamedPerson,
    pub(super) b: NamedPerson,
    pub(super) is_same: bool,
}

/// A person in a row of the table.
#[derive(Clone, Debug)]
pub(super) struct NamedPerson {
    pub(super) file: String,
    pub(super) id: String,
}

impl NamedPerson {
    /// Returns whether the person is in the file with this path, or in a file with the same name in another folder.
    pub(super) fn is_in_file(&self, file: &str) -> bool {
        let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
        self.file.is_empty() || self.file == file || base(&self.file) == base(file)
    }
}

/// The columns that are read.
const COLUMNS: [&str; 5] = ["decision", "a_file", "a_id", "b_file", "b_id"];

/// Reads the rows of a table that contain a decision.
///
/// # Errors
///
/// Why the table cannot be used, with the place.
pub(super) fn read_decisions(path: &Path) -> Result<Vec<Decision>, String> {
    let name = reading::display_name(path);
    let bytes = files::read_path(path, &Meter::default())
        .map_err(|error| format!("{name}: {}", files::describe_error(&error)))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| {
        format!("{name}: expected a table in UTF-8; in a spreadsheet, save it as `CSV UTF-8`")
    })?;
    parse_table(&name, text).map_err(|(line, reason)| format!("{name}:{line}: {reason}"))
}

/// The line of an invalid row, and what is wrong with it.
type RowError = (u64, String);

fn parse_table(table: &str, text: &str) -> Result<Vec<Decision>, RowError> {
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
        let found = parse_row(&row, columns, line)?;
        decisions.extend(found.map(|decision| Decision { place: format!("{table}:{line}"), ..decision }));
    }
    Ok(decisions)
}

fn parse_row(
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
    Ok(Some(Decision { place: String::new(), a: person(a_file, a_id)?, b: person(b_file, b_id)?, is_same }))
}

/// A decision whose two people were found.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundDecision<'t, P> {
    pub(super) place: &'t str,
    pub(super) a: P,
    pub(super) b: P,
    pub(super) is_same: bool,
}

/// Checks that no two people are both the same and different, also through other people.
///
/// # Errors
///
/// The contradiction, with the rows of the table that cause it.
pub(super) fn check_contradictions<P: Copy + Eq + Hash>(
    decisions: &[FoundDecision<'_, P>],
) -> Result<(), String> {
    let mut rows_of: HashMap<P, Vec<usize>> = HashMap::new();
    for (row, decision) in decisions.iter().enumerate().filter(|(_, decision)| decision.is_same) {
        rows_of.entry(decision.a).or_default().push(row);
        rows_of.entry(decision.b).or_default().push(row);
    }
    let mut group_of: HashMap<P, Reached<P>> = HashMap::new();
    for start in decisions.iter().filter(|decision| decision.is_same).map(|decision| decision.a) {
        if !group_of.contains_key(&start) {
            reach_all(start, decisions, &rows_of, &mut group_of);
        }
    }
    for decision in decisions.iter().filter(|decision| !decision.is_same) {
        let groups =
            [decision.a, decision.b].map(|person| group_of.get(&person).map(|reached| reached.group));
        if let [Some(one), Some(other)] = groups
            && one == other
        {
            let same = rows_between(decision.a, decision.b, decisions, &rows_of);
            let same = same.iter().map(|row| decisions[*row].place).collect::<Vec<&str>>().join(", ");
            return Err(format!(
                "{}: these people are `different`, but they are `same` by {same}",
                decision.place
            ));
        }
    }
    Ok(())
}

/// The group of a person, and the row through which the search reached the person.
#[derive(Clone, Copy)]
struct Reached<P> {
    group: P,
    from: Option<(P, usize)>,
}

/// Finds all people who are connected to a person by rows with `same`.
fn reach_all<P: Copy + Eq + Hash>(
    start: P,
    decisions: &[FoundDecision<'_, P>],
    rows_of: &HashMap<P, Vec<usize>>,
    reached: &mut HashMap<P, Reached<P>>,
) {
    reached.insert(start, Reached { group: start, from: None });
    let mut waiting = VecDeque::from([start]);
    while let Some(person) = waiting.pop_front() {
        for row in rows_of.get(&person).into_iter().flatten() {
            for next in [decisions[*row].a, decisions[*row].b] {
                reached.entry(next).or_insert_with(|| {
                    waiting.push_back(next);
                    Reached { group: start, from: Some((person, *row)) }
                });
            }
        }
    }
}

/// The shortest chain of rows with `same` that connects two people, in the order of the table.
fn rows_between<P: Copy + Eq + Hash>(
    one: P,
    other: P,
    decisions: &[FoundDecision<'_, P>],
    rows_of: &HashMap<P, Vec<usize>>,
) -> Vec<usize> {
    let mut reached = HashMap::new();
    reach_all(one, decisions, rows_of, &mut reached);
    let mut rows = Vec::new();
    let mut person = other;
    while let Some((from, row)) = reached.get(&person).and_then(|reached| reached.from) {
        rows.push(row);
        person = from;
    }
    rows.sort_unstable();
    rows
}
