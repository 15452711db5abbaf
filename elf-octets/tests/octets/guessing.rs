//! Rates at which the encoding of a small file is guessed right, by page and language.
//!
//! The files are put together from names, those that the rules were made with and others, and encoded by
//! other libraries: a file counts as right if its names are read as they were written.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that measures shows its table")]

use elf_base::Rules;
use elf_octets::{Options, Source, nfc};
use std::collections::BTreeMap;
use unicode_normalization::char::decompose_canonical;

/// The pages, and how many files of a hundred have to be read right.
const PAGES: [(&str, usize); 6] = [
    ("windows-1252", 95),
    ("CP437", 95),
    ("CP850", 95),
    ("ANSEL", 95),
    ("macintosh", 90),
    ("windows-1250", 90),
];

/// Names of a language: given names and surnames.
struct Names {
    language: &'static str,
    given: Vec<&'static str>,
    surnames: Vec<&'static str>,
}

fn names(which: &str) -> Vec<Names> {
    let rows = include_str!("../names.tsv").lines().filter(|line| !line.starts_with('#'));
    let fields = rows.map(|line| line.split('\t').collect::<Vec<_>>());
    let split = |names: &'static str| names.split('|').collect::<Vec<_>>();
    fields
        .filter(|fields| fields[1] == which)
        .map(|fields| Names { language: fields[0], given: split(fields[2]), surnames: split(fields[3]) })
        .collect()
}

/// The octets of a character as other libraries have them; ANSEL by the listing of this crate's tests.
fn octets_of(character: char, page: &str) -> Option<Vec<u8>> {
    if character.is_ascii() {
        return Some(vec![character as u8]);
    }
    let text = character.to_string();
    let by = |encoding: &'static encoding_rs::Encoding| {
        let (octets, _, missing) = encoding.encode(&text);
        (!missing).then(|| octets.into_owned())
    };
    match page {
        "windows-1252" => by(encoding_rs::WINDOWS_1252),
        "windows-1250" => by(encoding_rs::WINDOWS_1250),
        "macintosh" => by(encoding_rs::MACINTOSH),
        "CP437" => oem_cp::encode_char_checked(character, &oem_cp::code_table::ENCODING_TABLE_CP437)
            .map(|octet| vec![octet]),
        "CP850" => oem_cp::encode_char_checked(character, &oem_cp::code_table::ENCODING_TABLE_CP850)
            .map(|octet| vec![octet]),
        _ => ansel(character),
    }
}

/// A letter of ANSEL, or a letter with its mark before it.
fn ansel(character: char) -> Option<Vec<u8>> {
    let octet = |wanted: char| {
        let row =
            include_str!("../ansel.tsv").lines().filter(|line| !line.starts_with('#')).find(|line| {
                let number = line.split('\t').nth(1).and_then(|field| field.strip_prefix("U+")).unwrap();
                u32::from_str_radix(number, 16).unwrap() == u32::from(wanted)
            })?;
        u8::from_str_radix(row.split('\t').next().unwrap(), 16).ok()
    };
    let mut parts = Vec::new();
    decompose_canonical(character, |part| parts.push(part));
    match parts.as_slice() {
        [letter] => octet(*letter).map(|octet| vec![octet]),
        [letter, mark] => octet(*mark).map(|octet| vec![octet, *letter as u8]),
        _ => None,
    }
}

fn encoded(text: &str, page: &str) -> Option<Vec<u8>> {
    text.chars()
        .map(|character| octets_of(character, page))
        .collect::<Option<Vec<_>>>()
        .map(|parts| parts.concat())
}

/// A row of numbers that looks like chance and is always the same.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn of<'n>(&mut self, names: &[&'n str]) -> &'n str {
        names[self.below(names.len())]
    }
}

