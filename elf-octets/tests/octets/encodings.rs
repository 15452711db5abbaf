//! Every encoding, both ways, against listings that are not this crate's own.
#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

use elf_base::Rules;
use elf_octets::{Encoding, Irregularity, decode, nfc};
use unicode_normalization::UnicodeNormalization;

const STRICT: &elf_base::rules::OctetRules = &Rules::DECEMBER_2019.octets;
const WILD: &elf_base::rules::OctetRules = &Rules::WILD.octets;

fn encode(encoding: Encoding, text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    encoding.encode_into(text, &mut octets).unwrap();
    octets
}

/// The rows of the listing of ANSEL: octet, character, and where it stands if it is a mark.
fn ansel_listing() -> Vec<(u8, char, &'static str)> {
    include_str!("../ansel.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split('\t');
            let octet = u8::from_str_radix(fields.next().unwrap(), 16).unwrap();
            let number = fields.next().unwrap().strip_prefix("U+").unwrap();
            let character = char::from_u32(u32::from_str_radix(number, 16).unwrap()).unwrap();
            (octet, character, fields.next().unwrap())
        })
        .collect()
}

#[test]
fn ansel_is_as_listed() {
    let listing = ansel_listing();
    assert_eq!(listing.len(), 71);
    for octet in 0x80..=0xFF_u8 {
        let listed = listing.iter().find(|(other, ..)| *other == octet);
        let octets = [octet, b'x'];
        let decoded = decode(&octets, Encoding::Ansel, WILD);
        match listed {
            Some((_, character, "-")) => assert_eq!(decoded.text, format!("{character}x"), "{octet:02X}"),
            Some((_, mark, _)) => assert_eq!(decoded.text, format!("x{mark}"), "{octet:02X}"),
            // The first octets of pairs have a meaning with some second octets only.
            None => {
                let octets = [octet, b'~'];
                assert_eq!(decode(&octets, Encoding::Ansel, WILD).text, "\u{FFFD}~", "{octet:02X}");
                assert!(!decode(&[octet], Encoding::Ansel, STRICT).complete, "{octet:02X}");
            }
        }
    }
    for octet in 0..0x80_u8 {
        assert_eq!(decode(&[octet], Encoding::Ansel, STRICT).text, char::from(octet).to_string());
    }
}

/// Of two marks, low and centre ones are before high ones; of two of a kind, only high ones change places.
#[test]
fn stacked_marks_are_in_order() {
    let listing = ansel_listing();
    let marks: Vec<_> = listing.iter().filter(|(_, _, stack)| *stack != "-").collect();
    assert_eq!(marks.len(), 30);
    let rank = |stack: &str| ["centre", "low", "high"].iter().position(|other| *other == stack).unwrap();
    for (first, one, one_stack) in &marks {
        for (second, other, other_stack) in &marks {
            let decoded = decode(&[*first, *second, b'a'], Encoding::Ansel, STRICT).text.into_owned();
            let keeps = match rank(one_stack).cmp(&rank(other_stack)) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Greater => false,
                std::cmp::Ordering::Equal => *one_stack != "high",
            };
            let expected = if keeps { format!("a{one}{other}") } else { format!("a{other}{one}") };
            assert_eq!(decoded, expected, "{first:02X} {second:02X}");
            assert_eq!(decode(&encode(Encoding::Ansel, &decoded), Encoding::Ansel, STRICT).text, decoded);
        }
    }
}

#[test]
fn the_example_of_fhiso() {
    let octets = b"\xE0\xE9\xF1\xFC\xE8\xF7\x65";
    let text = "\u{65}\u{338}\u{328}\u{326}\u{308}\u{30C}\u{309}";
    assert_eq!(decode(octets, Encoding::Ansel, STRICT).text, text);
    // Written back in an order that decodes to the same: above from the outside in, below, through the
    // letter.
    assert_eq!(encode(Encoding::Ansel, text), b"\xE0\xE9\xE8\xF1\xF7\xFC\x65");
    assert_eq!(decode(b"de\x66\xEA\x66g", Encoding::Ansel, STRICT).text, "def\u{66}\u{30A}g");
}

