//! Edits in which structures are given by their paths.

use crate::tree::{EditedTree, TOP};
use crate::{EditError, Editor, Structure, Value};
use elf_tagged::path::{self, FindError, Path, PathTree, Selector, Step, Types, Which, structures_at};
use std::borrow::Cow;

/// An edit in which structures are given by their paths.
///
/// It is an error if a path matches several structures, unless every step that does so contains `[*]` or `[=VALUE]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Edit {
    /// Sets the payload of the structures at the path.
    Set(Path, Value),
    /// Removes the structures at the path, with their substructures.
    Remove(Path),
    /// Adds a structure. The last step of the path is the tag of the structure, and the other steps lead to its
    /// superstructure. A number in the last step makes the structure the N-th with its tag.
    Insert(Path, Value),
    /// Moves a structure and its substructures from the first path to the second, and gives it the tag in the last
    /// step. If the last step is only an identifier, the structure moves under the record with that identifier.
    Move(Path, Path),
    /// Renames the first identifier to the second one, and updates every pointer to it. Both identifiers are given
    /// without at signs.
    Rename(String, String),
}

impl PathTree for EditedTree<'_> {
    type Structure = u32;

    fn visit(&self, above: Option<u32>, visit: &mut dyn FnMut(u32)) {
        self.substructures(above.unwrap_or(TOP)).for_each(visit);
    }

    fn superstructure(&self, item: u32) -> Option<u32> {
        Some(EditedTree::superstructure(*self, item)).filter(|&above| above != TOP)
    }

    fn tag(&self, item: u32) -> &str {
        EditedTree::tag(*self, item)
    }

    fn xref(&self, item: u32) -> Option<&str> {
        EditedTree::xref(*self, item)
    }

    fn value(&self, item: u32) -> Cow<'_, str> {
        EditedTree::payload(*self, item).into_value()
    }

    fn bearers(&self, xref: &str) -> Vec<u32> {
        EditedTree::items_with_xref(*self, xref)
    }
}

