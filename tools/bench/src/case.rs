//! A task to measure.

use crate::forms::Form;

/// A task to measure: from a file in memory to the results that the case keeps.
#[derive(Clone, Copy)]
pub struct Case {
    /// The name, as it is asked for and printed.
    pub name: &'static str,
    /// The work that is timed.
    pub what: &'static str,
    /// The form of its input.
    pub form: Form,
    /// Reads the input, keeps all it makes until the end, and returns how many things that was: lines, nodes,
    /// records. The count shows that nothing was skipped.
    pub run: fn(&[u8]) -> u64,
}
