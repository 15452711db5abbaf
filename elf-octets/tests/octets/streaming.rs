//! A file read in blocks gives what it gives as a whole: the same text, places and diagnostics.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use crate::common;

use common::{Pieces, Reading, by_records, starts_record, streamed, whole};
use elf_base::Rules;
use elf_octets::{Encoding, LineBreaks, Options, Source, TextReader};
use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

const WILD: &Rules = &Rules::WILD;

/// Small files: `%` stands for what CHAR says.
const FIXTURES: &[&str] = &[
    "0 HEAD\n1 CHAR %\n0 TRLR\n",
    "0 HEAD\n1 SOUR elf\n2 VERS 1.0\n1 CHAR %\n2 VERS x\n0 @I1@ INDI\n1 NAME Jos\u{E9} /N\u{FA}\u{F1}ez/\n0 TRLR\n",
    "\n\n  0 HEAD\n\n\t1 CHAR %\n 0 @N1@ NOTE a  \n\n1 CONT b @ c\n\n\n0 TRLR",
    "0 HEAD\n1 CHAR %\n0 @I1@ INDI\n1 NAME Бори\u{301}с\n2 CONC \u{438}\u{438}\n0 TRLR\n",
    "0 HEAD\n1 CHAR %\n0 NOTE \u{4E2D}\u{6587} \u{20021}\u{1F600}\n1 CONC \u{FB01}\u{2028}x\n0 TRLR",
    "0 HEAD\n1 CHAR %\n0 NOTE a\u{303}\u{323} e\u{301}\u{302} t\u{FE20}s\u{FE21} \u{141}\u{2113}\n0 TRLR\n",
];

/// Returns the payload of CHAR that producers write for each encoding.
fn char_value(encoding: Encoding) -> &'static str {
    encoding.char_name().unwrap_or(match encoding {
        Encoding::Iso8859_1 => "ISO8859-1",
        Encoding::Cp437 => "IBMPC",
        other => other.name(),
    })
}

/// The text in that encoding; a letter and its mark as one where that is all it has.
fn encoded(encoding: Encoding, text: &str, mark: bool) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    if mark {
        octets.extend_from_slice(encoding.mark()?);
    }
    encoding.encode_into(text, &mut octets).ok().map(|()| octets)
}

#[test]
fn every_fixture_in_every_encoding_with_every_break_and_mark() {
    let mut files = 0;
    for fixture in FIXTURES {
        for encoding in Encoding::ALL {
            for line_break in ["\n", "\r", "\r\n"] {
                for mark in [false, true] {
                    let text = fixture.replace('%', char_value(encoding)).replace('\n', line_break);
                    let Some(octets) = encoded(encoding, &text, mark) else { continue };
                    files += 1;
                    let case = format!("{encoding} {line_break:?} {mark} {text:?}");
                    let reading = whole(&octets, WILD);
                    assert_eq!(reading.encoding, encoding, "{case}");
                    let expected: Vec<&str> = text
                        .split(['\n', '\r'])
                        .map(|line| line.trim_start_matches([' ', '\t']))
                        .filter(|line| !line.is_empty())
                        .collect();
                    let composed: Vec<_> =
                        reading.line_strings.iter().map(|line| elf_octets::nfc(line)).collect();
                    let expected: Vec<_> = expected.iter().map(|line| elf_octets::nfc(line)).collect();
                    assert_eq!(composed, expected, "{case}");
                    assert!(!reading.codes().contains(&"E0109"), "{case}");
                    cut_everywhere(&octets, WILD, &reading);
                }
            }
        }
    }
    assert!(files > 200, "{files}");
}

/// Cuts the input at every octet, and reads it in blocks of several sizes.
fn cut_everywhere(octets: &[u8], rules: &Rules, expected: &Reading) {
    let sizes = [1, 2, 7, 33, 1 << 20];
    for cut in 0..=octets.len() {
        let block = sizes[cut % sizes.len()];
        let reading = streamed(Pieces::new(octets, &[cut]), block, rules, &Options::default());
        assert_eq!(reading, *expected, "cut at {cut}, blocks of {block}: {}", octets.escape_ascii());
    }
    for block in 1..=octets.len().min(64) {
        let ends: Vec<usize> = (1..octets.len()).collect();
        let reading = streamed(Pieces::new(octets, &ends), block, rules, &Options::default());
        assert_eq!(reading, *expected, "octet by octet, blocks of {block}: {}", octets.escape_ascii());
        let reading = by_records(Pieces::new(octets, &ends), block, rules, &Options::default());
        assert_eq!(reading, *expected, "by records, blocks of {block}: {}", octets.escape_ascii());
    }
}

