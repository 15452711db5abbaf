//! Converts generated records to the other standard and back. A record that comes back changed must have a finding.
//!
//! The records have each structure that the standards define, with payloads of all datatypes, repeated, and with
//! substructures that are not allowed there.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot go on fails")]

use elf_base::codes;
use elf_migrate::{Target, migrated};
use elf_schema::{Class, Diagnostic, ReadOptions, Reader, Rules, Schema, TypeId};
use elf_validate::{Against, Standard};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// The payloads of lines, as they are in a file.
const PAYLOADS: &[&str] = &[
    "",
    "x",
    "Y",
    "N",
    "Mujer",
    "(x)",
    "@X@",
    "@INLINE_S9@",
    "@N1@",
    "@S1@",
    "@O1@",
    "@J1@",
    "24:00",
    "24:00:00",
    "12:30:60",
    "12:30+02:00",
    "9:05",
    "1900",
    "@#D_JULIAN@ 1900",
    "@#DJULIAN@ 1 JAN 1700",
    "@#DROMAN@ 1 JAN 1700",
    "1 JAN 1900",
    "01 jan 1900",
    "31 FEB 1900",
    "44 B.C.",
    "1 JAN 44 B.C.",
    "1900/01",
    "INT 1900 (x)",
    "INT 1900",
    "BET 1910 AND 1900",
    "FROM 1900 TO 1910",
    "a%0Db.jpg",
    "a%41b.jpg",
    "a%2Fb.jpg",
    "C:\\a b\\%41.jpg",
    "c:/a/b",
    "\\\\host\\a",
    "/a/b",
    "file:///a%20b",
    "http://x y",
    "privacy, locked",
    "PRIVACY",
    "a, b",
    "a,b",
    "_OWN",
    "_own",
    "a:b",
    "a b:c",
    "CHILD",
    "<8y",
    "8y 3M",
    "08y",
    "BIRT, DEAT",
    "BIRT, FOO",
    "English",
    "en",
    "und",
    "jpg",
    "JPEG",
    "image/jpeg",
    "application/x-foo",
    "N18.1",
    "child",
    "CHIL",
    "other",
    "OTHER",
    "DNS/CAN",
    "DNS_CAN",
    "/x",
    "a /b/ c",
    "a/b/c/d",
    "@@x",
    "a@@b",
    "@@#DJULIAN@@ 1900",
    "@VOID@",
    "a\tb",
    "a\u{85}b",
    " two",
    "trailing ",
    "ONE\u{0}",
    "0123456789ABCDEF0123456789ABCDEF8098",
    "01234567-89AB-CDEF-0123-456789ABCDEF",
    "01234567-89ab-cdef-0123-456789abcdef",
    "1\nthen",
    "\nthen",
    "kana",
    "ja-Latn",
    "GREGORIAN 1900",
    "1900 BCE",
    "https://example.com/x",
];

/// Pairs of payloads for structures that are repeated.
const PAIRS: &[[&str; 2]] = &[["x", "y"], ["x", "x"], ["1900", ""], ["@S1@", "@S1@"], ["a", "@S1@"]];

/// Tags that programs have, and that no standard has.
const OTHERS: &[&str] = &[
    "_X", "_SDATE", "XYZ", "_UID", "_FID", "_FSFTID", "FSFTID", "_APID", "_EMAIL", "_INIT", "WAC", "_CRE",
    "_CREAT", "_PHRASE", "_CROP", "_MIME", "_TRAN", "_ASSO", "_NO", "_EXID", "_CREA", "_DATE", "_TIME",
    "_LANG", "_EMPTY", "_BIRT", "_NOTE", "ERROR", "UNDEF",
];

/// The records that are pointed to, by the rules of both standards.
const REST: [&str; 2] = [
    "0 @N1@ NOTE n\n0 @S1@ SOUR\n1 TITL t\n0 @O1@ OBJE\n1 FILE a.jpg\n2 FORM jpg\n\
     0 @U9@ SUBM\n1 NAME u\n0 TRLR\n",
    "0 @N1@ SNOTE n\n0 @S1@ SOUR\n1 TITL t\n0 @O1@ OBJE\n1 FILE a.jpg\n2 FORM image/jpeg\n\
     0 @U9@ SUBM\n1 NAME u\n0 TRLR\n",
];

const HEADS: [&str; 2] = [
    "0 HEAD\n1 SOUR me\n1 SUBM @U9@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n",
    "0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SOUR me\n1 SUBM @U9@\n",
];

