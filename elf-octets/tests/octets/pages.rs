//! The decision between code pages: every language on each of its pages, under each CHAR, with and without
//! LANG. What counts is that names are never garbled in silence.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that measures shows its table")]

use crate::common;

use common::{by_records, streamed, whole};
use elf_base::Rules;
use elf_octets::{Encoding, Options, Source, nfc};
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

const WILD: &Rules = &Rules::WILD;

/// A language: its name in LANG, its pages, and groups of five names.
struct Language {
    name: &'static str,
    pages: Vec<&'static str>,
    groups: Vec<Vec<&'static str>>,
}

fn languages() -> Vec<Language> {
    let rows = include_str!("../pages.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let mut fields = row.split('\t');
        Language {
            name: fields.next().unwrap(),
            pages: fields.next().unwrap().split(' ').collect(),
            groups: fields.map(|names| names.split('|').collect()).collect(),
        }
    })
    .collect()
}

/// Encodes by other libraries than this crate; in windows-1258 with marks after their vowels.
fn encoded(text: &str, page: &str) -> Vec<u8> {
    match page {
        "CP437" => oem_cp::encode_string_checked(text, &oem_cp::code_table::ENCODING_TABLE_CP437).unwrap(),
        "CP850" => oem_cp::encode_string_checked(text, &oem_cp::code_table::ENCODING_TABLE_CP850).unwrap(),
        "CP852" => oem_cp::encode_string_checked(text, &oem_cp::code_table::ENCODING_TABLE_CP852).unwrap(),
        "windows-1258" => {
            // Composed letters of the page stay, and all other tones follow their vowel.
            let library = encoding_rs::WINDOWS_1258;
            let spell = |c: char| -> Vec<u8> {
                let text = c.to_string();
                let (octets, _, missing) = library.encode(&text);
                if !missing {
                    return octets.into_owned();
                }
                let parts: Vec<char> = c.to_string().nfd().collect();
                let (tone, rest) = match parts.as_slice() {
                    [base, mark] => (*mark, base.to_string()),
                    [base, a, b] if matches!(b, '\u{302}' | '\u{306}' | '\u{31B}') => {
                        (*a, format!("{base}{b}"))
                    }
                    [base, a, b] => (*b, format!("{base}{a}")),
                    _ => unreachable!("{c} has two marks at most"),
                };
                let text = format!("{}{tone}", rest.nfc().collect::<String>());
                let (octets, _, missing) = library.encode(&text);
                assert!(!missing, "{c}");
                octets.into_owned()
            };
            text.chars().flat_map(spell).collect()
        }
        _ => {
            let library = encoding_rs::Encoding::for_label(page.as_bytes())
                .or((page == "CP866").then_some(encoding_rs::IBM866))
                .unwrap();
            let (octets, _, missing) = library.encode(text);
            assert!(!missing, "{page}: {text}");
            octets.into_owned()
        }
    }
}

