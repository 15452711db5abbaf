//! Generated files of GEDCOM 7.0 with extension tags of all sorts, there and back: what differs was reported.
//!
//! A sample runs with the other tests; `ELF_LONG_MIGRATIONS` asks for more. Each file follows from its
//! seed, a number from 0: `ELF_MIGRATION_SEED=117` judges that one alone, and prints what became of it.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "the environment says how many")]

use elf_migrate::{Target, migrated};
use elf_model::{Dataset, Difference, ReadError, Structure};
use elf_schema::{Class, Diagnostic, ReadOptions, Reader, Rules, Schema};
use elf_validate::{Against, Standard};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Numbers that follow from a seed (Marsaglia, *Xorshift RNGs*, 2003).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut random = Random((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        (0..4).for_each(|_| _ = random.below(2));
        random
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Tags of extensions. Which of them a file documents, and how, follows from its seed.
const TAGS: &[&str] = &["_A", "_B", "_C", "_D", "_E", "_DATE", "_NOTE"];

/// IRIs that documented tags stand for: structures of the standard, at other places, and those of others.
const IRIS: &[&str] = &[
    "https://example.com/a",
    "https://example.com/b",
    "https://example.com/c#d",
    "https://gedcom.io/terms/v7/DATE",
    "https://gedcom.io/terms/v7/NOTE",
    "https://gedcom.io/terms/v7/TYPE",
    "https://gedcom.io/terms/v7/PLAC",
    "https://gedcom.io/terms/v7/CAUS",
    "https://gedcom.io/terms/v7/BIRT",
    "https://gedcom.io/terms/v7/MARR",
    "https://gedcom.io/terms/v7/UID",
    "https://gedcom.io/terms/v7/SOUR",
    "https://gedcom.io/terms/v7/SEX",
    "https://gedcom.io/terms/v7/AGE",
    "https://gedcom.io/terms/v7/RESN",
    "https://gedcom.io/terms/v7/ASSO",
];

/// The payloads of extensions, lines apart by a bar.
const PAYLOADS: &[&str] = &[
    "x",
    "y z",
    "one|two",
    "@@at",
    "1 JAN 1900",
    "1900",
    "@I1@",
    "@S1@",
    "@VOID@",
    "Y",
    "M",
    "_A",
    "a, b",
    "BET 1 JAN 1900 AND 1910",
    "https://example.com/x",
    "5y",
];

/// Structures of the standard that are under extensions and events, with their payloads.
const BENEATH: &[&str] = &[
    "TYPE kind",
    "DATE 1 JAN 1900",
    "DATE BEF FRENCH_R 1 VEND 3",
    "PLAC a, b",
    "NOTE text",
    "NOTE one|two",
    "SOUR @S1@",
    "AGE 8y",
    "CAUS fever",
    "AGNC office",
    "SNOTE @N1@",
    "RESN PRIVACY",
    "UID 0d2ad5c0-1e4b-4e5c-9a56-0c1f4d1ba111",
];

/// Structures of the standard that are in records of persons.
const OF_PERSONS: &[&str] = &[
    "NAME Ada /Byron/",
    "SEX F",
    "OCCU smith",
    "FAMS @F1@",
    "EXID 1",
    "RESN CONFIDENTIAL, LOCKED",
    "RESN _A",
    "NOTE text",
    "SNOTE @N1@",
    "SOUR @S1@",
    "OBJE @O1@",
    "UID 0d2ad5c0-1e4b-4e5c-9a56-0c1f4d1ba999",
];

struct File<'r> {
    random: &'r mut Random,
    text: String,
}

impl File<'_> {
    /// Writes a line, and those that continue it.
    fn line(&mut self, level: usize, tag: &str, payload: &str) {
        for (at, line) in payload.split('|').enumerate() {
            let (level, tag) = if at == 0 { (level, tag) } else { (level + 1, "CONT") };
            let blank = if line.is_empty() { "" } else { " " };
            writeln!(self.text, "{level} {tag}{blank}{line}").expect("memory");
        }
    }

    fn standard(&mut self, level: usize, all: &[&str]) {
        let (tag, payload) = self.random.pick(all).split_once(' ').expect("a tag and a payload");
        self.line(level, tag, payload);
        if matches!(tag, "DATE" | "AGE" | "EXID") && self.random.chance(20) {
            let below =
                if tag == "EXID" { ("TYPE", "https://example.com/x") } else { ("PHRASE", "about then") };
            self.line(level + 1, below.0, below.1);
        }
        if self.random.chance(10) {
            self.extension(level + 1);
        }
    }

    /// Writes an extension with what is under it.
    fn extension(&mut self, level: usize) {
        let tag = self.random.pick(TAGS);
        let is_deep = level > 4;
        let is_empty = !is_deep && self.random.chance(25);
        let payload = if is_empty { "" } else { self.random.pick(PAYLOADS) };
        self.line(level, tag, payload);
        if is_deep {
            return;
        }
        for _ in 0..self.random.below(3) + usize::from(is_empty) {
            if self.random.chance(40) {
                self.extension(level + 1);
            } else {
                self.standard(level + 1, BENEATH);
            }
        }
    }

    fn event(&mut self) {
        let tag = self.random.pick(&["BIRT", "DEAT", "BURI", "RESI", "EVEN", "FACT"]);
        let payload = if matches!(tag, "EVEN" | "FACT") { "what" } else { "" };
        self.line(1, tag, payload);
        if !payload.is_empty() {
            self.line(2, "TYPE", "kind");
        }
        let mut met = BTreeSet::new();
        for _ in 0..=self.random.below(3) {
            let below = self.random.pick(BENEATH);
            // Of one event there is one date and the like; a type is there already.
            if met.insert(below.split(' ').next()) && (payload.is_empty() || !below.starts_with("TYPE")) {
                let (tag, payload) = below.split_once(' ').expect("a tag and a payload");
                self.line(2, tag, payload);
            }
        }
        if self.random.chance(40) {
            self.extension(2);
        }
    }

    fn header(&mut self) {
        self.text.push_str("0 HEAD\n1 GEDC\n2 VERS 7.0\n");
        let count = self.random.below(7);
        let mut met = BTreeSet::new();
        for at in 0..count {
            if at == 0 {
                self.line(1, "SCHMA", "");
            }
            let definition = format!("{} {}", self.random.pick(TAGS), self.random.pick(IRIS));
            if met.insert(definition.clone()) {
                self.line(2, "TAG", &definition);
            }
        }
        if self.random.chance(50) {
            self.line(1, "SOUR", "TREES");
            self.line(1, "LANG", "en");
        }
        if self.random.chance(20) {
            self.extension(1);
        }
    }
}

