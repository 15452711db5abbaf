//! The baseline of a run: where it stands, and how the files are called in it.

use crate::args::ConfigOptions;
use crate::config::{relative, slashed};
use crate::io;
use elf_check::{Baseline, Entries, Ledger};
use std::path::{Path, PathBuf};

/// The use of a baseline in a run.
#[derive(Debug)]
pub(crate) enum BaselineUse {
    /// One whose findings are not reported.
    Known(PlacedBaseline),
    /// One that is made.
    Recorded(PlacedBaseline),
}

impl BaselineUse {
    /// Takes the baseline that the arguments name, if they name one.
    ///
    /// # Errors
    ///
    /// The reason why there is none, in words.
    pub(crate) fn of(options: &ConfigOptions) -> Result<Option<BaselineUse>, String> {
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
            PlacedBaseline::new(place).map_err(|error| io::reason(&error)).map(BaselineUse::Recorded)
        } else {
            let octets = io::read_small(place, usize::MAX - 1).map_err(|error| io::reason(&error));
            octets
                .and_then(|octets| PlacedBaseline::read(place, &octets.unwrap_or_default()))
                .map(BaselineUse::Known)
        };
        made.map(Some).map_err(fault)
    }

    /// Opens the account of a file, which may be one in an archive.
    pub(crate) fn ledger(&self, file: (&Path, Option<&str>)) -> Ledger {
        match self {
            BaselineUse::Known(baseline) => Ledger::Known(baseline.of(file)),
            BaselineUse::Recorded(_) => Ledger::Recorded(Entries::new()),
        }
    }
}

/// A baseline, and the folder that the names in it start from.
#[derive(Debug)]
pub(crate) struct PlacedBaseline {
    /// The full path of the folder.
    folder: PathBuf,
    baseline: Baseline,
}

impl PlacedBaseline {
    /// A baseline at `place` that has no entries yet.
    fn new(place: &Path) -> std::io::Result<PlacedBaseline> {
        let folder = io::full_path(crate::config::folder_of(place))?;
        Ok(PlacedBaseline { folder, baseline: Baseline::default() })
    }

    /// Reads the baseline at `place`.
    ///
    /// # Errors
    ///
    /// The reason, with the place where it is, if it cannot be read.
    fn read(place: &Path, octets: &[u8]) -> Result<PlacedBaseline, String> {
        let placed = PlacedBaseline::new(place).map_err(|error| io::reason(&error))?;
        let baseline = Baseline::read(octets).map_err(|error| error.to_string())?;
        Ok(PlacedBaseline { baseline, ..placed })
    }

    /// The name of a file as seen from the baseline; `inner` is that of a file in it, where it is an archive.
    fn name(&self, (file, inner): (&Path, Option<&str>)) -> String {
        let full = file
            .file_name()
            .and_then(|name| Some(io::full_path(crate::config::folder_of(file)).ok()?.join(name)));
        let full = full.unwrap_or_else(|| file.to_owned());
        let name = slashed(&relative(&self.folder, &full).unwrap_or(full));
        inner.map_or(name.clone(), |inner| format!("{name}!{inner}"))
    }

    /// The findings of a file that are known.
    fn of(&self, file: (&Path, Option<&str>)) -> Entries {
        self.baseline.entries_of(&self.name(file))
    }

    /// Adds the findings of a file, in place of those that were added for it before.
    pub(crate) fn record(&mut self, file: (&Path, Option<&str>), entries: Entries) {
        self.baseline.record(self.name(file), entries);
    }

    /// Adds a file that could not be read.
    pub(crate) fn record_unreadable(&mut self, file: (&Path, Option<&str>), reason: &str) {
        self.baseline.record_unreadable(self.name(file), reason.to_owned());
    }

    /// Returns whether it is known that a file cannot be read, for the same reason.
    pub(crate) fn knows_unreadable(&self, file: (&Path, Option<&str>), reason: &str) -> bool {
        self.baseline.knows_unreadable(&self.name(file), reason)
    }

    /// The baseline without its folder.
    pub(crate) fn into_inner(self) -> Baseline {
        self.baseline
    }
}
