//! Paths: how a person names structures.
//!
//! Documents, the editor and the command read paths as [`elf_lines::path`] has them, follow them with
//! [`find`], and print them with [`push_step`], so that what one of them prints the others take.

mod document;
mod find;

pub use elf_lines::path::{Path, PathError, Selector, Step, Which, push_step};
pub use find::{FindError, PathTree, Types, find, path_of, structures_at};
