//! `elf convert`: reading, and writing again.

use crate::shell::{file, json, run, run_with, status, stderr, stdout};
use elf_base::Rules;
use elf_schema::ReadOptions;
use elf_tagged::write::{LineBreak, WriteOptions};
use elf_tagged::{Diagnostic, Options};

/// The tree of a file, without the line about its encoding.
fn tree(octets: &[u8]) -> String {
    let output = run_with(&["show", "-"], octets);
    stdout(&output).lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_encoding_carries_the_same_structures() {
    let path = file("family.ged");
    let original = tree(&std::fs::read(&path).expect("a file"));
    for encoding in ["UTF-8", "UTF-16LE", "UTF-16BE", "ANSEL", "ASCII"] {
        for line_break in ["lf", "cr", "crlf"] {
            let to = ["--to-rules", "2019-12"];
            let args = ["convert", &path, "-o", "-", "--encoding", encoding, "--line-break", line_break];
            let args = [&args[..], &to].concat();
            let output = run(&args);
            assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{args:?}");
            // ANSEL has marks of their own, which are read as they stand.
            let expected =
                if encoding == "ANSEL" { original.replace('è', "e\u{300}") } else { original.clone() };
            assert_eq!(tree(&output.stdout), expected, "{args:?}");
            let again = run_with(&["check", "--rules", "2019-12", "-"], &output.stdout);
            assert_eq!(status(&again), 0, "{args:?}: {}", stderr(&again));
        }
    }
}

#[test]
fn the_line_break_is_that_of_the_input() {
    for (input, expected) in [
        (&b"0 HEAD\r\n1 CHAR UTF-8\r\n0 TRLR\n"[..], "0 HEAD\r\n"),
        (b"0 HEAD\r1 CHAR UTF-8\r0 TRLR\r", "0 HEAD\r1"),
        (b"0 HEAD\n1 CHAR UTF-8\n0 TRLR\n", "0 HEAD\n"),
    ] {
        let output = run_with(&["convert", "-", "-o", "-"], input);
        assert!(stdout(&output).starts_with(expected), "{:?}", stdout(&output));
    }
}

#[test]
fn a_mark_is_written_where_it_is_asked_for() {
    let path = file("family.ged");
    let without = run(&["convert", &path, "-o", "-"]);
    let with = run(&["convert", &path, "-o", "-", "--bom"]);
    assert!(without.stdout.starts_with(b"0 HEAD"));
    assert!(with.stdout.starts_with(b"\xEF\xBB\xBF0 HEAD"));
    let wide = run(&["convert", &path, "-o", "-", "--encoding", "UTF-16BE"]);
    assert!(wide.stdout.starts_with(b"\xFE\xFF\x000"));
}

#[test]
fn lines_are_as_long_as_asked() {
    let path = file("family.ged");
    let output = run(&["convert", &path, "-o", "-", "--width", "24"]);
    let text = stdout(&output);
    assert!(text.contains(" CONC "), "{text}");
    let whole = run(&["convert", &path, "-o", "-", "--width", "0"]);
    assert!(!stdout(&whole).contains(" CONC "));
    assert_eq!(tree(&output.stdout), tree(&whole.stdout));
}

#[test]
fn what_cannot_be_carried_over_is_said() {
    let input = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Eve\n1 ALIA @I9:1@\n0 TRLR\n";
    let args = ["convert", "-", "-o", "-", "--to-rules", "2019-12"];
    let output = run_with(&args, input);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("E08"), "{}", stderr(&output));
    assert!(stderr(&output).contains("1 thing could not be converted"), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 NAME Eve"));
    let output = run_with(&[&args[..], &["--allow-loss"]].concat(), input);
    assert_eq!(status(&output), 0);
    assert!(stderr(&output).contains("1 thing could not be converted"));
}

#[test]
fn a_file_is_written_as_what_it_is() {
    let body = "0 @I1@ INDI\n1 NAME A /B/\n0 TRLR\n";
    let gedcom = format!("0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n{body}");
    let elf =
        format!("0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n{body}");
    let of_7 = format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n{body}");
    let written = |input: &str, more: &[&str]| {
        let output = run_with(&[&["convert", "-", "-o", "-"], more].concat(), input.as_bytes());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let has_elf = |text: &str| text.contains("\n1 ELF 1.0.0\n");
    assert!(!has_elf(&written(&gedcom, &[])) && written(&gedcom, &[]).contains("2 VERS 5.5.1"));
    assert!(has_elf(&written(&elf, &[])));
    assert!(written(&of_7, &[]).contains("2 VERS 7.0"));
    assert!(has_elf(&written(&gedcom, &["--rules", "2019-12"])));
    let january = written(&gedcom, &["--rules", "2019-01"]);
    assert!(january.contains("1 SCHMA") && !has_elf(&january), "{january}");
    assert!(!has_elf(&written(&gedcom, &["--rules", "gedcom-5.5.1"])));
    assert!(!has_elf(&written(&elf, &["--to-rules", "gedcom-5.5.1"])));
}

#[test]
fn identifiers_that_cannot_be_spelled_are_renamed() {
    let input =
        "0 HEAD\n1 CHAR UTF-8\n0 @\u{6f22}@ INDI\n0 @F/1@ FAM\n1 CHIL @\u{6f22}@\n0 TRLR\n".as_bytes();
    let output =
        run_with(&["convert", "-", "-o", "-", "--encoding", "ASCII", "--to-rules", "2019-12"], input);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("0 @X1@ INDI\n0 @F1X1@ FAM\n1 CHIL @X1@\n"), "{}", stdout(&output));
    assert_eq!(stderr(&output).matches("E0811").count(), 2, "{}", stderr(&output));
}

#[test]
fn a_reading_that_the_rules_ended_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("out.ged").display().to_string();
    let convert = |rules: &str, more: &[&str], octets: &[u8]| {
        let output = run_with(&[&["convert", "-", "--rules", rules, "-o", &to], more].concat(), octets);
        (status(&output), stderr(&output), stdout(&output))
    };
    let malformed = b"0 HEAD\n1 CHAR UTF-8\n0 A\njunk\n0 B\n0 C\n0 TRLR\n";
    let undecodable = b"0 HEAD\n1 CHAR UTF-8\n0 A\n1 B \xFF\n0 C\n0 TRLR\n";
    let cut_off = b"0 HEAD\n1 CHAR UTF-8\n0 A\n";
    for (octets, line) in [(&malformed[..], 4), (undecodable, 4), (cut_off, 4), (b"hello\n", 1)] {
        for more in [&[][..], &["--allow-loss"]] {
            let (status, said, _) = convert("2019-12", more, octets);
            assert_eq!(status, 2, "{said}");
            assert!(said.contains(&format!("at line {line}: ")) && said.contains("--partial"), "{said}");
            assert!(!std::path::Path::new(&to).exists());
        }
    }
    for more in [&["--partial"][..], &["--partial", "--allow-loss"]] {
        let (status, said, _) = convert("2019-12", more, malformed);
        assert!(status == 1 && said.contains("stopped early at line 4"), "{said}");
        let written = std::fs::read_to_string(&to).expect("a file");
        assert!(written.ends_with("0 A\n0 TRLR\n"), "{written}");
    }
    std::fs::remove_file(&to).expect("a file");
    let (status, _, said) = convert("2019-12", &["--format", "json"], malformed);
    let lines: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!((status, lines.len(), &lines[0]["line"]), (2, 2, &4.into()), "{said}");
    let code = &lines[0]["code"];
    let ended = serde_json::json!({ "code": code, "line": 4, "octet": 24 });
    let summary = serde_json::json!({
        "file": "-", "lines": 0, "records": 0, "losses": 0, "problems": 1, "complete": false, "ended": ended,
    });
    assert_eq!(lines[1], serde_json::json!({ "summary": summary }));
    // What wild reads to its end is written.
    assert_eq!(convert("wild", &[], malformed).0, 0);
    assert_eq!(convert("wild", &[], b"0 HEAD\n1 CHAR UTF-8\n0 INDI\njunk\n0 TRLR\n").0, 1);
    assert_eq!(convert("wild", &[], b"hello\n").0, 2);
}

