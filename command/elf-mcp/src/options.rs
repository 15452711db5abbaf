//! What the user allows a server.

use elf_lineage::LivingRule;
use std::path::PathBuf;

/// What is served, and what an assistant may do.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerOptions {
    /// The files, and no others.
    pub files: Vec<PathBuf>,
    /// True if the tools that propose, apply and undo changes are offered.
    pub allows_edits: bool,
    /// True if people who may be living are shown.
    pub shows_living: bool,
    /// The folder for backups and journals; `None` for a folder beside each file, with `.undo` after its name.
    pub backup_folder: Option<PathBuf>,
    /// The rule for who may be living. Its day is also that of questions about facts.
    pub rule: LivingRule,
}

impl ServerOptions {
    /// Serves these files for reading; people who may be living are hidden.
    pub const fn new(files: Vec<PathBuf>, rule: LivingRule) -> ServerOptions {
        ServerOptions { files, allows_edits: false, shows_living: false, backup_folder: None, rule }
    }

    /// Sets whether the tools for changes are offered.
    #[must_use]
    pub const fn with_edits(mut self, allows_edits: bool) -> ServerOptions {
        self.allows_edits = allows_edits;
        self
    }

    /// Sets whether people who may be living are shown.
    #[must_use]
    pub const fn with_living(mut self, shows_living: bool) -> ServerOptions {
        self.shows_living = shows_living;
        self
    }

    /// Sets the folder for backups and journals.
    #[must_use]
    pub fn with_backup_folder(mut self, folder: Option<PathBuf>) -> ServerOptions {
        self.backup_folder = folder;
        self
    }
}
