//! The same data in other forms: XML and JSON for the best parsers of those.

use crate::data;
use elf_octets::Encoding;
use std::fmt::Write;
use xtask::generate::Plan;

/// What an input is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// GEDCOM in UTF-8, as generated.
    Gedcom,
    /// The same in ANSEL.
    Ansel,
    /// The same in UTF-16LE.
    Utf16Le,
    /// The same with the header that GEDCOM 5.5.5 demands, byte-order mark included: what `gedcom-core` reads.
    Gedcom555,
    /// An element for each structure, `xref` as an attribute, the payload as text.
    Xml,
    /// An object for each structure: `tag`, `xref`, `payload`, `substructures`.
    Json,
}

impl Form {
    /// The name, as the table prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Gedcom => "GEDCOM",
            Form::Ansel => "ANSEL",
            Form::Utf16Le => "UTF-16LE",
            Form::Gedcom555 => "GEDCOM 5.5.5",
            Form::Xml => "XML",
            Form::Json => "JSON",
        }
    }

    /// The file of `plan` in this form.
    pub fn of(self, plan: &Plan) -> Vec<u8> {
        match self {
            Form::Gedcom => data::file(plan),
            Form::Ansel => data::file(&plan.encoding(Encoding::Ansel)),
            Form::Utf16Le => data::file(&plan.encoding(Encoding::Utf16Le)),
            Form::Gedcom555 => gedcom_555(&data::text(plan)).into_bytes(),
            Form::Xml => xml(&data::text(plan)).into_bytes(),
            Form::Json => json(&data::text(plan)).into_bytes(),
        }
    }
}

/// The parts of a generated line. Generated files have no surprises.
struct Line<'t> {
    level: usize,
    xref: Option<&'t str>,
    tag: &'t str,
    payload: &'t str,
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().map(|line| {
        let (level, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (xref, rest) = match rest.strip_prefix('@').and_then(|rest| rest.split_once("@ ")) {
            Some((xref, rest)) => (Some(xref), rest),
            None => (None, rest),
        };
        let (tag, payload) = rest.split_once(' ').unwrap_or((rest, ""));
        Line { level: level.parse().unwrap_or_default(), xref, tag, payload }
    })
}

/// What follows the header's first six lines stays as it is.
fn gedcom_555(text: &str) -> String {
    let rest: String = text.split_inclusive('\n').skip(6).collect();
    let header = "0 HEAD\n1 GEDC\n2 VERS 5.5.5\n2 FORM LINEAGE-LINKED\n3 VERS 5.5.5\n1 CHAR UTF-8\n";
    format!("\u{FEFF}{header}{rest}")
}

fn xml(text: &str) -> String {
    let mut out = String::from("<ELF>\n");
    let mut open: Vec<&str> = Vec::new();
    for line in lines(text) {
        while open.len() > line.level {
            let _ = writeln!(out, "</{}>", open.pop().unwrap_or_default());
        }
        let _ = write!(out, "<{}", line.tag);
        if let Some(xref) = line.xref {
            let _ = write!(out, " xref=\"{xref}\"");
        }
        out.push('>');
        for c in line.payload.chars() {
            match c {
                '<' => out.push_str("&lt;"),
                '&' => out.push_str("&amp;"),
                c => out.push(c),
            }
        }
        open.push(line.tag);
    }
    while let Some(tag) = open.pop() {
        let _ = writeln!(out, "</{tag}>");
    }
    out.push_str("</ELF>\n");
    out
}

fn json(text: &str) -> String {
    let mut out = String::from("[");
    let mut depth = 0;
    for line in lines(text) {
        while depth > line.level {
            out.push_str("]}");
            depth -= 1;
        }
        if !out.ends_with('[') {
            out.push_str(",\n");
        }
        let _ = write!(out, "{{\"tag\":{}", serde_json::Value::from(line.tag));
        if let Some(xref) = line.xref {
            let _ = write!(out, ",\"xref\":{}", serde_json::Value::from(xref));
        }
        if !line.payload.is_empty() {
            let _ = write!(out, ",\"payload\":{}", serde_json::Value::from(line.payload));
        }
        out.push_str(",\"substructures\":[");
        depth += 1;
    }
    out.push_str(&"]}".repeat(depth));
    out.push_str("]\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A & \"B\"\n2 SURN B\n0 TRLR\n";

    #[test]
    fn the_stricter_header_is_what_its_reader_wants() {
        let text = gedcom_555(&data::text(&data::plan(10_000)));
        assert!(gedcom_core::data::records(&text).is_ok_and(|records| records.len() > 10));
    }

    #[test]
    fn xml_is_well_formed_and_has_every_structure() {
        let text = xml(TEXT);
        let document = roxmltree::Document::parse(&text).unwrap();
        let tags: Vec<&str> =
            document.descendants().filter(|n| n.is_element()).map(|n| n.tag_name().name()).collect();
        assert_eq!(tags, ["ELF", "HEAD", "CHAR", "INDI", "NAME", "SURN", "TRLR"]);
        assert!(document.descendants().any(|node| node.text() == Some("A & \"B\"")));
    }

    #[test]
    fn json_is_well_formed_and_has_every_structure() {
        let value: serde_json::Value = serde_json::from_str(&json(TEXT)).unwrap();
        assert_eq!(value.as_array().unwrap().len(), 3);
        assert_eq!(value[1]["substructures"][0]["payload"], "A & \"B\"");
        assert_eq!(value[1]["substructures"][0]["substructures"][0]["tag"], "SURN");
    }
}
