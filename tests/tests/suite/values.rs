//! The dates, ages and times of real files: what they are read as, and what is unusual in them. The corpus
//! is beside the project; where it is absent, this test says so and passes.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::Rules;
use elf_schema::elf_values::check;
use elf_schema::{ReadOptions, Value};
use elf_tests::corpus::corpus;
use elf_tests::snapshot;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The kind of a value, as the snapshot counts them.
fn kind(value: &Value<'_>) -> &'static str {
    use elf_schema::elf_values::DateForm;
    match value {
        Value::Date(date) => match date.form() {
            DateForm::Exact(_) => "date",
            DateForm::Approximated(..) => "approximated date",
            DateForm::Interpreted(..) => "interpreted date",
            DateForm::Phrase(_) => "date phrase",
            DateForm::Before(_) | DateForm::After(_) | DateForm::Between(..) => "range",
            DateForm::From(_) | DateForm::To(_) | DateForm::FromTo(..) => "period as a date",
        },
        Value::Period(_) => "period",
        Value::Exact(_) => "exact date",
        Value::Age(_) => "age",
        Value::Time(_) => "time",
        _ => "text",
    }
}

#[test]
fn payloads_of_real_files_are_read_or_kept() {
    let Some(files) = corpus() else { return };
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut unusual: BTreeMap<String, u64> = BTreeMap::new();
    let mut all = 0;
    for file in &files {
        let typed = elf_schema::read(&file.octets, &Rules::WILD, &ReadOptions::default(), &mut ());
        let typed = typed.expect("a file of less than 4 GiB");
        for node in typed.document().structures() {
            let datatype = typed.datatype(node);
            let Some(value) = datatype.iri().and_then(|_| typed.value(node)) else { continue };
            all += 1;
            *counts.entry(kind(&value)).or_default() += 1;
            let text = node.text();
            for found in check(&text, datatype) {
                let meant = match &found.fix {
                    Some(fix) if fix.safety.name() == "safe" => format!("; means `{}`", fix.text),
                    Some(fix) => format!("; perhaps means `{}`", fix.text),
                    None => String::new(),
                };
                *unusual.entry(format!("{} {}{meant}", found.code.name(), found.message)).or_default() += 1;
            }
        }
    }
    let mut out = format!("{all} payloads in {} files\n\n", files.len());
    for (kind, count) in counts {
        writeln!(out, "{count:>6} {kind}").expect("a string");
    }
    out.push_str("\nUnusual:\n\n");
    for (line, count) in unusual {
        writeln!(out, "{count:>6} {line}").expect("a string");
    }
    snapshot::compare_with_file(&elf_tests::folder("snapshots").join("values.txt"), &out)
        .expect("the snapshot");
}
