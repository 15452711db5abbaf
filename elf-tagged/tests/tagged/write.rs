//! Tests of what a writer makes of structures: every duty of December 2019.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use crate::writing;

use elf_tagged::write::{
    Content, LineBreak, OptionError, Preamble, PreambleLine, Versions, WriteError, WriteOptions, Writer,
};
use elf_tagged::{Class, Diagnostic, Encoding, Piece, Rules};
use writing::{D19, HEAD, ascii, between, body, note, octets, strict, width};

#[test]
fn an_empty_document_is_header_and_trailer() {
    let (octets, ..) = octets(D19, &WriteOptions::new(), &Preamble::new(), &[]);
    assert_eq!(String::from_utf8_lossy(&octets), format!("{HEAD}0 TRLR\n"));
}

#[test]
fn every_line_break_has_one_form() {
    for (form, text) in [(LineBreak::Lf, "\n"), (LineBreak::Cr, "\r"), (LineBreak::CrLf, "\r\n")] {
        let options = WriteOptions::new().with_line_break(form);
        let (octets, ..) =
            octets(D19, &options, &Preamble::new(), &[(0, None, "NOTE", Content::Text("a\nb\r\nc\rd"))]);
        let expected = format!("{HEAD}0 NOTE a\n1 CONT b\n1 CONT c\n1 CONT d\n0 TRLR\n").replace('\n', text);
        assert_eq!(String::from_utf8_lossy(&octets), expected);
    }
}

#[test]
fn the_encoding_is_the_one_char_names_with_a_mark_where_advised() {
    let start = |encoding: Encoding| {
        let options = WriteOptions::new().with_encoding(encoding);
        octets(D19, &options, &Preamble::new(), &[]).0
    };
    assert!(start(Encoding::Utf8).starts_with(b"0 HEAD\n1 CHAR UTF-8\n"));
    assert!(start(Encoding::Ascii).starts_with(b"0 HEAD\n1 CHAR ASCII\n"));
    assert!(start(Encoding::Ansel).starts_with(b"0 HEAD\n1 CHAR ANSEL\n"));
    assert!(start(Encoding::Utf16Le).starts_with(b"\xFF\xFE0\0 \0H\0"));
    assert!(start(Encoding::Utf16Be).starts_with(b"\xFE\xFF\x000\0 \0H"));
    let utf16 = start(Encoding::Utf16Be);
    let name: Vec<u8> = "1 CHAR UNICODE\n".bytes().flat_map(|octet| [0, octet]).collect();
    assert!(utf16.windows(name.len()).any(|window| window == name));
}

#[test]
fn options_that_cannot_be_are_refused() {
    let new = |options: WriteOptions| Writer::new(Vec::new(), D19, &options, &mut ()).err();
    assert_eq!(new(ascii().with_mark(Some(true))), Some(OptionError::NoMark(Encoding::Ascii)));
    assert_eq!(
        new(WriteOptions::new().with_encoding(Encoding::Windows1252)),
        Some(OptionError::EncodingWithoutName(Encoding::Windows1252))
    );
    let options = WriteOptions::new().with_versions(Versions::ElfAlone);
    let mut sink = ();
    let mut writer = Writer::new(Vec::new(), D19, &options, &mut sink).expect("good options");
    let error = writer.head(&Preamble::new());
    assert!(matches!(error, Err(WriteError::Options(OptionError::GedcomVersionNeeded))));
}

#[test]
fn the_header_holds_the_versions_asked_for() {
    let head = |options: WriteOptions, preamble: &Preamble<'_>| {
        let text = String::from_utf8(octets(D19, &options, preamble, &[]).0).expect("UTF-8");
        text.replace("0 HEAD\n1 CHAR UTF-8\n", "").replace("2 FORM LINEAGE-LINKED\n0 TRLR\n", "…")
    };
    let plain = WriteOptions::new();
    assert_eq!(
        head(plain, &Preamble::new().with_gedcom_version(Some("5.5"))),
        "1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5\n…"
    );
    let needed = plain.with_versions(Versions::ElfIfNeeded);
    assert_eq!(head(needed, &Preamble::new()), "1 GEDC\n2 VERS 5.5.1\n…");
    let french = Preamble::new().with_language(Some("fr"));
    assert_eq!(
        head(needed, &french),
        "1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 PLANG fr\n0 TRLR\n"
    );
    let schema =
        Preamble::new().with_schema(Some(vec![PreambleLine::new(1, "SCHMA", "https://u@h.example/")]));
    assert_eq!(
        head(plain.with_versions(Versions::ElfAlone), &schema),
        "1 ELF 1.0.0\n1 SCHMA https://u@h.example/\n0 TRLR\n"
    );
}

