//! How a schema treats types that it does not define.

use crate::definitions::Definitions;
use crate::ids::TypeId;
use crate::provenance::Origin;
use crate::term;

/// What must be known about a schema to report unknown tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UndefinedScope {
    /// True if the schema defines something under undefined types.
    pub(crate) can_type_under_undefined: bool,
    /// True if all definitions of the schema are those of GEDCOM 5.5.1.
    pub(crate) is_of_5_5_1: bool,
}

impl UndefinedScope {
    pub(crate) fn of(definitions: &Definitions) -> UndefinedScope {
        let is_of_5_5_1 = |origin: &Origin| {
            matches!(origin, Origin::Published | Origin::Completed | Origin::Vendor(_) | Origin::Made)
        };
        UndefinedScope {
            can_type_under_undefined: can_type_under_undefined(definitions),
            is_of_5_5_1: definitions.definitions.iter().all(|one| is_of_5_5_1(&one.provenance.origin)),
        }
    }
}

/// Returns whether a schema has definitions under an undefined type, or names one. Then structures under an undefined
/// one can have types.
fn can_type_under_undefined(definitions: &Definitions) -> bool {
    let mut above = definitions.eventual_supertypes(TypeId::UNDEFINED);
    let names_undefined = || {
        let others = definitions.types.keys().skip(TypeId::UNDEFINED.index() + 1);
        others.into_iter().any(|iri| term::undefined_tag(iri).is_some())
    };
    above.any(|of| !definitions.definitions_in(of).is_empty()) || names_undefined()
}
