//! Finds tags that a standard does not allow at a place (E0415). Each tag is reported once for each
//! kind of superstructure, at its first place and with the number of occurrences. The reader of
//! types reports the same finding, but uses the types of the schema.

use crate::findings::{Findings, new_finding};
use crate::table::{Kind, Table};
use elf_base::{Against, Class, Diagnostic, Sink, codes};
use elf_schema::near::{NAMED, Near, commonness, defined_at};
use elf_schema::tally::{FirstPlace, MOST, UndefinedTag, UndefinedTally, undefined_message};
use elf_schema::{Document, Node, TypedDocument, vendors};
use hashbrown::HashMap;
use indexmap::{Equivalent, IndexMap};

/// Stands for the missing superstructure of a record.
const NO_KIND: u16 = u16::MAX;

/// A place where the standard does not allow a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TagPlace {
    /// The kind of the superstructure, or [`NO_KIND`].
    above: u16,
    /// The type of the tag, if the dictionary of vendor tags knows the tag at this place.
    vendor_type: Option<&'static str>,
}

/// Collects the tags of a run that the standard does not allow.
pub(crate) struct TagCollector<'d> {
    run: &'d TypedDocument<'d>,
    met: IndexMap<KindAndTag, (Option<FirstPlace>, u64)>,
    /// The counts of tags beyond [`MOST`]. Their places are not stored here; an earlier run may
    /// have stored the first place.
    further: HashMap<KindAndTag, u64>,
    /// True if every occurrence is reported.
    each: bool,
    /// True if these tags were already reported when types were found.
    is_off: bool,
}

#[derive(PartialEq, Eq, Hash)]
struct KindAndTag(TagPlace, Box<str>);

/// A borrowed [`KindAndTag`] for lookups.
#[derive(Hash)]
struct KindAndTagRef<'t>(TagPlace, &'t str);

impl Equivalent<KindAndTag> for KindAndTagRef<'_> {
    fn equivalent(&self, pair: &KindAndTag) -> bool {
        self.0 == pair.0 && *self.1 == *pair.1
    }
}

impl<'d> TagCollector<'d> {
    pub(crate) fn new(run: &'d TypedDocument<'d>, each: bool, is_off: bool) -> TagCollector<'d> {
        TagCollector { run, met: IndexMap::new(), further: HashMap::new(), each, is_off }
    }

    /// Counts or reports a structure that the standard does not allow under the kind `above`. If
    /// `above` is `None`, the structure is a record.
    #[cold]
    pub(crate) fn add_tag(
        &mut self,
        node: Node<'d>,
        above: Option<u16>,
        table: &Table,
        findings: &mut Findings<'_, 'd>,
    ) {
        if self.is_off || is_reported_elsewhere(node) {
            return;
        }
        let place = TagPlace { above: above.unwrap_or(NO_KIND), vendor_type: self.vendor_type(node) };
        if self.each {
            let (above, help) = place.describe_undefined(table, node.tag());
            let message = undefined_message(node.tag(), above.as_deref(), 1);
            let found = place.new_finding(findings.against(), message);
            findings.report_finding(found, node, node.tag_span(), help);
            return;
        }
        if let Some((_, count)) = self.met.get_mut(&KindAndTagRef(place, node.tag())) {
            *count += 1;
        } else if self.met.len() >= MOST {
            *self.further.entry(KindAndTag(place, node.tag().into())).or_default() += 1;
        } else {
            let first = FirstPlace::of(node, findings.locator(node.document()));
            self.met.insert(KindAndTag(place, node.tag().into()), (Some(first), 1));
        }
    }

    /// Returns the type of a tag, if the dictionary of vendor tags knows the tag at this place.
    fn vendor_type(&self, node: Node<'_>) -> Option<&'static str> {
        let of = self.run.type_id(node).filter(|of| self.run.schema().is_vendor_type(*of))?;
        vendors::known_type(self.run.typing().iri(of)?)
    }

    /// Reports an extension tag that stands for a standard structure in a place where GEDCOM 7.0 forbids it
    /// (*Extensions*): where the structure has its own tag, at the top level if it is not a record, or under another
    /// structure if it is a record. Returns whether the structure itself is allowed there.
    pub(crate) fn report_relocated_tag(
        node: Node<'d>,
        number: u16,
        above: Option<u16>,
        is_root: bool,
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
        let message = format!("the type of `{}` is that of `{tag}`, {why}", node.tag());
        let help = can_stand.then(|| format!("write `{tag}`"));
        findings.report_at(codes::TAG_UNDEFINED, node, node.tag_span(), message, help);
        can_stand
    }

    pub(crate) fn finish(self) -> Vec<UndefinedTag<TagPlace>> {
        let met = self.met.into_iter().map(|(KindAndTag(superstructure, tag), (first, count))| {
            UndefinedTag { superstructure, tag, first, count }
        });
        let further = self.further.into_iter().map(|(KindAndTag(superstructure, tag), count)| UndefinedTag {
            superstructure,
            tag,
            first: None,
            count,
        });
        met.chain(further).collect()
    }
}

