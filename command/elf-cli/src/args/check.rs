//! The arguments of `elf check`.

use super::{Reading, choices, encoding, jobs};
use clap::{ArgAction, Args};
use elf_check::config::{FindingWord, HeldAgainst, denied};
use elf_lineage::Asking;
use elf_report::findings::FindingFormat;
use elf_tagged::Encoding;
use std::num::NonZero;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf check family.ged
  elf check --quiet .
  elf check --ignore E0327,deprecated --deny advice family.ged
  elf check --statistics --rules 2019-12 family.ged
  elf check --no-config family.ged
  elf check --write-baseline known.jsonl family.ged && elf check --baseline known.jsonl family.ged
  elf check --against 5.5.1 --facts --unlikely family.ged
  elf check --fix --ignore at-sign-bare family.ged -o repaired.ged
  elf check --fix --out-dir repaired --quiet .
  elf check --format json family.ged > findings.jsonl";

/// Report what is wrong with a file, at what line, and by which clause.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// The files, folders of files, and archives; `-` is standard input.
    ///
    /// Of a folder and those in it, the files called `.ged`, `.gedcom`, `.elf`, `.gdz`, `.zip` and `.gz` are
    /// read. Files in an archive are called `archive.zip!inner.ged`.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Do not check files that match this pattern, in which `*` stands for any characters and `?` for one: their paths
    /// or their names; may be repeated.
    #[arg(long, value_name = "GLOB", help_heading = "Choosing")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) choosing: ChoiceOptions,
    #[command(flatten)]
    pub(crate) configuring: ConfigOptions,
    #[command(flatten)]
    pub(crate) fixing: FixOptions,
    #[command(flatten)]
    pub(crate) facts: FactOptions,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Hold the structures against what this standard says may stand where, and call non-conformant what it
    /// forbids. Without it, the ELF data model is asked for advice, or GEDCOM 7.0 about a file of GEDCOM 7
    /// (nothing is by the rules of 2017); `none` asks nothing.
    #[arg(long, value_name = "STANDARD", value_parser = choices(&HeldAgainst::ALL, HeldAgainst::name, HeldAgainst::title),
        help_heading = "Choosing")]
    pub(crate) against: Option<HeldAgainst>,
    /// Read in this encoding, whatever the file says, such as UTF-8, ANSEL or windows-1252.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// Call standard input by this name in what is reported.
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// The number of threads that read; by default as many as there are cores. What is reported is the same.
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Print findings for a person, one a line for editors and `grep`, as JSON Lines, as one log in SARIF
    /// 2.1.0, or as workflow commands of GitHub.
    #[arg(long, value_name = "FORMAT", value_parser = choices(&FindingFormat::ALL, FindingFormat::name, FindingFormat::about),
        default_value = "human", help_heading = "Printing")]
    pub(crate) format: FindingFormat,
    /// Print all findings for a person too, not only the first ten of each code in a file; and report tags
    /// without meaning at each place, not only at the first.
    #[arg(long, help_heading = "Printing")]
    pub(crate) all: bool,
    /// Print the summaries only; twice (`-qq`), only the total.
    #[arg(short, long, action = ArgAction::Count, help_heading = "Printing")]
    pub(crate) quiet: u8,
    /// Print how often each code was found, and whether `--fix` repairs it, instead of the findings.
    #[arg(long, conflicts_with = "quiet", help_heading = "Printing")]
    pub(crate) statistics: bool,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The options that choose among findings. WHAT is a code (E0203), the start of codes (E03), a name
/// (level-too-deep) or a class (malformed, non-conformant, deprecated, advice).
#[derive(Args)]
pub(crate) struct ChoiceOptions {
    /// Report only these: codes (E0203), starts of codes (E03), names (level-too-deep), classes (advice).
    /// The configuration's `select` and `ignore` are set aside then.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Choosing")]
    pub(crate) select: Vec<FindingWord>,
    /// Report all but these, and those that the configuration ignores: they are neither printed nor
    /// repaired, and count for nothing.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Choosing")]
    pub(crate) ignore: Vec<FindingWord>,
    /// Exit with status 1 for these too, and for those that the configuration denies; `warnings` are all.
    #[arg(
        long, value_name = "WHAT", value_delimiter = ',', value_parser = denied, help_heading = "Choosing"
    )]
    pub(crate) deny: Vec<FindingWord>,
}

