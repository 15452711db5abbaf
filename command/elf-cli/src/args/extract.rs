//! The arguments of `elf extract` and `elf redact`.

use super::check::parse_day;
use super::{Format, Reading, choice_parser, parse_encoding};
use clap::{Args, ValueEnum};
use elf_extract::{Branch, Generations, LivingRule, LoneFamilies, Redaction, Replacement};
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
/// All lines that remain are copied byte for byte, in any encoding. The command removes the records of all other
/// people, pointers to removed records, and families with too few remaining members. It also removes sources, notes,
/// media and repositories if only removed records referred to them. The header and submitters are kept.
#[derive(Args)]
#[command(after_help = EXTRACT_EXAMPLES)]
pub(crate) struct Extract {
    /// The file to read; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Start from the person with this identifier. May be repeated. `-` reads identifiers from standard input, one
    /// per line, in the form in which `elf find --format ids` prints them.
    #[arg(long, value_name = "@ID@", required = true, value_parser = parse_identifier_or_input, help_heading = "Choosing")]
    pub(crate) from: Vec<String>,
    /// Include N generations of ancestors (1 = parents), or `all`.
    #[arg(long, value_name = "N", value_parser = parse_generations, help_heading = "Choosing")]
    ancestors: Option<Generations>,
    /// Include N generations of descendants (1 = children), or `all`.
    #[arg(long, value_name = "N", value_parser = parse_generations, help_heading = "Choosing")]
    descendants: Option<Generations>,
    /// Also include the partners of all people who are included.
    #[arg(long, help_heading = "Choosing")]
    spouses: bool,
    /// Remove or keep families with only one remaining member. Families that had only one member in the input are
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

/// Hide people who may be living. This command is a filter, not a guarantee.
///
/// A person counts as living unless the file contains a death, a burial, a cremation, or a birth more than 110 years
/// ago (see `--within`). If the birth of a person is unknown, the dates of relatives limit when it may have been. A
/// person with a privacy notice (RESN, _PRIVATE, _PRIV, _LIVING) or with contradictory dates also counts as living.
///
/// The command hides the events, notes, sources, media, associations and other structures of living people. It also
/// hides structures about them in other records, records that only their records refer to, and the names and addresses
/// of submitters.
///
/// If a text about other people contains the name, an e-mail address or a telephone number of a hidden person, the
/// text is reported. A name or nickname of one word is found where it begins with a capital letter, even if the text
/// means something else. Malformed lines, unreferenced records and other places that may contain private data are
/// reported too. Each of these reports sets the exit status to 1. Read the output before you publish it.
#[derive(Args)]
#[command(after_help = REDACT_EXAMPLES)]
pub(crate) struct Redact {
    /// The file to read; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Treat people as dead if they were born more than YEARS years ago.
    #[arg(long, value_name = "YEARS", default_value_t = 110, help_heading = "Choosing")]
    within: u32,
    /// Use this day as today to decide who may be living, such as 2026-11-22.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day, help_heading = "Choosing")]
    today: Option<i64>,
    /// Treat a `DEAT`, `BURI` or `CREM` without any content as proof of death.
    #[arg(long, help_heading = "Choosing")]
    bare_death: bool,
    /// Do not hide the person with this identifier. May be repeated. `-` reads identifiers from standard input, one
    /// per line.
    #[arg(long, value_name = "@ID@", value_parser = parse_identifier_or_input, help_heading = "Choosing")]
    pub(crate) keep: Vec<String>,
    /// Replace each hidden person by this.
    #[arg(long = "as", value_name = "WHAT", value_parser = choice_parser(&Replacement::ALL, Replacement::name, Replacement::about),
        default_value = "placeholder", help_heading = "Choosing")]
    replacement: Replacement,
    /// List the people who may be living, with name, birth and reason, and write no file. The exit status is 1 if
    /// there are such people.
    #[arg(long, conflicts_with_all = ["output", "in_place", "partial"], help_heading = "Writing")]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) options: ExtractOptions,
}

/// The options for reading the input and writing the remaining records.
#[derive(Args)]
pub(crate) struct ExtractOptions {
    /// The file to write. `-` is standard output, which is also the default.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the input file.
    #[arg(long, conflicts_with = "output", help_heading = "Writing")]
    pub(crate) in_place: bool,
    /// If the rules stopped reading early, write the part that was read, and exit with status 1. Without this option,
    /// no file is written then, and the exit status is 2.
    #[arg(long, help_heading = "Writing")]
    pub(crate) partial: bool,
    /// Read in this encoding and ignore the encoding that the file names. See `elf help reading`.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print the report in this format. `json` lists the removed structures on standard output, so the remaining
    /// records cannot go there.
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
    /// Builds a redaction that hides all living people except those in `keep`. `today` returns the current day.
    pub(crate) fn redaction_keeping(&self, keep: Vec<String>, today: impl FnOnce() -> i64) -> Redaction {
        let mut rule = LivingRule::on(self.today.unwrap_or_else(today));
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

/// Parses an identifier, or `-`, which stands for the identifiers on standard input.
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
