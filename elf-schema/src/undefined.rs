//! Unknown tags (E0415): one finding for each tag and type of superstructure, at the first place and with the number of
//! occurrences.
//!
//! Each run collects its own unknown tags. Merged in the order of the file, they are the same as those of the whole
//! document. The number of tags is limited to [`MOST`] in each typer and in the document; the first ones of the
//! document are also among the first ones of each typer that meets them.

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

/// Collects tags that have no type under a superstructure that has one, in the runs of a document.
#[derive(Clone, Debug)]
pub(crate) struct UndefinedTags {
    /// True if unknown tags are not collected.
    is_off: bool,
    /// True if every occurrence is reported.
    each: bool,
    scope: UndefinedScope,
    /// The index after the last node under an undefined structure of the current run.
    silent_until: usize,
    /// The first [`MOST`] pairs of superstructure and type.
    pairs: IndexMap<TypePair, FoundTag>,
    /// The number of occurrences of other pairs in the current run.
    further: HashMap<TypePair, u64>,
    /// Cache: whether the schema itself defines the undefined type of a structure.
    defined: HashMap<TypePair, bool>,
    advisor: Advisor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypePair {
    pub(crate) superstructure: TypeId,
    pub(crate) found: TypeId,
}

/// What was found for a tag without a type under some type.
#[derive(Clone, Debug)]
enum FoundTag {
    /// For one finding about all occurrences: the first place, until a run has returned it, and the number of
    /// occurrences in the current run.
    Counted(Option<FirstPlace>, u64),
    /// For a finding about each occurrence: help.
    Helped(Option<String>),
}

impl UndefinedTags {
    /// Creates a collector for documents typed by `resolver`. If `each`, every occurrence is reported.
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

    /// Creates a collector as the options ask for.
    pub(crate) fn by_options(resolver: &Resolver, options: &ReadOptions<'_>) -> UndefinedTags {
        UndefinedTags { is_off: !options.check_tags, ..UndefinedTags::new(resolver, options.each_undefined) }
    }

    /// Creates an empty collector with the same settings.
    pub(crate) fn new_empty(&self) -> UndefinedTags {
        UndefinedTags { pairs: IndexMap::new(), further: HashMap::new(), ..self.clone() }
    }

    /// Starts a run. Returns the lowest number of a type that must be passed to this collector.
    pub(crate) fn begin_run(&mut self, document: &Document<'_>, resolver: &Resolver) -> usize {
        self.silent_until = 0;
        // Dictionaries of 2017 do not define which structures are allowed where. For GEDCOM 7 files, one finding
        // about the version replaces findings about each new tag.
        let is_foreign = document.header().says_gedcom_7() && self.scope.is_of_5_5_1;
        match (
            self.is_off || resolver.dictionary().is_some() || is_foreign,
            self.scope.can_type_under_undefined,
        ) {
            (true, _) => usize::MAX,
            (false, true) => 0,
            (false, false) => resolver.schema().len(),
        }
    }

    /// Reports or counts a structure under a type of the schema, if its own type is undefined.
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
        if self.scope.can_type_under_undefined {
            if !resolver.is_undefined(found) {
                return;
            }
            self.silent_until = node.subtree_end().index();
            let is_defined = || matches!(resolver.find_meaning(superstructure, tag), Meaning::Type(_));
            if *self.defined.entry(types).or_insert_with(is_defined) {
                return;
            }
        }
        // The content of a GEDCOM 7 extension is defined by its author.
        if is_reported_elsewhere(node, superstructure) || resolver.schema().is_extension(superstructure) {
            return;
        }
        let locator = locator.get_or_insert_with(|| node.document().locator());
        let is_full = self.pairs.len() >= MOST;
        let met = match self.pairs.get_mut(&types) {
            Some(met) => met,
            // With a common schema for several files, types of a single file are numbered after those of the schema,
            // too.
            None if !resolver.is_undefined(found) => return,
            None if is_full && !self.each => {
                *self.further.entry(types).or_default() += 1;
                return;
            }
            None => {
                let met = if self.each {
                    FoundTag::Helped(self.advisor.find_help(resolver, superstructure, tag))
                } else {
                    FoundTag::Counted(Some(FirstPlace::of(node, locator)), 0)
                };
                // A tag that occurs now will probably occur again soon.
                if is_full {
                    self.pairs.clear();
                }
                self.pairs.entry(types).or_insert(met)
            }
        };
        match met {
            FoundTag::Counted(_, count) => *count += 1,
            FoundTag::Helped(help) => {
                let first = FirstPlace::of(node, locator);
                let above =
                    describe_superstructure(resolver.schema(), superstructure, first.above.as_deref());
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

    /// Returns the unknown tags of the current run, and starts counting anew.
    pub(crate) fn take_run(&mut self, resolver: &Resolver) -> Vec<UndefinedTag<TypeId>> {
        let mut tags = Vec::new();
        let mut add = |superstructure, found, first, count| {
            if let Some(tag) = resolver.iri(found).and_then(term::undefined_tag) {
                tags.push(UndefinedTag { superstructure, tag: tag.into(), first, count });
            }
        };
        for (&TypePair { superstructure, found }, met) in &mut self.pairs {
            if let FoundTag::Counted(first, count @ 1..) = met {
                add(superstructure, found, first.take(), std::mem::take(count));
            }
        }
        for (TypePair { superstructure, found }, count) in self.further.drain() {
            add(superstructure, found, None, count);
        }
        tags
    }
}

/// Returns whether an unknown tag is not reported: extensions start with an underscore, and other findings explain
/// invalid lines and misplaced tags of the serialisation.
fn is_reported_elsewhere(node: Node<'_>, superstructure: TypeId) -> bool {
    let tag = node.tag();
    tag.starts_with('_')
        || matches!(tag, "CONT" | "CONC" | "UNDEF")
        || node.is_error()
        || node.is_inserted()
        || reserved_in(tag, superstructure).is_some()
        || is_elf_version(node)
}

/// Returns whether a structure is the ELF version of a header that is data. No schema defines it (S21).
fn is_elf_version(node: Node<'_>) -> bool {
    let mut above = node.with_ancestors().skip(1).map(Node::tag);
    node.tag() == "ELF"
        && above.next() == Some("GEDC")
        && above.next() == Some("HEAD")
        && node.document().header().elf_version().is_some()
}

/// Reports the unknown tags of a document, in the order of their first places.
pub(crate) fn report_undefined_tags(
    tally: UndefinedTally<TypeId>,
    resolver: &mut Resolver,
    rules: &Rules,
    sink: &mut dyn Sink,
) {
    report_limits(resolver.gave_up(), rules, sink);
    let mut advisor = Advisor::default();
    let say = |superstructure, tag: &str, above: Option<&str>| {
        let above = describe_superstructure(resolver.schema(), superstructure, above);
        (above, advisor.find_help(resolver, superstructure, tag))
    };
    tally.report(say, |_, message| Diagnostic::new(codes::TAG_UNDEFINED, rules, message), sink);
}

/// Returns the superstructure in words; `None` for a record.
fn describe_superstructure(schema: &Schema, superstructure: TypeId, above: Option<&str>) -> Option<String> {
    above.map(|above| tag_of_type(schema, superstructure, above))
}
