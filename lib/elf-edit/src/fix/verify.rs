//! Checks whether fixes have made something worse.

use super::Refusal;
use elf_base::{Class, Code, Diagnostic};
use elf_tagged::{Document, Flags, Node, Payload};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// The numbers of the structures of a document, from 1. Nodes that are not structures have no number.
pub(super) struct StructureNumbers {
    by_node: Vec<u32>,
    count: u32,
}

impl StructureNumbers {
    pub(super) fn of(document: &Document<'_>) -> StructureNumbers {
        let mut numbers = StructureNumbers { by_node: vec![0; document.len()], count: 0 };
        for node in document.structures() {
            numbers.count += 1;
            numbers.by_node[node.id().index()] = numbers.count;
        }
        numbers
    }

    /// Returns the number of a node, from 1. Returns 0 if the node is not a structure.
    pub(super) fn number(&self, node: u32) -> u32 {
        self.by_node[node as usize]
    }

    /// Returns the number of the superstructure. Returns 0 for records and for structures under the header.
    fn superstructure(&self, node: Node<'_>) -> u32 {
        node.superstructure().map_or(0, |above| self.number(above.id().get()))
    }
}

/// Returns the number of findings in each class, with the most severe class first.
pub(super) fn count_by_class<'f>(
    findings: impl Iterator<Item = &'f Diagnostic>,
) -> [usize; Class::ALL.len()] {
    let mut counts = [0; Class::ALL.len()];
    for finding in findings {
        counts[Class::ALL.iter().take_while(|class| **class != finding.class).count()] += 1;
    }
    counts
}

/// Returns an error if, after safe fixes, there are more findings with some code than before. Also returns an error if
/// no finding with one of the fixed codes has disappeared.
pub(super) fn check_findings(
    before: &[Diagnostic],
    after: &[Diagnostic],
    fixed: &[usize],
) -> Result<(), Refusal> {
    let mut more: HashMap<Code, i64> = HashMap::new();
    before.iter().for_each(|finding| *more.entry(finding.code).or_default() -= 1);
    after.iter().for_each(|finding| *more.entry(finding.code).or_default() += 1);
    // A deprecated encoding name is better than a missing encoding name.
    let is_new = |finding: &&Diagnostic| finding.class != Class::Deprecated && more[&finding.code] > 0;
    if let Some(new) = after.iter().find(is_new) {
        return Err(Refusal::NewFinding(new.code));
    }
    let mut codes: Vec<Code> = fixed.iter().map(|&index| before[index].code).collect();
    codes.sort_unstable_by_key(|code| code.id());
    codes.dedup();
    let change: i64 = codes.iter().map(|code| more[code]).sum();
    if change < 0 { Ok(()) } else { Err(Refusal::NothingGone) }
}

/// Returns whether two documents have the same structures in the same order. Each structure must have the same tag,
/// identifier, language and superstructure. The payload of a structure must be the same, or the payload in `payloads`,
/// which fixes have set.
pub(super) fn have_same_structures(
    document: &Document<'_>,
    numbers: &StructureNumbers,
    again: &Document<'_>,
    payloads: &BTreeMap<u32, String>,
) -> bool {
    let new_numbers = StructureNumbers::of(again);
    // Search the text first, because hardly any file has the tag PLANG.
    let has_languages = [document, again].iter().any(|one| one.text().contains(LANGUAGE));
    numbers.count == new_numbers.count
        && document.header().language() == again.header().language()
        && document.structures().zip(again.structures()).all(|(one, other)| {
            (one.tag(), one.xref(), one.is_error()) == (other.tag(), other.xref(), other.is_error())
                && match payloads.get(&numbers.number(one.id().get())) {
                    Some(text) => other.payload() == Payload::Text(Cow::Borrowed(text)),
                    None => have_same_payload(one, other),
                }
                && (!has_languages || have_same_language(one, other))
                && numbers.superstructure(one) == new_numbers.superstructure(other)
        })
}

/// Returns whether two structures have the same payload. Nearly all payloads have one line with the same spelling, and
/// are compared without decoding them.
fn have_same_payload(one: Node<'_>, other: Node<'_>) -> bool {
    let (flags, of_other) = (one.flags(), other.flags());
    let stands_alone = |flags: Flags| {
        !flags.is_pointer() && !flags.is_continued() && !flags.is_continuation() && !flags.has_made_payload()
    };
    let is_plain = flags.is_plain_text() && of_other.is_plain_text();
    (is_plain || flags == of_other && stands_alone(flags)) && one.line_payload() == other.line_payload()
        || one.payload() == other.payload()
}

/// The tag of the structure that names the language of a payload.
const LANGUAGE: &str = "PLANG";

/// Returns whether two structures have the same language. The documents of the two structures must have the same
/// language. The tag is compared as written, with its escapes (D19 *Header metadata*).
fn have_same_language(one: Node<'_>, other: Node<'_>) -> bool {
    let stands_alone = |node: Node<'_>| node.subtree_end().index() <= node.id().index() + 1;
    stands_alone(one) && stands_alone(other) || one.language() == other.language()
}