#[test]
fn ansel_takes_composed_and_decomposed_text() {
    for (text, octets) in [
        ("é", b"\xE2e".as_slice()),
        ("e\u{301}", b"\xE2e"),
        ("ế", b"\xE2\xE3e"),
        ("ệ", b"\xE3\xF2e"),
        ("Ơ", b"\xAC"),
        ("O\u{31B}", b"\xAC"),
        ("Ờ", b"\xE1\xAC"),
        ("o\u{323}\u{31B}", b"\xF2\xBC"),
        ("Å", b"\xEAA"),
        ("\u{212B}", b"\xEAA"),
        ("ß", b"\xCF"),
        ("eo", b"eo"),
        ("t\u{FE20}s\u{FE21}", b"\xEBt\xECs"),
        ("n\u{FE22}g\u{FE23}", b"\xFAn\xFBg"),
        ("q\u{31C}", b"\xF8q"),
        ("a \u{301}b", b"a\xE2 b"),
        ("≠", b"\xFC="),
    ] {
        assert_eq!(encode(Encoding::Ansel, text), octets, "{text}");
        assert_eq!(Encoding::Ansel.encoded_len(text), octets.len(), "{text}");
        let decoded = decode(octets, Encoding::Ansel, STRICT).text.into_owned();
        assert_eq!(nfc(&decoded), nfc(text), "{text}");
        assert!(decoded.nfd().eq(text.nfd()), "{text}");
    }
    for (text, character, offset) in [
        ("\u{301}a", '\u{301}', 0),
        ("a\n\u{301}", '\n', 1),
        ("Zürich, Цюрих", 'Ц', 9),
        ("o\u{334}", '\u{334}', 1),
        ("a\u{361}b", '\u{361}', 1),
        ("ab\u{200D}", '\u{200D}', 2),
    ] {
        let missing = Encoding::Ansel.encode_into(text, &mut Vec::new()).unwrap_err();
        assert_eq!((missing.character, missing.offset), (character, offset), "{text}");
    }
}

/// The characters that Personal Ancestral File wrote as two octets, as their reader `gedcom5-java` has them: some of
/// each kind, by hand.
#[test]
fn pairs_of_personal_ancestral_file_are_characters() {
    for (octets, text) in [
        (b"Smith\xD9\x75s farm, 1880\xD9\x581885".as_slice(), "Smith’s farm, 1880–1885"),
        (b"the 1\xD9\x58\x32 pages", "the 1–2 pages"),
        (b"\xD8\x41\xD8\x61 \xD8\x5A\xD8\x7A\xD8\x24", "Αα Ζζς"),
        (b"\xD9\x53so\xD9\x54 \xD9\x55x\xD9\x74 \xD9\x56y\xD9\x53 \xD9\x76 \xD9\x52", "“so” ‚x‘ „y“ — …"),
        (b"\xD9\x61\xD9\x62\xD9\x63 5 \xD9\x30 \xD9\x21 \xD9\x7C", "½¼¾ 5 € ¢ ₫"),
        (b"\xD7\x41\xD7\x58 \xD7\x61\xD7\x79", "═█ ─▪"),
        (b"M\xE8uller\xD9\x5Ax", "Mu\u{308}llerµx"),
        // No pair: these have no meaning.
        (
            b"\xD8\x4A \xD8\x59 \xD9\x4B \xD9\x78 \xD7\x7A \xD9",
            "\u{FFFD}J \u{FFFD}Y \u{FFFD}K \u{FFFD}x \u{FFFD}z \u{FFFD}",
        ),
    ] {
        assert_eq!(decode(octets, Encoding::Ansel, WILD).text, text);
        assert!(!decode(octets, Encoding::Ansel, STRICT).complete, "{text}");
    }
    let count = |first| {
        (0x20..0x7F)
            .filter(|&second| {
                decode(&[first, second], Encoding::Ansel, WILD).irregular[0].kind == Irregularity::Pair
            })
            .count()
    };
    assert_eq!([0xD7, 0xD8, 0xD9].map(count), [49, 49, 72]);
}

