//! The law of editing.

use crate::summary;
use elf_base::{Rules, Tally};
use elf_tagged::edit::{Editor, Structure};
use elf_tagged::{Document, Node, Options, Payload, read};

/// A text with most of what has to be spelled with care.
const TEXT: &str = "a\nb@c";

/// Whatever the octets are, without an edit they come out as they went in; and where one structure of a conformant file
/// gets another payload, that is what it has when the file is read again, and every other structure is as it was.
///
/// # Panics
///
/// Where that is not so.
pub fn edit(octets: &[u8]) {
    for rules in Rules::PRESETS {
        let editor = Editor::open(octets, rules, &Options::default()).expect("no fuzzed input has 4 GiB");
        let same = editor.finish(&mut ()).expect("nothing was asked for that could fail");
        assert!(*same.octets == *octets && same.patches.is_empty(), "by {}", rules.name);
        let document = editor.document();
        // What recovery makes of a faulty line depends on the lines around it, so there other structures may change.
        let mut findings = Tally::new(());
        let _ = read(octets, rules, &Options::default(), &mut findings);
        if findings.errors() > 0 {
            continue;
        }
        let count = document.structures().count();
        for (index, node) in document.structures().enumerate().step_by(count / 3 + 1) {
            // What a pointer leads to, or not, may add and reject other structures.
            if !matches!(node.payload(), Payload::Pointer(_)) {
                one_payload_changes(octets, document, index, node);
            }
        }
    }
}

fn one_payload_changes(octets: &[u8], before: &Document<'_>, index: usize, node: Node<'_>) {
    let rules = before.rules();
    let mut editor = Editor::open(octets, rules, &Options::default()).expect("it was opened before");
    // Not every structure can have every payload, and not every encoding can spell it.
    let Ok(()) = editor.set(Structure::from(node.id()), TEXT) else { return };
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
