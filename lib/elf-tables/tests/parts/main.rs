//! The rows of the parts of a document are those of the document.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test reads files, and says what it skips"
)]

use elf_schema::{ReadOptions, Reader, Rules};
use elf_tables::parts::{DocumentPart, PartError, PartList, PartReadError, RunSummary};
use elf_tables::{Rows, Survey, Surveyed, Table, TableReader, elf_schema};
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

/// A row as text: rows that are stored otherwise, but have the same fields, are equal.
fn lines(rows: &Rows) -> Vec<String> {
    let mut reader = rows.read();
    std::iter::from_fn(|| reader.next_row().map(|row| format!("{row:?}"))).collect()
}

fn rows_of(table: Table) -> Rows {
    Rows::of(table.columns().len())
}

/// The rows of a document that is read as a whole.
fn whole_rows(octets: &[u8], rules: &Rules, table: Table) -> Vec<String> {
    let typed = elf_schema::read(octets, rules, &ReadOptions::default(), &mut ()).unwrap();
    let reader = TableReader::new(table, typed.schema());
    let mut survey = Survey::of(table);
    survey.take(reader.survey(&typed));
    let mut rows = rows_of(table);
    reader.rows(&typed, &survey.finish(), "one.ged", &mut rows);
    lines(&rows)
}

/// A part, and what it needs of the rest of the document, as another computer gets it.
struct SentPart {
    part: DocumentPart,
    survey: Vec<u8>,
}

/// How a document is divided.
#[derive(Clone, Copy, Debug)]
struct Division {
    run_size: usize,
    part_size: u64,
}

fn divide(octets: &[u8], rules: &Rules, table: Table, division: Division) -> Vec<SentPart> {
    let mut runs = Reader::new(octets, rules, ReadOptions::default()).with_run_size(division.run_size);
    let (mut reader, mut survey) = (None, Survey::of(table));
    let mut list = PartList::of_file(octets.len() as u64);
    while let Some(run) = runs.next_run(&mut ()).unwrap() {
        list.add_run(RunSummary::of(run.document()));
        survey.take(reader.get_or_insert_with(|| TableReader::new(table, run.schema())).survey(&run));
    }
    let (reader, surveyed) = (reader.unwrap(), survey.finish());
    let parts = list.divide(division.part_size).into_iter();
    parts.map(|part| SentPart { survey: surveyed.part(&reader, part.runs()).unwrap(), part }).collect()
}

/// The rows of a part.
fn part_rows(
    sent: &SentPart,
    octets: &[u8],
    rules: &Rules,
    table: Table,
    division: Division,
) -> Result<Vec<String>, PartReadError> {
    let surveyed = Surveyed::of_part(&sent.survey).unwrap();
    let mut rows = rows_of(table);
    let mut reader = None;
    sent.part.read(
        || Ok::<_, io::Error>(Cursor::new(octets)),
        |input| Reader::new(input, rules, ReadOptions::default()).with_run_size(division.run_size),
        |run| {
            let reader = reader.get_or_insert_with(|| TableReader::new(table, run.schema()));
            reader.rows(run, &surveyed, "one.ged", &mut rows);
        },
    )?;
    Ok(lines(&rows))
}

const DIVISIONS: [Division; 4] = [
    Division { run_size: 1, part_size: 1 },
    Division { run_size: 100, part_size: 700 },
    Division { run_size: 2000, part_size: 10_000 },
    Division { run_size: 1 << 18, part_size: 1 << 20 },
];

