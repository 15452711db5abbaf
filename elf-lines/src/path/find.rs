//! Finds the structures of a tree by their paths.

use super::{Path, Selector, Step, Which, push_step};
use elf_base::Excerpt;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// A tree of structures in which paths are followed: a document, or a document with edits.
pub trait PathTree {
    /// A handle that identifies a structure of the tree.
    type Structure: Copy + PartialEq;

    /// Visits the substructures of a structure in order. For `None`, visits the records, including header and trailer.
    fn visit(&self, above: Option<Self::Structure>, visit: &mut dyn FnMut(Self::Structure));

    /// Returns the structure directly above a structure. Returns `None` for a record.
    fn superstructure(&self, structure: Self::Structure) -> Option<Self::Structure>;

    /// Returns the tag of a structure.
    fn tag(&self, structure: Self::Structure) -> &str;

    /// Returns the identifier of a structure, without at signs.
    fn xref(&self, structure: Self::Structure) -> Option<&str>;

    /// Returns the payload in the form that `[=VALUE]` uses: unescaped text, or a pointer with its at signs.
    fn value(&self, structure: Self::Structure) -> Cow<'_, str>;

    /// Returns the structures that have an identifier, in the order of the tree. The identifier is given without at
    /// signs.
    fn bearers(&self, xref: &str) -> Vec<Self::Structure>;

    /// Returns whether a structure has the type `name` (as written in a path) or a subtype of it. A tree without types
    /// returns `None`, which is the default, and [`Types`] are asked instead.
    fn is_of(&self, _: Self::Structure, _: &str) -> Option<bool> {
        None
    }
}

/// The source of structure types, for a tree that does not know types. `()` knows no types.
pub trait Types {
    /// Returns whether a structure has the type `name` (as written in a path) or a subtype of it. `tags` are the tags
    /// from its record down to the structure itself.
    fn is_of(&mut self, tags: &[&str], name: &str) -> bool;

    /// Returns the tag that a structure of the type `name` has under the last of `tags`.
    fn tag_for(&mut self, tags: &[&str], name: &str) -> Option<String>;

    /// Returns whether a structure has a type. `tags` are the tags from its record down to the structure itself. The
    /// default is true for every structure.
    fn is_defined(&mut self, _: &[&str]) -> bool {
        true
    }
}

impl Types for () {
    fn is_of(&mut self, _: &[&str], _: &str) -> bool {
        false
    }

    fn tag_for(&mut self, _: &[&str], _: &str) -> Option<String> {
        None
    }
}

/// The reason why a path does not match exactly one structure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindError {
    /// No structure is at the path.
    NotFound {
        /// The path, up to the first step that matches nothing.
        path: String,
        /// A sentence that lists the existing structures, or an empty text.
        there: String,
    },
    /// Several structures are at a path that must match one structure.
    Several {
        /// The path, up to the first step that matches several structures.
        path: String,
        /// The number of structures at the path.
        count: usize,
        /// A list of the structures, and how to select all of them.
        found: String,
    },
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FindError::NotFound { path, there } => {
                write!(f, "no structure at `{path}`{}", prefix_unless_empty("; ", there))
            }
            FindError::Several { path, count, found } => {
                write!(f, "`{path}` matches {count} structures: {found}")
            }
        }
    }
}

impl Error for FindError {}

fn prefix_unless_empty(before: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { [before, text].concat() }
}

/// Finds all structures that match a path, in the order of the tree.
///
/// # Errors
///
/// Returns [`FindError::NotFound`] if no structure matches the path.
pub fn find<T: PathTree>(
    tree: &T,
    path: &Path,
    types: &mut dyn Types,
) -> Result<Vec<T::Structure>, FindError> {
    let mut found = vec![None];
    for (index, each) in path.steps().iter().enumerate() {
        let next: Vec<_> = found.iter().flat_map(|&above| find_step(tree, above, each, types)).collect();
        if next.is_empty() {
            return Err(FindError::not_found(tree, &path.steps()[..=index], &found));
        }
        found = next.into_iter().map(Some).collect();
    }
    Ok(found.into_iter().flatten().collect())
}

