//! Laws of every file and every edit.

use super::*;
use elf_tagged::elf_octets::Patch;
use elf_tagged::{Document, Node, Payload, read};
use proptest::prelude::*;

/// Gives every structure the payload it has.
fn all_to_themselves(octets: &[u8], rules: &Rules) {
    let document = read_file(octets, rules);
    let mut editor = Editor::new(&document);
    let same: Vec<_> = editor
        .document()
        .structures()
        .chain(editor.document().serialisation_metadata())
        .filter(|node| !node.is_inserted() && !node.is_error() && node.tag() != "CHAR")
        .map(|node| (editor.structure(node).expect("its own"), value(node)))
        .collect();
    for (structure, value) in same {
        match editor.set(structure, value) {
            // A pointer of the file may be none a writer may write.
            Ok(())
            | Err(
                EditError::Xref { .. }
                | EditError::NoCharacter { .. }
                | EditError::TagReserved { .. }
                | EditError::Incomplete,
            ) => {}
            // HEAD.CHAR is not set; nor is what is under it.
            Err(EditError::CharacterEncoding | EditError::MetadataLines) => {}
            Err(EditError::Unencodable(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    let edited = match editor.finish(&mut ()) {
        Err(EditError::SharedLine { .. }) => return,
        edited => edited.expect("nothing changes"),
    };
    let show = || format!("by {}: {:?}", rules.name, edited.patches);
    assert!(*edited.octets == *octets && edited.patches.is_empty(), "{}", show());
}

fn value(node: Node<'_>) -> Value {
    match node.pointer() {
        Some(id) => Value::Pointer(id.to_owned()),
        None => match node.payload() {
            Payload::None => Value::None,
            _ => Value::Text(node.text().into_owned()),
        },
    }
}

fn unedited(octets: &[u8], rules: &Rules) {
    let document = read_file(octets, rules);
    let editor = Editor::new(&document);
    let edited = editor.finish(&mut ()).expect("no edit, no error");
    assert!(matches!(edited.octets, std::borrow::Cow::Borrowed(same) if same == octets));
}

/// The files of the corpus, which is beside the project and may be absent.
#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
pub(super) fn corpus() -> Vec<(String, Vec<u8>)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["../shared/corpus", "examples", "command/elf-cli/tests/files"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            eprintln!("skipped: there is no folder {folder}");
            continue;
        };
        for entry in entries.flatten() {
            if let Ok(octets) = std::fs::read(entry.path()) {
                files.push((entry.file_name().to_string_lossy().into_owned(), octets));
            }
        }
    }
    files
}

#[test]
fn corpus_files_stay_the_same() {
    for (name, octets) in corpus() {
        for rules in Rules::PRESETS {
            let checked = std::panic::catch_unwind(|| {
                unedited(&octets, rules);
                all_to_themselves(&octets, rules);
            });
            assert!(checked.is_ok(), "{name} by {}", rules.name);
        }
    }
}

/// Writes every line anew, as it was decoded.
fn all_lines_anew(octets: &[u8]) {
    let document = read_file(octets, WILD);
    let editor = Editor::new(&document);
    let source = editor.document().source();
    let used = source.decision().used;
    // What was fixed in decoding is not spelled as it was, and ANSEL can spell one text in two ways.
    if !source.irregular().is_empty() || used == Encoding::Ansel {
        return;
    }
    let numbers = 1..=source.line_count();
    let line =
        |number| source.line_text(number).map(|text| Patch::new(number..number + 1, format!("{text}\n")));
    let patches: Vec<Patch> = numbers.filter_map(line).collect();
    assert_eq!(patches.len() as u64, source.line_count());
    let anew = source.splice(&patches).expect("what was decoded can be encoded");
    assert!(anew == octets, "{used}");
}

#[test]
fn lines_written_anew_are_the_same_octets() {
    for (name, octets) in corpus() {
        let checked = std::panic::catch_unwind(|| all_lines_anew(&octets));
        assert!(checked.is_ok(), "{name}");
    }
    for (encoding, line_break) in FORMS {
        all_lines_anew(&in_form(FILE, encoding, line_break));
    }
}

#[test]
fn payloads_set_to_themselves_stay_in_every_encoding() {
    let text = FILE
        .replace("a note", "a\u{20}@ note")
        .replace("2 CONT of", "2 CONC r @@x\n2 CONT\tof")
        .replace("London", "Málaga");
    for (encoding, line_break) in FORMS {
        let text = if encoding == Encoding::Ascii { text.replace('á', "a") } else { text.clone() };
        let octets = in_form(&text, encoding, line_break);
        for rules in Rules::PRESETS {
            all_to_themselves(&octets, rules);
        }
    }
}

/// Tag, identifier and payload of every structure with its depth.
fn structures(document: &Document<'_>) -> Vec<(usize, String, Option<String>, Value)> {
    document
        .structures()
        .map(|node| {
            let xref = node.xref().map(str::to_owned);
            (node.with_ancestors().count(), node.tag().to_owned(), xref, value(node))
        })
        .collect()
}

fn edits() -> impl Strategy<Value = Edit> {
    let paths = prop::sample::select(vec![
        "INDI",
        "@I1@",
        "@I2@",
        "FAM",
        "NOTE",
        "NOTE[2]",
        "INDI/NAME",
        "@I1@/BIRT",
        "@I2@/BIRT/DATE",
        "FAM/CHIL",
        "INDI[2]/NOTE",
        "INDI[2]/NOTE/SOUR",
        "FAM/X/Y",
        "@I1@/BIRT[2]",
        "FAM/X",
        "@I1@/NAME/NOTE",
    ]);
    let texts =
        prop::sample::select(vec!["", "x", "two\nlines", "\n\n", "a@b", " blanks ", "é", "x\r\ny\nz"]);
    let ids = prop::sample::select(vec!["I1", "I2", "I3", "F1"]);
    let strings = |path: &str| path.to_owned();
    prop_oneof![
        3 => (paths.clone(), texts.clone()).prop_map(|(at, text)| set(at, text)),
        1 => (paths.clone(), ids.clone()).prop_map(|(at, id)| point(at, id)),
        2 => paths.clone().prop_map(remove),
        3 => (paths.clone().prop_filter("a tag", |at| !at.ends_with('@')), texts).prop_map(|(at, text)| insert(at, text)),
        3 => (paths.clone(), paths).prop_map(|(from, to)| r#move(from, to)),
        1 => (ids.clone(), ids).prop_map(move |(from, to)| Edit::Rename(strings(from), strings(to))),
    ]
}

const FAMILY: &str = "0 HEAD
1 CHAR UTF-8
0 @I1@ INDI
1 NAME A
2 NOTE deep
1 BIRT
2 DATE 1 JAN 1900

0 @I2@ INDI
1 NAME B
1 BIRT
2 DATE 2
1 NOTE long
2 CONC er
2 CONT note
2 SOUR s
3 DATA d
0 @F1@ FAM
1 CHIL @I1@
1 CHIL @I2@
0 NOTE n
1 SOUR t
0 TRLR
";

proptest! {
    #[test]
    fn without_an_edit_any_octets_stay(octets in prop::collection::vec(any::<u8>(), 0..300)) {
        for rules in Rules::PRESETS {
            unedited(&octets, rules);
            all_to_themselves(&octets, rules);
        }
    }

    #[test]
    fn without_an_edit_any_lines_stay(
        lines in "(((0|1|2|01| 1|\t3) ?(@[A-C ]{1,2}@ )?(NOTE|CONT|CONC|NAME|FAMC|x y|HEAD|CHAR|GEDC|SCHMA)( [a@# UDA1é]{0,9}| @A@|)|@|junk|)(\n|\r|\r\n)){0,12}",
        head in any::<bool>(),
    ) {
        for octets in super::files(lines, head) {
            for rules in Rules::PRESETS {
                unedited(&octets, rules);
                all_to_themselves(&octets, rules);
            }
        }
    }

    #[test]
    fn several_edits_at_once_are_the_edits_one_by_one(edits in prop::collection::vec(edits(), 1..8)) {
        for rules in [WILD, D19, &Rules::JANUARY_2019, &Rules::JULY_2017] {
            let document = read_file(FAMILY.as_bytes(), rules);
            let mut together = Editor::new(&document);
            let mut one_by_one = FAMILY.as_bytes().to_vec();
            for edit in &edits {
                let first = together.apply(edit, &mut ());
                let document = read_file(&one_by_one, rules);
                let mut single = Editor::new(&document);
                if !single.document().is_complete() {
                    return Ok(());
                }
                let second = single.apply(edit, &mut ());
                prop_assert_eq!(&first, &second, "{:?}", edit);
                let next = single.finish(&mut ());
                one_by_one = next.expect("an edit that was taken").octets.into_owned();
            }
            let edited = together.finish(&mut ()).expect("edits that were taken");
            // Where an empty payload is none, a line may have kept the separator of one that was there in
            // between; and the blank line may stand on either side of what was put between the lines around
            // it.
            let text = |octets: &[u8]| String::from_utf8_lossy(octets).replace(" \n", "\n").replace("\n\n", "\n");
            prop_assert_eq!(text(&edited.octets), text(&one_by_one), "by {}", rules.name);
        }
    }

    #[test]
    fn edits_that_are_rolled_back_were_never_made(
        first in prop::collection::vec(edits(), 0..5),
        second in prop::collection::vec(edits(), 1..6),
    ) {
        for rules in [WILD, D19] {
            let document = read_file(FAMILY.as_bytes(), rules);
            let mut editor = Editor::new(&document);
            let start = editor.checkpoint();
            for edit in &first {
                let _ = editor.apply(edit, &mut ());
            }
            let (before, octets) = (editor.checkpoint(), editor.finish(&mut ()).map(|edited| edited.octets.into_owned()));
            let mut results = Vec::new();
            for _ in 0..2 {
                let result: Vec<_> = second.iter().map(|edit| editor.apply(edit, &mut ())).collect();
                results.push((result, editor.finish(&mut ()).map(|edited| edited.octets.into_owned())));
                editor.roll_back(&before).expect("its own");
                prop_assert_eq!(&editor.finish(&mut ()).map(|edited| edited.octets.into_owned()), &octets);
            }
            prop_assert_eq!(&results[0], &results[1]);
            editor.roll_back(&start).expect("its own");
            prop_assert_eq!(&*editor.finish(&mut ()).expect("no edit").octets, FAMILY.as_bytes());
        }
    }

    #[test]
    fn what_is_set_is_read(texts in prop::collection::vec("[a@# U\u{e9}\u{301}Ж1\n\r\t]{0,40}|x{300}( y)*", 1..4)) {
        for (encoding, line_break) in FORMS {
            let octets = in_form(FILE, encoding, line_break);
            let document = read_file(&octets, D19);
            let mut edited = Editor::new(&document);
            let mut expected = structures(edited.document());
            let places = ["@I1@/NOTE", "@I1@/BIRT/PLAC", "@I1@/NAME[2]"];
            if encoding == Encoding::Windows1252 {
                continue;
            }
            for (at, text) in places.iter().zip(&texts) {
                edited.apply(&set(at, text), &mut ()).expect("any text");
                let tag = at.rsplit(['/']).next().unwrap_or_default().trim_end_matches("[2]");
                let found = expected.iter_mut().filter(|(_, of, ..)| of == tag).nth(usize::from(tag == "NAME"));
                let meant = text.replace("\r\n", "\n").replace('\r', "\n");
                found.expect("a structure").3 = if meant.is_empty() { Value::None } else { Value::Text(meant) };
            }
            let mut findings: Vec<Diagnostic> = Vec::new();
            let output = edited.finish(&mut findings).expect("any text");
            prop_assert!(findings.is_empty(), "{:?}", findings);
            let again = read(&output.octets, D19, &Options::default(), &mut ()).expect("small");
            let found = structures(&again);
            for (found, expected) in found.iter().zip(&expected) {
                // ANSEL has marks of their own.
                if encoding != Encoding::Ansel {
                    prop_assert_eq!(found, expected, "{}", encoding);
                }
            }
            prop_assert_eq!(found.len(), expected.len());
        }
    }
}
