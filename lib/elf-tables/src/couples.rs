//! The two sides of a family: who is where husbands and fathers do, and who where wives and mothers do.

use elf_lineage::{Family, FamilyId, PartnerRole, Person, PersonId, Sex};

/// The partners of a family by their sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Couple {
    pub(crate) family: FamilyId,
    pub(crate) husbands: Vec<PersonId>,
    pub(crate) wives: Vec<PersonId>,
}

impl Couple {
    /// The most partners of one family that are listed as spouses of each other and as parents: where a file
    /// names a thousand, a list for each of them would be a million long.
    pub(crate) const MOST: usize = 100;

    /// Returns whether a family has more partners than are listed.
    pub(crate) fn is_crowded(family: Family<'_>) -> bool {
        family.partners().nth(Couple::MOST).is_some()
    }

    /// The partners of a family. The role says the side, then the sex; of whom neither is known stands on the
    /// side where nobody does, the husband's first.
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
