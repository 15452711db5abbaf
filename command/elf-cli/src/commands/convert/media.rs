//! The files that belong to the one that is converted: those beside it in a GEDZIP archive.

use super::manifest::{Digest, Digested};
use super::relink::{Relinker, Renamed};
use crate::io::{self, Listed, Output, Source};
use crate::meter::Meter;
use elf_archive::{
    ArchiveEntry, GEDCOM, MediaWriter, PlainOrPacked, find_gedcom, is_gedzip, is_genealogical, is_packed,
};
use elf_base::{Diagnostic, Excerpt, Place, Rules, Sink, codes};
use elf_check::runs::Restart;
use elf_report::counted;
use elf_tagged::write::WriteError;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// Takes the files out of a list that belong to the file of structures in a GEDZIP archive: whatever they are
/// called, none is converted. Where the output `stays` an archive it has the place of a file, in which the
/// others are as they were.
pub(super) fn leave_media(list: &mut Vec<Listed>, stays: bool) {
    let mut archives: HashMap<PathBuf, Option<String>> = HashMap::new();
    let mut listed: HashSet<(PathBuf, String)> = HashSet::new();
    for (path, inner) in list.iter().map(Listed::place) {
        if let Some(inner) = inner.filter(|_| is_gedzip(&path.to_string_lossy())) {
            archives.entry(path.to_owned()).or_insert_with(|| structures_of(path));
            listed.insert((path.to_owned(), inner.to_owned()));
        }
    }
    // A file that is named directly is converted without the archive.
    archives.retain(|path, structures| {
        structures.as_ref().is_some_and(|name| listed.contains(&(path.clone(), name.clone())))
    });
    list.retain_mut(|file| {
        let (path, inner) = file.place();
        let Some(structures) = archives.get(path) else { return true };
        let is_structures = structures.as_deref() == inner;
        if is_structures && stays {
            let steps = inner.unwrap_or_default().split('/').filter(|step| !matches!(*step, "" | "."));
            let count = steps.count();
            (0..count).for_each(|_| _ = file.beneath.pop());
        }
        is_structures
    });
}

/// The name of the file of structures in a GEDZIP archive.
fn structures_of(archive: &Path) -> Option<String> {
    let all = elf_archive::entries(io::open_archive(archive).ok()?).ok()?;
    let structures = find_gedcom(all.iter().map(ArchiveEntry::name)).and_then(|at| all.get(at));
    structures.map(|entry| entry.name().to_owned())
}

/// A place that is written to. In an archive, links that lead out of it get other names.
pub(super) struct ConvertedFile {
    out: PlainOrPacked<Digested<Output>>,
    relinker: Option<Relinker>,
}

impl Write for ConvertedFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match &mut self.relinker {
            Some(relinker) => relinker.write(bytes, &mut self.out).map(|()| bytes.len()),
            None => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// The files that belong to the one that is converted.
pub(super) struct Media {
    source: Source,
    /// The files beside `gedcom.ged` in the archive that is read; none where it is not read from one.
    entries: Vec<ArchiveEntry>,
    /// The files of another archive in and below the folder of the one that is read, by their names from there: those
    /// that links lead to are packed.
    linked_entries: HashMap<String, ArchiveEntry>,
    /// The folder of the file that is read, if it is on the disk.
    own_folder: Option<PathBuf>,
    /// The folders on the disk in which links are looked up.
    folders: Vec<PathBuf>,
}

impl Media {
    /// Finds the files that belong to `source`; links are looked up in `folders` too.
    pub(super) fn of(source: &Source, folders: &[PathBuf]) -> std::io::Result<Media> {
        let mut entries = Vec::new();
        let is_of_media = |archive: &Path| is_gedzip(&archive.to_string_lossy());
        if let Source::Entry(archive, file) = source
            && (file.name() == GEDCOM || is_of_media(archive))
        {
            let all = elf_archive::entries(io::open_archive(archive)?)?;
            let structures = find_gedcom(all.iter().map(ArchiveEntry::name)).and_then(|at| all.get(at));
            // If several files can be the GEDCOM file, each is converted without other files.
            let is_other = |name: &str| structures.is_none() && is_genealogical(name) && !is_packed(name);
            if structures.is_none_or(|one| one.start() == file.start()) {
                // Links are relative to the folder of the file.
                let folder =
                    file.name().rsplit_once('/').map_or_else(String::new, |(of, _)| format!("{of}/"));
                let others =
                    all.iter().filter(|one| one.start() != file.start() && !is_other(one.name())).cloned();
                entries = others.map(|one| one.clone().strip_folder(&folder).unwrap_or(one)).collect();
            }
        }
        let linked_entries = match source {
            Source::Entry(archive, file) if entries.is_empty() => entries_beside(archive, file)?,
            _ => HashMap::new(),
        };
        let own_folder = match source {
            Source::File(path) | Source::Gzip(path) if path.is_file() => path.parent().map(non_empty),
            _ => None,
        };
        let folders = own_folder.iter().chain(folders).cloned().collect();
        Ok(Media { source: source.clone(), entries, linked_entries, own_folder, folders })
    }

