//! The structures of a document.

use super::{Flags, NONE, NodeData, PayloadLine, PlainLine, View, flag};
use crate::read::escape::{EscapeTypes, Token, push_meaning, tokens, unescape};
use crate::{Document, Structures};
use elf_base::rules::Escape;
use elf_base::{PackedText, Span};
use std::borrow::Cow;
use std::fmt;
use std::iter::FusedIterator;

/// The index of a node in its document. A node is a structure or a continuation line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The index of the first node of a document.
    pub const FIRST: NodeId = NodeId(0);

    /// Creates the index of a node.
    #[inline]
    pub const fn new(index: u32) -> NodeId {
        NodeId(index)
    }

    /// Returns the index as a number from 0, in document order. Use the index for arrays with one entry for each node.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the index as the number that [`new`](NodeId::new) accepts.
    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// A structure of a [`Document`].
///
/// A node is cheap to copy. The methods of a node show the *tagged* form (D19 *Overview*): continuations are merged,
/// escapes are read, and lists do not contain serialisation metadata and the trailer. Other methods return the lines
/// and spans of the file.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    pub(crate) document: &'d Document<'d>,
    pub(crate) id: u32,
}

/// The payload of a structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Payload<'d> {
    /// The structure has no payload. Under the rules of December 2019, an empty payload is also returned as `None`.
    None,
    /// The payload is text. The payload is unescaped, its continuation lines are merged, and each line break is U+000A.
    Text(Cow<'d, str>),
    /// The payload is a pointer. The identifier is given without at signs.
    Pointer(&'d str),
}

impl Payload<'_> {
    /// Returns the text, if the payload is text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Payload::Text(text) => Some(text),
            Payload::None | Payload::Pointer(_) => None,
        }
    }
}

impl<'d> Payload<'d> {
    /// Returns the payload in the form that `[=VALUE]` of a path uses: text, or a pointer with its at signs.
    pub fn into_value(self) -> Cow<'d, str> {
        match self {
            Payload::None => "".into(),
            Payload::Text(text) => text,
            Payload::Pointer(id) => format!("@{id}@").into(),
        }
    }
}

