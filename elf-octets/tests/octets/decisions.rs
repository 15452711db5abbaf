//! Tests of the decision on the encoding: the vectors of the drafts, and every contradiction.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use crate::common;

use common::{whole, whole_with};
use elf_base::Rules;
use elf_base::rules::EncodingNames;
use elf_octets::{DetectedBy, Encoding, EncodingReason, Options, decide};

const D19: &Rules = &Rules::DECEMBER_2019;
const J19: &Rules = &Rules::JANUARY_2019;
const WILD: &Rules = &Rules::WILD;

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

/// The scans of the December 2019 requirements that end well.
#[test]
fn december_scans() {
    let cases: &[(&str, &[u8], Encoding)] = &[
        ("D19-OCT-02", b"\xEF\xBB\xBF0 HEAD\n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-02", b"0 HEAD\n1 CHAR ANSEL\n0 TRLR\n", Encoding::Ansel),
        ("D19-OCT-02", b"0 HEAD\n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-04", b"\xFF\xFE0\x00 \x00H\x00E\x00A\x00D\x00\n\x00", Encoding::Utf16Le),
        ("D19-OCT-04", b"\xFE\xFF\x000\x00 \x00H\x00E\x00A\x00D\x00\n", Encoding::Utf16Be),
        ("D19-OCT-06", b"\x000\x00 \x00H\x00E\x00A\x00D\x00\n", Encoding::Utf16Be),
        ("D19-OCT-06", b"0\x00 \x00H\x00E\x00A\x00D\x00\n\x00", Encoding::Utf16Le),
        ("D19-OCT-08", b"0 HEAD\n0 NOTE \xE9\n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-09", b"0 HEAD\n1 CHAR ASCII\n0 TRLR\n", Encoding::Ascii),
        ("D19-OCT-10", b"0 HEAD\n1 NOTE \xFF\x80\n1 CHAR ANSEL\n0 TRLR\n", Encoding::Ansel),
        ("D19-OCT-12", b"0 HEAD\n1 NOTE \x01\x7F\x90\n1 CHAR UTF-8\n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-13", b"\r\n\n  0 HEAD\r\r 1 CHAR ANSEL\n0 TRLR\n", Encoding::Ansel),
        ("D19-OCT-14", b"0 \t HEAD  \n1\tCHAR   UTF-8 \n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-14", b"0 \t HEAD  \n1\tCHAR   ANSEL \n0 TRLR\n", Encoding::Ansel),
        ("D19-OCT-15", b"0 head\n1 char ansel\n0 TRLR\n", Encoding::Ansel),
        ("D19-OCT-15", b"0 HEAD\n1 CHAR utf-8\n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-17", b"0 HEAD\n", Encoding::Utf8),
        ("D19-OCT-18", b"0 HEAD\n0 NOTE x\n1 CHAR ANSEL\n0 TRLR\n", Encoding::Utf8),
        (
            "D19-OCT-19",
            b"0 HEAD\n1 SOUR X\n2 CHAR ANSEL\n0 @I1@ INDI\n1 CHAR ANSEL\n0 TRLR\n",
            Encoding::Utf8,
        ),
        ("D19-OCT-20", b"0 HEAD\n1 CHAR\n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-20", b"0 HEAD\n1 CHARSET ANSEL\n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-21", b"0 HEAD\n1 CHAR ASCII\n0 TRLR\n", Encoding::Ascii),
        (
            "D19-OCT-22",
            b"\xFF\xFE0\x00 \x00H\x00E\x00A\x00D\x00\n\x001\x00 \x00C\x00H\x00A\x00R\x00 \x00U\x00N\x00I\x00C\x00O\x00D\x00E\x00\n\x00",
            Encoding::Utf16Le,
        ),
        ("D19-OCT-22", b"0 HEAD\n1 CHAR UNICODE\n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-25", b"0 HEAD\n1 CHAR IBMPC\n0 TRLR\n", Encoding::Utf8),
        ("D19-OCT-25", b"\xEF\xBB\xBF0 HEAD\n1 CHAR IBMPC\n0 TRLR\n", Encoding::Utf8),
        ("AMB-31", b"0 HEAD\n1 CHAR ANSEL\n1 CHAR UTF-8\n0 TRLR\n", Encoding::Ansel),
        ("AMB-31", b"0 HEAD\n1 @X@ CHAR ANSEL\n0 TRLR\n", Encoding::Utf8),
        ("AMB-46", b"\x80\x000\x00", Encoding::Utf8),
    ];
    for (row, octets, expected) in cases {
        let decision = decide(octets, D19, &Options::default(), &mut ());
        assert_eq!(decision.used, *expected, "{row}: {}", octets.escape_ascii());
    }
}

