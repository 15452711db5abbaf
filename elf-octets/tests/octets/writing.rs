//! Line strings to octets, and lines changed in place.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::whole;
use elf_base::{Rules, Sink};
use elf_octets::{Encoding, Form, LineBreak, Options, Patch, PatchError, Source};

const D19: &Rules = &Rules::DECEMBER_2019;
const WILD: &Rules = &Rules::WILD;

#[test]
fn a_mark_is_written_where_the_draft_advises_one() {
    for (rules, encoding, start) in [
        (D19, Encoding::Utf8, b"0 HE".as_slice()),
        (D19, Encoding::Utf16Le, b"\xFF\xFE0\x00"),
        (D19, Encoding::Utf16Be, b"\xFE\xFF\x000"),
        (D19, Encoding::Ascii, b"0 HE"),
        (&Rules::JANUARY_2019, Encoding::Utf16Le, b"0\x00 \x00"),
        (&Rules::OCTOBER_2017, Encoding::Utf8, b"\xEF\xBB\xBF0"),
        (&Rules::OCTOBER_2017, Encoding::Utf16Be, b"\xFE\xFF\x000"),
        (&Rules::OCTOBER_2017, Encoding::Ansel, b"0 HE"),
    ] {
        let octets = Form::new(encoding, &rules.write).join(["0 HEAD"]).unwrap();
        assert_eq!(octets[..4], *start, "{encoding} under {}", rules.name);
    }
    // What has no mark gets none.
    assert_eq!(Form::new(Encoding::Ansel, &D19.write).with_mark(true).join(["0"]).unwrap(), b"0\n");
    assert_eq!(
        Form::new(Encoding::Utf8, &D19.write).with_mark(true).join(["0"]).unwrap(),
        b"\xEF\xBB\xBF0\n"
    );
}

#[test]
fn one_form_of_line_break_after_every_line() {
    for (line_break, octets) in [
        (LineBreak::Lf, b"0 HEAD\n1 NOTE \xC3\xA9\n0 TRLR\n".as_slice()),
        (LineBreak::Cr, b"0 HEAD\r1 NOTE \xC3\xA9\r0 TRLR\r"),
        (LineBreak::CrLf, b"0 HEAD\r\n1 NOTE \xC3\xA9\r\n0 TRLR\r\n"),
    ] {
        let form = Form::new(Encoding::Utf8, &D19.write).with_line_break(line_break);
        assert_eq!(form.join(["0 HEAD", "1 NOTE é", "0 TRLR"]).unwrap(), octets);
    }
    assert_eq!(Form::new(Encoding::Utf8, &D19.write).join([]).unwrap(), b"");
}

#[test]
fn what_cannot_be_written_is_said_and_leaves_nothing_behind() {
    let form = Form::new(Encoding::Windows1252, &D19.write);
    let mut octets = b"before".to_vec();
    for (line, character, offset) in [("a\u{301}", '\u{301}', 1), ("é\nb", '\n', 2), ("\r", '\r', 0)] {
        let missing = form.line(line, &mut octets).unwrap_err();
        assert_eq!(
            (missing.character, missing.offset, missing.encoding),
            (character, offset, Encoding::Windows1252)
        );
        assert_eq!(octets, b"before");
    }
    // D19-OCT-31: never surrogates in UTF-8.
    let form = Form::new(Encoding::Utf8, &D19.write);
    assert_eq!(form.join(["\u{20021}"]).unwrap(), b"\xF0\xA0\x80\xA1\n");
}

fn splice(octets: &[u8], patches: &[Patch]) -> Result<Vec<u8>, PatchError> {
    Source::read(octets, WILD, &Options::default(), &mut () as &mut dyn Sink).unwrap().splice(patches)
}

#[test]
fn untouched_lines_are_the_same_octets() {
    let octets =
        b"\xEF\xBB\xBF0 HEAD\r\n\n 1 CHAR UTF-8\r0 NOTE \xFF\xED\xA1\x80\xED\xB0\xA1 \xC2\x93\n0 TRLR";
    assert_eq!(splice(octets, &[]).unwrap(), octets);
    let patched =
        splice(octets, &[Patch::new(3..4, "1 CHAR UTF-8\n1 LANG é\n"), Patch::new(5..5, "0 X\n")]).unwrap();
    assert_eq!(
        patched,
        b"\xEF\xBB\xBF0 HEAD\r\n\n1 CHAR UTF-8\r1 LANG \xC3\xA9\r0 NOTE \xFF\xED\xA1\x80\xED\xB0\xA1 \xC2\x93\n0 X\n0 TRLR"
    );
}

