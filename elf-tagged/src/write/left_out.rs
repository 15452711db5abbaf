//! Finds lines of the input that are not data. The lines are lost in the output.
//!
//! Such lines are rejected lines and structures (RDX *Line*, `xref_id`), misplaced pseudo-structures and everything
//! under pseudo-structures (O17 §4.2), content of the trailer, removed identifiers, and bytes that could not be
//! decoded. Serialisation metadata is reported by [`header`](super::header).

use super::shorten;
use crate::escape::{Token, tokens, unicode_characters};
use crate::offset::to_u32;
use crate::{Document, Node, NodeId, RejectedLine};
use elf_base::{Code, Span, codes};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The message about a [misplaced line](StrayLines) in a structure that is left out.
pub(super) const STRAY_LINE_LEFT_OUT: &str = "left out a line that was read as part of an omitted structure";

/// A part of the input that the reader did not treat as data.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Omission {
    /// The node of the omitted part. If the part has no node, this is the first node after it.
    pub node: NodeId,
    /// The place of the part in the text.
    pub span: Span,
    /// The code of the loss: [`LEFT_OUT_WHEN_READ`](codes::LEFT_OUT_WHEN_READ),
    /// [`OCTETS_REPLACED`](codes::OCTETS_REPLACED) or [`XREF_CANNOT_BE_WRITTEN`](codes::XREF_CANNOT_BE_WRITTEN).
    pub code: Code,
    /// The message about the loss.
    pub message: String,
}

/// Returns the parts of a document or a run that the reader did not treat as data, in the order of the file. These
/// parts are lost in any output.
///
/// ```
/// use elf_tagged::write::omissions;
/// use elf_tagged::{Options, Rules, read};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE x\n0 TRLR\n1 NOTE y\n";
/// let document = read(file, &Rules::JANUARY_2019, &Options::default(), &mut ())?;
/// let lost: Vec<_> = omissions(&document).into_iter().map(|one| one.code.id()).collect();
/// assert_eq!(lost, ["E0816"]);
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
pub fn omissions(document: &Document<'_>) -> Vec<Omission> {
    let mut omissions = Vec::new();
    if document.may_exclude_nodes() {
        find_omissions_in_tree(document, &mut omissions);
    }
    omissions.extend(document.rejected_lines().iter().map(|line| omission_of_line(document, *line)));
    omissions.extend(find_undecoded(document).into_iter().map(|(span, message)| {
        // Find the node that contains the replaced bytes.
        let node = document.node_at(span.start).map_or(NodeId::FIRST, Node::id);
        Omission { node, span, code: codes::OCTETS_REPLACED, message }
    }));
    omissions.sort_by_key(|omission| omission.span.start);
    omissions
}

/// Returns the spans whose text differs from the bytes of the file, with a message
/// ([`OCTETS_REPLACED`](codes::OCTETS_REPLACED)).
///
/// In these spans, the text has U+FFFD for bytes that could not be decoded. Under rules that do not allow other
/// encodings, guessed characters are included too.
fn find_undecoded(document: &Document<'_>) -> Vec<(Span, String)> {
    let replaced = document.source().replaced().into_iter().map(|span| {
        let message = match span.of(document.text()).chars().count() {
            1 => "bytes that could not be decoded are replaced by U+FFFD".to_owned(),
            count => format!("bytes that could not be decoded are replaced by U+FFFD in {count} places"),
        };
        (span, message)
    });
    let mut spans: Vec<_> = replaced.collect();
    if !document.rules().octets.prescan.reads_char() {
        let guessed = document.source().guessed().into_iter().map(|span| {
            let guess = elf_base::Excerpt::short(span.of(document.text()));
            (
                span,
                format!(
                    "bytes that could not be decoded are replaced by `{guess}`, their meaning in windows-1252"
                ),
            )
        });
        spans.extend(guessed);
    }
    spans
}