/// The scans of the December 2019 requirements that end the reading.
#[test]
fn december_stops() {
    let cases: &[(&str, &[u8], &str)] = &[
        ("D19-OCT-05", b"\xEF\xBB\xBF\xEF\xBB\xBF0 HEAD\n", "E0101"),
        ("D19-OCT-11", b"0 HEAD\n1 NOTE a\x00b\n1 CHAR UTF-8\n0 TRLR\n", "E0110"),
        ("D19-OCT-17", b"0 HEADER\n", "E0101"),
        ("D19-OCT-17", b"0 @H1@ HEAD\n", "E0101"),
        ("D19-OCT-17", b"0 HEAD x\n", "E0101"),
        ("D19-OCT-17", b"1 CHAR UTF-8\n0 HEAD\n", "E0101"),
        ("D19-OCT-17", b"", "E0101"),
        ("AMB-30", b" \n\r\n\t\n", "E0101"),
        ("D19-OCT-10", b"0 HEAD\n1 NOTE \xFF\xFE\x80\n1 CHAR ANSEL\n0 TRLR\n", "E0109"),
        ("D19-OCT-34", b"0 HEAD\n1 CHAR ANSEL\n0 NOTE \xFF\n0 TRLR\n", "E0109"),
        ("AMB-40", b"0 HEAD\n1 CHAR ASCII\n0 NOTE \xE9\n0 TRLR\n", "E0109"),
    ];
    for (row, octets, code) in cases {
        let reading = whole(octets, D19);
        assert!(!reading.complete, "{row}: {}", octets.escape_ascii());
        assert_eq!(reading.codes().iter().filter(|other| *other == code).count(), 1, "{row}: {reading:?}");
        // The same file is read to its end, and the fault reported, where the rules recover.
        let reading = whole(octets, WILD);
        assert!(reading.complete, "{row}: {}", octets.escape_ascii());
        assert!(!reading.diagnostics.is_empty(), "{row}: {reading:?}");
    }
}

/// D19-OCT-26: rules that know more names than can be read, and are strict.
#[test]
fn an_encoding_that_cannot_be_read_ends_the_reading() {
    let mut rules = *D19;
    rules.octets.names = EncodingNames::Producers;
    let reading = whole(b"0 HEAD\n1 CHAR KOI8-U\n0 TRLR\n", &rules);
    assert_eq!((reading.complete, reading.text.as_str(), reading.codes()), (false, "", vec!["E0104"]));
}

#[test]
fn what_stands_before_an_undecodable_octet_may_be_used() {
    let reading = whole(b"0 HEAD\n1 CHAR ANSEL\n0 NOTE a\n0 NOTE b\xFFc\n0 TRLR\n", D19);
    assert_eq!(reading.text, "0 HEAD\n1 CHAR ANSEL\n0 NOTE a\n");
    assert_eq!(reading.octets_of("E0109"), [37]);
    let (_, place, ..) = &reading.diagnostics.iter().find(|(code, ..)| code == "E0109").unwrap();
    assert_eq!(*place, Some((37, 4, 9, 9)));
}

/// The octets of the January 2019 requirements.
#[test]
fn early_detection() {
    let cases: &[(&str, &[u8], Option<Encoding>)] = &[
        ("J19-OCT-11", b"\xEF\xBB\xBF0", Some(Encoding::Utf8)),
        ("J19-OCT-11", b"\xFF\xFE0\x00", Some(Encoding::Utf16Le)),
        ("J19-OCT-11", b"\xFE\xFF\x000", Some(Encoding::Utf16Be)),
        ("J19-OCT-13", b"0\x00 \x00", Some(Encoding::Utf16Le)),
        ("J19-OCT-13", b"\x000\x00 ", Some(Encoding::Utf16Be)),
        ("J19-OCT-13", b" \x000\x00", None),
        ("RDX-090", b"\x001\x00 ", None),
        ("J19-OCT-14", b"\xF0\x40\xC8\xC5\xC1\xC4", None),
        ("J19-OCT-15", b"0 HEAD", None),
    ];
    for (row, octets, expected) in cases {
        for rules in [J19, &Rules::DECLARATIVE, &Rules::OCTOBER_2017, &Rules::JULY_2017] {
            let decision = decide(octets, rules, &Options::default(), &mut ());
            assert_eq!(decision.detected, *expected, "{row}: {}", octets.escape_ascii());
        }
    }
    // December takes any character of ASCII for a sign of UTF-16.
    let decision = decide(b" \x000\x00", D19, &Options::default(), &mut ());
    assert_eq!(
        (decision.detected, decision.detected_by),
        (Some(Encoding::Utf16Le), Some(DetectedBy::FirstOctets))
    );
}