impl Editor<'_> {
    /// Finds the structure at a path.
    ///
    /// # Errors
    ///
    /// Returns [`EditError::Path`] if no structure matches the path, or if several do.
    pub fn find_one(&self, path: &Path, types: &mut dyn Types) -> Result<Structure, EditError> {
        let found = self.find_items(path.steps(), types)?;
        match *found.as_slice() {
            [one] => Ok(self.handle(one)),
            _ => Err(FindError::several(&self.edited_tree(), path.steps(), &found, "").into()),
        }
    }

    /// Finds all structures at a path.
    ///
    /// # Errors
    ///
    /// Returns [`EditError::Path`] if no structure matches the path.
    pub fn find(&self, path: &Path, types: &mut dyn Types) -> Result<Vec<Structure>, EditError> {
        Ok(path::find(&self.edited_tree(), path, types)?.into_iter().map(|item| self.handle(item)).collect())
    }

    /// Returns the path of a structure in the edited file.
    pub fn path_of(&self, structure: Structure) -> String {
        path::path_of(&self.edited_tree(), structure.item)
    }

    /// Makes an edit. If the edit fails, nothing is changed.
    ///
    /// # Errors
    ///
    /// Returns an error if a path matches no structure, if it matches several where one is needed, or if the edit is
    /// not possible there.
    ///
    /// ```
    /// use elf_edit::{Edit, Editor, Value};
    /// use elf_tagged::{Options, Rules};
    ///
    /// let file = b"0 HEAD\n0 @I1@ INDI\n1 SEX F\n0 TRLR\n";
    /// let document = elf_tagged::read(file, &Rules::WILD, &Options::default(), &mut ())?;
    /// let mut editor = Editor::new(&document);
    /// for edit in [
    ///     Edit::Insert("@I1@/BIRT".parse()?, Value::None),
    ///     Edit::Insert("@I1@/BIRT/DATE".parse()?, "1 JAN 1900".into()),
    ///     Edit::Move("@I1@/SEX".parse()?, "@I1@/_SEX".parse()?),
    ///     Edit::Rename("I1".to_owned(), "P1".to_owned()),
    /// ] {
    ///     editor.apply(&edit, &mut ())?;
    /// }
    /// let edited = editor.finish(&mut ())?;
    /// assert_eq!(&*edited.octets, b"0 HEAD\n0 @P1@ INDI\n1 _SEX F\n1 BIRT\n2 DATE 1 JAN 1900\n0 TRLR\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, edit: &Edit, types: &mut dyn Types) -> Result<(), EditError> {
        let added_before = self.tree.added_count();
        let applied = self.try_apply(edit, types);
        if applied.is_err() {
            // Remove the structures that were created along the path.
            for item in self.tree.added_since(self.document, added_before) {
                if self.edited_tree().exists(item) {
                    self.tree.remove(self.document, item);
                }
            }
        }
        applied
    }

    fn try_apply(&mut self, edit: &Edit, types: &mut dyn Types) -> Result<(), EditError> {
        match edit {
            Edit::Set(path, value) => {
                self.check_target(value)?;
                let found = self.find_or_create_items(path.steps(), types)?;
                // Check all structures first, so that an edit that fails changes nothing.
                for &item in &found {
                    self.settable_item(self.handle(item), value)?;
                }
                for item in found {
                    self.set(self.handle(item), value.clone())?;
                }
                Ok(())
            }
            Edit::Remove(path) => {
                let found = self.find_items(path.steps(), types)?;
                for &item in &found {
                    self.removable_item(self.handle(item))?;
                }
                for item in found {
                    // The structure may be gone already: removing another structure also removes pointers to it.
                    if self.edited_tree().exists(item) {
                        self.remove_cascading(item);
                    }
                }
                Ok(())
            }
            Edit::Insert(path, value) => {
                self.check_target(value)?;
                for place in self.find_insertion_points(path, types)? {
                    self.insert(place.above, place.xref, &place.tag, value.clone(), place.number)?;
                }
                Ok(())
            }
            Edit::Move(from, to) => self.move_by_path(from, to, types),
            Edit::Rename(xref, new) => self.rename(xref, new),
        }
    }

    fn check_target(&mut self, value: &Value) -> Result<(), EditError> {
        match value {
            // The pointer `@VOID@` deliberately refers to no record.
            Value::Pointer(xref) if self.document.header().is_void(xref) => Ok(()),
            Value::Pointer(xref)
                if !self.options.dangling && !self.tree.is_xref_in_use(self.document, xref) =>
            {
                self.check_xref(xref)?;
                Err(EditError::XrefUnknown { xref: xref.clone() })
            }
            _ => Ok(()),
        }
    }

    fn move_by_path(&mut self, from: &Path, to: &Path, types: &mut dyn Types) -> Result<(), EditError> {
        let structure = self.find_one(from, types)?;
        if let Some(Step { selector: Selector::Xref(_), .. }) = to.steps().last() {
            let above = self.find_one(to, types)?;
            return self.move_to(structure, Some(above), None);
        }
        let mut places = self.find_insertion_points(to, types)?;
        let place = places.pop().filter(|_| places.is_empty());
        let Some(InsertionPoint { above, xref, tag, number }) = place else {
            return Err(EditError::TagNeeded { found: to.to_string() });
        };
        let Structure { item, .. } = structure;
        let stays = self.edited_tree().superstructure(item) == above.map_or(TOP, |above| above.item);
        if xref.is_some_and(|xref| self.edited_tree().xref(item) != Some(xref)) {
            return Err(EditError::TagNeeded { found: to.to_string() });
        }
        // Check the tag first, so that an edit that fails changes nothing.
        self.check_tag(&tag, above.map_or(TOP, |above| above.item))?;
        let old = self.edited_tree().tag(item).to_owned();
        if old != tag {
            self.set_tag(structure, &tag)?;
        }
        if stays && number.is_none() {
            return Ok(());
        }
        let moved = self.move_to(structure, above, number);
        if moved.is_err() && old != tag {
            self.set_tag(structure, &old)?;
        }
        moved
    }

    /// Finds the places for a structure that will have this path. There is one place for each matching superstructure.
    fn find_insertion_points<'p>(
        &mut self,
        path: &'p Path,
        types: &mut dyn Types,
    ) -> Result<Vec<InsertionPoint<'p>>, EditError> {
        let needed = || EditError::TagNeeded { found: path.to_string() };
        let (last, steps) = path.steps().split_last().ok_or_else(needed)?;
        let number = match last.which {
            Which::Only => None,
            Which::Nth(number) => Some(number),
            Which::All => return Err(needed()),
        };
        if last.value.is_some() {
            return Err(needed());
        }
        let above = match steps {
            [] => vec![None],
            steps => self.find_or_create_items(steps, types)?.into_iter().map(Some).collect(),
        };
        let place = |above: Option<u32>| {
            let (xref, tag) = self.name_new_structure(last, above, types).ok_or_else(needed)?;
            Ok(InsertionPoint { above: above.map(|above| self.handle(above)), xref, tag, number })
        };
        above.into_iter().map(place).collect()
    }

    /// Returns the identifier and the tag of the structure that is created for a step. Returns `None` if the step has
    /// no tag.
    fn name_new_structure<'p>(
        &self,
        step: &'p Step,
        above: Option<u32>,
        types: &mut dyn Types,
    ) -> Option<(Option<&'p str>, String)> {
        match &step.selector {
            Selector::Tag(tag) => Some((None, String::from(&**tag))),
            Selector::Labelled(xref, tag) => Some((Some(&**xref), String::from(&**tag))),
            Selector::Xref(_) => None,
            Selector::Type(name) => {
                let tags = above.map(|above| self.edited_tree().tags(above)).unwrap_or_default();
                Some((None, types.tag_for(&tags, name)?))
            }
        }
    }

    fn find_items(&self, steps: &[Step], types: &mut dyn Types) -> Result<Vec<u32>, FindError> {
        let now = self.edited_tree();
        let mut found = vec![None];
        for index in 0..steps.len() {
            let so_far = &steps[..=index];
            let mut next = Vec::new();
            for &above in &found {
                next.extend(structures_at(&now, above, so_far, types)?.into_iter().map(Some));
            }
            if next.is_empty() {
                return Err(FindError::not_found(&now, so_far, &found));
            }
            found = next;
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Finds the structures at a path. If [`EditOptions::create`](crate::EditOptions::create) is set, creates missing
    /// structures.
    fn find_or_create_items(&mut self, steps: &[Step], types: &mut dyn Types) -> Result<Vec<u32>, EditError> {
        if !self.options.create {
            return Ok(self.find_items(steps, types)?);
        }
        let mut found = vec![None];
        for (index, step) in steps.iter().enumerate() {
            let so_far = &steps[..=index];
            let mut next = Vec::new();
            for &above in &found {
                let there = structures_at(&self.edited_tree(), above, so_far, types)?;
                next.extend(there.iter().copied().map(Some));
                if there.is_empty()
                    && let Some(made) = self.create_item(above, step, types)?
                {
                    next.push(Some(made));
                }
            }
            if next.is_empty() {
                return Err(FindError::not_found(&self.edited_tree(), so_far, &found).into());
            }
            found = next;
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Creates the structure for a step. Returns `None` if the step has no tag.
    fn create_item(
        &mut self,
        above: Option<u32>,
        step: &Step,
        types: &mut dyn Types,
    ) -> Result<Option<u32>, EditError> {
        let number = match step.which {
            Which::Only => None,
            Which::Nth(number) => Some(number),
            Which::All => return Ok(None),
        };
        let Some((xref, tag)) = self.name_new_structure(step, above, types) else { return Ok(None) };
        let value = step.value.as_deref().map_or(Value::None, Value::of);
        self.check_target(&value)?;
        let above = above.map(|above| self.handle(above));
        let Structure { item, .. } = self.insert(above, xref, &tag, value, number)?;
        Ok(Some(item))
    }

    /// Returns the item of a structure, if the structure can have this payload.
    pub(crate) fn settable_item(&self, structure: Structure, value: &Value) -> Result<u32, EditError> {
        let item = self.editable_item(structure)?;
        self.check_line_is_editable(item)?;
        self.check_value(value, self.edited_tree().metadata_root(item).is_some())?;
        Ok(item)
    }
}

struct InsertionPoint<'p> {
    above: Option<Structure>,
    xref: Option<&'p str>,
    tag: String,
    number: Option<u32>,
}
