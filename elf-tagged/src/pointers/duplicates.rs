//! The four ways in which the declarative draft lets a repeated identifier be treated.

use super::findings::REJECTED;
use super::index::Pointers;
use super::{hide_records, visible_pointer};
use crate::report::Reporter;
use crate::tree::build::{Built, Name};
use crate::tree::{NONE, View, flag};
use elf_base::codes;
use elf_base::rules::Duplicates;
use hashbrown::HashMap;

/// The structures that bear one identifier, and those that point to it.
#[derive(Default)]
struct Group {
    xref: String,
    bearers: Vec<u32>,
    pointers: Vec<u32>,
}

/// What becomes of a repeated identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// The one record that bears it keeps it, the other structures lose it.
    Keep,
    /// All lose it.
    Drop,
    /// What bears it and what points to it is rejected, or with [`Duplicates::RejectAll`] everything.
    Reject,
}

/// What `option` makes of a repeated identifier that one record bears, or any other number of them, and that is pointed to
/// or not (RDX *`xref_id`: Deserialisation error recovery*).
pub(super) const fn decide(option: Duplicates, one_record: bool, pointed: bool) -> Decision {
    match option {
        Duplicates::KeepRecord if one_record => Decision::Keep,
        Duplicates::KeepRecord | Duplicates::DropUnused if !pointed => Decision::Drop,
        Duplicates::RejectAll
        | Duplicates::RejectBearers
        | Duplicates::DropUnused
        | Duplicates::KeepRecord => Decision::Reject,
    }
}

/// Does with each repeated identifier what `option` says; `named` are the bearers and the pointers of the document.
pub(super) fn apply(
    text: &str,
    built: &mut Built,
    pointers: &mut Pointers,
    named: (&[Name], &[Name]),
    option: Duplicates,
    reporter: &mut Reporter<'_, '_>,
) {
    for group in groups(text, built, pointers, named) {
        let mut records = group
            .bearers
            .iter()
            .copied()
            .filter(|&id| built.nodes.get(id as usize).is_some_and(|node| node.parent == NONE));
        let (record, is_one) = (records.next(), records.next().is_none());
        let decision = decide(option, record.filter(|_| is_one).is_some(), !group.pointers.is_empty());
        let keeper = record.filter(|_| decision == Decision::Keep);
        if matches!(decision, Decision::Keep | Decision::Drop) {
            let view = View { text, made: &built.made, nodes: &built.nodes };
            pointers.settle(view, &group.xref, keeper);
            for &id in &group.bearers {
                if Some(id) != keeper
                    && let Some(node) = built.nodes.get_mut(id as usize)
                {
                    node.flags |= flag::UNNAMED;
                }
            }
        } else if option == Duplicates::RejectAll {
            hide_records(&mut built.nodes);
            built.complete = false;
            return;
        } else {
            for &id in group.bearers.iter().chain(&group.pointers) {
                let span = View { text, made: &built.made, nodes: &built.nodes }.tag_span(id);
                if let Some(node) = built.nodes.get_mut(id as usize) {
                    node.flags |= flag::HIDDEN;
                    reporter.at(codes::STRUCTURE_REJECTED, span, REJECTED);
                }
            }
        }
    }
}

/// The repeated identifiers, in the order in which they are met.
fn groups(
    text: &str,
    built: &Built,
    pointers: &Pointers,
    (bearers, named): (&[Name], &[Name]),
) -> Vec<Group> {
    let view = View { text, made: &built.made, nodes: &built.nodes };
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    let repeated =
        |xref: &str| pointers.find(view, xref).filter(|found| found.repeated).map(|found| found.node);
    for bearer in bearers {
        let Some(xref) = view.xref(bearer.node) else { continue };
        let Some(first) = repeated(xref) else { continue };
        let place = *places.entry(first).or_insert_with(|| {
            groups.push(Group { xref: xref.to_owned(), ..Group::default() });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(place) {
            group.bearers.push(bearer.node);
        }
    }
    for name in named {
        let first = visible_pointer(view, name.node).and_then(repeated);
        if let Some(group) =
            first.and_then(|first| places.get(&first)).and_then(|&place| groups.get_mut(place))
        {
            group.pointers.push(name.node);
        }
    }
    groups
}
