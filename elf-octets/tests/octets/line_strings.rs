//! Text to line strings, and octets to lines.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use crate::common;

use common::whole;
use elf_base::Rules;
use elf_base::rules::OctetRules;
use elf_octets::{LineBreak, LineStrings, Options, Source};

const D19: &OctetRules = &Rules::DECEMBER_2019.octets;
const J19: &OctetRules = &Rules::JANUARY_2019.octets;
const O17: &OctetRules = &Rules::OCTOBER_2017.octets;

fn split<'t>(text: &'t str, rules: &OctetRules) -> Vec<&'t str> {
    LineStrings::new(text, rules).map(|span| span.of(text)).collect()
}

#[test]
fn breaks() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("a", &["a"]),
        ("a\n", &["a"]),
        ("a\nb", &["a", "b"]),
        ("a\rb\r", &["a", "b"]),
        ("a\r\nb\r\n", &["a", "b"]),
        ("a\n\rb\n\r", &["a", "b"]),
        ("a\r\r\nb\n\n\rc", &["a", "b", "c"]),
        ("a\n\n\nb", &["a", "b"]),
        ("\r\n\na", &["a"]),
        ("a\u{2028}b\u{85}c\u{B}d\u{C}e\u{2029}f", &["a\u{2028}b\u{85}c\u{B}d\u{C}e\u{2029}f"]),
        ("\r", &[]),
        ("a\r", &["a"]),
        ("a\rb\nc\r\nd", &["a", "b", "c", "d"]),
    ];
    for (text, expected) in cases {
        assert_eq!(split(text, D19), *expected, "{text:?}");
    }
}

/// Leading whitespace and blank lines, as each draft wants them.
#[test]
fn blanks() {
    let text = "\n  1 A \t \n \t \n\n\t2 B\n\u{A0}3 C\n";
    assert_eq!(split(text, D19), ["1 A \t ", "2 B", "\u{A0}3 C"]);
    assert_eq!(split(text, J19), ["  1 A \t ", " \t ", "\t2 B", "\u{A0}3 C"]);
    assert_eq!(split(text, O17), ["", "  1 A \t ", " \t ", "", "\t2 B", "\u{A0}3 C"]);
    assert_eq!(split(text, &Rules::JULY_2017.octets), ["  1 A \t ", "\t2 B", "\u{A0}3 C"]);
    assert_eq!(split(text, &Rules::DECLARATIVE.octets), split(text, O17));
}

#[test]
fn line_breaks_are_counted() {
    let reading = |octets: &[u8]| {
        let source = Source::read(octets, &Rules::WILD, &Options::default(), &mut ()).unwrap();
        let breaks = source.line_breaks();
        (breaks.lf, breaks.cr, breaks.crlf, source.line_count(), breaks.commonest())
    };
    assert_eq!(reading(b""), (0, 0, 0, 0, LineBreak::Lf));
    assert_eq!(reading(b"0 HEAD\n"), (1, 0, 0, 1, LineBreak::Lf));
    assert_eq!(reading(b"0 HEAD\n0 TRLR"), (1, 0, 0, 2, LineBreak::Lf));
    assert_eq!(reading(b"0 HEAD\r\n\r0 TRLR\r\n\n"), (1, 1, 2, 4, LineBreak::CrLf));
    assert_eq!(reading(b"0 HEAD\r\r0 TRLR\n"), (1, 2, 0, 3, LineBreak::Cr));
    assert_eq!(reading(b"0 HEAD\n\r0 TRLR\n\r"), (2, 2, 0, 4, LineBreak::Lf));
}

#[test]
fn mixed_breaks_are_advised_against() {
    let mixed = whole(b"0 HEAD\n1 CHAR UTF-8\r\n0 TRLR\n", &Rules::DECEMBER_2019);
    assert_eq!(mixed.codes(), ["E0116"]);
    assert_eq!(mixed.diagnostics[0].2, "mixed line endings: 2 LF and 1 CR LF");
    for octets in
        [b"0 HEAD\n1 CHAR UTF-8\n".as_slice(), b"0 HEAD\r1 CHAR UTF-8\r", b"0 HEAD\r\n1 CHAR UTF-8\r\n"]
    {
        assert_eq!(whole(octets, &Rules::DECEMBER_2019).codes(), [""; 0]);
    }
}

/// A line table gives the range of each line, in text and in octets, and the form of its break.
#[test]
fn the_line_table() {
    let octets = b"\xEF\xBB\xBF0 HEAD\r\n\n 1 NOTE \xC3\xA9\xFF\r0 TRLR";
    let source = Source::read(octets, &Rules::WILD, &Options::default(), &mut ()).unwrap();
    let table: Vec<_> = (1..)
        .map_while(|number| source.line(number))
        .map(|line| (line.text.of(source.text()).to_owned(), line.octets, line.ending))
        .collect();
    assert_eq!(
        table,
        [
            ("0 HEAD".to_owned(), 3..11, Some(LineBreak::CrLf)),
            (String::new(), 11..12, Some(LineBreak::Lf)),
            (" 1 NOTE éÿ".to_owned(), 12..24, Some(LineBreak::Cr)),
            ("0 TRLR".to_owned(), 24..30, None),
        ]
    );
    assert!(source.line(0).is_none() && source.line(5).is_none());

    let utf16: Vec<u8> =
        "0 HEAD\r\n0 NOTE é\u{20021}\n\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let source = Source::read(&utf16, &Rules::WILD, &Options::default(), &mut ()).unwrap();
    let table: Vec<_> = (1..).map_while(|number| source.line(number)).map(|line| line.octets).collect();
    assert_eq!(table, [0..16, 16..38, 38..40]);
}

/// One line of 10 MB, and as many lines of one character each: neither takes time that grows faster than the
/// text.
#[test]
fn long_lines_and_many_lines() {
    for line_break in ["\n", "\r", "\r\n"] {
        let text = format!("{}{line_break}", "x".repeat(10_000_000));
        assert_eq!(LineStrings::new(&text, D19).map(|span| span.len()).collect::<Vec<_>>(), [10_000_000]);
        let text = format!("x{line_break}").repeat(1_000_000);
        assert_eq!(LineStrings::new(&text, D19).count(), 1_000_000);
    }
}
