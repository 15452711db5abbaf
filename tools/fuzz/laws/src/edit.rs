//! The law of editing.

use crate::{Input, summary};
use elf_base::{Diagnostic, Rules};
use elf_edit::{Editor, Fixes, Safety, fix_document};
use elf_tagged::{Document, Node, Options, Payload, read};

/// A text with most of what has to be spelled with care.
const TEXT: &str = "a\nb@c";

/// Opens and edits the octets. Without an edit they come out as they went in, whatever they are. Safe fixes
/// keep the meaning of the file, add no fault, and leave nothing for a second time. And where one structure
/// of a conformant file gets another payload, the structure has it when the file is read again, and every
/// other structure is as it was.
///
/// # Panics
///
/// If the law does not hold.
pub fn edit(input: &Input<'_>) {
    let (rules, octets) = (input.rules, input.octets);
    let document = read(octets, rules, &Options::default(), &mut ()).expect("no fuzzed input has 4 GiB");
    let same = Editor::new(&document).finish(&mut ()).expect("nothing was asked for that could fail");
    assert!(*same.octets == *octets && same.patches.is_empty(), "by {}", rules.name);
    // What recovery makes of a faulty line depends on the lines around it, so there other structures may
    // change.
    if fix(octets, rules) > 0 {
        return;
    }
    let count = document.structures().count();
    for (index, node) in document.structures().enumerate().step_by(count / 3 + 1) {
        // What a pointer leads to, or not, may add and reject other structures.
        if !matches!(node.payload(), Payload::Pointer(_)) {
            one_payload_changes(&document, index, node);
        }
    }
}

/// Fixes a file; returns how many faults it has.
fn fix(octets: &[u8], rules: &Rules) -> usize {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let before = read(octets, rules, &Options::default(), &mut findings).expect("it was opened before");
    let faults = |findings: &[Diagnostic]| findings.iter().filter(|one| one.class.is_error()).count();
    let fixes = |document: &Document<'_>, findings: &[Diagnostic], safety: Safety| -> Fixes {
        fix_document(document, findings, safety.into(), &mut ())
    };
    let fixed = fixes(&before, &findings, Safety::Safe);
    let new = before.source().splice(&fixed.patches).expect("safe fixes can be written");
    let told = || format!("by {}: {}", rules.name, String::from_utf8_lossy(&new));
    let mut left: Vec<Diagnostic> = Vec::new();
    let after = read(&new, rules, &Options::default(), &mut left).expect("it is hardly longer");
    let said = |document: &Document<'_>| -> Vec<String> { document.structures().map(summary).collect() };
    assert_eq!(said(&before), said(&after), "{}", told());
    assert!(faults(&left) <= faults(&findings), "{}", told());
    assert_eq!(fixes(&after, &left, Safety::Safe).patches, [], "{}", told());
    // What needs a guess may say anything, but it can be written.
    let guessed = fixes(&before, &findings, Safety::Unsafe);
    assert!(before.source().splice(&guessed.patches).is_ok(), "{}", told());
    faults(&findings)
}

fn one_payload_changes(before: &Document<'_>, index: usize, node: Node<'_>) {
    let rules = before.rules();
    let mut editor = Editor::new(before);
    let structure = editor.structure(node).expect("a structure of the document");
    // Not every structure can have every payload, and not every encoding can spell it.
    let Ok(()) = editor.set(structure, TEXT) else { return };
    let Ok(edited) = editor.finish(&mut ()) else { return };
    let after = read(&edited.octets, rules, &Options::default(), &mut ()).expect("it is hardly longer");
    let told =
        || format!("by {}: {}\n{}", rules.name, summary(node), String::from_utf8_lossy(&edited.octets));
    let changed = after.structures().nth(index).unwrap_or_else(|| panic!("it is gone {}", told()));
    assert_eq!(changed.payload(), Payload::Text(TEXT.into()), "{}", told());
    let others = |document: &Document<'_>| -> Vec<String> {
        let others = document.structures().enumerate().filter(|(other, _)| *other != index);
        others.map(|(_, node)| summary(node)).collect()
    };
    assert_eq!(others(before), others(&after), "{}", told());
}
