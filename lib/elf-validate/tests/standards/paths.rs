//! GEDCOM 5.5.1 and 5.5, path by path.

use crate::{Cardinality, Kind, cardinality, named, rows};
use elf_schema::{Class, Diagnostic, ReadOptions, Rules};
use elf_validate::{Standard, validate};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The records that pointers lead to; each is called by its tag.
const RECORDS: [&str; 8] = ["FAM", "INDI", "NOTE", "OBJE", "REPO", "SOUR", "SUBM", "SUBN"];

#[derive(Clone)]
struct Row {
    cardinality: Cardinality,
    payloads: &'static str,
    target: &'static str,
    value: Value,
}

/// A row about a type of values.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    grammar: &'static str,
    listed: &'static str,
    is_required: bool,
    longest: Option<usize>,
}

impl Row {
    fn read(cells: &[&'static str], types: &BTreeMap<&'static str, Value>) -> Row {
        let [min, max, payloads, target, value] = cells[..] else { panic!("{cells:?}") };
        let value = if value.is_empty() { Value::default() } else { types[value] };
        Row { cardinality: cardinality(min, max), payloads, target, value }
    }
}

impl Value {
    /// All rows, by their names.
    fn read() -> BTreeMap<&'static str, Value> {
        let row = |cells: Vec<&'static str>| {
            let [name, grammar, listed, required, longest] = cells[..] else { panic!("{cells:?}") };
            let longest = longest.parse().ok();
            (name, Value { grammar, listed, is_required: required == "must", longest })
        };
        rows(include_str!("../../facts/gedcom-values.tsv")).map(row).collect()
    }

    /// A text of the grammar.
    fn good(self) -> &'static str {
        let first = self.listed.split('|').next().unwrap_or_default();
        match self.grammar {
            "" if first.is_empty() => "x",
            "" => first,
            "age" => "4y 8m 10d",
            "date" => "ABT 1900",
            "exact-date" => "1 JAN 1900",
            "integer" => "12",
            "latitude" => "N52.01",
            "longitude" => "E4.36",
            "name" => "Ada /Byron/",
            "period" => "FROM 1900 TO 1910",
            "time" => "12:30:00",
            other => panic!("{other}"),
        }
    }

    /// A text that is not in the grammar or not listed, and the finding.
    fn bad(self) -> Option<(&'static str, &'static str)> {
        match self.grammar {
            "" => (!self.listed.is_empty()).then_some(("none of them", "value-not-listed")),
            "age" => Some(("three", "age-malformed")),
            "date" | "period" => Some(("about 1900 or so", "date-malformed")),
            "exact-date" => Some(("JAN 1900", "date-malformed")),
            "latitude" => Some(("52.01", "value-malformed")),
            "longitude" => Some(("E181", "value-malformed")),
            "integer" => Some(("-1", "value-malformed")),
            "name" => Some(("Ada /Byron", "value-malformed")),
            "time" => Some(("8:30", "time-malformed")),
            other => panic!("{other}"),
        }
    }
}

struct Paths {
    standard: Standard,
    rows: BTreeMap<String, Row>,
    children: BTreeMap<String, Vec<String>>,
}

/// Returns whether a path is of a pattern, in which `*` is any tag and `**` one or more.
fn is_of(path: &str, pattern: &[&str]) -> bool {
    let tags: Vec<&str> = path.split('.').collect();
    let is = |(of, tag): (&&str, &&str)| *of == "*" || of.split('|').any(|of| of == *tag);
    match pattern {
        ["**", rest @ ..] => tags.len() > rest.len() && rest.iter().rev().zip(tags.iter().rev()).all(is),
        _ => tags.len() == pattern.len() && pattern.iter().zip(&tags).all(is),
    }
}

/// A path, how often it stands, and with what payload, where it is not a good one.
#[derive(Clone, Copy)]
struct Plan<'p> {
    path: &'p str,
    times: u32,
    payload: Option<&'p str>,
    /// True if what is found is advice only.
    is_advice: bool,
}

impl Paths {
    /// The paths of 5.5.1.
    fn of_551() -> Paths {
        let types = Value::read();
        let rows = rows(include_str!("../../facts/gedcom551.tsv"));
        let rows = rows.map(|cells| (cells[0].to_owned(), Row::read(&cells[1..], &types))).collect();
        Paths::new(Standard::Gedcom551, rows)
    }