#[test]
fn early_specification() {
    let le = utf16("0 HEAD\n1 CHAR UNICODE\n0 TRLR", u16::to_le_bytes);
    let marked = [b"\xFF\xFE".as_slice(), &utf16("0 HEAD\n0 TRLR", u16::to_le_bytes)].concat();
    type Case<'a> = (&'a str, &'a [u8], Option<&'a str>, Encoding, EncodingReason);
    let cases: &[Case<'_>] = &[
        (
            "J19-OCT-16",
            b"0 HEAD\n1 SOUR \xE9\n1 CHAR UTF-8\n0 TRLR",
            Some("UTF-8"),
            Encoding::Utf8,
            EncodingReason::Specified,
        ),
        (
            "J19-OCT-17",
            b"0 HEAD\n0 NOTE a\n1 CHAR ASCII\n0 TRLR",
            None,
            Encoding::Ansel,
            EncodingReason::Default,
        ),
        (
            "J19-OCT-18",
            b"0 HEAD\n1 GEDC\n2 CHAR ASCII\n1 CHAR ANSEL\n0 TRLR",
            Some("ANSEL"),
            Encoding::Ansel,
            EncodingReason::Specified,
        ),
        (
            "J19-OCT-19",
            b"\xEF\xBB\xBF0 HEAD\n1 CHAR ANSEL\n0 TRLR",
            Some("ANSEL"),
            Encoding::Ansel,
            EncodingReason::Specified,
        ),
        ("J19-OCT-20", &marked, None, Encoding::Utf16Le, EncodingReason::Detected),
        ("J19-OCT-21", b"0 HEAD\n0 NOTE \xE2e\n0 TRLR", None, Encoding::Ansel, EncodingReason::Default),
        ("J19-OCT-22", &le, Some("UNICODE"), Encoding::Utf16Le, EncodingReason::Specified),
        (
            "J19-OCT-23",
            b"0 HEAD\n1 CHAR ANSI\n0 TRLR",
            Some("ANSI"),
            Encoding::Ansel,
            EncodingReason::Default,
        ),
        (
            "RDX-097",
            b"0 HEAD\n1 CHAR utf-8\n0 TRLR",
            Some("utf-8"),
            Encoding::Utf8,
            EncodingReason::Specified,
        ),
        ("O17-140", b"\xEF\xBB\xBF0 HEAD\n0 TRLR\n", None, Encoding::Utf8, EncodingReason::Detected),
    ];
    for (row, octets, specified, used, because) in cases {
        let decision = decide(octets, J19, &Options::default(), &mut ());
        assert_eq!(decision.specified.as_deref(), *specified, "{row}");
        assert_eq!((decision.used, decision.because), (*used, *because), "{row}");
    }
    // Blanks around a name are no part of it, by any rules that heed one.
    for rules in Rules::PRESETS.into_iter().filter(|rules| rules.octets.prescan.reads_char()) {
        for line in ["1 CHAR UTF-8 ", "1 CHAR  UTF-8", "1 CHAR UTF-8 \t"] {
            let reading = whole(format!("0 HEAD\n{line}\n0 NOTE é\n0 TRLR\n").as_bytes(), rules);
            assert_eq!(
                (reading.encoding, reading.because),
                (Encoding::Utf8, "specified"),
                "{line:?} {}",
                rules.name
            );
        }
    }
    // The grammar of lines is that of the draft: January 2019 ignores leading zeros, and indentation.
    let octets = b"00 HEAD\n  01 CHAR UTF-8\n0 TRLR";
    assert_eq!(decide(octets, J19, &Options::default(), &mut ()).used, Encoding::Utf8);
    assert_eq!(decide(octets, &Rules::DECLARATIVE, &Options::default(), &mut ()).used, Encoding::Ansel);
    assert_eq!(whole(b"0 HEAD\n0 NOTE \xE2e\n0 TRLR", J19).line_strings[1], "0 NOTE e\u{301}");
    assert_eq!(whole(b"0 HEAD\n1 CHAR ANSI\n0 TRLR", J19).codes()[0], "E0103");
}