/// Lines of `count` names that the page can spell, with at least so many letters beyond ASCII; `None` where
/// there are too few such names.
fn lines(names: &Names, page: &str, count: usize, least: usize, draws: &mut Draws) -> Option<String> {
    let spelt = |all: &[&'static str]| -> Vec<&'static str> {
        all.iter().copied().filter(|name| encoded(name, page).is_some()).collect()
    };
    let (given, surnames) = (spelt(&names.given), spelt(&names.surnames));
    if given.len() < 3 || surnames.len() < 3 {
        return None;
    }
    for _ in 0..200 {
        // One file in four has its surnames in capitals.
        let capitals = draws.below(4) == 0;
        let mut text = String::new();
        for number in 1..=count {
            let (first, last) = (draws.of(&given), draws.of(&surnames));
            let upper = last.to_uppercase();
            let last = if capitals && !last.contains('ß') && encoded(&upper, page).is_some() {
                &upper
            } else {
                last
            };
            text.push_str(&format!("0 @I{number}@ INDI\n1 NAME {first} /{last}/\n"));
        }
        if text.chars().filter(|character| !character.is_ascii()).count() >= least {
            return Some(text);
        }
    }
    None
}

/// The number of files that were read right, and of all, by page and language.
type Table = BTreeMap<(usize, &'static str), (usize, usize)>;

fn measure(which: &str, count: usize, least: usize, header: &str, wrong: &mut Vec<String>) -> Table {
    let mut table = Table::new();
    for names in names(which) {
        for (index, (page, _)) in PAGES.iter().enumerate() {
            let mut draws = Draws(0x9E37_79B9_7F4A_7C15 ^ (index as u64 + 1) << 32);
            for _ in 0..30 {
                let Some(text) = lines(&names, page, count, least, &mut draws) else { break };
                let file = format!("{header}{text}0 TRLR\n");
                let octets = encoded(&file, page).unwrap();
                let source = Source::read(&octets, &Rules::WILD, &Options::default(), &mut ()).unwrap();
                let right = nfc(source.text()) == file;
                let cell = table.entry((index, names.language)).or_default();
                *cell = (cell.0 + usize::from(right), cell.1 + 1);
                if !right {
                    let decision = source.decision();
                    let found: Vec<&str> =
                        source.text().lines().filter(|line| line.contains("NAME")).collect();
                    wrong.push(format!(
                        "{page} {} read as {}: {}",
                        names.language,
                        decision.used,
                        found.join(" ")
                    ));
                }
            }
        }
    }
    table
}

fn show(title: &str, table: &Table) -> [usize; PAGES.len()] {
    println!("{title}");
    let mut shares = [100; PAGES.len()];
    for (index, (page, _)) in PAGES.iter().enumerate() {
        let cells: Vec<_> = table.iter().filter(|((other, _), _)| *other == index).collect();
        let right: usize = cells.iter().map(|(_, (right, _))| right).sum();
        let all: usize = cells.iter().map(|(_, (_, all))| all).sum();
        shares[index] = right * 100 / all.max(1);
        let by: Vec<String> =
            cells.iter().map(|((_, language), (right, all))| format!("{language} {right}/{all}")).collect();
        println!("  {page}: {right}/{all}; {}", by.join(", "));
    }
    shares
}

const NO_CHAR: &str = "0 HEAD\n1 SOUR X\n";
const SAYS_ASCII: &str = "0 HEAD\n1 SOUR X\n1 CHAR ASCII\n";

/// Five names with at least five letters beyond ASCII: those that the rules were made with, and those that
/// they were not.
#[test]
fn five_names_are_enough() {
    for which in ["tuned", "held"] {
        for header in [NO_CHAR, SAYS_ASCII] {
            let mut wrong = Vec::new();
            let shares = show(&format!("{which}, 5 names"), &measure(which, 5, 5, header, &mut wrong));
            wrong.iter().for_each(|line| println!("    {line}"));
            for ((page, least), share) in PAGES.iter().zip(shares) {
                assert!(share >= *least, "{which} {page}: {share} of a hundred");
            }
        }
    }
}

/// Fewer names are guessed worse, and many well: no worse than this.
#[test]
fn one_name_two_and_twenty() {
    let shares = [(1, [90, 90, 90, 95, 75, 85]), (2, [95, 95, 95, 95, 90, 90]), (20, [98; PAGES.len()])];
    for which in ["tuned", "held"] {
        for (count, least) in shares {
            for header in [NO_CHAR, SAYS_ASCII] {
                let mut wrong = Vec::new();
                let title = format!("{which}, {count} names");
                let found = show(&title, &measure(which, count, 1, header, &mut wrong));
                wrong.iter().for_each(|line| println!("    {line}"));
                for (((page, _), least), share) in PAGES.iter().zip(least).zip(found) {
                    assert!(share >= least, "{title}, {page}: {share} of a hundred");
                }
            }
        }
    }
}

/// Real and likely names, which were once read in another encoding, are read right.
#[test]
fn names_that_were_guessed_wrong() {
    let cases: &[(&[u8], &str)] = &[
        (
            b"1 NAME Jo\xE3o /Sim\xF5es/\n1 NAME Assun\xE7\xE3o /Magalh\xE3es/\n",
            "1 NAME João /Simões/\n1 NAME Assunção /Magalhães/\n",
        ),
        (
            b"1 NAME Bridget /\xD3 Conaill/\n1 NAME Patrick /\xD3 Briain/\n",
            "1 NAME Bridget /Ó Conaill/\n1 NAME Patrick /Ó Briain/\n",
        ),
        (
            b"1 NAME V\x8Ain\x9A /M\x8Akinen/\n1 NAME Aino /T\x9A\x9Al\x9A/\n",
            "1 NAME Väinö /Mäkinen/\n1 NAME Aino /Töölö/\n",
        ),
        (b"1 NAME \xB5ngel /L\xA2pez/\n", "1 NAME Ángel /López/\n"),
        (b"1 NAME J\x81rgen /M\x81ller/\n1 NOTE \xB8 1999\n", "1 NAME Jürgen /Müller/\n1 NOTE © 1999\n"),
        (b"1 NAME Anne /GENEVI\xD4VE/\n1 NAME Ren\x82\n", "1 NAME Anne /GENEVIÈVE/\n1 NAME René\n"),
        (
            b"1 NAME SAL\xF1\n1 NAME FORL\xED\n1 NAME NICCOL\xF1\n",
            "1 NAME SALÒ\n1 NAME FORLÌ\n1 NAME NICCOLÒ\n",
        ),
        (
            b"1 NAME NICCOL\xF1 /CANT\xF4/\n1 NAME MOS\xE9 /VIGAN\xF1/\n1 NAME GES\xF4 /LAGAN\xCB/\n",
            "1 NAME NICCOLÒ /CANTÙ/\n1 NAME MOSÈ /VIGANÒ/\n1 NAME GESÙ /LAGANÀ/\n",
        ),
        (
            b"1 NOTE 161 [\xA1]\n1 NOTE 167 [\xA7]\n1 NOTE 201 [\xC9]\n1 NOTE 213 [\xD5]\n",
            "1 NOTE 161 [¡]\n1 NOTE 167 [§]\n1 NOTE 201 [É]\n1 NOTE 213 [Õ]\n",
        ),
    ];
    for (octets, text) in cases {
        for header in [NO_CHAR, SAYS_ASCII] {
            let file = [header.as_bytes(), octets].concat();
            let source = Source::read(&file, &Rules::WILD, &Options::default(), &mut ()).unwrap();
            assert_eq!(nfc(source.text()), format!("{header}{text}"));
        }
    }
}
