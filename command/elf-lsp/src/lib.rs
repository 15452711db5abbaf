#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! [`run`] serves one editor over a [`Connection`](lsp_server::Connection). The connection is
//! either the standard streams of the command `elf lsp`, or channels in memory. The server adds no
//! rules of its own. Findings and fixes come from `elf-check`, renames from `elf-edit`, meanings of
//! tags from `elf-schema`, and names and ages from `elf-lineage`.
//!
//! A buffer is text, so it is read as UTF-8, even if its header names another encoding. `encoding` examines the bytes
//! on disk, and `convert` changes a file to UTF-8.

#![forbid(unsafe_code)]

mod actions;
mod client;
mod completion;
mod config_edit;
mod convert;
mod diagnostics;
mod disk;
mod document;
mod edits;
mod encoding;
mod error;
mod folding;
mod hints;
mod hover;
mod names;
mod navigation;
mod server;
mod settings;
mod snapshot;
mod symbols;
mod text;
mod tokens;
mod uri;

pub use error::ServeError;
pub use lsp_server;
pub use server::run;