#[test]
fn an_encoding_from_outside() {
    let options = Options::default().with_external(Some(Encoding::Utf8));
    // J19-OCT-09, O17-129: ahead of the octets.
    for octets in [b"0 HEAD".as_slice(), b"\xFF\xFE0\x00"] {
        let decision = decide(octets, J19, &options, &mut ());
        assert_eq!(
            (decision.detected, decision.detected_by),
            (Some(Encoding::Utf8), Some(DetectedBy::External))
        );
    }
    // December knows no such thing, so the mark comes first.
    let decision = decide(b"\xFF\xFE0\x00", D19, &options, &mut ());
    assert_eq!(decision.detected, Some(Encoding::Utf16Le));
    let decision = decide(b"0 HEAD\n", D19, &options, &mut ());
    assert_eq!((decision.used, decision.because), (Encoding::Utf8, EncodingReason::Detected));
}

#[test]
fn the_caller_has_the_last_word() {
    let options = Options::default().with_forced(Some(Encoding::Windows1250));
    let reading = whole_with(b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xB9\n0 TRLR\n", D19, &options);
    assert_eq!(
        (reading.encoding, reading.because, reading.complete),
        (Encoding::Windows1250, "forced", true)
    );
    assert_eq!(reading.line_strings[2], "0 NOTE ą");
    // A mark is no text, whatever the encoding.
    let reading = whole_with(b"\xEF\xBB\xBF0 HEAD\n0 TRLR\n", WILD, &options);
    assert_eq!(reading.line_strings[0], "0 HEAD");
}

/// A contradiction of CHAR is reported, each time with the encoding that was used and the advice on another.
#[test]
fn contradictions() {
    let be = [b"\xFE\xFF".as_slice(), &utf16("0 HEAD\n1 CHAR ANSEL\n0 NOTE é\n0 TRLR\n", u16::to_be_bytes)]
        .concat();
    let bare = utf16("0 HEAD\n1 CHAR ANSEL\n0 NOTE é\n0 TRLR\n", u16::to_le_bytes);
    // Octets, rules, encoding, because, code, the third line string.
    type Case<'a> = (&'a [u8], &'a Rules, Encoding, &'a str, &'a str, &'a str);
    let cases: &[Case<'_>] = &[
        (&be, D19, Encoding::Utf16Be, "detected", "E0106", "0 NOTE é"),
        (&be, J19, Encoding::Utf16Be, "detected", "E0106", "0 NOTE é"),
        (&be, WILD, Encoding::Utf16Be, "detected", "E0106", "0 NOTE é"),
        (&bare, WILD, Encoding::Utf16Le, "detected", "E0105", "0 NOTE é"),
        // The letter of the drafts against a mark of UTF-8, and what wild makes of it.
        (
            b"\xEF\xBB\xBF0 HEAD\n1 CHAR ANSEL\n0 NOTE \xC3\xA9\n",
            D19,
            Encoding::Ansel,
            "specified",
            "E0106",
            "0 NOTE ©♭",
        ),
        (
            b"\xEF\xBB\xBF0 HEAD\n1 CHAR ANSEL\n0 NOTE \xC3\xA9\n",
            WILD,
            Encoding::Utf8,
            "content",
            "E0106",
            "0 NOTE é",
        ),
        (
            b"\xEF\xBB\xBF0 HEAD\n1 CHAR ANSEL\n0 NOTE \xE2e\n",
            WILD,
            Encoding::Ansel,
            "content",
            "E0106",
            "0 NOTE e\u{301}",
        ),
        (
            b"\xEF\xBB\xBF0 HEAD\n1 CHAR ASCII\n0 NOTE \xC3\xA9\n",
            D19,
            Encoding::Utf8,
            "detected",
            "E0106",
            "0 NOTE é",
        ),
        (
            b"\xEF\xBB\xBF0 HEAD\n1 CHAR ANSI\n0 NOTE \xC3\xA9\n",
            WILD,
            Encoding::Utf8,
            "content",
            "E0106",
            "0 NOTE é",
        ),
        // No mark: what is UTF-8 is not ANSEL.
        (b"0 HEAD\n1 CHAR ANSEL\n0 NOTE \xC3\xA9\n", WILD, Encoding::Utf8, "content", "E0105", "0 NOTE é"),
        (b"0 HEAD\n1 CHAR ANSI\n0 NOTE \xC3\xA9\n", WILD, Encoding::Utf8, "content", "E0105", "0 NOTE é"),
        (b"0 HEAD\n1 CHAR ASCII\n0 NOTE \xC3\xA9\n", WILD, Encoding::Utf8, "content", "E0105", "0 NOTE é"),
        (
            b"0 HEAD\n1 CHAR ASCII\n0 NOTE Jos\xE9\n",
            WILD,
            Encoding::Windows1252,
            "content",
            "E0105",
            "0 NOTE José",
        ),
        (
            b"0 HEAD\n1 CHAR UTF-8\n0 NOTE Jos\xE9\n",
            WILD,
            Encoding::Utf8,
            "specified",
            "E0105",
            "0 NOTE José",
        ),
        (b"0 HEAD\n1 CHAR UNICODE\n0 NOTE \xC3\xA9\n", WILD, Encoding::Utf8, "content", "E0105", "0 NOTE é"),
        (b"0 HEAD\n1 CHAR UNICODE\n0 NOTE \xC3\xA9\n", D19, Encoding::Utf8, "default", "E0105", "0 NOTE é"),
        // Unknown names.
        (b"0 HEAD\n1 CHAR KLINGON\n0 NOTE \xC3\xA9\n", WILD, Encoding::Utf8, "content", "E0103", "0 NOTE é"),
        (b"0 HEAD\n1 CHAR KLINGON\n0 NOTE a\n", WILD, Encoding::Utf8, "default", "E0103", "0 NOTE a"),
        (b"0 HEAD\n1 CHAR BIG5\n0 NOTE a\n", WILD, Encoding::Utf8, "default", "E0104", "0 NOTE a"),
        (b"0 HEAD\n1 CHAR ANSI\n0 NOTE a\n", D19, Encoding::Utf8, "default", "E0103", "0 NOTE a"),
        // None.
        (
            b"0 HEAD\n1 SOUR x\n0 NOTE Jos\xE9\n",
            WILD,
            Encoding::Windows1252,
            "content",
            "E0108",
            "0 NOTE José",
        ),
        (b"0 HEAD\n1 SOUR x\n0 NOTE \xC3\xA9\n", WILD, Encoding::Utf8, "content", "E0118", "0 NOTE é"),
    ];
    for (octets, rules, encoding, because, code, line) in cases {
        let case = format!("{} under {}", octets.escape_ascii(), rules.name);
        let reading = whole(octets, rules);
        assert_eq!((reading.encoding, reading.because), (*encoding, *because), "{case}");
        let (_, _, message, _, help) = reading
            .diagnostics
            .iter()
            .find(|(other, ..)| other == code)
            .unwrap_or_else(|| panic!("{case}: {reading:?}"));
        assert!(
            help.contains("read") || help.contains("detected from the content"),
            "{case}: {message} {help}"
        );
        if !["E0118"].contains(code) {
            assert!(help.contains("; if ") && !help.contains("--"), "{case}: {message} {help}");
        }
        assert_eq!(reading.line_strings[2], *line, "{case}");
    }
}

