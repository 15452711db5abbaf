//! Summaries of a file, and of all files.

use crate::vendor::VendorCount;
use crate::{counted, grouped, sanitise};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// The last line of `elf check` for a file.
#[derive(Clone, Debug, Serialize)]
pub struct Summary<'a> {
    /// The path as it was given.
    pub file: &'a str,
    /// The counts of what was found.
    #[serde(flatten)]
    pub counts: FindingCounts,
    /// The name of the configuration file that was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<&'a str>,
}

/// The last line of `elf check` for several files.
#[derive(Clone, Debug, Serialize)]
pub struct Total {
    /// The number of files, including those that could not be read.
    pub files: u64,
    /// The number of files without a finding.
    #[serde(skip)]
    pub clean: u64,
    /// The number of files that could not be read.
    #[serde(skip_serializing_if = "is_zero")]
    pub unread: u64,
    /// The number of files whose reading stopped early.
    #[serde(skip_serializing_if = "is_zero")]
    pub ended_early: u64,
    /// The total counts.
    #[serde(flatten)]
    pub counts: FindingCounts,
    /// The names of the configuration files that were used.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub configs: BTreeSet<String>,
}

/// The counts for one file, or for all files.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FindingCounts {
    /// The number of lines, including blank ones.
    pub lines: u64,
    /// The number of records, without header and trailer.
    pub records: u64,
    /// The number of structures of each type that the dictionary of vendor tags has, by the IRI of the type. The
    /// summary has their sum.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", serialize_with = "serialize_sum")]
    pub vendor: BTreeMap<String, u64>,
    /// The number of malformed findings.
    pub malformed: u64,
    /// The number of non-conformant findings.
    pub non_conformant: u64,
    /// The number of deprecated findings.
    pub deprecated: u64,
    /// The number of advice findings.
    pub advice: u64,
    /// The number of questions.
    pub questions: u64,
    /// The number of findings that are not selected.
    pub ignored: u64,
    /// The number of findings in the baseline; `None` without a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<u64>,
    /// The number of findings in the baseline that are no longer in the file; `None` without a
    /// baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<u64>,
    /// The number of findings that `--fix` fixes.
    pub repairable: u64,
    /// The number of findings that were fixed; `None` if no fixes were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repaired: Option<u64>,
    /// True if the file was read to its end.
    pub complete: bool,
}

/// The number of findings of a code in all files.
#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    /// The code, such as `E0203`.
    pub code: &'static str,
    /// The name of the code.
    pub name: &'static str,
    /// The name of the class.
    pub class: &'static str,
    /// The number of findings.
    pub count: u64,
    /// The number of findings that `--fix` fixes.
    pub repairable: u64,
    /// The safety of the fix: `safe` if it was verified, `unsafe` if it is only proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<&'static str>,
}

impl FindingCounts {
    /// Adds the counts of another file.
    pub fn add(&mut self, other: &FindingCounts) {
        self.lines += other.lines;
        self.records += other.records;
        for (iri, count) in &other.vendor {
            *self.vendor.entry(iri.clone()).or_default() += count;
        }
        self.malformed += other.malformed;
        self.non_conformant += other.non_conformant;
        self.deprecated += other.deprecated;
        self.advice += other.advice;
        self.questions += other.questions;
        self.ignored += other.ignored;
        self.repairable += other.repairable;
        self.repaired = add_if_known(self.repaired, other.repaired);
        self.known = add_if_known(self.known, other.known);
        self.gone = add_if_known(self.gone, other.gone);
        self.complete &= other.complete;
    }

    /// Returns the number of all reported findings.
    pub const fn findings(&self) -> u64 {
        self.malformed + self.non_conformant + self.deprecated + self.advice + self.questions
    }

    /// Writes the number of known vendor tags and the counts of the classes. Zero counts are left out.
    fn write_classes(&self, out: &mut dyn Write) -> io::Result<()> {
        let vendor: u64 = self.vendor.values().sum();
        if vendor > 0 {
            write!(out, ", {}", counted(vendor, "vendor tag"))?;
        }
        let counts = [
            (self.malformed, "malformed"),
            (self.non_conformant, "non-conformant"),
            (self.deprecated, "deprecated"),
            (self.advice, "advice"),
            (self.questions, if self.questions == 1 { "question" } else { "questions" }),
        ];
        for (count, class) in counts.into_iter().filter(|&(count, _)| count > 0) {
            write!(out, ", {} {class}", grouped(count))?;
        }
        if self.findings() == 0 {
            write!(out, ", nothing to report")?;
        }
        if self.ignored > 0 {
            write!(out, ", {} ignored", grouped(self.ignored))?;
        }
        for (count, word) in [(self.known, "known"), (self.gone, "gone")] {
            if let Some(count) = count.filter(|count| *count > 0) {
                write!(out, ", {} {word}", grouped(count))?;
            }
        }
        match (self.repaired, self.repairable) {
            (Some(repaired), _) => write!(out, "; {} repaired", grouped(repaired))?,
            (None, 0) => {}
            (None, repairable) => write!(out, "; `--fix` fixes {}", grouped(repairable))?,
        }
        Ok(())
    }
}

