//! Asks questions that the user has to name, because the answer is often harmless.

use elf_base::{Code, codes};

/// The questions that are only asked if the user names them.
///
/// ```
/// use elf_lineage::OptionalQuestions;
///
/// let optional = OptionalQuestions::of(|code| code.name() == "no-source");
/// assert!(optional.no_source && !optional.sex_against_role);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionalQuestions {
    /// `sex-against-role`: a husband is female, or a wife is male.
    pub sex_against_role: bool,
    /// `child-before-marriage`: a child was born before its parents married.
    pub child_before_marriage: bool,
    /// `no-source`: a person has no source. A [`LineageReader`](crate::LineageReader) looks for
    /// sources only [if the options contain this question](crate::LineageReader::for_questions).
    pub no_source: bool,
}

impl OptionalQuestions {
    /// Selects the questions whose codes the user named.
    pub fn of(is_named: impl Fn(Code) -> bool) -> OptionalQuestions {
        OptionalQuestions {
            sex_against_role: is_named(codes::SEX_AGAINST_ROLE),
            child_before_marriage: is_named(codes::CHILD_BEFORE_MARRIAGE),
            no_source: is_named(codes::NO_SOURCE),
        }
    }
}
