//! Tests of places: octet, line and column of every character, in every encoding.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use elf_base::{Rules, Span};
use elf_octets::{Encoding, Irregularity, Options, Source, decode};

const TEXT: &str = "0 HEAD\n  1 SOUR x\r\n\r1 NOTE Jose\u{301} \u{E6}\u{F8} a\u{323}\u{302}b@\n0 TRLR";

/// All that can be said of a place can be found the slow way: count the breaks and the characters before it.
fn slow_place(text: &str, offset: usize) -> (u64, u64) {
    let before = &text[..offset];
    let mut line = 1;
    let mut start = 0;
    for (at, octet) in before.bytes().enumerate() {
        let first_half = octet == b'\r' && text.as_bytes().get(at + 1) == Some(&b'\n');
        if matches!(octet, b'\n' | b'\r') && !first_half {
            line += 1;
            start = at + 1;
        }
    }
    (line, before[start..].chars().count() as u64 + 1)
}

/// Every place of every character, asked in every order.
fn check(source: &Source<'_>, encoding: Encoding) {
    let text = source.text();
    let offsets: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
    let mut rising = source.locator();
    let mut falling = source.locator();
    let mut places = Vec::new();
    for offset in offsets.iter().copied() {
        let length = text[offset..].chars().next().map_or(0, char::len_utf8);
        let span = Span::new(offset as u32, (offset + length) as u32);
        let place = rising.place(span);
        assert_eq!((place.line, place.column), {
            let (line, column) = slow_place(text, offset);
            // What ANSEL turns round has the place of its cluster.
            if encoding == Encoding::Ansel && place.column < column {
                (line, place.column)
            } else {
                (line, column)
            }
        });
        assert_eq!(
            place,
            source.locator().place(span),
            "{encoding} {offset}: a locator of its own says the same"
        );
        let excerpt = rising.excerpt(span).unwrap();
        let line = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        if !text[offset..].starts_with(['\n', '\r']) {
            assert!(text[line..].starts_with(&*excerpt.text), "{encoding} {offset}");
        }
        // The octets of a character decode to that character.
        let range = rising.octet_range(span);
        assert_eq!(range.start, place.octet, "{encoding} {offset}");
        let octets = &source.octets()[range.start as usize..range.end as usize];
        let irregular = source.irregular().iter().any(|one| {
            one.text.start as usize <= offset && offset <= one.text.end as usize
                || one.kind == Irregularity::CutTail
        });
        if !irregular {
            let decoded = decode(octets, encoding, &Rules::WILD.octets).text;
            assert!(decoded.contains(&text[offset..offset + length]), "{encoding} {offset} {decoded:?}");
            if encoding != Encoding::Ansel {
                assert_eq!(decoded, text[offset..offset + length], "{encoding} {offset}");
            }
        }
        places.push((span, place));
    }
    for (span, place) in places.iter().rev() {
        assert_eq!(falling.place(*span), *place);
    }
    // From anywhere to anywhere.
    let mut jumping = source.locator();
    for step in 0..places.len() {
        let (span, place) = places[step * 7919 % places.len()];
        assert_eq!(jumping.place(span), place);
    }
}

#[test]
fn places_in_every_encoding() {
    for encoding in Encoding::ALL {
        let mut octets = Vec::new();
        if encoding.encode_into(TEXT, &mut octets).is_err() {
            // As much as it can hold.
            octets.clear();
            let text: String = TEXT.chars().filter(|c| encoding.can_encode(*c)).collect();
            encoding.encode_into(&text, &mut octets).unwrap();
        }
        for mark in [None, encoding.mark()] {
            let octets = [mark.unwrap_or_default(), &octets].concat();
            let options = Options::default().with_forced(Some(encoding));
            let source = Source::read(&octets, &Rules::WILD, &options, &mut ()).unwrap();
            check(&source, encoding);
        }
    }
}

