//! The `elf` command: reads, checks, shows and converts genealogical text files.
//!
//! Only this crate opens files and prints to a terminal. What a file means is decided in the libraries. Each file in
//! `commands` is one command, with its arguments in `args`. `io` has files and streams, `console` standard error,
//! `findings` the output of findings, `progress` the line of progress, `threads` the threads, `schemas` the schemas
//! that arguments and files name, and `config` finds `elf.toml`.

mod args;
mod baseline;
mod cache;
mod commands;
mod config;
mod console;
mod exit;
mod findings;
mod io;
mod meter;
mod network;
mod progress;
mod reading;
mod schemas;
mod threads;

use clap::Parser;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    io::ignore_file_size_signal();
    let words = args::without_help_flag(std::env::args_os());
    if let Some(topic) = args::topics::requested_topic(&words) {
        return report_printed(std::io::stdout().write_all(topic.as_bytes())).into();
    }
    let args = match args::Args::try_parse_from(words) {
        Ok(args) => args,
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return report_printed(help.print()).into(),
    };
    // The process chooses its cryptography provider here. A second call would have no effect.
    #[cfg(feature = "fetch")]
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut console = console::Console::new();
    commands::run(&args, &mut console).into()
}

/// Flushes the help or version text and returns the exit status. A closed pipe is not a failure.
fn report_printed(printed: std::io::Result<()>) -> exit::Exit {
    match printed.and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            console::Console::new().print_unwritable(Path::new("-"), &io::describe_error(&error));
            exit::Exit::Failed
        }
        _ => exit::Exit::Clean,
    }
}
