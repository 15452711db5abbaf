//! The law of what is shown.

use crate::Input;
use elf_report::human::Renderer;
use elf_report::schema::SchemaFormat;
use elf_report::tree::Structures;
use elf_report::{json, sanitise, schema};
use elf_schema::{Diagnostic, ReadOptions};

/// The text that a person is shown has no control character but line breaks and tabs, whatever a file holds;
/// a program is shown an object of JSON for each finding and structure, without a line break in it.
///
/// # Panics
///
/// If the law does not hold.
pub fn render(input: &Input<'_>) {
    let mut found: Vec<Diagnostic> = Vec::new();
    let typed = elf_schema::read(input.octets, input.rules, &ReadOptions::default(), &mut found);
    let typed = typed.expect("a fuzzed input is small");
    let name = String::from_utf8_lossy(input.octets.get(..8).unwrap_or_default()).into_owned();
    let renderer = Renderer::new(false, Some(80));
    for finding in found.iter().take(50) {
        is_plain(&renderer.diagnostic(&sanitise(&name), finding));
        let mut line = Vec::new();
        json::write_diagnostic(&mut line, &name, finding).expect("a vector takes it");
        is_json(&line);
    }
    let structures = Structures::typed(typed.document(), typed.typing());
    for record in typed.document().records().take(50) {
        let (mut human, mut line) = (Vec::new(), Vec::new());
        structures.human(&mut human, record, false).expect("a vector takes it");
        is_plain(&String::from_utf8(human).expect("it is text"));
        structures.json(&mut line, record).expect("a vector takes it");
        is_json(&line);
    }
    let mut shown = Vec::new();
    schema::write(&mut shown, typed.schema(), SchemaFormat::Human).expect("a vector takes it");
    is_plain(&String::from_utf8(shown).expect("it is text"));
}

fn is_plain(text: &str) {
    assert!(!text.contains(|one: char| one.is_control() && !matches!(one, '\n' | '\t')), "{text:?}");
}

fn is_json(line: &[u8]) {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    assert!(!line.contains(&b'\n'), "{}", line.escape_ascii());
    // A structure may nest deeper than a reader of JSON goes.
    let read: Result<serde_json::Value, serde_json::Error> = serde_json::from_slice(line);
    let is_good = read.as_ref().is_ok_and(serde_json::Value::is_object)
        || read.as_ref().is_err_and(|error| error.to_string().contains("recursion limit"));
    assert!(is_good, "{read:?}: {}", line.escape_ascii());
}
