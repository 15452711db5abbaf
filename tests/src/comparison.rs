//! Compares the product with the second reader: both make an outline of a file, and the differences are listed.

use crate::reference::{
    Bearers, CharacterEncoding, Draft, PayloadValue, Reading, TaggedStructure, Verdict, collect_identifiers,
    resolve_pointer,
};
use elf_base::{Class, Diagnostic, Rules};
use elf_octets::Encoding;
use elf_schema::{ReadOptions, TypedDocument};
use elf_tagged::{Node, Payload};

/// A part of a reading in which the two readers can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// The character encoding.
    Encoding,
    /// The decoded text.
    Text,
    /// The line strings and their numbers.
    LineStrings,
    /// Conformant, non-conformant or malformed, and the line where reading stops.
    Verdict,
    /// The serialisation metadata.
    Header,
    /// Structures: levels, lines, tags and identifiers.
    Structures,
    /// Payloads, and the targets of pointers.
    Payloads,
    /// Structure types.
    Types,
}

/// A difference between the two readers.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The part of the reading that differs.
    pub aspect: Aspect,
    /// The results of both readers.
    pub message: String,
}

/// A structure in a form that both readers can produce.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outlined {
    depth: usize,
    line: u64,
    xref: Option<String>,
    tag: String,
    payload: Option<String>,
    structure_type: String,
}

/// Reads a file with both readers. Returns the reading of the second reader, the differences, and the findings of the
/// product.
pub fn compare(octets: &[u8], draft: Draft) -> (Reading, Vec<Difference>, Vec<Diagnostic>) {
    let reading = crate::reference::read(octets, draft);
    let rules = rules(draft);
    let mut found: Vec<Diagnostic> = Vec::new();
    let Ok(typed) = elf_schema::read(octets, rules, &ReadOptions::default(), &mut found) else {
        return (reading, Vec::new(), found);
    };
    let mut differences = Vec::new();
    let mut differ = |aspect, reference: &dyn std::fmt::Debug, product: &dyn std::fmt::Debug| {
        differences.push(Difference {
            aspect,
            message: format!("{aspect:?}\n  reference {reference:?}\n  product   {product:?}"),
        });
    };
    let document = typed.document();
    let source = document.source();
    let used = second_reader_encoding(source.decision().used);
    if reading.encoding.is_some() && reading.encoding != used {
        differ(Aspect::Encoding, &reading.encoding, &used);
    }
    if reading.text != document.text() {
        differ(Aspect::Text, &reading.text, &document.text());
    }
    let strings: Vec<(usize, &str)> =
        reading.line_strings.iter().map(|string| (string.number, string.text.as_str())).collect();
    let product_strings = product_line_strings(&typed);
    if strings != product_strings {
        differ(Aspect::LineStrings, &strings, &product_strings);
    }
    let verdict = product_verdict(&typed, &found);
    if reading.verdict() != verdict {
        differ(Aspect::Verdict, &(reading.verdict(), &reading.faults), &(verdict, errors_with_lines(&found)));
    }
    compare_headers(&reading, &typed, &mut differ);
    if !matches!(reading.verdict(), Verdict::Malformed(_)) {
        compare_structures(&reading, &typed, &mut differ);
    }
    (reading, differences, found)
}

/// Returns the rules of a draft.
pub fn rules(draft: Draft) -> &'static Rules {
    match draft {
        Draft::December2019 => &Rules::DECEMBER_2019,
        Draft::January2019 => &Rules::JANUARY_2019,
    }
}

/// Returns the encoding by the names of the drafts.
fn second_reader_encoding(encoding: Encoding) -> Option<CharacterEncoding> {
    match encoding {
        Encoding::Ascii => Some(CharacterEncoding::Ascii),
        Encoding::Ansel => Some(CharacterEncoding::Ansel),
        Encoding::Utf8 => Some(CharacterEncoding::Utf8),
        Encoding::Utf16Le => Some(CharacterEncoding::Utf16Le),
        Encoding::Utf16Be => Some(CharacterEncoding::Utf16Be),
        _ => None,
    }
}

/// Returns the findings that make a file non-conformant, with their lines.
fn errors_with_lines(found: &[Diagnostic]) -> Vec<String> {
    let errors = found.iter().filter(|found| found.class.is_error());
    errors
        .map(|found| format!("{}:{} {}", found.place.map_or(0, |at| at.line), found.code, found.message))
        .collect()
}

/// Returns the verdict of the product.
fn product_verdict(typed: &TypedDocument<'_>, found: &[Diagnostic]) -> Verdict {
    let line =
        |found: &Diagnostic| found.place.map_or(1, |at| usize::try_from(at.line).unwrap_or(usize::MAX));
    let ends_reading = |found: &&Diagnostic| found.class == Class::Malformed;
    match found.iter().filter(ends_reading).map(line).min() {
        Some(line) if !typed.document().is_complete() => Verdict::Malformed(line),
        _ if !typed.document().is_complete() => Verdict::Malformed(0),
        _ if found.iter().any(|found| found.class.is_error()) => Verdict::NonConformant,
        _ => Verdict::Conformant,
    }
}

