//! The `elf` command: reads, checks, shows and converts genealogical text files.
//!
//! It is the only crate of the workspace that opens files and draws on a terminal, and holds nothing else:
//! what a file means is for the layers below. `args` says what can be asked, one file in `commands` does each
//! thing, `findings` says where it goes, `io` and `console` hold the streams,
//! `progress` the line that says how far the work is, `threads` the threads, `schemas` the schemas
//! that were asked for, `config` what `elf.toml` says of a file.

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
    io::outgrow_without_signal();
    let words = args::words(std::env::args_os());
    if let Some(topic) = args::topics::requested(&words) {
        return report_printed(std::io::stdout().write_all(topic.as_bytes())).into();
    }
    let args = match args::Args::try_parse_from(words) {
        Ok(args) => args,
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return report_printed(help.print()).into(),
    };
    // The process chooses its cryptography provider here; a second call would have no effect.
    #[cfg(feature = "fetch")]
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut console = console::Console::new();
    commands::run(&args, &mut console).into()
}

/// Flushes help or version text that was printed and returns the exit status. A closed pipe is no failure.
fn report_printed(printed: std::io::Result<()>) -> exit::Exit {
    match printed.and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            console::Console::new().unwritable(Path::new("-"), &io::reason(&error));
            exit::Exit::Failed
        }
        _ => exit::Exit::Clean,
    }
}
