//! The baseline of a run: its file, and the names that checked files have in it.

use crate::args::ConfigOptions;
use crate::config::{relative_path, with_slashes};
use crate::io::{self, FileOrMember};
use elf_check::{Baseline, Entries, Ledger};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) enum BaselineUse {
    /// The findings in this baseline are not reported.
    Known(PlacedBaseline),
    /// The findings of this run are written to this baseline.
    Recorded(PlacedBaseline),
}

impl BaselineUse {
    /// Reads or starts the baseline that the arguments name. `None` if they name none.
    pub(crate) fn from_args(options: &ConfigOptions) -> Result<Option<BaselineUse>, String> {
        let ConfigOptions { baseline, write_baseline, .. } = options;
        let (place, makes) = match (baseline, write_baseline) {
            (Some(place), _) => (place, false),
            (None, Some(place)) => (place, true),
            (None, None) => return Ok(None),
        };
        let name = place.display();
        let verb = if makes { "write" } else { "read" };
        let fault = |reason: String| format!("cannot {verb} the baseline `{name}`: {reason}");
        if io::is_standard(place) {
            return Err(fault("expected the name of a file".to_owned()));
        }
        let made = if makes {
            PlacedBaseline::empty(place)
                .map_err(|error| io::describe_error(&error))
                .map(BaselineUse::Recorded)
        } else {
            let octets = io::read_small(place, usize::MAX - 1).map_err(|error| io::describe_error(&error));
            octets
                .and_then(|octets| PlacedBaseline::parse(place, &octets.unwrap_or_default()))
                .map(BaselineUse::Known)
        };
        made.map(Some).map_err(fault)
    }

    /// Starts comparing the findings of a file with the baseline.
    pub(crate) fn open_ledger(&self, file: FileOrMember<'_>) -> Ledger {
        match self {
            BaselineUse::Known(baseline) => Ledger::Known(baseline.entries_of(file)),
            BaselineUse::Recorded(_) => Ledger::Recorded(Entries::new()),
        }
    }
}

/// A baseline, and the folder that the file names in it are relative to.
#[derive(Debug)]
pub(crate) struct PlacedBaseline {
    folder: PathBuf,
    baseline: Baseline,
}

impl PlacedBaseline {
    /// Makes an empty baseline for the file at `place`.
    fn empty(place: &Path) -> std::io::Result<PlacedBaseline> {
        let folder = io::full_path(crate::config::folder_of(place))?;
        Ok(PlacedBaseline { folder, baseline: Baseline::default() })
    }

    /// Parses the baseline that was read from `place`.
    ///
    /// # Errors
    ///
    /// An invalid baseline. The message contains the line.
    fn parse(place: &Path, octets: &[u8]) -> Result<PlacedBaseline, String> {
        let placed = PlacedBaseline::empty(place).map_err(|error| io::describe_error(&error))?;
        let baseline = Baseline::read(octets).map_err(|error| error.to_string())?;
        Ok(PlacedBaseline { baseline, ..placed })
    }

    /// The name of a file in the baseline: its path relative to the folder of the baseline.
    fn name_of(&self, file: FileOrMember<'_>) -> String {
        let FileOrMember { path, member } = file;
        let full = path
            .file_name()
            .and_then(|name| Some(io::full_path(crate::config::folder_of(path)).ok()?.join(name)));
        let full = full.unwrap_or_else(|| path.to_owned());
        let name = with_slashes(&relative_path(&self.folder, &full).unwrap_or(full));
        member.map_or(name.clone(), |member| format!("{name}!{member}"))
    }

    /// The findings of a file that the baseline contains.
    fn entries_of(&self, file: FileOrMember<'_>) -> Entries {
        self.baseline.entries_of(&self.name_of(file))
    }

    /// Adds the findings of a file. Replaces findings that were added for it before.
    pub(crate) fn record_findings(&mut self, file: FileOrMember<'_>, entries: Entries) {
        self.baseline.record(self.name_of(file), entries);
    }

    pub(crate) fn record_unreadable(&mut self, file: FileOrMember<'_>, reason: &str) {
        self.baseline.record_unreadable(self.name_of(file), reason.to_owned());
    }

    /// Returns whether the baseline lists this file as unreadable for the same reason.
    pub(crate) fn knows_unreadable(&self, file: FileOrMember<'_>, reason: &str) -> bool {
        self.baseline.knows_unreadable(&self.name_of(file), reason)
    }

    pub(crate) fn into_inner(self) -> Baseline {
        self.baseline
    }
}
