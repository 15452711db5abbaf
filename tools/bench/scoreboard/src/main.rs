//! Peers in Rust: `PEER read FILE` prints the names of people and the diagnostics as JSON, `PEER save FILE OUT` reads
//! a file and writes it again.

use serde_json::{Value, json};
use std::error::Error;

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["ged_io", "read", file] => ged_io_read(&std::fs::read(file)?),
        ["ged_io", "save", file, out] => ged_io_save(&std::fs::read(file)?, out),
        ["gedcom-core", "read", file] => gedcom_core_read(&std::fs::read(file)?),
        // Only the names, for times.
        ["ged_io", "names", file] => {
            let data = ged_io::GedcomBuilder::new().build_from_bytes(&std::fs::read(file)?)?;
            data.individuals
                .iter()
                .flat_map(|person| &person.names)
                .for_each(|name| println!("{:?}", name.value));
            Ok(())
        }
        _ => Err(format!("unknown request {words:?}").into()),
    }
}

fn print(names: &[String], diagnostics: &[String]) {
    println!("{}", json!({"names": names, "diagnostics": diagnostics}));
}

fn ged_io_read(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let data = ged_io::GedcomBuilder::new().build_from_bytes(bytes)?;
    let names =
        data.individuals.iter().flat_map(|person| &person.names).filter_map(|name| name.value.clone());
    let names: Vec<String> = names.collect();
    // Its strict mode stops at what the other one lets pass.
    let strict =
        ged_io::GedcomBuilder::new().strict_mode(true).validate_references(true).build_from_bytes(bytes);
    print(&names, &strict.err().iter().map(ToString::to_string).collect::<Vec<_>>());
    Ok(())
}

fn ged_io_save(bytes: &[u8], out: &str) -> Result<(), Box<dyn Error>> {
    let data = ged_io::GedcomBuilder::new().build_from_bytes(bytes)?;
    std::fs::write(out, ged_io::GedcomWriter::new().write_to_string(&data)?)?;
    Ok(())
}

/// Its records are private except as JSON.
fn gedcom_core_read(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let text = std::str::from_utf8(bytes)?;
    let records = serde_json::to_value(gedcom_core::data::records(text)?)?;
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let mut names = Vec::new();
    for person in records.as_array().into_iter().flatten().filter(|record| record["tag"] == "INDI") {
        for name in list(person, "subrecords").iter().filter(|structure| structure["tag"] == "NAME") {
            names.push(text_of(&name["value"]));
        }
    }
    print(&names, &[]);
    Ok(())
}

/// Returns all strings in a value, joined.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text_of).collect(),
        Value::Object(members) => members.values().map(text_of).collect(),
        _ => String::new(),
    }
}
