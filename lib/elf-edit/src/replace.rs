//! Replaces text in the payloads of structures with certain tags or types.

use crate::{EditError, Editor, Value};
use elf_tagged::path::{Path, Selector, Types, Which};
use elf_tagged::{Node, Payload};
use regex::{NoExpand, Regex, RegexBuilder, Replacer};
use std::borrow::Cow;
use std::str::FromStr;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The tags and types of the structures in whose payloads text is replaced, at any depth.
///
/// ```
/// use elf_edit::ReplacePlaces;
///
/// let places: ReplacePlaces = "PLAC, elf:NOTE".parse()?;
/// assert!("PLAC,".parse::<ReplacePlaces>().is_err() && "BIRT/PLAC".parse::<ReplacePlaces>().is_err());
/// # Ok::<(), elf_edit::ReplaceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacePlaces(Vec<TagOrType>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum TagOrType {
    Tag(Box<str>),
    Type(Box<str>),
}

/// The way in which the text to replace is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplaceOptions {
    /// Whether only payloads that are equal to the whole text are replaced.
    pub whole: bool,
    /// Whether the text is a regular expression. In the new text, `$1` or `${name}` then represents a group of the
    /// expression.
    pub regex: bool,
    /// Whether the case of letters is ignored.
    pub ignore_case: bool,
}

/// A text to search for, and its replacement.
#[derive(Clone, Debug)]
pub struct Replacement {
    pattern: Regex,
    whole: bool,
    new: NewText,
}

#[derive(Clone, Debug)]
enum NewText {
    Plain(String),
    /// A text in which `${1}` represents a group of the regular expression.
    Template(String),
}

/// The reason why a replacement is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The text for the places contains a word that is neither a tag nor a type.
    #[error("expected tags or types with commas between them, such as `PLAC,elf:NOTE`, but found `{0}`")]
    Place(String),
    /// The text to replace is empty.
    #[error("expected a text to replace, but it is empty")]
    Empty,
    /// The regular expression is malformed.
    #[error("{0}")]
    Pattern(String),
    /// The new text contains a group that the regular expression does not have.
    #[error("the regular expression has no group `{0}`; write `$$` for a dollar sign")]
    Group(String),
}

impl FromStr for ReplacePlaces {
    type Err = ReplaceError;

    fn from_str(list: &str) -> Result<ReplacePlaces, ReplaceError> {
        let place = |name: &str| {
            let wrong = || ReplaceError::Place(name.to_owned());
            let path: Path = name.trim().parse().map_err(|_| wrong())?;
            let [step] = path.steps() else { return Err(wrong()) };
            match (&step.selector, &step.value, step.which) {
                (Selector::Tag(tag), None, Which::Only) => Ok(TagOrType::Tag(tag.clone())),
                (Selector::Type(name), None, Which::Only) => Ok(TagOrType::Type(name.clone())),
                _ => Err(wrong()),
            }
        };
        Ok(ReplacePlaces(list.split(',').map(place).collect::<Result<_, _>>()?))
    }
}

impl ReplacePlaces {
    fn contain(&self, node: Node<'_>, types: &mut dyn Types) -> bool {
        let mut tags: Vec<&str> = Vec::new();
        self.0.iter().any(|place| match place {
            TagOrType::Tag(tag) => **tag == *node.tag(),
            TagOrType::Type(name) => {
                if tags.is_empty() {
                    tags.extend(node.with_ancestors().map(Node::tag));
                    tags.reverse();
                }
                types.is_of(&tags, name)
            }
        })
    }
}

impl Replacement {
    /// Creates a replacement of `from` by `to`.
    ///
    /// # Errors
    ///
    /// Returns an error if `from` is empty or a malformed regular expression, or if `to` contains a group that does not
    /// exist.
    pub fn new(from: &str, to: &str, options: ReplaceOptions) -> Result<Replacement, ReplaceError> {
        // An empty payload can be replaced as a whole. In a search within payloads, the empty text would match
        // everywhere.
        if from.is_empty() && !options.whole {
            return Err(ReplaceError::Empty);
        }
        let from: String = from.nfc().collect();
        let pattern = if options.regex { from } else { regex::escape(&from) };
        let compile = |pattern: &str| {
            let built = RegexBuilder::new(pattern).case_insensitive(options.ignore_case).build();
            built.map_err(|error| ReplaceError::Pattern(error.to_string()))
        };
        let mut compiled = compile(&pattern)?;
        let new = match options.regex {
            true => NewText::Template(parse_template(to, &compiled)?),
            false => NewText::Plain(to.to_owned()),
        };
        if options.whole {
            // The line break ends a comment in the extended syntax. Elsewhere in this syntax, a line break has no
            // meaning.
            compiled = compile(&format!(r"\A(?:{pattern})\z"))
                .or_else(|_| compile(&format!("\\A(?:{pattern}\n)\\z")))?;
        }
        Ok(Replacement { pattern: compiled, whole: options.whole, new })
    }

