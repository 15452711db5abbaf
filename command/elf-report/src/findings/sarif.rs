//! Prints findings as one log in SARIF 2.1.0 (OASIS), for editors and code hosts.
//!
//! The results come first and are written at once, so that memory does not grow with them. The
//! rules, the files and the exit status follow. The order of members has no meaning in JSON.

use super::at::{At, with_slashes};
use super::summary::Summary;
use elf_base::{Class, Diagnostic, Place, Related};
use elf_check::CodeCount;
use elf_tagged::elf_octets::{LineBreak, Patch};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Write};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The part of a log that follows the results.
#[derive(Debug, Default)]
pub struct Log {
    /// The files with their summaries, as artifacts.
    files: Vec<Value>,
    /// The names of the artifacts, which must be unique.
    names: BTreeSet<String>,
    /// The files that could not be read, as notifications.
    failures: Vec<Value>,
}

impl Log {
    /// Writes the text before the first result.
    pub(super) fn start(out: &mut dyn Write) -> io::Result<()> {
        write!(out, r#"{{"$schema":"{SCHEMA}","version":"2.1.0","runs":[{{"#)?;
        write!(out, r#""columnKind":"unicodeCodePoints","newlineSequences":["\r\n","\n","\r"],"results":["#)
    }

    /// Adds the summary of a file.
    pub(super) fn file(&mut self, summary: &Summary<'_>) {
        if self.names.insert(summary.file.to_owned()) {
            let uri = uri_of_file(summary.file);
            self.files.push(json!({ "location": { "uri": uri }, "properties": summary }));
        }
    }

    /// Adds a file that could not be read, with the reason.
    pub fn unreadable(&mut self, file: &str, reason: &str) {
        self.failures.push(json!({
            "level": "error",
            "message": { "text": escape_links(&format!("cannot read the file: {reason}")) },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri_of_file(file) } } }],
        }));
    }

    /// Writes the text after the last result.
    pub(super) fn finish(&self, out: &mut dyn Write, met: &[CodeCount], exit_status: u8) -> io::Result<()> {
        let rules: Vec<_> = met.iter().map(rule_of_code).collect();
        let driver = json!({ "name": "elf", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
        let invocation = json!({
            "executionSuccessful": exit_status < 2,
            "exitCode": exit_status,
            "toolExecutionNotifications": self.failures,
        });
        write!(out, "\n],\"artifacts\":{}", json!(self.files))?;
        write!(out, ",\"invocations\":[{invocation}],\"tool\":{}", json!({ "driver": driver }))?;
        writeln!(out, "}}]}}")
    }
}

/// Returns a code as a rule, with its manual page.
fn rule_of_code(met: &CodeCount) -> Value {
    let CodeCount { code, class, count, .. } = *met;
    let page = code.page().trim_end();
    json!({
        "id": code.id(),
        "name": code.name(),
        "shortDescription": { "text": escape_links(code.title()) },
        "fullDescription": { "text": escape_links(&first_section(page)) },
        "help": { "text": escape_links(page), "markdown": page },
        "defaultConfiguration": { "level": level_of_class(class) },
        "properties": { "class": class.name(), "count": count },
    })
}

/// Returns the first section of a manual page as one line.
fn first_section(page: &str) -> String {
    let behind = page.lines().skip_while(|line| !line.starts_with("## ")).skip(1);
    let words = behind.take_while(|line| !line.starts_with("## ")).flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}

const fn level_of_class(class: Class) -> &'static str {
    match class {
        Class::Malformed | Class::NonConformant => "error",
        Class::Deprecated => "warning",
        Class::Advice | Class::Question => "note",
    }
}

/// A finding as one result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'static str,
    level: &'static str,
    message: Value,
    locations: [Value; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial_fingerprints: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes: Option<[Value; 1]>,
    properties: Properties<'a>,
}

/// The members of a finding for which SARIF has no standard place.
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