/// Groups of so many names: the groups of the table, and others drawn from all of them.
fn draws(groups: &[Vec<&'static str>], count: usize) -> Vec<Vec<&'static str>> {
    let all = groups.concat();
    let mut drawn: Vec<_> = groups.iter().flat_map(|group| group.chunks(count)).map(<[_]>::to_vec).collect();
    let mut number = 7_usize;
    for _ in 0..8 {
        let mut next = || {
            number = (number * 7919 + 13) % 104_729;
            all[number % all.len()]
        };
        drawn.push((0..count).map(|_| next()).collect());
    }
    drawn
}

/// The name with its surname in capitals, if the page has them.
fn in_capitals(name: &str, page: &str) -> String {
    let (given, surname) = name.split_once('/').unwrap();
    let name = format!("{given}/{}", surname.to_uppercase());
    let lacks_capitals =
        page == "CP437" && name.chars().any(|c| c.is_uppercase() && !c.is_ascii() && !"ÄÖÜÅÉÆÑÇ".contains(c));
    if lacks_capitals { as_is(&format!("{given}/{surname}"), page) } else { name }
}

fn as_is(name: &str, _: &str) -> String {
    name.to_owned()
}

fn file(names: &[String], char: Option<&str>, lang: Option<&str>) -> String {
    let mut text = "0 HEAD\n1 SOUR X\n".to_owned();
    text.extend(char.map(|char| format!("1 CHAR {char}\n")));
    text.extend(lang.map(|lang| format!("1 LANG {lang}\n")));
    for (name, number) in names.iter().zip(1..) {
        text.push_str(&format!("0 @I{number}@ INDI\n1 NAME {name}\n"));
    }
    text + "0 TRLR\n"
}

#[derive(Default, Debug)]
struct Counts {
    right: usize,
    sure: usize,
    all: usize,
}

/// Reads every file of the table with so many names. Returns the counts with and without LANG, and those that
/// are wrong although nothing says that the encoding is uncertain.
fn measure(count: usize, spell: fn(&str, &str) -> String) -> (Counts, Counts, Vec<String>) {
    let (mut with, mut without, mut silent) = (Counts::default(), Counts::default(), Vec::new());
    let mut cells: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    for language in languages() {
        for page in &language.pages {
            for names in draws(&language.groups, count) {
                let names: Vec<String> = names.iter().map(|name| spell(name, page)).collect();
                let names = names.as_slice();
                for char in [None, Some("ANSI"), Some("ANSEL"), Some("IBMPC")] {
                    for lang in [None, Some(language.name)] {
                        let text = file(names, char, lang);
                        let octets = encoded(&text, page);
                        let source = Source::read(&octets, WILD, &Options::default(), &mut ()).unwrap();
                        let right = nfc(source.text()) == text.nfc().collect::<String>();
                        let sure = source.decision().rivals.is_empty();
                        let counts = if lang.is_some() { &mut with } else { &mut without };
                        counts.all += 1;
                        counts.right += usize::from(right);
                        counts.sure += usize::from(right && sure);
                        let cell =
                            cells.entry(format!("{} {page} {}", language.name, lang.is_some())).or_default();
                        *cell =
                            (cell.0 + usize::from(right), cell.1 + usize::from(right && sure), cell.2 + 1);
                        if !right {
                            let line = format!(
                                "{} {page} CHAR {char:?} LANG {lang:?} sure {sure}: {} {:?}: {}",
                                language.name,
                                source.decision().used,
                                source.decision().rivals,
                                names.join(" ")
                            );
                            println!("{line}");
                            if sure {
                                silent.push(line);
                            }
                        }
                    }
                }
            }
        }
    }
    for (cell, (right, sure, all)) in cells {
        if sure < all {
            println!("{cell}: {right} right, {sure} of them sure, of {all}");
        }
    }
    println!("{count} names: with LANG {with:?}, without {without:?}; wrong in silence: {silent:#?}");
    (with, without, silent)
}

/// Five names: all right if LANG names the language, nine of ten if not, and none garbled in silence.
#[test]
fn five_names_show_their_page() {
    for spell in [as_is, in_capitals] {
        let (with, without, silent) = measure(5, spell);
        assert_eq!(silent, [""; 0]);
        assert_eq!(with.right, with.all);
        assert!(without.right * 10 >= without.all * 9, "{without:?}");
    }
}

/// One name shows less: nineteen of twenty are right if LANG names the language, seven of eight if not, and few
/// are garbled in silence.
#[test]
fn one_name_shows_less() {
    let (with, without, silent) = measure(1, as_is);
    assert!(with.right * 20 >= with.all * 19, "{with:?}");
    assert!(without.right * 8 >= without.all * 7, "{without:?}");
    assert!(silent.len() * 25 <= with.all + without.all, "{}", silent.len());
}

/// Western names are read as CHAR says and nothing is uncertain, whatever other pages there are: each name of
/// the list by itself.
#[test]
fn one_western_name_is_as_sure_as_ever() {
    let western = [
        "German",
        "French",
        "Spanish",
        "Portuguese",
        "Italian",
        "Irish",
        "Danish",
        "Norwegian",
        "Swedish",
        "Finnish",
    ];
    let rows = include_str!("../names.tsv").lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for fields in rows.filter(|fields| western.contains(&fields[0])) {
        for name in fields[2].split('|').chain(fields[3].split('|')).filter(|name| !name.is_ascii()) {
            for (char, encoding) in
                [("ANSI", Encoding::Windows1252), ("ANSEL", Encoding::Ansel), ("IBMPC", Encoding::Cp437)]
            {
                for lang in [None, Some(fields[0]), Some("English")] {
                    let text = file(&[format!("X /{name}/")], Some(char), lang);
                    let mut octets = Vec::new();
                    if encoding.encode_into(&text, &mut octets).is_err() {
                        continue;
                    }
                    let source = Source::read(&octets, WILD, &Options::default(), &mut ()).unwrap();
                    let decision = source.decision();
                    if nfc(source.text()) != text || !decision.rivals.is_empty() {
                        wrong.push(format!(
                            "{name} {char} {lang:?}: {:?} {:?}",
                            decision.used, decision.rivals
                        ));
                    }
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// Files with one line of text, which were once read wrong, or are easily read wrong: the header after SOUR, the
/// octets, the page that they are in, and whether nothing is uncertain.
#[test]
fn lines_that_are_easily_read_wrong() {
    let cases: &[(&str, &[u8], &str, bool)] = &[
        (
            "1 CHAR ANSI\n1 LANG Russian\n",
            b"\xC8\xE2\xE0\xED /\xCF\xE5\xF2\xF0\xEE\xE2/",
            "Иван /Петров/",
            true,
        ),
        (
            "1 LANG Russian\n1 CHAR ANSI\n",
            b"\xC8\xE2\xE0\xED /\xCF\xE5\xF2\xF0\xEE\xE2/",
            "Иван /Петров/",
            true,
        ),
        ("1 CHAR ANSI\n", b"\xC8\xE2\xE0\xED /\xCF\xE5\xF2\xF0\xEE\xE2/", "Иван /Петров/", true),
        (
            "1 CHAR ANSEL\n",
            b"\xD2\xE0\xF0\xE0\xF1 /\xD8\xE5\xE2\xF7\xE5\xED\xEA\xEE/",
            "Тарас /Шевченко/",
            true,
        ),
        (
            "",
            b"\xC3\xE5\xFE\xF1\xE3\xE9\xEF\xF2 /\xD0\xE1\xF0\xE1\xE4\xFC\xF0\xEF\xF5\xEB\xEF\xF2/",
            "Γεώργιος /Παπαδόπουλος/",
            true,
        ),
        ("1 CHAR ANSI\n1 LANG Czech\n", b"Ji\xF8\xED /Dvo\xF8\xE1k/", "Jiří /Dvořák/", true),
        ("1 CHAR ANSI\n1 LANG Polish\n", b"Stanis\xB3aw /Wi\x9Cniewski/", "Stanisław /Wiśniewski/", true),
        ("1 CHAR ANSI\n", b"Stanis\xB3aw /Wi\x9Cniewski/", "Stanisław /Wiśniewski/", true),
        ("1 CHAR ANSI\n2 VERS 1250\n", b"Stanis\xB3aw", "Stanisław", true),
        ("1 CHAR ANSI\n2 VERS 1250\n1 LANG German\n", b"\xD8eho\xF8", "Řehoř", true),
        ("1 CHAR ANSEL\n", b"S\xF8ren /\xC6bel\xF8/", "Søren /Æbelø/", true),
        ("1 CHAR IBMPC\n", b"S\xF8ren /\xC6bel\xF8/", "Søren /Æbelø/", true),
        ("1 CHAR ANSI\n1 LANG Danish\n", b"S\xF8ren /\xC6bel\xF8/", "Søren /Æbelø/", true),
        ("1 CHAR ANSI\n1 LANG German\n", b"J\xFCrgen /M\xFCller/", "Jürgen /Müller/", true),
        ("1 CHAR ANSI\n1 LANG Polish\n", "Jürgen /Wiśniewski/".as_bytes(), "Jürgen /Wiśniewski/", true),
        ("1 CHAR ANSEL\n1 LANG Polish\n", b"J\xE2ozef /Wi\xE2sniewski/", "Józef /Wiśniewski/", true),
        ("1 CHAR ANSEL\n", b"\xD8yvind /\xD8deg\xE5rd/", "Øyvind /Ødegård/", true),
        ("1 CHAR ANSEL\n", b"Ji\xF8\xED /Dvo\xF8\xE1k/", "Jiří /Dvořák/", true),
        ("1 CHAR ANSEL\n", b"\xD8eho\xF8 /Nov\xE1k/", "Řehoř /Novák/", false),
        ("1 CHAR IBMPC\n", b"J\x81rgen /M\x81ller/", "Jürgen /Müller/", true),
        (
            "1 CHAR IBMPC\n1 LANG Russian\n",
            b"\x88\xA2\xA0\xAD /\x8F\xA5\xE2\xE0\xAE\xA2/",
            "Иван /Петров/",
            true,
        ),
        // The pairs of Personal Ancestral File speak for ANSEL.
        ("1 CHAR ANSEL\n", b"Smith\xD9\x75s farm, 1880\xD9\x581885", "Smith’s farm, 1880–1885", true),
        ("1 CHAR ANSEL\n", b"\xD8\x41\xD8\x61 /Smith/", "Αα /Smith/", true),
        ("1 CHAR ANSEL\n", b"the 1\xD9\x582 pages", "the 1–2 pages", true),
        ("1 CHAR ANSEL\n", b"M\xE8uller\xD9\x75s, Andr\xE2e", "Müller’s, André", true),
        ("1 CHAR KOI8-R\n", b"\xE9\xD7\xC1\xCE", "Иван", true),
        ("1 CHAR CP852\n", b"Stanis\x88aw", "Stanisław", true),
        ("1 CHAR IBMPC\n2 VERS 866\n", b"\x88\xA2\xA0\xAD", "Иван", true),
        ("1 CHAR ISO-8859-5\n", b"\xB8\xD2\xD0\xDD", "Иван", true),
        ("1 CHAR ASCII\n", b"6.1.39 \xC6\xD8\xC5\xE6\xF8\xE5", "6.1.39 ÆØÅæøå", true),
        // One letter that is as good in several languages.
        ("1 CHAR ASCII\n", b"A\xFE", "Aţ", false),
    ];
    for (header, octets, text, sure) in cases {
        let file = [b"0 HEAD\n1 SOUR X\n", header.as_bytes(), b"0 NOTE ", octets, b"\n0 TRLR\n"].concat();
        let mut sink = Vec::new();
        let source = Source::read(&file, WILD, &Options::default(), &mut sink).unwrap();
        let line = source.text().lines().nth(header.lines().count() + 2).unwrap();
        let decision = source.decision();
        let said = format!("{header:?}: {:?} {:?}", decision.used, decision.rivals);
        assert_eq!(nfc(line).strip_prefix("0 NOTE "), Some(*text), "{said}");
        assert_eq!(decision.rivals.is_empty(), *sure, "{text}, {said}");
        let found = sink.iter().filter(|finding| finding.code.id() == "E0121").count();
        assert_eq!(found, usize::from(!sure), "{text}, {said}");
    }
}

/// LANG after CHAR counts however a file is read: as a whole, in blocks, or in blocks of records.
#[test]
fn a_file_in_blocks_is_decided_alike() {
    for (header, octets, page) in [
        (
            "1 CHAR ANSI\n1 NOTE a line\n2 CONT of the header\n1 LANG Czech\n",
            b"Ji\xF8\xED /Dvo\xF8\xE1k/".as_slice(),
            Encoding::Windows1250,
        ),
        ("1 LANG Russian\n1 CHAR IBMPC\n", b"\x88\xA2\xA0\xAD /\x8F\xA5\xE2\xE0\xAE\xA2/", Encoding::Cp866),
        ("1 CHAR ASCII\n", b"A\xFE", Encoding::Windows1250),
        ("1 CHAR ANSEL\n", b"Smith\xD9\x75s farm", Encoding::Ansel),
    ] {
        let padding = "0 @N1@ NOTE a line of ASCII\n".repeat(40);
        let file =
            [b"0 HEAD\n1 SOUR X\n", header.as_bytes(), padding.as_bytes(), b"0 NOTE ", octets, b"\n0 TRLR\n"]
                .concat();
        let expected = whole(&file, WILD);
        assert_eq!(expected.encoding, page);
        for block in [1, 16, 64, 1 << 10, 1 << 20] {
            assert_eq!(streamed(file.as_slice(), block, WILD, &Options::default()), expected, "{block}");
            assert_eq!(by_records(file.as_slice(), block, WILD, &Options::default()), expected, "{block}");
        }
    }
}
