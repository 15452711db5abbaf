//! Paths: how a person names structures.
//!
//! Documents, the editor and the command read paths as [`elf_lines::path`] has them, follow them with
//! [`find`], and print them with [`push_step`], so that what one of them prints the others take.

mod document;

pub use elf_lines::path::{
    FindError, Path, PathError, PathTree, Selector, Step, Types, Which, find, find_beneath, path_of,
    push_step, structures_at,
};
