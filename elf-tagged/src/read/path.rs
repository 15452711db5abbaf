//! Paths, with which users name structures.
//!
//! Documents, the editor and the command parse paths with [`elf_lines::path`], follow them with [`find`] and print them
//! with [`push_step`], so a path printed by one is accepted by all.

mod document;

pub use elf_lines::path::{
    FindError, Path, PathError, PathTree, Selector, Step, Types, Which, find, find_under, path_of, push_step,
    structures_at,
};