/// Files that are wrong in every way this layer knows.
#[test]
fn faults_are_the_same_at_every_cut() {
    let utf16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let mut broken = utf16("0 HEAD\r\n1 CHAR ANSEL\r\n0 NOTE ");
    broken.extend(b"\x40\xD8\r\x00\n\x000\x00 \x00X\x00\x0A\x0A\x0D\x0A\x21\xDCy");
    let files: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"\n".to_vec(),
        b"\xEF\xBB\xBF".to_vec(),
        b"\xFF\xFE".to_vec(),
        b"\xEF\xBB\xBF\xEF\xBB\xBF0 HEAD\n1 CHAR UTF-8\n".to_vec(),
        b"\xFF\xFE\xFF\xFE0\x00 \x00H\x00E\x00A\x00D\x00\n\x00".to_vec(),
        b"0".to_vec(),
        b"0 HEAD\n1 CHAR UTF-8\n0 NOTE caf\xC3\n1 CONC \xA9 \xE2\x82\r\n 1 CONC \xAC\xF0\n1 CONC \x9F\x98\x80\n0 TRLR".to_vec(),
        b"0 HEAD\n1 CHAR UTF-8\n0 NOTE caf\xC3\n\n1 CONC \xA9\xFF\xFE\n1 CONC \xE2\x82\n1 CONC \xE2".to_vec(),
        b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xE9\xE8\n0 NOTE \xED\xA1\x80\xED\xB0\xA1\xED\xA1\n0 TRLR\n".to_vec(),
        "0 HEAD\n1 CHAR UTF-8\n0 NOTE \u{92}\u{93}\n1 CONT \u{8}\u{9}\u{B}\0\u{81}\n0 TRLR \u{FFFE}\u{99}\n".as_bytes().to_vec(),
        b"0 HEAD\n1 CHAR ANSEL\n0 NOTE \xE2\xE8\n1 CONT \xE2\xFFx\x80\x81\r0 TRLR\xE2".to_vec(),
        b"0 HEAD\n1 CHAR ANSEL\n0 NOTE arr\xE3\r\n1 CONC et\xE2\xE8\r\n 1 CONC \xE3ut \xE2\n1 CONC\n1 CONT \xE2\n1 CONC \xFF\xE2\n2 CONC  x\xE2\n1 CONC \xE2".to_vec(),
        b"0 HEAD\n1 CHAR ISO-8859-1\n0 NOTE \x93x\x94\x81\n".to_vec(),
        b"0 HEAD\n1 CHAR ASCII\n0 NOTE a\n0 NOTE Jos\xE9\n".to_vec(),
        b"\xEF\xBB\xBF0 HEAD\n1 CHAR ASCII\n0 NOTE a\n0 NOTE Jos\xC3\xA9\n".to_vec(),
        b"\xEF\xBB\xBF0 HEAD\n1 CHAR ANSEL\n0 NOTE a\n0 NOTE \xE2e\n".to_vec(),
        b"0 HEAD\n1 CHAR ANSEL\n0 NOTE a\n0 NOTE \xC3\xA9\n".to_vec(),
        b"0 HEAD\n1 SOUR x\n0 NOTE a\n0 NOTE \xC3\xA9\n".to_vec(),
        b"0 HEAD\n1 CHAR UNICODE\n0 NOTE a\n0 NOTE \xC3\n".to_vec(),
        b"0 HEAD\n1 CHAR ANSI\n\n2 VERS 1250\n0 NOTE \xB9\x81\n".to_vec(),
        b"0 HEAD\n1 NOTE a\x00b\n1 CHAR UTF-8\n0 TRLR\n".to_vec(),
        b"nonsense\n0 HEAD\n1 CHAR ANSEL\n0 NOTE \xE2e\n0 TRLR".to_vec(),
        b"1 CHAR ANSEL\n0 HEAD\n0 NOTE \xE2e\n0 TRLR".to_vec(),
        "0 HEAD\n1 CHAR ANSI\n0 NOTE a\n0 NOTE \u{E9}\n0 TRLR\n".as_bytes().to_vec(),
        "0 K\u{D6}PF\n1 CHAR M\u{DC}LL\n0 NOTE \u{E9}\n".as_bytes().to_vec(),
        b"0 HEAD\n1 NOTE a\n1 CHAR M\xDCLL\n0 NOTE \xE9t\xE9\n".to_vec(),
        b"0 HEAD\n1 CHAR ANSEL\n0 NOTE a\n0 NOTE \xC9mile Andr\xE9 Fran\xE7ois\n".to_vec(),
        b"0 HEAD\n1 CHAR ANSI\n0 NOTE a\n0 NOTE ANDR\xC9\x92S\n".to_vec(),
        b"0 HEAD\r\n1 CHAR UTF-8\r0 NOTE\n\r1 CONT\n\n\r\r\n0 TRLR\r".to_vec(),
        [b"\xFF\xFE".as_slice(), &broken].concat(),
        broken,
    ];
    for file in &files {
        for rules in Rules::PRESETS {
            let expected = whole(file, rules);
            cut_everywhere(file, rules, &expected);
        }
    }
}

