//! The law of tables.

use crate::{Input, parts_of};
use elf_schema::ReadOptions;
use elf_tables::{Rows, Survey, Table, TableReader, TableWriter, TextFormat};

/// Every table of a file has the same rows in parts as in whole, and in each text format as many lines as
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
    let is_same = parts_of(input, 40, |part| {
        let reader = first.get_or_insert_with(|| TableReader::new(table, part.schema()));
        survey.take(reader.survey(part));
    });
    let (Some(reader), true) = (first, is_same) else { return };
    let (surveyed, mut in_parts) = (survey.finish(), Rows::of(table.columns().len()));
    parts_of(input, 40, |part| reader.rows(part, &surveyed, "file", &mut in_parts));
    assert_eq!(
        written(table, TextFormat::Csv, &in_parts),
        whole,
        "by {}: {}",
        input.rules.name,
        table.name()
    );
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
