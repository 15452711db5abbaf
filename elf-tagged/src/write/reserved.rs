//! Checks for tags that readers would not read as ordinary structures.

use super::{Content, Stage, Writer, shorten};
use crate::is_language_tag;
use elf_base::{Code, codes};
use std::borrow::Cow;
use std::io;

/// The flags of a structure to which substructures can be added.
mod open {
    /// The payload is a pointer.
    pub(super) const POINTER: u8 = 1;
    /// The payload language has been written.
    pub(super) const LANGUAGE: u8 = 1 << 1;
    /// The payload datatype has been written.
    pub(super) const DATATYPE: u8 = 1 << 2;
}

impl<W: io::Write> Writer<'_, W> {
    /// Returns the reason why a structure with this tag cannot be written (D19 *Tags*; J19 §3.2; O17 §3.2). Returns
    /// `None` if it can.
    pub(super) fn reason_to_forbid(
        &mut self,
        level: u32,
        tag: &str,
        content: &Content<'_>,
    ) -> Option<(Code, String)> {
        if elf_lines::is_tag(tag) && !is_special_tag(tag) {
            return None;
        }
        let metadata = self.rules.tagged.metadata;
        let in_head = level == 1 && self.stage == Stage::Header;
        if !elf_lines::is_tag(tag) {
            let message =
                format!("expected a tag of letters, digits and underscores, but found `{}`", shorten(tag));
            return Some((codes::TAG_CANNOT_BE_WRITTEN, message));
        }
        let one_line = !matches!(*content, Content::Text(text) if text.contains(['\n', '\r']));
        if self.lone && !one_line {
            let message =
                format!("left out `{tag}`: its payload has several lines, but readers only read one");
            return Some((codes::STRUCTURE_DROPPED, message));
        }
        let reserved = match tag {
            // A continuation that comes after a sibling has nothing to continue (J19 §3.2, §6).
            "CONT" | "CONC" => !self.has_error_lines() || level == 0 || self.previous < level,
            "HEAD" | "TRLR" => level == 0 || metadata.reserves_within_records(tag),
            _ => false,
        };
        if reserved {
            let message = format!("left out `{tag}` and everything under it: the tag is reserved");
            return Some((codes::TAG_CANNOT_BE_WRITTEN, message));
        }
        if metadata.includes(tag, in_head) {
            let message =
                format!("left out `{tag}` and everything under it: readers would not read it as data here");
            return Some((codes::STRUCTURE_DROPPED, message));
        }
        if self.rules.tagged.payload_language && !self.names_elf && matches!(tag, "PLANG" | "DTYPE") {
            let message =
                format!("left out `{tag}`: it needs an ELF version in the header, and you asked for none");
            return Some((codes::STRUCTURE_DROPPED, message));
        }
        if self.rules.tagged.payload_language && matches!(tag, "PLANG" | "DTYPE") {
            let message = format!(
                "left out `{tag}` and everything under it: it {}",
                self.find_misuse(level, tag, content)?
            );
            return Some((codes::TAG_CANNOT_BE_WRITTEN, message));
        }
        None
    }

    /// Returns the reason why PLANG or DTYPE describes no payload at this place (D19 *Tags*). If the tag describes a
    /// payload, returns `None` and records that it was written.
    fn find_misuse(&mut self, level: u32, tag: &str, content: &Content<'_>) -> Option<&'static str> {
        let of = if tag == "PLANG" { open::LANGUAGE } else { open::DATATYPE };
        let Some(above) = level.checked_sub(1) else { return Some("is a record") };
        if matches!(content, Content::Pointer(_) | Content::Dangling(..)) {
            return Some("has a pointer as its payload");
        }
        let text = match content {
            Content::Text(text) => text,
            _ => "",
        };
        if tag == "PLANG" && !is_language_tag(text) {
            return Some("does not contain a language tag");
        }
        let above = self.open.get_mut(above as usize)?;
        if *above & open::POINTER != 0 {
            return Some("is under a pointer, but can only describe text");
        }
        if *above & of != 0 {
            return Some("is repeated");
        }
        *above |= of;
        None
    }

    #[inline]
    pub(super) fn has_allowed_letters(&self, tag: &str) -> bool {
        !self.rules.lines.tags.are_capitals() || elf_lines::is_capital_tag(tag)
    }

    /// Returns a tag in the form that the rules allow. If the rules require capital letters, the tag is converted, and
    /// the change is reported.
    pub(super) fn spelled_tag<'t>(&mut self, tag: &'t str) -> Cow<'t, str> {
        if self.has_allowed_letters(tag) {
            return Cow::Borrowed(tag);
        }
        let mut spelled = tag.to_ascii_uppercase();
        // The converted tag must not be a tag that has a meaning for the structure of the file.
        let is_structural = matches!(&*spelled, "CONC" | "CONT" | "HEAD" | "TRLR");
        if is_structural || !elf_lines::is_capital_tag(&spelled) {
            spelled.insert(0, '_');
        }
        let message = format!("the tag `{}` is written as `{}`", shorten(tag), shorten(&spelled));
        self.lose(codes::TAG_CANNOT_BE_WRITTEN, message);
        Cow::Owned(spelled)
    }

    #[inline]
    pub(super) fn record_open(&mut self, level: u32) {
        let level = level as usize;
        match self.open.get_mut(level) {
            Some(here) => {
                *here = 0;
                self.open.truncate(level + 1);
            }
            None => self.open.resize(level + 1, 0),
        }
    }

    pub(super) fn record_open_pointer(&mut self) {
        if let Some(last) = self.open.last_mut() {
            *last |= open::POINTER;
        }
    }

    /// Returns whether readers accept a structure only as a single line without substructures.
    ///
    /// Readers ignore the level of such a line. So a line that is one level deeper is too deep, unless an earlier line
    /// allows its level (J19 §6.1).
    pub(super) fn is_lone(&self, level: u32, tag: &str) -> bool {
        self.is_uncounted(tag) && self.counted < level
    }

    /// Returns whether readers ignore the levels of structures with this tag (J19 §6.1).
    pub(super) fn is_uncounted(&self, tag: &str) -> bool {
        self.has_error_lines() && matches!(tag, "CONT" | "CONC" | "ERROR")
    }

    pub(super) fn has_error_lines(&self) -> bool {
        self.rules.tagged.bad_line.makes_error_lines()
    }
}

/// Returns whether a tag has a special meaning for the readers of any draft.
#[inline]
pub(super) fn is_special_tag(tag: &str) -> bool {
    // Nearly every tag has four letters. These are compared as one number.
    match <[u8; 4]>::try_from(tag.as_bytes()) {
        Ok(four) => OF_FOUR_LETTERS.contains(&u32::from_ne_bytes(four)),
        Err(_) => matches!(tag, "ELF" | "ERROR" | "SCHMA" | "PLANG" | "DTYPE"),
    }
}

const OF_FOUR_LETTERS: [u32; 8] = [
    u32::from_ne_bytes(*b"HEAD"),
    u32::from_ne_bytes(*b"TRLR"),
    u32::from_ne_bytes(*b"CONT"),
    u32::from_ne_bytes(*b"CONC"),
    u32::from_ne_bytes(*b"CHAR"),
    u32::from_ne_bytes(*b"DEFN"),
    u32::from_ne_bytes(*b"PRFX"),
    u32::from_ne_bytes(*b"GEDC"),
];
