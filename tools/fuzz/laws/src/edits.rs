//! The law of edits.

use crate::Input;
use elf_edit::{Edit, EditOptions, Value};
use elf_tests::edits::apply_edits;

/// A file and a list of edits, separated by a byte 0: whatever the edits are, nothing panics, each changed line
/// is in a patch, and without an edit nothing changes.
///
/// An edit is a line: `set PATH=VALUE`, `text PATH=VALUE`, `insert PATH=VALUE`, `remove PATH`,
/// `move PATH=PATH`, `rename OLD=NEW`; `cascade`, `create` and `dangling` are options.
///
/// # Panics
///
/// If the law does not hold.
pub fn edits(input: &Input<'_>) {
    let mut halves = input.octets.splitn(2, |octet| *octet == 0);
    let file = halves.next().unwrap_or_default();
    let list = String::from_utf8_lossy(halves.next().unwrap_or_default()).into_owned();
    let mut options = EditOptions::new();
    let mut edits = Vec::new();
    for line in list.lines().take(8) {
        match line {
            "cascade" => options = options.with_cascade(true),
            "create" => options = options.with_create(true),
            "dangling" => options = options.with_dangling(true),
            line => edits.extend(edit(line)),
        }
    }
    let Some(outcome) = apply_edits(file, input.rules, &edits, options) else { return };
    assert!(!edits.is_empty() || outcome.octets == file, "nothing was asked for");
    assert!(!outcome.patches.is_empty() || outcome.octets == file, "a line changed without a patch");
    assert!(outcome.faults <= outcome.findings.len() as u64, "a fault is not among the findings");
}

fn edit(line: &str) -> Option<Edit> {
    let (what, rest) = line.split_once(' ')?;
    // The first equals sign outside brackets ends the path; a fuzzer finds those too.
    let (path, value) = rest.split_once('=').unwrap_or((rest, ""));
    match what {
        "set" => Some(Edit::Set(path.parse().ok()?, Value::of(value))),
        "text" => Some(Edit::Set(path.parse().ok()?, Value::Text(value.to_owned()))),
        "insert" => Some(Edit::Insert(path.parse().ok()?, Value::of(value))),
        "remove" => Some(Edit::Remove(rest.parse().ok()?)),
        "move" => Some(Edit::Move(path.parse().ok()?, value.parse().ok()?)),
        "rename" => Some(Edit::Rename(path.to_owned(), value.to_owned())),
        _ => None,
    }
}
