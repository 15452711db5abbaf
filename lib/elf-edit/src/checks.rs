//! Checks that an edit is possible, before anything is changed.

use crate::tree::TOP;
use crate::{EditError, Editor, Structure, Value};
use elf_base::rules::XrefChars;
use elf_octets::Repertoire;

impl Editor<'_> {
    /// Returns an error if reading stopped before the end of the document, unless
    /// [`EditOptions::partial`](crate::EditOptions::partial) is set.
    pub(crate) fn check_complete(&self) -> Result<(), EditError> {
        let is_editable = self.document.is_complete() || self.options.partial;
        if is_editable { Ok(()) } else { Err(EditError::Incomplete) }
    }

    /// Returns the item of a structure. Returns an error if the structure was removed or is part of HEAD.CHAR.
    pub(crate) fn editable_item(&self, structure: Structure) -> Result<u32, EditError> {
        self.check_complete()?;
        let item = self.item(structure)?;
        let now = self.edited_tree();
        if !now.exists(item) || now.flags(item).is_inserted() || now.flags(item).is_continuation() {
            return Err(EditError::Removed);
        }
        match now.metadata_root(item) {
            Some(top) if now.tag(top) == "CHAR" => Err(EditError::CharacterEncoding),
            _ => Ok(item),
        }
    }

    /// Returns the item of a structure, which must be able to have substructures. Returns [`TOP`] for `None`.
    pub(crate) fn superstructure_item(&self, superstructure: Option<Structure>) -> Result<u32, EditError> {
        self.check_complete()?;
        let Some(structure) = superstructure else { return Ok(TOP) };
        let item = self.editable_item(structure)?;
        self.check_line_is_editable(item)?;
        Ok(item)
    }

    /// Checks that the line of a structure can be changed and that the structure can have substructures. Returns an
    /// error for structures that the rules make of malformed lines. Also returns an error for continuation lines, even
    /// for those that have nothing to continue (J19 §6.1).
    pub(crate) fn check_line_is_editable(&self, item: u32) -> Result<(), EditError> {
        let now = self.edited_tree();
        if now.flags(item).is_error() {
            return Err(EditError::NoLine);
        }
        let error_lines = self.document.rules().tagged.bad_line.makes_error_lines();
        match now.tag(item) {
            tag @ ("CONT" | "CONC") => Err(EditError::TagReserved { tag: tag.to_owned() }),
            "ERROR" if error_lines => Err(EditError::TagReserved { tag: "ERROR".to_owned() }),
            _ => Ok(()),
        }
    }

    /// Checks that a structure can be moved or removed. A header that contains CHAR cannot.
    pub(crate) fn check_movable(&self, item: u32) -> Result<(), EditError> {
        let now = self.edited_tree();
        let is_head = self.document.head().is_some_and(|head| head.id().get() == item);
        if is_head && now.substructures(item).any(|below| now.tag(below) == "CHAR") {
            return Err(EditError::CharacterEncoding);
        }
        Ok(())
    }

    /// Finds the structure before which a structure must be placed to become the N-th with its tag under `above`. The
    /// structure `moved` is not counted.
    pub(crate) fn find_nth(
        &self,
        above: u32,
        tag: &str,
        number: Option<u32>,
        moved: Option<u32>,
    ) -> Result<Option<u32>, EditError> {
        let Some(number) = number else { return Ok(None) };
        let now = self.edited_tree();
        let of_tag = now.substructures(above).filter(|&item| now.tag(item) == tag && Some(item) != moved);
        let mut count = 0;
        for item in of_tag {
            count += 1;
            if count == number {
                return Ok(Some(item));
            }
        }
        if number == count + 1 { Ok(None) } else { Err(EditError::Number { tag: tag.to_owned(), count }) }
    }

    /// Returns whether a structure with this tag would be serialisation metadata under `above`.
    pub(crate) fn is_metadata(&self, above: u32, tag: &str) -> bool {
        let at_head = self.document.head().is_some_and(|head| head.id().get() == above);
        let metadata = self.document.rules().tagged.metadata;
        // CHAR cannot be set, because it names the encoding of the file.
        metadata.is_raw()
            && match at_head {
                true => tag != "CHAR" && metadata.includes(tag, true),
                false => above != TOP && self.edited_tree().metadata_root(above).is_some(),
            }
    }

    /// Checks that a structure under `above` may have this tag (D19 *Tags*).
    pub(crate) fn check_tag(&self, tag: &str, above: u32) -> Result<(), EditError> {
        if !elf_lines::is_tag(tag) {
            return Err(EditError::Tag { tag: tag.to_owned() });
        }
        let at_head = self.document.head().is_some_and(|head| head.id().get() == above);
        match tag {
            "CHAR" if at_head => Err(EditError::CharacterEncoding),
            "CONT" | "CONC" => Err(EditError::TagReserved { tag: tag.to_owned() }),
            "ERROR" if self.document.rules().tagged.bad_line.makes_error_lines() => {
                Err(EditError::TagReserved { tag: tag.to_owned() })
            }
            "HEAD" | "TRLR" if above != TOP => Err(EditError::TagReserved { tag: tag.to_owned() }),
            _ => Ok(()),
        }
    }

    /// Checks that this identifier is valid in the pointers of this file (D19 *Payloads*).
    pub(crate) fn check_xref(&self, xref: &str) -> Result<(), EditError> {
        self.check_xref_chars(xref, self.document.rules().lines.xref)
    }

    fn check_xref_chars(&self, xref: &str, chars: XrefChars) -> Result<(), EditError> {
        if !elf_lines::is_xref(xref, chars) || elf_lines::first_forbidden(xref).is_some() {
            return Err(EditError::Xref { xref: xref.to_owned() });
        }
        self.check_encodable(xref)
    }

    /// Checks that this identifier is valid and is not used yet (D19 *Cross-reference identifiers*; O17 *Identifiers*,
    /// `ID`).
    pub(crate) fn check_new_xref(&mut self, xref: &str) -> Result<(), EditError> {
        if xref == elf_lines::VOID {
            return Err(EditError::XrefVoid);
        }
        self.check_xref_chars(xref, self.document.rules().lines.conformant_xref)?;
        match self.tree.is_xref_in_use(self.document, xref) {
            true => Err(EditError::XrefTaken { xref: xref.to_owned() }),
            false => Ok(()),
        }
    }

    /// Checks that a structure can have this payload. In December 2019, serialisation metadata cannot have escapes or
    /// continuation lines (D19 *Header metadata*).
    pub(crate) fn check_value(&self, value: &Value, metadata: bool) -> Result<(), EditError> {
        let text = match value {
            Value::None => return Ok(()),
            Value::Pointer(xref) => return self.check_xref(xref),
            Value::Text(text) => text,
        };
        let forbidden = elf_lines::first_forbidden(text).and_then(|at| text[at..].chars().next());
        if let Some(forbidden) = forbidden {
            return Err(EditError::NoCharacter { code: forbidden.into() });
        }
        let raw = metadata && self.document.rules().tagged.metadata.is_raw();
        if raw && text.contains(['\n', '\r']) {
            return Err(EditError::MetadataLines);
        }
        let escapes = self.options.escape && self.document.escape().has_characters();
        if raw || !escapes { self.check_encodable(text) } else { Ok(()) }
    }

    fn check_encodable(&self, text: &str) -> Result<(), EditError> {
        let used = self.document.source().decision().used;
        let mut repertoire = Repertoire::new(used, &self.document.rules().octets);
        text.lines().try_for_each(|line| repertoire.check(line))?;
        Ok(())
    }
}