#[test]
fn metadata_that_would_need_an_escape_is_a_loss() {
    let written = |options: WriteOptions, value: &str| {
        let lines = vec![PreambleLine::new(1, "SCHMA", value), PreambleLine::new(2, "IRI", "x")];
        octets(D19, &options, &Preamble::new().with_schema(Some(lines)), &[])
    };
    for value in ["a\nb", "@S1@", " @S1@", "a\0"] {
        let (octets, codes, summary) = written(WriteOptions::new(), value);
        assert_eq!(codes, ["E0804"], "{value:?}");
        assert_eq!(summary.dropped, 2);
        assert!(!String::from_utf8_lossy(&octets).contains("SCHMA"));
    }
    assert_eq!(written(ascii(), "https://example.com/släkt").1, ["E0804"]);
    assert_eq!(written(WriteOptions::new(), "https://example.com/släkt").1, [""; 0]);
}

#[test]
fn a_version_that_the_output_may_not_name_is_replaced_and_a_loss_of_its_own() {
    let (octets, codes, _) =
        octets(D19, &WriteOptions::new(), &Preamble::new().with_gedcom_version(Some("7.0")), &[]);
    assert_eq!(codes, ["E0814"]);
    assert_eq!(String::from_utf8_lossy(&octets), format!("{HEAD}0 TRLR\n"));
}

#[test]
fn lines_have_single_spaces_and_nothing_behind_an_empty_payload() {
    let written = body(
        D19,
        &WriteOptions::new(),
        &[
            (0, Some("I1"), "INDI", Content::None),
            (1, None, "DEAT", Content::Text("")),
            (1, None, "FAMC", Content::Pointer("F1")),
            (2, None, "NOTE", Content::Text(" a ")),
            (1, None, "A", Content::None),
            (2, None, "B", Content::None),
            (1, None, "C", Content::None),
        ],
    );
    assert_eq!(written, "0 @I1@ INDI\n1 DEAT\n1 FAMC @F1@\n2 NOTE  a \n1 A\n2 B\n1 C\n");
}

#[test]
fn additional_lines_come_before_substructures() {
    let structures = [(0, Some("N1"), "NOTE", Content::Text("a\nb")), (1, None, "REFN", Content::Text("1"))];
    assert_eq!(body(D19, &WriteOptions::new(), &structures), "0 @N1@ NOTE a\n1 CONT b\n1 REFN 1\n");
}

#[test]
fn at_signs_are_doubled_and_escapes_kept() {
    assert_eq!(note("name@example.com"), "0 NOTE name@@example.com\n");
    assert_eq!(note("@I1@"), "0 NOTE @@I1@@\n");
    assert_eq!(note("a@@b"), "0 NOTE a@@@@b\n");
    assert_eq!(note("@#UE3@"), "0 NOTE @@#UE3@@\n");
    assert_eq!(note("ABT @#DJULIAN@ 1540"), "0 NOTE ABT @@#DJULIAN@@ 1540\n");
    let date = [(0, None, "DATE", Content::Text("ABT @#DJULIAN@ 1540 @#XY@ a@b @#D"))];
    assert_eq!(body(D19, &WriteOptions::new(), &date), "0 DATE ABT @#DJULIAN@ 1540 @@#XY@@ a@@b @@#D\n");
    let pieces = [Piece::Text("ABT @#DJULIAN@ "), Piece::Escape("@#DJULIAN@"), Piece::Text(" 1540")];
    let age = [(0, None, "AGE", Content::Pieces(&pieces))];
    assert_eq!(body(D19, &WriteOptions::new(), &age), "0 AGE ABT @@#DJULIAN@@ @#DJULIAN@ 1540\n");
    // Types other than D, and what is no escape at all, are text.
    let pieces = [Piece::Escape("@#XY@"), Piece::Escape("@#D"), Piece::Escape("@#DX@y")];
    let age = [(0, None, "AGE", Content::Pieces(&pieces))];
    let (written, codes, _) = octets(D19, &WriteOptions::new(), &Preamble::new(), &age);
    assert_eq!((between(&written).as_str(), codes), ("0 AGE @@#XY@@@@#D@@#DX@@y\n", vec!["E0813"]));
}

