//! The counterparts of structures in the completed schema, by whatever types a document has.

use super::{Correspondence, Role};
use crate::common::tag_of_2017;
use crate::extensions::GEDCOM_7;
use crate::ids::TypeId;
use crate::schema::Schema;
use crate::term;
use std::sync::OnceLock;

/// The type of the completed schema that corresponds to a structure, and its role in a family tree.
///
/// Its type may be that of a file's own schema, an IRI of 2017, a structure of GEDCOM 7 or none at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counterpart {
    /// The type in the completed schema; [`TypeId::NONE`] if there is no counterpart.
    of: TypeId,
    role: Option<Role>,
    is_inherited: bool,
}

/// Finds the counterparts of structures in the completed schema. The counterpart of a type is the type itself or its
/// nearest supertype that has one. For unknown tags, IRIs of 2017, and structures of GEDCOM 7 with several meanings
/// (such as the `NAME` of a repository), the superstructure decides.
///
/// ```
/// use elf_schema::{Counterpart, Counterparts, ReadOptions, Role, Rules};
///
/// let file = b"0 HEAD\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI elf:INDIVIDUAL_RECORD\n\
///     3 TAG INDI elf:Document\n2 IRI https://e.example/STILLBIRTH\n3 ISA elf:BIRTH\n\
///     3 TAG STIL elf:INDIVIDUAL_RECORD\n0 INDI\n1 STIL\n0 TRLR\n";
/// let typed = elf_schema::read(file, &Rules::JANUARY_2019, &ReadOptions::default(), &mut ())?;
/// let counterparts = Counterparts::of(typed.schema());
/// let person = typed.records().next().expect("a record");
/// let record = counterparts.find(Counterpart::DOCUMENT, person.tag(), typed.type_id(person), || None);
/// assert_eq!(record.role(), Some(Role::Person));
/// let event = person.substructures().next().expect("an event");
/// let event = counterparts.find(record, event.tag(), typed.type_id(event), || None);
/// assert_eq!((event.role(), event.iri()), (Some(Role::Birth), Some("https://terms.fhiso.org/elf/BIRTH")));
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
#[derive(Clone, Debug)]
pub struct Counterparts {
    /// The counterpart of each type of the schema.
    by_type: Box<[Counterpart]>,
    /// Types of the schema with several counterparts, sorted.
    of_several: Box<[(TypeId, Box<[TypeId]>)]>,
}

/// Tables about the completed schema.
struct Completed {
    /// The counterpart of each of its own types.
    own: Vec<Counterpart>,
    /// For each type, the tags defined under it, sorted, with their types.
    rows: Vec<Vec<(Box<str>, TypeId)>>,
}

impl Completed {
    fn get() -> &'static Completed {
        static COMPLETED: OnceLock<Completed> = OnceLock::new();
        COMPLETED.get_or_init(|| {
            let schema = Schema::completed();
            let own = schema.types().map(|(of, iri)| {
                let role = Correspondence::of(iri).and_then(|row| row.role);
                Counterpart { of, role, is_inherited: false }
            });
            let rows = schema.types().map(|(of, _)| {
                let defined = schema.typed_tags_under(of);
                let mut row: Vec<(Box<str>, TypeId)> =
                    defined.map(|(tag, found)| (schema.tag(tag).into(), found)).collect();
                row.sort_unstable();
                row
            });
            Completed { own: own.collect(), rows: rows.collect() }
        })
    }

    fn counterpart_of_own(&self, of: TypeId) -> Option<Counterpart> {
        self.own.get(of.index()).copied()
    }

    /// Returns the counterpart of a structure by its tag and the counterpart of its superstructure.
    fn counterpart_under(&self, above: Counterpart, tag: &str) -> Option<Counterpart> {
        let row = self.rows.get(above.of.index())?;
        let at = row.binary_search_by(|(known, _)| (**known).cmp(tag)).ok()?;
        row.get(at).and_then(|&(_, of)| self.counterpart_of_own(of))
    }
}

impl Counterpart {
    /// The counterpart of the document, the superstructure of records.
    pub const DOCUMENT: Counterpart = Counterpart { of: TypeId::DOCUMENT, role: None, is_inherited: false };

    /// The counterpart of a structure without a corresponding type.
    pub const NONE: Counterpart = Counterpart { of: TypeId::NONE, role: None, is_inherited: false };

    /// Returns the role of the structure, if it has one.
    pub const fn role(self) -> Option<Role> {
        self.role
    }

    /// Returns whether the counterpart is that of a supertype, because the type of the structure has none itself. An
    /// example is the type of `_RUFNAME`, which inherits the counterpart of `NICK`.
    pub const fn is_inherited(self) -> bool {
        self.is_inherited
    }

