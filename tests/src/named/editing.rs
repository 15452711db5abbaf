//! Named tests about editing.

use super::{expect_equal, expect_true};
use crate::corpus::corpus;
use crate::fixtures::Fixture;
use elf_base::{Diagnostic, Rules};
use elf_edit::{Editor, Structure, Value};
use elf_octets::Options;
use elf_tagged::Document;
use elf_tagged::path::Path;

fn read<'o>(octets: &'o [u8], rules: &Rules) -> Result<Document<'o>, String> {
    elf_tagged::read(octets, rules, &Options::default(), &mut ()).map_err(|error| error.to_string())
}

fn find(editor: &Editor<'_>, path: &str) -> Result<Structure, String> {
    let path: Path = path.parse().map_err(|error| format!("{path}: {error}"))?;
    editor.find_one(&path, &mut ()).map_err(|error| error.to_string())
}

/// D19-GEN-10: without edits a file stays the same byte for byte. An edit changes only the line that it names.
pub(super) fn what_is_not_edited_stays() -> Result<(), String> {
    let mut files = vec![b"0 HEAD\r\n1 CHAR ANSEL\r\n0 NOTE a \r\n0 TRLR\r\n".to_vec()];
    for fixture in Fixture::all_fixtures()? {
        files.push(fixture.octets()?);
    }
    files.extend(corpus().into_iter().flatten().map(|file| file.octets));
    for octets in &files {
        for rules in [&Rules::DECEMBER_2019, &Rules::WILD] {
            let document = read(octets, rules)?;
            let edited = Editor::new(&document).finish(&mut ()).map_err(|error| error.to_string())?;
            expect_true("a file without an edit to stay the same", *edited.octets == **octets)?;
        }
    }
    let octets =
        b"0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n  1\tNAME Jo\xE4ao \r\n1 SEX M\n0 NOTE a \r\n\r\n0 TRLR";
    let document = read(octets, &Rules::WILD)?;
    let mut editor = Editor::new(&document);
    let sex = find(&editor, "@I1@/SEX")?;
    editor.set(sex, Value::from("F")).map_err(|error| error.to_string())?;
    let edited = editor.finish(&mut ()).map_err(|error| error.to_string())?;
    let expected =
        b"0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n  1\tNAME Jo\xE4ao \r\n1 SEX F\n0 NOTE a \r\n\r\n0 TRLR";
    expect_equal("the file", &expected.escape_ascii().to_string(), &edited.octets.escape_ascii().to_string())
}

/// D19-GEN-11: an edit that makes a file non-conformant is refused or reported.
pub(super) fn a_conformant_file_stays_so() -> Result<(), String> {
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 @A@ A\n1 B\n2 C x\n0 @D@ D\n1 E @A@\n0 TRLR\n";
    type Change = fn(&mut Editor<'_>) -> Result<(), String>;
    let changes: [(&str, Change); 8] = [
        ("nothing", |_| Ok(())),
        ("a level less", |editor| {
            let b = find(editor, "@A@/B")?;
            editor.remove(b).map_err(|error| error.to_string())
        }),
        ("a tag that is none", |editor| {
            let b = find(editor, "@A@/B")?;
            editor.set_tag(b, "B-C").map_err(|error| error.to_string())
        }),
        ("a reserved tag", |editor| {
            let d = find(editor, "@D@")?;
            editor.set_tag(d, "TRLR").map_err(|error| error.to_string())
        }),
        ("a continuation", |editor| {
            let b = find(editor, "@A@/B")?;
            editor
                .insert(Some(b), None, "CONT", Value::None, None)
                .map(|_| ())
                .map_err(|error| error.to_string())
        }),
        ("a pointer that leads nowhere", |editor| {
            let a = find(editor, "@A@")?;
            editor.remove(a).map_err(|error| error.to_string())
        }),
        ("an identifier borne twice", |editor| {
            editor
                .insert(None, Some("A"), "A", Value::None, None)
                .map(|_| ())
                .map_err(|error| error.to_string())
        }),
        ("a code point that is no character", |editor| {
            let c = find(editor, "@A@/B/C")?;
            editor.set(c, Value::from("\u{FFFE}")).map_err(|error| error.to_string())
        }),
    ];
    for (what, change) in changes {
        for rules in [&Rules::DECEMBER_2019, &Rules::WILD] {
            let document = read(octets, rules)?;
            let mut editor = Editor::new(&document);
            if change(&mut editor).is_err() {
                continue;
            }
            let mut said: Vec<Diagnostic> = Vec::new();
            let edited = editor.finish(&mut said).map_err(|error| error.to_string())?;
            let mut findings = Vec::new();
            elf_tagged::read(&edited.octets, rules, &Options::default(), &mut findings)
                .map_err(|e| e.to_string())?;
            let conformant = !findings.iter().any(|found| found.class.is_error());
            let reported = said.iter().any(|found| found.class.is_error());
            expect_true(
                &format!("{what} to stay conformant, be refused or be said"),
                conformant || reported,
            )?;
        }
    }
    Ok(())
}

/// D19-GEN-12: faults in other places stay and are not reported.
pub(super) fn faults_elsewhere_stay() -> Result<(), String> {
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE @# x\n0 @A@ INDI\n1 _A y\n0 TRLR\n";
    let document = read(octets, &Rules::WILD)?;
    let mut editor = Editor::new(&document);
    let structure = find(&editor, "@A@/_A")?;
    editor.set_tag(structure, "_B").map_err(|error| error.to_string())?;
    let mut said: Vec<Diagnostic> = Vec::new();
    let edited = editor.finish(&mut said).map_err(|error| error.to_string())?;
    let expected = String::from_utf8_lossy(octets).replace("_A", "_B");
    expect_equal("the file", &expected, &String::from_utf8_lossy(&edited.octets).into_owned())?;
    expect_equal("findings", &0, &said.len())
}