fn omission_of_line(document: &Document<'_>, line: RejectedLine) -> Omission {
    let RejectedLine { start, dependants, .. } = line;
    let message = match dependants {
        0 => "left out a rejected line".to_owned(),
        1 => "left out a rejected line and one line that depends on it".to_owned(),
        more => format!("left out a rejected line and {more} lines that depend on it"),
    };
    let rest = &document.text().as_bytes()[start as usize..];
    let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    let end = start.saturating_add(to_u32(length));
    // A rejected line has no node.
    let node = document.node_at(start).map_or(NodeId::FIRST, |before| NodeId::new(before.id().get() + 1));
    Omission { node, span: Span::new(start, end), code: codes::LEFT_OUT_WHEN_READ, message }
}

/// Finds the content of the tree that is not data.
fn find_omissions_in_tree(document: &Document<'_>, omissions: &mut Vec<Omission>) {
    let metadata: HashSet<NodeId> = document.serialisation_metadata().map(Node::id).collect();
    let mut add = |node: Node<'_>, code, message: String| {
        omissions.push(Omission { node: node.id(), span: node.line_span(), code, message });
    };
    let mut id = NodeId::FIRST;
    while let Some(node) = document.node(id) {
        let (flags, behind) = (node.flags(), node.subtree_end());
        if flags.is_hidden() {
            if !metadata.contains(&id)
                && let Some(message) = describe_hidden_loss(document, node)
            {
                add(node, codes::LEFT_OUT_WHEN_READ, message);
                add_stray_lines(node, &mut add);
            }
            id = behind;
            continue;
        }
        if let Some(xref) = describe_lost_identifier(document, node) {
            add(node, codes::XREF_CANNOT_BE_WRITTEN, xref);
        }
        if flags.is_continuation() {
            for child in node.lines().filter(|child| !child.flags().is_raw() && !child.flags().is_error()) {
                let tag = shorten(child.tag());
                let message = format!("left out `{tag}`: structures under a continuation line are not data");
                add(child, codes::LEFT_OUT_WHEN_READ, message);
            }
            add_stray_lines(node, &mut add);
            id = behind;
            continue;
        }
        id = NodeId::new(id.get() + 1);
    }
}

fn add_stray_lines<'d>(node: Node<'d>, add: &mut impl FnMut(Node<'d>, Code, String)) {
    let mut strays = StrayLines::default();
    for line in node.subtree_lines().skip(1).filter(|&line| strays.has(line)) {
        add(line, codes::LEFT_OUT_WHEN_READ, STRAY_LINE_LEFT_OUT.to_owned());
    }
}

/// Lines that became part of the structure above them, although they are not at a valid place. These are text, invalid
/// lines, and continuation lines at the wrong level.
///
/// Such lines may be damaged records. These lines are lost together with the structure, but the place of the structure
/// in the file does not show that.
#[derive(Default)]
pub(super) struct StrayLines {
    /// The levels of continued lines. Each level is parsed only once, because it may be as long as the file.
    levels: HashMap<NodeId, Option<u32>>,
}

impl StrayLines {
    pub(super) fn has(&mut self, line: Node<'_>) -> bool {
        let flags = line.flags();
        if flags.is_raw() || flags.is_error() {
            return true;
        }
        let Some(above) = line.superstructure().filter(|_| flags.is_continuation()) else { return false };
        let above = self.levels.entry(above.id()).or_insert_with(|| level_of_line(above));
        level_of_line(line) <= *above
    }
}

fn level_of_line(node: Node<'_>) -> Option<u32> {
    let start = node.span().start as usize;
    elf_lines::leading_level(node.document().text().get(start..).unwrap_or_default())
}

/// Returns the reason why leaving out a hidden structure is a loss. Returns `None` if nothing is lost. The structure must
/// not be serialisation metadata.
fn describe_hidden_loss(document: &Document<'_>, node: Node<'_>) -> Option<String> {
    let tag = node.tag();
    // Inserted records come after all other nodes.
    let is_last =
        node.superstructure().is_none() && document.node(node.subtree_end()).is_none_or(Node::is_inserted);
    if tag == "TRLR" && node.superstructure().is_none() {
        let alone = node.subtree_lines().nth(1).is_none();
        let bare = alone && !node.flags().has_xref() && node.line_payload().unwrap_or_default().is_empty();
        if is_last && document.source().is_last() {
            return (!bare).then(|| "left out the content of the trailer".to_owned());
        }
        // If the reader recovers from errors, the trailer that is written replaces all others.
        let rules = document.rules();
        if bare && rules.recovers() && !rules.tagged.metadata.is_pseudo() {
            return None;
        }
    }
    Some(if document.rules().tagged.xref_errors.rejects() {
        format!("left out `{}` and everything under it: the rules reject it", shorten(tag))
    } else {
        format!("left out `{}` and everything under it: it is not data here", shorten(tag))
    })
}

