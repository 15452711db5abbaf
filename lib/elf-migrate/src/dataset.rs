//! Migrates a dataset in memory.

use crate::outcome::Summary;
use crate::target::Target;
use crate::{migrated, reading_rules};
use elf_base::{Rules, Sink};
use elf_model::{Dataset, ReadError, ReadOptions, WriteError, WriteOptions};
use elf_schema::Reader;
use std::io;

/// A migrated dataset.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MigratedDataset {
    /// The dataset, with the header of the target.
    pub dataset: Dataset,
    /// The counts of records and losses.
    pub summary: Summary,
}

/// Why a dataset was not migrated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MigrateError {
    /// The dataset could not be written by the rules of its own standard.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The written dataset could not be migrated.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The migrated dataset is larger than a dataset can be.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Migrates a dataset. Losses are reported to `sink`.
///
/// The dataset is written in memory, migrated as [`migrated`] does it, and read again.
///
/// # Errors
///
/// A [`MigrateError`], for a dataset that is too large.
///
/// ```
/// use elf_migrate::{Target, migrate};
/// use elf_model::{DatasetBuilder, Schema};
///
/// let mut builder = DatasetBuilder::new(Schema::completed());
/// let note = builder.unused_xref("N");
/// builder.record("NOTE").xref(&note).text("born at sea");
/// builder.record("INDI").xref("I1").open("NOTE").pointer(&note);
/// let migrated = migrate(&builder.finish()?, Target::Gedcom70, &mut ())?;
/// let tags: Vec<&str> = migrated.dataset.structures().map(|one| one.tag()).collect();
/// assert_eq!((tags, migrated.summary.losses), (vec!["SNOTE", "INDI", "SNOTE"], 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn migrate(
    dataset: &Dataset,
    target: Target,
    sink: &mut dyn Sink,
) -> Result<MigratedDataset, MigrateError> {
    let rules = dataset.rules_from(&Rules::WILD);
    let mut octets = Vec::new();
    elf_model::write(dataset, &mut octets, &rules, &WriteOptions::new(), sink)?;
    let rules = reading_rules(&rules);
    let reader = || Reader::new(&octets[..], &rules, ReadOptions::default());
    let migrated = migrated(reader, target, sink)?;
    // Files of GEDCOM 7 are read by its rules.
    let dataset = elf_model::read(&migrated.octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    Ok(MigratedDataset { dataset, summary: migrated.summary })
}