/// A structure of a file as it is compared: without its number, its substructures in the order of their tags.
fn shape(lines: &[&str]) -> String {
    let mut nodes: Vec<(usize, String, Vec<usize>)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for line in lines {
        let (level, rest) = line.split_once(' ').unwrap_or((line, ""));
        let Ok(level) = level.parse::<usize>() else { continue };
        if let Some(text) = rest.strip_prefix("CONT") {
            let above = open[level - 1];
            nodes[above].1.push('\n');
            nodes[above].1.push_str(text.strip_prefix(' ').unwrap_or(text));
            continue;
        }
        open.truncate(level);
        let (tag, payload) = rest.split_once(' ').unwrap_or((rest, ""));
        // An at sign of a text is doubled in GEDCOM 5.5.1, but for those of an escape.
        let is_pointer = payload.starts_with('@') && !payload.starts_with("@@") && !payload.starts_with("@#");
        let payload =
            if is_pointer { payload.to_owned() } else { format!("\"{}", payload.replace("@@", "@")) };
        nodes.push((level, format!("{tag} {payload}"), Vec::new()));
        let at = nodes.len() - 1;
        if let Some(&above) = open.last() {
            nodes[above].2.push(at);
        }
        open.push(at);
    }
    let mut shapes: Vec<String> = vec![String::new(); nodes.len()];
    for at in (0..nodes.len()).rev() {
        let mut below = nodes[at].2.clone();
        below.sort_by_key(|&below| nodes[below].1.split(' ').next().unwrap_or_default().to_owned());
        let below: String = below.iter().map(|&below| shapes[below].as_str()).collect();
        shapes[at] = format!("<{:?}{below}>", nodes[at].1);
    }
    shapes.first().cloned().unwrap_or_default()
}

/// A file as its records, each with the number of its first line.
fn records(file: &str) -> Vec<(usize, Vec<&str>)> {
    let mut records: Vec<(usize, Vec<&str>)> = Vec::new();
    for (at, line) in file.split('\n').enumerate() {
        if line.starts_with("0 ") {
            records.push((at + 1, Vec::new()));
        }
        if let Some((_, lines)) = records.last_mut() {
            lines.push(line);
        }
    }
    records
}

fn name<'l>(lines: &[&'l str]) -> &'l str {
    lines.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default()
}

/// The record that a line of the file between is of: that before it, where it stood within another.
fn record_at(between: &[(usize, Vec<&str>)], line: u64) -> String {
    let until = between.partition_point(|(first, _)| *first as u64 <= line);
    let own = between[..until].iter().rev().find(|(_, lines)| !name(lines).starts_with("@INLINE_"));
    own.map_or_else(String::new, |(_, lines)| name(lines).to_owned())
}

/// The lines of a header but for its schema, which each file that is written has anew.
fn without_schema<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    let mut is_schema = false;
    let mut kept = lines.to_vec();
    kept.retain(|line| {
        is_schema = line.starts_with("1 SCHMA") || is_schema && !line.starts_with("1 ");
        !is_schema
    });
    kept
}

/// Finds what is wrong with the way of a file there and back: records that differ with nothing said of it.
fn silent(file: &str, targets: [Target; 2]) -> Vec<String> {
    let migrate = |octets: &[u8], target| {
        let mut found: Vec<Diagnostic> = Vec::new();
        let reader = || Reader::new(octets, &Rules::WILD, ReadOptions::default());
        let made = migrated(reader, target, &mut found).unwrap().octets;
        (String::from_utf8(made).unwrap(), found)
    };
    let (between, forth) = migrate(file.as_bytes(), targets[0]);
    let (back, home) = migrate(between.as_bytes(), targets[1]);
    let (ours, theirs) = (records(file), records(&back));
    let inner = records(&between);
    let mut said: HashMap<String, BTreeSet<&str>> = HashMap::new();
    for (findings, records) in [(&forth, &ours), (&home, &inner)] {
        for finding in findings {
            let record = record_at(records, finding.place.map_or(0, |place| place.line));
            said.entry(record).or_default().insert(&finding.message);
        }
    }
    let nothing = BTreeSet::new();
    let mut plain = &nothing;
    let theirs: HashMap<&str, &Vec<&str>> = theirs.iter().map(|(_, lines)| (name(lines), lines)).collect();
    let mut wrong = Vec::new();
    for (_, lines) in &ours {
        let own = said.get(name(lines)).unwrap_or(&nothing);
        // What is said of a structure without the odd one says nothing of that.
        let back = theirs.get(name(lines)).map(|back| without_schema(back));
        let (back, lines) = (back.as_deref(), &without_schema(lines)[..]);
        if name(lines).starts_with("@P") {
            let is_back = back.is_some_and(|back| shape(back) == shape(lines));
            plain = if is_back { own } else { &nothing };
        }
        let is_said = own.iter().any(|message| !plain.contains(message));
        if !is_said && back.is_none_or(|back| shape(back) != shape(lines)) {
            let via = inner.iter().filter(|(_, between)| name(between) == name(lines));
            let via: Vec<String> = via.map(|(_, lines)| lines[1..].join(" | ")).collect();
            let back = back.map_or_else(|| "nothing".to_owned(), |back| back[1..].join(" | "));
            wrong.push(format!("{} => {} => {back}", lines.join(" | "), via.concat()));
        }
    }
    wrong
}

