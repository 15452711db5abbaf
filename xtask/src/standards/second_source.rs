//! Compares the facts about GEDCOM with those of other projects: the registry of GEDCOM 7, and the grammars of
//! GED-inline for 5.5 and 5.5.1.
//!
//! Two environment variables name their folders, and without them nothing is compared. `ELF_GEDCOM_REGISTRY` contains
//! `cardinalities.tsv`, `payloads.tsv`, `enumerations.tsv` and `enumerationsets.tsv`, as in `extracted-files` of the
//! project GEDCOM of `FamilySearch`. `ELF_GEDINLINE` contains `tag-tree.txt`.

use super::difference;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The text of a file in the folder that a variable names. `None` if the variable is not set.
fn foreign(variable: &str, file: &str) -> Option<String> {
    let Some(folder) = std::env::var_os(variable) else {
        eprintln!("{variable} names no folder: {file} is not compared");
        return None;
    };
    Some(std::fs::read_to_string(Path::new(&folder).join(file)).expect("a file of the second source"))
}

fn facts(name: &str) -> String {
    std::fs::read_to_string(crate::root().join("lib/elf-validate/facts").join(name)).expect("facts")
}

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// The name of a term of GEDCOM 7.
fn term(uri: &str) -> &str {
    uri.strip_prefix("https://gedcom.io/terms/v7/").unwrap_or(uri)
}

#[test]
fn gedcom_7_is_as_the_registry_has_it() {
    let Some(theirs) = foreign("ELF_GEDCOM_REGISTRY", "cardinalities.tsv") else { return };
    let ours = facts("gedcom70.tsv");
    let types: BTreeMap<&str, Vec<&str>> =
        rows(&ours).filter(|row| row[0] != "(dataset)").map(|row| (row[0], row)).collect();
    let places: BTreeSet<String> = types
        .iter()
        .flat_map(|(name, row)| {
            row[5].split(';').filter(|place| !place.is_empty()).map(move |place| format!("{name} {place}"))
        })
        .collect();
    let of_registry: BTreeSet<String> =
        rows(&theirs).skip(1).map(|row| format!("{} {}{}", term(row[0]), term(row[1]), row[2])).collect();
    assert_eq!(places.symmetric_difference(&of_registry).collect::<Vec<_>>(), [""; 0]);

    let payloads = foreign("ELF_GEDCOM_REGISTRY", "payloads.tsv").unwrap_or_default();
    for row in rows(&payloads).skip(1).filter(|row| row[0] != "https://gedcom.io/terms/v7/CONT") {
        let [kinds, target, value] = types[term(row[0])][2..5] else { panic!("{row:?}") };
        let payload = row.get(1).map_or("", |payload| term(payload).rsplit('#').next().unwrap_or_default());
        let expected = match payload {
            "" => ("none", ""),
            "Y|<NULL>" => ("none|text", "Y"),
            "string" if term(row[0]) == "GEDC-VERS" => ("text", "Version"),
            "string" | "Text" => ("none|text", ""),
            "anyURI" => ("none|text", "URI"),
            "exact" => ("text", "DateExact"),
            "period" => ("none|text", "DatePeriod"),
            "type-Date" => ("none|text", "DateValue"),
            "type-Age" => ("none|text", "Age"),
            "type-FilePath" => ("none|text", "FilePath"),
            "type-Name" => ("text", "PersonalName"),
            "nonNegativeInteger" => ("text", "Integer"),
            "mediaType" => ("text", "MediaType"),
            "Enum" | "type-Enum" => ("text", value),
            other if other.starts_with("@<") => {
                assert_eq!(format!("@<https://gedcom.io/terms/v7/record-{target}>@"), other, "{row:?}");
                ("pointer", "")
            }
            other => ("text", other.strip_prefix("type-").unwrap_or(other)),
        };
        assert_eq!((kinds, value), expected, "{row:?}");
    }

    let sets = foreign("ELF_GEDCOM_REGISTRY", "enumerationsets.tsv").unwrap_or_default();
    let of_types = foreign("ELF_GEDCOM_REGISTRY", "enumerations.tsv").unwrap_or_default();
    let values = facts("gedcom70-values.tsv");
    let values: BTreeMap<&str, Vec<&str>> = rows(&values).map(|row| (row[0], row)).collect();
    for row in rows(&of_types).skip(1) {
        // The last part of the name of a value is the value: `enum-ADOP-HUSB`, `INDI-FACT`.
        let listed: BTreeSet<&str> = rows(&sets)
            .filter(|set| set[0] == row[1])
            .filter_map(|set| term(set[1]).rsplit('-').next())
            .collect();
        let ours = values[types[term(row[0])][4]][2].split('|').collect();
        assert_eq!(listed, ours, "{row:?}");
    }
}

