//! Tags that have no type where they stand, E0415: one finding for each type of superstructure and each tag,
//! at its first place and with how many there are.
//!
//! A run of a document knows its own; what the runs tell, taken in the order of the file, makes the same
//! table as the whole document does. The table is bounded, in each run typer and for the document: the
//! first [`MOST`] kinds of a document are among the first so many of whoever meets them.

use crate::ids::TypeId;
use crate::lookup::Meaning;
use crate::read::report_limits;
use crate::read_options::ReadOptions;
use crate::reserved::reserved_in;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::suggest::{Advisor, tag_of_type};
use crate::tally::{FirstPlace, MOST, UndefinedTag, UndefinedTally, undefined_message};
use crate::term;
use crate::undefined_scope::UndefinedScope;
use elf_base::{Diagnostic, Rules, Sink, codes};
use elf_tagged::elf_octets::Locator;
use elf_tagged::{Document, Node};
use indexmap::IndexMap;
use std::collections::HashMap;

/// Finds the tags that have no type under types that have one, as whoever types runs of a document meets
/// them.
#[derive(Clone, Debug)]
pub(crate) struct UndefinedTags {
    /// True if nothing is looked for.
    is_off: bool,
    /// True if each place is reported by itself.
    each: bool,
    scope: UndefinedScope,
    /// The index after the last node under an undefined structure of the current run.
    silent_until: usize,
    /// Each pair of superstructure and type that was met, up to [`MOST`].
    pairs: IndexMap<TypePair, Met>,
    /// The number of times that each further pair was met in the current run.
    further: HashMap<TypePair, u64>,
    /// Whether definitions agree on the undefined type of a structure, where the schema has such types.
    defined: HashMap<TypePair, bool>,
    advisor: Advisor,
}

/// The type of a structure and that of its superstructure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypePair {
    pub(crate) superstructure: TypeId,
    pub(crate) found: TypeId,
}

/// A tag without a type, as it was met under one type.
#[derive(Clone, Debug)]
enum Met {
    /// For a finding about all places: the first place, until that has been told, and how often it was met in
    /// the current run.
    Counted(Option<FirstPlace>, u64),
    /// For a finding about each place: help.
    Helped(Option<String>),
}

impl UndefinedTags {
    /// Makes a finder for documents that `resolver` gives types to; `each` says whether each place is
    /// reported by itself.
    pub(crate) fn new(resolver: &Resolver, each: bool) -> UndefinedTags {
        UndefinedTags {
            is_off: false,
            each,
            scope: resolver.schema().undefined_scope(),
            silent_until: 0,
            pairs: IndexMap::new(),
            further: HashMap::new(),
            defined: HashMap::new(),
            advisor: Advisor::default(),
        }
    }

    /// Makes a finder as reading is asked for.
    pub(crate) fn by_options(resolver: &Resolver, options: &ReadOptions<'_>) -> UndefinedTags {
        UndefinedTags { is_off: !options.check_tags, ..UndefinedTags::new(resolver, options.each_undefined) }
    }

    /// Makes a finder that has met nothing yet.
    pub(crate) fn anew(&self) -> UndefinedTags {
        UndefinedTags { pairs: IndexMap::new(), further: HashMap::new(), ..self.clone() }
    }

    /// Begins a run, and returns the lowest number of the types that it is to be told of.
    pub(crate) fn begin(&mut self, document: &Document<'_>, resolver: &Resolver) -> usize {
        self.silent_until = 0;
        // Dictionaries of 2017 do not define which structures are allowed where. For GEDCOM 7 files, one finding
        // about the version replaces findings about each new tag.
        let is_foreign = document.header().says_gedcom_7() && self.scope.is_of_5_5_1;
        match (self.is_off || resolver.dictionary().is_some() || is_foreign, self.scope.reaches_undefined) {
            (true, _) => usize::MAX,
            (false, true) => 0,
            (false, false) => resolver.schema().len(),
        }
    }