/// The tags that lead to each type of a schema, the shortest way.
fn ways(schema: &Schema) -> BTreeMap<usize, (TypeId, Vec<String>)> {
    let mut found: BTreeMap<usize, (TypeId, Vec<String>)> = BTreeMap::new();
    let mut next: Vec<(TypeId, Vec<String>)> = vec![(TypeId::DOCUMENT, Vec::new())];
    next.push((TypeId::METADATA, vec!["HEAD".to_owned()]));
    while !next.is_empty() {
        for (of, way) in std::mem::take(&mut next) {
            if found.contains_key(&of.index()) {
                continue;
            }
            for definition in schema.definitions_in(of) {
                let Some(inner) = schema.type_of(definition.structure_type()) else { continue };
                let way = way.iter().cloned().chain([definition.tag().to_owned()]).collect();
                next.push((inner, way));
            }
            found.insert(of.index(), (of, way));
        }
    }
    found
}

/// The payload of a structure that has another one under it, and what else it needs.
fn needs(tag: &str, above: &str, is_of_7: bool) -> (&'static str, &'static [(&'static str, &'static str)]) {
    match (tag, is_of_7) {
        ("EVEN", _) if above == "DATA" => ("BIRT", &[]),
        ("EVEN", _) if above == "SOUR" => ("BIRT", &[]),
        ("EVEN" | "FACT" | "IDNO", _) => ("z", &[("TYPE", "z")]),
        ("FILE", true) => ("z.jpg", &[("FORM", "image/jpeg")]),
        ("FILE", false) => ("z.jpg", &[("FORM", "jpg")]),
        ("ASSO", true) => ("@P0@", &[("ROLE", "FRIEND")]),
        ("ASSO", false) => ("@P0@", &[("RELA", "friend")]),
        ("OBJE", _) => ("@O1@", &[]),
        ("SOUR", _) => ("@S1@", &[]),
        ("REPO" | "FAMC" | "FAMS" | "HUSB" | "WIFE" | "CHIL" | "ALIA" | "ANCI" | "DESI" | "SUBM", _)
            if above != "FAM" || tag == "CHIL" || tag == "HUSB" || tag == "WIFE" =>
        {
            ("@P0@", &[])
        }
        ("SNOTE", _) => ("@N1@", &[]),
        ("TRAN", _) if matches!(above, "NAME" | "PLAC") => ("z", &[("LANG", "ja-Latn")]),
        ("FONE" | "ROMN", _) => ("z", &[("TYPE", "z")]),
        ("STAT", true) if above != "FAMC" => ("CANCELED", &[("DATE", "1 JAN 2000")]),
        ("STAT", false) if above != "FAMC" => ("CANCELED", &[("DATE", "1 JAN 2000")]),
        ("MAP", _) => ("", &[("LATI", "N1"), ("LONG", "E1")]),
        ("EXID", _) => ("z", &[("TYPE", "https://example.com/z")]),
        ("CREA" | "CHAN", _) => ("", &[("DATE", "1 JAN 2000")]),
        ("DATE" | "SDATE", _) => ("1 JAN 2000", &[]),
        ("FORM", true) => ("image/jpeg", &[]),
        ("FORM", false) => ("jpg", &[]),
        ("ADDR" | "NAME" | "NOTE" | "PLAC" | "TYPE" | "TEXT" | "PAGE", _) => ("z", &[]),
        ("NO", _) => ("MARR", &[]),
        _ => ("", &[]),
    }
}