/// A structure of a grammar: the minimum and maximum number (`None` for no maximum), and its substructures.
#[derive(Clone, Debug, Default)]
struct Node {
    tag: String,
    min: u32,
    max: Option<u32>,
    below: Vec<Node>,
}

/// The sections of a grammar by name. Their lines have a level, a structure, and its minimum and maximum number.
type Sections = BTreeMap<String, Vec<(usize, String, u32, Option<u32>)>>;

fn sections(text: &str) -> Sections {
    let mut sections = Sections::new();
    let mut open = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let is_name =
            |name: &str| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        if let Some(name) = line.trim_end().strip_suffix(':').filter(|name| is_name(name)) {
            open = name.to_owned();
            continue;
        }
        let (body, limits) = line.trim().split_once('{').unwrap_or((line.trim(), "1:1}"));
        let (min, max) = limits.split_once('}').and_then(|(both, _)| both.split_once(':')).expect("limits");
        let (level, body) = match body.strip_prefix('+').and_then(|rest| rest.split_once(' ')) {
            Some((level, rest)) => (level.parse().expect("a level"), rest),
            None => (0, body),
        };
        let line = (level, body.trim().to_owned(), min.parse().expect("a number"), max.parse().ok());
        sections.entry(open.clone()).or_default().push(line);
    }
    sections
}

/// The structures of a section, or of its variant for the version if there is one.
fn expand(sections: &Sections, name: &str, version: &str) -> Vec<Node> {
    let lines = sections.get(&format!("{name}{version}")).or_else(|| sections.get(name)).expect("a section");
    below(sections, &mut lines.iter().peekable(), 0, version)
}

type Lines<'l> = std::iter::Peekable<std::slice::Iter<'l, (usize, String, u32, Option<u32>)>>;

/// The structures on a level, each with those of the following lines that are under it.
fn below(sections: &Sections, lines: &mut Lines<'_>, level: usize, version: &str) -> Vec<Node> {
    let mut nodes = Vec::new();
    while let Some((_, body, min, max)) = lines.next_if(|(at, ..)| *at >= level) {
        let section = body.strip_prefix("<<").and_then(|rest| rest.split_once(">>"));
        let mut here = match section {
            Some((section, _)) => expand(sections, section, version)
                .into_iter()
                .map(|node| Node {
                    min: min * node.min,
                    max: max.zip(node.max).map(|(one, other)| one * other),
                    ..node
                })
                .collect(),
            None => {
                let mut words = body.split_whitespace().filter(|word| !word.contains("XREF:"));
                let tag = words.next().unwrap_or_default().to_owned();
                vec![Node { tag, min: *min, max: *max, below: Vec::new() }]
            }
        };
        let children = below(sections, lines, level + 1, version);
        here.iter_mut().for_each(|node| node.below.extend(children.iter().cloned()));
        nodes.extend(here);
    }
    nodes
}