/// The rows of all tables, by all divisions, are those of the document. Returns the number of parts.
fn compare(name: &str, octets: &[u8], rules: &Rules, divisions: &[Division]) -> usize {
    let mut count = 0;
    for table in Table::ALL {
        let expected = whole_rows(octets, rules, table);
        for &division in divisions {
            let parts = divide(octets, rules, table, division);
            let found: Vec<String> = parts
                .iter()
                .flat_map(|sent| part_rows(sent, octets, rules, table, division).unwrap())
                .collect();
            let different = found.iter().zip(&expected).find(|(found, expected)| found != expected);
            assert_eq!(different, None, "{name}, {}, {division:?}", table.name());
            assert_eq!(found.len(), expected.len(), "{name}, {}, {division:?}", table.name());
            count += parts.len();
        }
    }
    count
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
            match path.is_dir() {
                true => folders.push(path),
                false if extension.is_some_and(|extension| extension == "ged") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    files
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn parts_of_the_examples() {
    let files = files_in(&repository().join("examples"));
    assert!(!files.is_empty());
    for file in files {
        let octets = std::fs::read(&file).unwrap();
        let name = file.display().to_string();
        assert!(compare(&name, &octets, &Rules::WILD, &DIVISIONS) > 6);
    }
}

/// Strict rules end the reading early, January 2019 has one run, and 2017 replaces escapes before lines are split.
#[test]
fn parts_by_strict_rules() {
    for rules in Rules::PRESETS {
        for file in ["haugen.ged", "damaged.ged"] {
            let octets = std::fs::read(repository().join("examples").join(file)).unwrap();
            compare(&format!("{file}, {}", rules.name), &octets, rules, &DIVISIONS);
        }
    }
}

/// Files of other programs, if they are beside the repository.
#[test]
fn parts_of_the_corpus() {
    let corpus = repository().join("../shared/corpus");
    if !corpus.is_dir() {
        eprintln!("skipped: there is no corpus in {}", corpus.display());
        return;
    }
    for file in files_in(&corpus) {
        let octets = std::fs::read(&file).unwrap();
        let divisions: &[Division] = if octets.len() < 100_000 { &DIVISIONS[1..] } else { &DIVISIONS[2..] };
        compare(&file.display().to_string(), &octets, &Rules::WILD, divisions);
    }
}

/// The bytes that decide the encoding are in a run of their own, before and after other parts.
#[test]
fn the_encoding_of_a_part_is_that_of_the_file() {
    for head in ["0 HEAD\n", "0 HEAD\n1 CHAR ANSEL\n", "0 HEAD\n1 CHAR ANSI\n", "0 HEAD\n1 CHAR ASCII\n"] {
        for names in [["Jos\u{e9}", "Andr\u{e9}"], ["Jos\u{c3}", "\u{df}\u{e4}\u{f6}"]] {
            for is_utf8 in [true, false] {
                let mut octets = head.as_bytes().to_vec();
                for number in 0..40 {
                    let name = match number {
                        9 => names[0],
                        30.. => names[1],
                        _ => "Ada",
                    };
                    octets.extend(format!("0 @I{number}@ INDI\n1 NAME ").into_bytes());
                    match is_utf8 {
                        true => octets.extend(name.bytes()),
                        false => octets.extend(name.chars().map(|one| u8::try_from(one).unwrap())),
                    }
                    octets.extend(b"\n1 BIRT\n2 PLAC M\xFCnchen\n");
                }
                octets.extend(b"0 TRLR\n");
                compare(head, &octets, &Rules::WILD, &DIVISIONS);
            }
        }
    }
    let text = std::fs::read_to_string(repository().join("examples/haugen.ged")).unwrap();
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        for mark in [None, Some(0xFEFF)] {
            let octets: Vec<u8> = mark.into_iter().chain(text.encode_utf16()).flat_map(order).collect();
            compare("UTF-16", &octets, &Rules::WILD, &DIVISIONS);
        }
    }
    let marked = format!("\u{FEFF}{text}");
    compare("UTF-8 with a byte-order mark", marked.as_bytes(), &Rules::WILD, &DIVISIONS);
}

/// A byte-order mark is not ASCII, but it decides nothing if the header names another encoding.
#[test]
fn a_byte_order_mark_does_not_decide_the_encoding() {
    for encoding in ["ANSEL", "ANSI", "ASCII", "UNICODE", "UTF-8"] {
        for names in [[&b"Jos\xE9"[..], b"Andr\xC3\xA9"], [b"Jos\xC3\xA9", b"Andr\xE9"]] {
            let mut octets = format!("\u{FEFF}0 HEAD\n1 CHAR {encoding}\n").into_bytes();
            for number in 0..40 {
                let name = match number {
                    // The end alone would be read in another encoding than the whole.
                    9..30 => names[0],
                    36.. => names[1],
                    _ => b"Ada",
                };
                octets.extend(format!("0 @I{number}@ INDI\n1 NAME ").into_bytes());
                octets.extend(name);
                octets.push(b'\n');
            }
            octets.extend(b"0 TRLR\n");
            compare(encoding, &octets, &Rules::WILD, &DIVISIONS);
        }
    }
}

/// Repeated identifiers, records without identifiers, and places and sources that other records name.
#[test]
fn numbers_count_the_whole_file() {
    let mut text = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n".to_owned();
    for number in 0..60 {
        let (one, place) = (number % 7, number % 5);
        text += &format!("0 @I{one}@ INDI\n1 NAME Ada\n1 BIRT\n2 PLAC P{place}, Wales\n2 SOUR @S{one}@\n");
        text += &format!("0 NOTE x\n0 @S{number}@ SOUR\n1 TITL Book\n1 REPO @R{place}@\n");
    }
    text += "0 @R1@ REPO\n1 NAME Archive\n0 @R2@ REPO\n1 NAME Library\n0 TRLR\n";
    let parts = compare("numbers", text.as_bytes(), &Rules::WILD, &DIVISIONS);
    assert!(parts > 6 * 180, "{parts}");
}

#[test]
fn another_file_is_refused() {
    let octets = std::fs::read(repository().join("examples/haugen.ged")).unwrap();
    let division = DIVISIONS[1];
    let parts = divide(&octets, &Rules::WILD, Table::People, division);
    let read = |octets: &[u8]| -> Vec<bool> {
        let read = |sent| part_rows(sent, octets, &Rules::WILD, Table::People, division);
        parts.iter().map(|sent| matches!(read(sent), Err(PartReadError::OtherFile))).collect()
    };
    assert!(parts.len() > 4 && read(&octets).iter().all(|is_refused| !is_refused));
    let longer = [&octets[..], b"\n"].concat();
    assert!(read(&longer).iter().all(|is_refused| *is_refused));
    // Every part reads the header.
    let mut other_header = octets.clone();
    other_header[7] ^= 1;
    assert!(read(&other_header).iter().all(|is_refused| *is_refused));
    let mut other_end = octets.clone();
    let at = octets.len() - 3;
    other_end[at] ^= 1;
    assert_eq!(read(&other_end).last(), Some(&true));
    let sent = parts.last().unwrap();
    assert!(Surveyed::of_part(&sent.survey[..3]).is_err());
}

#[test]
fn a_part_of_a_survey_is_not_divided_again() {
    let octets = std::fs::read(repository().join("examples/haugen.ged")).unwrap();
    let typed = elf_schema::read(&octets, &Rules::WILD, &ReadOptions::default(), &mut ()).unwrap();
    for table in Table::ALL {
        let reader = TableReader::new(table, typed.schema());
        for sent in divide(&octets, &Rules::WILD, table, DIVISIONS[1]) {
            let part = Surveyed::of_part(&sent.survey).unwrap();
            let failure = part.part(&reader, sent.part.runs()).unwrap_err();
            assert!(matches!(failure, PartError::AlreadyPart), "{}: {failure}", table.name());
            assert_eq!(failure.to_string(), "a part of a survey cannot be divided again");
        }
    }
}

/// A part has only what its rows need of the document, so all parts together grow as the document does.
#[test]
fn parts_of_a_survey_grow_with_the_document() {
    let size_of_parts = |table: Table, count: usize| {
        let mut text = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n".to_owned();
        for number in 0..count {
            // The people share two identifiers, and many records have a tag of their own.
            let one = number % 2;
            text +=
                &format!("0 @I{one}@ INDI\n1 NAME Ada\n1 BIRT\n2 PLAC Place {number}\n2 SOUR @S{number}@\n");
            text += &format!("0 _TAG{number}\n0 @S{number}@ SOUR\n1 TITL Book\n1 REPO @R{number}@\n");
            text += &format!("0 @R{number}@ REPO\n1 NAME Archive {number}\n");
        }
        text += "0 TRLR\n";
        let parts =
            divide(text.as_bytes(), &Rules::WILD, table, Division { run_size: 1000, part_size: 1000 });
        parts.iter().map(|sent| sent.survey.len()).sum::<usize>()
    };
    for table in Table::ALL {
        let [small, large] = [200, 1600].map(|count| size_of_parts(table, count));
        assert!(large <= small * 12, "{}: {small} and {large} bytes", table.name());
    }
}
