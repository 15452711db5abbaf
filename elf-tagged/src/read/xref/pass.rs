//! The passes in which the identifiers of a document are dealt with: one for a whole document, one or two for
//! its parts.

use super::answer::{Resolution, WholeResolution};
use super::collect::{
    Collection, Entry, Occurrence, Occurrences, PartList, PartLists, PlaceFinder, Position, Side,
    WholeDocument,
};
use super::key::Keys;
use super::list::{XrefList, XrefLists, XrefNodes};
use super::report::Findings;
use super::resolve::apply::{Applied, apply};
use super::resolve::{FirstReading, Index, Irregularity, StatusFinder, Statuses, Xrefs, undefined};
use crate::read::header::Header;
use crate::read::tree::build::Built;
use crate::read::tree::{Arena, View};
use elf_base::{Place, Rules, Sink, Span};
use elf_lines::VOID;
use elf_octets::Source;
use std::sync::Arc;

/// A reading of a document, by what is done in it with identifiers.
#[derive(Clone, Debug)]
pub(crate) enum XrefPass {
    /// One part has the whole document, and all is done with it: what it is may depend on any identifier.
    Whole,
    /// The only pass over the parts of a document: identifiers change nothing, and what is wrong with them is
    /// found out after the last part.
    Only,
    /// The only pass over the parts, for who has no question about identifiers: nothing is found out.
    Passing,
    /// The first of two passes over the parts, which finds out the [`Xrefs`].
    First,
    /// The second of two passes, in which those are known.
    Second(Arc<Xrefs>),
}

/// The identifiers of a part, as it reports them to the whole.
#[derive(Debug)]
pub(crate) enum PartReport {
    /// Nothing to report: the part has done all itself.
    Nothing,
    /// The identifiers and pointers in it: of the only pass.
    Listed(Arc<XrefList>),
    /// The occurrences in it: of the first pass.
    Occurrences(PartList),
    /// The outcome of applying them: of the second pass.
    Applied(Box<Applied<Place>>),
}

/// The reports of all parts so far.
#[derive(Debug)]
pub(crate) enum PartReports {
    Listed(Vec<Arc<XrefList>>),
    Occurrences(PartLists),
    Applied(Applied<Place>),
}

impl XrefPass {
    /// Resolves the identifiers of a part as far as that is done before the next part.
    pub(crate) fn resolve(
        &self,
        built: &mut Built,
        source: &Source<'_>,
        rules: &Rules,
        sink: &mut dyn Sink,
    ) -> (Resolution, PartReport) {
        match self {
            XrefPass::Whole => (resolve_whole(built, source, rules, sink), PartReport::Nothing),
            XrefPass::Only => {
                let nodes = XrefNodes::of_part(built, source, rules);
                let list = Arc::clone(nodes.list());
                (Resolution::Listed(Arc::new(nodes)), PartReport::Listed(list))
            }
            XrefPass::Passing => (Resolution::Unknown, PartReport::Nothing),
            XrefPass::First => {
                (Resolution::Unknown, PartReport::Occurrences(PartList::of(built, source, rules)))
            }
            XrefPass::Second(xrefs) => {
                let applied = apply_xrefs(xrefs, built, source, rules);
                (Resolution::Part(Arc::clone(xrefs)), PartReport::Applied(Box::new(applied)))
            }
        }
    }

    /// Returns whether it has a use for the pointers.
    pub(crate) const fn lists_pointers(&self) -> bool {
        !matches!(self, XrefPass::Passing)
    }

    /// Returns whether the document is read twice.
    pub(crate) const fn is_of_two(&self) -> bool {
        matches!(self, XrefPass::First | XrefPass::Second(_))
    }

    /// Returns whether records are inserted behind the last part.
    pub(crate) fn inserts(&self) -> bool {
        matches!(self, XrefPass::Second(xrefs) if xrefs.statuses.inserts())
    }

    /// Makes an empty collection of reports, of parts whose identifiers have their keys from `keys`.
    pub(crate) fn reports(&self, keys: &Keys) -> PartReports {
        match self {
            XrefPass::Second(_) => PartReports::Applied(Applied::default()),
            XrefPass::First => PartReports::Occurrences(PartLists::new(keys.clone())),
            XrefPass::Whole | XrefPass::Only | XrefPass::Passing => PartReports::Listed(Vec::new()),
        }
    }
}

