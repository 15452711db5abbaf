//! `elf lsp`: runs the language server on standard input and output.

use crate::console::Console;
use crate::exit::Exit;
use elf_lsp::lsp_server::Connection;
use std::io::IsTerminal;

pub(crate) fn run(console: &mut Console) -> Exit {
    if std::io::stdin().is_terminal() {
        console.print_note("waiting for an editor; `elf lsp --help` says how to set up yours");
    }
    let (connection, threads) = Connection::stdio();
    let served = elf_lsp::run(&connection);
    // The writing thread ends when the last sender is dropped.
    drop(connection);
    if let Err(error) = served {
        console.print_error(&error.to_string());
        return Exit::Failed;
    }
    match threads.join() {
        Ok(()) => Exit::Clean,
        // The editor has closed the connection.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Clean,
        Err(error) => {
            console.print_error(&error.to_string());
            Exit::Failed
        }
    }
}
