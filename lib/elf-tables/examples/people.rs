//! Writes one table of the people in many files: `cargo run --example people -- FOLDER > people.csv`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_tables::elf_schema::TypedDocument;
use elf_tables::{Rows, Survey, Table, TableReader, TableWriter, TextFormat};
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder")?;
    let files =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    table(files, &mut std::io::stdout().lock())
}

/// Writes a row for each person of each file. Needs memory for the largest file.
pub(crate) fn table(mut files: Vec<PathBuf>, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    files.retain(|file| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ged")));
    files.sort();
    let writer = TableWriter::new(Table::People, TextFormat::Csv);
    writer.header(out)?;
    for file in files {
        let octets = std::fs::read(&file)?;
        let typed = TypedDocument::parse(&octets)?;
        let reader = TableReader::new(Table::People, typed.schema());
        let mut survey = Survey::of(Table::People);
        survey.take(reader.survey(&typed));
        let mut rows = Rows::of(Table::People.columns().len());
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        reader.rows(&typed, &survey.finish(), &name, &mut rows);
        writer.rows(&rows, out)?;
    }
    Ok(())
}
