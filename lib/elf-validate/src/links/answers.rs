//! Creates fixes for one-sided links. A fix writes the missing half if that half is certain.
//!
//! The existing half is all that the file says about the link, so the missing half adds nothing
//! new.
//!
//! The missing half is not certain in these cases. The file has no trailer, so it may be cut off.
//! The missing half could have either of two tags, HUSB or WIFE. The file qualifies the link. The
//! two records are also linked in another role, so that one of the two links may be wrong. The
//! record has an invalid pointer, which may be a misspelling of the missing half.

use super::EndedLinks;
use super::PointerInRecord;
use super::index::BearerId;
use super::rules::{RuleSet, all_rules};
use crate::table::{Link, LinkRule, Naming, Table};
use elf_base::{Fix, FixAction, LinkAnswer};
use elf_schema::Schema;

/// Returns the rules for which the missing half has a single possible tag. That tag must also have
/// the right meaning in all records that the rule concerns.
pub(crate) fn rules_with_certain_tags(table: &Table, schema: &Schema) -> RuleSet {
    let has_certain_tag = |link: &Link| match (link.rule, table.naming) {
        (LinkRule::Answered { tags: [_], .. }, Naming::Tag) => true,
        (LinkRule::Answered { tags: [tag], by }, Naming::Type) => {
            let targets = table.kind(link.pointer).map_or(&[][..], |kind| kind.targets);
            targets.iter().all(|target| defines_only(table, schema, target, tag, by))
        }
        (
            LinkRule::Answered { .. }
            | LinkRule::Elsewhere
            | LinkRule::Unanswered { .. }
            | LinkRule::Acyclic
            | LinkRule::Once,
            _,
        ) => false,
    };
    all_rules(table).filter(|(_, link)| has_certain_tag(link)).fold(0, |set, (bit, _)| set | bit)
}

/// Returns whether the schema gives `tag` under `target` one of the kinds `by`, and no other
/// meaning.
fn defines_only(table: &Table, schema: &Schema, target: &str, tag: &str, by: &[u16]) -> bool {
    let Some(target) = schema.type_of(target) else { return false };
    let mut types = schema.definitions_in(target).filter(|one| one.tag() == tag).peekable();
    types.peek().is_some()
        && types.all(|one| table.kind_number(one.structure_type()).is_some_and(|kind| by.contains(&kind)))
}

impl EndedLinks {
    /// Returns the fix of a one-sided link, if it is certain.
    pub(super) fn fix_one_sided(
        &self,
        met: PointerInRecord<'_>,
        target: BearerId,
        link: &Link,
    ) -> Option<Fix> {
        let PointerInRecord { pointer, id, .. } = met;
        let (LinkRule::Answered { tags: [tag], .. }, Some(own)) = (link.rule, id.xref_key(&self.links.runs))
        else {
            return None;
        };
        let table = self.links.table;
        let (rule, _) = all_rules(table).find(|(_, one)| std::ptr::eq(*one, link))?;
        let [run, of_target] = [id, target].map(|of| self.links.get_run(of.run_number()));
        let bearer = self.links.get_bearer(target)?;
        let kind = table.kind(bearer.kind)?;
        let direct = self.rules.direct;
        let is_answer = self.links.has_trailer
            && self.links.certain & rule != 0
            && self.rules_of_invalid_pointers(target) & rule == 0
            && of_target.has_own_tag(target.index())
            && table.kind(pointer.kind)?.targets.contains(&kind.name)
            && !run.is_qualified(id.index(), pointer.key)
            // The target has no link back in any role, and the record links to the target in this
            // role only.
            && self.rules_satisfied_by(target, own) & direct == 0
            && (self.rules_satisfied_by(id, pointer.key) & direct).count_ones() == 1;
        is_answer.then(|| {
            let answer = FixAction::AnswerLink(Box::new(LinkAnswer {
                record: of_target.identifier_of(target.index()).into(),
                tag,
                to: run.identifier_of(id.index()).into(),
            }));
            if of_target.is_guarded(target.index()) { Fix::guess(answer) } else { Fix::safe(answer) }
        })
    }

    /// Returns the rules that invalid and unresolved pointers of a record would satisfy if they were correct.
    fn rules_of_invalid_pointers(&self, of: BearerId) -> RuleSet {
        let run = self.links.get_run(of.run_number());
        let pointers = run.pointers_of(of.index());
        let dangling = self.crowded.rules_of_unresolved(pointers.len(), of).unwrap_or_else(|| {
            let pointers = pointers.filter_map(|at| run.get_pointer(at));
            let dangling = pointers.filter(|to| self.index.find_bearer(to.key, &self.links.runs).is_none());
            dangling.fold(0, |rules, pointer| {
                rules | self.rules.rules_satisfied_by(pointer.kind, pointer.is_direct)
            })
        });
        let kinds = run.broken_pointers_in(of.index());
        let broken = kinds.map(|kind| self.rules.rules_satisfied_by(kind, true));
        broken.fold(dangling, |rules, answers| rules | answers)
    }
}
