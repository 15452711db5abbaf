//! The law of tables.

use crate::{Input, runs_of};
use elf_schema::ReadOptions;
use elf_tables::{Rows, Survey, Table, TableReader, TableWriter, TextFormat};

/// Every table of a file has the same rows in runs as in the whole, and in each text format as many lines as
/// rows, whatever is in a field.
///
/// # Panics
///
/// If the law does not hold.
pub fn tables(input: &Input<'_>) {
    let table = Table::ALL[input.octets.len() % Table::ALL.len()];
    let typed = elf_schema::read(input.octets, input.rules, &ReadOptions::default(), &mut ());
    let typed = typed.expect("a fuzzed input is small");
    let reader = TableReader::new(table, typed.schema());
    let mut survey = Survey::of(table);
    survey.take(reader.survey(&typed));
    let mut rows = Rows::of(table.columns().len());
    reader.rows(&typed, &survey.finish(), "file", &mut rows);
    let (whole, count) = (written(table, TextFormat::Csv, &rows), count(&rows));
    for format in [TextFormat::Tsv, TextFormat::Json] {
        let lines = written(table, format, &rows);
        assert_eq!(lines.lines().count(), count, "{lines:?}");
    }
    let (mut first, mut survey) = (None, Survey::of(table));
    runs_of(input, 40, |run| {
        let reader = first.get_or_insert_with(|| TableReader::new(table, run.schema()));
        survey.take(reader.survey(run));
    });
    let Some(reader) = first else { return };
    let (surveyed, mut in_runs) = (survey.finish(), Rows::of(table.columns().len()));
    runs_of(input, 40, |run| reader.rows(run, &surveyed, "file", &mut in_runs));
    assert_eq!(written(table, TextFormat::Csv, &in_runs), whole, "by {}: {}", input.rules.name, table.name());
}

fn count(rows: &Rows) -> usize {
    let (mut reader, mut count) = (rows.read(), 0);
    while reader.next_row().is_some() {
        count += 1;
    }
    count
}

fn written(table: Table, format: TextFormat, rows: &Rows) -> String {
    let mut out = Vec::new();
    TableWriter::new(table, format).rows(rows, &mut out).expect("a vector takes it");
    String::from_utf8(out).expect("tables are UTF-8")
}
