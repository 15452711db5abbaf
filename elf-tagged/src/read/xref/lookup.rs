//! Decides when the pointers of a document are resolved.

use super::answer::{Resolution, WholeResolution};
use super::collect::{Occurrence, Occurrences, Side, WholeDocument};
use super::known::KnownXrefs;
use super::list::{RunXrefs, XrefNodes};
use super::report::{Findings, PlaceWithLine};
use super::resolve::apply::{Applied, apply_statuses};
use super::resolve::{Index, Irregularity, StatusFinder, Statuses, undefined};
use crate::read::tree::View;
use crate::read::tree::build::Built;
use elf_base::{Detail, Rules, Sink};
use elf_octets::Source;
use std::sync::Arc;

/// The time at which the pointers of a document are resolved.
#[derive(Clone, Debug)]
pub(crate) enum Lookup {
    /// The pointers are resolved at once, because the run is the whole document.
    Whole,
    /// The pointers are resolved after the last run. Until the last run, each run has a list.
    AtEnd,
    /// The pointers are never resolved, because the caller does not need them.
    Nothing,
    /// The pointers are not resolved again, because another reader has already resolved them.
    Known(Arc<KnownXrefs>),
}

/// Returns whether structures depend on identifiers anywhere in the document, so that it must be read as a whole.
/// January 2019 inserts records for unresolved pointers (J19 §5.1). The declarative draft removes repeated identifiers
/// or rejects their structures (RDX *`xref_id`*).
///
/// ```
/// use elf_tagged::{Rules, depend_on_whole};
///
/// assert!(depend_on_whole(&Rules::JANUARY_2019) && !depend_on_whole(&Rules::WILD));
/// ```
pub const fn depend_on_whole(rules: &Rules) -> bool {
    rules.tagged.xref_errors.inserts_records() || rules.tagged.xref_errors.rejects()
}

impl Lookup {
    /// Resolves the pointers of a run, or makes a list of them.
    pub(crate) fn resolve(
        &self,
        built: &mut Built,
        source: &Source<'_>,
        rules: &Rules,
        sink: &mut dyn Sink,
    ) -> (Resolution, Option<RunXrefs>) {
        match self {
            Lookup::Whole => (resolve_whole(built, source, rules, sink), None),
            Lookup::AtEnd => {
                let nodes = XrefNodes::of_run(built, source, rules);
                let list = Arc::clone(nodes.list());
                (Resolution::Listed(Arc::new(nodes)), Some(list))
            }
            Lookup::Nothing => (Resolution::Unknown, None),
            Lookup::Known(known) => (Resolution::Known(Arc::clone(known)), None),
        }
    }

    /// Returns whether pointers must be listed. In a whole document, they are needed only for findings, unless the
    /// rules change structures because of identifiers.
    pub(crate) fn lists_pointers(&self, rules: &Rules, wanted: Detail) -> bool {
        match self {
            Lookup::Whole => wanted > Detail::Nothing || depend_on_whole(rules),
            Lookup::AtEnd => true,
            Lookup::Nothing | Lookup::Known(_) => false,
        }
    }
}

fn resolve_whole(built: &mut Built, source: &Source<'_>, rules: &Rules, sink: &mut dyn Sink) -> Resolution {
    let occurrences = Occurrences::extract_from(built, rules);
    let (index, statuses, findings) =
        if depend_on_whole(rules) {
            let (index, statuses, findings) =
                set_statuses_of_structures(&occurrences, built, source.text(), rules);
            (index, Some(statuses), findings)
        } else {
            let document = WholeDocument::of(built, source.text(), &occurrences, true);
            let mut findings = Findings::default();
            let index = Index::of(&document, built.to_end && occurrences.lists_pointers, |irregularity| {
                match irregularity {
                    Irregularity::Repeated { entry, first } => {
                        let [here, first] = [entry, first].map(|one| document.position(Side::Bearer, &one));
                        findings.repeated.push((here, first, entry.key()));
                    }
                    Irregularity::Pointer { entry, fault } => {
                        findings.pointers.push((
                            document.position(Side::Pointer, &entry),
                            fault,
                            entry.key(),
                        ));
                    }
                }
            });
            (index, None, findings)
        };
    let any_repeated = statuses.as_ref().map_or(index.any_repeated(), Statuses::any_repeated);
    let mut locator = source.locator();
    let place = |span| PlaceWithLine { place: locator.place(span), line: locator.excerpt(span) };
    findings.report(place, rules, sink);
    Resolution::Whole(Box::new(WholeResolution { index, any_repeated, statuses }))
}

/// Indexes the identifiers of a whole document, determines their statuses, and changes the structures accordingly.
fn set_statuses_of_structures(
    occurrences: &Occurrences,
    built: &mut Built,
    text: &str,
    rules: &Rules,
) -> (Index, Statuses, Findings) {
    let (mut bearers, mut pointers) = (Vec::new(), Vec::new());
    let document = WholeDocument::of(built, text, occurrences, false);
    let mut finder = StatusFinder::new(&document, built.to_end, &built.header, rules);
    let mut index = Index::of(&document, true, |irregularity| {
        finder.add_irregularity(&irregularity);
        match irregularity {
            Irregularity::Repeated { entry, first } => bearers.extend([first, entry]),
            Irregularity::Pointer { entry, .. } => pointers.push(entry),
        }
    });
    let statuses = finder.finish(rules);
    sort_and_deduplicate(&mut bearers);
    if statuses.rejects_bearers() {
        pointers = occurrences.pointers.in_order().to_vec();
    }
    sort_and_deduplicate(&mut pointers);
    let Applied { findings, wanted, kept: mut found } =
        apply_statuses(&statuses, &bearers, &pointers, text, built);
    let Built { nodes, made, .. } = built;
    undefined::insert_records(&statuses, wanted, nodes, made, |record| found.push(record));
    let view = View { text, made, nodes };
    found.into_iter().for_each(|record| index.set(view, record));
    (index, statuses, findings)
}

fn sort_and_deduplicate(occurrences: &mut Vec<Occurrence>) {
    occurrences.sort_by_key(Occurrence::node);
    occurrences.dedup_by_key(|occurrence| occurrence.node);
}
