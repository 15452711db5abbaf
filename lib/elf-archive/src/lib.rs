#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! This crate opens no files. The caller passes an archive as [`Read`](std::io::Read) and [`Seek`](std::io::Seek). The
//! sizes and counts that an archive states are not trusted: bytes and entries are counted while they are read.

#![forbid(unsafe_code)]

mod gedzip;
mod header;
mod links;
mod pattern;
mod unpack;
mod zip;

pub use gedzip::{GEDCOM, GedzipWriter, MediaWriter, PlainOrPacked, find_gedcom, is_gedzip};
pub use links::{FileLink, file_links};
pub use pattern::is_match;
pub use unpack::unpack_gzip;
pub use zip::{ArchiveEntry, entries};

/// The file name extensions of genealogical files.
const FILE_EXTENSIONS: [&str; 3] = ["ged", "gedcom", "elf"];

/// The file name extensions of archives.
const ARCHIVE_EXTENSIONS: [&str; 3] = ["gdz", "zip", "gz"];

/// Returns whether a file with this name is a genealogical file, or an archive that may contain such files.
///
/// ```
/// assert!(elf_archive::is_genealogical("trees/Family.GED") && elf_archive::is_genealogical("all.zip"));
/// assert!(!elf_archive::is_genealogical("ged"));
/// ```
pub fn is_genealogical(name: &str) -> bool {
    has_extension(name, &FILE_EXTENSIONS) || is_packed(name)
}

/// Returns whether a file with this name is an archive.
pub fn is_packed(name: &str) -> bool {
    has_extension(name, &ARCHIVE_EXTENSIONS)
}

fn has_extension(name: &str, endings: &[&str]) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| endings.iter().any(|known| known.eq_ignore_ascii_case(ending)))
}