#[test]
fn what_holds_no_line_at_all_is_no_file_to_convert() {
    for (octets, rules) in [
        (&b""[..], "wild"),
        (b"\xEF\xBB\xBF", "2019-01"),
        (b"\n \n", "2017-10"),
        (b"", "2019-12"),
        (b"x\n", "declarative"),
    ] {
        for more in [&[][..], &["--partial"], &["--partial", "--allow-loss"]] {
            let args = [&["convert", "-", "-o", "-", "--rules", rules], more].concat();
            let output = run_with(&args, octets);
            assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{rules} {more:?}");
            assert!(!stderr(&output).is_empty(), "{rules}");
        }
    }
}

#[test]
fn what_the_reading_left_out_is_lost() {
    for (lines, rules) in
        [("0 NOTE a\n3 X b\n", "declarative"), ("some text\n", "wild"), ("0 CONT a\n", "2017-10")]
    {
        let input = format!("0 HEAD\n1 CHAR UTF-8\n{lines}0 TRLR\n");
        let args = ["convert", "-", "-o", "-", "--rules", rules, "--to-rules", rules];
        let output = run_with(&args, input.as_bytes());
        assert!(status(&output) == 1 && stderr(&output).contains("E0816"), "{rules}: {}", stderr(&output));
        let allowed = run_with(&[&args[..], &["--allow-loss"]].concat(), input.as_bytes());
        assert_eq!((status(&allowed), &allowed.stdout), (0, &output.stdout), "{rules}");
    }
}

