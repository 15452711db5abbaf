//! Merges the unknown tags of all runs of a document. Used for the types of a schema, and for the kinds of a structural
//! standard.

use crate::brief::shorten_text;
use elf_base::{Diagnostic, Excerpt, Place, Sink};
use elf_tagged::Node;
use elf_tagged::elf_octets::Locator;
use indexmap::IndexMap;
use std::hash::Hash;
use std::num::NonZero;

/// The maximum number of unknown tags (counted per type of the superstructure) that are reported separately for a
/// document.
pub const MOST: usize = 10_000;

/// The first place of an unknown tag.
#[derive(Clone, Debug)]
pub struct FirstPlace {
    /// The place of the tag.
    pub place: Place,
    /// The line of the tag.
    pub excerpt: Option<Excerpt>,
    /// The tag of the superstructure; `None` for a record.
    pub above: Option<Box<str>>,
}

impl FirstPlace {
    /// Returns the place of the tag of a structure.
    pub fn of(node: Node<'_>, locator: &mut Locator<'_>) -> FirstPlace {
        let span = node.tag_span();
        let above = node.superstructure().map(|above| above.tag().into());
        FirstPlace { place: locator.place(span), excerpt: locator.excerpt(span), above }
    }
}

/// An unknown tag under superstructures of one type, in a run of a document.
#[derive(Clone, Debug)]
pub struct UndefinedTag<K> {
    /// The type of the superstructure.
    pub superstructure: K,
    /// The tag.
    pub tag: Box<str>,
    /// The first place; `None` if an earlier run has it, or if there are too many unknown tags.
    pub first: Option<FirstPlace>,
    /// The number of occurrences in the run.
    pub count: u64,
}

/// The unknown tags of a document: the first place and the number of occurrences of each tag under each type.
#[derive(Clone, Debug)]
pub struct UndefinedTally<K> {
    pairs: IndexMap<(K, Box<str>), (FirstPlace, u64)>,
    /// The number of occurrences beyond [`MOST`].
    further: u64,
}

impl<K> Default for UndefinedTally<K> {
    fn default() -> Self {
        UndefinedTally { pairs: IndexMap::new(), further: 0 }
    }
}

impl<K: Copy + Eq + Hash> UndefinedTally<K> {
    /// Adds the unknown tags of the next run, in the order of the file.
    pub fn add_run(&mut self, run: Vec<UndefinedTag<K>>) {
        for UndefinedTag { superstructure, tag, first, count } in run {
            let pair = (superstructure, tag);
            let is_full = self.pairs.len() >= MOST;
            match (self.pairs.get_mut(&pair), first) {
                (Some((_, counted)), _) => *counted += count,
                (None, Some(first)) if !is_full => {
                    self.pairs.insert(pair, (first, count));
                }
                (None, _) => self.further += count,
            }
        }
    }

    /// Reports the tags in the order of their first places. `say` returns the name of the superstructure (`None` for
    /// records) and help; `make` creates a finding from a message, about a tag under a superstructure, or about all tags
    /// beyond [`MOST`].
    pub fn report(
        self,
        mut say: impl FnMut(K, &str, Option<&str>) -> (Option<String>, Option<String>),
        make: impl Fn(Option<K>, String) -> Diagnostic,
        sink: &mut dyn Sink,
    ) {
        for ((superstructure, tag), (first, count)) in self.pairs {
            let mut finding = make(Some(superstructure), String::new()).at(first.place, first.excerpt);
            if sink.wants_words(finding.code, finding.place) {
                let (above, help) = say(superstructure, &tag, first.above.as_deref());
                finding.message = undefined_message(&tag, above.as_deref(), count).into();
                if let Some(help) = help {
                    finding = finding.help(help);
                }
            }
            if let Some(count) = NonZero::new(count) {
                finding = finding.count(count);
            }
            sink.report(finding);
        }
        if let Some(further) = NonZero::new(self.further) {
            let message = format!("{further} more structures have unknown tags");
            let help = format!("only the first {MOST} unknown tags of a file are reported separately");
            sink.report(make(None, message).count(further).help(help));
        }
    }
}

/// The message about a tag that is unknown under a structure, or as a record if `above` is `None`.
pub fn undefined_message(tag: &str, above: Option<&str>, count: u64) -> String {
    let tag = shorten_text(tag);
    let mut message = match above {
        None => format!("unknown record tag `{tag}`"),
        Some(above) => format!("unknown tag `{tag}` under {above}"),
    };
    if count > 1 {
        message.push_str(&format!(" ({count} occurrences)"));
    }
    message
}
