//! Finds notices that something is private, or that a person is living.

use elf_schema::{Counterparts, Node, Role, TypedDocument};
use std::collections::HashSet;

/// Words in a restriction notice that do not restrict readers.
const UNRESTRICTING_WORDS: [&str; 10] =
    ["locked", "unlocked", "none", "no", "n", "not", "false", "0", "public", "unrestricted"];

/// The tags of notices, without leading underscores. Such a notice is true unless its payload
/// denies it.
const NOTICE_TAGS: [&str; 8] =
    ["PRIVATE", "PRIV", "PRIVACY", "CONFIDENTIAL", "CONF_FLAG", "LIVING", "ALIVE", "HIDDEN"];

/// The payloads that deny a notice.
const DENIALS: [&str; 9] = ["n", "no", "0", "false", "nein", "non", "off", "nie", "nee"];

/// The tags of lists of flags, without leading underscores. The flags are substructures of the list
/// or words of its payload.
const FLAG_LIST_TAGS: [&str; 4] = ["FLGS", "FLAGS", "FLAG", "FLG"];

/// Returns whether the payload of a restriction notice limits who may read something. It does if it
/// contains any word other than `locked` and similar words. GEDCOM defines `privacy` and
/// `confidential`; programs write other words in many languages.
///
/// ```
/// use elf_lineage::restricts_readers;
/// assert!(restricts_readers("confidential") && restricts_readers("LOCKED, PRIVACY"));
/// assert!(restricts_readers("hidden") && restricts_readers("vertraulich"));
/// assert!(!restricts_readers("locked") && !restricts_readers(" none "));
/// ```
pub fn restricts_readers(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| !UNRESTRICTING_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Returns whether a text contains the start of *private* or *confidential*, as most languages spell them.
///
/// ```
/// use elf_lineage::names_privacy;
/// assert!(names_privacy("confidential") && names_privacy("LOCKED, PRIVACY") && names_privacy("private"));
/// assert!(!names_privacy("locked"));
/// ```
pub fn names_privacy(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("priv") || text.contains("confid")
}

/// Returns whether a structure says that something is private or that somebody is living, whatever
/// its tag. Examples of tags are `resn`, `_RESN`, `RES`, a tag joined with its payload, `_PRIVATE`,
/// `_PRIV`, `_LIVING`, and a list of flags such as `_FLGS` that contains one of these.
///
/// ```
/// use elf_lineage::is_notice_of_privacy;
/// use elf_schema::elf_tagged::Document;
///
/// let document = Document::parse(
///     b"0 HEAD\n0 @I1@ INDI\n1 resn privacy\n1 RESI privately\n1 _LIVING Y\n1 _PRIVATE N\n0 TRLR\n",
/// )?;
/// let found: Vec<bool> = document.records().flat_map(|one| one.substructures()).map(is_notice_of_privacy).collect();
/// assert_eq!(found, [true, false, true, false]);
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
pub fn is_notice_of_privacy(node: Node<'_>) -> bool {
    let tag = node.tag().trim_start_matches('_');
    let is = |known: &str| tag.eq_ignore_ascii_case(known);
    if is("RESN") {
        restricts_readers(&node.text())
    } else if is("RES") || tag.get(..4).is_some_and(|tag| tag.eq_ignore_ascii_case("RESN")) {
        names_privacy(&node.text()) || names_privacy(tag)
    } else if FLAG_LIST_TAGS.iter().any(|known| is(known)) {
        node.substructures().any(is_affirmed_notice)
            || node.text().split(|c: char| !c.is_alphanumeric()).any(is_notice_tag)
    } else {
        is_affirmed_notice(node)
    }
}

/// Returns whether a structure has the tag of a notice, and its payload does not deny it.
fn is_affirmed_notice(node: Node<'_>) -> bool {
    let is_denied = || {
        let text = node.text();
        let text = text.trim();
        DENIALS.iter().any(|known| text.eq_ignore_ascii_case(known))
    };
    is_notice_tag(node.tag()) && !is_denied()
}

fn is_notice_tag(tag: &str) -> bool {
    let tag = tag.trim_start_matches('_');
    NOTICE_TAGS.iter().any(|known| tag.eq_ignore_ascii_case(known))
}

/// Finds the tags other than RESN whose type is that of a restriction notice, including tags for
/// which the header defines it. These tags have this meaning even at a place where the schema does
/// not define them.
pub fn restriction_tags<'d>(typed: &'d TypedDocument<'d>) -> HashSet<&'d str> {
    let counterparts = Counterparts::of(typed.schema());
    let is_typed = |node: &Node<'_>| {
        let found = typed.type_id(*node).and_then(|of| counterparts.of_type(of));
        found.is_some_and(|found| found.role() == Some(Role::Restriction))
    };
    let typed_tags = typed.document().lines().filter(is_typed).map(|node| node.tag());
    let header = typed.document().head().into_iter().flat_map(|head| head.subtree_lines());
    let definitions = header.filter(|node| node.tag() == "TAG" && defines_restriction(*node));
    let defined_tags = definitions.filter_map(|node| node.line_payload()?.split_whitespace().next());
    typed_tags.chain(defined_tags).filter(|tag| *tag != "RESN").collect()
}

/// Returns whether a TAG of a schema, or the structure that contains the TAG, names the type of
/// restriction notices.
fn defines_restriction(tag: Node<'_>) -> bool {
    let names = |node: Node<'_>| ["RESN", "RESTRICTION_NOTICE"].iter().any(|name| node.text().contains(name));
    names(tag) || tag.superstructure().is_some_and(names)
}