#[test]
fn a_conformant_file_is_not_spoken_to() {
    for octets in [
        "0 HEAD\n1 CHAR UTF-8\n0 NOTE é\u{85}\u{2028}ü\n0 TRLR\n".as_bytes(),
        b"\xEF\xBB\xBF0 HEAD\n1 CHAR UTF-8\n0 TRLR\n",
    ] {
        // GEDCOM 7 has no U+0085.
        for rules in Rules::PRESETS.into_iter().filter(|&rules| rules != &Rules::GEDCOM_7) {
            assert_eq!(whole(octets, rules).codes(), [""; 0], "{}", rules.name);
        }
    }
    // Deprecated encodings are just that.
    for octets in [b"0 HEAD\n1 CHAR ANSEL\n0 NOTE \xE2e\n".as_slice(), b"0 HEAD\n1 CHAR ASCII\n0 NOTE e\n"] {
        assert_eq!(whole(octets, D19).codes(), ["E0117"]);
    }
}

#[test]
fn spellings_of_producers() {
    let cases: &[(&str, Encoding)] = &[
        ("ANSI", Encoding::Windows1252),
        ("ansi", Encoding::Windows1252),
        ("WINDOWS", Encoding::Windows1252),
        ("ANSI 1250", Encoding::Windows1250),
        ("WINDOWS-1251", Encoding::Windows1251),
        ("CP1253", Encoding::Windows1253),
        ("windows_1254", Encoding::Windows1254),
        ("IBMPC", Encoding::Cp437),
        ("IBM-PC", Encoding::Cp437),
        ("IBM DOS", Encoding::Cp437),
        ("MS-DOS", Encoding::Cp437),
        ("OEM", Encoding::Cp437),
        ("CP850", Encoding::Cp850),
        ("IBM850", Encoding::Cp850),
        ("MACINTOSH", Encoding::Macintosh),
        ("MACROMAN", Encoding::Macintosh),
        ("UTF8", Encoding::Utf8),
        ("UTF 8", Encoding::Utf8),
        ("UNICODE (UTF-8)", Encoding::Utf8),
        ("ISO-8859-1", Encoding::Iso8859_1),
        ("ISO8859-1", Encoding::Iso8859_1),
        ("LATIN1", Encoding::Iso8859_1),
        ("ISO-8859-2", Encoding::Iso8859_2),
        ("ISO-8859-15", Encoding::Iso8859_15),
        ("US-ASCII", Encoding::Ascii),
    ];
    for (name, encoding) in cases {
        let file = format!("0 HEAD\n1 CHAR {name}\n0 TRLR\n");
        let decision = decide(file.as_bytes(), WILD, &Options::default(), &mut ());
        assert_eq!((decision.used, decision.because), (*encoding, EncodingReason::Specified), "{name}");
        assert_eq!(whole(file.as_bytes(), WILD).codes()[0], "E0107", "{name}");
    }
    // A page under (D19-OCT-24): for ANSI and IBMPC, which name no page themselves.
    let cases: &[(&str, &str, Encoding)] = &[
        ("ANSI", "1250", Encoding::Windows1250),
        ("ANSI", "Windows-1251", Encoding::Windows1251),
        ("ANSI", "ANSI 1252", Encoding::Windows1252),
        ("IBMPC", "850", Encoding::Cp850),
        ("IBMPC", "CP 437", Encoding::Cp437),
        ("ANSI", "5.5", Encoding::Windows1252),
        ("MACINTOSH", "1250", Encoding::Macintosh),
    ];
    for (name, version, encoding) in cases {
        let file = format!("0 HEAD\n1 CHAR {name}\n2 VERS {version}\n0 TRLR\n");
        let decision = decide(file.as_bytes(), WILD, &Options::default(), &mut ());
        assert_eq!(decision.used, *encoding, "{name} {version}");
    }
    let decision = decide(b"0 HEAD\n1 CHAR ANSI\n2 DATE 1250\n0 TRLR\n", WILD, &Options::default(), &mut ());
    assert_eq!((decision.used, decision.version), (Encoding::Windows1252, None));
}