/// Whole and in blocks, the octets are looked at equally far.
#[test]
fn evidence_is_bounded_alike() {
    let mut octets = b"0 HEAD\n1 NOTE no CHAR\n".to_vec();
    let line = b"0 NOTE a line of ASCII to fill the file with\n";
    while octets.len() < 2 << 20 {
        octets.extend_from_slice(line);
    }
    octets.extend(b"0 NOTE \xC3\xA9\n");
    let first = octets.len() - 3;
    for (distance, is_utf_8) in [(-3, false), (-2, false), (-1, true), (0, true), (1, true)] {
        let mut octets = octets.clone();
        let limit = (first + elf_octets::EVIDENCE_LIMIT).checked_add_signed(distance).unwrap();
        while octets.len() + line.len() < limit {
            octets.extend_from_slice(line);
        }
        octets.resize(limit, b'x');
        octets.extend(b"\xE9\xE9\xE9.\n0 TRLR\n");
        let expected = whole(&octets, WILD);
        // Inside of the bound a fault outweighs one character; past it faults are only reported. The last
        // octet inside may be the first of a character that goes on.
        assert_eq!(expected.encoding == Encoding::Utf8, is_utf_8, "{distance}");
        for block in [1 << 14, 1 << 20, 1 << 23] {
            let reading = streamed(octets.as_slice(), block, WILD, &Options::default());
            assert_eq!(reading, expected, "{distance} {block}");
        }
    }
}

/// An input that counts what it has handed out.
struct Counting<R> {
    input: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count.set(self.count.get() + count as u64);
        Ok(count)
    }
}

/// An input that repeats the same lines, up to a number of octets.
struct Endless {
    lines: &'static [u8],
    at: usize,
    left: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.lines[self.at..];
        let count = rest.len().min(buffer.len()).min(self.left);
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at = (self.at + count) % self.lines.len();
        self.left -= count;
        Ok(count)
    }
}

const RECORD: &[u8] =
    b"0 @I1@ INDI\n1 NAME Jos\xE9 /N\xFA\xF1ez/\n1 NOTE A note that goes on\n2 CONT and on\n";

/// 50 MB in blocks of 64 KiB: no more is ever read than a few blocks ahead of what was handed out.
#[test]
fn memory_is_bounded() {
    for (header, records) in [
        ("0 HEAD\n1 CHAR ANSI\n", false),
        ("0 HEAD\n1 CHAR ANSI\n", true),
        ("0 HEAD\n1 CHAR ASCII\n", false),
        ("0 HEAD\n", false),
    ] {
        let input = io::Cursor::new(header).chain(Endless { lines: RECORD, at: 0, left: 50_000_000 });
        let count = Rc::new(Cell::new(0));
        let counting = Counting { input, count: Rc::clone(&count) };
        let mut reader = TextReader::new(counting, WILD, &Options::default()).with_block_size(1 << 16);
        let mut handed_out = 0;
        let mut blocks = 0;
        let mut ahead = 0;
        let mut take = |octets: u64| {
            handed_out += octets;
            blocks += 1;
            ahead = ahead.max(count.get() - handed_out);
        };
        if records {
            let mut reader = reader.by_records(starts_record);
            while let Some(block) = reader.next_block().unwrap() {
                take(block.octets().len() as u64);
                reader.recycle(block);
            }
        } else {
            while let Some(block) = reader.next_block(&mut ()).unwrap() {
                take(block.octets().len() as u64);
            }
        }
        assert_eq!(handed_out, 50_000_000 + header.len() as u64);
        assert!(blocks > 700, "{blocks}");
        // The evidence for the encoding is the most that is ever held.
        let open = header.contains("ASCII") || !header.contains("CHAR") || header.contains("ANSI");
        let bound = (4 << 16) + if open { elf_octets::EVIDENCE_LIMIT as u64 } else { 0 };
        assert!(ahead <= bound, "{ahead} octets ahead after {header:?}");
    }
}