    /// Reports or counts a structure whose type may be an undefined one, under a type of the schema.
    #[cold]
    pub(crate) fn add_structure<'d>(
        &mut self,
        node: Node<'d>,
        types: TypePair,
        resolver: &mut Resolver,
        locator: &mut Option<Locator<'d>>,
        sink: &mut dyn Sink,
    ) {
        let TypePair { superstructure, found } = types;
        let tag = node.tag();
        if node.id().index() < self.silent_until || superstructure == TypeId::UNDEFINED {
            return;
        }
        if self.scope.reaches_undefined {
            if !resolver.is_undefined(found) {
                return;
            }
            self.silent_until = node.subtree_end().index();
            let is_defined = || matches!(resolver.meaning(superstructure, tag), Meaning::Type(_));
            if *self.defined.entry(types).or_insert_with(is_defined) {
                return;
            }
        }
        // The author of a GEDCOM 7 extension defines its content.
        if is_silent(node, superstructure) || resolver.schema().is_extension(superstructure) {
            return;
        }
        let locator = locator.get_or_insert_with(|| node.document().locator());
        let is_full = self.pairs.len() >= MOST;
        let met = match self.pairs.get_mut(&types) {
            Some(met) => met,
            // With one schema for several files, types of single files also have numbers after those of the schema.
            None if !resolver.is_undefined(found) => return,
            None if is_full && !self.each => {
                *self.further.entry(types).or_default() += 1;
                return;
            }
            None => {
                let met = if self.each {
                    Met::Helped(self.advisor.help(resolver, superstructure, tag))
                } else {
                    Met::Counted(Some(FirstPlace::of(node, locator)), 0)
                };
                // A tag that occurs now will probably occur again soon.
                if is_full {
                    self.pairs.clear();
                }
                self.pairs.entry(types).or_insert(met)
            }
        };
        match met {
            Met::Counted(_, count) => *count += 1,
            Met::Helped(help) => {
                let first = FirstPlace::of(node, locator);
                let above = above_of_type(resolver.schema(), superstructure, first.above.as_deref());
                let message = undefined_message(tag, above.as_deref(), 1);
                let rules = node.document().rules();
                let finding = Diagnostic::new(codes::TAG_UNDEFINED, rules, message);
                let finding = finding.at(first.place, first.excerpt);
                sink.report(match help {
                    Some(help) => finding.help(help.clone()),
                    None => finding,
                });
            }
        }
    }

    /// Takes what was met in the current run; the next one is counted anew.
    pub(crate) fn of_run(&mut self, resolver: &Resolver) -> Vec<UndefinedTag<TypeId>> {
        let mut tags = Vec::new();
        let mut add = |superstructure, found, first, count| {
            if let Some(tag) = resolver.iri(found).and_then(term::undefined_tag) {
                tags.push(UndefinedTag { superstructure, tag: tag.into(), first, count });
            }
        };
        for (&TypePair { superstructure, found }, met) in &mut self.pairs {
            if let Met::Counted(first, count @ 1..) = met {
                add(superstructure, found, first.take(), std::mem::take(count));
            }
        }
        for (TypePair { superstructure, found }, count) in self.further.drain() {
            add(superstructure, found, None, count);
        }
        tags
    }
}

/// Returns whether a structure may be undefined without a word: extensions are marked as such by an underscore,
/// and about what the rules made of a line, and about tags of the serialisation that are where they should
/// not, other findings say more.
fn is_silent(node: Node<'_>, superstructure: TypeId) -> bool {
    let tag = node.tag();
    tag.starts_with('_')
        || matches!(tag, "CONT" | "CONC" | "UNDEF")
        || node.is_error()
        || node.is_inserted()
        || reserved_in(tag, superstructure).is_some()
        || is_version(node)
}

/// Returns whether a structure is the ELF version of a header that is data, which no schema defines (S21).
fn is_version(node: Node<'_>) -> bool {
    let mut above = node.with_ancestors().skip(1).map(Node::tag);
    node.tag() == "ELF"
        && above.next() == Some("GEDC")
        && above.next() == Some("HEAD")
        && node.document().header().elf_version().is_some()
}

/// Reports the tags without types of a document, in the order in which they were met.
pub(crate) fn report(
    tally: UndefinedTally<TypeId>,
    resolver: &mut Resolver,
    rules: &Rules,
    sink: &mut dyn Sink,
) {
    report_limits(resolver.gave_up(), rules, sink);
    let mut advisor = Advisor::default();
    let say = |superstructure, tag: &str, above: Option<&str>| {
        let above = above_of_type(resolver.schema(), superstructure, above);
        (above, advisor.help(resolver, superstructure, tag))
    };
    tally.report(say, |message| Diagnostic::new(codes::TAG_UNDEFINED, rules, message), sink);
}

/// The superstructure in words; `None` of a record.
fn above_of_type(schema: &Schema, superstructure: TypeId, above: Option<&str>) -> Option<String> {
    above.map(|above| tag_of_type(schema, superstructure, above))
}
