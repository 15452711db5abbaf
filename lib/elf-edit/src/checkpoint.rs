//! Returns to an earlier state of the edits.

use crate::cascaded::RemovedPointer;
use crate::tree::TreeChanges;
use crate::{EditError, Editor};

/// The state of the edits of an [`Editor`] at the time of a call to [`Editor::checkpoint`].
#[derive(Debug)]
pub struct Checkpoint {
    editor: u32,
    tree: TreeChanges,
    cascaded: Vec<RemovedPointer>,
}

impl Editor<'_> {
    /// Stores the current state of the edits, so that [`roll_back`](Editor::roll_back) can undo later edits. Time and
    /// memory depend on the number of edits, not on the size of the file.
    ///
    /// ```
    /// use elf_edit::{EditError, Editor};
    /// use elf_tagged::{Options, Rules};
    ///
    /// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n";
    /// let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ())?;
    /// let mut editor = Editor::new(&document);
    /// let name = editor.find_one(&"@I1@/NAME".parse()?, &mut ())?;
    /// let before = editor.checkpoint();
    /// editor.remove(name)?;
    /// assert!(matches!(editor.payload(name), Err(EditError::Removed)));
    /// editor.roll_back(&before)?;
    /// assert_eq!(editor.payload(name)?.text(), Some("Ada"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { editor: self.number, tree: self.tree.snapshot(), cascaded: self.cascaded.clone() }
    }

    /// Undoes all edits since a checkpoint. You can return to the same checkpoint again, and to earlier and later ones.
    /// Handles of structures that existed at the checkpoint stay valid. Structures that were added later count as
    /// removed.
    ///
    /// # Errors
    ///
    /// Returns [`EditError::Foreign`] if the checkpoint belongs to another editor.
    pub fn roll_back(&mut self, to: &Checkpoint) -> Result<(), EditError> {
        if to.editor != self.number {
            return Err(EditError::Foreign);
        }
        self.tree.restore(self.document, &to.tree);
        self.cascaded.clone_from(&to.cascaded);
        Ok(())
    }
}
