//! Fixes: the lines that they make, and that safe fixes keep the meaning of a file.

use super::*;
use elf_edit::{FileRefusal, Fixes, Safety, fix_document};
use elf_tagged::{Document, Node, Payload, read};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn fixes_of(document: &Document<'_>, findings: &[Diagnostic], most: Safety) -> Fixes {
    fix_document(document, findings, most.into(), &mut ())
}

/// Lists the findings that are fixed.
fn fixed_findings(fixes: &Fixes) -> Vec<usize> {
    let mut fixed: Vec<usize> = fixes.fixed.iter().map(|one| one.finding).collect();
    fixed.sort();
    fixed
}

/// The fixed file, and the codes of the findings that are left.
fn fixed(octets: &[u8], rules: &Rules, most: Safety) -> (Vec<u8>, Vec<&'static str>) {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read(octets, rules, &Options::default(), &mut findings).expect("small");
    let fixes = fixes_of(&document, &findings, most);
    let fixed = fixed_findings(&fixes);
    assert!(fixed.windows(2).all(|two| two[0] < two[1]) && fixed.iter().all(|&one| one < findings.len()));
    let new = document.source().splice(&fixes.patches).expect("patches in order");
    let mut left: Vec<Diagnostic> = Vec::new();
    read(&new, rules, &Options::default(), &mut left).expect("small");
    (new, left.iter().map(|finding| finding.code.id()).collect())
}

fn safely(text: &str) -> String {
    let (octets, left) = fixed(text.as_bytes(), WILD, Safety::Safe);
    assert_eq!(left, [""; 0], "{}", String::from_utf8_lossy(&octets));
    String::from_utf8(octets).expect("UTF-8")
}

fn file(body: &str) -> String {
    format!("0 HEAD\n1 CHAR UTF-8\n{body}0 TRLR\n")
}

#[test]
fn lines_are_fixed_and_others_stay() {
    for (body, expected) in [
        ("0 NOTE a@b@@c @\n1 CONT d@e\n", "0 NOTE a@@b@@c @@\n1 CONT d@@e\n"),
        ("0 NOTE @# x\n", "0 NOTE @@# x\n"),
        ("0 NOTE x\n1 CONT @I1@\n", "0 NOTE x\n1 CONT @@I1@@\n"),
        ("00 NOTE x\n  01  SOUR y\n", "0 NOTE x\n  1  SOUR y\n"),
        ("0 NOTE\n1 A\n3 B\n4 C\n3 D\n1 E\n", "0 NOTE\n1 A\n2 B\n3 C\n2 D\n1 E\n"),
        ("0 A\n2 B\n4 C x\n5 CONT d\n2 E\n", "0 A\n1 B\n2 C x\n3 CONT d\n1 E\n"),
        ("0 A\n 0002 B\n", "0 A\n 1 B\n"),
        ("0 NOTE x\n0 CONT y\n", "0 NOTE x\n1 CONT y\n"),
        ("0 NOTE x\n1 CONT y\n2 SOUR z\n3 DATA w\n", "0 NOTE x\n1 CONT y\n1 SOUR z\n2 DATA w\n"),
        (
            "0 NOTE x\nraw text\n\n \n  and @ more\n1 SOUR y\n",
            "0 NOTE x\n1 CONT raw text\n1 CONT\n1 CONT\n1 CONT   and @@ more\n1 SOUR y\n",
        ),
        ("0 A\n2 NOTE x\nraw\n", "0 A\n1 NOTE x\n2 CONT raw\n"),
    ] {
        assert_eq!(safely(&file(body)), file(expected), "{body:?}");
        for line_break in ["\r", "\r\n"] {
            let broken = |text: &str| file(text).replace('\n', line_break);
            assert_eq!(safely(&broken(body)), broken(expected), "{body:?}");
        }
    }
}