#[test]
fn what_the_encoding_lacks_becomes_unicode_escapes() {
    let written =
        |rules: &Rules, text: &str| body(rules, &ascii(), &[(0, None, "NOTE", Content::Text(text))]);
    assert_eq!(written(D19, "João"), "0 NOTE Jo@#UE3@o\n");
    assert_eq!(written(D19, "عزيز"), "0 NOTE @#U639 632 64A 632@\n");
    assert_eq!(written(D19, "é@"), "0 NOTE @#UE9@@@\n");
    assert_eq!(written(D19, "\u{10FFFF}a"), "0 NOTE @#U10FFFF@a\n");
    assert_eq!(written(D19, "a\u{301}\u{327}b"), "0 NOTE a@#U301 327@b\n");
    assert_eq!(written(&Rules::JANUARY_2019, "João"), "0 NOTE Jo@#UE3@ o\n");
    assert_eq!(written(&Rules::DECLARATIVE, "João"), "0 NOTE Jo@#UE3@ o\n");
    assert_eq!(written(&Rules::OCTOBER_2017, "عز"), "0 NOTE @#U639@ @#U632@ \n");
    assert_eq!(note("João"), "0 NOTE João\n");
}

#[test]
fn a_header_with_metadata_in_ascii() {
    let (octets, ..) = octets(D19, &ascii(), &Preamble::new(), &[(1, None, "NOTE", Content::Text("é"))]);
    let expected = format!("{HEAD}1 NOTE @#UE9@\n0 TRLR\n").replace("UTF-8", "ASCII");
    assert_eq!(String::from_utf8_lossy(&octets), expected);
}

#[test]
fn long_payloads_are_cut_between_characters_that_are_no_whitespace() {
    let prose = "word ".repeat(300);
    for limit in [20, 40, 255] {
        let written = body(D19, &width(limit), &[(0, None, "NOTE", Content::Text(prose.trim_end()))]);
        let lines: Vec<&str> = written.lines().collect();
        assert!(lines.len() > 5);
        for pair in lines.windows(2) {
            let [before, after] = pair else { continue };
            assert!(before.len() < limit as usize && before.len() + 8 >= limit as usize, "{before:?}");
            let payload = after.strip_prefix("1 CONC ").expect("a continuation");
            assert!(!before.ends_with(' ') && !payload.starts_with(' '), "{before:?} {after:?}");
        }
        let joined: String = lines
            .iter()
            .map(|line| line.trim_start_matches("0 NOTE ").trim_start_matches("1 CONC "))
            .collect();
        assert_eq!(joined, prose.trim_end());
    }
}

#[test]
fn a_line_is_as_long_as_allowed_in_octets_with_its_break() {
    let longest = |rules: &Rules, options: &WriteOptions, text: &str| {
        let (octets, ..) =
            octets(rules, options, &Preamble::new(), &[(0, None, "NOTE", Content::Text(text))]);
        let unit = if options.encoding.is_utf16() { 2 } else { 1 };
        let mut longest = 0;
        let mut length = 0;
        for character in octets.chunks(unit) {
            length += unit;
            if character.contains(&b'\n') {
                longest = longest.max(length);
                length = 0;
            }
        }
        longest
    };
    let (a, e, emoji) = ("a".repeat(2000), "é".repeat(2000), "😀".repeat(2000));
    let utf8 = WriteOptions::new();
    let utf16 = utf8.with_encoding(Encoding::Utf16Be);
    assert_eq!(longest(D19, &utf8, &a), 255);
    assert_eq!(longest(D19, &utf8.with_line_break(LineBreak::CrLf), &a), 255);
    assert_eq!(longest(D19, &utf8, &e), 254);
    assert_eq!(longest(D19, &utf8, &emoji), 252);
    assert_eq!(longest(D19, &utf16, &a), 510);
    assert_eq!(longest(D19, &utf16, &emoji), 508);
    assert_eq!(longest(D19, &ascii(), &a), 255);
    // January counts octets without the break, the declarative draft octets of UTF-8, 2017 characters.
    assert_eq!(longest(&Rules::JANUARY_2019, &utf8, &a), 256);
    assert_eq!(longest(&Rules::JANUARY_2019, &utf16, &a), 254 + 2);
    assert_eq!(longest(&Rules::DECLARATIVE, &utf16, &a), 510 + 2);
    assert_eq!(longest(&Rules::OCTOBER_2017, &utf8.with_mark(Some(false)), &e), 255 + 248 + 1);
    assert_eq!(longest(D19, &utf8.with_width(Some(0)), &a), 2000 + 8);
}

