//! Correspondences between the types of different standards, and their roles in a family tree.
//!
//! There is one table for the types of ELF, the IRIs of 2017, the tags of GEDCOM 5.5.1 and the structures of GEDCOM 7.
//! All code that needs to know that two of them mean the same uses this table.

mod counterparts;
mod joint;
mod role;
mod table;

pub use counterparts::{Counterpart, Counterparts};
pub use joint::joint_with_gedcom_7;
pub use role::Role;

use crate::term::NAMESPACE_2017;

/// A type of ELF and its counterparts in other standards.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Correspondence {
    /// The IRI of the type in ELF, or the GEDCOM 5.5.1 term if ELF does not have the type; `None` if only GEDCOM 7
    /// has it.
    pub elf: Option<&'static str>,
    /// The role of these structures in a family tree, if any.
    pub role: Option<Role>,
    /// The tags of these structures in GEDCOM 5.5.1, the most common one first.
    pub tags: &'static [&'static str],
    /// The URIs of the GEDCOM 7 structures with the same meaning.
    pub gedcom_7: &'static [&'static str],
}

impl Correspondence {
    /// Returns all rows of the table.
    pub const fn all() -> &'static [Correspondence] {
        table::ROWS
    }

    /// Returns the row of an ELF type, or of a GEDCOM 5.5.1 term that ELF does not have.
    ///
    /// ```
    /// use elf_schema::{Correspondence, Role, vocabulary::elf};
    ///
    /// let birth = Correspondence::of(elf::BIRTH).expect("a row");
    /// assert_eq!((birth.role, birth.tags), (Some(Role::Birth), &["BIRT"][..]));
    /// assert_eq!(birth.gedcom_7, ["https://gedcom.io/terms/v7/BIRT"]);
    /// assert_eq!(birth.iris_of_2017().collect::<Vec<_>>(), ["http://terms.fhiso.org/elf/BIRT"]);
    /// ```
    pub fn of(elf: &str) -> Option<&'static Correspondence> {
        let at = table::ROWS.binary_search_by_key(&Some(elf), |row| row.elf).ok()?;
        table::ROWS.get(at)
    }

    /// Returns the rows of a GEDCOM 7 structure, which may have several meanings.
    pub fn of_gedcom_7(uri: &str) -> impl Iterator<Item = &'static Correspondence> {
        table::ROWS.iter().filter(move |row| row.gedcom_7.contains(&uri))
    }

    /// Returns the IRIs of these structures in the drafts of 2017 (O17 §6.2). They are derived from tags, so they may
    /// mean other types elsewhere; see [`types_of_2017`](crate::types_of_2017).
    pub fn iris_of_2017(&self) -> impl Iterator<Item = String> {
        self.tags.iter().map(|tag| [NAMESPACE_2017, tag].concat())
    }
}

/// Creates a row; called by the generated table.
const fn row(
    elf: &'static str,
    role: Option<Role>,
    tags: &'static [&'static str],
    gedcom_7: &'static [&'static str],
) -> Correspondence {
    Correspondence { elf: if elf.is_empty() { None } else { Some(elf) }, role, tags, gedcom_7 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Schema, types_of_2017};

    #[test]
    fn rows_are_sorted_and_name_types_of_the_completed_schema() {
        assert!(table::ROWS.windows(2).all(|pair| pair[0].elf < pair[1].elf || pair[0].elf.is_none()));
        for row in table::ROWS {
            let Some(elf) = row.elf else { continue };
            assert!(Schema::completed().type_of(elf).is_some(), "{elf}");
            for iri in row.iris_of_2017() {
                assert!(types_of_2017(Schema::completed(), &iri).contains(&elf), "{elf} and {iri}");
            }
        }
    }

    #[test]
    fn a_structure_of_gedcom_7_plays_one_role() {
        for uri in table::ROWS.iter().flat_map(|row| row.gedcom_7) {
            let mut roles: Vec<Option<Role>> = Correspondence::of_gedcom_7(uri).map(|row| row.role).collect();
            roles.dedup();
            assert_eq!(roles.len(), 1, "{uri}: {roles:?}");
        }
    }
}
