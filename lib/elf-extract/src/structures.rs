//! Predicates about single structures.

use crate::roles::RoleFinder;
use elf_schema::{Node, Payload, Role};

/// The tags of associations with a person. A person who is not in the file may be living.
pub(crate) const ASSOCIATIONS: [&str; 4] = ["ASSO", "_ASSO", "_SHAR", "_SHAN"];

/// The identifier in GEDCOM 7 pointers that are unresolved on purpose.
pub(crate) const VOID: &str = "VOID";

/// Returns whether a structure with this role is a plain link between a person and a family. A
/// plain link has no identifier and no continuation lines, because their texts would stay with the
/// link.
pub(crate) fn is_family_link(node: Node<'_>, role: Option<Role>) -> bool {
    use Role::{Child, FamilyAsChild, FamilyAsSpouse, Husband, Partner, Wife};
    let is_of_role = matches!(role, Some(Child | FamilyAsChild | FamilyAsSpouse | Husband | Partner | Wife));
    let is_plain = || !node.is_error() && node.xref_span().is_empty() && !is_continued(node);
    is_of_role && node.pointer().is_some() && is_plain()
}

pub(crate) fn is_continued(node: Node<'_>) -> bool {
    node.lines().any(Node::is_continuation)
}

/// Returns whether a structure inside a record is removed in every redaction.
pub(crate) fn is_removed_from_every_redaction(roles: &RoleFinder<'_>, node: Node<'_>) -> bool {
    roles.is_private(node) || is_of_unknown_person(node)
}

/// Returns whether nobody knows whom a structure inside a record is about: a person in the wrong
/// place, an unreadable line, an association without a person, or the role of an unknown person.
pub(crate) fn is_of_unknown_person(node: Node<'_>) -> bool {
    // For a person who is not in the file, GEDCOM 7 writes VOID, and the name in a substructure.
    let tag = node.tag();
    let is_of_nobody = ASSOCIATIONS.contains(&tag) && node.pointer().is_none_or(|pointer| pointer == VOID);
    let is_of_anybody = is_tagged_person(node) || is_of_nobody || is_role_without_person(node, tag);
    node.is_error() || is_of_anybody && !is_definition(node)
}

/// Returns whether a structure is part of the definitions that Family Tree Maker and others write into the header: tags
/// under the tags of records, with labels and nothing else.
fn is_definition(node: Node<'_>) -> bool {
    let is_header = |node: Node<'_>| node.tag() == "HEAD" && node.superstructure().is_none();
    let is_schema = |node: Node<'_>| node.tag() == "_SCHEMA" && node.superstructure().is_some_and(is_header);
    let is_label = |node: Node<'_>| matches!(node.tag(), "LABL" | "_DEFN");
    let is_bare =
        |node: Node<'_>| node.payload() == Payload::None && node.xref().is_none() && !node.is_error();
    node.with_ancestors().any(is_schema)
        && std::iter::once(node).chain(node.descendants()).all(|one| is_label(one) || is_bare(one))
}

/// Returns whether a structure has the tag of a person's record, in any case and at any place.
pub(crate) fn is_tagged_person(node: Node<'_>) -> bool {
    node.tag().eq_ignore_ascii_case("INDI") && node.pointer().is_none()
}

/// Returns whether a structure describes a relationship, but its superstructure does not say with
/// whom.
fn is_role_without_person(node: Node<'_>, tag: &str) -> bool {
    let is_under = |is_of: fn(Node<'_>) -> bool| node.superstructure().is_some_and(is_of);
    match tag {
        "RELA" => !is_under(|above| {
            above.tag() == "ASSO" || above.tag().starts_with('_') && above.pointer().is_some()
        }),
        // Under sources, a person's role is under the event, or beside it.
        "ROLE" => {
            !is_under(|above| matches!(above.tag(), "ASSO" | "EVEN" | "SOUR") || above.tag().starts_with('_'))
        }
        // In GEDCOM 7, PHRASE is under a payload and repeats it in other words.
        "PHRASE" => node.superstructure().is_some_and(|above| above.superstructure().is_none()),
        "_FREL" | "_MREL" => !is_under(|above| matches!(above.tag(), "CHIL" | "FAMC" | "FAMS")),
        _ => false,
    }
}

/// Returns whether a structure of the header or of a submission contains a file name, which may be
/// the name of a person.
pub(crate) fn is_file_name(node: Node<'_>) -> bool {
    let tag = node.tag().trim_start_matches('_');
    ["FILE", "FILENAME", "FNAME", "FAMF"].iter().any(|known| tag.eq_ignore_ascii_case(known))
}