/// Returns whether an unknown tag is not reported here. Extensions start with an underscore, and
/// other findings explain invalid lines and the metadata of ELF. A CONC that continues a payload
/// gets here only if the standard has no CONC.
fn is_reported_elsewhere(node: Node<'_>) -> bool {
    let tag = node.tag();
    tag.starts_with('_')
        || matches!(tag, "CONT" | "UNDEF")
        || tag == "CONC" && !(node.flags().is_conc() && node.document().rules().tagged.conc)
        || node.is_error()
        || node.is_inserted()
        || is_elf_metadata(node.document(), node)
}

/// Returns whether a structure in the header is metadata that tells ELF how to read the file, or
/// that the reader has already reported.
fn is_elf_metadata(document: &Document<'_>, node: Node<'_>) -> bool {
    let above = || node.superstructure().map_or("", Node::tag);
    // GEDCOM 7 does not have the ELF structure. It has SCHMA only in the header, where the standard
    // defines it.
    let is_of_7 = document.rules().tagged.metadata.has_no_form();
    let is_said = match node.tag() {
        "ELF" | "SCHMA" => !is_of_7,
        "CHAR" => above() == "HEAD" && is_of_7,
        "FORM" => above() == "GEDC" && is_of_7,
        _ => false,
    };
    is_said && document.head().is_some_and(|head| node.with_ancestors().any(|above| above == head))
}

pub(crate) fn report_undefined_tags(
    tally: UndefinedTally<TagPlace>,
    table: &Table,
    against: Against,
    sink: &mut dyn Sink,
) {
    let say = |place: TagPlace, tag: &str, _: Option<&str>| place.describe_undefined(table, tag);
    let make = |place: Option<TagPlace>, message| match place {
        Some(place) => place.new_finding(against, message),
        None => new_finding(codes::TAG_UNDEFINED, against, message),
    };
    tally.report(say, make, sink);
}

impl TagPlace {
    /// Creates a finding about a tag at this place. Programs write vendor tags on purpose, so a
    /// vendor tag is only advice.
    fn new_finding(self, against: Against, message: String) -> Diagnostic {
        let mut found = new_finding(codes::TAG_UNDEFINED, against, message);
        if self.vendor_type.is_some() {
            found.class = Class::Advice;
        }
        found
    }

    /// Returns the superstructure in words, and help.
    fn describe_undefined(self, table: &Table, tag: &str) -> (Option<String>, Option<String>) {
        let above = table.kind(self.above);
        let name = above.map(|kind| format!("`{}`", kind.name));
        if let Some(described) = self.vendor_type.and_then(vendors::describe_type) {
            return (name, Some(format!("`{tag}` is a vendor tag here: {described}")));
        }
        let here = above.map_or(table.roots, |kind| kind.slots);
        let near = Near::of(tag, here.iter().map(|slot| slot.name));
        let capitals = tag.to_ascii_uppercase();
        let help =
            near.help(|| [tag, &capitals].into_iter().find_map(|tag| find_elsewhere(table, above, tag)));
        (name, help)
    }
}

/// Returns where else the standard allows a tag.
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
