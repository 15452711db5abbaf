//! Assigns the partners of a family to the husband's and the wife's side.

use elf_lineage::{Family, FamilyId, PartnerRole, Person, PersonId, Sex};

/// The partners of a family by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Couple {
    pub(crate) family: FamilyId,
    pub(crate) husbands: Vec<PersonId>,
    pub(crate) wives: Vec<PersonId>,
}

impl Couple {
    /// The maximum number of partners of one family that are listed as spouses and as parents.
    /// Without a limit, a family of a thousand partners would produce a million entries.
    pub(crate) const MAX_PARTNERS: usize = 100;

    pub(crate) fn has_too_many_partners(family: Family<'_>) -> bool {
        family.partners().nth(Couple::MAX_PARTNERS).is_some()
    }

    /// Assigns each partner to a side by the role or, if the role says nothing, by the sex. A
    /// partner for whom neither helps is placed on an empty side, the husband's side first.
    pub(crate) fn of(family: Family<'_>) -> Couple {
        let mut couple = Couple { family: family.id(), husbands: Vec::new(), wives: Vec::new() };
        let mut others = Vec::new();
        for (person, role) in family.partners() {
            match is_wife(person, role) {
                Some(true) => couple.wives.push(person.id()),
                Some(false) => couple.husbands.push(person.id()),
                None => others.push(person.id()),
            }
        }
        for other in others {
            match couple.husbands.is_empty() || !couple.wives.is_empty() {
                true => couple.husbands.push(other),
                false => couple.wives.push(other),
            }
        }
        couple
    }
}

fn is_wife(person: Person<'_>, role: PartnerRole) -> Option<bool> {
    match (role, person.sex()) {
        (PartnerRole::Husband, _) | (PartnerRole::Partner, Sex::Male) => Some(false),
        (PartnerRole::Wife, _) | (PartnerRole::Partner, Sex::Female) => Some(true),
        (PartnerRole::Partner, Sex::Unknown) => None,
    }
}
