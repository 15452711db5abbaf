//! Finds records in which a line may be the start of another record.

use elf_schema::Node;
use elf_schema::elf_tagged::elf_lines::may_begin_record;

/// The tags of records about people and families.
const RECORD_TAGS: [&str; 2] = ["INDI", "FAM"];

/// The tags of records that have identifiers.
const TAGS_OF_BEARERS: [&str; 9] = ["INDI", "FAM", "SOUR", "NOTE", "SNOTE", "OBJE", "REPO", "SUBM", "SUBN"];

/// Returns a line of a record that may be the damaged first line of another record. If it is, the
/// lines after it were read as part of this record, although they belong to the other one (D19
/// *Line continuation*).
///
/// The following lines are suspicious. A line that is read as text or as an ERROR structure, if it
/// looks like the first line of a record, or if a further NAME or SEX, partners or children of a
/// person follow. A line of a text that contains `@` and then INDI or FAM. An INDI within a record
/// that has nothing under it. A structure that has an identifier and the tag of a record but
/// nothing under it, if the structures after it may belong to it. A second SEX of a person. Nobody
/// knows which person the facts of such a record belong to.
///
/// ```
/// use elf_lineage::unclear_line;
/// use elf_schema::elf_tagged::Document;
///
/// let octets = b"0 HEAD\n0 @I1@ INDI\n1 DEAT Y\nO @@ INDI\n1 NAME Ada\n0 @I3@ INDI\n1 NOTE one\ntwo\n0 TRLR\n";
/// let document = Document::parse(octets)?;
/// let unclear: Vec<bool> = document.records().map(|record| unclear_line(record).is_some()).collect();
/// assert_eq!(unclear, [true, false]);
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
pub fn unclear_line(record: Node<'_>) -> Option<Node<'_>> {
    let is_person = record.tag().eq_ignore_ascii_case("INDI");
    let (mut has_name, mut has_sex, mut unread) = (false, false, None);
    for node in record.subtree_lines() {
        let flags = node.flags();
        let is_below = node.id() != record.id();
        if is_below && (flags.is_raw() || flags.is_error()) {
            let text = node.line_payload().unwrap_or_default();
            if may_begin_record(text) {
                return Some(node);
            }
            unread = unread.or(Some(node));
            continue;
        }
        if flags.has_at_sign() && node.line_payload().is_some_and(has_record_tag_after_at_sign) {
            return Some(node);
        }
        if !is_below || flags.is_continuation() {
            continue;
        }
        let is_direct = node.superstructure().is_some_and(|above| above.id() == record.id());
        let is_of_other = is_direct
            && match node.tag() {
                "NAME" => std::mem::replace(&mut has_name, true) || !is_person,
                "SEX" if is_person && has_sex => return Some(unread.unwrap_or(node)),
                "SEX" => std::mem::replace(&mut has_sex, true) || !is_person,
                "HUSB" | "WIFE" | "CHIL" => is_person,
                _ => false,
            };
        if is_of_other && unread.is_some() {
            return unread;
        }
        if may_be_nested_record(node) && node.subtree_end() < record.subtree_end() {
            return Some(node);
        }
        let is_empty_person = node.pointer().is_none() && node.subtree_lines().len() == 1;
        if is_empty_person && node.tag().eq_ignore_ascii_case("INDI") {
            return Some(node);
        }
    }
    None
}

/// Returns whether a structure inside a record may be a record with a wrong level. Such a structure
/// has an identifier, the tag of a record or an extension tag, and no substructures.
fn may_be_nested_record(node: Node<'_>) -> bool {
    let is_of_record = || TAGS_OF_BEARERS.contains(&node.tag()) || node.tag().starts_with('_');
    node.xref().is_some() && is_of_record() && node.subtree_lines().skip(1).all(Node::is_continuation)
}

/// Returns whether a text contains the tag of a record directly after an at sign, as the first line
/// of a record does.
fn has_record_tag_after_at_sign(text: &str) -> bool {
    text.match_indices('@').any(|(at, _)| {
        let behind = text[at + 1..].trim_start();
        RECORD_TAGS.iter().any(|tag| {
            let rest = behind.strip_prefix(tag);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_behind_at_signs_are_those_of_records() {
        assert!(
            has_record_tag_after_at_sign("x\u{2028}0 @@I5@@ INDI")
                && has_record_tag_after_at_sign("0 @F1@FAM x")
        );
        assert!(
            !has_record_tag_after_at_sign("mail@INDIA") && !has_record_tag_after_at_sign("@I1@ said INDI")
        );
    }
}
