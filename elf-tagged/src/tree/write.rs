//! Writes a tree as a file.

use super::{OwnedPiece, StructureId, Tree, Value};
use crate::Piece;
use crate::write::{
    Content, StructureList, StructureToWrite, Summary, TakeStructure, WriteError, WriteOptions,
    write_structures,
};
use elf_base::{Rules, Sink};
use elf_lines::VOID;
use std::io;

impl Tree {
    /// Writes the tree as a file under `rules`. The file has a header, the records and a trailer.
    ///
    /// Content that the rules cannot express is reported to `sink` with the path of its structure, and counted as a
    /// loss. Examples are a tag or an identifier that is invalid under the rules, a repeated identifier, an unresolved
    /// pointer, and a character that the encoding does not have.
    ///
    /// # Errors
    ///
    /// Returns the errors of the output, and [`OptionError`](super::super::write::OptionError) if the options are
    /// impossible.
    ///
    /// ```
    /// use elf_tagged::tree::{Tree, Value};
    /// use elf_tagged::write::WriteOptions;
    /// use elf_tagged::{Diagnostic, Rules};
    ///
    /// let mut tree = Tree::new();
    /// tree.add_record("INDI").add("FAMC").set_value(Value::Pointer("F1".to_owned()));
    /// let mut findings: Vec<Diagnostic> = Vec::new();
    /// let written = tree.write(Vec::new(), &Rules::GEDCOM_7, &WriteOptions::new(), &mut findings)?;
    /// assert_eq!((written.losses, findings[0].path.as_deref()), (1, Some("INDI/FAMC")));
    /// # Ok::<(), elf_tagged::write::WriteError>(())
    /// ```
    pub fn write(
        &self,
        out: impl io::Write,
        rules: &Rules,
        options: &WriteOptions,
        sink: &mut dyn Sink,
    ) -> Result<Summary, WriteError> {
        write_structures(self, &self.preamble, Vec::new(), out, rules, options, sink)
    }

    fn each_under(
        &self,
        top: &[StructureId],
        level: u32,
        take: &mut TakeStructure<'_>,
    ) -> Result<(), WriteError> {
        let mut open = vec![top.iter()];
        while let Some(siblings) = open.last_mut() {
            let Some(id) = siblings.next() else {
                open.pop();
                continue;
            };
            let depth = crate::offset::to_u32(open.len() - 1);
            let slot = &self.slots[id.0];
            let to_write = |content| StructureToWrite {
                level: level + depth,
                xref: slot.xref.as_deref(),
                tag: &slot.tag,
                content,
            };
            match &slot.value {
                Value::None => take(to_write(Content::None))?,
                Value::Pointer(xref) => take(to_write(Content::Pointer(xref)))?,
                Value::Text(text) => take(to_write(Content::Text(text)))?,
                Value::Pieces(pieces) => {
                    let pieces: Vec<Piece<'_>> = pieces.iter().map(OwnedPiece::as_piece).collect();
                    take(to_write(Content::Pieces(&pieces)))?;
                }
            }
            open.push(slot.beneath.iter());
        }
        Ok(())
    }
}

impl StructureList for Tree {
    fn each(&self, take: &mut TakeStructure<'_>) -> Result<(), WriteError> {
        self.each_under(&self.metadata, 1, take)?;
        self.each_under(&self.records, 0, take)
    }

    fn is_void(&self, xref: &str) -> bool {
        self.has_void && xref == VOID
    }
}