#[test]
fn a_mark_without_a_letter_stays_on_its_line() {
    let decoded = decode(b"a\xE2\nb\xE2\xE8\r\nc\xE2", Encoding::Ansel, WILD);
    assert_eq!(decoded.text, "a\u{301}\nb\u{308}\u{301}\r\nc\u{301}");
    assert_eq!(decoded.irregular.len(), 3);
    let octets: Vec<_> = decoded.irregular.iter().map(|one| one.octets.clone()).collect();
    assert_eq!(octets, [1..2, 4..6, 9..10]);
    // Before an octet that stands for nothing, too.
    let decoded = decode(b"\xE2\xFF", Encoding::Ansel, WILD);
    assert_eq!(decoded.text, "\u{301}\u{FFFD}");
}

/// Code pages against the crate `oem_cp`.
#[test]
fn dos_pages_are_those_of_another_crate() {
    for (encoding, number) in
        [(Encoding::Cp437, 437_u16), (Encoding::Cp850, 850), (Encoding::Cp852, 852), (Encoding::Cp866, 866)]
    {
        let table = oem_cp::code_table::DECODING_TABLE_CP_MAP.get(&number).unwrap();
        for octet in 0..=0xFF_u8 {
            let expected = table.decode_char_checked(octet).unwrap();
            assert_eq!(
                decode(&[octet], encoding, STRICT).text,
                expected.to_string(),
                "{encoding} {octet:02X}"
            );
        }
    }
}

/// Code pages against `encoding_rs`, whose windows pages give controls where Microsoft's have nothing.
#[test]
fn windows_pages_are_those_of_another_crate() {
    for (encoding, label) in [
        (Encoding::Windows1250, "windows-1250"),
        (Encoding::Windows1251, "windows-1251"),
        (Encoding::Windows1252, "windows-1252"),
        (Encoding::Windows1253, "windows-1253"),
        (Encoding::Windows1254, "windows-1254"),
        (Encoding::Windows1255, "windows-1255"),
        (Encoding::Windows1256, "windows-1256"),
        (Encoding::Windows1257, "windows-1257"),
        (Encoding::Windows1258, "windows-1258"),
        (Encoding::Macintosh, "macintosh"),
        (Encoding::Iso8859_2, "iso-8859-2"),
        (Encoding::Iso8859_5, "iso-8859-5"),
        (Encoding::Iso8859_15, "iso-8859-15"),
        (Encoding::Koi8R, "koi8-r"),
    ] {
        let library = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let iso = label.starts_with("iso");
        for octet in 0x80..=0xFF_u8 {
            let (text, _, wrong) = library.decode(std::slice::from_ref(&octet));
            let control = text.chars().all(char::is_control) && !iso;
            let decoded = decode(std::slice::from_ref(&octet), encoding, STRICT);
            assert_eq!(decoded.complete, !(wrong || control), "{encoding} {octet:02X}");
            if decoded.complete {
                assert_eq!(decoded.text, text, "{encoding} {octet:02X}");
            }
        }
    }
    assert!(!decode(b"\x81", Encoding::Windows1252, STRICT).complete);
    assert_eq!(decode(b"\x81", Encoding::Windows1252, WILD).text, "\u{FFFD}");
}

#[test]
fn latin_1_is_the_first_256_characters() {
    for octet in 0..=0xFF_u8 {
        assert_eq!(decode(&[octet], Encoding::Iso8859_1, STRICT).text, char::from(octet).to_string());
    }
}

/// Controls of ISO 8859 make no sense in a name; Windows has letters and quotation marks there.
#[test]
fn controls_of_iso_8859_are_those_of_windows() {
    let decoded = decode(b"\x93O\x92Neill\x94 \x81", Encoding::Iso8859_1, WILD);
    assert_eq!(decoded.text, "“O’Neill” \u{81}");
    assert_eq!(decoded.irregular.len(), 3);
    assert_eq!(decode(b"\x9C", Encoding::Iso8859_2, WILD).text, "ś");
    assert_eq!(decode(b"\x9C", Encoding::Iso8859_15, WILD).text, "œ");
    assert_eq!(decode(b"\x92", Encoding::Iso8859_1, STRICT).text, "\u{92}");
}

