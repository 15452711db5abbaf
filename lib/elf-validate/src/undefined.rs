//! Tags that a standard does not have where they stand, E0415: one finding for each kind of superstructure
//! and each tag, at its first place and with how many there are.
//!
//! It is the finding that typing a document has, by the kinds of the standard instead of the types of a
//! schema.

use crate::findings::{Findings, finding};
use crate::table::{Kind, Table};
use elf_base::{Against, Sink, codes};
use elf_schema::near::{NAMED, Near, commonness, defined_at};
use elf_schema::tally::{FirstPlace, MOST, UndefinedTag, UndefinedTally, undefined_message};
use elf_schema::{Document, Node};
use hashbrown::HashMap;
use indexmap::{Equivalent, IndexMap};

/// The kind of the superstructure of a record, which has none.
const NO_KIND: u16 = u16::MAX;

/// Takes note of the tags of a run that the standard does not have.
#[derive(Default)]
pub(crate) struct TagCollector {
    met: IndexMap<Pair, (Option<FirstPlace>, u64)>,
    /// The numbers of times that further tags were met: a run before may have had their first places.
    further: HashMap<Pair, u64>,
    /// True if each place is reported by itself.
    each: bool,
    /// True if typing the document said so already.
    is_off: bool,
}

/// A kind of superstructures, and a tag.
#[derive(PartialEq, Eq, Hash)]
struct Pair(u16, Box<str>);

/// A pair that is looked up.
#[derive(Hash)]
struct PairRef<'t>(u16, &'t str);

impl Equivalent<Pair> for PairRef<'_> {
    fn equivalent(&self, pair: &Pair) -> bool {
        self.0 == pair.0 && *self.1 == *pair.1
    }
}

impl TagCollector {
    /// A collector; `each` says whether each place is reported by itself, `is_off` whether none is.
    pub(crate) fn new(each: bool, is_off: bool) -> TagCollector {
        TagCollector { each, is_off, ..TagCollector::default() }
    }

    /// Takes a structure whose tag the standard does not have under a kind, or as a record where that is
    /// `None`.
    #[cold]
    pub(crate) fn meet<'d>(
        &mut self,
        node: Node<'d>,
        above: Option<u16>,
        table: &Table,
        findings: &mut Findings<'_, 'd>,
    ) {
        if self.is_off || is_silent(node) {
            return;
        }
        let superstructure = above.unwrap_or(NO_KIND);
        if self.each {
            let (above, help) = describe_undefined(table, superstructure, node.tag());
            let message = undefined_message(node.tag(), above.as_deref(), 1);
            findings.report_at(codes::TAG_UNDEFINED, (node, node.tag_span()), message, help);
            return;
        }
        if let Some((_, count)) = self.met.get_mut(&PairRef(superstructure, node.tag())) {
            *count += 1;
        } else if self.met.len() >= MOST {
            *self.further.entry(Pair(superstructure, node.tag().into())).or_default() += 1;
        } else {
            let first = FirstPlace::of(node, findings.locator(node.document()));
            self.met.insert(Pair(superstructure, node.tag().into()), (Some(first), 1));
        }
    }

    /// Reports an extension tag for a structure of the standard where that can not be relocated to (GEDCOM
    /// 7.0 *Extensions*): under a kind where it has its own tag; among records what is none, and a record
    /// anywhere else. Returns whether it can be there by itself.
    pub(crate) fn relocated<'d>(
        node: Node<'d>,
        number: u16,
        (above, is_root): (Option<u16>, bool),
        table: &Table,
        findings: &mut Findings<'_, 'd>,
    ) -> bool {
        let Some(tag) = table.kind(number).and_then(|kind| kind.tag) else { return true };
        let is_record = table.roots.iter().any(|slot| slot.kind == number);
        let (can_stand, why) = match (is_root, is_record) {
            (true, false) => (false, "which is not a record"),
            (false, true) => (false, "which is a record"),
            (true, true) => return true,
            (false, false) => (true, "which has its own tag here"),
        };
        let slots = above.and_then(|above| table.kind(above)).map_or(&[][..], |kind| kind.slots);
        if can_stand && !slots.iter().any(|slot| slot.kind == number) {
            return true;
        }
        let message = format!("`{}` means `{tag}`, {why}", node.tag());
        let help = can_stand.then(|| format!("write `{tag}`"));
        findings.report_at(codes::TAG_UNDEFINED, (node, node.tag_span()), message, help);
        can_stand
    }

    /// The tags that were met.
    pub(crate) fn finish(self) -> Vec<UndefinedTag<u16>> {
        let met = self.met.into_iter().map(|(Pair(superstructure, tag), (first, count))| UndefinedTag {
            superstructure,
            tag,
            first,
            count,
        });
        let further = self.further.into_iter().map(|(Pair(superstructure, tag), count)| UndefinedTag {
            superstructure,
            tag,
            first: None,
            count,
        });
        met.chain(further).collect()
    }
}

