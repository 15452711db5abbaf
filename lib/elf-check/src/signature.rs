//! Signatures of findings. A signature identifies a finding in the next export of the same data.

use crate::baseline::Signature;
use crate::once::is_once_per_file;
use elf_base::{Diagnostic, codes};
use elf_edit::{Context, ContextFinder, FoundNodes, is_about_file};
use elf_tagged::{Document, Node, NodeId, Payload};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Arc;

const HASH_LENGTH: usize = 16;

/// The part of a file that a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    /// The finding is about a structure. If `is_pair` is true, it represents all structures with the same tag and
    /// parent tag.
    Structure {
        id: NodeId,
        is_pair: bool,
    },
    /// The finding is about a line that is not a structure, or that is too deep for a path.
    Line {
        number: u64,
        record: Option<NodeId>,
    },
    File,
}

/// Creates signatures. Findings about the same structure share a signature.
pub(crate) struct SignatureMaker<'d, 'o> {
    document: &'d Document<'o>,
    finder: ContextFinder<'d, 'o>,
    known: HashMap<Subject, Arc<Signature>>,
}

impl<'d, 'o> SignatureMaker<'d, 'o> {
    pub(crate) fn of(document: &'d Document<'o>) -> SignatureMaker<'d, 'o> {
        SignatureMaker { document, finder: ContextFinder::of(document), known: HashMap::new() }
    }

    pub(crate) fn signature_of(&mut self, finding: &Diagnostic) -> Arc<Signature> {
        let subject = find_structure_of_finding(&mut self.finder, finding);
        let new = || Arc::new(build_signature(self.document, subject));
        Arc::clone(self.known.entry(subject).or_insert_with(new))
    }
}

fn find_structure_of_finding(finder: &mut ContextFinder<'_, '_>, finding: &Diagnostic) -> Subject {
    let is_of_file = is_about_file(finding.code) || is_once_per_file(finding.code);
    let place = finding.place.filter(|_| !is_of_file);
    let Some(place) = place else { return Subject::File };
    match finder.find_nodes(finding) {
        // A finding about an unknown tag represents all its occurrences, even if each occurrence is reported.
        Some(FoundNodes { structure: Some(id), .. }) => {
            Subject::Structure { id, is_pair: finding.code == codes::TAG_UNDEFINED }
        }
        found => Subject::Line { number: place.line, record: found.map(|found| found.record) },
    }
}

fn build_signature(document: &Document<'_>, subject: Subject) -> Signature {
    match subject {
        Subject::File => Signature::default(),
        Subject::Line { number, record } => Signature {
            record: record.and_then(|id| document.node(id)).map(record_name),
            path: None,
            payload: document.source().line_text(number).map(|text| hash_prefix(text.trim())),
        },
        Subject::Structure { id, is_pair } => {
            let Some(node) = document.node(id) else { return Signature::default() };
            let mut tags = vec![node.tag()];
            let most = if is_pair { 1 } else { Context::DEEPEST };
            tags.extend(containing_structures(node).take(most).map(Node::tag));
            tags.reverse();
            let path = Some(tags.join("/"));
            if is_pair {
                return Signature { path, ..Signature::default() };
            }
            let payload = match node.payload() {
                Payload::None => None,
                Payload::Text(text) => Some(hash_prefix(&text)),
                Payload::Pointer(xref) => Some(hash_prefix(&format!("@{xref}@"))),
            };
            Signature {
                record: Some(record_name(containing_structures(node).last().unwrap_or(node))),
                path,
                payload,
            }
        }
    }
}

/// Returns the structures that contain `node`, with the innermost one first.
fn containing_structures(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.superstructure(), |node| node.superstructure())
}

fn record_name(record: Node<'_>) -> String {
    record.xref().unwrap_or(record.tag()).to_owned()
}

fn hash_prefix(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().take(HASH_LENGTH).map(|octet| format!("{octet:02x}")).collect()
}