    /// Returns the IRI of the type in the completed schema.
    pub fn iri(self) -> Option<&'static str> {
        Schema::completed().iri(self.of)
    }
}

impl Counterparts {
    /// Computes the counterparts of all types of a schema, in time proportional to its definitions.
    pub fn of(schema: &Schema) -> Counterparts {
        let by_type = schema.by_nearest_supertype(counterpart_of_iri);
        let by_type = schema.types().zip(by_type).map(|((_, iri), found)| match found {
            Some(found) => Counterpart { is_inherited: counterpart_of_iri(iri).is_none(), ..found },
            None => Counterpart::NONE,
        });
        let of_several = schema.types().filter_map(|(of, iri)| Some((of, find_several(iri)?)));
        Counterparts { by_type: by_type.collect(), of_several: of_several.collect() }
    }

    /// Returns the counterpart of all structures of a type; `None` if it depends on the superstructure, or if the
    /// schema does not have the type.
    #[inline]
    pub fn of_type(&self, of: TypeId) -> Option<Counterpart> {
        let known = self.by_type.get(of.index()).copied().filter(|known| *known != Counterpart::NONE)?;
        let is_one = self.of_several.is_empty()
            || self.of_several.binary_search_by_key(&of, |(several, _)| *several).is_err();
        is_one.then_some(known)
    }

    /// Returns the counterpart of a structure. `above` is that of its superstructure; `iri` returns the IRI of its
    /// type if the schema does not have the type.
    pub fn find<'t>(
        &self,
        above: Counterpart,
        tag: &str,
        of: Option<TypeId>,
        iri: impl FnOnce() -> Option<&'t str>,
    ) -> Counterpart {
        if let Some(found) = of.and_then(|of| self.choose_counterpart(of, above, tag)) {
            return found;
        }
        let known = of.and_then(|of| self.by_type.get(of.index())).copied();
        match known {
            Some(known) if known != Counterpart::NONE => known,
            _ => Counterparts::counterpart_of_unknown(above, tag, iri()),
        }
    }

    /// Returns the counterpart of a structure whose type has several: the one that is allowed there.
    #[inline]
    fn choose_counterpart(&self, of: TypeId, above: Counterpart, tag: &str) -> Option<Counterpart> {
        if self.of_several.is_empty() {
            return None;
        }
        let at = self.of_several.binary_search_by_key(&of, |(of, _)| *of).ok()?;
        let (_, types) = self.of_several.get(at)?;
        Completed::get().counterpart_under(above, tag).filter(|found| types.contains(&found.of))
    }

    /// Returns the counterpart of a structure whose type is not in the schema.
    #[cold]
    fn counterpart_of_unknown(above: Counterpart, tag: &str, iri: Option<&str>) -> Counterpart {
        let completed = Completed::get();
        let by_tag = match iri {
            None => Some(tag),
            Some(iri) => tag_of_2017(iri).or_else(|| term::undefined_tag(iri)),
        };
        let found = match (by_tag, iri) {
            (Some(tag), _) => completed.counterpart_under(above, tag),
            (None, Some(iri)) => counterpart_of_iri(iri),
            (None, None) => None,
        };
        found.unwrap_or(Counterpart::NONE)
    }
}

/// Returns the counterpart of a type by its IRI alone.
fn counterpart_of_iri(iri: &str) -> Option<Counterpart> {
    let completed = Completed::get();
    if let Some(of) = Schema::completed().type_of(iri) {
        // `elf:Undefined` has no counterpart.
        return completed.counterpart_of_own(of).filter(|_| of != TypeId::UNDEFINED);
    }
    if !iri.starts_with(GEDCOM_7) {
        return None;
    }
    let role = Correspondence::of_gedcom_7(iri).next()?.role;
    let types = types_of_gedcom_7(iri);
    let of = match types.as_slice() {
        [only] => Some(*only),
        // Choose the counterpart that most of them have.
        types => {
            let schema = Schema::gedcom_7();
            let above = schema.type_of(iri).into_iter().flat_map(|of| schema.supertypes(of));
            let mut above = above.filter_map(|(of, _)| Schema::completed().type_of(schema.iri(of)?));
            above.find(|above| types.contains(above))
        }
    };
    Some(Counterpart { of: of.unwrap_or(TypeId::NONE), role, is_inherited: false })
}

/// Returns the types of the completed schema that correspond to a structure of GEDCOM 7.
pub(super) fn types_of_gedcom_7(iri: &str) -> Vec<TypeId> {
    let rows = Correspondence::of_gedcom_7(iri);
    rows.filter_map(|row| Schema::completed().type_of(row.elf?)).collect()
}

