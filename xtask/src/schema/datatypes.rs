//! The facts about datatypes: which types have payloads of which datatype.

use super::facts::Facts;
use super::rows::Datatype;
use std::fmt::Write;

/// The datatypes of `elf_values::Datatype` without a list of words. Text is not listed.
const NAMES: [&str; 11] = [
    "DateValue",
    "DatePeriod",
    "DateExact",
    "Age",
    "Time",
    "PersonalName",
    "Latitude",
    "Longitude",
    "Language",
    "List",
    "Integer",
];

/// Reads the facts. An error names the line.
pub(super) fn read_datatypes(text: &str, facts: &Facts) -> Result<Vec<Datatype>, String> {
    let mut datatypes: Vec<Datatype> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let problem = |message: String| format!("{}: {message}", index + 1);
        let cells: Vec<&str> = line.split('\t').collect();
        let [of, datatype, source] = cells.as_slice() else {
            return Err(problem("expected three columns".to_owned()));
        };
        if source.is_empty() {
            return Err(problem("expected the standard that says so".to_owned()));
        }
        if !facts.types.iter().any(|known| known.name == *of) {
            return Err(problem(format!("`{of}` is no type of the built-in schemas")));
        }
        if datatypes.iter().any(|known| known.of == *of) {
            return Err(problem(format!("`{of}` has a datatype already")));
        }
        let expression = if NAMES.contains(datatype) {
            format!("Datatype::{datatype}")
        } else if datatype.contains('|') {
            let words: Vec<String> = datatype.split('|').map(|word| format!("{word:?}")).collect();
            format!("Datatype::Word(&[{}])", words.join(", "))
        } else {
            return Err(problem(format!("expected a datatype or words, but found `{datatype}`")));
        };
        datatypes.push(Datatype { of: (*of).to_owned(), expression });
    }
    Ok(datatypes)
}

/// The IRIs of types, sorted, and their datatypes as Rust expressions.
pub(super) fn datatype_rows(facts: &Facts) -> Vec<(String, &String)> {
    let mut rows: Vec<(String, &String)> = Vec::new();
    for Datatype { of, expression } in &facts.datatypes {
        let iri = of.split_once(':').and_then(|(prefix, name)| {
            let (_, _, namespace) = facts.prefixes.iter().find(|(_, known, _)| known == prefix)?;
            Some(format!("{namespace}{name}"))
        });
        rows.push((iri.unwrap_or_else(|| of.clone()), expression));
    }
    rows.extend(facts.datatypes_of_gedcom_7.iter().map(|(iri, expression)| (iri.clone(), expression)));
    rows.sort();
    rows
}

/// Renders the table as Rust, sorted by the IRIs of the types.
pub(super) fn render_datatypes(facts: &Facts) -> String {
    let mut out = String::from(
        "//! The datatypes of the structure types of the built-in schemas.\n//!\n\
         //! Made by `cargo xtask schema` of elf-schema/facts/datatypes.tsv and what is known of GEDCOM 7;\n\
         //! not to be edited.\n\n\
         use elf_values::{Datatype, Gedcom70};\n\n\
         /// IRIs of types, sorted, and the datatypes of their payloads.\n\
         #[rustfmt::skip]\n\
         pub(crate) const DATATYPES: &[(&str, Datatype)] = &[\n",
    );
    for (iri, expression) in datatype_rows(facts) {
        let _ = writeln!(out, "    (\"{iri}\", {expression}),");
    }
    out.push_str("];\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &str =
        "published\tprefix\te\thttps://e.example/\npublished\ttype\te:A\npublished\ttype\te:B\n";

    #[test]
    fn the_table_is_sorted_and_holds_words() {
        let mut facts = Facts::read_facts(FACTS).expect("good facts");
        facts.datatypes =
            read_datatypes("# comment\ne:B\tAge\tS\ne:A\tx|y\tS\n", &facts).expect("good datatypes");
        let made = render_datatypes(&facts);
        assert!(made.ends_with(
            "    (\"https://e.example/A\", Datatype::Word(&[\"x\", \"y\"])),\n    (\"https://e.example/B\", Datatype::Age),\n];\n"
        ));
    }

    #[test]
    fn faults_are_found() {
        let facts = Facts::read_facts(FACTS).expect("good facts");
        let message = |text| read_datatypes(text, &facts).expect_err("a problem");
        assert_eq!(message("e:C\tAge\tS\n"), "1: `e:C` is no type of the built-in schemas");
        assert_eq!(message("e:A\tDate\tS\n"), "1: expected a datatype or words, but found `Date`");
        assert_eq!(message("e:A\tAge\tS\ne:A\tAge\tS\n"), "2: `e:A` has a datatype already");
        assert_eq!(message("e:A\tAge\t\n"), "1: expected the standard that says so");
    }
}
