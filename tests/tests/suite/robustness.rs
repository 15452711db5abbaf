//! Hostile and huge input: nothing panics, nothing is capped, nothing takes time out of proportion.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::{Diagnostic, Rules, codes};
use elf_edit::{Edit, EditOptions, Editor};
use elf_octets::Options;
use elf_schema::ReadOptions;
use elf_tests::corpus::corpus;
use elf_tests::run::tree_of;
use std::time::{Duration, Instant};

fn read<'o>(octets: &'o [u8], rules: &Rules, sink: &mut dyn elf_base::Sink) -> elf_tagged::Document<'o> {
    elf_tagged::read(octets, rules, &Options::default(), sink).expect("less than 4 GiB")
}

fn count(octets: &[u8], rules: &Rules, code: elf_base::Code) -> usize {
    let mut count = 0;
    read(octets, rules, &mut |found: Diagnostic| count += usize::from(found.code == code));
    count
}

/// Measures the time of `work`, the better of two runs.
fn time(mut work: impl FnMut()) -> Duration {
    let mut once = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    once().min(once())
}

/// Checks that eight times the input takes not much more than eight times as long: quadratic work takes 64
/// times as long.
fn is_linear(what: &str, make: impl Fn(usize) -> Vec<u8>, small: usize, work: impl Fn(&[u8])) {
    let (one, eight) = (make(small), make(8 * small));
    // A machine with other work to do may take its time once, but not each time.
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    let is_soon = (0..4).any(|_| {
        (short, long) = (short.min(time(|| work(&one))), long.min(time(|| work(&eight))));
        long < short * 24 + Duration::from_millis(50)
    });
    assert!(is_soon, "{what}: {short:?} for {} octets, {long:?} for {}", one.len(), eight.len());
}

#[test]
fn twenty_thousand_nested_levels() {
    let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n0 TOP\n");
    for level in 1..=20_000 {
        file.push_str(&format!("{level} SUB {level}\n"));
    }
    file.push_str("0 TRLR\n");
    for rules in Rules::PRESETS {
        let mut findings = Vec::new();
        let typed =
            elf_schema::read(file.as_bytes(), rules, &ReadOptions::default(), &mut findings).expect("small");
        let document = typed.document();
        assert!(document.is_complete(), "by {}", rules.name);
        assert_eq!(document.structures().count(), 20_001, "by {}", rules.name);
        let deepest = document.structures().last().expect("a structure");
        assert_eq!(deepest.ancestors().count(), 20_001);
        let mut out = Vec::new();
        let options = elf_tagged::write::WriteOptions::new().with_mark(Some(false));
        elf_tagged::write::write_document(document, &mut out, rules, &options, &mut ())
            .expect("to be written");
        let again = read(&out, rules, &mut ());
        // What stands deeper than the rules count is a loss.
        let levels = again.structures().count();
        assert_eq!(levels, (rules.lines.highest_level as usize + 1).min(20_001), "by {}", rules.name);
        assert!(levels < 20_001 || tree_of(&again) == tree_of(document), "by {}", rules.name);
    }
}

#[test]
fn an_identifier_and_a_pointer_at_each_of_many_levels() {
    let make = |levels: usize| {
        let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n");
        for level in 0..levels {
            file.push_str(&format!("{level} @X{}@ SUB @X{}@\n", level / 2, level * 7 % levels));
        }
        file.push_str("0 TRLR\n");
        file.into_bytes()
    };
    for rules in Rules::PRESETS {
        is_linear(rules.name, make, 4_000, |octets| {
            let document = read(octets, rules, &mut ());
            elf_tagged::write::write_document(
                &document,
                std::io::sink(),
                &Rules::DECLARATIVE,
                &elf_tagged::write::WriteOptions::new(),
                &mut (),
            )
            .expect("to be written");
        });
    }
}

#[test]
fn one_line_of_a_hundred_megabytes() {
    let payload = "The quick brown fox jumps over the lazy dog. ".repeat(100 * 1024 * 1024 / 45 + 1);
    let file = format!("0 HEAD\n1 CHAR UTF-8\n0 NOTE {payload}\n0 TRLR\n");
    let mut findings = Vec::new();
    let document = read(file.as_bytes(), &Rules::DECEMBER_2019, &mut findings);
    assert!(findings.is_empty() && document.is_complete());
    let note = document.records().next().expect("a record").text();
    assert_eq!(note.len(), payload.len());
    // It is not copied.
    assert!(matches!(note, std::borrow::Cow::Borrowed(_)));
}

#[test]
fn an_empty_file() {
    for octets in [&b""[..], b"\n", b"\xEF\xBB\xBF", b" \t\r\n\n", b"\xFF\xFE", b"\0"] {
        for rules in Rules::PRESETS {
            let mut findings = Vec::new();
            let document = read(octets, rules, &mut findings);
            // To January 2019 a line of blanks is an ERROR line.
            assert!(document.records().all(|record| record.is_error()), "{octets:?} by {}", rules.name);
            let said = findings.iter().any(|found| found.class.is_error());
            assert!(said, "{octets:?} by {}: {findings:?}", rules.name);
            assert!(!document.is_complete() || rules.name != "2019-12", "{octets:?}");
        }
    }
}

