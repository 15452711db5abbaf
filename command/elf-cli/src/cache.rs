//! External schemas kept from one run to the next: a file each, in the folder where programs of this user
//! keep what can be had again.
//!
//! A file holds the IRI, the length and the hash of the document and what came with it, a line each, then an
//! empty line, then the octets. It is written whole or not at all.
#![cfg_attr(
    not(feature = "fetch"),
    allow(dead_code, reason = "without a network nothing new comes to be kept")
)]

use crate::console::Console;
use crate::io::{self, Output};
use crate::progress::Meter;
use elf_base::without_credentials;
use elf_schema::source::CachedSchema;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

/// The first line of a file; another number is another form, which is passed over.
const FORM: &str = "elf schema cache 2";

/// The schemas that were kept.
pub(crate) struct Cache {
    /// `None` where the environment names no place for it.
    folder: Option<PathBuf>,
}

impl Cache {
    /// The cache of this user; nothing is opened yet.
    pub(crate) fn new() -> Cache {
        Cache { folder: io::cache_folder().map(|folder| folder.join("elf").join("schemas")) }
    }

    /// The document that was kept for `iri`.
    pub(crate) fn kept(&self, iri: &str) -> Option<CachedSchema> {
        let folder = self.folder.as_ref().filter(|_| without_credentials(iri) == iri)?;
        let octets = io::read(&folder.join(file_name(iri)), &Meter::default()).ok()?;
        parse(&octets, iri)
    }

    /// Keeps a document for `iri`, unless that holds a password; where it cannot, it says so.
    pub(crate) fn keep(&mut self, iri: &str, kept: &CachedSchema) {
        let Some(folder) = self.folder.as_ref().filter(|_| without_credentials(iri) == iri) else { return };
        let written = io::create_folder(folder).and_then(|()| {
            let mut file = Output::create(&folder.join(file_name(iri)))?;
            file.write_all(head(iri, kept).as_bytes())?;
            file.write_all(&kept.octets)?;
            file.finish()
        });
        if let Err(error) = written {
            let (folder, reason) = (folder.display(), io::reason(&error));
            Console::new().note(&format!("cannot keep a schema in {folder}: {reason}"));
            // Once is enough.
            self.folder = None;
        }
    }
}

fn head(iri: &str, kept: &CachedSchema) -> String {
    let (length, hash) = (kept.octets.len(), hash(&kept.octets));
    let mut head = format!("{FORM}\niri: {iri}\nlength: {length}\nhash: {hash:016x}\n");
    let fields =
        [("content-type", &kept.content_type), ("etag", &kept.etag), ("last-modified", &kept.last_modified)];
    for (name, value) in fields {
        if let Some(value) = value {
            let _ = writeln!(head, "{name}: {value}");
        }
    }
    head.push('\n');
    head
}

fn parse(octets: &[u8], iri: &str) -> Option<CachedSchema> {
    let end = octets.windows(2).position(|pair| pair == b"\n\n")?;
    let head = std::str::from_utf8(octets.get(..end)?).ok()?;
    let mut kept = CachedSchema::new(octets.get(end + 2..)?.to_vec());
    let mut lines = head.lines();
    if lines.next()? != FORM || lines.next()?.strip_prefix("iri: ")? != iri {
        return None;
    }
    let length = lines.next()?.strip_prefix("length: ")?.parse();
    let known = u64::from_str_radix(lines.next()?.strip_prefix("hash: ")?, 16);
    if length != Ok(kept.octets.len()) || known != Ok(hash(&kept.octets)) {
        return None;
    }
    for line in lines {
        let (name, value) = line.split_once(": ")?;
        let value = Some(value.to_owned());
        match name {
            "content-type" => kept.content_type = value,
            "etag" => kept.etag = value,
            "last-modified" => kept.last_modified = value,
            _ => {}
        }
    }
    Some(kept)
}

/// FNV-1a, of 64 bits: it tells what a disk or a program has damaged, not what somebody has forged.
fn hash(octets: &[u8]) -> u64 {
    octets
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, octet| (hash ^ u64::from(*octet)).wrapping_mul(0x0100_0000_01b3))
}

/// A name that says whose schema it is, as far as a name of a file can, and differs for each IRI: the file
/// says which one it is of, should two agree in it.
fn file_name(iri: &str) -> String {
    let hash = hash(iri.as_bytes());
    let rest = iri.split_once("://").map_or(iri, |(_, rest)| rest);
    let readable: String =
        rest.chars().take(60).map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{readable}-{hash:016x}")
}

#[cfg(test)]
#[path = "../tests/unit/cache.rs"]
mod tests;