impl<'d> Node<'d> {
    #[inline]
    pub(super) fn view(self) -> View<'d> {
        self.document.view()
    }

    #[inline]
    fn data(self) -> Option<&'d NodeData> {
        self.document.nodes.get(self.id as usize)
    }

    /// Returns the flag bits. Returns 0 if the node does not exist.
    #[inline]
    fn bits(self) -> u32 {
        self.data().map_or(0, |data| data.flags)
    }

    #[inline]
    fn at(self, id: u32) -> Node<'d> {
        Node { document: self.document, id }
    }

    /// Returns the index of the node in its document.
    #[inline]
    pub const fn id(self) -> NodeId {
        NodeId(self.id)
    }

    /// Returns the document that the node belongs to.
    #[inline]
    pub const fn document(self) -> &'d Document<'d> {
        self.document
    }

    /// Returns the flags of the node: its kind, and the parts of its line.
    #[inline]
    pub fn flags(self) -> Flags {
        Flags::of(self.bits())
    }

    /// Returns the tag as written. For structures that January 2019 inserts, the tag is `ERROR` or `UNDEF`.
    #[inline]
    pub fn tag(self) -> &'d str {
        self.view().tag(self.id)
    }

    /// Returns the cross-reference identifier, without at signs.
    #[inline]
    pub fn xref(self) -> Option<&'d str> {
        self.view().xref(self.id)
    }

    /// Returns the tag as a number if the tag is short. This is faster than [`tag`](Node::tag).
    ///
    /// ```
    /// use elf_tagged::{Document, elf_base::PackedText};
    ///
    /// let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 SEX F\n1 _A_LONG_TAG\n0 TRLR\n")?;
    /// for node in document.nodes() {
    ///     assert_eq!(node.packed_tag(), PackedText::of(node.tag()));
    /// }
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    #[inline]
    pub fn packed_tag(self) -> Option<PackedText> {
        self.view().packed_tag(self.id)
    }

    /// Returns the same as [`xref`](Node::xref) and [`tag`](Node::tag), but scans the line only once.
    pub fn xref_and_tag(self) -> (Option<&'d str>, &'d str) {
        self.view().xref_and_tag(self.id)
    }

    /// Returns the payload. The payload is borrowed unless it had to be unescaped or merged.
    pub fn payload(self) -> Payload<'d> {
        let view = self.view();
        let flags = view.flags(self.id);
        if flags & (flag::AT | flag::POINTER | flag::CONTINUED) == 0 {
            // This is the fast path for a payload of one line without at signs.
            if flags & flag::PAYLOAD == 0 {
                return Payload::None;
            }
            let text = view.line_payload(self.id);
            return if text.is_empty() && self.document.rules().tagged.empty_payload.is_absent() {
                Payload::None
            } else {
                Payload::Text(Cow::Borrowed(text))
            };
        }
        match self.pointer() {
            Some(id) => Payload::Pointer(self.document.redirect(id)),
            None => match self.text() {
                text if text.is_empty() && self.document.rules().tagged.empty_payload.is_absent() => {
                    Payload::None
                }
                text => Payload::Text(text),
            },
        }
    }

    /// Returns the identifier in the payload, as written, if the payload is a pointer.
    #[inline]
    pub fn pointer(self) -> Option<&'d str> {
        self.view().line_pointer(self.id)
    }

    /// Returns the structure to which the payload points. Returns `None` if the payload is not a pointer, or if the
    /// pointer is unresolved or ambiguous.
    pub fn target(self) -> Option<Node<'d>> {
        match self.document.resolve(self.document.redirect(self.pointer()?)) {
            crate::Target::One(node) => Some(node),
            crate::Target::None | crate::Target::Several | crate::Target::Unknown => None,
        }
    }

    /// Returns the payload as a string, even if it looks like a pointer. The string is empty if there is no payload.
    pub fn text(self) -> Cow<'d, str> {
        let document = self.document;
        let grammar = document.escape();
        if !grammar.reads_merged() {
            let view = self.view();
            if view.flags(self.id) & flag::CONTINUED == 0 {
                return unescape(view.line_payload(self.id), grammar, EscapeTypes::NONE);
            }
            return Cow::Owned(self.join_payload_lines(|out, line| push_unescaped(out, line, grammar)));
        }
        match self.merged() {
            Cow::Borrowed(merged) => unescape(merged, grammar, self.preserved()),
            Cow::Owned(merged) => Cow::Owned(unescape(&merged, grammar, self.preserved()).into_owned()),
        }
    }

    /// Returns the payload in the *xref* form (J19 §2.4). In this form, continuation lines are merged, but escapes and
    /// the at signs of pointers are as written. The result is empty if there is no payload.
    pub fn merged(self) -> Cow<'d, str> {
        let view = self.view();
        if view.flags(self.id) & flag::CONTINUED == 0 {
            return Cow::Borrowed(view.line_payload(self.id));
        }
        Cow::Owned(self.join_payload_lines(|out, line| out.push_str(line)))
    }

    /// Joins the lines of the payload (D19 *Merging continuation lines*; J19 §6). The function `push` appends each
    /// line.
    fn join_payload_lines(self, push: impl Fn(&mut String, &str)) -> String {
        let view = self.view();
        let mut out = String::with_capacity(view.line_payload(self.id).len());
        for line in view.payload_lines(self.id) {
            out.extend(std::iter::repeat_n('\n', line.breaks));
            push(&mut out, line.text);
        }
        out
    }

    /// Calls `take` with the parts of a text payload. Escapes are separate from text. A writer needs this to write
    /// escapes as escapes.
    pub fn pieces(self, mut take: impl FnMut(Piece<'_>)) {
        let grammar = self.document.escape();
        let preserved = self.preserved();
        let mut text = String::new();
        let mut token = |text: &mut String, token: Token<'_>| match token {
            Token::Escape(raw) if !grammar.is_by_tag() || keeps_escape(token, preserved) => {
                if !text.is_empty() {
                    take(Piece::Text(text));
                    text.clear();
                }
                if grammar.ends_in_space() && !raw.ends_with(' ') {
                    // The space after an escape belongs to the escape, even if the file does not have it (J19 §5.3).
                    take(Piece::Escape(&[raw, " "].concat()));
                } else {
                    take(Piece::Escape(raw));
                }
            }
            other => push_meaning(text, other, grammar, preserved),
        };
        if grammar.reads_merged() {
            for (_, piece) in tokens(&self.merged(), grammar) {
                token(&mut text, piece);
            }
        } else {
            for line in self.view().payload_lines(self.id) {
                text.extend(std::iter::repeat_n('\n', line.breaks));
                for (_, piece) in tokens(line.text, grammar) {
                    token(&mut text, piece);
                }
            }
        }
        if !text.is_empty() {
            take(Piece::Text(&text));
        }
    }

    /// Returns whether the tag of the node preserves an escape in its payload (J19 §5.2).
    pub fn keeps(self, escape: Token<'_>) -> bool {
        keeps_escape(escape, self.preserved())
    }

    pub(super) fn preserved(self) -> EscapeTypes {
        self.document.header().escapes().of(self.tag())
    }

    /// Returns the payload of the line itself as written, without continuation lines and with its escapes. Returns
    /// `None` if there is no payload.
    pub fn line_payload(self) -> Option<&'d str> {
        (self.bits() & flag::PAYLOAD != 0).then(|| self.view().line_payload(self.id))
    }

    /// Returns the lines of the payload: first the line itself, even if its payload is empty, then its continuation
    /// lines (D19 *Merging continuation lines*; J19 §6).
    ///
    /// ```
    /// use elf_tagged::{Options, Rules, read};
    ///
    /// let octets = b"0 HEAD\n0 NOTE one\n1 CONC , t@@wo\n1 CONT\n0 TRLR\n";
    /// let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
    /// let note = document.records().next().expect("a note");
    /// let lines: Vec<_> = note.payload_lines().map(|line| (line.breaks, line.text)).collect();
    /// assert_eq!(lines, [(0, "one"), (0, ", t@@wo"), (1, "")]);
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    pub fn payload_lines(self) -> impl Iterator<Item = PayloadLine<'d>> {
        self.view().payload_lines(self.id)
    }

    /// Returns the number of line breaks before a raw text line. There is at least 1, because blank lines are part of
    /// the text.
    pub fn raw_line_breaks(self) -> usize {
        self.view().raw_breaks(self.id)
    }

    /// Returns the parts of the line if it is simple, as nearly all lines are. A simple line has no identifier, no full
    /// name as its tag, no continuation lines, and no at signs except those of a pointer.
    ///
    /// ```
    /// use elf_tagged::Document;
    ///
    /// let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 SEX F\n0 TRLR\n")?;
    /// let person = document.records().next().expect("a record");
    /// assert_eq!(person.plain_line(), None);
    /// let line = person.substructure("SEX").and_then(|sex| sex.plain_line()).expect("a line");
    /// assert_eq!((line.text(), line.split_at_payload()), ("1 SEX F", Some(("1 SEX ", "F"))));
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    #[inline]
    pub fn plain_line(self) -> Option<PlainLine<'d>> {
        const OTHER: u32 = flag::XREF
            | flag::AT
            | flag::CONTINUED
            | flag::ERROR
            | flag::MADE
            | flag::UNDEF
            | flag::RAW
            | flag::SCANNED;
        let data = self.data()?;
        if data.flags & OTHER != 0 {
            return None;
        }
        let place = self.document.nodes.payload(self.id, data);
        let text = Span::new(data.start, place.end).of(self.document.text());
        // A checked subtraction would prevent the compiler from cancelling it with the addition.
        let head = place.start.wrapping_sub(data.start) as usize;
        Some(PlainLine::new(text, head, Flags::of(data.flags)))
    }

    /// Returns the substructures, in the order of the file.
    pub fn substructures(self) -> Substructures<'d> {
        Substructures::new(self.document, self.view().children(self.id))
    }

    /// Returns the substructures with this tag, in the order of the file.
    pub fn substructures_tagged(self, tag: &str) -> impl DoubleEndedIterator<Item = Node<'d>> {
        self.substructures().filter(move |node| node.tag() == tag)
    }

    /// Returns all structures under this structure, at any depth, in document order.
    ///
    /// ```
    /// use elf_tagged::Document;
    ///
    /// let octets = b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 DATE 1815\n1 NAME Ada\n0 @I2@ INDI\n0 TRLR\n";
    /// let document = Document::parse(octets)?;
    /// let person = document.records().next().expect("a record");
    /// let tags: Vec<&str> = person.descendants().map(|node| node.tag()).collect();
    /// assert_eq!(tags, ["BIRT", "DATE", "NAME"]);
    /// let last_first: Vec<&str> = person.substructures().rev().map(|node| node.tag()).collect();
    /// assert_eq!(last_first, ["NAME", "BIRT"]);
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    pub fn descendants(self) -> Structures<'d> {
        Structures::under(self)
    }

    /// Returns the first substructure with this tag.
    pub fn substructure(self, tag: &str) -> Option<Node<'d>> {
        self.substructures().find(|node| node.tag() == tag)
    }

    /// Returns the nodes directly under this one, in the order of the file, including continuation lines and
    /// serialisation metadata.
    pub fn lines(self) -> impl Iterator<Item = Node<'d>> {
        self.view().children(self.id).map(move |id| self.at(id))
    }

    /// Returns this node and all nodes under it in document order, including continuation lines and serialisation
    /// metadata.
    pub fn subtree_lines(self) -> impl DoubleEndedIterator<Item = Node<'d>> + ExactSizeIterator {
        (self.id..self.subtree_end().0).map(move |id| self.at(id))
    }

    /// Returns whether the node is a continuation line (CONT, CONC or raw text) instead of a structure.
    #[inline]
    pub fn is_continuation(self) -> bool {
        self.bits() & flag::CONTINUATION != 0
    }

    /// Returns whether the node is an ERROR structure, which was made of an invalid line.
    #[inline]
    pub fn is_error(self) -> bool {
        self.bits() & flag::ERROR != 0
    }

    /// Returns whether the rules inserted the node, so that it is not in the file.
    #[inline]
    pub fn is_inserted(self) -> bool {
        self.bits() & flag::UNDEF != 0
    }

    /// Returns the superstructure. Returns `None` for records.
    #[inline]
    pub fn superstructure(self) -> Option<Node<'d>> {
        let parent = self.document.nodes.parent(self.id);
        (parent != NONE).then(|| self.at(parent))
    }

    /// Returns this node and all its superstructures, up to the record.
    pub fn with_ancestors(self) -> Ancestors<'d> {
        Ancestors { next: Some(self) }
    }

    /// Returns the index after the last node under this node. The subtree consists of the nodes from this one up to
    /// that index.
    #[inline]
    pub fn subtree_end(self) -> NodeId {
        NodeId(self.document.nodes.end(self.id).unwrap_or(self.id))
    }

    /// Returns the span of this node's line string in the text. The span is empty if the node is not in the file.
    #[inline]
    pub fn span(self) -> Span {
        let Some(node) = self.view().get(self.id) else { return Span::default() };
        match node.flags {
            f if f & flag::UNDEF != 0 => Span::default(),
            f if f & flag::MADE != 0 => Span::new(node.start, self.tag_span().end),
            _ => Span::new(node.start, self.view().nodes.payload(self.id, node).end),
        }
    }

    /// Returns the span of this node's line in the text, without its line break.
    pub fn line_span(self) -> Span {
        let start = self.view().get(self.id).map_or(0, |node| node.start);
        Span::new(start, self.view().line_end(self.id))
    }

    /// Returns the span of the cross-reference identifier in the text, without its at signs. The span is empty if there
    /// is no identifier. Identifiers that the rules removed are included.
    pub fn xref_span(self) -> Span {
        self.view().xref_span(self.id)
    }

    /// Returns the span of the node's tag in the text.
    pub fn tag_span(self) -> Span {
        self.view().tag_span(self.id)
    }

    /// Returns the span of the payload of the line itself in the text. The span is empty if there is no payload.
    #[inline]
    pub fn payload_span(self) -> Span {
        match self.view().get(self.id) {
            Some(node) if node.flags & (flag::MADE | flag::UNDEF) == 0 => {
                self.view().nodes.payload(self.id, node)
            }
            _ => Span::default(),
        }
    }

    /// Returns the language of the payload: the language in its own PLANG, or else the default of the document, or else
    /// `und` (D19 *Header metadata*; the draft does not state this rule). Earlier drafts do not have PLANG, so the
    /// language is always `und`.
    pub fn language(self) -> &'d str {
        let document = self.document;
        if !document.rules().tagged.payload_language {
            return "und";
        }
        let view = self.view();
        let own = view.children(self.id).find(|&child| view.tag(child) == "PLANG");
        let own = own.map(|child| view.line_payload(child));
        let languages = [own, document.header().language()];
        languages.into_iter().flatten().find(|language| !language.is_empty()).unwrap_or("und")
    }
}