/// Octets that no CHAR explains are told apart by what they make of names.
#[test]
fn content_tells_encodings_apart() {
    let names = "1 NAME Jürgen /Müller/\n1 NAME Élise /Lefèbvre/\n1 NAME José María /Núñez/\n1 NAME Björn /Åkesson/\n\
                 1 PLAC Besançon, Franche-Comté\n1 PLAC Düsseldorf, Straße 3\n1 PLAC Malmöhus län, Skåne\n1 NAME André /Kühn/\n";
    for encoding in
        [Encoding::Utf8, Encoding::Windows1252, Encoding::Ansel, Encoding::Cp437, Encoding::Macintosh]
    {
        let mut octets = b"0 HEAD\n0 @I1@ INDI\n".to_vec();
        encoding.encode_into(names, &mut octets).unwrap();
        let decision = decide(&octets, WILD, &Options::default(), &mut ());
        assert_eq!((decision.used, decision.because), (encoding, EncodingReason::Content));
        // Another name is not obeyed where it lacks octets, and explains fewer of the others.
        let other = if encoding == Encoding::Windows1252 { "ANSEL" } else { "ANSI" };
        if encoding != Encoding::Ansel {
            let mut octets = format!("0 HEAD\n1 CHAR {other}\n0 @I1@ INDI\n").into_bytes();
            encoding.encode_into(names, &mut octets).unwrap();
            let reading = whole(&octets, WILD);
            assert_eq!((reading.encoding, reading.because), (encoding, "content"), "under {other}");
            assert!(reading.codes().contains(&"E0105"), "{encoding} under {other}: {:?}", reading.codes());
        }
        // One that has all octets is not obeyed either, if it makes no names of them.
        if encoding != Encoding::Cp437 {
            let mut octets = b"0 HEAD\n1 CHAR IBMPC\n0 @I1@ INDI\n".to_vec();
            encoding.encode_into(names, &mut octets).unwrap();
            let reading = whole(&octets, WILD);
            assert_eq!((reading.encoding, reading.because), (encoding, "content"), "{encoding}");
            assert!(reading.codes().contains(&"E0105"), "{encoding} under IBMPC: {:?}", reading.codes());
        }
    }
}

