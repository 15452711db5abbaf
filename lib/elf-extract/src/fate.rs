//! Decides what happens to pointers, depending on what happens to their targets.

use crate::records::{RecordAction, RemovalReason};

/// What the plan does with the target of a pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    /// The pointer is unresolved, as before.
    #[default]
    Nothing,
    /// The target is kept.
    Kept,
    /// The target is a hidden person or family.
    Hidden,
    /// The target is removed.
    Removed,
}

/// What happens to a structure with a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The structure is kept, with its substructures.
    Keep,
    /// The structure is kept without its substructures, because they are about a hidden person or
    /// family.
    KeepAlone,
    /// The structure and its substructures are removed.
    Remove(RemovalReason),
}

/// The properties of a pointer that decide its fate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointerCase {
    /// What happens to the record that contains the pointer.
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
            // Nobody knows whom the substructures of an unresolved link are about.
            (RecordAction::Keep, Target::Nothing) if is_family_link && self.is_redaction => Fate::KeepAlone,
            (RecordAction::Remove(reason), _) => Fate::Remove(reason),
            (RecordAction::Hide, Target::Kept | Target::Hidden) if is_family_link => Fate::KeepAlone,
            (RecordAction::Hide, _) => Fate::Remove(RemovalReason::Living),
            (RecordAction::Keep, Target::Removed) => Fate::Remove(RemovalReason::PointerToRemoved),
            (RecordAction::Keep, Target::Hidden) if is_family_link => Fate::KeepAlone,
            (RecordAction::Keep, Target::Hidden) => Fate::Remove(RemovalReason::Living),
            (RecordAction::Keep, Target::Kept | Target::Nothing) => Fate::Keep,
        }
    }
}
