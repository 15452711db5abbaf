//! The identifiers of a part of a document, in the four ways in which they are dealt with.

use super::census::{Census, Named};
use super::findings::Findings;
use super::hidden::Hidden;
use super::index::Keys;
use super::names::{Fate, Names, Treatment};
use super::places::Finder;
use super::{Resolution, hide_records, is_void, take_names, visible_pointer};
use crate::report::Reporter;
use crate::tree::build::{Built, Met};
use crate::tree::{Arena, View, flag};
use elf_base::{Place, Rules, Sink};
use elf_octets::Source;
use std::sync::Arc;

/// How a reader deals with the identifiers of a document in parts.
#[derive(Clone, Debug)]
pub(crate) enum Manner {
    /// They change nothing: what is wrong with them is found out after the last part.
    Plain,
    /// They may change what any record is: one part has all of the document.
    Whole,
    /// They are only met, to find out their [`Names`].
    ForNames,
    /// What is unusual about them is known.
    Named(Arc<Names>),
}

/// What a part tells of its identifiers.
#[derive(Debug)]
pub(crate) enum Told {
    Nothing,
    Met(Named),
    Found(Box<Found>),
}

/// What is wrong with the identifiers of a part, and the names of records to be inserted: [`Manner::Named`].
#[derive(Debug, Default)]
pub(crate) struct Found {
    findings: Findings<Place>,
    /// The text of what a pointer names that nothing bears, with the number of the record inserted for it.
    lost: Vec<(u32, Box<str>)>,
}

/// The names in a part of a document.
#[derive(Debug)]
pub(crate) struct PartNames {
    names: Arc<Names>,
    /// Those that bear one within a structure which the rules reject.
    gone: Vec<u32>,
}

/// What the parts so far have told of their identifiers.
#[derive(Debug)]
pub(crate) enum Gathering {
    Census(Census),
    Found(Found),
}

impl Manner {
    /// Does with the identifiers of a part what is to be done at once.
    pub(crate) fn resolve(
        &self,
        built: &mut Built,
        source: &Source<'_>,
        rules: &Rules,
        sink: &mut dyn Sink,
    ) -> (Resolution, Told) {
        match self {
            Manner::Plain => (Resolution::Unknown, Told::Met(Named::of(built, source, rules, false))),
            Manner::ForNames => (Resolution::Unknown, Told::Met(Named::of(built, source, rules, true))),
            Manner::Whole => {
                let mut reporter = Reporter::new(rules, source.locator(), sink);
                let pointers = super::resolve(source.text(), built, rules, &mut reporter);
                (Resolution::Whole(pointers), Told::Nothing)
            }
            Manner::Named(names) => {
                let mut here = PartNames { names: Arc::clone(names), gone: Vec::new() };
                let found = here.apply(built, source, rules);
                (Resolution::Part(here), Told::Found(Box::new(found)))
            }
        }
    }

    /// Whether records are inserted behind the last part.
    pub(crate) fn inserts(&self) -> bool {
        matches!(self, Manner::Named(names) if !names.insertions.is_empty())
    }

    /// What the parts tell is gathered in.
    pub(crate) fn gathering(&self) -> Gathering {
        match self {
            Manner::Named(_) => Gathering::Found(Found::default()),
            _ => Gathering::default(),
        }
    }
}

impl Default for Gathering {
    fn default() -> Gathering {
        Gathering::Census(Census::default())
    }
}

impl PartNames {
    /// The names of a document, in the part that has the records that are inserted.
    pub(crate) const fn of_inserted(names: Arc<Names>) -> PartNames {
        PartNames { names, gone: Vec::new() }
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The structures of the part that bear an identifier and went with what the rules reject.
    pub(crate) fn gone(&self) -> &[u32] {
        &self.gone
    }

    /// Does with the structures of a part what its names say: what was found.
    fn apply(&mut self, built: &mut Built, source: &Source<'_>, rules: &Rules) -> Found {
        let PartNames { names, gone } = self;
        let mut found = Found::default();
        if names.unusual.is_empty() {
            return found;
        }
        let Met { bearers, pointers, .. } = take_names(built, rules);
        let view = View { text: source.text(), made: &built.made, nodes: &built.nodes };
        let mut finder = Finder::new(source, &built.nodes);
        let mut unnamed = Vec::new();
        let mut rejected = Vec::new();
        for bearer in &*bearers.in_order() {
            let fate = names.fate(bearer.key, view.xref(bearer.node).unwrap_or_default());
            let Some(repeated) = fate.and_then(|fate| names.repeated(fate)) else { continue };
            let place = finder.place(view, bearer.node, view.xref_span(bearer.node));
            let keeps = repeated.treatment == Treatment::Kept(place.octet);
            if place.octet != repeated.first.octet {
                found.findings.repeated.push((place, repeated.first));
            }
            match repeated.treatment {
                _ if keeps => {}
                Treatment::Kept(_) | Treatment::Dropped => unnamed.push(bearer.node),
                Treatment::Rejected => rejected.push(bearer.node),
                Treatment::Stands => {}
            }
        }
        let mut odd: Vec<(u32, Fate)> = Vec::new();
        for pointer in &*pointers.in_order() {
            let Some(xref) = visible_pointer(view, pointer.node) else { continue };
            let Some(fate) = names.fate(pointer.key, xref) else { continue };
            odd.push((pointer.node, fate));
            if names.repeated(fate).is_some_and(|repeated| repeated.treatment == Treatment::Rejected) {
                rejected.push(pointer.node);
            }
        }
        found.findings.rejected =
            rejected.iter().map(|&id| finder.place(view, id, view.tag_span(id))).collect();
        for (ids, change) in [(unnamed, flag::UNNAMED), (rejected, flag::HIDDEN)] {
            for id in ids {
                if let Some(node) = built.nodes.get_mut(id as usize) {
                    node.flags |= change;
                }
            }
        }
        if names.rejects_all {
            hide_records(&mut built.nodes);
            built.complete = false;
        }
        if names.rejects_all || !found.findings.rejected.is_empty() {
            let hidden = Hidden::before(u32::MAX, &built.nodes);
            gone.extend(bearers.in_order().iter().map(|bearer| bearer.node).filter(|&node| hidden.has(node)));
        }
        if names.to_end {
            let view = View { text: source.text(), made: &built.made, nodes: &built.nodes };
            for (node, fate) in odd {
                // What is rejected is not looked at any further.
                let Some(xref) = visible_pointer(view, node) else { continue };
                let place = finder.place(view, node, view.payload_span(node));
                let fault = names.fault_of(fate, xref).filter(|_| !is_void(&built.header, xref));
                found.findings.pointers.extend(fault.map(|fault| (place, fault)));
                if let Some((number, insertion)) = names.insertion_of(fate)
                    && insertion.octet == place.octet
                    && insertion.invented.is_none()
                {
                    found.lost.push((number, xref.into()));
                }
            }
        }
        found
    }
}

impl Gathering {
    /// Adds what the next part tells.
    pub(crate) fn take(&mut self, told: Told) {
        match (self, told) {
            (Gathering::Census(census), Told::Met(named)) => census.take(named),
            (Gathering::Found(found), Told::Found(more)) => {
                found.findings.extend(more.findings);
                found.lost.extend(more.lost);
            }
            _ => {}
        }
    }