#[test]
fn a_damaged_pointer_becomes_a_pointer_only_by_a_guess() {
    let record = "0 @M1@ NOTE x\n";
    for damaged in ["@M1", "M1@", " @M1 ", "@M1@@", "@@M1@"] {
        let text = file(&format!("0 @I1@ INDI\n1 NOTE {damaged}\n{record}"));
        assert_eq!(fixed(text.as_bytes(), WILD, Safety::Safe).0, text.as_bytes(), "{damaged}");
        let expected = file(&format!("0 @I1@ INDI\n1 NOTE @M1@\n{record}"));
        let (octets, left) = fixed(text.as_bytes(), WILD, Safety::Unsafe);
        assert_eq!((String::from_utf8_lossy(&octets), left), (expected.into(), Vec::new()), "{damaged}");
        // No record, or several records, have the identifier.
        for records in [String::new(), record.repeat(2)] {
            let text = file(&format!("0 @I1@ INDI\n1 NOTE {damaged}\n{records}"));
            assert_eq!(fixed(text.as_bytes(), WILD, Safety::Unsafe).0, text.as_bytes(), "{damaged}");
        }
    }
    // A payload with continuation lines is not a pointer.
    let text = file(&format!("0 @I1@ INDI\n1 NOTE @M1\n2 CONT x\n{record}"));
    assert_eq!(fixed(text.as_bytes(), WILD, Safety::Unsafe).0, text.as_bytes());
    let text = file(&format!("0 @I1@ INDI\n1 NOTE x\n2 CONT @M1\n{record}"));
    assert_eq!(safely(&text), text.replace("@M1\n", "@@M1\n"));
}

#[test]
fn headers_and_trailers_are_fixed() {
    assert_eq!(safely("0 HEAD\n0 NOTE x\n0 TRLR\n"), "0 HEAD\n1 CHAR UTF-8\n0 NOTE x\n0 TRLR\n");
    assert_eq!(safely("0 Head\n1 CHAR  UTF8\n0 TRLR\n"), "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n");
    assert_eq!(
        safely("0 HEAD\n1 CHAR ASCII\n0 NOTE é\n0 TRLR\n"),
        "0 HEAD\n1 CHAR UTF-8\n0 NOTE é\n0 TRLR\n"
    );
    assert_eq!(safely("0 HEAD\n1 CHAR UNICODE\n0 TRLR\n"), "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n");
    // Blanks around a name are no part of it.
    assert_eq!(
        safely("0 HEAD\n1 CHAR ANSEL \n0 NOTE \u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}\n0 TRLR\n"),
        "0 HEAD\n1 CHAR UTF-8\n0 NOTE \u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}\n0 TRLR\n"
    );
    // What has no name cannot be named.
    let ansi = b"0 HEAD\n1 CHAR ANSI\n0 NOTE \xE9\n0 TRLR\n";
    assert_eq!(fixed(ansi, WILD, Safety::Unsafe), (ansi.to_vec(), vec!["E0107"]));
    // By rules that end the reading there, nothing is fixed.
    let (octets, left) = fixed(b"0 HEAD\n1 CHAR UTF-8\n0 NOTE x\n", D19, Safety::Unsafe);
    assert_eq!((octets.ends_with(b"0 TRLR\n"), left), (false, vec!["E0307"]));
    let wide = in_form("0 HEAD\n1 CHAR ASCII\n0 NOTE é\n0 TRLR\n", Encoding::Utf16Be, "\r\n");
    let expected = in_form("0 HEAD\n1 CHAR UNICODE\n0 NOTE é\n0 TRLR\n", Encoding::Utf16Be, "\r\n");
    assert_eq!(fixed(&wide, WILD, Safety::Safe), (expected, vec!["E0117"]));
}

#[test]
fn a_trailer_that_is_no_line_is_one_all_the_same() {
    // The trailer is there, if not as a line.
    let file = "0 HEAD\n1 CHAR UTF-8\n 0 TRLR\n";
    assert_eq!(fixed(file.as_bytes(), &Rules::DECLARATIVE, Safety::Safe).0, file.as_bytes());
    let (octets, left) = fixed(file.as_bytes(), &Rules::DECLARATIVE, Safety::Unsafe);
    assert_eq!((String::from_utf8_lossy(&octets).as_ref(), left), (&*file.replace(" 0", "0"), Vec::new()));
}

#[test]
fn respelled_octets_are_spelled_as_they_are_read() {
    let body = |octets: &[u8]| [&b"0 HEAD\n1 CHAR UTF-8\n"[..], octets, b"0 TRLR\n"].concat();
    for (octets, expected) in [
        (&b"0 NOTE Jos\xC3\n1 CONC \xA9 @\n"[..], "0 NOTE Jos\u{e9}\n1 CONC  @@\n"),
        (b"0 NOTE \xED\xA0\xBD\xED\xB8\x80\n", "0 NOTE \u{1F600}\n"),
        (
            b"0 NOTE \xF0\x9F\n1 CONC \x98\x80\xE2\n1 CONC \x82\xACx\n",
            "0 NOTE \u{1F600}\n1 CONC \u{20AC}\n1 CONC x\n",
        ),
    ] {
        let (written, left) = fixed(&body(octets), WILD, Safety::Safe);
        assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&body(expected.as_bytes())));
        assert_eq!(left, [""; 0]);
    }
    // Octets that stand for nothing stay, and so do those they share a character with.
    for octets in [&b"0 NOTE a@b \x81\n"[..], b"0 A\n2 B\n2 C \x81\n", b"0 NOTE Jos\xC3\n1 CONC \xA9 \x81\n"]
    {
        assert_eq!(fixed(&body(octets), WILD, Safety::Unsafe).0, body(octets));
    }
}