#[test]
fn no_cut_divides_what_belongs_together() {
    let atoms = ["@@", "@#DJULIAN@", "e\u{301}\u{327}", "𠀡"];
    let text = "@".repeat(400);
    for line in body(D19, &WriteOptions::new(), &[(0, None, "NOTE", Content::Text(&text))]).lines() {
        assert_eq!(line.matches('@').count() % 2, 0);
    }
    for limit in 9..40 {
        let mut pieces = Vec::new();
        for _ in 0..20 {
            pieces.extend([
                Piece::Text("@"),
                Piece::Escape("@#DJULIAN@"),
                Piece::Text("e\u{301}\u{327}"),
                Piece::Text("𠀡"),
            ]);
        }
        let written = body(D19, &width(limit), &[(0, None, "NOTE", Content::Pieces(&pieces))]);
        for line in written.lines() {
            let mut rest = line.trim_start_matches("0 NOTE ").trim_start_matches("1 CONC ");
            assert!(!rest.is_empty());
            while !rest.is_empty() {
                let atom = atoms.iter().find(|atom| rest.starts_with(**atom));
                rest = &rest[atom.unwrap_or_else(|| panic!("{line:?} at width {limit}")).len()..];
            }
        }
    }
}

#[test]
fn where_no_cut_is_allowed_the_line_grows() {
    let spaces = format!("a{}b", " ".repeat(300));
    assert_eq!(note(&spaces), format!("0 NOTE {spaces}\n"));
    let marks = format!("a{}", "\u{301}".repeat(300));
    assert_eq!(note(&format!("{marks}b")), format!("0 NOTE {marks}\n1 CONC b\n"));
    // The next place will do.
    assert_eq!(note(&format!("{spaces}c")), format!("0 NOTE {spaces}\n1 CONC c\n"));
    let tag = "T".repeat(300);
    let long_tag = [(0, None, tag.as_str(), Content::Text("ab"))];
    let (written, codes, _) = octets(D19, &WriteOptions::new(), &Preamble::new(), &long_tag);
    assert_eq!((between(&written), codes), (format!("0 {tag} a\n1 CONC b\n"), vec!["E0209"]));
}

#[test]
fn huge_payloads_take_linear_time() {
    let ansel = WriteOptions::new().with_encoding(Encoding::Ansel);
    for text in ["a", " ", "@", "é", "\n", "@#D", "a\u{301}", "\u{301}", "Ж", "o\u{334}"] {
        let text = format!("Ж{}", text.repeat(200_000));
        for options in [WriteOptions::new(), width(10), width(150_000), ascii(), ansel] {
            let (octets, ..) =
                octets(D19, &options, &Preamble::new(), &[(0, None, "DATE", Content::Text(&text))]);
            assert!(octets.len() > 200_000);
        }
    }
}

#[test]
fn whitespace_at_the_ends_of_lines() {
    let written = |rules: &Rules, options: WriteOptions, text: &str| {
        let (octets, codes, _) = octets(
            rules,
            &options.with_mark(Some(false)),
            &Preamble::new(),
            &[(0, None, "NOTE", Content::Text(text))],
        );
        (between(&octets), codes)
    };
    let guard = WriteOptions::new().with_guarded_whitespace(true);
    assert_eq!(written(D19, WriteOptions::new(), " a \n b"), ("0 NOTE  a \n1 CONT  b\n".into(), vec![]));
    assert_eq!(written(D19, guard, "a "), ("0 NOTE a@#U20@\n".into(), vec![]));
    assert_eq!(written(D19, guard, "\t\ta  "), ("0 NOTE @#U9@\ta @#U20@\n".into(), vec![]));
    assert_eq!(written(D19, guard, "   "), ("0 NOTE @#U20@ @#U20@\n".into(), vec![]));
    assert_eq!(written(&Rules::DECLARATIVE, WriteOptions::new(), " a"), ("0 NOTE @#U20@ a\n".into(), vec![]));
    // 2017: the draft's own spelling, and the loss that follows from its own order of steps.
    let october = &Rules::OCTOBER_2017;
    assert_eq!(written(october, WriteOptions::new(), " a"), ("0 NOTE @#U20@ a\n".into(), vec!["E0807"]));
    assert_eq!(written(october, WriteOptions::new(), "a\t"), ("0 NOTE a@#U9@ \n".into(), vec!["E0807"]));
    assert_eq!(
        written(october, WriteOptions::new(), "x  \n y"),
        ("0 NOTE x\n1 CONT y\n".into(), vec!["E0807"])
    );
}