/// Makes a file from its seed.
fn file(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut file = File { random, text: String::new() };
    file.header();
    for number in 1..=1 + file.random.below(3) {
        file.line(0, &format!("@I{number}@ INDI"), "");
        for _ in 0..=file.random.below(4) {
            match file.random.below(10) {
                0..4 => file.extension(1),
                4..7 => file.event(),
                _ => file.standard(1, OF_PERSONS),
            }
        }
    }
    for (record, more) in [
        ("@F1@ FAM", "1 HUSB @I1@"),
        ("@S1@ SOUR", "1 TITL A book"),
        ("@O1@ OBJE", "1 FILE a/b.jpg\n2 FORM image/jpeg"),
        ("@N1@ SNOTE many", "1 LANG en"),
        ("@R1@ REPO", "1 NAME An archive"),
        ("@U1@ SUBM", "1 NAME Ada"),
    ] {
        writeln!(file.text, "0 {record}\n{more}").expect("memory");
        if file.random.chance(30) {
            file.extension(1);
        }
    }
    if file.random.chance(30) {
        let tag = file.random.pick(TAGS);
        file.line(0, &format!("@X1@ {tag}"), "");
        file.extension(1);
    }
    file.text + "0 TRLR\n"
}

fn read(octets: &[u8]) -> Dataset {
    match elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ()) {
        Ok(dataset) => dataset,
        Err(ReadError::Partial(dataset)) => *dataset,
        Err(error) => unreachable!("{error}"),
    }
}