/// A type for every tag but `N`.
struct AllButN;

impl elf_tagged::path::Types for AllButN {
    fn is_of(&mut self, _: &[&str], _: &str) -> bool {
        false
    }

    fn tag_for(&mut self, _: &[&str], _: &str) -> Option<String> {
        None
    }

    fn is_defined(&mut self, tags: &[&str]) -> bool {
        tags.last() != Some(&"N")
    }
}

#[test]
fn a_file_that_is_cut_off_gets_no_trailer() {
    let with_trailer = |file: &str| {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let document = read(file.as_bytes(), WILD, &Options::default(), &mut findings).expect("small");
        let of = |most: Safety| fix_document(&document, &findings, most.into(), &mut AllButN).patches;
        assert_eq!(of(Safety::Safe), [], "the trailer is the only sign that a file is whole");
        !of(Safety::Unsafe).is_empty()
    };
    let start = "0 HEAD\n1 CHAR UTF-8\n0 @U1@ SUBM\n1 NAME x\n";
    assert!(with_trailer(start));
    assert!(with_trailer(&format!("{start}\n \n")));
    assert!(with_trailer(&format!("{start}2 CONT N\n")));
    // In the middle of a line, or of a tag that was to be longer.
    assert!(!with_trailer(start.trim_end()));
    assert!(!with_trailer(&format!("{start}1 N\n")));
    assert!(!with_trailer(&format!("{start}1 N x\n2 CONT y\n")));
    assert!(!with_trailer(&format!("{start}0 @U2@ SUBM\n1 N\n")));
}

#[test]
fn a_guessed_encoding_is_not_written_down() {
    let file = |char: &str, name: &[u8]| {
        [b"0 HEAD\n", char.as_bytes(), b"0 @I1@ INDI\n1 NAME ", name, b"\n0 TRLR\n"].concat()
    };
    // Octets of some page, of which no name says which it is.
    for name in [&b"Assun\xE7\xE3o /Magalh\xE3es/"[..], b"Jo\xE3o /Sim\xF5es/"] {
        for char in ["", "1 CHAR ASCII\n", "1 CHAR NONSENSE\n"] {
            let octets = file(char, name);
            assert_eq!(fixed(&octets, WILD, Safety::Safe).0, octets, "{char:?}");
        }
    }
    // By January 2019 what has no known name is ANSEL, but who wrote it may have meant another page.
    let octets = file("1 CHAR NONSENSE\n", b"\xE7");
    assert_eq!(fixed(&octets, &Rules::JANUARY_2019, Safety::Safe).0, octets);
    // What is UTF-8 throughout shows it, and ASCII is the same everywhere.
    for (char, name) in [("", "Assunção"), ("1 CHAR ASCII\n", "Assunção"), ("", "Ada")] {
        let expected = file("1 CHAR UTF-8\n", name.as_bytes());
        assert_eq!(fixed(&file(char, name.as_bytes()), WILD, Safety::Safe).0, expected, "{char:?} {name}");
    }
    // A stray octet was read as what it is on another page.
    let octets = file("1 CHAR UTF-8\n", b"caf\xE9 /\xC3\xA9t\xC3\xA9/");
    assert_eq!(fixed(&octets, WILD, Safety::Safe).0, octets);
    let octets = file("1 CHAR UTF-8\n", b"it\xC2\x92s");
    assert_eq!(fixed(&octets, WILD, Safety::Safe).0, octets);
    assert_eq!(fixed(&octets, WILD, Safety::Unsafe).0, file("1 CHAR UTF-8\n", "it\u{2019}s".as_bytes()));
}

