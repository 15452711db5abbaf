//! Flags of nodes.

/// The flag bits.
pub(crate) mod flag {
    /// The node has a cross-reference identifier.
    pub(crate) const XREF: u32 = 1;
    /// The node has a payload. The payload may be empty.
    pub(crate) const PAYLOAD: u32 = 1 << 1;
    /// The payload of the line is a pointer.
    pub(crate) const POINTER: u32 = 1 << 2;
    /// The payload of the line has an at sign and is not a pointer.
    pub(crate) const AT: u32 = 1 << 3;
    /// The node continues its superstructure after a line break.
    pub(crate) const CONT: u32 = 1 << 4;
    /// The node continues its superstructure without a line break.
    pub(crate) const CONC: u32 = 1 << 5;
    /// The node continues its superstructure after line breaks of the file, without CONT.
    pub(crate) const RAW: u32 = 1 << 6;
    /// The node has continuation lines.
    pub(crate) const CONTINUED: u32 = 1 << 7;
    /// The node is not data: it is serialisation metadata or the trailer.
    pub(crate) const HIDDEN: u32 = 1 << 8;
    /// The node is an ERROR line, whose tag is not in the text.
    pub(crate) const ERROR: u32 = 1 << 9;
    /// The payload is in the generated text, not in the text of the file.
    pub(crate) const MADE: u32 = 1 << 10;
    /// The node is an inserted record UNDEF. The identifier of such a record is in the generated text, at the span of
    /// its payload.
    pub(crate) const UNDEF: u32 = 1 << 11;
    /// The rules removed the identifier of the node.
    pub(crate) const UNNAMED: u32 = 1 << 12;
    /// The node is an ERROR line that has the level at the start of its text and may have substructures. The bit is the
    /// same as that for a removed identifier, because an ERROR line has no identifier to remove.
    pub(crate) const LEVELLED: u32 = UNNAMED;
    /// The span of the payload is stored in a table.
    pub(crate) const ASIDE: u32 = 1 << 13;
    /// The identifier and the tag of the line are not at their usual offsets, because the line has the full name of a
    /// tag or is damaged. [`elf_lines::ScannedHead`] finds them.
    pub(crate) const SCANNED: u32 = 1 << 14;
    /// The number of flag bits.
    pub(crate) const BITS: u32 = 15;
    pub(crate) const ALL: u32 = (1 << BITS) - 1;
    pub(crate) const CONTINUATION: u32 = CONT | CONC | RAW;
}

/// The flags of a node: its kind and the parts of its line.
///
/// The *tagged* form of a document does not contain continuation lines, serialisation metadata and the trailer. In the
/// document, these are nodes too, and the flags distinguish them.
///
/// ```
/// use elf_tagged::{Options, Rules, read};
///
/// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE one\n1 CONC , two\n0 TRLR\n";
/// let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
/// let continuations = document.nodes().filter(|node| node.flags().is_continuation()).count();
/// let metadata = document.nodes().filter(|node| node.flags().is_hidden()).count();
/// assert_eq!((document.len(), continuations, metadata), (5, 1, 2)); // CHAR and the trailer
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u32);

impl Flags {
    #[inline]
    pub(crate) const fn of(bits: u32) -> Flags {
        Flags(bits & flag::ALL)
    }

    #[inline]
    const fn has(self, any: u32) -> bool {
        self.0 & any != 0
    }

    /// Returns whether the line has a cross-reference identifier, even if the rules removed it.
    #[inline]
    pub const fn has_xref(self) -> bool {
        self.has(flag::XREF)
    }

    /// Returns whether the rules removed the identifier (RDX *Rejecting subparts of the dataset*).
    #[inline]
    pub const fn has_lost_xref(self) -> bool {
        self.has(flag::UNNAMED) && !self.has(flag::ERROR)
    }

    /// Returns whether the line has a payload. The payload may be empty.
    #[inline]
    pub const fn has_payload(self) -> bool {
        self.has(flag::PAYLOAD)
    }

    /// Returns whether the payload of the line is a pointer.
    #[inline]
    pub const fn is_pointer(self) -> bool {
        self.has(flag::POINTER)
    }

    /// Returns whether the payload contains an at sign and is not a pointer. Such a payload may contain escapes.
    #[inline]
    pub const fn has_at_sign(self) -> bool {
        self.has(flag::AT)
    }

    /// Returns whether the node is a continuation line (CONT, CONC or raw text) instead of a structure (D19 *Line
    /// continuation*).
    #[inline]
    pub const fn is_continuation(self) -> bool {
        self.has(flag::CONTINUATION)
    }

    /// Returns whether the node continues its structure after a line break.
    #[inline]
    pub const fn is_cont(self) -> bool {
        self.has(flag::CONT)
    }

    /// Returns whether the node continues its structure without a line break.
    #[inline]
    pub const fn is_conc(self) -> bool {
        self.has(flag::CONC)
    }

    /// Returns whether the node is an invalid line that was read as text of the payload before it.
    #[inline]
    pub const fn is_raw(self) -> bool {
        self.has(flag::RAW)
    }

    /// Returns whether the node has continuation lines.
    #[inline]
    pub const fn is_continued(self) -> bool {
        self.has(flag::CONTINUED)
    }

    /// Returns whether the node is not data: serialisation metadata (D19 *Parsing serialisation metadata*), the
    /// trailer, or a rejected structure (RDX *Rejecting subparts of the dataset*).
    #[inline]
    pub const fn is_hidden(self) -> bool {
        self.has(flag::HIDDEN)
    }

    /// Returns whether the node is an ERROR structure, which was made of an invalid line (J19 §6.1).
    #[inline]
    pub const fn is_error(self) -> bool {
        self.has(flag::ERROR)
    }

    /// Returns whether the node is an ERROR structure that was made of a damaged line. Such a structure has the level
    /// of its line and may have substructures.
    #[inline]
    pub const fn is_damaged_line(self) -> bool {
        self.has(flag::ERROR) && self.has(flag::LEVELLED)
    }

    /// Returns whether the payload is joined from several parts of its line. No span of the text contains such a
    /// payload.
    #[inline]
    pub const fn has_made_payload(self) -> bool {
        self.has(flag::MADE)
    }

    /// Returns whether the payload is simple: there is none, or it is plain text in its own line. A simple payload is
    /// not a pointer, and has no at signs and no continuation lines.
    #[inline]
    pub const fn is_plain_text(self) -> bool {
        !self.has(flag::POINTER | flag::AT | flag::CONTINUED | flag::MADE)
    }

    /// Returns whether the rules inserted the node. An inserted node is a record UNDEF, which is not in the file (J19
    /// §5.1).
    #[inline]
    pub const fn is_inserted(self) -> bool {
        self.has(flag::UNDEF)
    }
}
