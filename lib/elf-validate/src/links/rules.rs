//! The rules about pointers between two records, by the kind of the pointer or of the record.

use super::index::{BearerId, BearerIndex};
use super::run_links::{Bearer, Pointer, RunLinks};
use crate::table::{Kind, Link, LinkRule, Naming, Table};
use std::collections::HashMap;

/// A set of rules. Each rule has a bit, whose position is the rule's index in the table.
pub(crate) type RuleSet = u32;

const MAX_RULES: usize = RuleSet::BITS as usize;

/// If a record has at most this number of pointers, they are searched again for each question about
/// the record.
const FEW_POINTERS: usize = 32;

/// The rules and the allowed targets of each kind. They include those of the kind's supertypes.
#[derive(Debug)]
pub(crate) struct RulesByKind {
    kinds: Vec<KindRules>,
    /// The rules that concern only pointers directly under a record.
    pub(super) direct: RuleSet,
    /// The rules that forbid circles of pointers.
    pub(super) acyclic: RuleSet,
    /// The rules that forbid a second pointer to the same record.
    pub(super) once: RuleSet,
}

#[derive(Clone, Debug, Default)]
struct KindRules {
    /// The kinds that pointers of this kind may refer to, with one bit for each kind.
    meant: Box<[u64]>,
    /// The rules about pointers of this kind.
    about: RuleSet,
    /// The rules about pointers in records of this kind.
    within: RuleSet,
    /// The rules that pointers of this kind satisfy for the record that they refer to.
    answers: RuleSet,
}

/// The number of bits in a word of [`KindRules::meant`].
const BITS: usize = u64::BITS as usize;

/// Returns a bit for each kind that is in `targets`, or that has a supertype there. If the result
/// is empty, no kind is allowed.
fn target_bits(table: &Table, targets: &[u16]) -> Box<[u64]> {
    // Most kinds have no targets. To compare all kinds with each other for them would delay the start of the command.
    if targets.is_empty() {
        return Box::default();
    }
    let is_meant = |(of, kind): &(u16, &Kind)| {
        targets.contains(of) || kind.supertypes.iter().any(|above| targets.contains(above))
    };
    let mut bits = Vec::new();
    for (of, _) in (0..).zip(table.kinds).filter(is_meant) {
        let (word, bit) = (usize::from(of) / BITS, usize::from(of) % BITS);
        bits.resize(bits.len().max(word + 1), 0);
        // The list was created long enough for this word.
        bits[word] |= 1 << bit;
    }
    bits.into()
}

/// The rules that records with many pointers satisfy. They are found in one pass.
#[derive(Debug, Default)]
pub(super) struct ManyPointers {
    /// The satisfied rules, by the record and by the identifier that its pointers name.
    answers: HashMap<(BearerId, u64), RuleSet>,
    /// The rules that the unresolved pointers of a record would satisfy, by record.
    dangling: HashMap<BearerId, RuleSet>,
}

/// Returns the rules of a set, each with its bit.
pub(super) fn rules_in_set(
    mut set: RuleSet,
    table: &Table,
) -> impl Iterator<Item = (RuleSet, &'static Link)> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        let link = table.links.get(bit.checked_ilog2()? as usize)?;
        set &= !bit;
        Some((bit, link))
    })
}

/// Returns all rules, each with its bit.
pub(super) fn all_rules(table: &Table) -> impl Iterator<Item = (RuleSet, &'static Link)> {
    table.links.iter().take(MAX_RULES).enumerate().map(|(at, link)| (1 << at, link))
}