/// Finds all structures that match a path relative to a structure. The first step selects among its substructures.
pub fn find_under<T: PathTree>(
    tree: &T,
    above: T::Structure,
    path: &Path,
    types: &mut dyn Types,
) -> Vec<T::Structure> {
    let mut found = vec![above];
    for each in path.steps() {
        found = found.iter().flat_map(|&above| find_step(tree, Some(above), each, types)).collect();
    }
    found
}

/// Finds the structures that a step matches among the substructures of `above`. If `above` is `None`, searches the
/// records.
fn find_step<T: PathTree>(
    tree: &T,
    above: Option<T::Structure>,
    step: &Step,
    types: &mut dyn Types,
) -> Vec<T::Structure> {
    let mut found = match (&step.selector, above) {
        (Selector::Xref(xref), None) => tree.bearers(xref),
        (Selector::Labelled(xref, tag), None) => {
            let mut bearers = tree.bearers(xref);
            bearers.retain(|&each| tree.superstructure(each).is_none() && tree.tag(each) == &**tag);
            bearers
        }
        (selector, _) => {
            let mut tags = match (selector, above) {
                (Selector::Type(_), Some(above)) => tags_down_to(tree, above),
                _ => Vec::new(),
            };
            let mut found = Vec::new();
            tree.visit(above, &mut |each| {
                let fits = match selector {
                    Selector::Tag(tag) => tree.tag(each) == &**tag,
                    Selector::Xref(xref) => tree.xref(each) == Some(xref),
                    Selector::Labelled(xref, tag) => {
                        tree.xref(each) == Some(xref) && tree.tag(each) == &**tag
                    }
                    Selector::Type(name) => tree.is_of(each, name).unwrap_or_else(|| {
                        tags.push(tree.tag(each));
                        let is_of = types.is_of(&tags, name);
                        tags.pop();
                        is_of
                    }),
                };
                if fits {
                    found.push(each);
                }
            });
            found
        }
    };
    if let Some(value) = &step.value {
        found.retain(|&each| tree.value(each) == **value);
    }
    match step.which {
        Which::Only | Which::All => found,
        Which::Nth(number) => found.get(number as usize - 1).copied().into_iter().collect(),
    }
}

/// Finds the structures that match the last of `steps` among the substructures of `above`. Finding more structures than
/// the path allows is an error.
///
/// # Errors
///
/// Returns [`FindError::Several`] if several structures match, and the step has neither `[N]` nor `[*]`.
pub fn structures_at<T: PathTree>(
    tree: &T,
    above: Option<T::Structure>,
    steps: &[Step],
    types: &mut dyn Types,
) -> Result<Vec<T::Structure>, FindError> {
    let Some(last) = steps.last() else { return Ok(Vec::new()) };
    let found = find_step(tree, above, last, types);
    if found.len() < 2 || last.which == Which::All || last.value.is_some() {
        return Ok(found);
    }
    Err(FindError::several(tree, steps, &found, &format!("`{last}[*]` selects all of them")))
}

impl FindError {
    /// Creates the error for a path that matches several structures. `help` tells the user how to select one or all of
    /// them.
    pub fn several<T: PathTree>(tree: &T, steps: &[Step], found: &[T::Structure], help: &str) -> FindError {
        /// The greatest number of structures that the error lists.
        const LISTED: usize = 8;
        let mut list: Vec<String> =
            found.iter().take(LISTED).map(|&each| describe_structure(tree, each)).collect();
        if found.len() > LISTED {
            list.push(format!("{} more", found.len() - LISTED));
        }
        let found_text = format!("{}{}", list.join(", "), prefix_unless_empty("; ", help));
        FindError::Several { path: join_steps(steps), count: found.len(), found: found_text }
    }

