//! The fate of pointers, by what becomes of the structures that they point to.

use crate::records::{RecordAction, RemovalReason};

/// What a pointer to an identifier leads to when the plan is carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    /// Nothing, as before.
    #[default]
    Nothing,
    /// A structure that stays.
    Kept,
    /// A person or a family that is hidden.
    Hidden,
    /// A structure that is removed.
    Removed,
}

/// What becomes of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The structure stays, with its substructures.
    Stays,
    /// The structure stays without its substructures, which are about a hidden person or family.
    StaysAlone,
    /// The structure and its substructures are removed.
    Goes(RemovalReason),
}

/// A pointer, as far as its fate depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointerCase {
    /// What becomes of the record of the pointer.
    pub(crate) action: RecordAction,
    pub(crate) target: Target,
    /// True if the pointer links a person and a family.
    pub(crate) is_family_link: bool,
    /// True if the plan is a redaction.
    pub(crate) is_redaction: bool,
}

impl PointerCase {
    pub(crate) const fn fate(self) -> Fate {
        let is_family_link = self.is_family_link;
        match (self.action, self.target) {
            // It is not known whom the substructures of an unresolved link are about.
            (RecordAction::Keep, Target::Nothing) if is_family_link && self.is_redaction => Fate::StaysAlone,
            (RecordAction::Remove(reason), _) => Fate::Goes(reason),
            (RecordAction::Hide, Target::Kept | Target::Hidden) if is_family_link => Fate::StaysAlone,
            (RecordAction::Hide, _) => Fate::Goes(RemovalReason::Living),
            (RecordAction::Keep, Target::Removed) => Fate::Goes(RemovalReason::PointerToRemoved),
            (RecordAction::Keep, Target::Hidden) if is_family_link => Fate::StaysAlone,
            (RecordAction::Keep, Target::Hidden) => Fate::Goes(RemovalReason::Living),
            (RecordAction::Keep, Target::Kept | Target::Nothing) => Fate::Stays,
        }
    }
}
