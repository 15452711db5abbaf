//! Renames links in a GEDZIP archive. A link to a file in one of the media folders may be an absolute path or contain
//! `..`, which an archive does not allow.

use crate::io;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Longer lines are not searched for a link, because no name in an archive is as long.
const LONGEST_LINE: usize = 1 << 17;

/// The start of a line with a link.
const LINK: &[u8] = b"1 FILE ";

/// Renames links while the file is written to the archive, and collects the files that they lead to.
#[derive(Debug)]
pub(super) struct Relinker {
    /// The folder of the input, which relative links start from.
    start: PathBuf,
    /// The folders that files are packed from. Contains `start`.
    folders: Vec<PathBuf>,
    /// The start of a line whose end has not been written yet.
    line: Vec<u8>,
    /// True if the start of a line that is too long has been written.
    is_in_long_line: bool,
    /// True inside a multimedia record. Only there is `FILE` a link.
    is_multimedia: bool,
    renamed: BTreeMap<String, Renamed>,
}

/// A file that has another name in the archive.
#[derive(Debug)]
pub(super) struct Renamed {
    /// The path on the disk.
    pub(super) path: PathBuf,
    /// The link in the input.
    pub(super) link: String,
}

impl Relinker {
    pub(super) fn new(start: PathBuf, folders: Vec<PathBuf>) -> Relinker {
        Relinker {
            start,
            folders,
            line: Vec::new(),
            is_in_long_line: false,
            is_multimedia: false,
            renamed: BTreeMap::new(),
        }
    }

    /// Writes text with its links renamed, up to the last complete line.
    pub(super) fn write(&mut self, text: &[u8], out: &mut impl Write) -> std::io::Result<()> {
        for piece in text.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") || piece.ends_with(b"\r") || self.line.len() > LONGEST_LINE {
                self.write_line(out)?;
            }
        }
        Ok(())
    }

    /// Writes the last line. Returns the files whose links were renamed, by their names in the archive.
    pub(super) fn finish(mut self, out: &mut impl Write) -> std::io::Result<BTreeMap<String, Renamed>> {
        self.write_line(out)?;
        Ok(self.renamed)
    }

    fn write_line(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let is_ended = line.ends_with(b"\n") || line.ends_with(b"\r");
        let continues_long_line = std::mem::replace(&mut self.is_in_long_line, !is_ended);
        let renamed = if continues_long_line { None } else { self.renamed_link(&line) };
        match renamed {
            Some(link) => {
                let end = line.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
                out.write_all(LINK)?;
                out.write_all(link.as_bytes())?;
                out.write_all(&line[end..])
            }
            None => out.write_all(&line),
        }
    }

    /// Returns the new link of a line. `None` if the link stays.
    fn renamed_link(&mut self, line: &[u8]) -> Option<String> {
        if line.starts_with(b"0") {
            self.is_multimedia = line.split(u8::is_ascii_whitespace).any(|word| word == b"OBJE");
        }
        if !self.is_multimedia || !line.starts_with(LINK) {
            return None;
        }
        let mut name = None;
        // Read the line as a record of its own, so that its link is decoded like those of the archive.
        elf_archive::file_links(&[b"0 OBJE\n", line].concat()[..], |link| name = Some(link.name.to_owned()))
            .ok()?;
        let link = name?;
        let is_in_archive = |link: &str| !link.starts_with('/') && link.split('/').all(|step| step != "..");
        let target = match link.strip_prefix("file://").filter(|path| path.starts_with('/')) {
            Some(path) => PathBuf::from(path_on_disk(path)),
            None if link.contains("://") || is_in_archive(&link) => return None,
            None => self.start.join(&link),
        };
        let path = io::find_file(&target)?;
        let name = self.name_in_archive(&path)?;
        let reference = percent_encode(&name);
        self.renamed.insert(name, Renamed { path, link });
        Some(reference)
    }

    /// Returns the name of a file in the archive: its path within the folder that contains it, after the name of that
    /// folder unless it is the folder of the input. `None` if no folder contains it.
    fn name_in_archive(&self, path: &Path) -> Option<String> {
        if let Some(inside) = io::path_within(&self.start, path) {
            return Some(inside);
        }
        let (folder, inside) =
            self.folders.iter().find_map(|folder| Some((folder, io::path_within(folder, path)?)))?;
        let label = io::full_path(folder).ok()?.file_name()?.to_string_lossy().into_owned();
        (1_u32..).find_map(|number| {
            let label = if number == 1 { label.clone() } else { format!("{label}-{number}") };
            let name = format!("{label}/{inside}");
            let is_free = match self.renamed.get(&name) {
                Some(known) => known.path == path,
                None => io::find_file(&self.start.join(&name)).is_none(),
            };
            is_free.then_some(name)
        })
    }
}

/// The path of a file URI without `file://`. On Windows, `/C:/photos` is `C:/photos`.
fn path_on_disk(path: &str) -> &str {
    let drive = path.strip_prefix('/').filter(|path| path.as_bytes().get(1) == Some(&b':'));
    drive.filter(|_| cfg!(windows)).unwrap_or(path)
}

/// Percent-encodes the characters that have another meaning in links (RFC 3986 §2.1).
fn percent_encode(name: &str) -> String {
    let mut link = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' | '?' | '#' | '%' | '[' | ']'
            | ':' => {
                link.push_str(&format!("%{:02X}", u32::from(c)));
            }
            _ => link.push(c),
        }
    }
    link
}
