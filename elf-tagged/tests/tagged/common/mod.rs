//! Trees of documents as text, and what a body of lines is read as.
#![allow(dead_code, clippy::expect_used, reason = "each test uses a part; a test fails by panicking")]

use elf_tagged::{Diagnostic, Document, Node, Options, Payload, Rules, read};

/// Prints a document as `TAG[xref]="payload"{substructures}`, one record after the other.
pub(crate) fn tree(document: &Document<'_>) -> String {
    let mut out = String::new();
    if let Some(head) = document.head().filter(|head| head.substructures().next().is_some()) {
        show(head, &mut out);
    }
    for record in document.records() {
        show(record, &mut out);
    }
    out.trim_end().to_owned()
}

/// Appends one structure and everything under it.
pub(crate) fn show(node: Node<'_>, out: &mut String) {
    out.push_str(node.tag());
    if let Some(xref) = node.xref() {
        out.push_str(&format!("[{xref}]"));
    }
    match node.payload() {
        Payload::None => {}
        Payload::Text(text) => out.push_str(&format!("={text:?}")),
        Payload::Pointer(id) => out.push_str(&format!("->{id}")),
    }
    if node.substructures().next().is_some() {
        out.push('{');
        node.substructures().for_each(|child| show(child, out));
        out.truncate(out.trim_end().len());
        out.push('}');
    }
    out.push(' ');
}

/// Reads `body` between a header and a trailer, and asserts the tree and the codes of the findings, in their
/// order.
pub(crate) fn check(rules: &Rules, body: &str, expected: &str, codes: &[&str]) {
    let octets = format!("0 HEAD\n1 CHAR UTF-8\n{body}0 TRLR\n");
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read(octets.as_bytes(), rules, &Options::default(), &mut findings).expect("small");
    assert_eq!(tree(&document), expected, "{}: {body}", rules.name);
    let found: Vec<&str> = findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(found, codes, "{}: {body}", rules.name);
}