#[test]
fn an_encoding_without_a_name_cannot_be_written() {
    let output = run(&["convert", &file("family.ged"), "-o", "-", "--encoding", "windows-1252"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("windows-1252"), "{}", stderr(&output));
}

#[test]
fn the_input_can_be_read_in_any_encoding() {
    let input = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ren\x82\n0 TRLR\n";
    let output = run_with(&["convert", "-", "-o", "-", "--from-encoding", "CP437"], input);
    assert!(stdout(&output).contains("1 NAME René\n"), "{}", stdout(&output));
}

#[test]
fn the_output_is_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("in.ged");
    std::fs::copy(file("family.ged"), &input).expect("a copy");
    let name = input.to_string_lossy();
    let output = run(&["convert", &name, "-o", &name]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("it is an input"), "{}", stderr(&output));
    let out = folder.path().join("out.ged");
    let out = out.to_string_lossy();
    assert_eq!(status(&run(&["convert", "nowhere.ged", "-o", &out])), 2);
    assert_eq!(status(&run(&["convert", &name, "-o", &out, "--encoding", "CP850"])), 2);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    assert_eq!(status(&run(&["convert", &name, "-o", &out])), 0);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn losses_are_told_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("out.ged").display().to_string();
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 ALIA @I2@\n0 TRLR\n";
    let convert = ["convert", "-", "--to-rules", "2017-10", "--format", "json", "-o"];
    let output = run_with(&[&convert[..], &["-"]].concat(), octets);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    let output = run_with(&[&convert[..], &[&to]].concat(), octets);
    let said = stdout(&output);
    let lines: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!((status(&output), lines.len()), (1, 2), "{said}{}", stderr(&output));
    assert_eq!((&lines[0]["code"], &lines[0]["line"]), (&"E0805".into(), &4.into()));
    let written = std::fs::read_to_string(&to).expect("a file");
    let summary = serde_json::json!({
        "file": "-", "lines": written.lines().count(), "records": 1, "losses": 1, "problems": 0, "complete": true,
    });
    assert_eq!(lines[1], serde_json::json!({ "summary": summary }));
}

