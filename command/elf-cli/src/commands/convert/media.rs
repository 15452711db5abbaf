//! The files that belong to a GEDCOM file: linked media in its GEDZIP archive or in folders.

use super::manifest::{Digest, Digested};
use super::relink::{Relinker, Renamed};
use crate::io::{self, FileOrMember, Listed, Output, Source};
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

/// Removes from the list the files that accompany the GEDCOM file of a GEDZIP archive, because they are not converted.
/// If the output remains an archive (`stays`), the GEDCOM file gets the path of its archive.
pub(super) fn remove_media(list: &mut Vec<Listed>, stays: bool) {
    let mut archives: HashMap<PathBuf, Option<String>> = HashMap::new();
    let mut listed: HashSet<(PathBuf, String)> = HashSet::new();
    for FileOrMember { path, member } in list.iter().map(Listed::place) {
        if let Some(member) = member.filter(|_| is_gedzip(&path.to_string_lossy())) {
            archives.entry(path.to_owned()).or_insert_with(|| find_gedcom_entry(path));
            listed.insert((path.to_owned(), member.to_owned()));
        }
    }
    // A file in the archive that an argument names is converted without the archive.
    archives.retain(|path, structures| {
        structures.as_ref().is_some_and(|name| listed.contains(&(path.clone(), name.clone())))
    });
    list.retain_mut(|file| {
        let FileOrMember { path, member } = file.place();
        let Some(structures) = archives.get(path) else { return true };
        let is_structures = structures.as_deref() == member;
        if is_structures && stays {
            let steps = member.unwrap_or_default().split('/').filter(|step| !matches!(*step, "" | "."));
            let count = steps.count();
            (0..count).for_each(|_| _ = file.path_in_folder.pop());
        }
        is_structures
    });
}

/// The name of the GEDCOM file in a GEDZIP archive.
fn find_gedcom_entry(archive: &Path) -> Option<String> {
    let all = elf_archive::entries(io::open_archive(archive).ok()?).ok()?;
    let structures = find_gedcom(all.iter().map(ArchiveEntry::name)).and_then(|at| all.get(at));
    structures.map(|entry| entry.name().to_owned())
}

/// An output that is being written. In an archive, links that lead out of the archive are renamed.
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

/// The files that belong to the file that is converted.
pub(super) struct Media {
    source: Source,
    /// The files beside `gedcom.ged` in a GEDZIP archive. Empty if the input is not in one.
    entries: Vec<ArchiveEntry>,
    /// In another archive: the files in and below the folder of the input, by their relative names. They are packed if
    /// links lead to them.
    linked_entries: HashMap<String, ArchiveEntry>,
    /// The folder of the input, if it is on the disk.
    own_folder: Option<PathBuf>,
    /// The folders on the disk in which linked files are looked up.
    folders: Vec<PathBuf>,
}

