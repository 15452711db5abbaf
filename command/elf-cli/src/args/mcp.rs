//! The arguments of `elf mcp`.

use super::people::LivingOptions;
use clap::Args;
use elf_lineage::LivingRule;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf mcp family.ged
  elf mcp family.ged --allow-edits
  elf mcp family.ged --living";

/// Serve an assistant: tools to read and, if you allow it, change these files (Model Context Protocol).
///
/// The assistant's program starts this command and talks to it on standard input and output. Only the files that you name
/// are served, nothing else is read, and the network is never used. People who may be living are hidden, by the rule of
/// `elf redact`. The page docs/assistants.md shows how to set up common programs.
///
/// With `--allow-edits` the assistant can propose changes, which are shown line by line, and apply them. Each file as it was
/// is kept in a folder beside it, `family.ged.undo`, and every change can be undone.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Mcp {
    /// The files. Archives are served for reading only.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Let the assistant propose, apply and undo changes of these files.
    #[arg(long)]
    pub(crate) allow_edits: bool,
    /// Keep backups and the journal of changes in folders below DIR.
    #[arg(long, value_name = "DIR", requires = "allow_edits")]
    pub(crate) backup_folder: Option<PathBuf>,
    /// Show people who may be living, too.
    #[arg(long, help_heading = "Living people")]
    pub(crate) living: bool,
    #[command(flatten)]
    rule: LivingOptions,
}

impl Mcp {
    /// The rule for who may be living.
    pub(crate) fn rule(&self) -> LivingRule {
        self.rule.living_rule()
    }
}