    /// The paths of 5.5, which are those of 5.5.1 but for a list of differences.
    fn of_55() -> Paths {
        let types = Value::read();
        let mut paths = Paths::of_551().rows;
        for cells in rows(include_str!("../../facts/gedcom55.tsv")) {
            let pattern: Vec<&str> = cells[1].split('.').collect();
            if cells[0] == "-" {
                let gone: Vec<String> = paths.keys().filter(|path| is_of(path, &pattern)).cloned().collect();
                paths.retain(|path, _| {
                    !gone.iter().any(|gone| path == gone || path.starts_with(&format!("{gone}.")))
                });
                continue;
            }
            let (last, above) = pattern.split_last().expect("a tag");
            let places: Vec<String> = paths.keys().filter(|path| is_of(path, above)).cloned().collect();
            let new: Vec<(String, Row)> = match cells[0] {
                "+" => vec![(String::new(), Row::read(&cells[2..], &types))],
                _ => paths
                    .iter()
                    .filter_map(|(path, row)| Some((path.strip_prefix(cells[2])?.to_owned(), row.clone())))
                    .filter(|(rest, _)| rest.is_empty() || rest.starts_with('.'))
                    .collect(),
            };
            let tags: Vec<&str> = last.split('|').collect();
            for (place, tag) in places.iter().flat_map(|place| tags.iter().map(move |tag| (place, tag))) {
                for (rest, row) in &new {
                    paths.insert(format!("{place}.{tag}{rest}"), row.clone());
                }
            }
        }
        Paths::new(Standard::Gedcom55, paths)
    }

    fn new(standard: Standard, rows: BTreeMap<String, Row>) -> Paths {
        let mut children: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in rows.keys() {
            let above = path.rsplit_once('.').map_or("", |(above, _)| above);
            children.entry(above.to_owned()).or_default().push(path.clone());
        }
        Paths { standard, rows, children }
    }

    /// A payload that the row allows.
    fn good(&self, path: &str) -> String {
        let row = &self.rows[path];
        // A pointer stands for what must be written out without it.
        let needs = |child: &String| self.rows[child].cardinality.0 > 0;
        let is_long = self.children.get(path).is_some_and(|children| children.iter().any(&needs));
        let kinds = Kind::ALL.into_iter().filter(|kind| kind.is_in(row.payloads));
        let kinds: Vec<Kind> = if is_long { kinds.collect() } else { kinds.rev().collect() };
        match kinds.first() {
            Some(Kind::Pointer) => format!("@{}@", row.target),
            Some(Kind::Text) if path.ends_with("GEDC.VERS") => self.standard.name().to_owned(),
            Some(Kind::Text) => row.value.good().to_owned(),
            _ => String::new(),
        }
    }

    /// A structure with all that it must have, and the path that is meant.
    fn structure(&self, path: &str, level: usize, xref: &str, plan: Plan<'_>, out: &mut String) {
        let payload = match plan.payload {
            Some(payload) if path == plan.path => payload.to_owned(),
            _ => self.good(path),
        };
        let tag = path.rsplit('.').next().unwrap_or_default();
        let line = format!("{level} {xref} {tag} {payload}").replace("  ", " ");
        let _ = writeln!(out, "{}", line.trim_end());
        for child in self.children.get(path).into_iter().flatten() {
            let times = if child == plan.path {
                plan.times
            } else {
                let leads = plan.path.starts_with(&format!("{child}."));
                self.rows[child].cardinality.0.max(u32::from(leads))
            };
            for _ in 0..times {
                self.structure(child, level + 1, "", plan, out);
            }
        }
    }