#[test]
fn blocks_of_records() {
    let mut octets = b"0 HEAD\n1 CHAR ANSI\n".to_vec();
    for _ in 0..50 {
        octets.extend_from_slice(RECORD);
    }
    octets.extend(b" \t0 TRLR\n");
    for encoding in ["ANSI", "UNICODE"] {
        let octets = if encoding == "ANSI" {
            octets.clone()
        } else {
            let text = whole(&octets, WILD).text.replace("ANSI", "UNICODE");
            text.encode_utf16().flat_map(u16::to_be_bytes).collect()
        };
        let expected = whole(&octets, WILD);
        for size in [1, 10, 100, 500, 1000, 1 << 20] {
            let mut reader = TextReader::new(octets.as_slice(), WILD, &Options::default())
                .with_block_size(size)
                .by_records(starts_record);
            let mut text = String::new();
            let mut blocks = 0;
            while let Some(block) = reader.next_block().unwrap() {
                let block = block.source(&mut ()).unwrap();
                assert_eq!(block.line_breaks(), LineBreaks::of(block.text()));
                let first = block.line_strings().next().unwrap();
                assert!(first.of(block.text()).starts_with("0 "), "{size}");
                let heads =
                    block.line_strings().filter(|span| span.of(block.text()).starts_with("0 ")).count();
                assert!(size > 1 || heads == 1, "{heads} records in a block");
                text.push_str(block.text());
                blocks += 1;
            }
            assert_eq!(text, expected.text, "{size}");
            assert!(size > 1 || blocks == 52, "{blocks}");
        }
    }
}

/// Places are those of the file, whichever block they are asked of.
#[test]
fn places_are_those_of_the_file() {
    let mut octets = b"\xEF\xBB\xBF0 HEAD\r\n1 CHAR UTF-8\r\n".to_vec();
    for number in 0..200 {
        octets.extend(format!("0 @N{number}@ NOTE \u{E9}\n\n").bytes());
    }
    octets.extend(b"0 NOTE \xC3\n1 CONC \xA9@");
    let source = Source::read(&octets, WILD, &Options::default(), &mut ()).unwrap();
    let mut locator = source.locator();
    let expected: Vec<_> =
        source.line_strings().map(|span| (locator.place(span), locator.octet_range(span))).collect();
    for size in [1, 100, 1000] {
        let mut reader = TextReader::new(octets.as_slice(), WILD, &Options::default()).with_block_size(size);
        let mut places = Vec::new();
        while let Some(block) = reader.next_block(&mut ()).unwrap() {
            let mut locator = block.locator();
            places.extend(block.line_strings().map(|span| (locator.place(span), locator.octet_range(span))));
        }
        assert_eq!(places, expected, "{size}");
    }
}

/// An input that fails once in the middle.
struct Failing<'o>(Pieces<'o>, bool);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        if count == 0 && !self.1 {
            self.1 = true;
            return Err(io::Error::other("the disk is gone"));
        }
        Ok(count)
    }
}

#[test]
fn what_the_input_says_is_handed_on() {
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 TRLR\n";
    let mut reader = TextReader::new(Failing(Pieces::new(octets, &[]), false), WILD, &Options::default());
    let error = reader.next_block(&mut ()).unwrap_err();
    assert_eq!(error.to_string(), "the disk is gone");
    // And nothing was lost by it.
    assert_eq!(reader.next_block(&mut ()).unwrap().unwrap().octets(), octets);
    assert!(reader.next_block(&mut ()).unwrap().is_none());
}

#[test]
fn what_stands_before_the_first_record_is_in_one_block_with_it() {
    let text = "garbage\n\n1 x\n0 HEAD\n1 SOUR x\n0 @I1@ INDI\n0 TRLR\n";
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    for octets in [text.as_bytes(), &utf16] {
        let reader = TextReader::new(octets, &Rules::WILD, &Options::default()).with_block_size(1);
        let (mut reader, mut lines) = (reader.by_records(starts_record), Vec::new());
        while let Some(block) = reader.next_block().expect("memory") {
            lines.push(block.source(&mut ()).expect("small").line_count());
        }
        assert_eq!(lines, [5, 1, 1]);
    }
}