#[test]
fn what_chooses_a_meaning_is_left_until_asked_for() {
    for (rules, body, expected) in [
        (WILD, "0 NOTE @no one@\n", "0 NOTE @@no one@@\n"),
        (WILD, "0 DATE @#XESC@ 1 @#UXYZ@\n", "0 DATE @@#XESC@@ 1 @@#UXYZ@@\n"),
        (WILD, "0 NOTE x\n1 @A@ CONT y\n", "0 NOTE x\n1 CONT y\n"),
        (WILD, "0 NOTE x\u{FFFF}y\n", "0 NOTE xy\n"),
        (&Rules::DECLARATIVE, "0 NOTE x\n 1 SOUR y\n", "0 NOTE x\n1 SOUR y\n"),
    ] {
        let before = file(body);
        assert_eq!(fixed(before.as_bytes(), rules, Safety::Safe).0, before.as_bytes(), "{body:?}");
        let (after, left) = fixed(before.as_bytes(), rules, Safety::Unsafe);
        assert_eq!(String::from_utf8_lossy(&after), file(expected));
        assert!(!left.iter().any(|code| !matches!(*code, "E0118")), "{body:?}: {left:?}");
    }
    let form = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM Lineage - Linked\n0 TRLR\n";
    let (after, _) = fixed(form.as_bytes(), WILD, Safety::Unsafe);
    assert_eq!(String::from_utf8_lossy(&after), form.replace("Lineage - Linked", "LINEAGE-LINKED"));
}