    /// Opens the place of the output.
    pub(super) fn outlet(&self, out: Digested<Output>, place: &Path) -> std::io::Result<ConvertedFile> {
        let out = PlainOrPacked::new(out, &place.to_string_lossy(), self.names())?;
        let start = self.own_folder.as_ref().filter(|_| matches!(out, PlainOrPacked::Packed(_)));
        let relinker = start.map(|start| Relinker::new(start.clone(), self.folders.clone()));
        Ok(ConvertedFile { out, relinker })
    }

    /// Packs the files that links were renamed for.
    fn pack_renamed(
        out: &mut MediaWriter<Digested<Output>>,
        renamed: &BTreeMap<String, Renamed>,
        losses: &mut dyn Sink,
    ) -> std::io::Result<u64> {
        let mut lost = 0;
        for (name, Renamed { path, link }) in renamed {
            let packed = match io::open_file(path) {
                Ok(file) => out.pack(name, file)?,
                Err(error) => Err(io::reason(&error)),
            };
            out.set_present(name);
            match packed {
                Ok(()) => {
                    let message = format!("`{link}` is packed as `{name}`, and linked to by that name");
                    losses.report(Diagnostic::new(codes::STRUCTURE_REARRANGED, &Rules::GEDCOM_7, message));
                }
                Err(reason) => {
                    losses.report(not_carried(format!("`{link}` is not packed: {reason}"), 1));
                    lost += 1;
                }
            }
        }
        Ok(lost)
    }

    /// Packs the files that links lead to, from the archive and from the folders.
    fn pack_linked(
        &self,
        renamed: &BTreeMap<String, Renamed>,
        out: &mut MediaWriter<Digested<Output>>,
        report: &mut dyn FnMut(String, u64),
    ) -> std::io::Result<()> {
        let linked = out.linked().iter().filter(|name| !renamed.contains_key(*name)).cloned();
        for name in linked.collect::<Vec<String>>() {
            let packed = match (self.linked_entries.get(&name), &self.source) {
                (Some(entry), Source::Entry(archive, _)) => {
                    out.copy_entry(entry, io::open_archive(archive)?)?
                }
                _ => match self.folders.iter().find_map(|folder| io::open_within(folder, &name)) {
                    Some(file) => out.pack(&name, file)?,
                    None => continue,
                },
            };
            out.set_present(&name);
            if let Err(reason) = packed {
                report(format!("`{name}` is not included: {reason}"), 1);
            }
        }
        Ok(())
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
        let ConvertedFile { mut out, relinker } = out;
        let renamed = match relinker {
            Some(relinker) => relinker.finish(&mut out)?,
            None => BTreeMap::new(),
        };
        let mut lost = 0;
        let mut report = |message: String, count: u64| {
            losses.report(not_carried(message, count));
            lost += count;
        };
        let out = match out {
            PlainOrPacked::Plain(out) => {
                let mut files = self.entries.iter().filter(|entry| !entry.name().ends_with('/'));
                if let Some(first) = files.next() {
                    let count = 1 + files.count() as u64;
                    let files = counted(count, "file");
                    report(
                        format!("{files} of the archive are not written, such as `{}`", first.name()),
                        count,
                    );
                }
                out
            }
            PlainOrPacked::Packed(out) => {
                let mut out = out.into_media()?;
                if let Source::Entry(archive, _) = &self.source {
                    for entry in &self.entries {
                        if let Err(reason) = out.copy_entry(entry, io::open_archive(archive)?)? {
                            report(format!("`{}` is not copied: {reason}", entry.name()), 1);
                        }
                    }
                }
                self.pack_linked(&renamed, &mut out, &mut report)?;
                lost += Media::pack_renamed(&mut out, &renamed, losses)?;
                let (names, count) = out.missing();
                let mut places = self.places_of(names);
                for name in names {
                    let message = format!("a link refers to `{name}`, which is not in the archive");
                    let mut finding = not_carried(message, 1);
                    if let Some((place, excerpt)) = places.get_mut(&**name).and_then(VecDeque::pop_front) {
                        finding = finding.at(place, Some(excerpt));
                    }
                    losses.report(finding);
                }
                lost += count;
                let others = count - names.len() as u64;
                if others > 0 {
                    let message = format!("{} more links refer to missing files", counted(others, "link"));
                    losses.report(not_carried(message, others));
                }
                out.finish()?
            }
        };
        let (out, digest) = out.finish();
        out.finish()?;
        Ok((digest, lost))
    }

