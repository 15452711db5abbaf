//! Paths, by which users name structures.
//!
//! Documents, the editor and the command parse paths with [`elf_lines::path`], follow them with [`find`] and print them
//! with [`push_step`]. So a path that one of them prints is accepted by all of them.

mod document;

pub use elf_lines::path::{
    FindError, Path, PathError, PathTree, Selector, Step, Types, Which, find, find_under, path_of, push_step,
    structures_at,
};
