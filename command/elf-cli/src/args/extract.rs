//! The arguments of `elf extract` and `elf redact`.

use super::check::parse_day;
use super::{Format, Reading, choice_parser, parse_encoding};
use clap::{Args, ValueEnum};
use elf_extract::{Branch, Generations, LivingRule, LoneFamilies, Redaction, Replacement};
use elf_lineage::Asking;
use elf_tagged::Encoding;
use std::path::PathBuf;

const EXTRACT_EXAMPLES: &str = "\
Examples:
  elf extract family.ged --from \"@I1@\" --ancestors all -o ancestors.ged
  elf extract family.ged --from \"@I2@\" --descendants 3 --spouses -o branch.ged
  elf extract family.ged --from \"@I1@\" --from \"@I2@\" --format json -o both.ged > removed.jsonl
  elf find family.ged --has BIRT --format ids | elf extract family.ged --from - -o born.ged";

/// Write a branch of a family tree: the people you choose and their relatives.
///
/// Lines that are kept are copied byte for byte, in any encoding. The records of all other people are removed,
/// as are pointers to removed records, families with too few remaining members, and sources, notes, media and
/// repositories that only removed records referred to. The header and submitters are kept.
#[derive(Args)]
#[command(after_help = EXTRACT_EXAMPLES)]
pub(crate) struct Extract {
    /// The file to read; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Start from the person with this identifier. May be repeated. `-` reads identifiers from standard input, one
    /// per line, as `elf find --format ids` prints them.
    #[arg(long, value_name = "@ID@", required = true, value_parser = parse_identifier_or_input, help_heading = "Choosing")]
    pub(crate) from: Vec<String>,
    /// Generations of ancestors to include (1 = parents), or `all`.
    #[arg(long, value_name = "N", value_parser = parse_generations, help_heading = "Choosing")]
    ancestors: Option<Generations>,
    /// Generations of descendants to include (1 = children), or `all`.
    #[arg(long, value_name = "N", value_parser = parse_generations, help_heading = "Choosing")]
    descendants: Option<Generations>,
    /// Also include the partners of all these people.
    #[arg(long, help_heading = "Choosing")]
    spouses: bool,
    /// Remove or keep families with only one remaining member. Families that had only one member before are
    /// always kept.
    #[arg(long, value_name = "RULE", value_enum, default_value_t, help_heading = "Choosing")]
    lone_families: LoneFamilyRule,
    #[command(flatten)]
    pub(crate) options: ExtractOptions,
}

const REDACT_EXAMPLES: &str = "\
Examples:
  elf redact family.ged -o public.ged
  elf redact family.ged --as drop --within 100 --bare-death -o public.ged
  elf redact family.ged --keep \"@I1@\" --format json -o public.ged > removed.jsonl
  elf redact family.ged --check --today 2026-11-22";

/// Hide people who may be living. This is a filter, not a guarantee.
///
/// A person counts as living unless the file shows a death, burial or cremation, or a birth long enough ago. If
/// the birth is unknown, dates of relatives limit it. A person with a privacy notice (RESN, _PRIVATE, _PRIV,
/// _LIVING) or with contradictory dates also counts as living.
///
/// Events, notes, sources, media, other tags and associations of these people are hidden. Structures about
/// them in other records, and records that only they referred to, are hidden, too. So are the names and addresses
/// of submitters.
///
/// Texts about other people that contain their names, e-mail addresses or telephone numbers are reported. A name
/// or nickname of one word is found where it has a capital, even if the text means something else. Malformed
/// lines, unreferenced records and other places that may contain private data are reported too. Each of these
/// reports sets the exit status to 1. Read the output before you publish it.
#[derive(Args)]
#[command(after_help = REDACT_EXAMPLES)]
pub(crate) struct Redact {
    /// The file to read; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Treat people as dead if they were born more than this number of years ago.
    #[arg(long, value_name = "YEARS", default_value_t = 110, help_heading = "Choosing")]
    within: u32,
    /// Use this day as today, such as 2026-11-22.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day, help_heading = "Choosing")]
    today: Option<Asking>,
    /// Treat a bare `DEAT`, `BURI` or `CREM` line as proof of death.
    #[arg(long, help_heading = "Choosing")]
    bare_death: bool,
    /// Do not hide this person. May be repeated. `-` reads identifiers from standard input, one per line.
    #[arg(long, value_name = "@ID@", value_parser = parse_identifier_or_input, help_heading = "Choosing")]
    pub(crate) keep: Vec<String>,
    /// What remains of each hidden person.
    #[arg(long = "as", value_name = "WHAT", value_parser = choice_parser(&Replacement::ALL, Replacement::name, Replacement::about),
        default_value = "placeholder", help_heading = "Choosing")]
    replacement: Replacement,
    /// Write no file; list the people who may be living, with name, birth and reason. The exit status is 1 if
    /// there are any.
    #[arg(long, conflicts_with_all = ["output", "in_place", "partial"], help_heading = "Writing")]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) options: ExtractOptions,
}

