//! Editing in parts: what stays is the same octets, and what comes of it is what the editor of a whole file
//! makes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_edit::{EditError, EditedParts, Editor, PartEditor};
use elf_tagged::{Document, Node, Options, Reader, Rules, XrefReader, Xrefs, starts_record};
use proptest::prelude::*;

/// Reads a file in parts of about `size` octets, removes the structures that `gone` names, and returns what
/// comes of it.
fn in_parts(
    octets: &[u8],
    rules: &Rules,
    size: usize,
    mut gone: impl FnMut(&Node<'_>) -> bool,
) -> Result<Vec<u8>, EditError> {
    let options = Options::default();
    let reader = match Xrefs::are_needed(rules) {
        true => {
            let names = XrefReader::new(octets, rules, &options).with_run_size(size).into_xrefs().unwrap();
            Reader::with_xrefs(octets, names)
        }
        false => Reader::new(octets, rules, &options),
    };
    let mut reader = reader.with_run_size(size);
    let (mut parts, mut out) = (EditedParts::default(), Vec::new());
    while let Some(part) = reader.next_run(&mut ()).unwrap() {
        let mut editor = PartEditor::new(&part);
        for node in part.records().filter(|node| !node.is_inserted() && gone(node)) {
            editor.remove(node)?;
        }
        let edited = editor.finish()?;
        out.extend_from_slice(&edited.octets);
        parts.add(edited)?;
    }
    parts.finish()?;
    Ok(out)
}

/// Removes records from a whole file.
fn as_whole(octets: &[u8], rules: &Rules, gone: impl Fn(&Node<'_>) -> bool) -> Result<Vec<u8>, EditError> {
    let mut editor = Editor::open(octets, rules, &Options::default()).unwrap();
    let records = |document: &Document<'_>| -> Vec<u32> {
        let records = document.records().filter(|node| !node.is_inserted() && gone(node));
        records.map(|node| node.id().get()).collect()
    };
    for id in records(editor.document()) {
        let node = editor.document().node(elf_tagged::NodeId::new(id)).unwrap();
        let structure = editor.structure(node)?;
        editor.remove(structure)?;
    }
    editor.finish(&mut ()).map(|edited| edited.octets.into_owned())
}

#[test]
fn the_lines_behind_the_end_of_the_reading_are_left_out() {
    let file = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\nno line\n0 @I2@ INDI\n0 TRLR\n";
    for size in [1, 1000] {
        let kept = in_parts(file, &Rules::DECEMBER_2019, size, |_| false).unwrap();
        assert_eq!(kept, b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n", "{size}");
        let kept = in_parts(file, &Rules::DECEMBER_2019, size, |node| node.xref() == Some("I1")).unwrap();
        assert_eq!(kept, b"0 HEAD\n", "{size}");
    }
}

#[test]
fn a_file_that_would_be_read_in_another_encoding_is_refused() {
    // Enough accents in Windows-1252 to be taken for it; what is left is UTF-8.
    let many =
        "1 NOTE \u{e9}t\u{e9} \u{e8}re \u{e7}a \u{ea}tre \u{e0} l\u{e0} no\u{eb}l \u{f4}ter \u{e9}crit\n"
            .repeat(20);
    let text =
        format!("0 HEAD\n1 CHAR ASCII\n0 @I1@ INDI\n{many}0 @I2@ INDI\n1 NOTE M\u{c3}\u{bc}ller\n0 TRLR\n");
    let octets: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    for size in [1, 1 << 20] {
        let result = in_parts(&octets, &Rules::WILD, size, |node| node.xref() == Some("I1"));
        assert!(matches!(result, Err(EditError::EncodingChanged { .. })), "{size}: {result:?}");
        let result = in_parts(&octets, &Rules::WILD, size, |node| node.xref() == Some("I2"));
        assert!(result.is_ok(), "{size}: {result:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn parts_are_edited_as_the_whole(
        lines in proptest::collection::vec(
            "[0123] (@[ABCD]@ )?(INDI|NOTE|NAME|WHAT|CONT|CONC|HEAD|TRLR|x-)( @[AB]@| t@xt| caf\u{E9})?|[ -~]{0,12}",
            0..40,
        ),
        at in any::<prop::sample::Index>(),
        with in prop::sample::select(vec![b'0', b'@', b'\n', b'\r', b' ', 0xC3, 0xFF, 0]),
        size in 1_usize..200,
        rules in prop::sample::select(Rules::PRESETS.to_vec()),
        gone in prop::sample::select(vec!["", "A", "B", "AB", "ABCD"]),
        (utf16, breaks) in (any::<bool>(), prop::sample::select(vec!["\n", "\r\n", "\r"])),
    ) {
        let text = format!("0 HEAD\n1 CHAR UTF-8\n{}\n0 TRLR\n", lines.join("\n")).replace('\n', breaks);
        let mut octets: Vec<u8> = match utf16 {
            true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            false => text.into_bytes(),
        };
        let at = at.index(octets.len());
        octets[at] = with;
        let is_gone = |node: &Node<'_>| node.xref().is_some_and(|xref| gone.contains(xref));
        let document = elf_tagged::read(&octets, rules, &Options::default(), &mut ()).unwrap();
        let complete = document.is_complete();
        // What starts no part is refused where it would come to stand at the start of one.
        let is_start = |node: &Node<'_>| starts_record(node.line_span().of(document.source().text()), rules);
        let strays = document.lines().any(|node| !node.is_inserted() && !is_start(&node));
        let strays = strays || !document.rejected_lines().is_empty();
        match in_parts(&octets, rules, size, is_gone) {
            Ok(kept) if !complete => prop_assert!(octets.starts_with(&kept) || !gone.is_empty()),
            Ok(kept) => {
                let whole = as_whole(&octets, rules, is_gone);
                prop_assert!(whole.as_ref() == Ok(&kept), "{}: {:?} {:?}", rules.name, whole, kept);
            }
            Err(error) => {
                prop_assert!(!gone.is_empty(), "{error}");
                let whole = as_whole(&octets, rules, is_gone);
                prop_assert!(!complete || strays || whole.is_err(), "{}: {error}", rules.name);
            }
        }
    }
}