/// A file that is valid UTF-8 beyond ASCII is read as UTF-8, whatever encoding of single octets CHAR names:
/// such octets are as good as proof.
#[test]
fn utf_8_wins_over_names_of_single_octets() {
    for name in ["ANSEL", "ANSI", "IBMPC", "MACINTOSH", "ISO-8859-1", "CP1251", "ANSI 1250"] {
        let file = format!("0 HEAD\n1 CHAR {name}\n0 @I1@ INDI\n1 NAME Jürgen /Müller/\n0 TRLR\n");
        let reading = whole(file.as_bytes(), WILD);
        assert_eq!((reading.encoding, reading.because), (Encoding::Utf8, "content"), "{name}");
        assert_eq!(reading.line_strings[3], "1 NAME Jürgen /Müller/", "{name}");
        let (.., message, excerpt, help) =
            reading.diagnostics.iter().find(|(code, ..)| code == "E0105").unwrap();
        assert!(message.contains("valid UTF-8") && help.contains("read as UTF-8"), "{message}; {help}");
        // The line is shown as it is read.
        assert_eq!(excerpt.as_ref().unwrap().0, "1 NAME Jürgen /Müller/");
        // One sequence of three octets is no chance either.
        let file = format!("0 HEAD\n1 CHAR {name}\n0 NOTE 5 €\n");
        assert_eq!(whole(file.as_bytes(), WILD).encoding, Encoding::Utf8, "{name}");
    }
    // A letter and a quotation mark are two octets that UTF-8 has for something else.
    for (name, octets, expected) in [
        ("ANSI", b"ANDR\xC9\x92S".as_slice(), "ANDRÉ’S"),
        ("ISO-8859-1", b"ANDR\xC9\x92S", "ANDRÉ’S"),
        ("ANSI", b"\x93MULAT\xC8\x94", "“MULATÈ”"),
    ] {
        let file = [b"0 HEAD\n1 CHAR ", name.as_bytes(), b"\n0 NOTE ", octets, b"\n"].concat();
        let reading = whole(&file, WILD);
        assert_eq!(reading.because, "specified", "{expected}");
        assert_eq!(reading.line_strings[2], format!("0 NOTE {expected}"));
        assert!(!reading.codes().contains(&"E0105"), "{expected}");
    }
    // Two of them are none.
    let reading = whole(b"0 HEAD\n1 CHAR ANSI\n0 NOTE \xC9\x92\n0 NOTE \xC9\x92\n", WILD);
    assert_eq!(reading.encoding, Encoding::Utf8);
}

/// The finding about the name must not contradict the finding about the content.
#[test]
fn only_one_finding_says_how_the_file_is_read() {
    for (name, meaning) in [
        ("CP1250", "this name means windows-1250"),
        ("ANSI", "this name means the code page of some computer, usually windows-1252"),
    ] {
        let file = format!("0 HEAD\n1 CHAR {name}\n0 @I1@ INDI\n1 NAME Dvo\u{159}\u{e1}k\n0 TRLR\n");
        let reading = whole(file.as_bytes(), WILD);
        let help_of = |code: &str| {
            let (.., help) = reading.diagnostics.iter().find(|(other, ..)| other == code).unwrap();
            help.as_str()
        };
        assert_eq!(help_of("E0107"), meaning);
        assert!(help_of("E0105").starts_with("the file is read as UTF-8"), "{name}");
    }
}

/// An octet that the named encoding lacks decides nothing where the name explains the others best.
#[test]
fn a_stray_octet_decides_nothing() {
    let file = b"0 HEAD\n1 CHAR ANSI\n1 NOTE Fran\xE7ois Andr\xE9 H\xE9l\xE8ne\n1 NOTE x\x81y\n";
    let reading = whole(file, WILD);
    assert_eq!((reading.encoding, reading.because), (Encoding::Windows1252, "specified"));
    assert_eq!(reading.octets_of("E0109").len(), 1);
    assert!(!reading.codes().contains(&"E0105"));
    let file = b"0 HEAD\n1 CHAR ANSEL\n1 NOTE M\xE8uller K\xE8ohler Andr\xE2e \x93x\x94\n";
    let reading = whole(file, WILD);
    assert_eq!((reading.encoding, reading.because), (Encoding::Ansel, "specified"));
    assert_eq!(reading.octets_of("E0109").len(), 2);
    // Where it explains fewer, it is the name that is wrong.
    let file = b"0 HEAD\n1 CHAR ANSEL\n1 NOTE \xC9mile Andr\xE9 Ren\xE9 Fran\xE7ois\n";
    let reading = whole(file, WILD);
    assert_eq!((reading.encoding, reading.because), (Encoding::Windows1252, "content"));
    assert_eq!(reading.octets_of("E0105"), [27]);
    // Cyrillic is no worse a reading because it is not Latin.
    let file = b"0 HEAD\n1 CHAR CP1251\n1 NOTE \xC8\xE2\xE0\xED \xCF\xE5\xF2\xF0\xEE\xE2 \x98\n";
    let reading = whole(file, WILD);
    assert_eq!(
        (reading.encoding, reading.line_strings[2].as_str()),
        (Encoding::Windows1251, "1 NOTE Иван Петров \u{FFFD}")
    );
}

