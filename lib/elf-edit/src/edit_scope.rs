//! The records that edits name by their identifiers: from them follow the parts that the edits concern.

use crate::{Edit, Value};
use elf_base::PackedText;
use elf_tagged::elf_lines::VOID;
use elf_tagged::path::{Path, Selector, Step, Which};
use std::collections::HashSet;

/// The identifiers of the records that edits change, and of those that they only lead to.
#[derive(Clone, Debug, Default)]
pub struct EditScope {
    /// The records whose structures change or that are added.
    pub(crate) changed: Labels,
    /// The records among them that may go, or bear another identifier then.
    pub(crate) leaving: Labels,
    /// The records of which only matters whether they are there.
    pub(crate) named: Labels,
    /// True if an edit names the header.
    pub(crate) header: bool,
    /// The identifiers that are no number.
    pub(crate) long: HashSet<Box<str>>,
}

/// Identifiers: short ones as numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) short: HashSet<u64>,
    pub(crate) long: HashSet<Box<str>>,
}

impl EditScope {
    /// The records that edits name; `None` where one names records by something else than identifiers and
    /// `HEAD`, such as the third record of its kind: then all of the file matters.
    ///
    /// ```
    /// use elf_edit::{Edit, EditScope, Value};
    ///
    /// let named = |path: &str| EditScope::of(&[Edit::Set(path.parse().expect("a path"), Value::None)]);
    /// assert!(named("@I1@/BIRT").is_some() && named("HEAD/SOUR").is_some());
    /// assert!(named("INDI[3]/BIRT").is_none());
    /// ```
    pub fn of<'e>(edits: impl IntoIterator<Item = &'e Edit>) -> Option<EditScope> {
        let mut scope = EditScope::default();
        for edit in edits {
            match edit {
                Edit::Set(path, value) | Edit::Insert(path, value) => {
                    scope.path(path, false)?;
                    scope.value(value);
                }
                Edit::Remove(path) => scope.path(path, true)?,
                Edit::Move(from, to) => {
                    scope.path(from, true)?;
                    scope.path(to, false)?;
                }
                // No list of identifiers has it, for no pointer leads there.
                Edit::Rename(xref, _) if xref == VOID => return None,
                Edit::Rename(xref, new) => {
                    scope.changed.add(xref);
                    scope.leaving.add(xref);
                    scope.named.add(new);
                }
            }
        }
        let all = [&scope.changed, &scope.leaving, &scope.named];
        scope.long = all.into_iter().flat_map(|labels| labels.long.iter().cloned()).collect();
        Some(scope)
    }

    fn path(&mut self, path: &Path, leaves: bool) -> Option<()> {
        let (first, rest) = path.steps().split_first()?;
        // Which one of several is a question of the whole file.
        match (xref_of(first), &first.which) {
            (_, Which::Nth(_)) | (Some(VOID), _) => return None,
            (Some(xref), _) => {
                self.changed.add(xref);
                if leaves {
                    self.leaving.add(xref);
                }
            }
            (None, _) if first.selector == Selector::Tag("HEAD".into()) && first.value.is_none() => {
                self.header = true;
            }
            (None, _) => return None,
        }
        rest.iter().filter_map(xref_of).for_each(|xref| self.named.add(xref));
        // A structure that is made gets the payload by which it is sought.
        path.steps().iter().filter_map(|step| step.value.as_deref()).for_each(|text| {
            self.value(&Value::of(text));
        });
        Some(())
    }

    fn value(&mut self, value: &Value) {
        if let Value::Pointer(xref) = value {
            self.named.add(xref);
        }
    }
}

fn xref_of(step: &Step) -> Option<&str> {
    match &step.selector {
        Selector::Xref(xref) | Selector::Labelled(xref, _) => Some(xref),
        Selector::Tag(_) | Selector::Type(_) => None,
    }
}

impl Labels {
    fn add(&mut self, xref: &str) {
        match PackedText::of(xref) {
            Some(packed) => {
                self.short.insert(packed.number());
            }
            None => {
                self.long.insert(xref.into());
            }
        }
    }
}
