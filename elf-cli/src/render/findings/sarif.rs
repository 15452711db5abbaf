//! Findings as one log in SARIF 2.1.0 (OASIS), which editors and code hosts read.
//!
//! The results come first and are written as they are found, whatever their number; the rules that were met,
//! the files and the exit status stand behind them. The order of members means nothing in JSON.

use super::{At, Summary};
use crate::exit::Exit;
use elf_base::{Class, Code, Diagnostic, Place, Related};
use elf_tagged::elf_octets::Patch;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::io::{self, Write};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The part of a log that stands behind the results.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The files with what was found in them, as artifacts.
    files: Vec<serde_json::Value>,
    /// Their names: no two artifacts are alike.
    names: BTreeSet<String>,
    /// The files that could not be read, as notifications.
    failures: Vec<serde_json::Value>,
}

/// The number of findings of a code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeCount {
    pub(crate) code: Code,
    pub(crate) class: Class,
    pub(crate) count: u64,
}

impl Log {
    /// Writes what stands before the first result.
    pub(super) fn start(out: &mut dyn Write) -> io::Result<()> {
        write!(out, r#"{{"$schema":"{SCHEMA}","version":"2.1.0","runs":[{{"#)?;
        write!(out, r#""columnKind":"unicodeCodePoints","results":["#)
    }

    /// Takes what was found in a file as a whole.
    pub(super) fn file(&mut self, summary: &Summary<'_>) {
        if self.names.insert(summary.file.to_owned()) {
            let uri = uri(summary.file);
            self.files.push(json!({ "location": { "uri": uri }, "properties": summary.counts }));
        }
    }

    /// Takes a file that could not be read, and why.
    pub(crate) fn unreadable(&mut self, file: &str, reason: &str) {
        self.failures.push(json!({
            "level": "error",
            "message": { "text": plain(&format!("cannot read the file: {reason}")) },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(file) } } }],
        }));
    }

    /// Writes what stands behind the last result.
    pub(super) fn finish(&self, out: &mut dyn Write, met: &[CodeCount], exit: Exit) -> io::Result<()> {
        let rules: Vec<_> = met.iter().map(rule).collect();
        let driver = json!({ "name": "elf", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
        let invocation = json!({
            "executionSuccessful": exit != Exit::Failed,
            "exitCode": exit.status(),
            "toolExecutionNotifications": self.failures,
        });
        write!(out, "\n],\"artifacts\":{}", json!(self.files))?;
        write!(out, ",\"invocations\":[{invocation}],\"tool\":{}", json!({ "driver": driver }))?;
        writeln!(out, "}}]}}")
    }
}

/// A code as a rule, with its manual page.
fn rule(met: &CodeCount) -> serde_json::Value {
    let CodeCount { code, class, count } = *met;
    let page = code.page().trim_end();
    json!({
        "id": code.id(),
        "name": code.name(),
        "shortDescription": { "text": plain(code.title()) },
        "fullDescription": { "text": plain(&first_section(page)) },
        "help": { "text": plain(page), "markdown": page },
        "defaultConfiguration": { "level": level(class) },
        "properties": { "class": class.name(), "count": count },
    })
}

/// The text of the first section of a manual page, in one line.
fn first_section(page: &str) -> String {
    let behind = page.lines().skip_while(|line| !line.starts_with("## ")).skip(1);
    let words = behind.take_while(|line| !line.starts_with("## ")).flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}

/// The level of a class.
const fn level(class: Class) -> &'static str {
    match class {
        Class::Malformed | Class::NonConformant => "error",
        Class::Deprecated => "warning",
        Class::Advice => "note",
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'static str,
    level: &'static str,
    message: Message,
    locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial_fingerprints: Option<Fingerprints>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes: Option<[SarifFix; 1]>,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[LogicalLocation<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    start_column: u64,
    end_column: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    description: Message,
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<SarifReplacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifReplacement {
    deleted_region: LinesRegion,
    inserted_content: Message,
}

/// Whole lines, up to the break of the last; under an end column of 1, up to the start of the last.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LinesRegion {
    start_line: u64,
    start_column: u64,
    end_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fully_qualified_name: Option<&'a str>,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "elfFinding/v1")]
    finding: String,
}

/// The members of a finding that SARIF has no place for.
#[derive(Serialize)]
struct Properties<'a> {
    class: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    octet: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<std::num::NonZero<u64>>,
}

/// Writes a finding as one result, without what separates it from others.
pub(super) fn finding(out: &mut dyn Write, file: &str, finding: &Diagnostic, at: &At<'_>) -> io::Result<()> {
    let Diagnostic { code, class, clause, message, place, help, related, count, .. } = finding;
    let uri = uri(file);
    // No two of them may be alike.
    let mut others = related.clone();
    others.dedup();
    let record = at.record.as_deref();
    let result = SarifResult {
        rule_id: code.id(),
        level: level(*class),
        message: Message { text: plain(message) },
        locations: [Location {
            physical_location: physical(&uri, *place),
            logical_locations: record
                .map(|name| [LogicalLocation { name, fully_qualified_name: at.path.as_deref() }]),
            message: None,
        }],
        related_locations: others.iter().map(|related| other(&uri, related)).collect(),
        partial_fingerprints: record.map(|record| Fingerprints {
            finding: format!("{} {record} {}", code.id(), at.path.as_deref().unwrap_or_default()),
        }),
        fixes: at.repair.filter(|patches| !patches.is_empty()).map(|patches| [fix(&uri, patches)]),
        properties: Properties {
            class: class.name(),
            octet: place.map(|place| place.octet),
            clause: *clause,
            help: help.as_deref(),
            count: *count,
        },
    };
    serde_json::to_writer(out, &result)?;
    Ok(())
}

/// Another place that a finding speaks of.
fn other<'a>(uri: &str, related: &Related) -> Location<'a> {
    Location {
        physical_location: physical(uri, Some(related.place)),
        logical_locations: None,
        message: Some(Message { text: plain(&related.message) }),
    }
}

/// The repair of a finding.
fn fix(uri: &str, patches: &[Patch]) -> SarifFix {
    SarifFix {
        description: Message { text: "repair what can be repaired in these lines".to_owned() },
        artifact_changes: [ArtifactChange {
            artifact_location: ArtifactLocation { uri: uri.to_owned() },
            replacements: patches.iter().map(replacement).collect(),
        }],
    }
}

fn replacement(patch: &Patch) -> SarifReplacement {
    let Patch { lines, with, .. } = patch;
    let start_line = lines.start.max(1);
    let is_between = lines.is_empty() || with.is_empty();
    let (end_line, end_column, text) = match is_between {
        true => (lines.end.max(start_line), Some(1), with.as_str()),
        false => (lines.end - 1, None, with.strip_suffix('\n').unwrap_or(with)),
    };
    SarifReplacement {
        deleted_region: LinesRegion { start_line, start_column: 1, end_line, end_column },
        inserted_content: Message { text: text.to_owned() },
    }
}

fn physical(uri: &str, place: Option<Place>) -> PhysicalLocation {
    let region = |Place { line, column, end_column, .. }: Place| Region {
        start_line: line.max(1),
        start_column: column.max(1),
        end_column: end_column.max(column).max(1),
    };
    PhysicalLocation {
        artifact_location: ArtifactLocation { uri: uri.to_owned() },
        region: place.map(region),
    }
}

/// Text in which nothing is a link: brackets with parentheses behind them are one in messages (SARIF 3.11.6).
fn plain(text: &str) -> String {
    text.replace("](", "] (")
}

/// The name of a file as a reference: relative to where the command ran, or of scheme `file`.
fn uri(name: &str) -> String {
    let name = if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() };
    let has_drive = cfg!(windows) && name.get(1..3) == Some(":/");
    let mut uri = String::with_capacity(name.len() + 8);
    match (has_drive, name.starts_with('/')) {
        (true, _) => uri.push_str("file:///"),
        (false, true) => uri.push_str("file://"),
        (false, false) => {}
    }
    for (index, octet) in name.bytes().enumerate() {
        match octet {
            // A colon in the first segment would end a scheme.
            b':' if has_drive && index == 1 => uri.push(':'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => uri.push(char::from(octet)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' => {
                uri.push(char::from(octet));
            }
            b'*' | b'+' | b',' | b';' | b'=' | b'@' => uri.push(char::from(octet)),
            _ => uri.push_str(&format!("%{octet:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::{Rules, codes};

    #[test]
    fn names_of_files_are_references() {
        for (name, expected) in [
            ("family.ged", "family.ged"),
            ("-", "-"),
            ("/data/Élise.ged", "file:///data/%C3%89lise.ged"),
            ("a b#c?d%41.ged", "a%20b%23c%3Fd%2541.ged"),
            ("http://x/y.ged", "http%3A//x/y.ged"),
            ("a\n\"\u{1b}[x]\\.ged", "a%0A%22%1B%5Bx%5D%5C.ged"),
            ("archive.zip!inner.ged", "archive.zip!inner.ged"),
        ] {
            if !cfg!(windows) || !name.contains('\\') {
                assert_eq!(uri(name), expected);
            }
        }
    }

    #[test]
    fn any_place_is_a_region() {
        let found = Diagnostic::new(codes::LEVEL_TOO_DEEP, &Rules::WILD, "see [this](http://example.org)");
        for (line, column, end_column) in [(0, 0, 0), (7, 9, 3), (u64::MAX, u64::MAX, 1), (4, 2, 5)] {
            let found = found.clone().at(Place::new(0, line, column, end_column), None);
            let mut out = Vec::new();
            finding(&mut out, "x.ged", &found, &At::default()).expect("memory");
            let result: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
            let region = &result["locations"][0]["physicalLocation"]["region"];
            let number = |name: &str| region[name].as_u64().expect("a number");
            assert!(number("startLine") > 0 && number("startColumn") > 0, "{region}");
            assert!(number("endColumn") >= number("startColumn"), "{region}");
            assert!(!result["message"]["text"].as_str().expect("text").contains("]("));
        }
    }
}