fn add_if_known(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    }
}

impl Summary<'_> {
    /// Writes the summary for people.
    pub(super) fn line(&self, out: &mut dyn Write) -> io::Result<()> {
        let (lines, records) = (counted(self.counts.lines, "line"), counted(self.counts.records, "record"));
        write!(out, "{}: {lines}, {records}", sanitise(self.file))?;
        self.counts.write_classes(out)?;
        write!(out, "{}", if self.counts.complete { "" } else { "; reading stopped early" })?;
        write_config_names(out, self.config)
    }
}

/// Ends a line with the names of configuration files, if there are any.
fn write_config_names<'n>(out: &mut dyn Write, names: impl IntoIterator<Item = &'n str>) -> io::Result<()> {
    let names: Vec<_> = names.into_iter().map(sanitise).collect();
    if names.is_empty() { writeln!(out) } else { writeln!(out, " ({})", names.join(", ")) }
}

impl Default for Total {
    fn default() -> Total {
        Total {
            files: 0,
            clean: 0,
            unread: 0,
            ended_early: 0,
            counts: FindingCounts { complete: true, ..FindingCounts::default() },
            configs: BTreeSet::new(),
        }
    }
}

impl Total {
    /// Adds a file.
    pub fn add(&mut self, summary: &Summary<'_>) {
        self.files += 1;
        self.clean += u64::from(summary.counts.findings() == 0);
        self.ended_early += u64::from(!summary.counts.complete);
        self.counts.add(&summary.counts);
        if let Some(config) = summary.config.filter(|config| !self.configs.contains(*config)) {
            self.configs.insert(config.to_owned());
        }
    }

    /// Counts a file that could not be read.
    pub fn unread(&mut self) {
        self.files += 1;
        self.unread += 1;
        self.counts.complete = false;
    }

    /// Writes the total for people.
    pub(super) fn line(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", counted(self.files, "file"))?;
        for (count, word) in [(self.clean, "clean"), (self.unread, "not read")] {
            if count > 0 {
                write!(out, ", {} {word}", grouped(count))?;
            }
        }
        let (lines, records) = (counted(self.counts.lines, "line"), counted(self.counts.records, "record"));
        write!(out, ": {lines}, {records}")?;
        self.counts.write_classes(out)?;
        if self.ended_early > 0 {
            write!(out, "; reading of {} stopped early", counted(self.ended_early, "file"))?;
        }
        write_config_names(out, self.configs.iter().map(String::as_str))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a field so")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn serialize_sum<S: Serializer>(counts: &BTreeMap<String, u64>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(counts.values().sum())
}

/// Writes a table of the number of structures of each type of vendor tags.
pub(super) fn vendor_table(out: &mut dyn Write, counts: &[VendorCount]) -> io::Result<()> {
    let width = counts.iter().map(|one| grouped(one.count).len()).max().unwrap_or_default();
    for (index, one) in counts.iter().enumerate() {
        let title = if index == 0 { "vendor tags" } else { "" };
        writeln!(out, "{title:11}  {:>width$}  {}", grouped(one.count), sanitise(&one.words()))?;
    }
    Ok(())
}

/// Writes a table of the number of findings of each code.
pub(super) fn table(out: &mut dyn Write, statistics: &[Statistics]) -> io::Result<()> {
    let width = statistics.iter().map(|one| grouped(one.count).len()).max().unwrap_or_default();
    let names = statistics.iter().map(|one| one.name.len()).max().unwrap_or_default();
    for one in statistics {
        let Statistics { code, name, class, count, repairable, fix } = one;
        let fix = match *fix {
            Some("safe") if repairable == count => "  --fix".to_owned(),
            Some("safe") => format!("  --fix: {}", grouped(*repairable)),
            Some(_) => "  --unsafe-fixes".to_owned(),
            None => String::new(),
        };
        let line = format!("{:>width$}  {code}  {name:names$}  {class:14}{fix}", grouped(*count));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