impl RulesByKind {
    pub(crate) fn of(table: &Table) -> RulesByKind {
        let kinds = (0..).zip(table.kinds).map(|(number, kind)| {
            let is = |of: u16| of == number || kind.supertypes.contains(&of);
            let set = |holds: &dyn Fn(&Link) -> bool| {
                all_rules(table).filter(|(_, link)| holds(link)).fold(0, |set, (bit, _)| set | bit)
            };
            let target = |name: &&str| match table.naming {
                Naming::Tag => table.root(name).map(|slot| slot.kind),
                Naming::Type => table.kind_number(name),
            };
            let targets: Vec<u16> = kind.targets.iter().filter_map(target).collect();
            KindRules {
                meant: target_bits(table, &targets),
                about: set(&|link| is(link.pointer)),
                within: set(&|link| is(link.record)),
                answers: set(&|link| match link.rule {
                    LinkRule::Answered { by, .. } | LinkRule::Unanswered { by } => {
                        by.iter().any(|&by| is(by))
                    }
                    LinkRule::Elsewhere | LinkRule::Acyclic | LinkRule::Once => false,
                }),
            }
        });
        let set = |holds: fn(&LinkRule) -> bool| {
            all_rules(table).filter(|(_, link)| holds(&link.rule)).fold(0, |set, (bit, _)| set | bit)
        };
        RulesByKind {
            kinds: kinds.collect(),
            direct: set(|rule| matches!(rule, LinkRule::Answered { .. } | LinkRule::Once)),
            acyclic: set(|rule| matches!(rule, LinkRule::Acyclic)),
            once: set(|rule| matches!(rule, LinkRule::Once)),
        }
    }

    fn of_kind(&self, kind: u16) -> Option<&KindRules> {
        self.kinds.get(usize::from(kind))
    }

    /// Returns whether pointers of a kind may refer to a structure. They may not refer to extensions, which have no
    /// kind.
    pub(super) fn may_refer_to(&self, kind: u16, target: &Bearer) -> bool {
        let Some(KindRules { meant, .. }) = self.of_kind(kind) else { return true };
        let bits = meant.get(usize::from(target.kind) / BITS).copied().unwrap_or_default();
        bits >> (usize::from(target.kind) % BITS) & 1 == 1
    }

    pub(super) fn rules_about(&self, pointer: &Pointer, record: &Bearer) -> RuleSet {
        let about = self.of_kind(pointer.kind).map_or(0, |kind| kind.about);
        let about = if pointer.is_direct { about } else { about & !self.direct };
        if about == 0 { 0 } else { about & self.of_kind(record.kind).map_or(0, |kind| kind.within) }
    }

    /// Returns the rules that pointers of a kind satisfy. Some rules require a pointer directly under its record.
    #[inline]
    pub(super) fn rules_satisfied_by(&self, kind: u16, is_direct: bool) -> RuleSet {
        let answers = self.of_kind(kind).map_or(0, |kind| kind.answers);
        if is_direct { answers } else { answers & !self.direct }
    }
}

impl ManyPointers {
    /// Visits the pointers of each record with many pointers once, so that no later question has to
    /// visit them again.
    pub(super) fn of(runs: &[RunLinks], rules: &RulesByKind, index: &BearerIndex) -> ManyPointers {
        let mut crowded = ManyPointers::default();
        for (number, run) in (0..).zip(runs) {
            for of in 0..run.bearers.len() {
                let pointers = run.pointers_of(of);
                if pointers.len() <= FEW_POINTERS {
                    continue;
                }
                for pointer in pointers.filter_map(|at| run.get_pointer(at)) {
                    let answers = rules.rules_satisfied_by(pointer.kind, pointer.is_direct);
                    let of = BearerId::new(number, of);
                    if answers == 0 {
                        continue;
                    }
                    *crowded.answers.entry((of, pointer.key)).or_default() |= answers;
                    if index.find_bearer(pointer.key, runs).is_none() {
                        *crowded.dangling.entry(of).or_default() |= answers;
                    }
                }
            }
        }
        crowded
    }

    /// Returns the rules that the pointers from a record to an identifier satisfy. Returns `None`
    /// if the record has few pointers, which are searched directly.
    pub(super) fn rules_satisfied_for(&self, pointers: usize, of: BearerId, to: u64) -> Option<RuleSet> {
        (pointers > FEW_POINTERS).then(|| self.answers.get(&(of, to)).copied().unwrap_or_default())
    }

    /// Returns the rules that the unresolved pointers of a record would satisfy. Returns `None` if
    /// the record has few pointers, which are searched directly.
    pub(super) fn rules_of_unresolved(&self, pointers: usize, of: BearerId) -> Option<RuleSet> {
        (pointers > FEW_POINTERS).then(|| self.dangling.get(&of).copied().unwrap_or_default())
    }
}
