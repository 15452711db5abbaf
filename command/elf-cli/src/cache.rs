//! Downloaded schemas, kept between runs: one file for each, in the user's cache folder.
//!
//! A file has lines for its form, the IRI, the length, the hash and headers of the response, then an empty line, then
//! the downloaded bytes. It is written as a whole or not at all.
#![cfg_attr(
    not(feature = "fetch"),
    allow(dead_code, reason = "without a network nothing new comes to be kept")
)]

use crate::console::Console;
use crate::io::{self, Output};
use crate::meter::Meter;
use elf_base::without_credentials;
use elf_schema::source::CachedSchema;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

/// The first line of a cached file. Files with another number are ignored.
const FORM: &str = "elf schema cache 2";

pub(crate) struct Cache {
    /// `None` if the environment names no cache folder.
    folder: Option<PathBuf>,
}

impl Cache {
    /// Finds the cache folder. Opens no file.
    pub(crate) fn new() -> Cache {
        Cache { folder: io::cache_folder().map(|folder| folder.join("elf").join("schemas")) }
    }

    pub(crate) fn load(&self, iri: &str) -> Option<CachedSchema> {
        let folder = self.folder.as_ref().filter(|_| without_credentials(iri) == iri)?;
        let octets = io::read_path(&folder.join(file_name(iri)), &Meter::default()).ok()?;
        parse_entry(&octets, iri)
    }

    /// Stores a document, unless its IRI contains a password. Reports on standard error if it cannot be stored.
    pub(crate) fn store(&mut self, iri: &str, kept: &CachedSchema) {
        let Some(folder) = self.folder.as_ref().filter(|_| without_credentials(iri) == iri) else { return };
        let written = io::create_folder(folder).and_then(|()| {
            let mut file = Output::create(&folder.join(file_name(iri)))?;
            file.write_all(format_header(iri, kept).as_bytes())?;
            file.write_all(&kept.octets)?;
            file.finish()
        });
        if let Err(error) = written {
            let (folder, reason) = (folder.display(), io::describe_error(&error));
            Console::new().print_note(&format!("cannot keep a schema in {folder}: {reason}"));
            // Report this once only.
            self.folder = None;
        }
    }
}

fn format_header(iri: &str, kept: &CachedSchema) -> String {
    let (length, hash) = (kept.octets.len(), fnv1a(&kept.octets));
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

fn parse_entry(octets: &[u8], iri: &str) -> Option<CachedSchema> {
    let end = octets.windows(2).position(|pair| pair == b"\n\n")?;
    let head = std::str::from_utf8(octets.get(..end)?).ok()?;
    let mut kept = CachedSchema::new(octets.get(end + 2..)?.to_vec());
    let mut lines = head.lines();
    if lines.next()? != FORM || lines.next()?.strip_prefix("iri: ")? != iri {
        return None;
    }
    let length = lines.next()?.strip_prefix("length: ")?.parse();
    let known = u64::from_str_radix(lines.next()?.strip_prefix("hash: ")?, 16);
    if length != Ok(kept.octets.len()) || known != Ok(fnv1a(&kept.octets)) {
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

/// FNV-1a with 64 bits. It detects damage, not forgery.
fn fnv1a(octets: &[u8]) -> u64 {
    octets
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, octet| (hash ^ u64::from(*octet)).wrapping_mul(0x0100_0000_01b3))
}

/// The name of the file for an IRI: readable parts of the IRI, and a hash. If two IRIs have the same name, the IRI
/// inside the file decides.
fn file_name(iri: &str) -> String {
    let hash = fnv1a(iri.as_bytes());
    let rest = iri.split_once("://").map_or(iri, |(_, rest)| rest);
    let readable: String =
        rest.chars().take(60).map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{readable}-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &std::path::Path) -> Cache {
        Cache { folder: Some(folder.join("elf")) }
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut kept = CachedSchema::new(b"0 HEAD\n\n\xFF".to_vec());
        kept.etag = Some("\"1: 2\"".to_owned());
        cache(folder.path()).store("https://e.example/a", &kept);
        assert_eq!(cache(folder.path()).load("https://e.example/a"), Some(kept.clone()));
        assert_eq!(cache(folder.path()).load("https://e.example/b"), None);
        let newer = CachedSchema::new(Vec::new());
        cache(folder.path()).store("https://e.example/a", &newer);
        assert_eq!(cache(folder.path()).load("https://e.example/a"), Some(newer));
    }

    #[test]
    fn what_takes_a_password_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let iri = "https://ada:secret@e.example/a";
        cache(folder.path()).store(iri, &CachedSchema::new(Vec::new()));
        assert_eq!(cache(folder.path()).load(iri), None);
        assert!(!folder.path().join("elf").exists());
    }

    #[test]
    fn what_was_not_written_here_is_nothing() {
        let iri = "https://e.example/a";
        let good = format_header(iri, &CachedSchema::new(Vec::new()));
        assert!(parse_entry(good.as_bytes(), iri).is_some());
        assert!(
            parse_entry(good.as_bytes(), "https://e.example/b").is_none(),
            "another one of the same name"
        );
        for bad in ["", "\n\n", "elf schema cache 2\niri: https://e.example/a\n\n", "0 HEAD\n0 TRLR\n\n"] {
            assert!(parse_entry(bad.as_bytes(), iri).is_none(), "{bad:?}");
        }
        for end in 0..good.len() {
            assert!(parse_entry(&good.as_bytes()[..end], iri).is_none(), "cut at {end}");
        }
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "a file is damaged here")]
    fn what_was_damaged_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let iri = "https://e.example/a";
        cache(folder.path()).store(iri, &CachedSchema::new(b"0 HEAD\n0 TRLR\n".to_vec()));
        let path = folder.path().join("elf").join(file_name(iri));
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(cache(folder.path()).load(iri), None, "cut at {length}");
        }
        let at = whole.len() - 3;
        let damaged = [&whole[..at], b"x", &whole[at + 1..]].concat();
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(cache(folder.path()).load(iri), None);
        std::fs::write(&path, whole).unwrap();
        assert!(cache(folder.path()).load(iri).is_some());
    }

    #[test]
    fn names_are_short_and_plain() {
        let long = format!("https://e.example/{}", "../é%".repeat(1000));
        let name = file_name(&long);
        assert!(name.len() < 100 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "{name}");
        assert_ne!(file_name(&long), file_name(&format!("{long}x")));
    }
}