/// The record that is at a line: its identifier, or its tag.
fn record_at(file: &str, line: u64) -> String {
    let lines = file.lines().take(usize::try_from(line).unwrap_or(usize::MAX));
    let record = lines.filter(|line| line.starts_with("0 ") && !line.starts_with("0 @INLINE_")).last();
    record.and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned()
}

/// The record of a structure, and the extension tags that it is under, and has itself.
fn place(structure: Structure<'_>) -> (String, Vec<String>) {
    let mut tags: Vec<String> = structure.subtree().map(|one| one.tag().to_owned()).collect();
    tags.extend(structure.with_ancestors().map(|one| one.tag().to_owned()));
    let top = structure.with_ancestors().last().unwrap_or(structure);
    let name = match top.xref() {
        Some(xref) => format!("@{xref}@"),
        None if top.is_metadata() => "HEAD".to_owned(),
        None => top.tag().to_owned(),
    };
    (name, tags)
}

/// Returns a tag without the number that tells it from another one.
fn unnumbered(tag: &str) -> &str {
    match tag.rsplit_once('_') {
        Some((tag, number)) if !tag.is_empty() && number.parse::<u64>().is_ok() => tag,
        _ => tag,
    }
}

/// Judges a file on its way there and back: returns the differences of which nothing is said.
fn silent(file: &str, [between, home_by]: [Target; 2], is_shown: bool) -> Vec<String> {
    let migrate = |octets: &[u8], target| {
        let mut found: Vec<Diagnostic> = Vec::new();
        let reader = || Reader::new(octets, &Rules::WILD, ReadOptions::default());
        let made = migrated(reader, target, &mut found).expect("it is small").octets;
        (String::from_utf8(made).expect("UTF-8"), found)
    };
    let (there, forth) = migrate(file.as_bytes(), between);
    let (back, home) = migrate(there.as_bytes(), home_by);
    // What is said of a definition is said of all structures with its tag.
    let (mut records, mut definitions): (BTreeMap<String, usize>, BTreeSet<String>) = Default::default();
    for (findings, text) in [(&forth, file), (&home, &*there)] {
        for finding in findings {
            // A tag that becomes an extension may take that of another one, which is renamed.
            let tag = finding.message.strip_prefix('`').and_then(|message| message.split_once('`'));
            if let Some((tag, _)) = tag.filter(|(_, message)| message.starts_with(" written as an extension"))
            {
                definitions.insert(format!("_{tag}"));
            }
            let line = finding.place.map_or(0, |place| place.line);
            let own =
                text.lines().nth(usize::try_from(line).unwrap_or(0).saturating_sub(1)).unwrap_or_default();
            match own.strip_prefix("2 TAG ").or(own.strip_prefix("3 TAG ")) {
                Some(definition) => {
                    definitions.extend(definition.split(' ').next().map(str::to_owned));
                }
                None => *records.entry(record_at(text, line)).or_default() += 1,
            }
        }
    }
    if is_shown {
        eprintln!("{file}\n=== {between:?}\n{there}\n{forth:#?}\n=== back\n{back}\n{home:#?}");
    }
    let (before, after) = (read(file.as_bytes()), read(back.as_bytes()));
    let differences = before.differences(&after);
    let is_said = |difference: &&Difference<'_>| {
        let structures = match **difference {
            Difference::Payload(one, two) | Difference::Order(one, two) => vec![one, two],
            Difference::Removed(one) | Difference::Added(one) => vec![one],
            _ => Vec::new(),
        };
        structures.into_iter().any(|structure| {
            let (record, tags) = place(structure);
            records.contains_key(&record) || tags.iter().any(|tag| definitions.contains(unnumbered(tag)))
        })
    };
    differences.iter().filter(|difference| !is_said(difference)).map(|one| format!("{one:?}")).collect()
}