/// Files that have every fault for which the layers up to tagged structures propose a fix.
const FAULTS: &[(&Rules, &[u8])] = &[
    (WILD, b"0 HEAD\n1 CHAR KLINGON\n0 NOTE \xC3\xA9\n0 TRLR\n"),
    (WILD, b"0 HEAD\n1 CHAR ANSEL\n0 NOTE \xC3\xA9\n0 TRLR\n"),
    (WILD, b"\xEF\xBB\xBF0 HEAD\n1 CHAR ANSEL\n0 NOTE \xC3\xA9\n0 TRLR\n"),
    (WILD, b"0 HEAD\n1 CHAR utf8\n0 TRLR\n"),
    (WILD, b"0 HEAD\n1 SOUR x\n0 NOTE \xC3\xA9\n0 TRLR\n"),
    (WILD, b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xE4 \xC3\xA9 \xED\xA0\xBD\xED\xB8\x80 \xC2\x93\n0 TRLR\n"),
    (WILD, b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xC3\xA9 \xC3\n1 CONC \xA9\n0 TRLR\n"),
    (WILD, "0 HEAD\n1 CHAR UTF-8\n0 NOTE SÃ¸ren\n0 TRLR\n".as_bytes()),
    (&Rules::DECLARATIVE, b"0 HEAD\n1 CHAR UTF-8\n0 NOTE x\n\n 1 SOUR y\n0 TRLR\n"),
    (WILD, b"0 HEAD\n1 CHAR UTF-8\n0 INDI\n\n01 NOTE x\xEF\xBF\xBFy\n3 SOUR z\n0 TRLR\n"),
    (WILD, b"0 HEAD\n1 CHAR UTF-8\n0 NOTE @no one@\n1 SOUR a\n2 CONT b\n3 CONC c\n0 NOTE\n0 CONT d\n"),
    (WILD, b"0 Head\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM Lineage-Linked\n0 NOTE a@b\n1 @A@ CONT y\n"),
    (D19, b"0 HEAD\n1 CHAR UTF-8\n0 NOTE x\n1 CONT @A@\n0 TRLR\n"),
    (WILD, b"0 HEAD\n1 CHAR UTF-8\n0 TRLR\n0@I1@ INDI\n1 BIRTH\n1 SEX M0 @I2@ INDI\n0 TRLR\n"),
    (WILD, b"0 HEAD\n1 CHAR UTF-8\n0 DATE @#XESC@ 1 @#UXYZ@ @#\nraw\n"),
];

/// Text that was encoded as UTF-8 twice is decoded once more: in its whole record, by an unsafe fix only.
#[test]
fn text_that_was_encoded_twice_is_decoded_once_more() {
    for (body, expected) in [
        ("0 @I1@ INDI\n1 NAME SÃ¸ren /Ã†belÃ¸/\n", "0 @I1@ INDI\n1 NAME Søren /Æbelø/\n"),
        // ISO 8859-1 has controls where windows-1252 has letters and signs; CP850 has boxes.
        ("0 NOTE Ã\u{86}belÃ¸, \u{e2}\u{80}\u{9c}so\u{e2}\u{80}\u{9d}\n", "0 NOTE Æbelø, “so”\n"),
        ("0 @I1@ INDI\n1 NAME S├©ren /├åbel├©/\n", "0 @I1@ INDI\n1 NAME Søren /Æbelø/\n"),
        (
            "0 @N1@ NOTE JÃ¼rgen\n1 CONT ASCII\n1 CONT KÃ¶hler, KÃ¶ln\n1 SOUR GrÃ¶ÃŸe\n",
            "0 @N1@ NOTE Jürgen\n1 CONT ASCII\n1 CONT Köhler, Köln\n1 SOUR Größe\n",
        ),
        // Each record by itself.
        ("0 NOTE SÃ¸ren\n0 NOTE Søren\n0 NOTE Ð˜Ð²Ð°Ð½\n", "0 NOTE Søren\n0 NOTE Søren\n0 NOTE Иван\n"),
    ] {
        let before = file(body);
        let mut findings: Vec<Diagnostic> = Vec::new();
        read(before.as_bytes(), WILD, &Options::default(), &mut findings).expect("small");
        let found = findings.iter().filter(|finding| finding.code.id() == "E0123");
        let records = body.lines().zip(expected.lines()).filter(|(one, other)| one != other);
        let starts = body.lines().filter(|line| line.starts_with("0 ")).count();
        assert!(found.clone().count() >= 1 && found.count() <= starts.min(records.count()), "{findings:?}");
        assert_eq!(fixed(before.as_bytes(), WILD, Safety::Safe).0, before.as_bytes(), "{body}");
        let (after, left) = fixed(before.as_bytes(), WILD, Safety::Unsafe);
        assert_eq!(String::from_utf8_lossy(&after), file(expected));
        assert!(!left.contains(&"E0123"), "{body}: {left:?}");
    }
    for body in [
        "0 NOTE JOÃO DA CONCEIÇÃO\n",
        "0 NOTE Größe „so“ – 5 €\n",
        "0 NOTE SÃ¸ren\n1 SOUR Søren\n",
        "0 NOTE ANDRÉ’S\n",
    ] {
        let before = file(body);
        assert_eq!(fixed(before.as_bytes(), WILD, Safety::Unsafe).0, before.as_bytes(), "{body}");
    }
}

#[test]
fn each_code_that_promises_a_fix_has_one() {
    let mut proposed: BTreeMap<&str, Safety> = BTreeMap::new();
    for (rules, file) in FAULTS {
        let mut findings: Vec<Diagnostic> = Vec::new();
        read(file, rules, &Options::default(), &mut findings).expect("small");
        for (code, fix) in findings.iter().filter_map(|finding| Some((finding.code, finding.fix.as_ref()?))) {
            let best = proposed.entry(code.id()).or_insert(fix.safety);
            *best = fix.safety.min(*best);
        }
    }
    // Those of values, E06, take types to be found, and those of standards, E09, a standard.
    let is_of_lines = |code: &elf_base::Code| !["E06", "E09"].contains(&&code.id()[..3]);
    let promised = elf_base::codes::all().filter(is_of_lines);
    let promised = promised.filter_map(|code| Some((code.id(), code.fix()?)));
    assert_eq!(proposed, promised.collect());
}

#[test]
fn gedcom_7_gets_no_fix_that_only_older_gedcom_asks_for() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n2 FORM Lineage-Linked\n0 @N1@ SNOTE a@b @#x\n0 TRLR\n";
    for rules in Rules::PRESETS {
        for most in [Safety::Safe, Safety::Unsafe] {
            let (octets, _) = fixed(file.as_bytes(), rules, most);
            assert_eq!(String::from_utf8_lossy(&octets), file, "by {}", rules.name);
        }
    }
    let older = file.replace("7.0", "5.5.1");
    let (octets, _) = fixed(older.as_bytes(), D19, Safety::Unsafe);
    assert!(String::from_utf8_lossy(&octets).contains("2 FORM LINEAGE-LINKED"));
    let (octets, _) = fixed(older.as_bytes(), D19, Safety::Safe);
    assert!(String::from_utf8_lossy(&octets).contains("a@@b @@#x"));
}

#[test]
fn an_indented_line_keeps_the_fix_of_its_own_finding() {
    let before = file("0 NOTE x\n 1 SOUR y\u{FFFF}z\n");
    let (after, _) = fixed(before.as_bytes(), &Rules::DECLARATIVE, Safety::Unsafe);
    assert_eq!(String::from_utf8_lossy(&after), file("0 NOTE x\n1 SOUR yz\n"));
    // By rules that read an indented line, it has another finding, which has no fix.
    let mut rules = Rules::DECLARATIVE;
    rules.lines.leading_whitespace = true;
    let before = file(" 0 @a b\n 0 @A@ @x\n");
    assert_eq!(fixed(before.as_bytes(), &rules, Safety::Unsafe).0, before.as_bytes());
}

#[test]
fn a_payload_language_is_not_fixed() {
    let before = file("0 NOTE x\n1 PLANG d@e\n0 NOTE a@b\n");
    let (after, _) = fixed(before.as_bytes(), WILD, Safety::Safe);
    assert_eq!(String::from_utf8_lossy(&after), before.replace("a@b", "a@@b"));
}

#[test]
fn a_fix_that_causes_another_finding_is_refused() {
    // A CONT for the raw line would close what the lines after it are in.
    for (body, expected) in [
        ("0 @I1@ INDI\n4 Y z\n4 CONT e\n2 CONT c\nraw\n3 X\n", Some(("4 CONT", "5 CONT"))),
        ("0 @I1@ INDI\n2 CONT c\nx@\n3 X\n3 CONT d\n2 SOUR s\n", Some(("\nx@\n", "\nx@@\n"))),
    ] {
        let before = file(body);
        let expected = expected.map_or(before.clone(), |(old, new)| before.replace(old, new));
        let (after, _) = fixed(before.as_bytes(), WILD, Safety::Safe);
        assert_eq!(String::from_utf8_lossy(&after), expected);
    }
}

/// A file with records of ASCII put before the first of its own.
fn behind_records(octets: &[u8]) -> Vec<u8> {
    let at = octets.windows(4).position(|window| window == b"0 @I").expect("a record");
    let (head, records) = octets.split_at(at);
    [head, &b"0 @N1@ NOTE x\n".repeat(40), records].concat()
}

#[test]
fn what_would_be_read_in_another_encoding_is_not_fixed() {
    // An at sign to be doubled that parts octets from a letter or has a mark: found by trying many.
    let octets: [&[u8]; 5] = [
        b"0 HEAD\n0 @I1@ INDI\n1 NOTE \xE2\x82\xE8\xCF\xE2@o\n0 TRLR\n",
        b"0 HEAD\n0 @I1@ INDI\n1 NOTE \xFC\xE2\xE8@r\xC3\xA9\n0 TRLR\n",
        b"0 HEAD\n1 CHAR ASCII\n0 @I1@ INDI\n1 NOTE \xE9@\x94No \xE2r\xC3\xA9\xE8e\n0 TRLR\n",
        b"0 HEAD\n1 CHAR ASCII\n0 @I1@ INDI\n1 NOTE \xCFN\xC3\xA9\xC3\xA9N\xCFa\xE9@or\n0 TRLR\n",
        b"0 HEAD\n1 CHAR unknown\n0 @I1@ INDI\n1 NOTE \xE2@N\xC3\xA9 \xE2N\n0 TRLR\n",
    ];
    for octets in octets {
        for octets in [octets.to_vec(), behind_records(octets)] {
            let mut findings: Vec<Diagnostic> = Vec::new();
            let document = read(&octets, &Rules::WILD, &Options::default(), &mut findings).expect("small");
            let fixes = fixes_of(&document, &findings, Safety::Safe);
            let refused = matches!(fixes.file_refusal, Some(FileRefusal::EncodingChanged { .. }));
            assert!(refused && fixes.patches.is_empty(), "{}: {fixes:?}", octets.escape_ascii());
        }
    }
}

#[test]
fn a_guess_is_made_beside_a_safe_fix_in_another_record() {
    let text = file("0 @I1@ INDI\n1 NOTE a @#OLD FORM@ b\n0 @I2@ INDI\n1 NOTE a @ b\n");
    let (octets, left) = fixed(text.as_bytes(), WILD, Safety::Unsafe);
    assert_eq!(left, [""; 0], "{}", octets.escape_ascii());
    assert_eq!(fixed(&octets, WILD, Safety::Unsafe).0, octets);
}

#[test]
fn a_level_that_shows_what_an_unread_line_was_stays() {
    let file = file("0 @I1@ INDI\n1.NAME Ada /Byron/\n2 GIVN Ada\n1 SEX F\n");
    let (kept, left) = fixed(file.as_bytes(), &Rules::WILD, Safety::Safe);
    assert_eq!((String::from_utf8_lossy(&kept).as_ref(), &*left), (&*file, &["E0201", "E0203"][..]));
    let deep = file.replace("1.NAME Ada /Byron/", "1 NAME Ada /Byron/").replace("1 SEX F", "3 NOTE x");
    assert_eq!(safely(&deep), deep);
    let deep = deep.replace("2 GIVN Ada\n", "");
    assert_eq!(safely(&deep), deep.replace("3 NOTE x", "2 NOTE x"));
}

#[test]
fn octets_far_behind_the_header_are_no_evidence() {
    // The header has octets beyond ASCII, and the window after them ends before the others.
    let padding = b"0 NOTE abcdefghijklmnopqrstuvwxyz and so on\n".repeat(30_000);
    let tail = b"0 NOTE Jos\xE2e M\xE8uller F\xE8orster \xE9Rene\n".repeat(400);
    let [changed, kept]: [&[u8]; 2] = [
        b"0 HEAD\n1 SOUR x\n1 NOTE \xE2\x82\xE8\xCF\xE2@o\n0 @I1@ INDI\n1 NAME x\n",
        b"0 HEAD\n1 COPR Jos\xE9, Ren\xE9\n0 @I1@ INDI\n1 NOTE a@b\n",
    ];
    for (head, is_refused) in [(changed, true), (kept, false)] {
        let octets = [head, &padding, &tail, b"0 TRLR\n"].concat();
        let mut findings: Vec<Diagnostic> = Vec::new();
        let document = read(&octets, &Rules::WILD, &Options::default(), &mut findings).expect("small");
        let fixes = fixes_of(&document, &findings, Safety::Safe);
        assert_eq!(fixes.file_refusal.is_some(), is_refused, "{:?}", document.source().decision().used);
    }
}

/// Lists the structures of a document: the level, identifier, tag and payload of each.
fn said(document: &Document<'_>) -> Vec<String> {
    let line = |node: Node<'_>| {
        let payload = match node.payload() {
            Payload::None => String::new(),
            Payload::Text(text) => format!("{text:?}"),
            Payload::Pointer(id) => format!("@{id}@"),
        };
        let payload = if payload == "\"\"" { String::new() } else { payload };
        format!("{} {:?} {} {payload}", node.with_ancestors().count(), node.xref(), node.tag())
    };
    document.structures().map(line).collect()
}

