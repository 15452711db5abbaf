//! Laws that hold of any octets and any text.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use crate::common;

use common::{Pieces, streamed, whole, whole_with};
use elf_base::{Rules, Span};
use elf_octets::{Encoding, Irregularity, Options, Patch, Source, decode, nfc};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_canonical;

fn presets() -> impl Strategy<Value = &'static Rules> {
    (0..Rules::PRESETS.len()).prop_map(|index| Rules::PRESETS[index])
}

fn encodings() -> impl Strategy<Value = Encoding> {
    (0..Encoding::ALL.len()).prop_map(|index| Encoding::ALL[index])
}

/// Octets that look like a file here and there, so that faults are met in the middle of what makes sense.
fn files() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        4 => Just(b"0 HEAD".to_vec()),
        2 => prop_oneof![
            Just("ANSEL"), Just("UTF-8"), Just("ASCII"), Just("UNICODE"), Just("ANSI"), Just("IBMPC"), Just("x"), Just("")
        ].prop_map(|name| format!("1 CHAR {name}").into_bytes()),
        1 => Just(b"2 VERS 1250".to_vec()),
        2 => Just("1 NOTE Zoë \u{20021}\u{92}".as_bytes().to_vec()),
        2 => Just(b"0 NOTE \xC3\xA9\xE2\x82".to_vec()),
        2 => Just(b"1 CONC \xAC\xF0\x9F".to_vec()),
        2 => Just(b"0 NOTE a\xE2".to_vec()),
        2 => Just(b"1 CONC e\xE8".to_vec()),
        1 => Just(b"2 CONC \x98\x80\xED\xA1\x80\xED\xB0\xA1\xED".to_vec()),
        2 => prop::collection::vec(any::<u8>(), 0..12),
        2 => prop::collection::vec(prop_oneof![Just(b' '), Just(b'\t'), 0xE0..=0xFF_u8, b'a'..=b'e', Just(0), Just(8)], 0..9),
    ];
    let line_break =
        prop_oneof![6 => Just("\n"), 2 => Just("\r"), 2 => Just("\r\n"), 1 => Just("\n\r"), 1 => Just("")];
    let mark = prop_oneof![5 => Just(b"".as_slice()), 1 => Just(b"\xEF\xBB\xBF".as_slice())];
    (mark, prop::collection::vec((line, line_break), 0..14), 0..6_u8).prop_map(|(mark, lines, shape)| {
        let mut octets = mark.to_vec();
        for (line, line_break) in lines {
            octets.extend_from_slice(&line);
            octets.extend_from_slice(line_break.as_bytes());
        }
        // Now and then widened to something like UTF-16.
        match shape {
            0 => octets.iter().flat_map(|octet| [*octet, u8::from(*octet > 0xF0) * 0xD8]).collect(),
            1 => octets.iter().flat_map(|octet| [u8::from(*octet > 0xF0) * 0xDC, *octet]).collect(),
            _ => octets,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Blocks of any size, from input that comes in any pieces, give what the whole gives.
    #[test]
    fn streamed_is_whole(
        octets in files(),
        rules in presets(),
        mut ends in prop::collection::vec(0..300_usize, 0..6),
        block in prop_oneof![1..40_usize, Just(1 << 20)],
        forced in prop_oneof![4 => Just(None), 1 => encodings().prop_map(Some)],
    ) {
        ends.sort_unstable();
        let options = Options::default().with_forced(forced);
        let expected = whole_with(&octets, rules, &options);
        prop_assert_eq!(streamed(Pieces::new(&octets, &ends), block, rules, &options), expected);
    }

    /// No octets whatever make a reader panic, in any encoding, and text and octets keep to each other.
    #[test]
    fn any_octets_are_read(octets in prop_oneof![files(), prop::collection::vec(any::<u8>(), 0..80)], encoding in encodings(), rules in presets()) {
        let options = Options::default().with_forced(Some(encoding));
        for options in [options, Options::default(), Options::default().with_external(Some(encoding))] {
            let source = Source::read(&octets, rules, &options, &mut ()).unwrap();
            let used = source.decision().used;
            // Line strings are in order, without breaks, and part of the text.
            let mut last = 0;
            for span in source.line_strings() {
                prop_assert!(last <= span.start && span.start <= span.end);
                prop_assert!(source.text().get(span.range()).is_some_and(|line| !line.contains(['\n', '\r'])));
                last = span.end;
            }
            // Lines abut in text and octets.
            let mut at = source.line(1).map_or(0, |line| line.octets.start);
            for line in (1..).map_while(|number| source.line(number)) {
                prop_assert_eq!(line.octets.start, at);
                at = line.octets.end;
            }
            // Places rise with the text, and characters that are regular decode from their own octets.
            let mut locator = source.locator();
            let mut before = None;
            for (offset, character) in source.text().char_indices() {
                let span = Span::new(offset as u32, (offset + character.len_utf8()) as u32);
                let place = locator.place(span);
                prop_assert!(before <= Some((place.line, place.octet)));
                before = Some((place.line, place.octet));
                let range = locator.octet_range(span);
                prop_assert!(range.start == place.octet && range.start <= range.end && range.end <= octets.len() as u64);
                let irregular = source.irregular().iter().any(|one| one.text.start <= span.end && span.start <= one.text.end);
                if !irregular {
                    let own = &octets[range.start as usize..range.end as usize];
                    let decoded = decode(own, used, &rules.octets);
                    prop_assert!(decoded.text.contains(character), "{} {:?} {:?}", used, character, decoded.text);
                }
            }
        }
    }

    /// The side table and the regular text together are the file.
    #[test]
    fn nothing_is_lost_in_utf_8(octets in files(), rules in presets()) {
        let options = Options::default().with_forced(Some(Encoding::Utf8));
        let source = Source::read(&octets, rules, &options, &mut ()).unwrap();
        if !source.is_complete() {
            return Ok(());
        }
        let mark = source.line(1).map_or(octets.len(), |line| line.octets.start as usize);
        let mut rebuilt = octets[..mark].to_vec();
        let mut from = 0;
        for irregular in source.irregular() {
            prop_assert_ne!(irregular.kind, Irregularity::Dangling);
            rebuilt.extend_from_slice(&source.text().as_bytes()[from..irregular.text.start as usize]);
            rebuilt.extend_from_slice(&octets[irregular.octets.start as usize..irregular.octets.end as usize]);
            from = irregular.text.end as usize;
        }
        rebuilt.extend_from_slice(&source.text().as_bytes()[from..]);
        if source.line(1).is_some() {
            prop_assert_eq!(rebuilt, octets);
        }
    }

    /// Encoded text decodes to the same text again, or in ANSEL to canonically equivalent text, which stays
    /// the same from then on.
    #[test]
    fn decoding_undoes_encoding(text in texts(), encoding in encodings()) {
        let mut octets = Vec::new();
        let encoded = encoding.encode_into(&text, &mut octets);
        if let Err(missing) = encoded {
            prop_assert!(text[missing.offset..].starts_with(missing.character));
            return Ok(());
        }
        prop_assert_eq!(encoding.encoded_len(&text), octets.len());
        let decoded = decode(&octets, encoding, &Rules::DECEMBER_2019.octets);
        prop_assert!(decoded.complete && decoded.irregular.is_empty());
        if encoding == Encoding::Ansel {
            prop_assert!(decoded.text.nfd().eq(text.nfd()), "{:?} {:?}", decoded.text, text);
            prop_assert_eq!(nfc(&decoded.text), nfc(&text));
            let mut again = Vec::new();
            encoding.encode_into(&decoded.text, &mut again).unwrap();
            prop_assert_eq!(&decode(&again, encoding, &Rules::WILD.octets).text, &decoded.text);
        } else {
            prop_assert_eq!(decoded.text, text);
        }
    }

    /// ANSEL has marks only, so letters and marks are encoded as the letters they compose, which are looked
    /// up.
    #[test]
    fn composed_letters_are_encoded_as_letters_and_marks(text in texts()) {
        let mut apart = String::new();
        text.chars().for_each(|c| decompose_canonical(c, |part| apart.push(part)));
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        let composed = Encoding::Ansel.encode_into(&text, &mut whole);
        let decomposed = Encoding::Ansel.encode_into(&apart, &mut parts);
        prop_assert_eq!(composed.is_ok(), decomposed.is_ok());
        if composed.is_ok() {
            prop_assert_eq!(whole, parts);
        }
    }

    /// ANSEL can encode every text that its decoder gives of octets it can decode: to octets that give the
    /// text again, but for the euro sign of MARC 21, which is read and not written.
    #[test]
    fn ansel_text_is_encodable(
        octets in prop::collection::vec(prop_oneof![3 => b' '..=b'~', 2 => 0xE0..=0xFC_u8, 1 => 0xA1..=0xC7_u8], 0..24),
    ) {
        // Octets that stand for nothing, and marks at the end, become letters.
        let mut octets: Vec<u8> = octets.into_iter().map(|octet| if matches!(octet, 0xAF | 0xBB) { b'x' } else { octet }).collect();
        octets.push(b'y');
        let decoded = decode(&octets, Encoding::Ansel, &Rules::WILD.octets);
        prop_assert!(decoded.irregular.is_empty());
        let mut again = Vec::new();
        Encoding::Ansel.encode_into(&decoded.text, &mut again).unwrap();
        prop_assert_eq!(decode(&again, Encoding::Ansel, &Rules::WILD.octets).text, decoded.text);
    }

    /// No patch, same octets; and a patch of a line by itself changes nothing that is read.
    #[test]
    fn patches_touch_nothing_else(octets in files(), line in 1..12_u64) {
        let source = Source::read(&octets, &Rules::WILD, &Options::default(), &mut ()).unwrap();
        prop_assert_eq!(source.splice(&[]).unwrap(), octets.clone());
        if let Some(range) = source.line(line) {
            let with = format!("{}\n", range.text.of(source.text()));
            match source.splice(&[Patch::new(line..line + 1, with)]) {
                Ok(patched) => {
                    let start = range.octets.start as usize;
                    let regular = source.irregular().is_empty();
                    prop_assert!(!regular || patched.starts_with(&octets[..start]));
                    let rest = &octets[range.octets.end as usize..];
                    prop_assert!(!regular || patched.ends_with(rest));
                }
                Err(error) => prop_assert!(error.to_string().contains("cannot be written")),
            }
        }
    }

    /// Reading twice gives the same twice, and the command's two ways in agree with each other.
    #[test]
    fn deciding_is_part_of_reading(octets in files(), rules in presets()) {
        let decision = elf_octets::decide(&octets, rules, &Options::default(), &mut ());
        let reading = whole(&octets, rules);
        prop_assert_eq!((decision.used, decision.because.name()), (reading.encoding, reading.because));
    }
}

/// Text of all kinds: what some encodings can hold, what only Unicode can, marks in any order.
fn texts() -> impl Strategy<Value = String> {
    let pool: Vec<char> = ('\u{20}'..='\u{250}')
        .chain("ŁøđÞæœʹ·♭®±ơƯʾʿℓ℗♯€ßАяΩπ═█中😀ﬁ…’“–".chars())
        .chain(('\u{300}'..='\u{315}').chain('\u{323}'..='\u{338}').chain('\u{FE20}'..='\u{FE23}'))
        .chain('\u{1EA0}'..='\u{1EF9}')
        .chain(['\t', '\n', '\r', '\u{31B}', '\u{31C}', '\u{212B}', '\u{37E}'])
        .collect();
    let ansel: Vec<char> = pool.iter().copied().filter(|c| Encoding::Ansel.can_encode(*c)).collect();
    prop_oneof![
        prop::collection::vec(prop::sample::select(pool), 0..12).prop_map(String::from_iter),
        prop::collection::vec(prop::sample::select(ansel), 0..16).prop_map(String::from_iter),
        any::<String>(),
        "[ -~\u{A0}-\u{FF}]{0,20}",
        "[ -~]{0,20}",
    ]
}
