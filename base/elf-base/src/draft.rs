//! The five public drafts of the *ELF Serialisation Format*.

use std::fmt;

/// One of the five public drafts of the *ELF Serialisation Format*, in the order of their publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Draft {
    /// July 2017 (“E17”). This draft has Unicode escapes in the character stream, and an IRI dictionary in the header.
    July2017,
    /// 15 October 2017 (“O17”). This draft has the same format as that of July, but a corrected grammar of payload
    /// lines.
    October2017,
    /// The “declarative” draft (“RDX”, early January 2019). This draft has schemas with supertypes, and bad lines are
    /// rejected.
    Declarative,
    /// 7 January 2019 (“J19”). This draft has ERROR lines, UNDEF records and external schemas.
    January2019,
    /// 11 December 2019 (“D19”). This draft has serialisation metadata and versions, and reading stops at malformed
    /// input.
    December2019,
}

impl Draft {
    /// All drafts, with the oldest one first.
    pub const ALL: [Draft; 5] =
        [Draft::July2017, Draft::October2017, Draft::Declarative, Draft::January2019, Draft::December2019];

    /// Returns the name used by the `elf` command: `2017-07`, `2017-10`, `declarative`, `2019-01`, `2019-12`.
    pub const fn name(self) -> &'static str {
        match self {
            Draft::July2017 => "2017-07",
            Draft::October2017 => "2017-10",
            Draft::Declarative => "declarative",
            Draft::January2019 => "2019-01",
            Draft::December2019 => "2019-12",
        }
    }

    /// Returns the abbreviation used in the requirement tables: `E17`, `O17`, `RDX`, `J19`, `D19`.
    pub const fn abbreviation(self) -> &'static str {
        match self {
            Draft::July2017 => "E17",
            Draft::October2017 => "O17",
            Draft::Declarative => "RDX",
            Draft::January2019 => "J19",
            Draft::December2019 => "D19",
        }
    }

    /// Returns the draft with this [`name`](Draft::name), if there is one.
    pub fn from_name(name: &str) -> Option<Draft> {
        Draft::ALL.into_iter().find(|draft| draft.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