/// Checks that as many findings of each code are gone as count as fixed.
fn fixes_are_counted(octets: &[u8], rules: &Rules) {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read(octets, rules, &Options::default(), &mut findings).expect("small");
    let fixes = fixes_of(&document, &findings, Safety::Safe);
    let new = document.source().splice(&fixes.patches).expect("patches in order");
    let mut left: Vec<Diagnostic> = Vec::new();
    read(&new, rules, &Options::default(), &mut left).expect("small");
    // Mixed line breaks are said of the file, and blank lines count for them; UTF-16 is deprecated when it is
    // named.
    let counted = |code: &str| !matches!(code, "E0116" | "E0117");
    let mut gone: std::collections::BTreeMap<&str, i64> = Default::default();
    findings.iter().for_each(|finding| *gone.entry(finding.code.id()).or_default() += 1);
    left.iter().for_each(|finding| *gone.entry(finding.code.id()).or_default() -= 1);
    let fixed = fixed_findings(&fixes);
    fixed.iter().for_each(|&index| *gone.entry(findings[index].code.id()).or_default() -= 1);
    gone.retain(|code, count| *count != 0 && counted(code));
    let shown = || format!("by {}: {}\n{}", rules.name, octets.escape_ascii(), new.escape_ascii());
    assert!(gone.is_empty(), "{gone:?} {}", shown());
}

