//! Summaries of a file, and of all files.

use crate::vendor::VendorCount;
use crate::{counted, grouped, sanitise};
use elf_check::FindingCounts;
use serde::Serialize;
use std::collections::BTreeSet;
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

impl Summary<'_> {
    /// Writes the summary for people.
    pub(super) fn line(&self, out: &mut dyn Write) -> io::Result<()> {
        let (lines, records) = (counted(self.counts.lines, "line"), counted(self.counts.records, "record"));
        write!(out, "{}: {lines}, {records}", sanitise(self.file))?;
        write_classes(&self.counts, out)?;
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
        write_classes(&self.counts, out)?;
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

/// Writes the number of known vendor tags and the counts of the classes. Zero counts are left out.
fn write_classes(counts: &FindingCounts, out: &mut dyn Write) -> io::Result<()> {
    let vendor: u64 = counts.vendor.values().sum();
    if vendor > 0 {
        write!(out, ", {}", counted(vendor, "vendor tag"))?;
    }
    let classes = [
        (counts.malformed, "malformed"),
        (counts.non_conformant, "non-conformant"),
        (counts.deprecated, "deprecated"),
        (counts.advice, "advice"),
        (counts.questions, if counts.questions == 1 { "question" } else { "questions" }),
    ];
    for (count, class) in classes.into_iter().filter(|&(count, _)| count > 0) {
        write!(out, ", {} {class}", grouped(count))?;
    }
    if counts.findings() == 0 {
        write!(out, ", nothing to report")?;
    }
    if counts.ignored > 0 {
        write!(out, ", {} ignored", grouped(counts.ignored))?;
    }
    for (count, word) in [(counts.known, "known"), (counts.gone, "gone")] {
        if let Some(count) = count.filter(|count| *count > 0) {
            write!(out, ", {} {word}", grouped(count))?;
        }
    }
    match (counts.repaired, counts.repairable) {
        (Some(repaired), _) => write!(out, "; {} repaired", grouped(repaired))?,
        (None, 0) => {}
        (None, repairable) => write!(out, "; `--fix` fixes {}", grouped(repairable))?,
    }
    Ok(())
}
