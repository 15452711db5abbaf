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

/// Let an assistant read your files and, if you allow it, change them (an MCP server).
///
/// The program of the assistant starts this command, and speaks the Model Context Protocol with it on standard input
/// and output. The assistant can read only the files that you name, and the command never uses the network. People
/// who may be living, as `elf redact` decides it, are hidden. Settings for common programs:
/// <https://github.com/fhiso/elf-rust/blob/main/docs/assistants.md>
///
/// With `--allow-edits`, the assistant can propose changes, which are shown line by line, and apply them. Before a
/// file is changed, a copy of it is kept in the folder `family.ged.undo` beside the file, so that every change can be
/// undone.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Mcp {
    /// The files that the assistant can read. It cannot change files in archives.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Let the assistant propose, apply and undo changes to these files.
    #[arg(long)]
    pub(crate) allow_edits: bool,
    /// Keep the backups and the journal of changes in folders under DIR.
    #[arg(long, value_name = "DIR", requires = "allow_edits")]
    pub(crate) backup_folder: Option<PathBuf>,
    /// Show people who may be living to the assistant, too.
    #[arg(long, help_heading = "Living people")]
    pub(crate) living: bool,
    #[command(flatten)]
    rule: LivingOptions,
}

impl Mcp {
    /// Returns the rule that decides who may be living.
    pub(crate) fn rule(&self) -> LivingRule {
        self.rule.living_rule()
    }
}