/// Writes the structures that one is in, with what they need but for the tag of that one.
fn chain(way: &[String], odd: &str, is_of_7: bool) -> (String, String) {
    let (mut before, mut behind) = (String::new(), String::new());
    for (at, tag) in way.iter().enumerate().skip(1) {
        let (payload, below) = needs(tag, &way[at - 1], is_of_7);
        let blank = if payload.is_empty() { "" } else { " " };
        writeln!(before, "{at} {tag}{blank}{payload}").unwrap();
        let next = way.get(at + 1).map_or(odd, |next| next.as_str());
        let more: String = below
            .iter()
            .filter(|(tag, _)| *tag != next)
            .fold(String::new(), |text, (tag, payload)| format!("{text}{} {tag} {payload}\n", at + 1));
        behind = format!("{more}{behind}");
    }
    (before, behind)
}

/// Writes a structure with a payload that may have two lines.
fn structure(level: usize, tag: &str, payload: &str) -> String {
    let (first, rest) = payload.split_once('\n').map_or((payload, None), |(one, two)| (one, Some(two)));
    let blank = if first.is_empty() { "" } else { " " };
    let rest = rest.map(|rest| format!("{} CONT {rest}\n", level + 1)).unwrap_or_default();
    format!("{level} {tag}{blank}{first}\n{rest}")
}

