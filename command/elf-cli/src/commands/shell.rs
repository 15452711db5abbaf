//! `elf completions` and `elf man`: prints completion scripts and manual pages.

use crate::args::{Args, Completions, Man, Shell};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use clap::{Command, CommandFactory};
use clap_complete::Shell as Target;
use std::io::Write;

pub(crate) fn completions(args: &Completions, console: &mut Console) -> Exit {
    let shell = match args.shell {
        Shell::Bash => Target::Bash,
        Shell::Zsh => Target::Zsh,
        Shell::Fish => Target::Fish,
        Shell::Powershell => Target::PowerShell,
    };
    // Write to memory first, because the generator panics on write errors.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "elf", &mut script);
    write_to(None, console, |out, _| {
        out.write_all(&script)?;
        Ok(Exit::Clean)
    })
}

pub(crate) fn man(args: &Man, console: &mut Console) -> Exit {
    let mut command = Args::command();
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => command_for_page(&command, name),
    };
    write_to(None, console, |out, _| {
        clap_mangen::Man::new(page).render(out)?;
        Ok(Exit::Clean)
    })
}

/// A subcommand of `elf`, renamed as on its manual page, such as `elf-check`.
fn command_for_page(elf: &Command, name: &str) -> Command {
    let command = elf.find_subcommand(name).cloned().unwrap_or_else(|| elf.clone());
    command.version(elf.get_version().unwrap_or_default().to_owned())
}
