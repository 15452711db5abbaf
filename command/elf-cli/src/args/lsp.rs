//! The arguments of `elf lsp`.

const LSP_EXAMPLES: &str = "\
Examples:
  elf lsp";

/// Serve an editor: findings, fixes, hover, rename and completion (Language Server Protocol).
///
/// Your editor starts this command and talks to it on standard input and output. In Neovim, for example:
/// `vim.lsp.start({ name = 'elf', cmd = { 'elf', 'lsp' } })`. The page docs/editors.md shows how to set up VS Code, Neovim,
/// Helix, Emacs and Zed. The nearest `elf.toml` of each file is used, as by `elf check`.
#[derive(clap::Args)]
#[command(after_help = LSP_EXAMPLES)]
pub(crate) struct Lsp {
    /// Accepted because many editors add it. Standard input and output are always used.
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}