/// Writes a finding as one result, without separators.
pub(super) fn finding(out: &mut dyn Write, file: &str, finding: &Diagnostic, at: &At<'_>) -> io::Result<()> {
    let Diagnostic { code, class, clause, message, place, help, related, count, .. } = finding;
    let uri = uri_of_file(file);
    let mut location = json!({ "physicalLocation": physical_location(&uri, *place) });
    if let Some(record) = &at.record {
        let mut logical = json!({ "name": record });
        if let Some(path) = &at.path {
            logical["fullyQualifiedName"] = json!(path);
        }
        location["logicalLocations"] = json!([logical]);
    }
    let fingerprint = |record: &String| {
        let path = at.path.as_deref().unwrap_or_default();
        let mut fingerprint = format!("{} {record} {path}", code.id());
        // Two spouses may be asked about one marriage.
        let asked =
            asked_about(message).filter(|asked| *class == Class::Question && *asked != record.as_str());
        if let Some(asked) = asked {
            fingerprint.push(' ');
            fingerprint.push_str(asked);
        }
        json!({ "elfFinding/v1": fingerprint })
    };
    // Related locations must be unique.
    let mut others = related.clone();
    others.dedup();
    let result = SarifResult {
        rule_id: code.id(),
        level: level_of_class(*class),
        message: json!({ "text": escape_links(message) }),
        locations: [location],
        related_locations: others.iter().map(|related| related_location(&uri, related)).collect(),
        partial_fingerprints: at.record.as_ref().map(fingerprint),
        fixes: at.repair.filter(|patches| !patches.is_empty()).map(|patches| [fix_of_patches(&uri, patches)]),
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

/// Returns the identifier of the person that a question is about. In the message, it follows the
/// name.
fn asked_about(message: &str) -> Option<&str> {
    let (_, behind) = message.split_once("(@")?;
    behind.split_once("@)").map(|(identifier, _)| identifier)
}

/// Returns a related place of a finding.
fn related_location(uri: &str, related: &Related) -> Value {
    json!({
        "physicalLocation": physical_location(uri, Some(related.place)),
        "message": { "text": escape_links(&related.message) },
    })
}

fn fix_of_patches(uri: &str, patches: &[Patch]) -> Value {
    let replacements: Vec<Value> = patches.iter().map(replacement_of_patch).collect();
    json!({
        "description": { "text": "fix these lines" },
        "artifactChanges": [{ "artifactLocation": { "uri": uri }, "replacements": replacements }],
    })
}

/// Returns replaced lines and their new text. Without columns, a region ends before the line ending
/// of its last line.
fn replacement_of_patch(patch: &Patch) -> Value {
    let Patch { lines, with, line_break, .. } = patch;
    let start = lines.start.max(1);
    let region = if lines.is_empty() || with.is_empty() {
        json!({ "startLine": start, "startColumn": 1, "endLine": lines.end.max(start), "endColumn": 1 })
    } else {
        json!({ "startLine": start, "startColumn": 1, "endLine": lines.end - 1 })
    };
    let text = if lines.is_empty() { with } else { with.strip_suffix('\n').unwrap_or(with) };
    let line_break = line_break.map_or("\n", LineBreak::text);
    json!({ "deletedRegion": region, "insertedContent": { "text": text.replace('\n', line_break) } })
}

fn physical_location(uri: &str, place: Option<Place>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri } });
    if let Some(Place { line, column, end_column, .. }) = place {
        let column = column.max(1);
        physical["region"] = json!({
            "startLine": line.max(1),
            "startColumn": column,
            "endColumn": end_column.max(column),
        });
    }
    physical
}

/// Escapes links in a text. SARIF reads brackets followed by parentheses as a link (SARIF 3.11.6).
fn escape_links(text: &str) -> String {
    text.replace("](", "] (")
}

/// Returns the name of a file as a URI reference: relative to the working directory, or with the
/// scheme `file`.
fn uri_of_file(name: &str) -> String {
    let name = with_slashes(name);
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
                assert_eq!(uri_of_file(name), expected);
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
            let result: Value = serde_json::from_slice(&out).expect("JSON");
            let region = &result["locations"][0]["physicalLocation"]["region"];
            let number = |name: &str| region[name].as_u64().expect("a number");
            assert!(number("startLine") > 0 && number("startColumn") > 0, "{region}");
            assert!(number("endColumn") >= number("startColumn"), "{region}");
            assert!(!result["message"]["text"].as_str().expect("text").contains("]("));
        }
    }
}
