//! The signatures of findings: what they are about, as the next export of the same data has it too.

use crate::baseline::Signature;
use crate::once::is_once_per_file;
use elf_base::{Diagnostic, codes};
use elf_edit::{Context, ContextFinder, FoundNodes, is_about_file};
use elf_tagged::{Document, Node, NodeId, Payload};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Arc;

/// The number of octets that are kept of a hash.
const KEPT: usize = 16;

/// The thing that a finding is about in its document.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    /// A structure; by its tag and that above alone, where a finding speaks for all places of them.
    Structure {
        id: NodeId,
        is_pair: bool,
    },
    /// A line that is no structure, or one that stands too deep to tell its path.
    Line {
        number: u64,
        record: Option<NodeId>,
    },
    File,
}

/// Makes signatures of findings. One thing is looked at once, however many are about it.
pub(crate) struct Signer<'d, 'o> {
    document: &'d Document<'o>,
    finder: ContextFinder<'d, 'o>,
    known: HashMap<Subject, Arc<Signature>>,
}

impl<'d, 'o> Signer<'d, 'o> {
    pub(crate) fn of(document: &'d Document<'o>) -> Signer<'d, 'o> {
        Signer { document, finder: ContextFinder::of(document), known: HashMap::new() }
    }

    pub(crate) fn signature_of(&mut self, finding: &Diagnostic) -> Arc<Signature> {
        let subject = subject(&mut self.finder, finding);
        let new = || Arc::new(signature(self.document, subject));
        Arc::clone(self.known.entry(subject).or_insert_with(new))
    }
}

fn subject(finder: &mut ContextFinder<'_, '_>, finding: &Diagnostic) -> Subject {
    let is_of_file = is_about_file(finding.code) || is_once_per_file(finding.code);
    let place = finding.place.filter(|_| !is_of_file);
    let Some(place) = place else { return Subject::File };
    match finder.find(finding) {
        // A finding about an unknown tag represents all its occurrences, whether it is reported once or for each
        // place.
        Some(FoundNodes { structure: Some(id), .. }) => {
            Subject::Structure { id, is_pair: finding.code == codes::TAG_UNDEFINED }
        }
        found => Subject::Line { number: place.line, record: found.map(|found| found.record) },
    }
}

fn signature(document: &Document<'_>, subject: Subject) -> Signature {
    match subject {
        Subject::File => Signature::default(),
        Subject::Line { number, record } => Signature {
            record: record.and_then(|id| document.node(id)).map(name),
            path: None,
            payload: document.source().line_text(number).map(|text| hash(text.trim())),
        },
        Subject::Structure { id, is_pair } => {
            let Some(node) = document.node(id) else { return Signature::default() };
            let mut tags = vec![node.tag()];
            let most = if is_pair { 1 } else { Context::DEEPEST };
            tags.extend(above(node).take(most).map(Node::tag));
            tags.reverse();
            let path = Some(tags.join("/"));
            if is_pair {
                return Signature { path, ..Signature::default() };
            }
            let payload = match node.payload() {
                Payload::None => None,
                Payload::Text(text) => Some(hash(&text)),
                Payload::Pointer(xref) => Some(hash(&format!("@{xref}@"))),
            };
            Signature { record: Some(name(above(node).last().unwrap_or(node))), path, payload }
        }
    }
}

/// The structures that a structure is in, the nearest first.
fn above(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.superstructure(), |node| node.superstructure())
}

fn name(record: Node<'_>) -> String {
    record.xref().unwrap_or(record.tag()).to_owned()
}

fn hash(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().take(KEPT).map(|octet| format!("{octet:02x}")).collect()
}