#[test]
fn places_around_faults() {
    for (encoding, octets) in [
        (
            Encoding::Utf8,
            b"\xEF\xBB\xBF0 HEAD\n1 NOTE \xC3\xA9\xFFx\xE2\x82\n1 CONC \xAC\xED\xA1\x80\xED\xB0\xA1y\xC2\x93z\r\n0 TRLR \xE9".as_slice(),
        ),
        (Encoding::Ansel, b"0 HEAD\n1 NOTE \xE2\xE8u\xFFx\xE2\n1 CONC \x80\x81y\xEBt\xECsz\r\n0 TRLR \xE2"),
        (Encoding::Ansel, b"0 HEAD\n1 NOTE caf\xE2\n2 CONC e au lait\xF2\xE8\r\n2 CONC \xE3uj\xE1\n2 CONC \xB2\xE1a"),
        (Encoding::Utf16Le, b"0\x00 \x00H\x00\n\x00\x40\xD8x\x00\x21\xDC\r\x00\n\x00y\x00\x40\xD8\x21\xDCz\x00\xFF"),
        (Encoding::Windows1252, b"0 HEAD\n1 NOTE \x81\x8Dx\xE9\n\x90y"),
        (Encoding::Iso8859_1, b"0 HEAD\n1 NOTE \x81\x92x\xE9\n\x90y"),
    ] {
        let options = Options::default().with_forced(Some(encoding));
        let source = Source::read(octets, &Rules::WILD, &options, &mut ()).unwrap();
        check(&source, encoding);
        for irregular in source.irregular() {
            // What is irregular is at its own octets.
            if irregular.kind != Irregularity::CutTail {
                assert_eq!(source.locator().place(irregular.text).octet, irregular.octets.start, "{encoding}");
            }
        }
    }
}

/// Positions on a line of 20 MB, rising, falling, and from end to end: none costs the length of the line.
#[test]
fn positions_on_a_long_line() {
    for encoding in [Encoding::Utf8, Encoding::Ansel, Encoding::Utf16Be, Encoding::Cp437] {
        let mut octets = Vec::new();
        encoding.encode_into("0 HEAD\n0 NOTE ", &mut octets).unwrap();
        encoding.encode_into(&"naïve façade @ ".repeat(400_000), &mut octets).unwrap();
        let options = Options::default().with_forced(Some(encoding));
        let source = Source::read(&octets, &Rules::WILD, &options, &mut ()).unwrap();
        let text = source.text();
        let signs: Vec<u32> = text.match_indices('@').map(|(at, _)| at as u32).step_by(40).collect();
        let mut locator = source.locator();
        for at in &signs {
            let place = locator.place(Span::new(*at, *at + 1));
            assert_eq!(place.line, 2);
        }
        let mut both_ends = source.locator();
        for (low, high) in signs.iter().zip(signs.iter().rev()) {
            assert!(both_ends.place(Span::new(*low, *low + 1)).octet > 0);
            assert!(both_ends.place(Span::new(*high, *high + 1)).octet > 0);
        }
        let last = *signs.last().unwrap();
        let place = both_ends.place(Span::new(last, last + 1));
        assert_eq!(place.column, text[7..last as usize].chars().count() as u64 + 1);
        let unit = if encoding.is_utf16() { 2 } else { 1 };
        let mut at = Vec::new();
        encoding.encode_into("@", &mut at).unwrap();
        assert_eq!(&octets[place.octet as usize..place.octet as usize + unit], at);
    }
}

#[test]
fn a_span_past_its_line_ends_with_it() {
    let source = Source::read(b"0 HEAD\n1 CHAR UTF-8\n", &Rules::WILD, &Options::default(), &mut ()).unwrap();
    let place = source.locator().place(Span::new(2, 15));
    assert_eq!((place.column, place.end_column), (3, 7));
    // The end of the text, after the last break, is on a line of its own; past it there is nothing to find.
    let place = source.locator().place(Span::new(20, 20));
    assert_eq!((place.line, place.column, place.octet), (3, 1, 20));
    assert_eq!(source.locator().place(Span::new(500, 600)), place);
    let empty = Source::read(b"", &Rules::WILD, &Options::default(), &mut ()).unwrap();
    assert_eq!(empty.locator().place(Span::new(0, 0)).line, 1);
}