/// Resolves the identifiers of a whole document, which is one part: all that is done in one pass over parts
/// or in two, at once.
fn resolve_whole(built: &mut Built, source: &Source<'_>, rules: &Rules, sink: &mut dyn Sink) -> Resolution {
    let occurrences = Occurrences::take_from(built, rules);
    let (index, statuses, findings) =
        if Xrefs::are_needed(rules) {
            let (index, statuses, findings) = find_and_apply(&occurrences, built, source.text(), rules);
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
    let place = |span| (locator.place(span), locator.excerpt(span));
    findings.report(Position::offset, place, rules, sink);
    Resolution::Whole(Box::new(WholeResolution { index, any_repeated, statuses }))
}

/// Indexes the identifiers of a whole document, finds their statuses, and applies them.
fn find_and_apply(
    occurrences: &Occurrences,
    built: &mut Built,
    text: &str,
    rules: &Rules,
) -> (Index, Statuses<Span>, Findings<Span>) {
    let (mut bearers, mut pointers) = (Vec::new(), Vec::new());
    let document = WholeDocument::of(built, text, occurrences, false);
    let mut finder = StatusFinder::new(&document, built.to_end, &built.header, rules);
    let mut index = Index::of(&document, true, |irregularity| {
        finder.take(&irregularity);
        match irregularity {
            Irregularity::Repeated { entry, first } => bearers.extend([first, entry]),
            Irregularity::Pointer { entry, .. } => pointers.push(entry),
        }
    });
    let statuses = finder.finish(rules);
    sort(&mut bearers);
    if statuses.rejects_bearers() {
        pointers = occurrences.pointers.in_order().to_vec();
    }
    sort(&mut pointers);
    let Applied { findings, wanted, kept: mut found } =
        apply(&statuses, (&bearers, &pointers), text, built, |_, _, span| span);
    let Built { nodes, made, .. } = built;
    undefined::insert(&statuses, wanted, (nodes, made), |record| found.push(record));
    let view = View { text, made, nodes };
    found.into_iter().for_each(|record| index.set(view, record));
    (index, statuses, findings)
}

/// Brings occurrences into document order, each once.
fn sort(occurrences: &mut Vec<Occurrence>) {
    occurrences.sort_by_key(|occurrence| occurrence.node);
    occurrences.dedup_by_key(|occurrence| occurrence.node);
}

/// Applies the irregular identifiers of a document to the structures of a part.
fn apply_xrefs(xrefs: &Xrefs, built: &mut Built, source: &Source<'_>, rules: &Rules) -> Applied<Place> {
    if !xrefs.statuses.any_but(None) {
        return Applied::default();
    }
    let occurrences = Occurrences::take_from(built, rules);
    let mut finder = PlaceFinder::new(source, &built.nodes);
    let in_order = (occurrences.bearers.in_order(), occurrences.pointers.in_order());
    apply(&xrefs.statuses, in_order, source.text(), built, |view, node, span| finder.place(view, node, span))
}

impl PartReports {
    /// Adds what the next part tells.
    pub(crate) fn add(&mut self, report: PartReport) {
        match (self, report) {
            (PartReports::Listed(parts), PartReport::Listed(list)) => parts.push(list),
            (PartReports::Occurrences(lists), PartReport::Occurrences(list)) => lists.add(list),
            (PartReports::Applied(applied), PartReport::Applied(more)) => {
                applied.findings.extend(more.findings);
                applied.wanted.extend(more.wanted);
            }
            (_, PartReport::Nothing) => {}
            (PartReports::Listed(_), PartReport::Occurrences(_) | PartReport::Applied(_))
            | (PartReports::Occurrences(_), PartReport::Listed(_) | PartReport::Applied(_))
            | (PartReports::Applied(_), PartReport::Listed(_) | PartReport::Occurrences(_)) => {
                debug_assert!(false, "a reader has one pass");
            }
        }
    }

    /// Reports after the last part what is wrong with the identifiers of the whole document, but in the first
    /// of two passes.
    pub(crate) fn report(&mut self, to_end: bool, header: &Header, rules: &Rules, sink: &mut dyn Sink) {
        match self {
            PartReports::Listed(_) => {
                if let Some(lists) = self.lists(to_end, header, rules) {
                    lists.index(sink).report_all(sink);
                }
            }
            PartReports::Occurrences(_) => {}
            PartReports::Applied(applied) => {
                let findings = std::mem::take(&mut applied.findings);
                findings.report(Position::offset, |place| (place, None), rules, sink);
            }
        }
    }

    /// Gives out the lists of the only pass after the last part.
    pub(crate) fn lists(&mut self, to_end: bool, header: &Header, rules: &Rules) -> Option<XrefLists> {
        let PartReports::Listed(parts) = self else { return None };
        let void = header.has_void.then(|| Keys::default().key(VOID));
        // What is not met may stand in the rest, where the reading did not get to the end.
        Some(XrefLists { parts: std::mem::take(parts), rules: *rules, has_all: to_end, void })
    }

    /// The irregular identifiers of the document that has that header, after the last part of a first pass.
    pub(crate) fn into_xrefs(self, to_end: bool, header: &Header, first: FirstReading) -> Option<Xrefs> {
        match self {
            PartReports::Occurrences(lists) => Some(Xrefs::of_parts(&lists, to_end, header, first)),
            PartReports::Listed(_) | PartReports::Applied(_) => None,
        }
    }

    /// The records to be inserted after the last part, and the text that their identifiers stand in.
    pub(crate) fn inserted(&mut self, xrefs: &Xrefs) -> (Arena, String) {
        let (mut nodes, mut made) = (Arena::default(), String::new());
        if let PartReports::Applied(applied) = self {
            let wanted = std::mem::take(&mut applied.wanted);
            undefined::insert(&xrefs.statuses, wanted, (&mut nodes, &mut made), |_| {});
        }
        (nodes, made)
    }
}