/// A file that is converted in runs: nine megabytes, with types of its own, wrong in many places.
#[test]
fn a_large_file_is_converted_as_a_whole_document_is() {
    let mut text = String::from("0 HEAD\r\n1 CHAR UTF-8\r\n1 DEFN _AUTH https://example.com/author\r\n");
    for number in 0..100_000 {
        // Some repeat an identifier, some point nowhere, some would be taken out of the data elsewhere.
        let own = if number % 4_001 == 0 { number / 2 } else { number };
        let tag = if number % 5_003 == 0 { "DEFN" } else { "INDI" };
        text.push_str(&format!(
            "0 @I{own}@ {tag}\r\n1 NAME Zo\u{EB} /{number}/\r\n1 ALIA @I{}@\r\n",
            number * 7
        ));
        text.push_str("1 BIRT\r\n2 PLAC Here, there and elsewhere\r\n1 _AUTH Ada\r\n");
    }
    text.push_str("0 TRLR\r\n");
    assert!(text.len() > 9 << 20);
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (folder.path().join("large.ged"), folder.path().join("out.ged"));
    std::fs::write(&from, &text).expect("a file");
    let (from, to) = (from.display().to_string(), to.display().to_string());
    for (rules, to_rules) in [("2017-10", "2019-01"), ("declarative", "2017-07")] {
        let [read_by, write_by] = [rules, to_rules].map(|name| Rules::from_name(name).expect("a preset"));
        let document = elf_tagged::read(text.as_bytes(), read_by, &Options::default(), &mut ());
        let (mut octets, mut losses): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        let options = WriteOptions::new().with_line_break(LineBreak::CrLf);
        let (document, read) = (document.expect("a file below 4 GiB"), ReadOptions::default());
        elf_schema::convert(document, &read, &mut octets, write_by, &options, &mut losses).expect("memory");
        assert!(losses.len() > 10);

        let arguments = ["convert", "--rules", rules, "--to-rules", to_rules, "--allow-loss"];
        let named = run(&[&arguments[..], &[&from, "-o", &to, "--format", "json"]].concat());
        assert_eq!(status(&named), 0);
        assert!(std::fs::read(&to).expect("a file") == octets, "{rules} to {to_rules}");
        assert_eq!(stdout(&named).matches("{\"code\":").count(), losses.len());
        let piped = run_with(&[&arguments[..], &["-", "-o", "-"]].concat(), text.as_bytes());
        assert!(piped.stdout == octets, "{rules} to {to_rules} through a pipe");
    }
}

#[test]
fn what_is_written_is_judged_by_the_rules_of_the_output() {
    let args = ["convert", "--rules", "2019-12", "--to-rules", "2017-07", "-o", "-", "-"];
    let output = run_with(&args, b"0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 PLANG de\n0 NOTE a\n0 TRLR\n");
    let losses = stderr(&output);
    assert!(losses.contains("= note: E17 Pseudo-structures: "), "{losses}");
    assert!(!losses.contains("D19"), "{losses}");
}

/// One letter may be of several languages: the file is written, and the status says that it may be wrong.
#[test]
fn an_uncertain_encoding_is_no_success() {
    let file = b"0 HEAD\n1 CHAR ASCII\n0 @I1@ INDI\n1 NAME A\xFE\n0 TRLR\n";
    for rules in ["2019-12", "gedcom-5.5.1", "gedcom-7"] {
        let args = ["convert", "-", "-o", "-", "--to-rules", rules, "--allow-loss"];
        let output = run_with(&args, file);
        assert_eq!(status(&output), 1, "{rules}: {}", stderr(&output));
        assert!(stderr(&output).contains("the encoding is uncertain: windows-1250"), "{}", stderr(&output));
        assert!(stderr(&output).contains("`--from-encoding`"), "{}", stderr(&output));
        assert!(!output.stdout.is_empty());
        // Whoever names the encoding knows it.
        let named = run_with(&[&args[..], &["--from-encoding", "windows-1254"]].concat(), file);
        assert_eq!(status(&named), 0, "{rules}: {}", stderr(&named));
        assert!(stdout(&named).contains("1 NAME Aş"), "{}", stdout(&named));
    }
    let output = run_with(&["info", "--format", "json", "-"], file);
    assert!(
        stdout(&output).contains(r#""rivals":["windows-1254","windows-1257","windows-1252"]"#),
        "{}",
        stdout(&output)
    );
    // Five names are enough.
    let names = "1 CHAR ANSI\n0 @I1@ INDI\n1 NAME ".as_bytes();
    let sure = [b"0 HEAD\n", names, b"\xC8\xE2\xE0\xED /\xCF\xE5\xF2\xF0\xEE\xE2/\n0 TRLR\n"].concat();
    let output = run_with(&["convert", "-", "-o", "-", "--to-rules", "gedcom-5.5.1"], &sure);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("1 NAME Иван /Петров/"), "{}", stdout(&output));
}

