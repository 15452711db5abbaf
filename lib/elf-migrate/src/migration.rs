//! The result of studying a file: the decisions for its migration.

use crate::decisions::Decisions;
use crate::target::Target;
use crate::writer::Writer;
use elf_base::Rules;

/// The decisions for migrating a file that has been studied.
#[derive(Debug)]
pub struct Migration {
    pub(crate) target: Target,
    pub(crate) system: Option<String>,
    pub(crate) decisions: Decisions,
}

impl Migration {
    /// Creates a writer. Lines end with U+000A unless you set another line break. `rules` are those of the output;
    /// they determine the classes of losses.
    pub fn writer(&self, rules: &Rules) -> Writer<'_> {
        Writer::new(self, rules)
    }
}