/// Records of GEDCOM 5.5.1 and of GEDCOM 7.0 in which a vendor puts tags of its own.
const RECORDS: [&str; 2] = [
    "0 @I1@ INDI
1 NAME Ada /Byron/
2 GIVN Ada
1 SEX F
1 BIRT
2 DATE 1 JAN 1900
2 PLAC a, b
3 MAP
4 LATI N1
4 LONG E1
2 SOUR @S1@
3 PAGE 3
3 EVEN BIRT
4 ROLE CHIL
3 DATA
4 DATE 1901
3 QUAY 3
1 OCCU smith
1 NCHI 2
1 FAMS @F1@
1 ASSO @I2@
2 RELA friend
1 BAPL
2 DATE 2 FEB 1950
2 STAT CANCELED
3 DATE 3 FEB 1950
1 OBJE @O1@
1 NOTE text
1 CHAN
2 DATE 1 JAN 2000
3 TIME 12:00:00
0 @F1@ FAM
1 HUSB @I1@
1 CHIL @I2@
1 NCHI 1
1 MARR
2 HUSB
3 AGE 20y
2 DATE 1 JAN 1920
0 @S1@ SOUR
1 DATA
2 EVEN BIRT
3 DATE FROM 1900 TO 1910
1 TITL t
1 REPO @R1@
2 CALN 1
0 @O1@ OBJE
1 FILE a.jpg
2 FORM jpg
3 TYPE photo
0 @R1@ REPO
1 NAME r
1 ADDR street
2 CITY c
1 PHON 1
0 @N1@ NOTE n
0 @U1@ SUBM
1 NAME u
1 LANG English
",
    "0 @I1@ INDI
1 NAME Ada /Byron/
2 GIVN Ada
2 TRAN a
3 LANG ja-hrkt
1 SEX F
1 NO MARR
2 DATE FROM 1900 TO 1910
1 BIRT
2 DATE 1 JAN 1900
3 PHRASE p
2 SDATE 1899
2 ASSO @I2@
3 ROLE WITN
2 PLAC a, b
3 MAP
4 LATI N1
4 LONG E1
2 SOUR @S1@
3 PAGE 3
3 EVEN BIRT
4 ROLE CHIL
3 DATA
4 DATE 1901
3 QUAY 3
1 OCCU smith
1 NCHI 2
1 FAMS @F1@
1 ASSO @I2@
2 ROLE FRIEND
1 BAPL
2 DATE 2 FEB 1950
2 STAT CANCELED
3 DATE 3 FEB 1950
1 OBJE @O1@
2 CROP
3 TOP 1
1 NOTE text
2 TRAN texte
3 LANG fr
1 CREA
2 DATE 1 JAN 1999
1 CHAN
2 DATE 1 JAN 2000
3 TIME 12:00:00
0 @F1@ FAM
1 HUSB @I1@
1 CHIL @I2@
1 NCHI 1
1 MARR
2 HUSB
3 AGE 20y
2 DATE 1 JAN 1920
0 @S1@ SOUR
1 DATA
2 EVEN BIRT
3 DATE FROM 1900 TO 1910
1 TITL t
1 REPO @R1@
2 CALN 1
0 @O1@ OBJE
1 FILE a.jpg
2 FORM image/jpeg
3 MEDI PHOTO
0 @R1@ REPO
1 NAME r
1 ADDR street
2 CITY c
1 PHON 1
0 @N1@ SNOTE n
1 MIME text/plain
0 @U1@ SUBM
1 NAME u
1 LANG en
",
];

