//! `unpack`: the files in an archive, as the command lists them.

use crate::values::{js_error, object};
use elf_archive::{ArchiveEntry, is_gedzip, is_genealogical, is_packed};
use elf_schema::elf_tagged::elf_octets::FileKind;
use js_sys::Uint8Array;
use serde::Serialize;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// A file of any size that is read in pieces.
    #[wasm_bindgen(typescript_type = "ByteSource")]
    #[derive(Clone)]
    pub type ByteSource;
    #[wasm_bindgen(method, getter)]
    fn size(this: &ByteSource) -> f64;
    #[wasm_bindgen(method, catch)]
    fn read(this: &ByteSource, start: f64, end: f64) -> Result<Uint8Array, JsValue>;

    #[wasm_bindgen(typescript_type = "Archive")]
    pub type Archive;
}

/// The number of bytes that are read at once.
const BLOCK: usize = 1 << 18;

/// A file of JavaScript as a reader.
#[derive(Clone)]
struct SourceReader {
    source: ByteSource,
    size: u64,
    at: u64,
}

impl SourceReader {
    fn new(source: ByteSource) -> BufReader<SourceReader> {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a size is a whole number"
        )]
        let size = source.size() as u64;
        BufReader::with_capacity(BLOCK, SourceReader { source, size, at: 0 })
    }
}

impl Read for SourceReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = self.at.saturating_add(buffer.len() as u64).min(self.size);
        if end <= self.at {
            return Ok(0);
        }
        #[allow(clippy::cast_precision_loss, reason = "a size of JavaScript is below 2^53")]
        let read = self.source.read(self.at as f64, end as f64);
        let bytes =
            read.map_err(|_| io::Error::other("the file cannot be read: it may have changed"))?.to_vec();
        let Some(target) = buffer.get_mut(..bytes.len()) else {
            return Err(io::Error::other("more bytes were read than asked for"));
        };
        target.copy_from_slice(&bytes);
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }
}

impl Seek for SourceReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// The way in which a file is packed.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Packing {
    None,
    Gzip,
    Zip,
}

/// The members of `Archive`.
#[derive(Serialize)]
struct ArchiveMembers {
    packing: Packing,
    files: Vec<PackedFile>,
}

/// A genealogical file in an archive.
#[derive(Serialize)]
struct PackedFile {
    name: String,
    /// The number of the entry.
    index: usize,
    /// The reason why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<&'static str>,
}

/// Lists the genealogical files in a ZIP, GEDZIP or gzip archive. A file that is not packed has none.
#[wasm_bindgen(js_name = listArchive)]
pub fn list_archive(source: ByteSource, name: &str) -> Result<Archive, JsError> {
    let mut reader = SourceReader::new(source);
    let packing = packing(&mut reader, name).map_err(js_error)?;
    let files = match packing {
        Packing::None | Packing::Gzip => Vec::new(),
        Packing::Zip => files_among(&elf_archive::entries(reader).map_err(js_error)?, name),
    };
    Ok(object(&ArchiveMembers { packing, files })?.into())
}

/// Unpacks a file of an archive: the entry with that index, or the only file of a gzip archive.
#[wasm_bindgen]
pub fn unpack(source: ByteSource, index: Option<usize>) -> Result<Vec<u8>, JsError> {
    let mut reader = SourceReader::new(source);
    let mut bytes = Vec::new();
    let Some(index) = index else {
        elf_archive::unpack_gzip(reader).read_to_end(&mut bytes).map_err(js_error)?;
        return Ok(bytes);
    };
    let entries = elf_archive::entries(&mut reader).map_err(js_error)?;
    let entry = entries.get(index).ok_or_else(|| js_error("the archive has no such file"))?;
    if let Some(reason) = entry.refusal() {
        return Err(js_error(reason));
    }
    entry.open(reader).and_then(|mut unpacked| unpacked.read_to_end(&mut bytes)).map_err(js_error)?;
    Ok(bytes)
}

/// Tells how a file is packed, by its first bytes.
fn packing(reader: &mut BufReader<SourceReader>, name: &str) -> io::Result<Packing> {
    let mut window = Vec::new();
    reader.by_ref().take(FileKind::WINDOW as u64).read_to_end(&mut window)?;
    reader.rewind()?;
    Ok(match window[..] {
        [0x1F, 0x8B, 8, ..] => Packing::Gzip,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => match FileKind::of(&window) {
            Some(FileKind::OfficeDocument) => Packing::None,
            // Text may start like an archive.
            None if !is_packed(name) => Packing::None,
            _ => Packing::Zip,
        },
        _ => Packing::None,
    })
}

fn files_among(entries: &[ArchiveEntry], archive: &str) -> Vec<PackedFile> {
    let is_listed = |entry: &ArchiveEntry| {
        let name = entry.name();
        let is_linked_archive = is_gedzip(archive) && is_packed(name);
        is_genealogical(name) && !name.starts_with("__MACOSX/") && !is_linked_archive
    };
    let refusal = |entry: &ArchiveEntry| match is_packed(entry.name()) {
        true => Some("archives inside archives are not opened: unpack it"),
        false => entry.refusal(),
    };
    let listed = entries.iter().enumerate().filter(|(_, entry)| is_listed(entry));
    let file = |(index, entry): (usize, &ArchiveEntry)| PackedFile {
        name: entry.name().to_owned(),
        index,
        refusal: refusal(entry),
    };
    listed.map(file).collect()
}
