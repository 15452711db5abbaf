//! The tables of requirements: each normative statement of the drafts with its identifier, wording and test.

use elf_base::Draft;
use std::collections::BTreeMap;
use std::path::Path;

/// A requirement: one row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The identifier, such as `D19-LIN-01` or `O17-054`.
    pub id: String,
    /// The standard that contains the statement.
    pub standard: Standard,
    /// The area within the standard: the middle of the identifier. In the table of the earlier drafts, the actor; in
    /// that of ELF Dates, the section.
    pub area: String,
    /// The section of the draft.
    pub section: String,
    /// The actor that the statement binds.
    pub actor: String,
    /// The strength of the statement: a keyword of the draft, or `DEF`.
    pub strength: String,
    /// The statement, in our words.
    pub requirement: String,
    /// The test, in the notation of its table.
    pub test: String,
}

/// A standard with a table of requirements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// A draft of the serialisation format.
    Draft(Draft),
    /// ELF Dates, which is the same for all drafts.
    Dates,
}

/// All requirements, in the order of their tables.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    rows: Vec<Row>,
    places: BTreeMap<String, usize>,
}

/// The tables, in the order of the report.
const TABLES: [&str; 4] = ["req-d19.tsv", "req-j19.tsv", "req-old.tsv", DATES];

/// The table of ELF Dates.
const DATES: &str = "req-dates.tsv";

impl Requirements {
    /// Reads the tables in `folder`.
    ///
    /// # Errors
    ///
    /// A table is missing or contains an invalid row.
    pub fn load(folder: &Path) -> Result<Requirements, String> {
        let mut requirements = Requirements::default();
        for table in TABLES {
            let path = folder.join(table);
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            for (number, line) in text.lines().enumerate().skip(1) {
                let row = if table == DATES { row_of_dates(line) } else { row(line) };
                let row = row.ok_or_else(|| format!("{table}:{}: expected a row", number + 1))?;
                let place = requirements.rows.len();
                if requirements.places.insert(row.id.clone(), place).is_some() {
                    return Err(format!("{table}:{}: {} stands there twice", number + 1, row.id));
                }
                requirements.rows.push(row);
            }
        }
        Ok(requirements)
    }

    /// The rows, in the order of their tables.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The requirement with an identifier such as `D19-LIN-01`.
    pub fn get(&self, id: &str) -> Option<&Row> {
        self.places.get(id).and_then(|&place| self.rows.get(place))
    }
}

impl Row {
    /// Returns whether the table is that of the drafts before January 2019, whose tests are mostly prose.
    pub const fn is_earlier(&self) -> bool {
        matches!(self.standard, Standard::Draft(Draft::July2017 | Draft::October2017 | Draft::Declarative))
    }
}

impl Standard {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Standard::Draft(draft) => draft.name(),
            Standard::Dates => "dates",
        }
    }
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
    let abbreviation = cells.first()?.split('-').next()?;
    let draft = Draft::ALL.into_iter().find(|draft| draft.abbreviation() == abbreviation)?;
    let standard = Standard::Draft(draft);
    if matches!(draft, Draft::January2019 | Draft::December2019) {
        let [id, section, actor, strength, requirement, test] = <[String; 6]>::try_from(cells).ok()?;
        let area = id.split('-').nth(1)?.to_owned();
        Some(Row { id, standard, area, section, actor, strength, requirement, test })
    } else {
        let [id, _, section, actor, strength, requirement, test] = <[String; 7]>::try_from(cells).ok()?;
        let area = actor.replace(' ', "-");
        Some(Row { id, standard, area, section, actor, strength, requirement, test })
    }
}

/// Parses a row of the table of ELF Dates. If the test needs only a payload, it is the payload, a tab, and facts about
/// its value.
fn row_of_dates(line: &str) -> Option<Row> {
    let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
    let [id, section, requirement, strength, input, expected, checked] =
        <[String; 7]>::try_from(cells).ok()?;
    let area = section.trim_start_matches('§').to_owned();
    let test = match checked.as_str() {
        "yes" => format!("{input}\t{expected}"),
        "" => format!("{input}: {expected}"),
        _ => return None,
    };
    let (standard, actor) = (Standard::Dates, "application".to_owned());
    Some(Row { id, standard, area, section, actor, strength, requirement, test })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load() -> Requirements {
        Requirements::load(&crate::conformance_folder().join("requirements")).expect("the tables")
    }

    #[test]
    fn the_tables_are_whole() {
        let requirements = load();
        let count = |standard| requirements.rows().iter().filter(|row| row.standard == standard).count();
        let counts = Draft::ALL.map(|draft| count(Standard::Draft(draft)));
        assert_eq!(counts, [29, 148, 124, 205, 272]);
        assert_eq!(count(Standard::Dates), 435);
    }
}
