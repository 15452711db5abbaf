//! Bench data as other parsers want it.

use std::fmt::Write;

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

/// Gives the generated `text` the header of GEDCOM 5.5.5. The lines after the header's first six stay as
/// they are.
pub(crate) fn gedcom_555(text: &str) -> String {
    let rest: String = text.split_inclusive('\n').skip(6).collect();
    let header = "0 HEAD\n1 GEDC\n2 VERS 5.5.5\n2 FORM LINEAGE-LINKED\n3 VERS 5.5.5\n1 CHAR UTF-8\n";
    format!("\u{FEFF}{header}{rest}")
}

/// Renders the generated `text` as XML.
pub(crate) fn xml(text: &str) -> String {
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

/// Renders the generated `text` as JSON.
pub(crate) fn json(text: &str) -> String {
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
    use crate::data;

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