/// The options of the configuration, and of what is known already.
#[derive(Args)]
pub(crate) struct ConfigOptions {
    /// Take the configuration from this file, whose folder its patterns start from. By default that of each
    /// file is the `elf.toml` beside it, or else the nearest upward.
    #[arg(long, value_name = "CONFIG", conflicts_with = "no_config", help_heading = "Choosing")]
    pub(crate) config: Option<PathBuf>,
    /// Take no configuration.
    #[arg(long, help_heading = "Choosing")]
    pub(crate) no_config: bool,
    /// Report only what is not in this baseline. The rest is not printed and does not count; it is repaired
    /// like any other.
    #[arg(long, value_name = "BASELINE", conflicts_with = "write_baseline", help_heading = "Choosing")]
    pub(crate) baseline: Option<PathBuf>,
    /// Record the findings in this file, by what they are about and not by their lines, instead of printing
    /// them; status 0 if it was written.
    #[arg(long, value_name = "BASELINE", conflicts_with_all = ["fix", "unsafe_fixes", "diff", "in_place"], help_heading = "Choosing")]
    pub(crate) write_baseline: Option<PathBuf>,
}

/// The options of questions about facts.
#[derive(Args)]
pub(crate) struct FactOptions {
    /// Ask about facts that cannot be, such as a child that is older than its mother: where no choice of days
    /// within the dates makes them possible. Questions never change the exit status, unless they are denied.
    #[arg(long, help_heading = "Facts")]
    pub(crate) facts: bool,
    /// Ask about facts that are unlikely too, such as a life of 130 years. The numbers past which they are
    /// stand in the configuration.
    #[arg(long, requires = "facts", help_heading = "Facts")]
    pub(crate) unlikely: bool,
    /// Take this day for today, such as 2026-11-22.
    #[arg(long, value_name = "YYYY-MM-DD", requires = "facts", value_parser = day, help_heading = "Facts")]
    pub(crate) today: Option<Asking>,
}

/// Reads a day of the Gregorian calendar, to ask on it.
pub(super) fn day(text: &str) -> Result<Asking, String> {
    let is_number = |part: &&str| part.bytes().all(|octet| octet.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').filter(is_number).collect();
    let asking = match *parts {
        [year, month, day] if text.len() == "YYYY-MM-DD".len() && year.len() == 4 && month.len() == 2 => year
            .parse()
            .ok()
            .zip(month.parse().ok())
            .zip(day.parse().ok())
            .and_then(|((year, month), day)| Asking::on_date(year, month, day)),
        _ => None,
    };
    asking.ok_or_else(|| "expected a day such as 2026-11-22".to_owned())
}

/// The options of repairs.
#[derive(Args)]
pub(crate) struct FixOptions {
    /// Repair what can be repaired without changing what the file says, and report what is left. The repaired
    /// file is written to OUT, by default standard output, and the report to standard error. Records that a
    /// notice locks (`RESN locked`) stay as they are.
    #[arg(long, help_heading = "Repairing")]
    pub(crate) fix: bool,
    /// Repair also what needs a guess, and what a notice locks.
    #[arg(long, help_heading = "Repairing")]
    pub(crate) unsafe_fixes: bool,
    /// Show only which lines a repair changes, and how; status 1 if any.
    #[arg(long, conflicts_with = "in_place", help_heading = "Repairing")]
    pub(crate) diff: bool,
    /// Overwrite the files with what was repaired.
    #[arg(long, conflicts_with = "output", help_heading = "Repairing")]
    pub(crate) in_place: bool,
    /// Keep each file that is overwritten beside it, called `FILE.bak`.
    #[arg(long, requires = "in_place", help_heading = "Repairing")]
    pub(crate) backup: bool,
    /// Write each file, repaired where it can be, into this folder, by its path beneath the folder or archive
    /// that it was found in. What stands there is overwritten, unless it is an input.
    #[arg(
        long, value_name = "DIR", conflicts_with_all = ["output", "in_place", "diff"], help_heading = "Repairing"
    )]
    pub(crate) out_dir: Option<PathBuf>,
}

impl FixOptions {
    /// Tells whether anything is to be repaired, or shown as if it were.
    pub(crate) const fn any(&self) -> bool {
        self.fix || self.unsafe_fixes || self.diff || self.in_place || self.out_dir.is_some()
    }
}
