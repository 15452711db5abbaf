//! The law of archives.

use crate::Input;
use std::io::{self, Cursor, Read};

/// The most octets of an entry that are unpacked here.
const MOST: u64 = 1 << 20;

/// Any octets are an archive, or there is an error; its entries lie within it and unpack to no more than a
/// thousand times the archive, or end in an error; so does a packed file.
///
/// # Panics
///
/// If the law does not hold.
pub fn archive(input: &Input<'_>) {
    let octets = input.octets;
    let mut unpacked = Vec::new();
    let packed = elf_archive::unpack_gzip(octets).take(MOST).read_to_end(&mut unpacked);
    assert!(packed.is_err() || octets.starts_with(&[0x1F, 0x8B]), "{packed:?}");
    let Ok(entries) = elf_archive::entries(Cursor::new(octets)) else { return };
    for entry in &entries {
        let _ = (
            elf_archive::is_genealogical(entry.name()),
            entry.clone().strip_folder("folder"),
            entry.refusal(),
        );
        if let Ok(opened) = entry.open(Cursor::new(octets)) {
            assert!(entry.start() + entry.packed_size() <= octets.len() as u64, "{entry:?}");
            let _ = io::copy(&mut opened.take(MOST), &mut io::sink());
        }
    }
    let _ = elf_archive::find_gedcom(entries.iter().map(elf_archive::ArchiveEntry::name));
}