/// Safe fixes keep the meaning of a file.
fn safe_fixes_are_safe(octets: &[u8], rules: &Rules) {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read(octets, rules, &Options::default(), &mut findings).expect("small");
    let fixes = fixes_of(&document, &findings, Safety::Safe);
    let new = document.source().splice(&fixes.patches).expect("patches in order");
    let mut left: Vec<Diagnostic> = Vec::new();
    let again = read(&new, rules, &Options::default(), &mut left).expect("small");
    let shown = || format!("by {}: {}\n{}", rules.name, octets.escape_ascii(), new.escape_ascii());
    // A trailer that was missing ended the reading of December 2019 early.
    assert_eq!(said(&document), said(&again), "{}", shown());
    let count = |findings: &[Diagnostic], of: &Diagnostic| {
        findings.iter().filter(|finding| finding.class.is_error() && finding.code == of.code).count()
    };
    for finding in &left {
        assert!(count(&left, finding) <= count(&findings, finding), "{finding:?} {}", shown());
    }
    let twice = fixes_of(&again, &left, Safety::Safe);
    assert_eq!(twice.patches, [], "a second time {}", shown());
    fixes_are_counted(octets, rules);
}

#[test]
fn corpus_files_say_the_same_when_fixed() {
    for (name, octets) in super::laws::corpus() {
        for rules in Rules::PRESETS {
            let checked = std::panic::catch_unwind(|| safe_fixes_are_safe(&octets, rules));
            assert!(checked.is_ok(), "{name} by {}", rules.name);
        }
    }
}