    /// The places in the file that is read of links to files called so, where they are spelled there as they
    /// are in GEDCOM 7.0, and where the file can be read once more.
    fn places_of<'n>(&self, names: &'n [String]) -> HashMap<&'n str, VecDeque<(Place, Excerpt)>> {
        let mut places: HashMap<&str, VecDeque<_>> =
            names.iter().map(|name| (&**name, VecDeque::new())).collect();
        let is_read_once = matches!(&self.source, Source::File(path) if !path.is_file());
        if names.is_empty() || is_read_once {
            return places;
        }
        let Ok(mut input) = io::open_source(&self.source, &Meter::default()) else { return places };
        let Ok(input) = input.restart() else { return places };
        let mut left = names.len();
        // An input that cannot be read again has no places.
        _ = elf_archive::file_links(input, |link| {
            let Some(found) = places.get_mut(link.name).filter(|_| left > 0) else { return };
            left -= 1;
            let text = String::from_utf8_lossy(link.text);
            let column = BEFORE_LINK as u64 + 1;
            let end = text.chars().count() as u64 + 1;
            let place = Place::new(link.octet + BEFORE_LINK as u64, link.line, column, end);
            found.push_back((place, Excerpt::around(&text, BEFORE_LINK, column)));
        });
        places
    }
}

/// The files of an archive in and below the folder of one of them, by their names from there, without genealogical
/// files.
fn entries_beside(archive: &Path, file: &ArchiveEntry) -> std::io::Result<HashMap<String, ArchiveEntry>> {
    let folder = file.name().rsplit_once('/').map_or_else(String::new, |(of, _)| format!("{of}/"));
    let all = elf_archive::entries(io::open_archive(archive)?)?;
    let others = all.into_iter().filter(|one| !is_genealogical(one.name()) && !one.name().ends_with('/'));
    let within = others.filter_map(|one| one.strip_folder(&folder));
    // If several have the same name, the first is used.
    let mut found = HashMap::new();
    within.for_each(|one| _ = found.entry(one.name().to_owned()).or_insert(one));
    Ok(found)
}

/// The path of a folder, `.` for the current one.
fn non_empty(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
}

/// The number of octets before a link in its line.
const BEFORE_LINK: usize = "1 FILE ".len();

/// A finding about so many files.
fn not_carried(message: String, count: u64) -> Diagnostic {
    let finding = Diagnostic::new(codes::FILE_NOT_CARRIED, &Rules::GEDCOM_7, message);
    match NonZero::new(count) {
        Some(count) if count.get() > 1 => finding.count(count),
        _ => finding,
    }
}