/// Every encoding can be read by its name, and a file in it says the same.
#[test]
fn every_encoding_can_be_named() {
    for (encoding, octets, text) in [
        ("CP852", b"Stanis\x88aw".as_slice(), "Stanisław"),
        ("CP866", b"\x88\xA2\xA0\xAD", "Иван"),
        ("KOI8-R", b"\xE9\xD7\xC1\xCE", "Иван"),
        ("koi8-r", b"\xE9\xD7\xC1\xCE", "Иван"),
        ("ISO-8859-5", b"\xB8\xD2\xD0\xDD", "Иван"),
        ("windows-1258", b"Nguy\xEA\xDEn", "Nguyê\u{303}n"),
    ] {
        let file = [b"0 HEAD\n1 CHAR ANSI\n0 NOTE ".as_slice(), octets, b"\n0 TRLR\n"].concat();
        let args = ["convert", "-", "-o", "-", "--from-encoding", encoding, "--to-rules", "gedcom-5.5.1"];
        let output = run_with(&args, &file);
        assert_eq!(status(&output), 0, "{encoding}: {}", stderr(&output));
        assert!(stdout(&output).contains(&format!("0 NOTE {text}")), "{encoding}: {}", stdout(&output));
        let output = run_with(&["show", "-", "--encoding", encoding, "--format", "flat"], &file);
        assert!(stdout(&output).contains(text), "{encoding}: {}", stdout(&output));
    }
}

/// Names of encodings in small letters are reported by the drafts before December 2019, and obeyed.
#[test]
fn the_case_of_a_name_garbles_no_text() {
    for rules in ["2019-01", "declarative", "2017-10", "2017-07"] {
        for name in ["utf-8", "Utf-8"] {
            let file = format!("0 HEAD\n1 CHAR {name}\n0 NOTE Mühle\n0 TRLR\n");
            let output =
                run_with(&["convert", "-", "-o", "-", "--rules", rules, "--allow-loss"], file.as_bytes());
            assert!(stdout(&output).contains("0 NOTE Mühle"), "{rules}: {}", stdout(&output));
            let output = run_with(&["check", "-", "--rules", rules, "--format", "short"], file.as_bytes());
            assert!(stdout(&output).contains("E0103"), "{rules}: {}", stdout(&output));
            assert!(!stdout(&output).contains("ANSEL is"), "{rules}: {}", stdout(&output));
        }
        let ansel = b"0 HEAD\n1 CHAR ansel\n0 NOTE M\xE8uhle\n0 TRLR\n";
        let output = run_with(&["convert", "-", "-o", "-", "--rules", rules, "--allow-loss"], ansel);
        assert!(stdout(&output).contains("0 NOTE Mu\u{308}hle"), "{rules}: {}", stdout(&output));
    }
}

/// A schema in which two definitions contradict each other through a supertype.
const CONFLICT: &str = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX e https://e.test/\n\
    2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI e:P\n3 TAG _P elf:Document\n3 ISA e:Q\n2 IRI e:Q\n2 IRI e:A\n\
    3 TAG _X e:P\n3 TAG _X e:Q\n2 IRI e:B\n3 TAG _X e:Q\n0 _P p1\n1 _X hello\n0 TRLR\n";

#[test]
fn definitions_that_contradict_each_other_through_supertypes_are_reported() {
    let args = ["convert", "--rules", "2019-01", "--to-rules", "2019-01", "-", "-o", "-"];
    let output = run_with(&args, CONFLICT.as_bytes());
    assert_eq!(status(&output), 1);
    for code in ["E0809", "E0810"] {
        assert!(stderr(&output).contains(code), "{}", stderr(&output));
    }
    assert!(!stdout(&output).contains("3 TAG _X e:Q"), "{}", stdout(&output));
}