#[test]
fn five_thousand_dangling_pointers() {
    let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n0 @F1@ FAM\n");
    for number in 0..5_000 {
        file.push_str(&format!("1 CHIL @I{number}@\n"));
    }
    file.push_str("0 TRLR\n");
    for rules in Rules::PRESETS {
        assert_eq!(count(file.as_bytes(), rules, codes::POINTER_DANGLING), 5_000, "by {}", rules.name);
    }
}

#[test]
fn a_million_bad_lines() {
    let make = |lines: usize| {
        let mut file = b"0 HEAD\n1 CHAR UTF-8\n0 INDI\n".to_vec();
        for _ in 0..lines {
            file.extend_from_slice(b"!!\n");
        }
        file.extend_from_slice(b"0 TRLR\n");
        file
    };
    assert_eq!(count(&make(1_000_000), &Rules::WILD, codes::LINE_MALFORMED), 1_000_000);
    for rules in [&Rules::WILD, &Rules::JANUARY_2019, &Rules::DECLARATIVE] {
        is_linear(rules.name, make, 10_000, |octets| {
            assert!(count(octets, rules, codes::LINE_MALFORMED) >= 10_000);
        });
    }
    // Strict rules say it once.
    assert_eq!(count(&make(1_000), &Rules::DECEMBER_2019, codes::LINE_MALFORMED), 1);
}

#[test]
fn a_million_raw_line_breaks() {
    let make = |lines: usize| {
        let mut file = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE start\n".to_vec();
        for _ in 0..lines {
            file.extend_from_slice(b"and on\n");
        }
        file.extend_from_slice(b"0 TRLR\n");
        file
    };
    is_linear("raw line breaks", make, 125_000, |octets| {
        let document = read(octets, &Rules::WILD, &mut ());
        let note = document.records().next().expect("a record");
        assert!(note.text().len() > octets.len() / 2);
    });
}

#[test]
fn at_signs_and_escapes_without_end() {
    for (what, unit) in
        [("at signs", "@"), ("escapes", "@#DX@ "), ("open escapes", "@#"), ("Unicode", "@#U41@ ")]
    {
        let make = |times: usize| {
            format!("0 HEAD\n1 CHAR UTF-8\n0 NOTE x{}\n0 TRLR\n", unit.repeat(times)).into_bytes()
        };
        for rules in Rules::PRESETS {
            is_linear(&format!("{what} by {}", rules.name), make, 3_000, |octets| {
                let document = read(octets, rules, &mut ());
                if let Some(note) = document.records().next() {
                    assert!(!note.text().is_empty());
                }
            });
        }
    }
}

#[test]
fn many_pointers_to_one_identifier() {
    let make = |times: usize| {
        let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n0 @A@ INDI\n0 @A@ INDI\n0 FAM\n");
        file.push_str(&"1 CHIL @A@\n".repeat(times));
        file.push_str(&"0 @A@ INDI\n".repeat(times));
        file.push_str("0 TRLR\n");
        file.into_bytes()
    };
    for rules in Rules::PRESETS {
        is_linear(rules.name, make, 4_000, |octets| drop(read(octets, rules, &mut ())));
    }
}

#[test]
fn a_schema_of_a_long_chain_of_supertypes() {
    let make = |types: usize| {
        let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n");
        for number in 0..types {
            file.push_str(&format!("2 IRI x:{number}\n3 ISA x:{}\n", number + 1));
        }
        file.push_str(&format!(
            "2 IRI x:{types}\n3 TAG A https://terms.fhiso.org/elf/Document\n0 A\n1 B\n0 TRLR\n"
        ));
        file.into_bytes()
    };
    is_linear("supertypes", make, 12_500, |octets| {
        let typed =
            elf_schema::read(octets, &Rules::JANUARY_2019, &ReadOptions::default(), &mut ()).expect("small");
        assert_eq!(typed.records().count(), 1);
    });
}

#[test]
fn an_at_sign_at_each_of_many_levels_of_the_header() {
    let make = |levels: usize| {
        let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n");
        for level in 1..levels {
            file.push_str(&format!("{level} SUB a@b\n"));
        }
        file.push_str("0 TRLR\n");
        file.into_bytes()
    };
    for rules in Rules::PRESETS {
        is_linear(rules.name, make, 4_000, |octets| drop(read(octets, rules, &mut ())));
    }
}

#[test]
fn a_header_of_much_serialisation_metadata() {
    let make = |count: usize| {
        let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n");
        for number in 0..count {
            file.push_str(&format!("1 DEFN T{number} https://e.example/{number}\n"));
        }
        file.push_str(&"1 SCHMA\n2 ESC NOTE Q\n".repeat(count));
        file.push_str(&"1 PRFX X_ https://e.example/\n1 ELF 1.0.0\n1 CHAR UTF-8\n".repeat(count));
        file.push_str("0 NOTE @#QX@ y\n0 TRLR\n");
        file.into_bytes()
    };
    for rules in [&Rules::OCTOBER_2017, &Rules::JANUARY_2019, &Rules::DECEMBER_2019, &Rules::WILD] {
        is_linear("serialisation metadata", make, 2_500, |octets| {
            assert_eq!(read(octets, rules, &mut ()).records().count(), 1, "{}", rules.name);
        });
    }
}