    /// Says after the last part what is wrong with the identifiers of the whole document.
    pub(crate) fn report(
        &mut self,
        manner: &Manner,
        to_end: bool,
        keys: &Keys,
        rules: &Rules,
        sink: &mut dyn Sink,
    ) {
        match self {
            Gathering::Census(census) if matches!(manner, Manner::Plain) => {
                std::mem::take(census).report(to_end, keys, rules, sink);
            }
            Gathering::Census(_) => {}
            Gathering::Found(found) => {
                std::mem::take(&mut found.findings).report(|place| place, rules, sink);
            }
        }
    }

    /// The records to be inserted after the last part, and the text that their identifiers stand in.
    pub(crate) fn inserted(&mut self, names: &Names) -> (Arena, String) {
        let (mut nodes, mut made) = (Arena::default(), String::new());
        let Gathering::Found(found) = self else { return (nodes, made) };
        let mut lost = std::mem::take(&mut found.lost);
        lost.sort_unstable_by_key(|(number, _)| *number);
        let mut lost = lost.iter().peekable();
        for (number, insertion) in (0..).zip(&names.insertions) {
            let own = lost.next_if(|(of, _)| *of == number).map(|(_, own)| own);
            if let Some(name) = insertion.invented.as_ref().or(own) {
                super::push_undefined(&mut nodes, &mut made, name);
            }
        }
        (nodes, made)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Document, Names, Options, Payload, Reader, read};
    use elf_base::Rules;
    use elf_base::rules::{Duplicates, XrefErrors};

    /// What a writer asks of the identifiers and pointers of the structures.
    fn answers(document: &Document<'_>) -> Vec<String> {
        let answer = |node: crate::Node<'_>| {
            let repeated = node.xref().map(|xref| (xref, document.is_repeated(xref)));
            let pointer = match node.payload() {
                Payload::Pointer(xref) => Some((xref.to_owned(), document.bearer(xref))),
                _ => None,
            };
            format!("{} {repeated:?} {pointer:?}", node.tag())
        };
        document.structures().map(answer).collect()
    }

    #[test]
    fn a_writer_gets_the_same_answers_of_parts_as_of_the_whole() {
        let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @A@ INDI\n1 @A@ NOTE @B@\n0 FAM @A@\n1 @B@ NOTE @C@\n0 @D@ INDI\n\
            1 NOTE @LONGER_THAN_ANY@\n1 @LONGER_THAN_ANY@ NOTE @D@\n0 @UNDEF1@ FAM @D:1@\n0 @E@ FAM\n0 @E@ FAM @E@\n\
            1 @LONGER_THAN_ANY@ NOTE\n1 @F@ NOTE\n2 @F@ NOTE\n0 TRLR\n";
        let options = [
            Duplicates::RejectAll,
            Duplicates::RejectBearers,
            Duplicates::DropUnused,
            Duplicates::KeepRecord,
        ];
        let undefined = [XrefErrors::Keep, XrefErrors::Undef];
        for xref_errors in options.map(XrefErrors::Options).into_iter().chain(undefined) {
            let mut rules = Rules::WILD;
            rules.tagged.xref_errors = xref_errors;
            let whole = read(file, &rules, &Options::default(), &mut ()).unwrap();
            let reader = || Reader::new(file, &rules, &Options::default()).with_part_size(1);
            let mut reader = reader().with_names(Names::of(reader()).unwrap());
            let mut of_parts = Vec::new();
            while let Some(part) = reader.next_part(&mut ()).unwrap() {
                of_parts.extend(answers(&part));
            }
            assert_eq!(of_parts, answers(&whole), "{xref_errors:?}");
        }
    }
}
