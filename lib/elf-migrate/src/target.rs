//! The standard to migrate to.

use elf_base::Rules;

/// The standard that a file is migrated to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// GEDCOM 7.0.
    Gedcom70,
    /// GEDCOM 5.5.1 in UTF-8, with lines of any length. To change encoding or line length, read the result with lenient
    /// rules such as `Rules::WILD` and write it under the rules you want.
    Gedcom551,
    /// GEDCOM 5.5.1 with a schema of ELF that documents extension tags.
    Elf,
}

impl Target {
    /// Returns the rules of the target: those of the standard, or of the latest draft of ELF.
    pub const fn rules(self) -> &'static Rules {
        match self {
            Target::Gedcom70 => &Rules::GEDCOM_7,
            Target::Gedcom551 => &Rules::GEDCOM_5_5_1,
            Target::Elf => &Rules::DECEMBER_2019,
        }
    }
}
