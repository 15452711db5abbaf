//! Every fixture in every encoding that can hold it, with every line break, with and without a mark; and
//! every small one cut at every octet.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::{Diagnostic, Rules};
use elf_octets::{Encoding, Options, Source, TextReader, nfc};
use elf_tests::fixtures::Fixture;
use std::io::Read;

fn source<'o>(
    octets: &'o [u8],
    rules: &Rules,
    options: &Options,
    findings: &mut Vec<Diagnostic>,
) -> Source<'o> {
    Source::read(octets, rules, options, findings).expect("a small file")
}

/// The line strings, composed: ANSEL and others have letters with marks one way only.
fn lines(source: &Source<'_>) -> Vec<String> {
    source.line_strings().map(|span| nfc(span.of(source.text())).into_owned()).collect()
}

#[test]
fn every_fixture_in_every_encoding() {
    let mut seen = 0;
    for fixture in Fixture::all_fixtures().expect("fixtures") {
        let octets = fixture.octets().expect("a fixture");
        let rules = fixture.rules().expect("rules");
        let plain = source(&octets, rules, &Options::default(), &mut Vec::new());
        if !plain.is_complete() || !plain.irregular().is_empty() {
            // What cannot be decoded cannot be encoded.
            continue;
        }
        let text = plain.text().replace("\r\n", "\n").replace('\r', "\n");
        let expected = {
            let utf8 = Options::default().with_forced(Some(Encoding::Utf8));
            lines(&source(text.as_bytes(), rules, &utf8, &mut Vec::new()))
        };
        for encoding in Encoding::ALL {
            for line_break in ["\n", "\r", "\r\n"] {
                for mark in [None, encoding.mark()] {
                    let mut octets = mark.unwrap_or_default().to_vec();
                    if encoding.encode_into(&text.replace('\n', line_break), &mut octets).is_err() {
                        continue;
                    }
                    let forced = Options::default().with_forced(Some(encoding));
                    let found = lines(&source(&octets, rules, &forced, &mut Vec::new()));
                    assert_eq!(found, expected, "{} in {encoding}, {line_break:?}, {mark:?}", fixture.name());
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1_000, "{seen}");
}

/// Gives its octets in two pieces.
struct Cut<'o>(&'o [u8], usize);

impl Read for Cut<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let piece = if self.1 > 0 { self.1.min(self.0.len()) } else { self.0.len() };
        let length = piece.min(buffer.len());
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        self.1 = self.1.saturating_sub(length);
        Ok(length)
    }
}

#[test]
fn every_small_fixture_cut_at_every_octet() {
    for fixture in Fixture::all_fixtures().expect("fixtures") {
        let octets = fixture.octets().expect("a fixture");
        let rules = fixture.rules().expect("rules");
        if octets.len() > 1024 {
            continue;
        }
        let mut findings = Vec::new();
        let expected = lines(&source(&octets, rules, &Options::default(), &mut findings));
        for cut in 0..=octets.len() {
            let mut found = Vec::new();
            let mut reader =
                TextReader::new(Cut(&octets, cut), rules, &Options::default()).with_block_size(cut.max(1));
            let mut all = Vec::new();
            while let Some(block) = reader.next_block(&mut found).expect("memory cannot fail") {
                all.extend(lines(&block));
            }
            assert_eq!(all, expected, "{} cut at {cut}", fixture.name());
            let codes = |findings: &[Diagnostic]| -> Vec<_> {
                findings.iter().map(|found| (found.code, found.place.map(|place| place.octet))).collect()
            };
            assert_eq!(codes(&found), codes(&findings), "{} cut at {cut}", fixture.name());
        }
    }
}