/// Returns whether a structure may be undefined without a word: extensions are marked as such by an underscore,
/// and about what the rules made of a line, and about the metadata of ELF, other findings say more. A CONC
/// that continues a payload comes here only where the standard has none.
fn is_silent(node: Node<'_>) -> bool {
    let tag = node.tag();
    tag.starts_with('_')
        || matches!(tag, "CONT" | "UNDEF")
        || tag == "CONC" && !(node.flags().is_conc() && node.document().rules().tagged.conc)
        || node.is_error()
        || node.is_inserted()
        || is_metadata(node.document(), node)
}

/// Returns whether a structure is one by which ELF says in the header how a file is to be read, or one that the
/// rules do not have there, which the reader has said.
fn is_metadata(document: &Document<'_>, node: Node<'_>) -> bool {
    let above = || node.superstructure().map_or("", Node::tag);
    // GEDCOM 7 does not have ELF, and has SCHMA only in the header, where it is defined.
    let is_of_7 = document.rules().tagged.metadata.has_no_form();
    let is_said = match node.tag() {
        "ELF" | "SCHMA" => !is_of_7,
        "CHAR" => above() == "HEAD" && is_of_7,
        "FORM" => above() == "GEDC" && is_of_7,
        _ => false,
    };
    is_said && document.head().is_some_and(|head| node.with_ancestors().any(|above| above == head))
}

/// Reports the tags of a document.
pub(crate) fn report(tally: UndefinedTally<u16>, table: &Table, against: Against, sink: &mut dyn Sink) {
    let say = |superstructure, tag: &str, _: Option<&str>| describe_undefined(table, superstructure, tag);
    tally.report(say, |message| finding(codes::TAG_UNDEFINED, against, message), sink);
}

/// The superstructure in words, and help.
fn describe_undefined(table: &Table, superstructure: u16, tag: &str) -> (Option<String>, Option<String>) {
    let above = table.kind(superstructure);
    let here = above.map_or(table.roots, |kind| kind.slots);
    let near = Near::of(tag, here.iter().map(|slot| slot.name));
    let capitals = tag.to_ascii_uppercase();
    let help = near.help(|| [tag, &capitals].into_iter().find_map(|tag| find_elsewhere(table, above, tag)));
    (above.map(|kind| format!("`{}`", kind.name)), help)
}

/// Says where else the standard has a tag.
fn find_elsewhere(table: &Table, above: Option<&Kind>, tag: &str) -> Option<String> {
    let here = above.map_or(&[][..], |kind| kind.slots).iter();
    let has_place = |kind: &&Kind| kind.slot(tag).is_some();
    let mut names: Vec<&str> =
        here.filter_map(|slot| table.kind(slot.kind)).filter(has_place).map(|kind| kind.name).collect();
    // Prefer tags that are allowed next to the structure over tags that are allowed elsewhere.
    if names.is_empty() {
        names.extend(table.kinds.iter().filter(has_place).map(|kind| kind.name));
    }
    names.dedup();
    names.sort_by_key(|name| commonness(name));
    let more = names.len().saturating_sub(NAMED);
    let beneath = names.iter().take(NAMED).map(|name| match above {
        Some(above) if above.name == *name => format!("another `{name}`"),
        _ => format!("`{name}`"),
    });
    defined_at(tag, table.root(tag).is_some(), beneath.collect(), more)
}