proptest! {
    #[test]
    fn safe_fixes_keep_the_meaning(
        lines in "(((0|1|2|01| 1|\t3|5) ?(@[A-C ]{1,2}@ )?(NOTE|CONT|CONC|NAME|FAMC|x y|HEAD|CHAR|GEDC)( [a@# UDA1é]{0,9}| @A@|)|@|junk|@A@|)(\n|\r|\r\n)){0,12}",
        head in any::<bool>(),
    ) {
        for octets in super::files(lines, head) {
            for rules in Rules::PRESETS {
                safe_fixes_are_safe(&octets, rules);
            }
        }
    }
}

#[test]
fn what_may_begin_another_record_becomes_no_text_unasked() {
    for line in ["O @I8@ INDI", "O @@ INDI", "@I6@ INDI", "@raw@", "-0 X", "INDI"] {
        let body = format!("0 @I1@ INDI\n1 NOTE a@b\nand so on\n{line}\n3 SOUR x\n1 NAME Ada\n");
        let (after, left) = fixed(file(&body).as_bytes(), WILD, Safety::Safe);
        let after = String::from_utf8(after).expect("UTF-8");
        assert!(after.contains("1 NOTE a@@b\n2 CONT and so on\n"), "{after}");
        // Neither the line nor what may follow it in a record of its own is touched.
        assert!(after.contains(&format!("\n{line}\n3 SOUR x\n1 NAME Ada\n")), "{after}");
        assert!(left.contains(&"E0306"), "{left:?}");
        let (after, _) = fixed(file(&body).as_bytes(), WILD, Safety::Unsafe);
        assert!(String::from_utf8_lossy(&after).contains("\n2 CONT and so on\n2 CONT "), "{line}");
    }
    // A level that is too deep before such a line, or in another record, is put right.
    let body = "0 @I1@ INDI\n1 NOTE a\n0 @@ INDI\n1 SEX M\n0 @I2@ INDI\n1 BIRT\n3 DATE 1900\n";
    let (after, _) = fixed(file(body).as_bytes(), WILD, Safety::Safe);
    assert_eq!(String::from_utf8_lossy(&after), file(&body.replace("3 DATE", "2 DATE")));
}

#[test]
fn what_is_locked_is_not_changed_unasked() {
    let body = |notice: &str| {
        format!(
            "0 @I1@ INDI\n1 RESN {notice}\n1 NOTE a@b\nand so on\n3 SOUR x\n01 SEX M\n0 @I2@ INDI\n1 NOTE a@b\n"
        )
    };
    let fixed_by = |notice, most| {
        let before = file(&body(notice));
        let (after, _) = fixed(before.as_bytes(), WILD, most);
        (before, String::from_utf8(after).expect("UTF-8"))
    };
    for notice in ["locked", "LOCKED", "CONFIDENTIAL, LOCKED", " Locked "] {
        let (before, after) = fixed_by(notice, Safety::Safe);
        assert_eq!(after, before.replace("0 @I2@ INDI\n1 NOTE a@b", "0 @I2@ INDI\n1 NOTE a@@b"), "{notice}");
    }
    for (notice, most) in [("locked", Safety::Unsafe), ("privacy", Safety::Safe), ("", Safety::Safe)] {
        let (_, after) = fixed_by(notice, most);
        assert!(
            after.contains("1 NOTE a@@b\n2 CONT and so on\n2 SOUR x\n1 SEX M\n0 @I2@"),
            "{notice}: {after}"
        );
    }
    // Of an event that is locked the others of the person are not.
    let event = "0 @I1@ INDI\n1 BIRT\n2 RESN LOCKED\n2 NOTE a@b\n1 DEAT\n2 NOTE a@b\n";
    let (after, _) = fixed(file(event).as_bytes(), WILD, Safety::Safe);
    let expected = event.replace("DEAT\n2 NOTE a@b", "DEAT\n2 NOTE a@@b");
    assert_eq!(String::from_utf8_lossy(&after), file(&expected));
}