/// Makes a file in which a vendor has put tags of GEDCOM 7.0 with an underscore: with and without payload,
/// with and without a schema, beside structures of the standard, and where there are none. Of each record
/// there is one with such tags alone, so that what is said of others says nothing of it.
fn collisions(seed: u64, is_of_7: bool) -> String {
    let random = &mut Random::new(seed);
    let tags: BTreeSet<&str> = Schema::gedcom_7().definitions().map(|one| one.tag()).collect();
    let tags: Vec<&str> = tags.into_iter().filter(|tag| *tag != "CONT").collect();
    let mut file = File { random, text: String::new() };
    let [version, note] = if is_of_7 {
        ["7.0", ""]
    } else {
        ["5.5.1", "2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n1 SOUR me\n1 SUBM @U1@\n"]
    };
    write!(file.text, "0 HEAD\n1 GEDC\n2 VERS {version}\n{note}").expect("memory");
    let own: Vec<&str> = (0..4).map(|_| file.random.pick(&tags)).collect();
    if file.random.chance(40) {
        file.line(1, "SCHMA", "");
        for tag in &own[..2] {
            let term = match file.random.below(3) {
                0 => format!("https://example.com/{tag}"),
                _ => format!("https://gedcom.io/terms/v7/{tag}"),
            };
            if is_of_7 {
                file.line(2, "TAG", &format!("_{tag} {term}"));
            } else {
                file.line(2, "IRI", &term);
                for above in
                    ["BIRTH", "INDIVIDUAL_RECORD", "FAMILY_RECORD", "SOURCE_CITATION", "PersonalName"]
                {
                    file.line(3, "TAG", &format!("_{tag} https://terms.fhiso.org/elf/{above}"));
                }
            }
        }
    }
    let records: Vec<&str> = RECORDS[usize::from(is_of_7)].split_inclusive('\n').collect();
    for line in &records {
        file.text.push_str(line);
        let level = line.split(' ').next().and_then(|level| level.parse::<usize>().ok()).expect("a level");
        if !file.random.chance(7) {
            continue;
        }
        for _ in 0..=file.random.below(2) {
            let tag = format!("_{}", file.random.pick(&own));
            let payload = if file.random.chance(40) { "" } else { file.random.pick(PAYLOADS) };
            file.line(level + 1, &tag, payload);
            if payload.is_empty() || file.random.chance(30) {
                let (tag, payload) = file.random.pick(BENEATH).split_once(' ').expect("a tag and a payload");
                file.line(level + 2, tag, payload);
            }
        }
    }
    file.text + "0 @I2@ INDI\n1 NAME b\n1 FAMC @F1@\n0 TRLR\n"
}

/// Finds what a vendor's tags have become that GEDCOM 7.0 does not let are there.
fn crowded(file: &str) -> Vec<String> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let reader = || Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default());
    let made = migrated(reader, Target::Gedcom70, &mut ()).expect("it is small").octets;
    let typed =
        elf_schema::read(&made, &Rules::GEDCOM_7, &ReadOptions::default(), &mut ()).expect("it is small");
    elf_validate::validate(&typed, Against { standard: Standard::Gedcom70, is_named: true }, &mut found);
    let is_fault = |finding: &&Diagnostic| finding.class > Class::Advice;
    found.iter().filter(is_fault).map(|finding| format!("{} {:?}", finding.message, finding.place)).collect()
}

#[test]
fn tags_of_vendors_are_taken_for_those_of_the_standard_only_where_it_is_reported() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let alone = asked("ELF_MIGRATION_SEED");
    let seeds = alone.map_or(0..asked("ELF_LONG_MIGRATIONS").unwrap_or(150), |seed| seed..seed + 1);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for seed in seeds {
        for way in [
            [Target::Gedcom70, Target::Gedcom551],
            [Target::Gedcom70, Target::Elf],
            [Target::Gedcom551, Target::Gedcom70],
            [Target::Elf, Target::Gedcom70],
        ] {
            let is_of_7 = way[0] != Target::Gedcom70;
            let text = collisions(seed, is_of_7);
            let mut found = silent(&text, way, alone.is_some());
            if !is_of_7 {
                found.extend(crowded(&text));
            }
            count += usize::from(!found.is_empty());
            if !found.is_empty() {
                wrong.push(format!("{seed} by {way:?}: {}", found.join("\n    ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{count} ways, such as {}", wrong[..wrong.len().min(8)].join("\n"));
}

#[test]
fn what_differs_after_a_way_there_and_back_was_reported() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let alone = asked("ELF_MIGRATION_SEED");
    let seeds = alone.map_or(0..asked("ELF_LONG_MIGRATIONS").unwrap_or(200), |seed| seed..seed + 1);
    let mut wrong = Vec::new();
    let mut count = 0;
    for seed in seeds {
        let text = file(seed);
        for between in [Target::Gedcom551, Target::Elf] {
            let found = silent(&text, [between, Target::Gedcom70], alone.is_some());
            count += usize::from(!found.is_empty());
            if !found.is_empty() {
                wrong.push(format!("{seed} by {between:?}: {}", found.join("\n    ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{count} ways, such as {}", wrong[..wrong.len().min(8)].join("\n"));
}
