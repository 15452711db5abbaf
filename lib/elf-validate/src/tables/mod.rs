//! The tables of the standards, as `cargo xtask standards` makes them of the files in `lib/elf-validate/facts`.

pub(crate) mod data_model;
pub(crate) mod gedcom55;
pub(crate) mod gedcom551;
pub(crate) mod gedcom70;
