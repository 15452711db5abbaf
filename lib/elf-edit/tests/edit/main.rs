//! The editor: what no edit names stays, octet for octet; what an edit names says what it was told.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test fails by panicking"
)]

mod edits;
mod findings;
mod fixes;
mod identifiers;
mod laws;
mod partial;
mod records_at_once;
mod state;
mod threads;

use elf_edit::{Edit, EditError, Editor, Value};
use elf_tagged::path::Path;
use elf_tagged::{Diagnostic, Document, Encoding, Options, Rules};

const WILD: &Rules = &Rules::WILD;
const D19: &Rules = &Rules::DECEMBER_2019;

fn path(text: &str) -> Path {
    text.parse().expect("a path")
}

fn set(at: &str, text: &str) -> Edit {
    Edit::Set(path(at), text.into())
}

fn point(at: &str, xref: &str) -> Edit {
    Edit::Set(path(at), Value::Pointer(xref.to_owned()))
}

fn remove(at: &str) -> Edit {
    Edit::Remove(path(at))
}

fn insert(at: &str, text: &str) -> Edit {
    Edit::Insert(path(at), if text.is_empty() { Value::None } else { text.into() })
}

fn r#move(from: &str, to: &str) -> Edit {
    Edit::Move(path(from), path(to))
}

fn rename(from: &str, to: &str) -> Edit {
    Edit::Rename(from.to_owned(), to.to_owned())
}

fn read_file<'o>(octets: &'o [u8], rules: &Rules) -> Document<'o> {
    elf_tagged::read(octets, rules, &Options::default(), &mut ()).expect("small")
}

/// The octets after the edits, and the codes of what they broke.
fn edit(octets: &[u8], rules: &Rules, edits: &[Edit]) -> Result<(Vec<u8>, Vec<&'static str>), EditError> {
    let document = read_file(octets, rules);
    let mut editor = Editor::new(&document);
    for edit in edits {
        editor.apply(edit, &mut ())?;
    }
    let mut findings: Vec<Diagnostic> = Vec::new();
    let edited = editor.finish(&mut findings)?;
    assert!(edited.faults <= findings.len() as u64);
    Ok((edited.octets.into_owned(), findings.iter().map(|finding| finding.code.id()).collect()))
}

/// The text after edits that break nothing.
fn edited(text: &str, edits: &[Edit]) -> String {
    let (octets, codes) = edit(text.as_bytes(), WILD, edits).expect("good edits");
    assert_eq!(codes, [""; 0], "{}", String::from_utf8_lossy(&octets));
    String::from_utf8(octets).expect("UTF-8 as before")
}

fn refused(text: &str, edits: &[Edit]) -> EditError {
    edit(text.as_bytes(), WILD, edits).expect_err("an edit that cannot be made")
}

const FILE: &str = "0 HEAD
1 CHAR UTF-8
1 GEDC
2 VERS 5.5.1
2 FORM LINEAGE-LINKED
0 @I1@ INDI
1 NAME Elizabeth /Windsor/
1 NAME Lilibet
2 TYPE aka
1 BIRT
2 DATE 21 APR 1926
2 PLAC London
1 NOTE a note
2 CONT of two lines
1 FAMC @F1@
0 @F1@ FAM
1 CHIL @I1@
0 TRLR
";

fn with(old: &str, new: &str) -> String {
    assert_eq!(FILE.matches(old).count(), 1, "{old}");
    FILE.replace(old, new)
}

/// A file in an encoding, its line breaks of one form.
fn in_form(text: &str, encoding: Encoding, line_break: &str) -> Vec<u8> {
    let name = match encoding {
        Encoding::Windows1252 => "ANSI",
        other => other.char_name().expect("one of the four"),
    };
    let mut octets =
        if encoding.is_utf16() { encoding.mark().unwrap_or_default().to_vec() } else { Vec::new() };
    let text = text.replace("UTF-8", name).replace('\n', line_break);
    encoding.encode_into(&text, &mut octets).expect("every character");
    octets
}

const FORMS: [(Encoding, &str); 18] = {
    let mut forms = [(Encoding::Utf8, ""); 18];
    let encodings = [
        Encoding::Utf8,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Ansel,
        Encoding::Windows1252,
        Encoding::Ascii,
    ];
    let mut at = 0;
    while at < 18 {
        forms[at] = (encodings[at / 3], ["\n", "\r\n", "\r"][at % 3]);
        at += 1;
    }
    forms
};

/// Returns files of the lines, alone or between a header and a trailer, in three encodings.
fn files(lines: String, head: bool) -> impl Iterator<Item = Vec<u8>> {
    let file = if head { format!("0 HEAD\n{lines}0 TRLR\n") } else { lines };
    [Encoding::Utf8, Encoding::Utf16Le, Encoding::Ansel].into_iter().map(move |encoding| {
        let mut octets = encoding.mark().unwrap_or_default().to_vec();
        encoding.encode_into(&file, &mut octets).expect("ANSEL has an é");
        octets
    })
}
