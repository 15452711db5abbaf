//! Hostile and huge input: nothing panics, nothing is capped, nothing takes time out of proportion.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::{Diagnostic, Rules, codes};
use elf_edit::{Edit, EditOptions, Editor};
use elf_migrate::{Target, migrated};
use elf_octets::Options;
use elf_schema::{ReadOptions, Reader};
use elf_tests::corpus::corpus;
use elf_tests::library::tree_of;
use elf_validate::{Against, Standard, validate};
use std::time::Duration;

fn read<'o>(octets: &'o [u8], rules: &Rules, sink: &mut dyn elf_base::Sink) -> elf_tagged::Document<'o> {
    elf_tagged::read(octets, rules, &Options::default(), sink).expect("less than 4 GiB")
}

fn count(octets: &[u8], rules: &Rules, code: elf_base::Code) -> usize {
    let mut count = 0;
    read(octets, rules, &mut |found: Diagnostic| count += usize::from(found.code == code));
    count
}

/// The processor time that this thread has used. Other work on the machine does not count.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a time since the start of the thread")
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// The time of `work`, the better of two runs.
fn time(mut work: impl FnMut()) -> Duration {
    let mut once = || {
        let start = processor_time();
        work();
        processor_time() - start
    };
    once().min(once())
}

/// Checks that `work` takes about eight times as long for eight times the input. Quadratic work takes 64 times
/// as long.
fn assert_linear(what: &str, make: impl Fn(usize) -> Vec<u8>, small: usize, work: impl Fn(&[u8])) {
    assert_linear_for(what, &make(small), &make(8 * small), work);
}

