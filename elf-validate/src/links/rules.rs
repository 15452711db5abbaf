//! The rules about pointers that concern two records, by the numbers of kinds.

use super::part::{Bearer, Pointer};
use super::texts::Texts;
use super::{Links, texts};
use crate::slots::NO_KIND;
use crate::table::{LinkRule, Naming, Table};
use std::collections::HashMap;

/// A set of rules: a bit for each, by its index.
pub(super) type RuleSet = u32;

/// The most rules of a standard.
const MOST: usize = RuleSet::BITS as usize;

/// The pointers of a record that are gone through for each question about it.
const FEW: usize = 32;

/// The rules and the targets of each kind, supertypes included.
pub(super) struct RulesByKind {
    kinds: Vec<OfKind>,
    /// The rules that only a pointer directly beneath its record can meet.
    direct: RuleSet,
}

#[derive(Clone, Debug, Default)]
struct OfKind {
    /// The structures that pointers of the kind may lead to, by the numbers of their kinds, or of their tags.
    targets: Box<[u32]>,
    /// The rules about pointers of the kind.
    about: RuleSet,
    /// The rules about pointers in records of the kind.
    within: RuleSet,
    /// The rules that pointers of the kind answer.
    answers: RuleSet,
}

/// The answers of the records that have many pointers, by record and identifier.
pub(super) struct Crowded(HashMap<(u32, u32), RuleSet>);

/// The rules of a table, each with its bit.
pub(super) fn rules(table: &Table) -> impl Iterator<Item = (RuleSet, &'static crate::table::Link)> {
    table.links.iter().take(MOST).enumerate().map(|(at, link)| (1 << at, link))
}

impl RulesByKind {
    pub(super) fn of(table: &Table, texts: &Texts) -> RulesByKind {
        let kinds = (0..).zip(table.kinds).map(|(number, kind)| {
            let is = |of: u16| of == number || kind.supertypes.contains(&of);
            let set = |holds: &dyn Fn(&crate::table::Link) -> bool| {
                rules(table).filter(|(_, link)| holds(link)).fold(0, |set, (bit, _)| set | bit)
            };
            let target = |name: &&str| match table.naming {
                Naming::Tag => texts.find(name),
                Naming::Type => table.number(name).map(u32::from),
            };
            OfKind {
                targets: kind.targets.iter().filter_map(target).collect(),
                about: set(&|link| is(link.pointer)),
                within: set(&|link| is(link.record)),
                answers: set(&|link| match link.rule {
                    LinkRule::Answered { by, .. } | LinkRule::Unanswered { by } => {
                        by.iter().any(|&by| is(by))
                    }
                    LinkRule::Elsewhere => false,
                }),
            }
        });
        let direct = rules(table).filter(|(_, link)| matches!(link.rule, LinkRule::Answered { .. }));
        RulesByKind { kinds: kinds.collect(), direct: direct.fold(0, |set, (bit, _)| set | bit) }
    }

    fn get(&self, kind: u16) -> Option<&OfKind> {
        self.kinds.get(usize::from(kind))
    }

    /// Tells whether pointers of a kind may lead to a structure.
    pub(super) fn is_meant(&self, table: &Table, kind: u16, target: &Bearer) -> bool {
        let Some(OfKind { targets, .. }) = self.get(kind) else { return true };
        match table.naming {
            Naming::Tag => targets.contains(&target.tag),
            // One without a type is an extension, which no pointer may lead to.
            Naming::Type if target.kind == NO_KIND => false,
            Naming::Type => {
                targets.contains(&target.kind.into())
                    || table.kind(target.kind).is_none_or(|found| {
                        found.supertypes.iter().any(|&above| targets.contains(&above.into()))
                    })
            }
        }
    }

    /// The rules about a pointer in a record.
    pub(super) fn about(&self, pointer: &Pointer, record: &Bearer) -> RuleSet {
        let about = self.get(pointer.kind).map_or(0, |kind| kind.about);
        let about = if pointer.place.is_marked() { about } else { about & !self.direct };
        if about == 0 { 0 } else { about & self.get(record.kind).map_or(0, |kind| kind.within) }
    }

    /// The rules that a pointer answers.
    fn answers(&self, pointer: &Pointer) -> RuleSet {
        let answers = self.get(pointer.kind).map_or(0, |kind| kind.answers);
        if pointer.place.is_marked() { answers } else { answers & !self.direct }
    }
}

impl Crowded {
    /// Goes once through the pointers of each record that has many, so that no question about it does.
    pub(super) fn of(links: &Links, rules: &RulesByKind) -> Crowded {
        let mut crowded = HashMap::new();
        for (of, pointers) in (0..).map_while(|of| Some((of, links.pointers_of(of)?))) {
            if pointers.len() <= FEW {
                continue;
            }
            for pointer in pointers {
                let answers = rules.answers(pointer);
                if answers != 0 && pointer.identifier != texts::NONE {
                    *crowded.entry((of, pointer.identifier)).or_default() |= answers;
                }
            }
        }
        Crowded(crowded)
    }

    /// The rules that the pointers of a record to an identifier answer.
    pub(super) fn answers(&self, links: &Links, rules: &RulesByKind, (of, to): (u32, u32)) -> RuleSet {
        let pointers = links.pointers_of(of).unwrap_or_default();
        if pointers.len() > FEW {
            return self.0.get(&(of, to)).copied().unwrap_or_default();
        }
        let back = pointers.iter().filter(|pointer| pointer.identifier == to && to != texts::NONE);
        back.fold(0, |answers, pointer| answers | rules.answers(pointer))
    }
}