    /// Creates the error for a path whose last step matches no structure. `above` contains the structures that the
    /// other steps match.
    pub fn not_found<T: PathTree>(tree: &T, steps: &[Step], above: &[Option<T::Structure>]) -> FindError {
        let path = join_steps(steps);
        let last = steps.last().map(|step| &step.selector);
        let there = match (above, last) {
            ([None], Some(Selector::Xref(xref) | Selector::Labelled(xref, _)))
                if tree.bearers(xref).is_empty() =>
            {
                format!("no record has the identifier `@{xref}@`")
            }
            (&[above], _) => {
                let tags = list_tags(tree, above);
                match above {
                    _ if tags.is_empty() => "nothing is there".to_owned(),
                    None => format!("the records are {tags}"),
                    Some(above) => format!("`{}` has {tags}", path_of(tree, above)),
                }
            }
            _ => String::new(),
        };
        FindError::NotFound { path, there }
    }
}

fn describe_structure<T: PathTree>(tree: &T, structure: T::Structure) -> String {
    const SHOWN: usize = 30;
    let path = path_of(tree, structure);
    let value = tree.value(structure);
    let text = value.trim_matches([' ', '\t']);
    let line = text.lines().next().unwrap_or_default();
    let start = Excerpt::start(line, SHOWN);
    let more = if line.len() < text.len() && line.chars().nth(SHOWN).is_none() { "…" } else { "" };
    if start.is_empty() { format!("`{path}`") } else { format!("`{path}` ({start}{more})") }
}

/// Lists the tags under a structure, each with the numbers of its structures.
fn list_tags<T: PathTree>(tree: &T, above: Option<T::Structure>) -> String {
    const LISTED: usize = 16;
    let mut tags: Vec<(&str, u32)> = Vec::new();
    let mut more = false;
    tree.visit(above, &mut |each| {
        let tag = tree.tag(each);
        let full = tags.len() == LISTED;
        match tags.iter_mut().find(|(other, _)| *other == tag) {
            Some((_, count)) => *count += 1,
            None if full => more = true,
            None => tags.push((tag, 1)),
        }
    });
    let mut list: Vec<String> = tags
        .into_iter()
        .map(|(tag, count)| if count == 1 { tag.to_owned() } else { format!("{tag}[1..{count}]") })
        .collect();
    list.extend(more.then(|| "others".to_owned()));
    list.join(", ")
}

fn join_steps(steps: &[Step]) -> String {
    let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
    steps.join("/")
}

fn tags_down_to<T: PathTree>(tree: &T, structure: T::Structure) -> Vec<&str> {
    let mut tags = Vec::new();
    let mut at = Some(structure);
    while let Some(each) = at {
        tags.push(tree.tag(each));
        at = tree.superstructure(each);
    }
    tags.reverse();
    tags
}

/// Returns the path of a structure, in a form that [`find`] accepts. The time grows with the number of its siblings,
/// and with the number of siblings of every structure above it.
pub fn path_of<T: PathTree>(tree: &T, structure: T::Structure) -> String {
    let mut steps = vec![structure];
    while let Some(above) = steps.last().and_then(|&last| tree.superstructure(last)) {
        steps.push(above);
    }
    let mut path = String::new();
    let mut above = None;
    for &each in steps.iter().rev() {
        let xref = if above.is_none() { tree.xref(each) } else { None };
        let (mut number, mut count) = (0, 0);
        let mut add = |other: T::Structure| {
            count += 1;
            if other == each {
                number = count;
            }
        };
        match xref {
            Some(xref) => tree.bearers(xref).into_iter().for_each(&mut add),
            None => tree.visit(above, &mut |other| {
                if tree.tag(other) == tree.tag(each) {
                    add(other);
                }
            }),
        }
        push_step(&mut path, xref, tree.tag(each), number, count);
        above = Some(each);
    }
    path
}