#[test]
fn what_cannot_be_written_is_reported_and_counted() {
    let (octets, codes, summary) = octets(
        D19,
        &WriteOptions::new(),
        &Preamble::new(),
        &[
            (1, None, "CHAR", Content::Text("a second one")),
            (0, Some("I 1"), "INDI", Content::Text("a\0b\u{FFFE}")),
            (1, None, "A-B", Content::None),
            (2, None, "X", Content::None),
            (3, None, "X", Content::None),
            (1, None, "NOTE", Content::Pointer("home sweet home")),
            (1, None, "CONT", Content::Text("x")),
            (1, None, "HEAD", Content::None),
            (0, None, "TRLR", Content::None),
            (0, None, "", Content::None),
        ],
    );
    assert_eq!(codes, ["E0806", "E0802", "E0803", "E0801", "E0805", "E0801", "E0801", "E0801", "E0801"]);
    assert_eq!(between(&octets), "0 INDI ab\n1 NOTE @@home sweet home@@\n");
    assert_eq!((summary.structures, summary.records, summary.dropped), (2, 1, 8));
    strict(&octets, D19);
}

#[test]
fn identifiers_outside_the_encoding_are_a_loss() {
    let structures = [(0, Some("漢"), "INDI", Content::None), (1, None, "ALIA", Content::Pointer("漢"))];
    assert_eq!(body(D19, &WriteOptions::new(), &structures), "0 @漢@ INDI\n1 ALIA @漢@\n");
    let (octets, codes, _) = octets(D19, &ascii(), &Preamble::new(), &structures);
    assert_eq!(codes, ["E0802", "E0805"]);
    assert_eq!(between(&octets), "0 INDI\n1 ALIA @@@#U6F22@@@\n");
}

#[test]
fn an_identifier_within_a_record_is_written_with_advice() {
    let mut octets = Vec::new();
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut writer =
        Writer::new(&mut octets, D19, &WriteOptions::new(), &mut findings).expect("good options");
    writer.structure(0, Some("I1"), "INDI", Content::None).expect("memory");
    writer.structure(1, Some("E1"), "EVEN", Content::None).expect("memory");
    assert_eq!(writer.finish().expect("memory").losses, 0);
    assert_eq!(between(&octets), "0 @I1@ INDI\n1 @E1@ EVEN\n");
    let found: Vec<_> = findings.iter().map(|finding| (finding.code.id(), finding.class)).collect();
    assert_eq!(found, [("E0808", Class::Advice)]);
}

#[test]
fn a_level_too_deep_is_one_deeper() {
    let structures =
        [(5, None, "SOUR", Content::None), (0, None, "A", Content::None), (7, None, "B", Content::None)];
    let (octets, ..) = octets(D19, &WriteOptions::new(), &Preamble::new(), &structures);
    assert_eq!(String::from_utf8_lossy(&octets), format!("{HEAD}1 SOUR\n0 A\n1 B\n0 TRLR\n"));
}

#[test]
fn a_level_that_is_skipped_is_lost() {
    let (mut octets, mut findings): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut writer =
        Writer::new(&mut octets, D19, &WriteOptions::new(), &mut findings).expect("good options");
    for (level, tag) in [(0, "INDI"), (1, "BIRT"), (6, "PLAC"), (2, "DATE"), (1, "DEAT")] {
        writer.structure(level, None, tag, Content::Text("x")).expect("memory");
    }
    let summary = writer.finish().expect("memory");
    assert_eq!(summary.losses, 1);
    assert_eq!(findings.iter().map(|found| found.code.id()).collect::<Vec<_>>(), ["E0823"]);
    let text = String::from_utf8(octets).expect("UTF-8");
    assert!(text.ends_with("0 INDI x\n1 BIRT x\n2 PLAC x\n2 DATE x\n1 DEAT x\n0 TRLR\n"), "{text}");
}

#[test]
fn runs_of_unicode_escapes_are_cut_where_readers_replace_them_first() {
    let text = "é".repeat(2_000);
    for rules in [&Rules::OCTOBER_2017, &Rules::JULY_2017] {
        let structures = [(0, None, "NOTE", Content::Text(&text))];
        let (octets, codes, _) = octets(rules, &ascii(), &Preamble::new(), &structures);
        assert!(codes.is_empty(), "{codes:?}");
        let longest = octets.split(|octet| *octet == b'\n').map(<[u8]>::len).max();
        assert!(longest.is_some_and(|longest| longest <= 255), "{longest:?}");
        let document =
            elf_tagged::read(&octets, rules, &elf_tagged::Options::default(), &mut ()).expect("short");
        let note = document.records().next().expect("a record");
        assert_eq!(note.text(), text);
    }
    // In January, the blank at the end of an escape keeps the line from being cut.
    let structures = [(0, None, "NOTE", Content::Text(&text))];
    let (octets, ..) = octets(&Rules::JANUARY_2019, &ascii(), &Preamble::new(), &structures);
    assert!(octets.split(|octet| *octet == b'\n').any(|line| line.len() > 255));
}
