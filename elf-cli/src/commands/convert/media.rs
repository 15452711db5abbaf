//! The files that belong to the one that is converted: those beside it in a GEDZIP archive.

use super::manifest::{Digest, Digested};
use crate::io::{self, Listed, Output, Source};
use elf_archive::{ArchiveEntry, GEDCOM, PlainOrPacked, is_gedzip};
use elf_base::{Diagnostic, Rules, Sink, codes};
use elf_render::counted;
use elf_tagged::write::WriteError;
use std::collections::HashMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// Gives a GEDZIP archive of which only `gedcom.ged` is read the place of a file: it stays an archive.
pub(super) fn keep_archives(list: &mut [Listed]) {
    let mut counts: HashMap<PathBuf, u64> = HashMap::new();
    for path in list.iter().filter_map(|file| file.source.path()) {
        *counts.entry(path.to_owned()).or_default() += 1;
    }
    for file in list {
        let (path, inner) = file.place();
        if inner == Some(GEDCOM) && is_gedzip(&path.to_string_lossy()) && counts.get(path) == Some(&1) {
            file.beneath.pop();
        }
    }
}

/// A place that is written to.
pub(super) type ConvertedFile = PlainOrPacked<Digested<Output>>;

/// The place of an output, and what belongs to it.
#[derive(Clone, Copy)]
pub(super) struct OutputPlace<'d> {
    pub(super) place: &'d Path,
    pub(super) media: &'d Media,
}

/// The files beside `gedcom.ged` in the archive that is read; none where it is not read from one.
pub(super) struct Media {
    source: Source,
    entries: Vec<ArchiveEntry>,
}

impl Media {
    pub(super) fn of(source: &Source) -> std::io::Result<Media> {
        let mut entries = Vec::new();
        if let Source::Entry(archive, file) = source
            && file.name() == GEDCOM
        {
            entries = elf_archive::entries(io::open_archive(archive)?)?;
            let mut others = entries.iter().map(ArchiveEntry::start);
            if let Some(this) = others.position(|start| start == file.start()) {
                entries.remove(this);
            }
        }
        Ok(Media { source: source.clone(), entries })
    }

    /// The names of the files.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.entries.iter().map(|entry| entry.name().to_owned())
    }

    /// Puts what was written in its place, in an archive with the files. Returns its digest if that was
    /// wanted, and the number of files that are not with it.
    pub(super) fn finish(
        &self,
        out: ConvertedFile,
        losses: &mut dyn Sink,
    ) -> Result<(Option<Digest>, u64), WriteError> {
        let mut lost = 0;
        let mut report = |message: String, count: u64| {
            let finding = Diagnostic::new(codes::FILE_NOT_CARRIED, &Rules::GEDCOM_7, message);
            losses.report(match NonZero::new(count) {
                Some(count) if count.get() > 1 => finding.count(count),
                _ => finding,
            });
            lost += count;
        };
        let out = match out {
            PlainOrPacked::Plain(out) => {
                let mut files = self.entries.iter().filter(|entry| !entry.name().ends_with('/'));
                if let Some(first) = files.next() {
                    let count = 1 + files.count() as u64;
                    let files = counted(count, "file");
                    report(format!("{files} of the archive, `{}` first, not written", first.name()), count);
                }
                out
            }
            PlainOrPacked::Packed(out) => {
                let mut out = out.into_media()?;
                if let Source::Entry(archive, _) = &self.source {
                    for entry in &self.entries {
                        if let Err(reason) = out.carry(entry, io::open_archive(archive)?)? {
                            report(format!("`{}` is not carried over: {reason}", entry.name()), 1);
                        }
                    }
                }
                if let Some((first, count)) = out.missing() {
                    report(format!("a link leads to `{first}`, which is not in the archive"), count);
                }
                out.finish()?
            }
        };
        let (out, digest) = out.finish();
        out.finish()?;
        Ok((digest, lost))
    }
}