/// Puts what structures in a chain need after it: lines of lower levels last.
fn sorted(before: &str, behind: &str) -> String {
    let mut lines: Vec<&str> = behind.lines().collect();
    lines.sort_by_key(|line| {
        std::cmp::Reverse(line.split(' ').next().and_then(|level| level.parse::<usize>().ok()))
    });
    format!("{before}{}", lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

/// Files with odd structures of a schema: one for each definition, or one for each record where it is the
/// header that they are in.
fn odd_files(schema: &Schema, is_of_7: bool) -> Vec<String> {
    let ways = ways(schema);
    let mut files = Vec::new();
    let tags: BTreeSet<String> = schema.definitions().map(|one| one.tag().to_owned()).collect();
    for (of, way) in ways.values() {
        let Some(record) = way.first() else { continue };
        if record == "HEAD" {
            continue;
        }
        let mut bodies: Vec<(char, String)> = Vec::new();
        let level = way.len();
        // Each superstructure comes first by itself: what is said of it says nothing of what is in it.
        let mut put = |odd: &str, kinds: Vec<String>| {
            let (before, behind) = chain(way, odd, is_of_7);
            for (kind, odd) in
                [('P', String::new())].into_iter().chain(kinds.into_iter().map(|odd| ('R', odd)))
            {
                bodies.push((kind, sorted(&format!("{before}{odd}"), &behind)));
            }
        };
        for definition in schema.definitions_in(*of) {
            let tag = definition.tag();
            let alone = PAYLOADS.iter().map(|payload| structure(level, tag, payload));
            let pairs = PAIRS.iter().map(|pair| pair.map(|payload| structure(level, tag, payload)).concat());
            put(tag, alone.chain(pairs).collect());
        }
        let others = tags.iter().map(String::as_str).chain(OTHERS.iter().copied());
        let others: Vec<String> =
            others.flat_map(|tag| ["x", "1900"].map(|payload| structure(level, tag, payload))).collect();
        put("", others);
        let mut file = HEADS[usize::from(is_of_7)].to_owned();
        for (at, (kind, body)) in bodies.iter().enumerate() {
            write!(file, "0 @{kind}{at}@ {record}\n{body}").unwrap();
        }
        file.push_str(REST[usize::from(is_of_7)]);
        files.push(file);
    }
    files
}

/// The tags of a header that each file that is written has anew.
const ANEW: &[&str] = &["SCHMA", "GEDC", "CHAR", "ELF", "PLANG"];

/// Files whose header has an odd structure, one each.
fn odd_headers(schema: &Schema, is_of_7: bool) -> Vec<String> {
    let [head, rest] = [HEADS, REST].map(|both| both[usize::from(is_of_7)]);
    let mut files = Vec::new();
    for (of, way) in ways(schema).values() {
        if way.first().is_none_or(|record| record != "HEAD") || way.iter().any(|tag| ANEW.contains(&&**tag)) {
            continue;
        }
        let others = OTHERS.iter().copied().chain(["NOTE", "BIRT", "SUBM"]);
        let others = others.map(|tag| structure(way.len(), tag, "x"));
        let own = schema.definitions_in(*of).filter(|definition| !ANEW.contains(&definition.tag()));
        let own = own.flat_map(|one| PAYLOADS.iter().map(move |text| structure(way.len(), one.tag(), text)));
        for odd in own.chain(others) {
            let tag = odd.split(' ').nth(1).unwrap_or_default().trim_end().to_owned();
            let (before, behind) = chain(way, &tag, is_of_7);
            files.push(format!("{head}{}{rest}", sorted(&format!("{before}{odd}"), &behind)));
        }
    }
    files
}

/// Finds the headers that do not come back, and of which no more is said than of one without odd structures.
fn silent_headers(schema: &Schema, is_of_7: bool, targets: [Target; 2]) -> Vec<String> {
    let files = odd_headers(schema, is_of_7);
    files.iter().flat_map(|file| silent(file, targets)).collect()
}

#[test]
fn what_is_not_reported_of_a_header_comes_back() {
    let ways = [
        (Schema::completed(), false, [Target::Gedcom70, Target::Gedcom551]),
        (Schema::gedcom_7(), true, [Target::Elf, Target::Gedcom70]),
        (Schema::gedcom_7(), true, [Target::Gedcom551, Target::Gedcom70]),
    ];
    for (schema, is_of_7, targets) in ways {
        let wrong = silent_headers(schema, is_of_7, targets);
        assert!(wrong.is_empty(), "{} headers, such as {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    }
}

fn check(schema: &Schema, is_of_7: bool, targets: [Target; 2]) {
    let wrong: Vec<String> =
        odd_files(schema, is_of_7).iter().flat_map(|file| silent(file, targets)).collect();
    assert!(wrong.is_empty(), "{} records, such as {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

#[test]
fn what_is_not_reported_of_gedcom_5_5_1_comes_back() {
    check(Schema::completed(), false, [Target::Gedcom70, Target::Gedcom551]);
}

#[test]
fn what_is_not_reported_of_gedcom_7_comes_back_by_elf() {
    check(Schema::gedcom_7(), true, [Target::Elf, Target::Gedcom70]);
}

#[test]
fn what_is_not_reported_of_gedcom_7_comes_back() {
    check(Schema::gedcom_7(), true, [Target::Gedcom551, Target::Gedcom70]);
}

/// Payloads that GEDCOM 5.5.1 says together with what is under them, or not at all.
const JOINED: &[&str] = &[
    "",
    "x",
    "Y",
    "OTHER",
    "1 JAN 1900",
    "BIRT",
    "de",
    "ko-hang",
    "@VOID@",
    "@S1@",
    "(x)",
    "https://gedcom.io/terms/v7/AFN",
    "01234567-89AB-CDEF-0123-456789ABCDEF",
    "CONFIDENTIAL, LOCKED",
];

/// Structures of GEDCOM 7.0 with an extension under each, and under the phrase of each.
fn extended_file(schema: &Schema) -> String {
    let (mut file, mut number) = (HEADS[1].to_owned(), 0);
    for (of, way) in ways(schema).values() {
        let Some(record) = way.first().filter(|record| *record != "HEAD") else { continue };
        let level = way.len();
        for definition in schema.definitions_in(*of) {
            let (before, behind) = chain(way, definition.tag(), true);
            for (payload, has_phrase) in JOINED.iter().flat_map(|one| [(one, false), (one, true)]) {
                let mut odd = structure(level, definition.tag(), payload);
                if has_phrase {
                    writeln!(odd, "{} PHRASE p", level + 1).unwrap();
                }
                writeln!(odd, "{} _X k{number}", level + 1 + usize::from(has_phrase)).unwrap();
                let body = sorted(&format!("{before}{odd}"), &behind);
                write!(file, "0 @P{number}@ {record}\n{body}").unwrap();
                number += 1;
            }
        }
    }
    file + REST[1]
}

#[test]
fn what_stands_beneath_anything_of_gedcom_7_is_written_or_reported() {
    let file = extended_file(Schema::gedcom_7());
    for target in [Target::Gedcom551, Target::Elf] {
        let mut found: Vec<Diagnostic> = Vec::new();
        let reader = || Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default());
        let written = migrated(reader, target, &mut found).unwrap();
        let written = String::from_utf8(written.octets).unwrap();
        let kept: BTreeSet<&str> = written.lines().filter_map(|line| line.split(" _X ").nth(1)).collect();
        let reported: BTreeSet<u64> = found.iter().filter_map(|one| Some(one.place?.line)).collect();
        let lines: Vec<&str> = file.lines().collect();
        let is_silent = |(at, line): &(usize, &&str)| {
            let name = line.split(" _X ").nth(1);
            name.is_some_and(|name| !kept.contains(name) && !reported.contains(&(*at as u64 + 1)))
        };
        let silent = lines.iter().enumerate().filter(is_silent);
        let silent: Vec<String> =
            silent.map(|(at, _)| lines[at.saturating_sub(6)..=at].join(" | ")).collect();
        assert!(silent.is_empty(), "{} to {target:?}, {:#?}", silent.len(), &silent[..silent.len().min(20)]);
    }
}

/// The findings above advice that a file has when it is held against a standard.
fn faults(file: &str, rules: &Rules, standard: Standard) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let typed = elf_schema::read(file.as_bytes(), rules, &ReadOptions::default(), &mut found).unwrap();
    // Of what is empty in GEDCOM 7.0 the reader speaks.
    found.retain(|finding| finding.code == codes::STRUCTURE_EMPTY);
    elf_validate::validate(&typed, Against { standard, is_named: true }, &mut found);
    found.retain(|finding| finding.class > Class::Advice);
    found
}

/// The records of a file that are not valid, with the first fault of each; the header by its tag.
fn invalid(file: &str, rules: &Rules, standard: Standard) -> BTreeMap<String, String> {
    let records = records(file);
    let mut found = BTreeMap::new();
    for fault in faults(file, rules, standard) {
        let line = fault.place.map_or(0, |place| place.line);
        found.entry(record_at(&records, line)).or_insert(fault.message.into());
    }
    found
}

/// Faults that what is written may have: what the record has, what the fault says, and why.
const EXCUSED: &[(&str, &str, &str)] = &[
    (
        "",
        "expected a text, but found no payload",
        "GEDCOM 7.0 has texts that are empty, GEDCOM 5.5.1 has none",
    ),
    ("PHRASE", "invalid age", "an age in words stands where readers look for it"),
    ("PHRASE", "without a unit", "an age in words stands where readers look for it"),
    ("RESI", "expected no payload", "a residence in words stands where readers look for it"),
    ("MEDI", "expected one of `audio`", "a medium in words stands where readers look for it"),
    ("@X@", "", "what points to nothing in GEDCOM 7.0 is no record in GEDCOM 5.5.1 either"),
    ("@VOID@", "but found none", "a text that is a pointer is none"),
    ("LANG @", "`TYPE`", "a language that is a pointer is none"),
    ("TYPE 1900", "", "GEDCOM 7.0 has no type here, and GEDCOM 5.5.1 one of its own"),
    (
        "SOUR @S1@ | 2 TEXT",
        "under a source citation",
        "GEDCOM 7.0 has no text here, and GEDCOM 5.5.1 one of its own",
    ),
    ("OBJE @O1@ | 2 FILE", "", "GEDCOM 7.0 has no file here, and GEDCOM 5.5.1 one of its own"),
];

#[test]
fn what_is_valid_by_gedcom_7_is_valid_by_gedcom_5_5_1() {
    let mut wrong = Vec::new();
    for file in odd_files(Schema::gedcom_7(), true) {
        let reader = || Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default());
        let written = migrated(reader, Target::Gedcom551, &mut ()).unwrap();
        let written = String::from_utf8(written.octets).unwrap();
        let before = invalid(&file, &Rules::GEDCOM_7, Standard::Gedcom70);
        let all = records(&file);
        let after = records(&written);
        for (record, fault) in invalid(&written, &Rules::WILD, Standard::Gedcom551) {
            let one = all.iter().find(|(_, lines)| name(lines) == record);
            let one = one.map(|(_, lines)| lines[1..].join(" | ")).unwrap_or_default();
            let is_excused = EXCUSED.iter().any(|(lines, of, _)| one.contains(lines) && fault.contains(of));
            if !before.contains_key(&record) && !is_excused {
                let lines = after.iter().find(|(_, lines)| name(lines) == record);
                let lines = lines.map(|(_, lines)| lines[1..].join(" | ")).unwrap_or_default();
                wrong.push(format!("{fault}: {one} => {lines}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} records, such as {:#?}", wrong.len(), &wrong[..wrong.len().min(30)]);
}
