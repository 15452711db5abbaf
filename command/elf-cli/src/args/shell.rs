//! The arguments of `elf completions` and `elf man`.

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  elf completions bash > elf.bash
  elf completions zsh > _elf
  elf completions fish > elf.fish
  elf completions powershell > elf.ps1";

/// Print a completion script for a shell.
///
/// For bash, save the script as `~/.local/share/bash-completion/completions/elf`. For zsh, save it as `_elf` in a
/// folder of `$fpath`. For fish, save it as `~/.config/fish/completions/elf.fish`. For PowerShell, run the script
/// from your profile.
#[derive(clap::Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct Completions {
    /// Print the script for this shell.
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,
}

/// The shells for which there is a completion script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    /// GNU Bash.
    Bash,
    /// Z shell.
    Zsh,
    /// fish.
    Fish,
    /// PowerShell.
    Powershell,
}

const MAN_EXAMPLES: &str = "\
Examples:
  elf man > elf.1
  elf man check > elf-check.1";

/// Print the manual page of a command in the format of the program `man`.
#[derive(clap::Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct Man {
    /// The command. Without it, the page of `elf` itself is printed.
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(COMMANDS), hide_possible_values = true)]
    pub(crate) command: Option<String>,
}

/// The names of the commands. This list is written by hand, because `man` is itself one of the commands and cannot
/// refer to the list of all commands.
const COMMANDS: [&str; 23] = [
    "check",
    "show",
    "info",
    "convert",
    "edit",
    "replace",
    "extract",
    "redact",
    "table",
    "find",
    "kinship",
    "match",
    "merge",
    "report",
    "diff",
    "schema",
    "tree",
    "date",
    "explain",
    "lsp",
    "mcp",
    "completions",
    "man",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;
    use clap::CommandFactory;

    #[test]
    fn each_command_has_a_page() {
        let args = Args::command();
        let names: Vec<&str> = args.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, COMMANDS);
    }
}