/// Returns the message about an identifier that the rules removed, or that belongs to a continuation line.
fn describe_lost_identifier(document: &Document<'_>, node: Node<'_>) -> Option<String> {
    let flags = node.flags();
    if !flags.has_xref() || flags.is_error() {
        return None;
    }
    let xref = shorten(node.xref_span().of(document.text()));
    if flags.is_continuation() {
        return Some(format!("left out the identifier `@{xref}@` of a continuation line"));
    }
    let message = || format!("the structure loses its identifier: several structures have `@{xref}@`");
    flags.has_lost_xref().then(message)
}

/// Returns the escapes that were removed from the payload when it was read, as codes and messages. These are escapes
/// that the tag does not preserve (J19 §5.2, [`ESCAPE_CANNOT_BE_KEPT`](codes::ESCAPE_CANNOT_BE_KEPT)) and invalid
/// Unicode escapes (RDX *Deserialisation error recovery*,
/// [`CHARACTER_CANNOT_BE_WRITTEN`](codes::CHARACTER_CANNOT_BE_WRITTEN)).
///
/// ```
/// use elf_tagged::write::removed_escapes;
/// use elf_tagged::{Options, Rules, read};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE a @#Q@ b\n0 TRLR\n";
/// let document = read(file, &Rules::JANUARY_2019, &Options::default(), &mut ())?;
/// let note = document.records().next().expect("a note");
/// assert_eq!(removed_escapes(note).first().map(|(code, _)| code.id()), Some("E0813"));
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
pub fn removed_escapes(node: Node<'_>) -> Vec<(Code, Cow<'static, str>)> {
    removed_escapes_except(node, |escape| node.keeps(escape))
}

/// Does the same as [`removed_escapes`], except that `keeps` decides which escapes were not removed.
pub(super) fn removed_escapes_except(
    node: Node<'_>,
    keeps: impl Fn(Token<'_>) -> bool,
) -> Vec<(Code, Cow<'static, str>)> {
    let grammar = node.document().escape();
    if !grammar.is_by_tag() || !has_escapes(node) {
        return Vec::new();
    }
    let merged = node.merged();
    let (mut escapes, mut characters) = (0_u64, 0_u64);
    for (_, token) in tokens(&merged, grammar) {
        match token {
            Token::Escape(_) => escapes += u64::from(!keeps(token)),
            Token::Unicode(raw) if grammar.drops_unknown() => {
                characters += u64::from(unicode_characters(raw, grammar).is_none());
            }
            Token::Text(_) | Token::At | Token::Bare | Token::Broken | Token::Unicode(_) => {}
        }
    }
    let mut removed = Vec::new();
    if characters > 0 {
        let message = "an invalid Unicode escape was removed from the payload";
        removed.push((codes::CHARACTER_CANNOT_BE_WRITTEN, message.into()));
    }
    if escapes > 0 {
        let tag = shorten(node.tag());
        let message = match escapes {
            1 => format!("an escape that is not allowed under `{tag}` was removed from the payload"),
            count => {
                format!("{count} escapes that are not allowed under `{tag}` were removed from the payload")
            }
        };
        removed.push((codes::ESCAPE_CANNOT_BE_KEPT, message.into()));
    }
    removed
}

/// Returns whether the payload of a node has escapes that must stay separate from text.
pub(super) fn has_escapes(node: Node<'_>) -> bool {
    let flags = node.flags();
    (flags.has_at_sign() || flags.is_continued()) && !flags.is_pointer() && has_at_sign(node)
}

fn has_at_sign(node: Node<'_>) -> bool {
    let has_at = |line: Node<'_>| line.flags().has_at_sign();
    node.payload_lines().any(|line| node.document().node(line.node).is_some_and(has_at))
}