/// Findings about the encoding show their lines in the encoding that was decided, and count columns in its
/// characters.
#[test]
fn lines_are_shown_as_they_are_read() {
    let found = |octets: &[u8], rules: &Rules, code: &str| {
        let reading = whole(octets, rules);
        let (_, place, _, excerpt, _) =
            reading.diagnostics.into_iter().find(|(other, ..)| other == code).unwrap();
        let (octet, _, column, end) = place.unwrap();
        (octet, column, end, excerpt.unwrap().0)
    };
    let line = "0 NOTE José García".to_owned();
    assert_eq!(found("0 HEAD\n1 SOUR x\n0 NOTE José García\n".as_bytes(), WILD, "E0108"), (26, 11, 19, line));
    assert_eq!(found("0 HEAD\n0 NOTE é\n0 TRLR\n".as_bytes(), WILD, "E0108").2, 9);
    let ansel = b"0 HEAD\n1 CHAR ASCII\n1 NOTE a\n1 NOTE M\xE8uller, K\xE8ohler, J\xE8urgen\n";
    let line = "1 NOTE Mu\u{308}ller, Ko\u{308}hler, Ju\u{308}rgen".to_owned();
    assert_eq!(found(ansel, WILD, "E0105"), (37, 9, 33, line));
    // What was met before the encoding was known, too.
    let headless = "0 KÖPF\n1 CHAR MÜLL\n0 NOTE é\n".as_bytes();
    assert_eq!(found(headless, WILD, "E0101"), (0, 1, 7, "0 KÖPF".to_owned()));
    assert_eq!(found(headless, WILD, "E0103"), (15, 8, 12, "1 CHAR MÜLL".to_owned()));
    assert_eq!(found(b"0 HEAD\n1 CHAR M\xDCLL\n0 NOTE \xE9t\xE9\n", WILD, "E0103").3, "1 CHAR MÜLL");
    for octets in ["0 HEAD\n1 CHAR MÜLL\n0 NOTE é\n".as_bytes(), b"0 HEAD\n1 CHAR M\xDCLL\n"] {
        for rules in [D19, J19, WILD] {
            let decision = decide(octets, rules, &Options::default(), &mut ());
            assert_eq!(decision.specified.as_deref(), Some("MÜLL"));
            let reading = whole(octets, rules);
            assert!(
                reading
                    .diagnostics
                    .iter()
                    .any(|(code, _, message, ..)| code == "E0103" && message.contains("`MÜLL`"))
            );
        }
    }
    assert_eq!(found("0 HEAD\n1 CHAR MÜLL\n".as_bytes(), D19, "E0103").3, "1 CHAR MÜLL");
}

/// The octets are looked at no further than 1 MiB past the first that is not ASCII.
#[test]
fn evidence_is_bounded() {
    let mut octets = b"0 HEAD\n".to_vec();
    octets.resize(3 << 20, b'\n');
    octets.extend(b"0 NOTE \xC3\xA9\n");
    octets.resize(octets.len() + (1 << 20), b'\n');
    octets.extend(b"0 NOTE Jos\xE9\n0 NOTE Mar\xEDa\n");
    let reading = whole(&octets, WILD);
    assert_eq!((reading.encoding, reading.because), (Encoding::Utf8, "content"));
    assert_eq!(reading.octets_of("E0109").len(), 2, "what comes later is reported, not re-decided");
}

#[test]
fn a_second_mark_is_skipped_where_data_is_preserved() {
    for octets in [
        b"\xEF\xBB\xBF\xEF\xBB\xBF0 HEAD\n1 CHAR UTF-8\n".as_slice(),
        b"\xFF\xFE\xFF\xFE0\x00 \x00H\x00E\x00A\x00D\x00",
    ] {
        let reading = whole(octets, WILD);
        assert_eq!(reading.line_strings[0], "0 HEAD");
        assert!(reading.codes().contains(&"E0101"));
    }
}

#[test]
fn the_decision_shows_its_evidence() {
    let decision =
        decide(b"0 HEAD\n1 CHAR ANSI\n2 VERS 1250\n0 NOTE \xB9\n", WILD, &Options::default(), &mut ());
    assert_eq!(decision.specified.as_deref(), Some("ANSI"));
    assert_eq!(decision.version.as_deref(), Some("1250"));
    assert_eq!(decision.specified_at.map(|place| (place.line, place.column, place.octet)), Some((2, 8, 14)));
    assert!(
        decision
            .evidence
            .iter()
            .any(|line| line.contains("line 2 says CHAR `ANSI`, with VERS `1250` under it"))
    );
    assert!(!decision.mark);
}