#[test]
fn lines_that_are_joined_are_a_loss_by_all_rules() {
    let header = "0 HEAD\n1 SOUR X\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n";
    let seven = "0 HEAD\n1 GEDC\n2 VERS 7.0\n";
    for (header, joined) in [
        (header, "1 SEX M0 @I2@ INDI\n"),
        (header, "1 FAMS @F1@0 @F1@ FAM\n"),
        (seven, "1 SEX M0 @I2@ INDI\n"),
    ] {
        let input = format!("{header}0 @I1@ INDI\n1 NAME A /H/\n{joined}1 NAME B /H/\n0 TRLR\n");
        for to in ["gedcom-5.5.1", "gedcom-7", "2019-12", "wild"] {
            let args = ["convert", "--to-rules", to, "--format", "json", "-", "-o"];
            let folder = tempfile::tempdir().expect("a folder");
            let out = folder.path().join("out.ged").display().to_string();
            let output = run_with(&[&args[..], &[&out]].concat(), input.as_bytes());
            let found = json(&output);
            let count = found.iter().filter(|one| one["code"] == "E0214").count();
            assert_eq!((status(&output), count), (1, 1), "{to}: {joined}: {}", stdout(&output));
            assert!(
                found.last().is_some_and(|one| one["summary"]["losses"].as_u64() >= Some(1)),
                "{found:?}"
            );
            let allowed = run_with(&[&args[..], &[&out, "--allow-loss"]].concat(), input.as_bytes());
            assert_eq!(status(&allowed), 0, "{to}");
        }
    }
    let prose =
        format!("{header}0 @I1@ INDI\n1 NOTE Born 1 MAY 1900 at 2 PARK Row, ask me@home.org\n0 TRLR\n");
    let output = run_with(&["convert", "-", "-o", "-"], prose.as_bytes());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
}

#[test]
fn media_that_gedcom_5_5_1_has_elsewhere_are_reported_where_it_is_asked_for() {
    let header = "0 HEAD\n1 SOUR X\n1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n";
    for (body, count) in [
        ("0 @M1@ OBJE\n1 FORM jpg\n1 TITL My photo\n1 FILE a.jpg\n", 2),
        ("0 @M1@ OBJE\n1 FILE a.jpg\n2 FORM jpg\n1 TITL My photo\n", 1),
        ("0 @I1@ INDI\n1 OBJE\n2 FORM jpg\n2 TITL My photo\n2 FILE a.jpg\n", 1),
        ("0 @I1@ INDI\n1 OBJE\n2 FILE a.jpg\n3 FORM jpg\n2 TITL My photo\n1 TITL Duke\n", 0),
        ("0 @M1@ OBJE\n1 FILE a.jpg\n2 FORM jpg\n2 TITL My photo\n0 @S1@ SOUR\n1 TITL x\n", 0),
        ("0 @M1@ OBJE\n1 FORM jpg\n1 BLOB\n2 CONT .HM\n", 0),
    ] {
        let input = format!("{header}{body}0 TRLR\n");
        let asked = run_with(&["convert", "--to-rules", "gedcom-5.5.1", "-", "-o", "-"], input.as_bytes());
        assert_eq!(stderr(&asked).matches("[E0819]").count(), count, "{body}: {}", stderr(&asked));
        assert_eq!(status(&asked), i32::from(count > 0), "{body}");
        // The file stays what it is.
        let plain = run_with(&["convert", "-", "-o", "-"], input.as_bytes());
        assert_eq!((status(&plain), stderr(&plain).matches("[E0819]").count()), (0, 0), "{body}");
    }
}

#[test]
fn only_the_rules_of_a_draft_say_what_is_written() {
    let old = "0 HEAD\n1 SOUR X\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 TRLR\n";
    let seven = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 TRLR\n";
    for (input, rules, version, has_elf) in [
        (old, "wild", "2 VERS 5.5.1", false),
        (old, "gedcom-5.5.1", "2 VERS 5.5.1", false),
        (old, "gedcom-7", "2 VERS 5.5.1", false),
        (old, "2019-12", "2 VERS 5.5.1", true),
        (seven, "wild", "2 VERS 7.0", false),
        (seven, "gedcom-5.5.1", "2 VERS 7.0", false),
        (seven, "gedcom-7", "2 VERS 7.0", false),
    ] {
        let output = run_with(&["convert", "--rules", rules, "-", "-o", "-"], input.as_bytes());
        let text = stdout(&output);
        assert!(text.contains(version) && text.contains("1 ELF 1.0.0") == has_elf, "{rules}: {text}");
    }
}

#[test]
fn a_folder_for_media_must_be_there() {
    let output =
        run_with(&["convert", "-", "-o", "x.gdz", "--media-folder", "no-such-folder"], CONFLICT.as_bytes());
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("no-such-folder` is not a folder"), "{}", stderr(&output));
}