/// The same for two inputs, of which `eight` is eight times as large as `one`.
fn assert_linear_for(what: &str, one: &[u8], eight: &[u8], work: impl Fn(&[u8])) {
    // Other threads slow this one down where they share a cache with it. They hardly do so four times.
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    let is_linear = (0..4).any(|_| {
        (short, long) = (short.min(time(|| work(one))), long.min(time(|| work(eight))));
        long < short * 24 + Duration::from_millis(50)
    });
    assert!(is_linear, "{what}: {short:?} for {} bytes, {long:?} for {}", one.len(), eight.len());
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
        assert_eq!(deepest.with_ancestors().count(), 20_001);
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
        assert_linear(rules.name, make, 4_000, |octets| {
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
        assert_linear(rules.name, make, 10_000, |octets| {
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
    assert_linear("raw line breaks", make, 125_000, |octets| {
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
            assert_linear(&format!("{what} by {}", rules.name), make, 3_000, |octets| {
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
        assert_linear(rules.name, make, 4_000, |octets| drop(read(octets, rules, &mut ())));
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
    assert_linear("supertypes", make, 12_500, |octets| {
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
        assert_linear(rules.name, make, 4_000, |octets| drop(read(octets, rules, &mut ())));
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
        assert_linear("serialisation metadata", make, 2_500, |octets| {
            assert_eq!(read(octets, rules, &mut ()).records().count(), 1, "{}", rules.name);
        });
    }
}

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
    assert_linear("a schema", schema, 250, |octets| assert_eq!(convert(octets, january, october).losses, 0));
    assert_linear("a dictionary", dictionary, 500, |octets| {
        assert_eq!(
            convert(octets, october, january).losses,
            octets.iter().filter(|&&octet| octet == b'Q').count() as u64
        );
    });
}

/// A file that is cut off anywhere, or in which a byte is changed, is read without a panic, by all rules.
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
    assert_linear("bearers of one identifier", make, 2_000, |octets| {
        let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ()).expect("small");
        let mut editor = Editor::new(&document).with_options(EditOptions::new().with_cascade(true));
        editor.apply(&Edit::Remove("INDI[*]".parse().expect("a path")), &mut ()).expect("records");
        assert_eq!(editor.cascaded().len(), octets.split(|octet| *octet == b'C').count() - 2);
        let edited = editor.finish(&mut ()).expect("a good edit");
        assert_eq!(&*edited.octets, b"0 HEAD\n1 CHAR UTF-8\n0 @F1@ FAM\n0 TRLR\n");
    });
}

#[test]
fn a_gedcom_7_header_that_defines_many_tags() {
    let make = |tags: usize| {
        let numbered =
            |line: &str| (0..tags).map(|tag| line.replace('#', &tag.to_string())).collect::<String>();
        let unique = numbered("2 TAG _T# https://e.example/#\n");
        let same = numbered("2 TAG _A https://e.example/a#\n");
        let records = numbered("0 _T#\n1 _A x\n");
        format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n{unique}{same}{records}0 TRLR\n").into_bytes()
    };
    assert_linear("definitions of tags", make, 2_500, |octets| {
        let mut found: Vec<Diagnostic> = Vec::new();
        let typed =
            elf_schema::read(octets, &Rules::WILD, &ReadOptions::default(), &mut found).expect("small");
        assert!(typed.records().count() >= 2_500 && found.is_empty(), "{found:?}");
    });
}

#[test]
fn records_with_many_pointers() {
    let make = |children: usize| {
        // Every tenth child does not point back to the family. The others do so forty times.
        let child = |number: usize| {
            let family = if number.is_multiple_of(10) { "1 FAMC @X@\n" } else { "1 FAMC @F@\n" };
            format!("0 @I{number}@ INDI\n{}", family.repeat(40))
        };
        let records: String = (0..children).map(child).collect();
        let links: String = (0..children).map(|number| format!("1 CHIL @I{number}@\n")).collect();
        format!("0 HEAD\n1 CHAR UTF-8\n{records}0 @F@ FAM\n{links}0 TRLR\n").into_bytes()
    };
    assert_linear("links", make, 2_000, |octets| {
        let typed = elf_schema::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ()).expect("small");
        let mut found: Vec<Diagnostic> = Vec::new();
        validate(&typed, Against { standard: Standard::DataModel, is_named: true }, &mut found);
        assert!(found.len() >= 200);
    });
}

/// Files in which one structure has `siblings` substructures, each file with the standard to convert it to.
fn files_of_many_siblings(siblings: usize) -> Vec<(Target, String)> {
    let many = |lines: &str| lines.repeat(siblings);
    let numbered =
        |line: &str| (0..siblings).map(|at| line.replace('#', &at.to_string())).collect::<String>();
    let schema = numbered("2 TAG _X https://e.example/#\n");
    let tags = numbered("2 TAG _X_# https://e.example/#\n");
    let of_7 = [
        format!("0 @F1@ FAM\n{}", many("1 CHIL @VOID@\n")),
        format!("0 @F1@ FAM\n{}", many("1 CHIL @VOID@\n2 PHRASE x\n")),
        format!("0 @I1@ INDI\n{}", many("1 EXID 1\n2 TYPE https://gedcom.io/terms/v7/AFN\n")),
        format!("0 @I1@ INDI\n1 NAME A\n{}", many("2 GIVN A\n")),
        format!("0 @I1@ INDI\n1 SOUR @VOID@\n2 DATA\n{}", many("3 TEXT x\n")),
        format!("0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n{}", many("3 PHRASE x\n")),
        format!("1 SCHMA\n{schema}0 @I1@ INDI\n{}", many("1 _X y\n")),
        format!("1 SCHMA\n{tags}0 @I1@ INDI\n{}", numbered("1 _X_# y\n")),
        format!("0 @I1@ INDI\n{}", numbered("1 OBJE @INLINE_O#@\n")),
        format!("0 @I1@ INDI\n{}", many("1 NO MARR\n")),
    ];
    let of_551 = [
        format!("0 @I1@ INDI\n1 SOUR x\n{}", many("2 TEXT x\n")),
        format!("0 @I1@ INDI\n1 NAME A\n2 GIVN {}\n", many("A, ")),
        format!("0 @I1@ INDI\n1 NAME {}\n{}", many("A "), many("2 GIVN B, C\n")),
        format!("0 @I1@ INDI\n1 OBJE\n{}", many("2 FILE a.jpg\n")),
        format!("0 @I1@ INDI\n{}", many("1 RFN a:b\n")),
        format!("0 @I1@ INDI\n1 NAME A\n{}", many("2 FONE x\n3 TYPE kana\n")),
        format!("0 @I1@ INDI\n{}", numbered("1 X# y\n")),
        numbered("0 @i#@ INDI\n1 ASSO @I#@\n"),
        many("0 @i@ INDI\n"),
    ];
    let of_7 =
        of_7.into_iter().map(|text| (Target::Elf, format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n{text}0 TRLR\n")));
    let of_551 =
        of_551.into_iter().map(|text| (Target::Gedcom70, format!("0 HEAD\n1 CHAR UTF-8\n{text}0 TRLR\n")));
    of_7.chain(of_551).collect()
}

#[test]
fn structures_with_many_substructures_are_converted() {
    let (few, many) = (files_of_many_siblings(2_500), files_of_many_siblings(20_000));
    for ((target, one), (_, eight)) in few.iter().zip(&many) {
        let start: String = one.chars().take(100).collect();
        assert_linear_for(&start, one.as_bytes(), eight.as_bytes(), |octets| {
            let reader = || Reader::new(octets, &Rules::WILD, ReadOptions::default());
            migrated(reader, *target, &mut ()).expect("small");
        });
    }
}