/// The options for reading the input and writing the remaining records.
#[derive(Args)]
pub(crate) struct ExtractOptions {
    /// The file to write. The default, and `-`, is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the input file.
    #[arg(long, conflicts_with = "output", help_heading = "Writing")]
    pub(crate) in_place: bool,
    /// Write the part that was read if the rules stopped reading early, and exit with status 1. Without this
    /// option no file is written and the exit status is 2.
    #[arg(long, help_heading = "Writing")]
    pub(crate) partial: bool,
    /// Read in this encoding and ignore the encoding that the file names. See `elf help reading`.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Report as text for people, or list the removed structures as JSON Lines on standard output. With JSON,
    /// the remaining records cannot go to standard output.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
}

/// The rule for families with only one remaining member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum LoneFamilyRule {
    /// Remove these families.
    #[default]
    Remove,
    /// Keep these families.
    Keep,
}

impl Extract {
    /// Builds the branch of the people `from`.
    pub(crate) fn branch_from(&self, from: Vec<String>) -> Branch {
        Branch::of(from)
            .with_ancestors(self.ancestors.unwrap_or_default())
            .with_descendants(self.descendants.unwrap_or_default())
            .with_spouses(self.spouses)
            .with_lone_families(match self.lone_families {
                LoneFamilyRule::Remove => LoneFamilies::Remove,
                LoneFamilyRule::Keep => LoneFamilies::Keep,
            })
    }
}

impl Redact {
    /// Builds a redaction that does not hide the people `keep`. `today` returns the current day.
    pub(crate) fn redaction_keeping(&self, keep: Vec<String>, today: impl FnOnce() -> Asking) -> Redaction {
        let today = self.today.unwrap_or_else(today).today;
        let mut rule = LivingRule::on(today);
        (rule.within, rule.bare_death) = (self.within, self.bare_death);
        Redaction::by(rule).with_replacement(self.replacement).with_keep(keep)
    }
}

/// Parses an identifier, with or without at signs.
pub(super) fn parse_identifier(text: &str) -> Result<String, String> {
    let bare = text.strip_prefix('@').and_then(|rest| rest.strip_suffix('@')).unwrap_or(text);
    match bare.is_empty() || bare.contains('@') {
        true => Err("expected an identifier such as @I1@".to_owned()),
        false => Ok(bare.to_owned()),
    }
}

/// Parses an identifier, or `-` for those on standard input.
fn parse_identifier_or_input(text: &str) -> Result<String, String> {
    if text == "-" { Ok(text.to_owned()) } else { parse_identifier(text) }
}

/// Parses a number of generations, or `all`.
fn parse_generations(text: &str) -> Result<Generations, String> {
    match text {
        "all" => Ok(Generations::All),
        _ => text.parse().map(Generations::UpTo).map_err(|_| "expected a number, or `all`".to_owned()),
    }
}