#[test]
fn breaks_are_those_around() {
    for (octets, patches, expected) in [
        (
            b"0 HEAD\r\nx\ny\r\n".as_slice(),
            vec![Patch::new(1..2, "a\nb\n")],
            b"a\r\nb\r\nx\ny\r\n".as_slice(),
        ),
        (b"0 HEAD\r\nx\ny\r\n", vec![Patch::new(2..3, "a\nb\n")], b"0 HEAD\r\na\nb\ny\r\n"),
        (b"0 HEAD\r\nx\n", vec![Patch::new(3..3, "a\n")], b"0 HEAD\r\nx\na\n"),
        (b"0 HEAD\r\nx", vec![Patch::new(3..3, "a\n")], b"0 HEAD\r\nx\r\na"),
        (b"0 HEAD\r\nx", vec![Patch::new(2..3, "a\nb\n")], b"0 HEAD\r\na\r\nb"),
        (b"0 HEAD\r\nx", vec![Patch::new(2..3, "")], b"0 HEAD\r\n"),
        (b"0 HEAD", vec![Patch::new(2..2, "a\n\n")], b"0 HEAD\na\n"),
        (b"0 HEAD\nx", vec![Patch::new(2..3, ""), Patch::new(3..3, "a\n")], b"0 HEAD\na"),
        (b"0 HEAD\nx", vec![Patch::new(2..3, "y\n"), Patch::new(3..3, "a\n")], b"0 HEAD\ny\na"),
        (b"0 HEAD\nx", vec![Patch::new(3..3, "a\n"), Patch::new(3..3, "b\n")], b"0 HEAD\nx\na\nb"),
        (
            b"0 HEAD\nx\ny\n",
            vec![Patch::new(1..1, "a\n"), Patch::new(1..2, "b\n"), Patch::new(3..4, "")],
            b"a\nb\nx\n",
        ),
    ] {
        assert_eq!(splice(octets, &patches).unwrap(), expected, "{}", octets.escape_ascii());
    }
}

#[test]
fn patches_are_in_the_encoding_of_the_file() {
    let form = Form::new(Encoding::Utf16Be, &D19.write).with_line_break(LineBreak::CrLf);
    let octets = form.join(["0 HEAD", "1 CHAR UNICODE", "0 TRLR"]).unwrap();
    let expected = form.join(["0 HEAD", "1 CHAR UNICODE", "0 NOTE \u{20021}", "0 TRLR"]).unwrap();
    assert_eq!(splice(&octets, &[Patch::new(3..3, "0 NOTE \u{20021}\n")]).unwrap(), expected);
    let octets = b"0 HEAD\n1 CHAR ANSEL\n0 TRLR\n";
    assert_eq!(
        splice(octets, &[Patch::new(3..3, "0 NOTE ế\n")]).unwrap(),
        b"0 HEAD\n1 CHAR ANSEL\n0 NOTE \xE2\xE3e\n0 TRLR\n"
    );
    let Err(PatchError::Unencodable { patch: 0, error }) =
        splice(octets, &[Patch::new(3..3, "0 A\n0 NOTE Ж\n")])
    else {
        panic!("ANSEL has no Cyrillic");
    };
    assert_eq!((error.character, error.offset), ('Ж', 11));
    let Err(PatchError::Unencodable { error, .. }) = splice(octets, &[Patch::new(3..3, "0 A\r0 B\n")]) else {
        panic!("a patch is made of line strings");
    };
    assert_eq!((error.character, error.offset), ('\r', 3));
}

#[test]
fn patches_must_fit() {
    let octets = b"0 HEAD\n0 TRLR\n";
    for (patches, error) in [
        (vec![Patch::new(0..1, "")], PatchError::OutOfRange { patch: 0 }),
        (vec![Patch::new(2..4, "")], PatchError::OutOfRange { patch: 0 }),
        (vec![Patch::new(1..2, ""), Patch::new(4..4, "")], PatchError::OutOfRange { patch: 1 }),
        (vec![Patch::new(1..3, ""), Patch::new(2..2, "")], PatchError::Overlapping { patch: 1 }),
    ] {
        assert_eq!(splice(octets, &patches), Err(error));
    }
}

/// A half of a character does not stay after alone.
#[test]
fn a_cut_character_is_mended_when_half_of_it_goes() {
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE caf\xC3\n1 CONC \xA9 x\n0 TRLR\n";
    assert_eq!(splice(octets, &[Patch::new(5..6, "0 TRLR\n")]).unwrap(), octets);
    let head_gone = splice(octets, &[Patch::new(3..4, "0 NOTE thé\n")]).unwrap();
    assert_eq!(head_gone, b"0 HEAD\n1 CHAR UTF-8\n0 NOTE th\xC3\xA9\n1 CONC  x\n0 TRLR\n");
    let tail_gone = splice(octets, &[Patch::new(4..5, "1 CONC  noir\n")]).unwrap();
    assert_eq!(tail_gone, b"0 HEAD\n1 CHAR UTF-8\n0 NOTE caf\xC3\xA9\n1 CONC  noir\n0 TRLR\n");
    for octets in [head_gone, tail_gone] {
        assert_eq!(whole(&octets, D19).codes(), [""; 0]);
    }
    // Nor a mark of ANSEL without its letter, or the letter of one.
    let octets = b"0 HEAD\n1 CHAR ANSEL\n0 NOTE caf\xE2\n1 CONC e x\n0 TRLR\n";
    assert_eq!(splice(octets, &[Patch::new(5..6, "0 TRLR\n")]).unwrap(), octets);
    let head_gone = splice(octets, &[Patch::new(3..4, "0 NOTE thé\n")]).unwrap();
    assert_eq!(head_gone, b"0 HEAD\n1 CHAR ANSEL\n0 NOTE th\xE2e\n1 CONC  x\n0 TRLR\n");
    let tail_gone = splice(octets, &[Patch::new(4..5, "1 CONC  noir\n")]).unwrap();
    assert_eq!(tail_gone, b"0 HEAD\n1 CHAR ANSEL\n0 NOTE caf\xE2e\n1 CONC  noir\n0 TRLR\n");
}