    /// Returns the text with the replacements. Returns `None` if the text stays the same.
    ///
    /// ```
    /// use elf_edit::{ReplaceOptions, Replacement};
    ///
    /// let plain = Replacement::new("Danzig", "Gdańsk", ReplaceOptions::default())?;
    /// assert_eq!(plain.applied_to("Danzig, Danzig").as_deref(), Some("Gdańsk, Gdańsk"));
    /// assert_eq!(plain.applied_to("danzig"), None);
    /// # Ok::<(), elf_edit::ReplaceError>(())
    /// ```
    pub fn applied_to(&self, text: &str) -> Option<String> {
        match self.replace_in(text) {
            // ANSEL is decoded as letters that are followed by combining marks, but keyboards write composed letters.
            None if !is_nfc(text) => self.replace_in(&text.nfc().collect::<String>()),
            new => new,
        }
    }

    fn replace_in(&self, text: &str) -> Option<String> {
        let new = match &self.new {
            NewText::Plain(new) => self.replace_matches(text, NoExpand(new)),
            NewText::Template(new) => self.replace_matches(text, new.as_str()),
        };
        match new {
            Cow::Owned(new) if new != text => Some(new),
            Cow::Owned(_) | Cow::Borrowed(_) => None,
        }
    }

    fn replace_matches<'t>(&self, text: &'t str, new: impl Replacer) -> Cow<'t, str> {
        if self.whole { self.pattern.replace(text, new) } else { self.pattern.replace_all(text, new) }
    }
}

/// Writes `$1` as `${1}`, so that letters that follow it are not read as part of the group's name. Returns an error if
/// a group does not exist.
fn parse_template(to: &str, pattern: &Regex) -> Result<String, ReplaceError> {
    let mut template = String::new();
    let mut rest = to;
    while let Some(at) = rest.find('$') {
        template.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let braced = after.strip_prefix('{').and_then(|name| name.split_once('}'));
        let (group, behind) = match (after.strip_prefix('$'), braced) {
            (Some(behind), _) => {
                template.push_str("$$");
                rest = behind;
                continue;
            }
            (None, Some((name, behind))) => (name, behind),
            (None, None) => after.split_at(group_name_length(after)),
        };
        let number = group.parse::<usize>().ok();
        let is_there = match number {
            Some(number) => number < pattern.captures_len(),
            None => pattern.capture_names().flatten().any(|name| name == group),
        };
        if !is_there {
            return Err(ReplaceError::Group(group.to_owned()));
        }
        template.push_str(&format!("${{{group}}}"));
        rest = behind;
    }
    template.push_str(rest);
    Ok(template)
}

/// Returns the length of a group name without braces. Such a name consists of digits, or of letters, digits and
/// underscores.
fn group_name_length(text: &str) -> usize {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit());
    let is_part = |c: char| c.is_ascii_digit() || !is_number && (c.is_ascii_alphabetic() || c == '_');
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

impl Editor<'_> {
    /// Replaces text in the payloads of all structures at `places`, including their continuation lines. Returns the
    /// number of payloads that changed. Pointers never change.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`set`](Editor::set). The editor has then made some of the replacements.
    ///
    /// ```
    /// use elf_edit::{Editor, ReplaceOptions, Replacement};
    /// use elf_tagged::{Options, Rules};
    ///
    /// let file = b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 PLAC Dan\n3 CONC zig\n0 TRLR\n";
    /// let document = elf_tagged::read(file, &Rules::WILD, &Options::default(), &mut ())?;
    /// let mut editor = Editor::new(&document);
    /// let replacement = Replacement::new("Danzig", "Gdansk", ReplaceOptions::default())?;
    /// assert_eq!(editor.replace(&"PLAC".parse()?, &replacement, &mut ())?, 1);
    /// let edited = editor.finish(&mut ())?;
    /// assert_eq!(&*edited.octets, b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 PLAC Gdansk\n0 TRLR\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace(
        &mut self,
        places: &ReplacePlaces,
        replacement: &Replacement,
        types: &mut dyn Types,
    ) -> Result<u64, EditError> {
        self.check_complete()?;
        let mut changed = 0;
        for node in self.document().nodes() {
            if node.is_continuation() || node.is_inserted() || node.is_error() || !places.contain(node, types)
            {
                continue;
            }
            let structure = self.structure(node)?;
            let new = match self.payload(structure)? {
                Payload::Pointer(_) => continue,
                payload => replacement.applied_to(payload.text().unwrap_or("")),
            };
            let Some(new) = new else { continue };
            self.set(structure, if new.is_empty() { Value::None } else { Value::Text(new) })?;
            changed += 1;
        }
        Ok(changed)
    }
}
