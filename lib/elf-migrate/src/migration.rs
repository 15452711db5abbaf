//! A migration of a file that has been studied.

use crate::decisions::Decisions;
use crate::target::Target;
use crate::writer::Writer;
use elf_base::Rules;

/// A migration of a file that has been studied.
#[derive(Debug)]
pub struct Migration {
    pub(crate) target: Target,
    /// The program that wrote the file.
    pub(crate) system: Option<String>,
    pub(crate) decisions: Decisions,
}

impl Migration {
    /// Makes a writer that has not written anything yet. Lines end with U+000A unless you set another line
    /// break. `rules` are those of the output; they give losses their class.
    pub fn writer(&self, rules: &Rules) -> Writer<'_> {
        Writer::new(self, rules)
    }
}
