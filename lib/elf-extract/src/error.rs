//! Reasons why a branch or a redaction cannot be planned.

/// The reason why a branch or a redaction cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No person has the identifier.
    #[error("no person has the identifier `@{0}@`")]
    NoPerson(String),
    /// A line of the header may be the first line of a living person's record. Then the lines after
    /// it may be about this person.
    #[error("line {line} in the header may be the start of a personal record: fix it first")]
    UnclearHeader {
        /// The number of the line.
        line: u64,
    },
}