impl Media {
    /// Finds the files that belong to `source`. Linked files are also looked up in `folders`.
    pub(super) fn find(source: &Source, folders: &[PathBuf]) -> std::io::Result<Media> {
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
            Source::Entry(archive, file) if entries.is_empty() => find_entries_beside(archive, file)?,
            _ => HashMap::new(),
        };
        let own_folder = match source {
            Source::File(path) | Source::Gzip(path) if path.is_file() => path.parent().map(or_current_folder),
            _ => None,
        };
        let folders = own_folder.iter().chain(folders).cloned().collect();
        Ok(Media { source: source.clone(), entries, linked_entries, own_folder, folders })
    }

    /// Starts an output: an archive or a plain file.
    pub(super) fn start_output(&self, out: Digested<Output>, place: &Path) -> std::io::Result<ConvertedFile> {
        let out = PlainOrPacked::new(out, &place.to_string_lossy(), self.file_names())?;
        let start = self.own_folder.as_ref().filter(|_| matches!(out, PlainOrPacked::Packed(_)));
        let relinker = start.map(|start| Relinker::new(start.clone(), self.folders.clone()));
        Ok(ConvertedFile { out, relinker })
    }

    /// Packs the files whose links were renamed.
    fn pack_renamed(
        out: &mut MediaWriter<Digested<Output>>,
        renamed: &BTreeMap<String, Renamed>,
        losses: &mut dyn Sink,
    ) -> std::io::Result<u64> {
        let mut lost = 0;
        for (name, Renamed { path, link }) in renamed {
            let packed = match io::open_file(path) {
                Ok(file) => out.pack(name, file)?,
                Err(error) => Err(io::describe_error(&error)),
            };
            out.set_present(name);
            match packed {
                Ok(()) => {
                    let message =
                        format!("`{link}` is packed as `{name}`, and the link is changed to this name");
                    losses.report(Diagnostic::new(codes::STRUCTURE_REARRANGED, &Rules::GEDCOM_7, message));
                }
                Err(reason) => {
                    losses.report(not_packed_finding(format!("`{link}` is not packed: {reason}"), 1));
                    lost += 1;
                }
            }
        }
        Ok(lost)
    }

    /// Packs the files that links lead to, from the archive and the folders.
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

    /// The names of the files that accompany the input.
    pub(super) fn file_names(&self) -> impl Iterator<Item = String> {
        self.entries.iter().map(|entry| entry.name().to_owned())
    }

    /// Completes the output and packs the linked files. Returns the digest, and the number of linked files that are
    /// missing.
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
            losses.report(not_packed_finding(message, count));
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
                let mut places = self.find_links(names);
                for name in names {
                    let message = format!("a link refers to `{name}`, which is not in the archive");
                    let mut finding = not_packed_finding(message, 1);
                    if let Some((place, excerpt)) = places.get_mut(&**name).and_then(VecDeque::pop_front) {
                        finding = finding.at(place, Some(excerpt));
                    }
                    losses.report(finding);
                }
                lost += count;
                let others = count - names.len() as u64;
                if others > 0 {
                    let message = format!("{} more links refer to missing files", counted(others, "link"));
                    losses.report(not_packed_finding(message, others));
                }
                out.finish()?
            }
        };
        let (out, digest) = out.finish();
        out.finish()?;
        Ok((digest, lost))
    }

    /// Finds where the input links to `names`. Only finds links that are spelled as in GEDCOM 7.0, in an input that can
    /// be read again.
    fn find_links<'n>(&self, names: &'n [String]) -> HashMap<&'n str, VecDeque<(Place, Excerpt)>> {
        let mut places: HashMap<&str, VecDeque<_>> =
            names.iter().map(|name| (&**name, VecDeque::new())).collect();
        let is_read_once = matches!(&self.source, Source::File(path) if !path.is_file());
        if names.is_empty() || is_read_once {
            return places;
        }
        let Ok(mut input) = io::open_source(&self.source, &Meter::default()) else { return places };
        let Ok(input) = input.restart() else { return places };
        let mut left = names.len();
        // An input that cannot be read again yields no places.
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

/// The files of an archive in and below the folder of `file`, by their names relative to that folder. Genealogical
/// files are left out.
fn find_entries_beside(
    archive: &Path,
    file: &ArchiveEntry,
) -> std::io::Result<HashMap<String, ArchiveEntry>> {
    let folder = file.name().rsplit_once('/').map_or_else(String::new, |(of, _)| format!("{of}/"));
    let all = elf_archive::entries(io::open_archive(archive)?)?;
    let others = all.into_iter().filter(|one| !is_genealogical(one.name()) && !one.name().ends_with('/'));
    let within = others.filter_map(|one| one.strip_folder(&folder));
    // If several files have the same name, use the first.
    let mut found = HashMap::new();
    within.for_each(|one| _ = found.entry(one.name().to_owned()).or_insert(one));
    Ok(found)
}

/// Replaces an empty path with `.`.
fn or_current_folder(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
}

/// The number of bytes in a line before its link.
const BEFORE_LINK: usize = "1 FILE ".len();

/// A finding that stands for `count` files.
fn not_packed_finding(message: String, count: u64) -> Diagnostic {
    let finding = Diagnostic::new(codes::FILE_NOT_CARRIED, &Rules::GEDCOM_7, message);
    match NonZero::new(count) {
        Some(count) if count.get() > 1 => finding.count(count),
        _ => finding,
    }
}
