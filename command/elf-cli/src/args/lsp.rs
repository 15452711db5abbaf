//! The arguments of `elf lsp`.

const LSP_EXAMPLES: &str = "\
Examples:
  elf lsp";

/// Run the language server for an editor: findings, fixes, hover, rename and completion.
///
/// Your editor starts this command, and speaks the Language Server Protocol with it on standard input and output. In
/// Neovim, for example: `vim.lsp.start({ name = 'elf', cmd = { 'elf', 'lsp' } })`. For each file, the server uses the
/// nearest `elf.toml`, as `elf check` does. To look for implausible dates, set the initialization option `facts` to
/// true. Settings for VS Code, Neovim, Helix, Emacs and Zed:
/// <https://github.com/fhiso/elf-rust/blob/main/docs/editors.md>
#[derive(clap::Args)]
#[command(after_help = LSP_EXAMPLES)]
pub(crate) struct Lsp {
    /// Has no effect, because standard input and output are always used. Many editors add this option.
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}