/// Returns the line strings of the product with their numbers.
fn product_line_strings<'d>(typed: &'d TypedDocument<'_>) -> Vec<(usize, &'d str)> {
    let document = typed.document();
    let mut locator = document.locator();
    let strings = document.source().line_strings();
    strings
        .map(|span| (usize::try_from(locator.place(span).line).unwrap_or_default(), span.of(document.text())))
        .collect()
}

/// Compares the metadata of the header.
fn compare_headers(
    reading: &Reading,
    typed: &TypedDocument<'_>,
    differ: &mut impl FnMut(Aspect, &dyn std::fmt::Debug, &dyn std::fmt::Debug),
) {
    if matches!(reading.verdict(), Verdict::Malformed(_)) {
        return;
    }
    let header = typed.document().header();
    // By some rules, versions are ordinary structures and compared as such.
    let is_metadata = typed.document().rules().tagged.metadata.has_versions();
    let version = |version: Option<&elf_tagged::Version>| {
        version.filter(|_| is_metadata).map(|version| {
            [version.major(), version.minor(), version.revision()]
                .map(|part| part.parse().unwrap_or(u64::MAX))
        })
    };
    let reference = (reading.metadata.elf, reading.metadata.gedcom, reading.metadata.language.as_deref());
    let product = (version(header.elf_version()), version(header.gedcom_version()), header.language());
    if reference != product {
        differ(Aspect::Header, &reference, &product);
    }
    let schemas: Vec<&str> = header.schemas().collect();
    if reading.metadata.schemas != schemas {
        differ(Aspect::Header, &reading.metadata.schemas, &schemas);
    }
}

/// Compares the structures one after the other.
fn compare_structures(
    reading: &Reading,
    typed: &TypedDocument<'_>,
    differ: &mut impl FnMut(Aspect, &dyn std::fmt::Debug, &dyn std::fmt::Debug),
) {
    let bearers = collect_identifiers(&reading.records);
    let mut reference = Vec::new();
    for (at, record) in reading.records.iter().enumerate() {
        // The product returns the metadata but not the header record.
        if at == 0 && record.tag.eq_ignore_ascii_case("HEAD") {
            for structure in &record.substructures {
                push_outline(structure, 1, &bearers, &mut reference);
            }
        } else {
            push_outline(record, 0, &bearers, &mut reference);
        }
    }
    let product = product_outline(typed);
    let shape = |of: &[Outlined]| -> Vec<String> {
        of.iter().map(|one| format!("{} {} @{:?}@ {}", one.line, one.depth, one.xref, one.tag)).collect()
    };
    let (shape, product_shape) = (shape(&reference), shape(&product));
    if shape != product_shape {
        let at = shape.iter().zip(&product_shape).position(|(one, other)| one != other);
        let at = at.unwrap_or(shape.len().min(product_shape.len()));
        differ(Aspect::Structures, &shape.get(at..), &product_shape.get(at..));
        return;
    }
    for (one, other) in reference.iter().zip(&product) {
        if one.payload.is_some() && one.payload != other.payload {
            differ(Aspect::Payloads, &(one.line, &one.payload), &(other.line, &other.payload));
        }
        if one.structure_type != other.structure_type {
            differ(Aspect::Types, &(one.line, &one.structure_type), &(other.line, &other.structure_type));
        }
    }
}

/// Appends a structure of the reference reader and recursively its substructures.
fn push_outline(structure: &TaggedStructure, depth: usize, bearers: &Bearers, outlined: &mut Vec<Outlined>) {
    let payload = match &structure.payload {
        PayloadValue::Text(text) => format!("text {text}"),
        PayloadValue::Pointer(identifier) => {
            // In January, a pointer may lead to a record with any identifier that the reader chooses (J19 §5.1).
            match resolve_pointer(identifier, bearers) {
                Some(line) => format!("pointer {identifier} to line {line}"),
                None => "pointer to nowhere".to_owned(),
            }
        }
    };
    outlined.push(Outlined {
        depth,
        line: structure.line as u64,
        xref: structure.xref.clone(),
        tag: structure.tag.clone(),
        payload: (!structure.payload_is_unspecified).then_some(payload),
        structure_type: structure.structure_type.clone(),
    });
    for substructure in &structure.substructures {
        push_outline(substructure, depth + 1, bearers, outlined);
    }
}

/// Outlines the structures of the product: the metadata and the records, without inserted records.
fn product_outline(typed: &TypedDocument<'_>) -> Vec<Outlined> {
    let document = typed.document();
    let mut locator = document.locator();
    let mut line = |node: Node<'_>| locator.place(node.span()).line;
    let nodes: Vec<Node<'_>> = document.structures().filter(|node| !node.is_inserted()).collect();
    nodes
        .into_iter()
        .map(|node| Outlined {
            // A node counts as the first of its own ancestors.
            depth: node.with_ancestors().skip(1).count(),
            line: line(node),
            xref: node.xref().map(str::to_owned),
            tag: node.tag().to_owned(),
            payload: Some(match node.payload() {
                Payload::None => "text ".to_owned(),
                Payload::Text(text) => format!("text {text}"),
                Payload::Pointer(identifier) => match node.target().filter(|target| !target.is_inserted()) {
                    Some(target) => format!("pointer {identifier} to line {}", line(target)),
                    None => "pointer to nowhere".to_owned(),
                },
            }),
            structure_type: typed.type_of(node).unwrap_or_default().to_owned(),
        })
        .collect()
}
