//! Links between records: what only the whole document shows.

mod part;
mod rules;
mod texts;

pub(crate) use part::PartCollector;
pub use part::PartLinks;

use crate::findings::finding;
use crate::payloads::{shown, unexpected_pointer};
use crate::slots::NO_KIND;
use crate::table::{LinkRule, Table};
use crate::undefined;
use elf_base::{Against, Code, PackedPlaces, Place, Sink, codes};
use elf_schema::tally::UndefinedTally;
use hashbrown::DefaultHashBuilder;
use part::{Bearer, Pointer};
use rules::{Crowded, RulesByKind};
use texts::{NONE, Texts};

/// The links between the records of a document, brought together from its parts:
/// [`Validator::links`](crate::Validator::links) starts them.
#[derive(Clone, Debug)]
pub struct Links {
    table: &'static Table,
    against: Against,
    texts: Texts,
    /// The index of the bearer of each identifier, by its number; [`NONE`] where there is none,
    /// [`SEVERAL`] where there are several.
    bearer_of: Vec<u32>,
    bearers: Vec<Bearer>,
    pointers: Vec<Pointer>,
    /// The places of the pointers of each part, and the index of its first one.
    parts: Vec<(usize, PackedPlaces)>,
    /// The numbers of structures met that stand in no other, by the places of the table for them.
    roots: Vec<u32>,
    /// The ones of them that are too many.
    repeated: Vec<(u16, Place)>,
    /// The tags that the standard does not have where they stand.
    undefined: UndefinedTally<u16>,
}

/// A fault: its code, whether the standard requires what is missing, and the message.
type LinkFault = (Code, bool, String);

/// The index of a bearer that is not the only one.
const SEVERAL: u32 = u32::MAX - 1;

impl Links {
    pub(crate) fn new(table: &'static Table, against: Against, hasher: DefaultHashBuilder) -> Links {
        Links {
            table,
            against,
            texts: Texts::new(hasher, 0),
            bearer_of: Vec::new(),
            bearers: Vec::new(),
            pointers: Vec::new(),
            parts: Vec::new(),
            roots: vec![0; table.roots.len()],
            repeated: Vec::new(),
            undefined: UndefinedTally::default(),
        }
    }

    /// Adds what the next part in the order of the file showed to the same validator, or to a clone of it.
    pub fn add(&mut self, part: PartLinks) {
        for &(slot, place) in &part.roots {
            let Some(met) = self.roots.get_mut(usize::from(slot)) else { continue };
            *met = met.saturating_add(1);
            let max = self.table.roots.get(usize::from(slot)).and_then(|slot| slot.max);
            if max.is_some_and(|max| *met > max) {
                self.repeated.push((slot, part.place(place)));
            }
        }
        self.undefined.take(part.undefined);
        let numbers: Vec<u32> = part.texts.iter().map(|text| self.texts.number(text)).collect();
        let number = |of: u32| numbers.get(of as usize).copied().unwrap_or(NONE);
        self.bearer_of.resize(self.texts.len(), NONE);
        let first = self.pointers.len();
        let end = |of: u32| u32::try_from(first).unwrap_or(u32::MAX).saturating_add(of);
        for bearer in &part.bearers {
            let identifier = number(bearer.identifier);
            if let Some(of) = self.bearer_of.get_mut(identifier as usize) {
                *of = if *of == NONE { index(self.bearers.len()) } else { SEVERAL };
            }
            self.bearers.push(Bearer {
                identifier,
                tag: number(bearer.tag),
                end: end(bearer.end),
                ..*bearer
            });
        }
        let pointers = part.pointers.iter();
        self.pointers
            .extend(pointers.map(|pointer| Pointer { identifier: number(pointer.identifier), ..*pointer }));
        self.parts.push((first, part.places));
    }

    /// Reports what the whole document shows, in the order of the file: the findings have places, but not the
    /// lines that they stand in, which are gone.
    pub fn finish(self, sink: &mut dyn Sink) {
        let mut late: Vec<(Place, LinkFault)> = Vec::new();
        for &(slot, place) in &self.repeated {
            let Some(slot) = self.table.roots.get(usize::from(slot)) else { continue };
            let (max, what) = (slot.max.unwrap_or(u32::MAX), self.table.shown(slot.name));
            let message = format!("expected at most {max} `{what}` in the document, but found another one");
            late.push((place, (codes::STRUCTURE_REPEATED, true, message)));
        }
        let rules = RulesByKind::of(self.table, &self.texts);
        let crowded = Crowded::of(&self, &rules);
        let mut at = 0;
        for (of, bearer) in (0..).zip(&self.bearers) {
            for pointer in self.pointers_of(of).unwrap_or_default() {
                if let Some(fault) = self.fault((of, bearer), pointer, (&rules, &crowded)) {
                    late.push((self.place(at, pointer), fault));
                }
                at += 1;
            }
        }
        late.sort_by_key(|(place, _)| *place);
        for (place, (code, is_required, message)) in late {
            let is_named = self.against.is_named && is_required;
            sink.report(finding(code, Against { is_named, ..self.against }, message).at(place, None));
        }
        undefined::report(self.undefined, self.table, self.against, sink);
    }