/// A file that is cut off anywhere, or in which an octet is changed, is read without a panic, by all rules.
#[test]
fn types_without_end_carried_over() {
    let schema = |types: usize| {
        let mut header = String::from(
            "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX ex http://e.example/\n2 PRFX elf https://terms.fhiso.org/elf/\n",
        );
        let mut records = String::new();
        for number in 0..types {
            header.push_str(&format!("2 IRI ex:T{number}\n3 TAG _T{number} elf:Document\n"));
            header.push_str(&format!("2 IRI ex:D{number}\n3 TAG DATE ex:T{number}\n"));
            records.push_str(&format!("0 _T{number}\n1 DATE x\n"));
        }
        format!("{header}{records}0 TRLR\n").into_bytes()
    };
    let dictionary = |types: usize| {
        let mut header = String::from("0 HEAD\n1 CHAR UTF-8\n");
        let mut records = String::new();
        for number in 0..types {
            header.push_str(&format!(
                "1 PRFX P{number}_ http://e.example/{number}/\n1 PRFX Q{number}_ http://e.example/\n"
            ));
            records.push_str(&format!("0 P{number}_X\n"));
        }
        format!("{header}{records}0 TRLR\n").into_bytes()
    };
    let convert = |octets: &[u8], from: &Rules, to: &Rules| {
        let document = read(octets, from, &mut ());
        let (read, options) = (ReadOptions::default(), elf_tagged::write::WriteOptions::new());
        elf_schema::convert(document, &read, std::io::sink(), to, &options, &mut ()).expect("to be written")
    };
    let (january, october) = (&Rules::JANUARY_2019, &Rules::OCTOBER_2017);
    is_linear("a schema", schema, 250, |octets| assert_eq!(convert(octets, january, october).losses, 0));
    is_linear("a dictionary", dictionary, 500, |octets| {
        assert_eq!(
            convert(octets, october, january).losses,
            octets.iter().filter(|&&octet| octet == b'Q').count() as u64
        );
    });
}

#[test]
fn cut_and_damaged_files() {
    let own = b"0 HEAD\r\n1 CHAR ANSEL\r\n1 SCHMA\r\n2 PRFX x http://e/\r\n2 IRI x:A\r\n3 TAG A x:B\r\n0 @I1@ INDI\r\n1 NAME \xE2e /\xA1/\r\n\
        1 NOTE a@@b @#DJULIAN@ 1 @#U41@\r\n2 CONT c\r\n2 CONC d\r\n1 FAMC @F1@\r\n0 @F1@ FAM\r\n0 TRLR\r\n".to_vec();
    let mut inputs = vec![own];
    inputs
        .extend(corpus().into_iter().flatten().map(|file| file.octets).filter(|octets| octets.len() < 2_000));
    // Octets that mean something to one layer or another.
    const HOSTILE: &[u8] = b"\0\n\r\t @#0\x1B\x80\xC3\xE2\xED\xFF";
    for octets in &inputs {
        for rules in Rules::PRESETS {
            for end in (0..octets.len()).step_by(2).take(150) {
                drop(elf_schema::read(&octets[..end], rules, &ReadOptions::default(), &mut ()));
            }
            let mut damaged = octets.clone();
            for at in (0..octets.len()).step_by(octets.len().div_ceil(60)) {
                for &octet in HOSTILE {
                    damaged[at] = octet;
                    drop(elf_schema::read(&damaged, rules, &ReadOptions::default(), &mut ()));
                }
                damaged[at] = octets[at];
            }
        }
    }
}

#[test]
fn removing_all_bearers_of_an_identifier_with_the_pointers_to_it() {
    let make = |count: usize| {
        let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n");
        for _ in 0..count {
            file.push_str("0 @I1@ INDI\n");
        }
        file.push_str("0 @F1@ FAM\n");
        for _ in 0..count {
            file.push_str("1 CHIL @I1@\n");
        }
        file.push_str("0 TRLR\n");
        file.into_bytes()
    };
    is_linear("bearers of one identifier", make, 2_000, |octets| {
        let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ()).expect("small");
        let mut editor = Editor::new(&document).with_options(EditOptions::new().with_cascade(true));
        editor.apply(&Edit::Remove("INDI[*]".parse().expect("a path")), &mut ()).expect("records");
        assert_eq!(editor.cascaded().len(), octets.split(|octet| *octet == b'C').count() - 2);
        let edited = editor.finish(&mut ()).expect("a good edit");
        assert_eq!(&*edited.octets, b"0 HEAD\n1 CHAR UTF-8\n0 @F1@ FAM\n0 TRLR\n");
    });
}
