//! The grammar of lines of GEDCOM 7.0 and 5.5.1, aspect by aspect: `data/line-grammar.tsv`.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_tagged::{Diagnostic, Document, Node, Options, Payload, Rules, read};
use std::collections::BTreeSet;

const VECTORS: &str = include_str!("../data/line-grammar.tsv");

/// The aspects that are asked of what is written, of types and values, or of the names of files, each with
/// the layer that answers.
const ELSEWHERE: [(&str, &str); 9] = [
    ("LG22", "lengths of lines are those of a writer"),
    ("LG25", "types"),
    ("LG26", "types"),
    ("LG27", "validation"),
    ("LG28", "types"),
    ("LG29", "values"),
    ("LG30", "values"),
    ("LG32", "names of files"),
    ("LG33", "names of files"),
];

const HEADERS: [(&str, &str); 2] = [
    ("gedcom-7", "0 HEAD\n1 GEDC\n2 VERS 7.0\n"),
    ("gedcom-5.5.1", "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n"),
];

/// Reads `\n`, `\r`, `\t` and `\xNN`.
fn octets(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text.bytes();
    while let Some(octet) = rest.next() {
        octets.push(match octet {
            b'\\' => match rest.next() {
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(b'x') => {
                    let digits = [rest.next(), rest.next()].map(|digit| char::from(digit.expect("a digit")));
                    u8::from_str_radix(&String::from_iter(digits), 16).expect("a number")
                }
                other => panic!("`\\{other:?}` in {text}"),
            },
            other => other,
        });
    }
    octets
}

fn shown(node: Node<'_>) -> String {
    let level = node.with_ancestors().count() - 1;
    let xref = node.xref().map_or_else(String::new, |xref| format!("@{xref}@ "));
    let payload = match node.payload() {
        Payload::None => String::new(),
        Payload::Pointer(id) => format!(" ->{id}"),
        Payload::Text(text) => format!(" {}", text.replace('\n', "/")),
    };
    format!("{level} {xref}{}{payload}", node.tag())
}

fn structures(document: &Document<'_>) -> String {
    let all = document.records().flat_map(Node::subtree_lines).filter(|node| !node.is_continuation());
    all.map(shown).collect::<Vec<_>>().join("|")
}

#[test]
fn each_aspect_is_read_as_the_table_says() {
    let mut wrong = Vec::new();
    for vector in VECTORS.lines().skip(1) {
        let cells: Vec<&str> = vector.split('\t').collect();
        let [_, rules, body, findings, expected] = cells[..] else { panic!("{vector}") };
        let rules = Rules::from_name(rules).expect("the name of a preset");
        let (file, before) = match body.strip_prefix('!') {
            Some(whole) => (octets(whole), 0),
            None => {
                let (_, header) = HEADERS.iter().find(|(name, _)| *name == rules.name).expect("a header");
                let body = octets(body);
                ([header.as_bytes(), &body, b"\n0 TRLR\n"].concat(), header.lines().count() as u64)
            }
        };
        let mut found: Vec<Diagnostic> = Vec::new();
        let document = read(&file, rules, &Options::default(), &mut found).expect("small");
        let line = |finding: &Diagnostic| match &finding.place {
            Some(place) => (place.line.saturating_sub(before)).to_string(),
            None => "?".to_owned(),
        };
        let said: Vec<String> =
            found.iter().map(|finding| format!("{}:{}", finding.code, line(finding))).collect();
        let said = if said.is_empty() { "-".to_owned() } else { said.join(" ") };
        let shown = structures(&document);
        let is_shown = expected == "*" || octets(expected) == shown.as_bytes();
        if said != findings || !is_shown || !document.is_complete() {
            wrong.push(format!("{vector}\n    {said}\n    {shown}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_aspect_has_a_vector_by_both_rules() {
    let has =
        |id: &str, rules: &str| VECTORS.lines().any(|line| line.starts_with(&format!("{id}\t{rules}\t")));
    let elsewhere: BTreeSet<&str> = ELSEWHERE.iter().map(|(id, _)| *id).collect();
    for number in 1..=34 {
        let id = format!("LG{number:02}");
        let is_here = !elsewhere.contains(&*id);
        // The version decides by which rules `wild` reads.
        let rules: &[&str] = if id == "LG34" { &["wild"] } else { &["gedcom-7", "gedcom-5.5.1"] };
        for rules in rules {
            assert_eq!(has(&id, rules), is_here, "{id} by {rules}");
        }
    }
}
