#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! [`serve`] serves a client on the standard streams. Only the [files](ServerOptions::files) that the user named are
//! read, through a [`Disk`] that the caller supplies, and nothing is sent anywhere.
//!
//! ```text
//! request ─► server ─► a tool ─► Session ─► Snapshot of a file: what the assistant may see
//!                         │
//!                         └► proposals ─► journal, backup and file, once a proposal is applied
//! ```
//!
//! Unless the user allows it, people who may be living are hidden: each file is redacted by the rules of `elf redact`
//! when it is read, and every tool works on the redacted file. `lines` knows which lines of it are lines of the file.
//! Tools therefore cannot show what they do not have.
//!
//! A tool is a module in `tools`: its arguments, its answer, and a function. The schemas of both are made from their
//! types.

#![forbid(unsafe_code)]

mod answer;
mod changed_lines;
mod disk;
mod error;
mod journal;
mod lines;
mod options;
mod page;
mod proposals;
mod server;
mod session;
mod snapshot;
mod text;
mod tools;
mod twin;

pub use disk::{Disk, FileMarks};
pub use elf_lineage::{self, LivingRule};
pub use error::ServeError;
pub use options::ServerOptions;
pub use server::serve;
pub use session::Session;
