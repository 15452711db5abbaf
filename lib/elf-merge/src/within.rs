//! Merges two records of one file.

use crate::apply::Merger;
use crate::plan::{Plan, RecordKind};
use crate::{MergeAction, MergeError, MergeSummary};
use elf_edit::Editor;
use elf_tagged::{Node, Target};
use std::collections::HashSet;

/// The tags of pointers between people and families. Nobody has two of these roles in one family.
const ROLES: [&str; 5] = ["HUSB", "WIFE", "CHIL", "FAMC", "FAMS"];

/// Two records of one file that become one.
#[derive(Clone, Copy, Debug)]
pub struct RecordPair<'d> {
    /// The record that stays. It keeps its lines and its identifier.
    pub kept: Node<'d>,
    /// The record whose content is added to the other one.
    pub removed: Node<'d>,
    /// The subject of both records.
    pub kind: RecordKind,
}

/// The edits of a merge within a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct MergedRecords<'d> {
    /// The editor with the edits.
    pub editor: Editor<'d>,
    /// The conflicts, and the content that cannot be written.
    pub actions: Vec<MergeAction>,
    /// The number of actions of each kind. It also counts a change date of the removed record that
    /// was left out.
    pub summary: MergeSummary,
}

/// Merges two records of one file. Adds the content that the kept record lacks, changes all
/// pointers to the removed record so that they point to the kept one, and removes the other record.
/// If two pointers are the same after that, the pointer is removed whose content the other one also
/// has. Both pointers stay if each has content that the other one lacks, or if the one to remove
/// has an identifier.
///
/// # Errors
///
/// Returns an error if a record has no identifier of its own, if the file says that the two records
/// are not the same, or if the file cannot be edited.
pub fn merge_records<'d>(editor: Editor<'d>, pair: RecordPair<'d>) -> Result<MergedRecords<'d>, MergeError> {
    let document = editor.document();
    let identifier = |record: Node<'d>| match record.xref().map(|xref| (xref, document.resolve(xref))) {
        Some((xref, Target::One(one))) if one.id() == record.id() && record.superstructure().is_none() => {
            Ok(xref)
        }
        _ => Err(MergeError::NoIdentifier),
    };
    let xrefs = PairOfIdentifiers { kept: identifier(pair.kept)?, removed: identifier(pair.removed)? };
    if pair.kept.tag() != pair.removed.tag() || xrefs.kept == xrefs.removed {
        return Err(MergeError::NotTwo);
    }
    let pointers: Vec<Node<'d>> = document
        .nodes()
        .filter(|node| node.pointer() == Some(xrefs.removed) && !node.is_inserted())
        .collect();
    check_roles(&pointers, pair, xrefs)?;
    let mut merger = Merger::new(editor, document, Plan::within(pair));
    merger.merge_within(pair, &pointers, xrefs.kept)?;
    Ok(merger.into_merged_records())
}

/// The identifiers of two records, without at signs.
#[derive(Clone, Copy)]
struct PairOfIdentifiers<'d> {
    kept: &'d str,
    removed: &'d str,
}

/// Refuses records that refer to each other, and records to which a third record refers in
/// different roles, such as husband and child. ALIA is allowed, because programs use it to say that
/// two records may be of the same person.
fn check_roles(
    pointers: &[Node<'_>],
    pair: RecordPair<'_>,
    xrefs: PairOfIdentifiers<'_>,
) -> Result<(), MergeError> {
    let of_kept = pair.removed.descendants().filter(|node| node.pointer() == Some(xrefs.kept));
    let of_removed = pointers.iter().copied().filter(|node| record_of(*node).id() == pair.kept.id());
    if let Some(node) = of_kept.chain(of_removed).find(|node| node.tag() != "ALIA") {
        return Err(MergeError::RefersToOther { tag: node.tag().to_owned() });
    }
    let mut seen = HashSet::new();
    for node in pointers.iter().filter(|node| ROLES.contains(&node.tag())) {
        let Some(above) = node.superstructure().filter(|above| seen.insert(above.id())) else { continue };
        let role_of = |xref: &str, other: Option<&str>| {
            let mut roles =
                above.substructures().filter(|below| below.pointer() == Some(xref)).map(Node::tag);
            roles.find(|tag| ROLES.contains(tag) && Some(*tag) != other)
        };
        let removed = Some(node.tag());
        if let (Some(kept), Some(removed)) = (role_of(xrefs.kept, removed), removed) {
            return Err(MergeError::DifferentRoles {
                record: record_of(above).xref().unwrap_or("").to_owned(),
                kept: kept.to_owned(),
                removed: removed.to_owned(),
            });
        }
    }
    Ok(())
}

pub(crate) fn record_of(node: Node<'_>) -> Node<'_> {
    node.with_ancestors().last().unwrap_or(node)
}
