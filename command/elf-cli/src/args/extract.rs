//! The arguments of `elf extract` and `elf redact`.

use super::check::day;
use super::{Format, Reading, choices, encoding};
use clap::{Args, ValueEnum};
use elf_extract::{Branch, Generations, LivingRule, LoneFamilies, Redaction, Replacement};
use elf_lineage::Asking;
use elf_tagged::Encoding;
use std::path::PathBuf;

const EXTRACT_EXAMPLES: &str = "\
Examples:
  elf extract family.ged --from @I1@ --ancestors all -o ancestors.ged
  elf extract family.ged --from @I2@ --descendants 3 --spouses -o branch.ged
  elf extract family.ged --from @I1@ --from @I2@ --format json -o both.ged > removed.jsonl
  elf find family.ged --has BIRT --format ids | elf extract family.ged --from - -o born.ged";

/// Write one branch of a family tree: some persons, and those related to them.
///
/// Lines that stay are the same octets as before, in whatever encoding. Removed are the records of all other
/// persons, pointers to what is gone, families of whose persons too few are left, and sources, notes, media
/// and repositories that only what is gone referred to. The header and submitters stay.
#[derive(Args)]
#[command(after_help = EXTRACT_EXAMPLES)]
pub(crate) struct Extract {
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Start from the person with this identifier; may be repeated. `-` reads identifiers from standard input, one on
    /// each line, as `elf find --format ids` prints them.
    #[arg(long, value_name = "@ID@", required = true, value_parser = identifier_or_input, help_heading = "Choosing")]
    pub(crate) from: Vec<String>,
    /// Take so many generations of their ancestors, 1 for the parents, or `all`.
    #[arg(long, value_name = "N", value_parser = generations, help_heading = "Choosing")]
    ancestors: Option<Generations>,
    /// Take so many generations of their descendants, 1 for the children, or `all`.
    #[arg(long, value_name = "N", value_parser = generations, help_heading = "Choosing")]
    descendants: Option<Generations>,
    /// Take the partners of all these, too.
    #[arg(long, help_heading = "Choosing")]
    spouses: bool,
    /// Remove families of whose persons one alone is left, or keep them. One that had no more stays.
    #[arg(long, value_name = "RULE", value_enum, default_value_t, help_heading = "Choosing")]
    lone_families: LoneFamilyRule,
    #[command(flatten)]
    pub(crate) options: ExtractOptions,
}

const REDACT_EXAMPLES: &str = "\
Examples:
  elf redact family.ged -o public.ged
  elf redact family.ged --as drop --within 100 --bare-death -o public.ged
  elf redact family.ged --keep @I1@ --format json -o public.ged > removed.jsonl
  elf redact family.ged --check --today 2026-11-22";

/// Hide persons who may be living. It is a filter, and no guarantee.
///
/// A person may be living unless the file shows a death, burial or cremation, or a birth too long ago; where
/// there is no birth, dates of relatives limit it. A notice (RESN, _PRIVATE, _PRIV, _LIVING) counts as living, and
/// so do dates that contradict each other. Hidden are events, notes, sources, media, other tags and associations of such persons, what
/// others say of them in structures of their own, and what only they referred to. Texts about others that
/// hold their names are reported (not names of one word), and so are malformed lines, records
/// that nothing refers to, and other places that may hold something of such persons; each makes status 1.
/// Read what is written before you publish it.
#[derive(Args)]
#[command(after_help = REDACT_EXAMPLES)]
pub(crate) struct Redact {
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Count nobody as living who was born more than so many years ago.
    #[arg(long, value_name = "YEARS", default_value_t = 110, help_heading = "Choosing")]
    within: u32,
    /// Take this day for today, such as 2026-11-22.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day, help_heading = "Choosing")]
    today: Option<Asking>,
    /// Treat a bare `DEAT`, `BURI` or `CREM` line as proof of death.
    #[arg(long, help_heading = "Choosing")]
    bare_death: bool,
    /// Do not hide this person; may be repeated. `-` reads identifiers from standard input, one on each line.
    #[arg(long, value_name = "@ID@", value_parser = identifier_or_input, help_heading = "Choosing")]
    pub(crate) keep: Vec<String>,
    /// Leave this of each person.
    #[arg(long = "as", value_name = "WHAT", value_parser = choices(&Replacement::ALL, Replacement::name, Replacement::about),
        default_value = "placeholder", help_heading = "Choosing")]
    replacement: Replacement,
    /// Write no file: list those who may be living, with name, birth and the reason; status 1 if there are any.
    #[arg(long, conflicts_with_all = ["output", "in_place", "partial"], help_heading = "Writing")]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) options: ExtractOptions,
}

/// The options of reading a file and writing what is left of it.
#[derive(Args)]
pub(crate) struct ExtractOptions {
    /// The file to write; by default, and for `-`, standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the file.
    #[arg(long, conflicts_with = "output", help_heading = "Writing")]
    pub(crate) in_place: bool,
    /// Write what was read although the rules ended the reading, and exit with status 1; without this, such a
    /// file is not written, and the status is 2.
    #[arg(long, help_heading = "Writing")]
    pub(crate) partial: bool,
    /// Read in this encoding, whatever the file says, such as UTF-8, ANSEL or windows-1252.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Report for a person, or list what was removed as JSON Lines on standard output; then the file needs
    /// another place.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
}

/// The rule about families of whose persons one alone is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum LoneFamilyRule {
    /// They are removed.
    #[default]
    Remove,
    /// They stay.
    Keep,
}

impl Extract {
    /// The branch that is asked for, of the persons with these identifiers.
    pub(crate) fn branch(&self, from: Vec<String>) -> Branch {
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
    /// The redaction that is asked for, which hides none of the persons `keep`; `today` is the day of the clock.
    pub(crate) fn redaction(&self, keep: Vec<String>, today: impl FnOnce() -> Asking) -> Redaction {
        let today = self.today.unwrap_or_else(today).today;
        let mut rule = LivingRule::on(today);
        (rule.within, rule.bare_death) = (self.within, self.bare_death);
        Redaction::by(rule).with_replacement(self.replacement).with_keep(keep)
    }
}

/// An identifier, with its at signs or without.
pub(super) fn identifier(text: &str) -> Result<String, String> {
    let bare = text.strip_prefix('@').and_then(|rest| rest.strip_suffix('@')).unwrap_or(text);
    match bare.is_empty() || bare.contains('@') {
        true => Err("expected an identifier such as @I1@".to_owned()),
        false => Ok(bare.to_owned()),
    }
}

/// An identifier, or `-` for those of standard input.
fn identifier_or_input(text: &str) -> Result<String, String> {
    if text == "-" { Ok(text.to_owned()) } else { identifier(text) }
}

/// A number of generations, or `all`.
fn generations(text: &str) -> Result<Generations, String> {
    match text {
        "all" => Ok(Generations::All),
        _ => text.parse().map(Generations::UpTo).map_err(|_| "expected a number, or `all`".to_owned()),
    }
}
