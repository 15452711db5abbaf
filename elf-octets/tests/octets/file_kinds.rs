//! Files of other kinds than GEDCOM and ELF.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "tests fail by panicking"
)]

use crate::common;

use common::{streamed, whole};
use elf_base::Rules;
use elf_octets::{Encoding, Options, Source};

/// One finding by all rules, whole and in blocks, of a file of any length.
#[test]
fn a_file_of_another_kind_gets_one_finding() {
    let noise: Vec<u8> = (0..300_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
    for (start, code, what) in [
        (b"<html><body>0 HEAD</body></html>\r\n\n".as_slice(), "E0101", "a web page"),
        (b"PK\x03\x04....", "E0101", "a ZIP archive"),
        (b"\x1F\x8B\x08", "E0101", "a gzip archive"),
        (b"%PDF-1.4\n1 0 obj\n", "E0101", "a PDF file"),
        (b"{\n \"people\": [\n", "E0101", "JSON"),
        (b"", "E0101", "binary data"),
        (&[0; 100_000], "E0101", "only zero bytes"),
        (b"\xF0\x40\xC8\xC5\xC1\xC4\x25", "E0104", "EBCDIC"),
        (b"\x00\x00\xFE\xFF\x00\x00\x000\x00\x00\x00 ", "E0104", "UTF-32"),
        (b"\xFF\xFE\x00\x000\x00\x00\x00 \x00\x00\x00", "E0104", "UTF-32"),
        (b"\x00\x00\x000\x00\x00\x00 ", "E0104", "UTF-32"),
    ] {
        let octets = [start, &noise].concat();
        for rules in Rules::PRESETS {
            for reading in [whole(&octets, rules), streamed(&*octets, 100, rules, &Options::default())] {
                let [(found, place, message, ..)] = reading.diagnostics.as_slice() else {
                    panic!("{what} by {}: {:?}", rules.name, reading.diagnostics);
                };
                assert_eq!(found, code, "{message}");
                assert!(message.contains(what) && place.is_none(), "{message}");
                assert!(!reading.complete && reading.text.is_empty());
            }
        }
    }
}

/// Octets are read where an encoding is named for them, and where a line of GEDCOM stands among them.
#[test]
fn a_file_that_only_starts_like_another_kind_is_read() {
    let page = b"<html><pre>\n0 HEAD\n1 CHAR UTF-8\n0 TRLR\n</pre>\n";
    assert_eq!(whole(page, &Rules::WILD).line_strings.len(), 5);
    let options = Options::default().with_forced(Some(Encoding::Windows1252));
    let source = Source::read(b"<html>\n<body>\n", &Rules::WILD, &options, &mut ()).unwrap();
    assert_eq!(source.line_strings().count(), 2);
}