    /// Returns what is wrong with a pointer that stands in a record.
    fn fault(
        &self,
        (of, record): (u32, &Bearer),
        pointer: &Pointer,
        (rules, crowded): (&RulesByKind, &Crowded),
    ) -> Option<LinkFault> {
        let (at, target) = self.bearer(pointer.identifier)?;
        // The reader says that nothing leads to a substructure.
        if target.is_nested {
            return None;
        }
        let kind = self.table.kind(pointer.kind)?;
        if let Some((code, message)) = unexpected_pointer(kind, self.texts.get(pointer.identifier)) {
            return Some((code, true, message));
        }
        if !rules.is_meant(self.table, pointer.kind, target) {
            return self.wrong_type(pointer, target);
        }
        let about = rules.about(pointer, record);
        if about == 0 || target.kind == NO_KIND {
            return None;
        }
        let is_answered = |bit| crowded.answers(self, rules, (at, record.identifier)) & bit != 0;
        // Nothing leads to what bears a repeated identifier, of which the reader speaks.
        let is_repeated = record.identifier != NONE && self.bearer(record.identifier).is_none();
        self::rules::rules(self.table).filter(|(bit, _)| about & bit != 0).find_map(|(bit, link)| {
            let fault = match link.rule {
                LinkRule::Elsewhere if at == of => self.own_record(pointer),
                LinkRule::Unanswered { .. } if is_answered(bit) => self.leads_back(pointer),
                LinkRule::Answered { tags, .. } if !is_repeated && !is_answered(bit) => {
                    self.one_sided(record, pointer, tags)
                }
                LinkRule::Elsewhere | LinkRule::Unanswered { .. } | LinkRule::Answered { .. } => return None,
            };
            Some((fault.0, link.is_required, fault.1))
        })
    }

    /// The index of the only bearer of an identifier, and the bearer.
    fn bearer(&self, identifier: u32) -> Option<(u32, &Bearer)> {
        let at = *self.bearer_of.get(identifier as usize)?;
        Some((at, self.bearers.get(at as usize)?))
    }

    /// The pointers that stand in a bearer; `None` where there is no such one.
    fn pointers_of(&self, at: u32) -> Option<&[Pointer]> {
        let before = at.checked_sub(1).and_then(|before| self.bearers.get(before as usize));
        let range =
            before.map_or(0, |before| before.end) as usize..self.bearers.get(at as usize)?.end as usize;
        Some(self.pointers.get(range).unwrap_or_default())
    }

    #[cold]
    fn wrong_type(&self, pointer: &Pointer, target: &Bearer) -> Option<LinkFault> {
        let targets = self.table.kind(pointer.kind)?.targets.iter();
        let targets: Vec<String> = targets.map(|of| format!("`{}`", self.table.shown(of))).collect();
        let message = format!(
            "expected a pointer to {}, but `@{}@` is `{}`",
            targets.join(" or "),
            shown(self.texts.get(pointer.identifier)),
            shown(self.texts.get(target.tag))
        );
        Some((codes::POINTER_WRONG_TYPE, true, message))
    }

    #[cold]
    fn one_sided(&self, record: &Bearer, pointer: &Pointer, tags: &[&str]) -> (Code, String) {
        let target = shown(self.texts.get(pointer.identifier));
        let message = if record.identifier == NONE {
            let tags: Vec<String> = tags.iter().map(|tag| format!("`{tag}`")).collect();
            let tags = tags.join(" or ");
            format!(
                "expected `@{target}@` to answer with {tags}, but nothing leads to a record without an identifier"
            )
        } else {
            let own = shown(self.texts.get(record.identifier));
            let answers: Vec<String> = tags.iter().map(|tag| format!("`{tag} @{own}@`")).collect();
            let none = if answers.len() == 1 { "it" } else { "either" };
            format!(
                "expected `@{target}@` to answer with {}, but it does not have {none}",
                answers.join(" or ")
            )
        };
        (codes::LINK_ONE_SIDED, message)
    }

    #[cold]
    fn own_record(&self, pointer: &Pointer) -> (Code, String) {
        let target = shown(self.texts.get(pointer.identifier));
        let message = format!("expected a pointer to another record, but it stands in `@{target}@` itself");
        (codes::POINTER_CIRCULAR, message)
    }

    #[cold]
    fn leads_back(&self, pointer: &Pointer) -> (Code, String) {
        let target = shown(self.texts.get(pointer.identifier));
        let message =
            format!("expected a pointer to a record that does not lead back, but `@{target}@` does");
        (codes::POINTER_CIRCULAR, message)
    }

    /// The place of the line of a pointer, which is the one of that index.
    #[cold]
    fn place(&self, at: usize, pointer: &Pointer) -> Place {
        let part = self.parts.partition_point(|(first, _)| *first <= at).checked_sub(1);
        let places = part.and_then(|part| self.parts.get(part));
        places.map_or(Place::new(0, 1, 1, 1), |(_, places)| places.place(pointer.place))
    }
}

/// An index as a number that is none of the special ones.
fn index(of: usize) -> u32 {
    u32::try_from(of).map_or(SEVERAL, |of| of.min(SEVERAL))
}
