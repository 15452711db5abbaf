//! Octets that are not quite in their encoding: fixed where there is one likely cause, and kept in any
//! case.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use crate::common;

use common::whole;
use elf_base::{Rules, Span};
use elf_octets::{Encoding, Irregularity, Options, Source};

const D19: &Rules = &Rules::DECEMBER_2019;
const J19: &Rules = &Rules::JANUARY_2019;
const WILD: &Rules = &Rules::WILD;

fn read<'o>(octets: &'o [u8], rules: &Rules) -> Source<'o> {
    Source::read(octets, rules, &Options::default(), &mut ()).unwrap()
}

#[test]
fn valid_utf_8_is_not_copied() {
    for octets in
        [b"0 HEAD\n1 CHAR UTF-8\n".as_slice(), "\u{FEFF}0 HEAD\n1 CHAR UTF-8\n0 NOTE é\n".as_bytes()]
    {
        for rules in Rules::PRESETS {
            let source = read(octets, rules);
            let mark = octets.len() - source.text().len();
            assert_eq!(source.text().as_ptr(), octets[mark..].as_ptr(), "{}", rules.name);
        }
    }
}

/// Two surrogates of three octets each: reported by all rules, read by all (D19-OCT-30).
#[test]
fn cesu_8() {
    for rules in [D19, J19, WILD] {
        let octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE a\xED\xA1\x80\xED\xB0\xA1b\n0 TRLR\n";
        let reading = whole(octets, rules);
        assert!(reading.complete, "{}", rules.name);
        assert_eq!(reading.line_strings[2], "0 NOTE a\u{20021}b");
        assert_eq!(reading.codes(), ["E0111"]);
        assert_eq!(reading.octets_of("E0111"), [28]);
    }
    // Half of one is nothing.
    let reading = whole(b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xC3\xA9\xED\xA1\x80b\n0 TRLR\n", J19);
    assert_eq!(reading.line_strings[2], "0 NOTE é\u{FFFD}\u{FFFD}\u{FFFD}b");
    assert_eq!(reading.octets_of("E0109"), [29]);
}

#[test]
fn an_undecodable_octet_is_kept() {
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xC3\xA9 \xE9t\xE9 \xF0\x9F\x98\n0 TRLR\n";
    for (rules, line) in [(J19, "0 NOTE é \u{FFFD}t\u{FFFD} \u{FFFD}"), (WILD, "0 NOTE é été \u{FFFD}")] {
        let source = read(octets, rules);
        assert_eq!(source.line_strings().nth(2).map(|span| span.of(source.text())), Some(line));
        let table: Vec<_> = source.irregular().iter().map(|one| (one.kind, one.octets.clone())).collect();
        let lost = Irregularity::Undecodable;
        assert_eq!(table, [(lost, 30..31), (lost, 32..33), (lost, 34..37)]);
        let reading = whole(octets, rules);
        assert_eq!(reading.octets_of("E0109"), [30, 32, 34]);
    }
    assert!(!read(octets, D19).is_complete());
    assert_eq!(whole(octets, D19).octets_of("E0109"), [30]);
}

/// Neighbouring octets are one fault.
#[test]
fn a_run_of_undecodable_octets_is_reported_once() {
    let reading = whole(
        b"0 HEAD\n1 CHAR ANSEL\n1 NOTE M\xE8uller K\xE8ohler Andr\xE2e\n0 NOTE a\x80\x81\x82b\xFF\n0 TRLR\n",
        WILD,
    );
    assert_eq!(reading.line_strings[3], "0 NOTE a\u{FFFD}\u{FFFD}\u{FFFD}b\u{FFFD}");
    assert_eq!(reading.octets_of("E0109"), [58, 62]);
    let (_, place, message, ..) = &reading.diagnostics[0];
    assert_eq!(*place, Some((58, 4, 9, 12)));
    assert!(message.contains("bytes 80 81 82"), "{message}");
}

/// Text that went from Windows to UTF-8 by way of Latin-1.
#[test]
fn c1_controls_are_windows_1252() {
    let octets =
        "0 HEAD\n1 CHAR UTF-8\n0 NOTE \u{93}O\u{92}Neill\u{94} é\u{81}\u{85}\n1 CONT a\n0 TRLR\n".as_bytes();
    let reading = whole(octets, WILD);
    assert_eq!(reading.line_strings[2], "0 NOTE “O’Neill” é\u{81}\u{85}");
    // Once a line, and U+0081, which Windows has nothing for, is a control character.
    assert_eq!(reading.codes(), ["E0112", "E0115"]);
    assert_eq!(reading.octets_of("E0112"), [27]);
    assert!(reading.diagnostics[0].2.contains("and 2 more"), "{}", reading.diagnostics[0].2);
    assert_eq!(reading.octets_of("E0115"), [42]);
    // No draft fixes.
    let reading = whole(octets, D19);
    assert_eq!(reading.line_strings[2], "0 NOTE \u{93}O\u{92}Neill\u{94} é\u{81}\u{85}");
    assert_eq!(reading.codes(), ["E0115"]);
}

#[test]
fn control_characters_are_reported_once_a_line() {
    let reading = whole(b"0 HEAD\n1 CHAR UTF-8\n0 NOTE a\x08b\x0Cc\x7F\tx\n1 CONT \x1B\n0 TRLR\n", D19);
    assert_eq!(reading.octets_of("E0115"), [28, 43]);
    assert!(reading.complete);
    assert!(reading.diagnostics[0].2.contains("U+0008, and 2 more such characters"));
}

/// U+FFFD in the file shows that a program lost a character. U+FFFD that the reader makes of bytes does not.
#[test]
fn lost_characters_are_reported_once_a_line() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 NOTE Jos\u{FFFD} Nu\u{FFFD}ez\n1 CONT J\u{FFFD}\n0 TRLR\n";
    for rules in [WILD, D19] {
        let reading = whole(text.as_bytes(), rules);
        assert_eq!(reading.codes(), ["E0124", "E0124"]);
        assert_eq!(reading.octets_of("E0124"), [30, 50]);
        assert!(
            reading.diagnostics[0].2.contains("U+FFFD, and 1 more such character"),
            "{}",
            reading.diagnostics[0].2
        );
    }
    let reading = whole(b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xC3\xA9 a\x81b \xEF\xBF\xBD\n0 TRLR\n", WILD);
    assert_eq!(reading.codes(), ["E0109", "E0124"]);
    assert_eq!(reading.octets_of("E0124"), [34]);
}

#[test]
fn what_is_no_character_is_found_in_one_pass() {
    for (text, forbidden) in [
        ("a", false),
        ("\u{1}\u{FFFD}\u{FEFF}\u{FB01}", false),
        ("\0", true),
        ("\u{FFFE}", true),
        ("é\u{FFFF}", true),
    ] {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n0 NOTE {text}\n");
        assert_eq!(read(file.as_bytes(), WILD).has_forbidden(), forbidden, "{text:?}");
    }
}

/// Programs that cut payloads by octets cut characters.
#[test]
fn a_character_cut_by_conc_is_joined() {
    for (head, tail, character) in [
        (b"\xC3".as_slice(), b"\xA9".as_slice(), "é"),
        (b"\xE2\x82", b"\xAC", "€"),
        (b"\xE2", b"\x82\xAC", "€"),
        (b"\xF0\x9F\x98", b"\x80", "😀"),
        (b"\xF0", b"\x9F\x98\x80", "😀"),
    ] {
        for line_break in [b"\n".as_slice(), b"\r", b"\r\n"] {
            for indent in ["", "\t  "] {
                let octets = [
                    b"0 HEAD\n1 CHAR UTF-8\n0 NOTE caf".as_slice(),
                    head,
                    line_break,
                    indent.as_bytes(),
                    b"1 CONC ",
                    tail,
                    b" noir\n0 TRLR\n",
                ]
                .concat();
                let source = read(&octets, WILD);
                let lines: Vec<_> = source.line_strings().map(|span| span.of(source.text())).collect();
                assert_eq!(lines[2..4], [format!("0 NOTE caf{character}"), "1 CONC  noir".to_owned()]);
                let reading = whole(&octets, WILD);
                assert_eq!(reading.octets_of("E0113"), [30]);
                assert!(!reading.codes().contains(&"E0109"));
                // The side table knows both halves.
                let from = 30 + head.len() as u64;
                let start = from + (line_break.len() + indent.len() + 7) as u64;
                let table: Vec<_> =
                    source.irregular().iter().map(|one| (one.kind, one.octets.clone())).collect();
                assert_eq!(
                    table,
                    [
                        (Irregularity::CutHead, 30..from),
                        (Irregularity::CutTail, start..start + tail.len() as u64)
                    ]
                );
                // And places stay right after them.
                let noir = source.text().find("noir").unwrap() as u32;
                let place = source.locator().place(Span::new(noir, noir + 4));
                let at = octets.windows(4).position(|window| window == b"noir").unwrap() as u64;
                assert_eq!((place.octet, place.column), (at, 9 + indent.len() as u64));
                assert!(!read(&octets, D19).is_complete());
                assert_eq!(whole(&octets, J19).octets_of("E0109").len(), 2);
            }
        }
    }
}

/// Programs that cut payloads by octets cut marks of ANSEL from their letters as well.
#[test]
fn a_mark_cut_from_its_letter_by_conc_is_joined() {
    for (head, tail, text) in [
        (b"\xE3".as_slice(), b"e".as_slice(), "e\u{302}"),
        (b"\xE8\xE2", b"u", "u\u{301}\u{308}"),
        (b"\xE8", b"\xE2u", "u\u{301}\u{308}"),
        (b"\xF2", b"\xE3a", "a\u{323}\u{302}"),
        (b"\xE2", b"\xB5", "æ\u{301}"),
    ] {
        for line_break in [b"\n".as_slice(), b"\r", b"\r\n"] {
            let file = [
                b"0 HEAD\n1 CHAR ANSEL\n0 NOTE arr",
                head,
                line_break,
                b" 1 CONC ",
                tail,
                b"t\xE2e\n0 TRLR\n",
            ]
            .concat();
            let source = read(&file, WILD);
            let lines: Vec<_> = source.line_strings().map(|span| span.of(source.text())).collect();
            assert_eq!(lines[2..4], [format!("0 NOTE arr{text}"), "1 CONC te\u{301}".to_owned()]);
            let reading = whole(&file, WILD);
            assert_eq!((reading.octets_of("E0113"), reading.octets_of("E0114")), (vec![30], vec![]));
            let from = 30 + head.len() as u64;
            let start = from + (line_break.len() + 8) as u64;
            let table: Vec<_> = source.irregular().iter().map(|one| (one.kind, one.octets.clone())).collect();
            let halves = [
                (Irregularity::CutHead, 30..from),
                (Irregularity::CutTail, start..start + tail.len() as u64),
            ];
            assert_eq!(table, halves);
            // Places stay right after it, and the drafts join nothing.
            let te = source.text().rfind("te").unwrap() as u32;
            let place = source.locator().place(Span::new(te, te + 1));
            assert_eq!((place.octet, place.column), (start + tail.len() as u64, 9));
            assert_eq!(whole(&file, D19).octets_of("E0114"), [30]);
        }
    }
    // Only CONC joins, and only to a letter.
    for rest in [b"\n1 CONT e".as_slice(), b"\n1 CONC  e", b"\n1 CONC \xE2", b"\n\n1 CONC e", b"\n1 CONC -"] {
        let file = [b"0 HEAD\n1 CHAR ANSEL\n0 NOTE arr\xE3".as_slice(), rest, b"\n0 TRLR\n"].concat();
        let reading = whole(&file, WILD);
        assert_eq!((reading.octets_of("E0113"), reading.octets_of("E0114")[0]), (vec![], 30));
    }
}

#[test]
fn only_conc_joins_and_only_what_fits() {
    for (rest, joined) in [
        ("\n1 CONC \u{0}", false),
        ("\n1 CONT \u{0}", false),
        ("\n1 CONC  \u{0}", false),
        ("\n1 conc \u{0}", false),
        ("\n\n1 CONC \u{0}", false),
        ("x\n1 CONC \u{0}", false),
        ("\n CONC \u{0}", false),
        ("\n12 CONC \u{1}", true),
    ] {
        let mut octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xC3\xA9 \xE2".to_vec();
        for octet in rest.bytes() {
            match octet {
                0 => octets.extend(b"\x82 "),
                1 => octets.extend(b"\x82\xAC"),
                other => octets.push(other),
            }
        }
        let reading = whole(&octets, WILD);
        assert_eq!(reading.codes().contains(&"E0113"), joined, "{rest:?}");
        assert_eq!(reading.codes().contains(&"E0109"), !joined, "{rest:?}");
    }
    // A chain: the tail of one character and the head of the next on one line.
    let reading = whole(b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xC3\xA9\xC3\n1 CONC \xA9\xC3\n1 CONC \xA9\n", WILD);
    assert_eq!(reading.line_strings[2..], ["0 NOTE éé", "1 CONC é", "1 CONC "]);
    assert_eq!(reading.codes(), ["E0113", "E0113"]);
}

#[test]
fn octets_that_could_not_be_decoded_are_written_on_no_one_s_behalf() {
    // Every octet of the file stands either in the regular text or in the side table.
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xC3\xA9\xFF\xFE\xE2\x82\n1 CONC \xAC\xED\xA1\x80\xED\xB0\xA1\n0 TRLR\n";
    let source = read(octets, WILD);
    let mut rebuilt = Vec::new();
    let mut from = 0;
    for irregular in source.irregular() {
        rebuilt.extend_from_slice(&source.text().as_bytes()[from..irregular.text.start as usize]);
        rebuilt.extend_from_slice(&octets[irregular.octets.start as usize..irregular.octets.end as usize]);
        from = irregular.text.end as usize;
    }
    rebuilt.extend_from_slice(&source.text().as_bytes()[from..]);
    assert_eq!(rebuilt, octets);
}

/// Text is put together in stretches; where they end must not show, nor what stands side by side in them.
#[test]
fn octets_of_one_character_each_mean_the_same_alone_and_in_a_row() {
    let few = |clusters: &[&[u8]], encoding, rules: &Rules| {
        let mut number: u32 = 1;
        let chosen: Vec<&[u8]> = (0..9_000)
            .map(|_| {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                clusters[(number >> 16) as usize % clusters.len()]
            })
            .collect();
        let octets = chosen.concat();
        let row = elf_octets::decode(&octets, encoding, &rules.octets);
        let alone = chosen.iter().map(|octets| elf_octets::decode(octets, encoding, &rules.octets).text);
        assert_eq!(row.text, alone.collect::<String>());
        assert!(row.complete && row.text.len() > 3 * 4096);
        row.irregular.len()
    };
    let plain: [&[u8]; 6] = [b"a", b"1 NAME John Paul Ringo George ", b"\n", b"~", b"..", b"Elizabeth"];
    // One mark and more, letters of one to three octets in UTF-8, marks of two and three.
    let ansel: [&[u8]; 9] = [
        b"\xE2e",
        b"\xE8\xF0a",
        b"\xA1",
        b"\xB5\xC8",
        b"\xEBt",
        b"\xE2\xB2",
        b"\xFB\xA9",
        b"\xCF",
        b"\xE8\xE8\xE8u",
    ];
    assert_eq!(few(&[&plain[..], &ansel].concat(), Encoding::Ansel, WILD), 0);
    let odd: [&[u8]; 3] = [b"\xE2\n", b"\x90", b"\xFD\xFF"];
    assert!(few(&[&plain[..], &ansel, &odd].concat(), Encoding::Ansel, J19) > 1000);
    let windows: [&[u8]; 5] = [b"\xE9", b"\x80", b"\xE9\xE8", b"\x81", b"\xFF"];
    assert!(few(&[&plain[..], &windows].concat(), Encoding::Windows1252, J19) > 300);
}
