//! `cargo xtask standards [--check]`: generates the tables for validation against a standard from files of facts.
//!
//! The generated files are committed, so that a build needs no generator. `--check` writes nothing and fails if a file
//! differs from what the facts give.

mod difference;
mod links;
mod paths;
mod render;
#[cfg(test)]
mod second_source;
mod tags;
mod types;

use crate::Outcome;
use render::Table;
use std::path::Path;

/// A standard: its name, the paths of its facts, the path of its table, and the function that reads the facts.
type Standard = (&'static str, &'static [&'static str], &'static str, fn(&[String]) -> Result<Table, String>);

const STANDARDS: &[Standard] = &[
    (
        "5.5.1",
        &["lib/elf-validate/facts/gedcom551.tsv", "lib/elf-validate/facts/gedcom-values.tsv"],
        "lib/elf-validate/src/tables/gedcom551.rs",
        |texts| match texts {
            [paths, values] => paths::read_standard("GEDCOM 5.5.1", paths, values),
            _ => Err("two files of facts".to_owned()),
        },
    ),
    (
        "5.5",
        &[
            "lib/elf-validate/facts/gedcom55.tsv",
            "lib/elf-validate/facts/gedcom551.tsv",
            "lib/elf-validate/facts/gedcom-values.tsv",
        ],
        "lib/elf-validate/src/tables/gedcom55.rs",
        |texts| match texts {
            [difference, paths, values] => {
                paths::read_standard("GEDCOM 5.5", &difference::apply_difference(paths, difference)?, values)
            }
            _ => Err("three files of facts".to_owned()),
        },
    ),
    (
        "7.0",
        &["lib/elf-validate/facts/gedcom70.tsv", "lib/elf-validate/facts/gedcom70-values.tsv"],
        "lib/elf-validate/src/tables/gedcom70.rs",
        |texts| match texts {
            [types, values] => tags::read_standard("GEDCOM 7.0", types, values),
            _ => Err("two files of facts".to_owned()),
        },
    ),
    (
        "7.0",
        &[
            "lib/elf-validate/facts/gedcom70.tsv",
            crate::additions::FACTS,
            "lib/elf-validate/facts/gedcom70-values.tsv",
        ],
        "lib/elf-validate/src/tables/gedcom71.rs",
        |texts| match texts {
            [types, additions, values] => tags::read_standard(
                "the draft of GEDCOM 7.1",
                &crate::additions::apply_additions(types, additions)?,
                values,
            ),
            _ => Err("three files of facts".to_owned()),
        },
    ),
    (
        "data-model",
        &["lib/elf-validate/facts/data-model.tsv"],
        "lib/elf-validate/src/tables/data_model.rs",
        |texts| types::read_standard(&texts.concat()),
    ),
];

pub(crate) fn run(root: &Path, arguments: &[String]) -> Outcome {
    let check = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => false,
        ["--check"] => true,
        _ => return Err("usage: cargo xtask standards [--check]".to_owned()),
    };
    let mut stale = Vec::new();
    let text_of =
        |facts: &str| std::fs::read_to_string(root.join(facts)).map_err(|error| format!("{facts}: {error}"));
    let links_text = text_of(links::FACTS)?;
    for (name, facts, path, read) in STANDARDS {
        let texts: Vec<String> = facts.iter().map(|facts| text_of(facts)).collect::<Result<_, _>>()?;
        let first = facts.first().copied().unwrap_or_default();
        let mut table = read(&texts).map_err(|problem| format!("{first}:{problem}"))?;
        table.links = links::read_links(&links_text, name, &table)
            .map_err(|problem| format!("{}:{problem}", links::FACTS))?;
        let made = table.render(first);
        let file = root.join(path);
        if std::fs::read_to_string(&file).ok().as_deref() == Some(made.as_str()) {
            println!("standards: {path}: ok");
        } else if check {
            println!("standards: {path}: differs");
            stale.push(*path);
        } else {
            std::fs::write(&file, made).map_err(|error| format!("{path}: {error}"))?;
            println!("standards: {path}: written");
        }
    }
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!("{} not what the facts give; run `cargo xtask standards`", stale.join(", ")))
    }
}

/// Splits a file of facts into rows of N cells, each with the number of its line, from 1.
fn fact_rows<const N: usize>(text: &str) -> impl Iterator<Item = Result<(usize, [&str; N]), String>> {
    text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')).map(|(index, line)| {
        let cells: Vec<&str> = line.split('\t').collect();
        let row = <[&str; N]>::try_from(cells);
        row.map(|row| (index + 1, row)).map_err(|_| format!("{}: expected {N} columns", index + 1))
    })
}

/// Splits a cell. An empty cell has no parts.
fn split_cell(cell: &str, separator: char) -> Vec<String> {
    cell.split(separator).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_in_the_project_are_what_the_facts_give() {
        assert_eq!(run(&crate::root(), &["--check".to_owned()]), Ok(()));
    }
}