/// Collects the paths of structures with their cardinalities. Structures with several forms count once.
fn paths(nodes: &[Node], above: &str, out: &mut BTreeMap<String, String>) {
    let mut by_tag: BTreeMap<&str, Node> = BTreeMap::new();
    for node in nodes.iter().filter(|node| !matches!(&*node.tag, "CONC" | "CONT")) {
        let one = by_tag.entry(&node.tag).or_insert_with(|| Node { below: Vec::new(), ..node.clone() });
        one.min = one.min.min(node.min);
        one.max = one.max.zip(node.max).map(|(one, other)| one.max(other));
        one.below.extend(node.below.iter().cloned());
    }
    for (tag, node) in by_tag {
        let path = if above.is_empty() { tag.to_owned() } else { format!("{above}.{tag}") };
        paths(&node.below, &path, out);
        let max = node.max.map_or("M".to_owned(), |max| max.to_string());
        out.insert(path, format!("{{{}:{max}}}", node.min));
    }
}

/// The differences between two sets of paths, without those under a path that only one set has. Each difference has the
/// last tag of the path and a count.
fn differences(ours: &str, theirs: &BTreeMap<String, String>) -> BTreeSet<String> {
    let ours: BTreeMap<String, String> =
        rows(ours).map(|row| (row[0].to_owned(), format!("{{{}:{}}}", row[1], row[2]))).collect();
    let all: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let mut found = BTreeSet::new();
    for path in all {
        let Some((above, tag)) = path.rsplit_once('.') else { continue };
        if !ours.contains_key(above) || !theirs.contains_key(above) {
            continue;
        }
        let [one, other] = [&ours, theirs].map(|of| of.get(path).map_or("none", String::as_str));
        if one != other {
            found.insert(format!("{tag}: {one}, theirs {other}"));
        }
    }
    found
}

/// The known differences for 5.5.1, by tag. The comments say which side is right.
const STAY_551: [&str; 7] = [
    // The standard allows at most three of each.
    "EMAIL: {0:3}, theirs {0:M}",
    "FAX: {0:3}, theirs {0:M}",
    // The standard requires at least one.
    "FILE: {1:M}, theirs {0:M}",
    "PHON: {0:3}, theirs {0:M}",
    // 5.5.1 removed SOUR from NOTE.
    "SOUR: none, theirs {0:M}",
    // A note to the grammar requires it of FACT and IDNO.
    "TYPE: {1:1}, theirs {0:1}",
    "WWW: {0:3}, theirs {0:M}",
];

/// The known differences for 5.5.
const STAY_55: [&str; 12] = [
    // GED-inline ends the recursion of notes and citations earlier.
    "DATA: {0:1}, theirs none",
    "EVEN: {0:1}, theirs none",
    // The standard allows at most three.
    "LANG: {0:3}, theirs {0:M}",
    "NOTE: {0:M}, theirs none",
    "OBJE: {0:M}, theirs none",
    "PAGE: {0:1}, theirs none",
    "PHON: {0:3}, theirs {0:M}",
    "QUAY: {0:1}, theirs none",
    // The standard allows at most one, and none under a multimedia record.
    "REPO: {0:1}, theirs {0:M}",
    "SOUR: none, theirs {0:M}",
    "TEXT: {0:M}, theirs none",
    // The standard has it under ASSO.
    "TYPE: {1:1}, theirs none",
];

#[test]
fn gedcom_5_5_is_as_gedinline_has_it() {
    let Some(theirs) = foreign("ELF_GEDINLINE", "tag-tree.txt") else { return };
    let sections = sections(&theirs);
    let of_551 = facts("gedcom551.tsv");
    let of_55 = difference::apply_difference(&of_551, &facts("gedcom55.tsv")).expect("good facts");
    for (version, ours, stay) in [("_551", &of_551, &STAY_551[..]), ("", &of_55, &STAY_55[..])] {
        let records =
            ["FAM", "INDIVIDUAL", "MULTIMEDIA", "NOTE", "REPOSITORY", "SOURCE", "SUBMISSION", "SUBMITTER"];
        let names = records.iter().map(|record| format!("{record}_RECORD")).chain(["HEADER".to_owned()]);
        let nodes: Vec<Node> = names.flat_map(|name| expand(&sections, &name, version)).collect();
        let mut theirs = BTreeMap::new();
        paths(&nodes, "", &mut theirs);
        assert!(theirs.len() > 3000, "{}", theirs.len());
        let found = differences(ours, &theirs);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), stay, "GEDCOM 5.5{version}");
    }
}