fn keeps_escape(token: Token<'_>, preserved: EscapeTypes) -> bool {
    token.escape_type().is_some_and(|kind| preserved.contains(kind))
}

fn push_unescaped(out: &mut String, line: &str, grammar: Escape) {
    for (_, token) in tokens(line, grammar) {
        push_meaning(out, token, grammar, EscapeTypes::NONE);
    }
}

/// A part of a text payload. [`Node::pieces`] passes it to its callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'p> {
    /// Text that has been unescaped.
    Text(&'p str),
    /// An escape that is preserved. The escape is given as written.
    Escape(&'p str),
}

/// An iterator over the substructures of a node, or over the records of a document.
#[derive(Clone, Copy)]
pub struct Substructures<'d> {
    document: &'d Document<'d>,
    children: super::Children<'d>,
}

impl<'d> Substructures<'d> {
    pub(crate) const fn new(document: &'d Document<'d>, children: super::Children<'d>) -> Substructures<'d> {
        Substructures { document, children }
    }
}

impl<'d> Iterator for Substructures<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        let view = self.document.view();
        let id = self.children.find(|&id| is_structure(view, id))?;
        Some(Node { document: self.document, id })
    }
}

impl DoubleEndedIterator for Substructures<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let view = self.document.view();
        let id = self.children.rfind(|&id| is_structure(view, id))?;
        Some(Node { document: self.document, id })
    }
}

impl FusedIterator for Substructures<'_> {}

impl fmt::Debug for Substructures<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

impl<'d> IntoIterator for Node<'d> {
    type Item = Node<'d>;
    type IntoIter = Substructures<'d>;

    fn into_iter(self) -> Substructures<'d> {
        self.substructures()
    }
}

fn is_structure(view: View<'_>, id: u32) -> bool {
    view.flags(id) & (flag::CONTINUATION | flag::HIDDEN) == 0
}

/// An iterator over a node and its superstructures.
#[derive(Clone, Copy, Debug)]
pub struct Ancestors<'d> {
    next: Option<Node<'d>>,
}

impl<'d> Iterator for Ancestors<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        let node = self.next?;
        self.next = node.superstructure();
        Some(node)
    }
}

impl FusedIterator for Ancestors<'_> {}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("id", &self.id)
            .field("xref", &self.xref())
            .field("tag", &self.tag())
            .field("payload", &self.payload())
            .finish_non_exhaustive()
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.document, other.document)
    }
}

impl Eq for Node<'_> {}