    /// The names of the findings of a file that is good but for the plan.
    fn findings(&self, plan: Plan<'_>) -> Vec<String> {
        let mut file = String::new();
        self.structure("HEAD", 0, "", plan, &mut file);
        let root = plan.path.split('.').next().unwrap_or_default();
        for record in RECORDS.into_iter().filter(|record| *record != root) {
            self.structure(record, 0, &format!("@{record}@"), plan, &mut file);
        }
        if RECORDS.contains(&root) {
            for number in 0..if root == plan.path { plan.times } else { 1 } {
                let xref = if number == 0 { format!("@{root}@") } else { format!("@{root}{number}@") };
                self.structure(root, 0, &xref, plan, &mut file);
            }
        }
        file.push_str("0 TRLR\n");
        let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
            .expect("a small file");
        let mut found: Vec<Diagnostic> = Vec::new();
        validate(&typed, named(self.standard), &mut found);
        // What concerns two records has tests of its own.
        let others = ["link-one-sided", "pointer-circular", "citation-mixed"];
        found.retain(|found| !others.contains(&found.code.name()));
        // What GEDCOM only recommends is for tests of its own.
        found.retain(|found| !["structure-incomplete", "value-inconsistent"].contains(&found.code.name()));
        let is_advice = plan.is_advice;
        let class = if is_advice { Class::Advice } else { Class::NonConformant };
        assert!(found.iter().all(|found| found.class == class), "{found:?}");
        found.iter().map(|found| found.code.name().to_owned()).collect()
    }
}

#[test]
fn every_path_is_held_to_its_row() {
    let paths = Paths::of_551();
    assert_eq!(paths.rows.len(), 2997);
    paths.hold(|_| true);
}

#[test]
fn every_path_of_55_is_held_to_its_row() {
    let paths = Paths::of_55();
    assert!(paths.rows.len() > 4000, "{}", paths.rows.len());
    // Under each citation of a note stands what is under that of any other.
    paths.hold(|path| !path.contains(".NOTE.SOUR.") || path.starts_with("INDI.NOTE.SOUR."));
}

impl Paths {
    /// Holds each path in turn against its row, with all that may be wrong with it.
    fn hold(&self, is_held: impl Fn(&str) -> bool) {
        let paths = self;
        // Of header and trailer, the reader says that they are missing or repeated.
        for (path, row) in paths.rows.iter().filter(|(path, _)| *path != "TRLR" && is_held(path)) {
            let plan = Plan { path, times: 1, payload: None, is_advice: false };
            let (min, max) = row.cardinality;
            assert_eq!(paths.findings(plan), [""; 0], "{path}");
            if path != "HEAD" {
                let most = Plan { times: max.unwrap_or(4), ..plan };
                assert_eq!(paths.findings(most), [""; 0], "{path}, as often as it may stand");
                if let Some(max) = max {
                    let more = Plan { times: max + 1, ..plan };
                    assert_eq!(paths.findings(more), ["structure-repeated"], "{path}, once more");
                }
                if min > 0 {
                    let none = Plan { times: 0, ..plan };
                    assert_eq!(paths.findings(none), ["structure-missing"], "{path}, not there");
                }
            }
            let pointer = format!("@{}@", if row.target.is_empty() { "INDI" } else { row.target });
            let text = row.value.good();
            for kind in Kind::ALL {
                let payload =
                    [("", Kind::None), (text, Kind::Text), (&*pointer, Kind::Pointer)][kind as usize].0;
                let found = paths.findings(Plan { payload: Some(payload), ..plan });
                let expected: &[&str] = if kind.is_in(row.payloads) { &[] } else { &[kind.fault()] };
                assert_eq!(found, expected, "{path} with {}", kind.name());
            }
            if let Some((bad, expected)) = row.value.bad() {
                let found =
                    paths.findings(Plan { payload: Some(bad), is_advice: !row.value.is_required, ..plan });
                assert_eq!(found, [expected], "{path}");
            }
            if let Some(longest) = row.value.longest.filter(|_| row.value.grammar.is_empty()) {
                for (length, expected) in [(longest, &[][..]), (longest + 1, &["value-too-long"])] {
                    let long = "\u{e9}".repeat(length);
                    let found = paths.findings(Plan { payload: Some(&long), is_advice: true, ..plan });
                    assert_eq!(found, expected, "{path} of {length} characters");
                }
            }
            if !row.target.is_empty() {
                let other = if row.target == "FAM" { "@INDI@" } else { "@FAM@" };
                let found = paths.findings(Plan { payload: Some(other), ..plan });
                assert_eq!(found, ["pointer-wrong-type"], "{path}");
            }
        }
    }
}