/// Returns the types that correspond to a structure of GEDCOM 7, if there are several.
fn find_several(iri: &str) -> Option<Box<[TypeId]>> {
    let types = iri.starts_with(GEDCOM_7).then(|| types_of_gedcom_7(iri))?;
    (types.len() > 1).then(|| types.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Rules;

    fn roles(file: &str, rules: &Rules) -> Vec<Option<Role>> {
        let typed =
            crate::read(file.as_bytes(), rules, &crate::ReadOptions::default(), &mut ()).expect("small");
        let counterparts = Counterparts::of(typed.schema());
        let mut found = vec![Counterpart::DOCUMENT];
        for node in typed.records().flat_map(|record| std::iter::once(record).chain(record.descendants())) {
            let depth = node.with_ancestors().count();
            found.truncate(depth + 1);
            let above = found.last().copied().unwrap_or(Counterpart::NONE);
            found.push(counterparts.find(above, node.tag(), typed.type_id(node), || typed.type_of(node)));
            if node.tag() == "BURI" || node.tag() == "DATE" || node.tag() == "HUSB" {
                return found.iter().skip(1).map(|found| found.role()).collect();
            }
        }
        Vec::new()
    }

    #[test]
    fn tags_have_their_roles_by_all_rules() {
        let file = "0 HEAD\n0 @I1@ INDI\n1 DEAT\n2 DATE 1900\n0 TRLR\n";
        for rules in Rules::PRESETS {
            let expected = [Role::Person, Role::Death, Role::Date].map(Some);
            assert_eq!(roles(file, rules), expected, "{}", rules.name);
        }
        // A structure under an event of a family is not its husband, whatever its tag.
        let husband = "0 HEAD\n0 @F1@ FAM\n1 MARR\n2 HUSB\n3 AGE 20y\n0 TRLR\n";
        for rules in Rules::PRESETS {
            let expected = [Role::Family, Role::Marriage, Role::AgeOfHusband].map(Some);
            assert_eq!(roles(husband, rules), expected, "{}", rules.name);
        }
    }

    #[test]
    fn a_burial_is_one_whatever_the_misprint() {
        for rules in Rules::PRESETS {
            let file = "0 HEAD\n0 @I1@ INDI\n1 BURI\n0 TRLR\n";
            assert_eq!(roles(file, rules), [Role::Person, Role::Burial].map(Some), "{}", rules.name);
        }
    }

    #[test]
    fn structures_of_gedcom_7_have_their_roles() {
        let role = |name: &str| counterpart_of_iri(&[GEDCOM_7, name].concat()).and_then(Counterpart::role);
        assert_eq!(role("FAM-FACT"), Some(Role::GenericFamilyEvent));
        assert_eq!(role("INDI-FAMC"), Some(Role::FamilyAsChild));
        assert_eq!(role("HEIGHT"), None);
        assert_eq!(counterpart_of_iri("https://e.example/BIRT"), None);
    }

    #[test]
    fn structures_that_stand_for_several_types_have_the_one_that_stands_there() {
        let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _WHEN https://gedcom.io/terms/v7/DATE\n\
                0 REPO\n1 NAME x\n0 SUBM\n1 NAME x\n0 INDI\n1 BIRT\n2 DATE x\n1 _WHEN x\n1 BAPL\n\
                2 DATE x\n0 SOUR\n1 TITL x\n0 OBJE\n1 FILE x\n2 TITL x\n0 TRLR\n";
        let typed = crate::read(file.as_bytes(), &Rules::WILD, &crate::ReadOptions::default(), &mut ());
        let typed = typed.expect("small");
        let counterparts = Counterparts::of(typed.schema());
        let find = |above, node: elf_tagged::Node<'_>| {
            counterparts.find(above, node.tag(), typed.type_id(node), || typed.type_of(node))
        };
        let mut found = Vec::new();
        for record in typed.records() {
            let above = find(Counterpart::DOCUMENT, record);
            for node in record.substructures() {
                let name = find(above, node);
                let date = node.substructures().map(|below| find(name, below));
                found.extend(std::iter::once(name).chain(date).filter_map(Counterpart::iri));
            }
        }
        use crate::vocabulary::{elf, g551};
        assert_eq!(
            found,
            [
                elf::NAME_OF_REPOSITORY,
                elf::SUBMITTER_NAME,
                elf::BIRTH,
                elf::DATE_VALUE,
                elf::DATE_VALUE,
                g551::BAPL,
                g551::DATE_DATE_LDS_ORD,
                elf::SOURCE_DESCRIPTIVE_TITLE,
                elf::MULTIMEDIA_FILE_REFERENCE,
                elf::DESCRIPTIVE_TITLE
            ]
        );
    }
}
