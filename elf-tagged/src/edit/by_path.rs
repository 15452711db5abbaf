//! Edits that name structures by their paths.

use super::tree::TOP;
use super::{EditError, Editor, Path, Selector, Step, Structure, Value};

/// Says what this layer cannot know: the types of structures. `()` knows none.
pub trait Types {
    /// Whether a structure is of the type of that name, as written in a path, or of a subtype. `tags` are those from its
    /// record down to itself.
    fn is_of(&mut self, tags: &[&str], name: &str) -> bool;

    /// The tag of a structure of that type beneath the last of `tags`.
    fn tag_for(&mut self, tags: &[&str], name: &str) -> Option<String>;
}

impl Types for () {
    fn is_of(&mut self, _: &[&str], _: &str) -> bool {
        false
    }

    fn tag_for(&mut self, _: &[&str], _: &str) -> Option<String> {
        None
    }
}

/// An edit, by paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Edit {
    /// Gives a structure another payload.
    Set(Path, Value),
    /// Takes a structure away, with all beneath it.
    Remove(Path),
    /// Adds a structure: what the last step says, beneath what the others lead to. Its number makes it the N-th of its
    /// tag.
    Insert(Path, Value),
    /// Moves a structure, with all beneath it, to where the second path says, and gives it the tag of its last step. If
    /// that is an identifier alone, the structure is put beneath what bears it.
    Move(Path, Path),
    /// Gives the structure that bears the first identifier the second one, and leads all pointers there; both without
    /// at signs.
    Rename(String, String),
}

impl Editor<'_> {
    /// The structure a path leads to.
    ///
    /// # Errors
    ///
    /// [`EditError::NotFound`] where there is none.
    pub fn find(&self, path: &Path, types: &mut dyn Types) -> Result<Structure, EditError> {
        self.follow(path.steps(), types).map(Structure)
    }

    /// Makes an edit.
    ///
    /// # Errors
    ///
    /// Where a path leads nowhere, or the edit cannot be made there.
    ///
    /// ```
    /// use elf_tagged::edit::{Edit, Editor, Value};
    /// use elf_tagged::{Options, Rules};
    ///
    /// let file = b"0 HEAD\n0 @I1@ INDI\n1 SEX F\n0 TRLR\n";
    /// let mut editor = Editor::open(file, &Rules::WILD, &Options::default())?;
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
        match edit {
            Edit::Set(path, value) => {
                let structure = self.find(path, types)?;
                self.set(structure, value.clone())
            }
            Edit::Remove(path) => {
                let structure = self.find(path, types)?;
                self.remove(structure)
            }
            Edit::Insert(path, value) => {
                let place = self.place(path, types)?;
                let Place { above, xref, tag, number } = place;
                self.insert(above, xref, &tag, value.clone(), number).map(|_| ())
            }
            Edit::Move(from, to) => self.move_by_path(from, to, types),
            Edit::Rename(xref, new) => self.rename(xref, new),
        }
    }

    fn move_by_path(&mut self, from: &Path, to: &Path, types: &mut dyn Types) -> Result<(), EditError> {
        let structure = self.find(from, types)?;
        if let Some(Step { selector: Selector::Xref(_), .. }) = to.steps().last() {
            let above = self.find(to, types)?;
            return self.move_to(structure, Some(above), None);
        }
        let Place { above, xref, tag, number } = self.place(to, types)?;
        let Structure(item) = structure;
        let stays = self.now().superstructure(item) == above.map_or(TOP, |Structure(above)| above);
        if xref.is_some_and(|xref| self.now().xref(item) != Some(xref)) {
            return Err(EditError::TagNeeded { found: to.to_string() });
        }
        // Checked first, so that nothing is half done.
        self.check_tag(&tag, above.map_or(TOP, |Structure(above)| above))?;
        let old = self.now().tag(item).to_owned();
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

    /// Where a structure is to stand, by the path it then has.
    fn place<'p>(&self, path: &'p Path, types: &mut dyn Types) -> Result<Place<'p>, EditError> {
        let needed = || EditError::TagNeeded { found: path.to_string() };
        let (last, steps) = path.steps().split_last().ok_or_else(needed)?;
        let above = match steps {
            [] => None,
            steps => Some(self.follow(steps, types)?),
        };
        let (xref, tag) = match &last.selector {
            Selector::Tag(tag) => (None, String::from(&**tag)),
            Selector::Labelled(xref, tag) => (Some(&**xref), String::from(&**tag)),
            Selector::Xref(_) => return Err(needed()),
            Selector::Type(name) => {
                let tags = above.map(|above| self.now().tags(above)).unwrap_or_default();
                (None, types.tag_for(&tags, name).ok_or_else(needed)?)
            }
        };
        Ok(Place { above: above.map(Structure), xref, tag, number: last.number })
    }

    fn follow(&self, steps: &[Step], types: &mut dyn Types) -> Result<u32, EditError> {
        let mut at = TOP;
        for (index, step) in steps.iter().enumerate() {
            let found = self.step(at, step, types);
            at = found.ok_or_else(|| {
                let so_far: Vec<String> = steps.iter().take(index + 1).map(Step::to_string).collect();
                EditError::NotFound { path: so_far.join("/") }
            })?;
        }
        Ok(at)
    }

    fn step(&self, above: u32, step: &Step, types: &mut dyn Types) -> Option<u32> {
        let now = self.now();
        let number = step.number.map_or(0, |number| number as usize - 1);
        match &step.selector {
            Selector::Xref(xref) if above == TOP => now.bearers(xref).get(number).copied(),
            Selector::Xref(xref) => {
                now.substructures(above).filter(|&item| now.xref(item) == Some(xref)).nth(number)
            }
            Selector::Tag(tag) => {
                now.substructures(above).filter(|&item| now.tag(item) == &**tag).nth(number)
            }
            Selector::Labelled(xref, tag) => {
                let bears = |&item: &u32| now.xref(item) == Some(xref) && now.tag(item) == &**tag;
                now.substructures(above).filter(bears).nth(number)
            }
            Selector::Type(name) => {
                let mut tags = if above == TOP { Vec::new() } else { now.tags(above) };
                let mut is_of = |item: &u32| {
                    tags.push(now.tag(*item));
                    let is_of = types.is_of(&tags, name);
                    tags.pop();
                    is_of
                };
                now.substructures(above).filter(|item| is_of(item)).nth(number)
            }
        }
    }
}

/// Where a structure is to stand.
struct Place<'p> {
    above: Option<Structure>,
    xref: Option<&'p str>,
    tag: String,
    number: Option<u32>,
}