/// Every octet of every page decodes to what encodes to that octet.
#[test]
fn pages_are_their_own_inverse() {
    for encoding in Encoding::ALL {
        if encoding.is_utf16() || matches!(encoding, Encoding::Utf8 | Encoding::Ansel) {
            continue;
        }
        for octet in 0..=0xFF_u8 {
            let decoded = decode(std::slice::from_ref(&octet), encoding, STRICT);
            if decoded.complete {
                let character = decoded.text.chars().next().unwrap();
                assert!(encoding.can_encode(character), "{encoding} {octet:02X}");
                assert_eq!(encode(encoding, &decoded.text), [octet], "{encoding}");
                assert_eq!(encoding.encoded_len(&decoded.text), 1);
            }
        }
        assert!(!encoding.can_encode('\u{4E2D}') && !encoding.can_encode('\u{1F600}'));
    }
}

#[test]
fn utf_16_both_ways_round() {
    let text = "a\u{7FF}\u{FFFD}\u{20021}\u{10FFFF}";
    assert_eq!(encode(Encoding::Utf16Be, text), b"\x00a\x07\xFF\xFF\xFD\xD8\x40\xDC\x21\xDB\xFF\xDF\xFF");
    for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
        let octets = encode(encoding, text);
        assert_eq!(encoding.encoded_len(text), octets.len());
        assert_eq!(decode(&octets, encoding, STRICT).text, text);
    }
}

#[test]
fn broken_utf_16_is_kept_in_the_side_table() {
    // A low surrogate alone, a high one alone, a high one before a character, an odd octet.
    let octets = b"a\x00\x21\xDC\x40\xD8b\x00\x40\xD8\x40\xD8\x21\xDCc\x00d";
    let decoded = decode(octets, Encoding::Utf16Le, WILD);
    assert_eq!(decoded.text, "a\u{FFFD}\u{FFFD}b\u{FFFD}\u{20021}c\u{FFFD}");
    let table: Vec<_> = decoded.irregular.iter().map(|one| (one.octets.clone(), one.text.start)).collect();
    assert_eq!(table, [(2..4, 1), (4..6, 4), (8..10, 8), (16..17, 16)]);
    // The last octets may be half a pair.
    for (octets, broken) in [
        (b"a\x00\x40\xD8".as_slice(), vec![2..4]),
        (b"a\x00\x40\xD8b", vec![2..4, 4..5]),
        (b"\x00", vec![0..1]),
    ] {
        let decoded = decode(octets, Encoding::Utf16Le, WILD);
        let table: Vec<_> = decoded.irregular.iter().map(|one| one.octets.clone()).collect();
        assert_eq!(table, broken, "{}", octets.escape_ascii());
    }
}

#[test]
fn names_are_those_of_the_command() {
    let names: Vec<_> = Encoding::ALL.iter().map(|encoding| encoding.name()).collect();
    assert_eq!(
        names.join(" "),
        "ASCII ANSEL UTF-8 UTF-16LE UTF-16BE windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 \
         windows-1255 windows-1256 windows-1257 windows-1258 ISO-8859-1 ISO-8859-2 ISO-8859-5 ISO-8859-15 CP437 CP850 CP852 CP866 \
         KOI8-R macintosh"
    );
    for encoding in Encoding::ALL {
        assert_eq!(Encoding::from_name(encoding.name()), Some(encoding));
        assert_eq!(Encoding::from_name(&encoding.name().to_ascii_lowercase()), Some(encoding));
        assert_eq!(
            encoding.char_name().is_some(),
            matches!(encoding.name(), "ASCII" | "ANSEL" | "UTF-8" | "UTF-16LE" | "UTF-16BE")
        );
    }
}
