//! How a file is checked: what somebody asks for, and what a configuration says besides.

use crate::check::Check;
use crate::config::{Choice, FindingWord, HeldAgainst, Section};
use crate::finding::Keep;
use elf_base::{Against, Rules};
use elf_lineage::{AskedByName, Asking};
use elf_schema::ReadOptions;

/// What somebody asks of a check, beside a configuration.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckRequest<'a> {
    /// The rules to read by, if they are named.
    pub rules: Option<&'static Rules>,
    /// The findings that are reported; all if empty.
    pub select: &'a [FindingWord],
    /// The findings that are not reported.
    pub ignore: &'a [FindingWord],
    /// The findings that count as failures, besides violations of the format.
    pub deny: &'a [FindingWord],
    /// The standard to validate against, if it is named.
    pub against: Option<HeldAgainst>,
    /// True if a tag without a meaning is reported at each place.
    pub each_undefined: bool,
    /// The questions about facts; `None` if the facts are not checked.
    pub facts: Option<FactRequest>,
}

/// What somebody asks about facts.
#[derive(Clone, Copy, Debug)]
pub struct FactRequest {
    /// The day on which the questions are asked.
    pub today: Asking,
    /// True if unlikely facts are asked about, too.
    pub unlikely: bool,
}

/// The way in which one file is checked.
///
/// ```
/// use elf_check::config::Section;
/// use elf_check::{CheckRequest, Keep, Settings};
/// use elf_schema::ReadOptions;
///
/// let words = ["level-too-deep".parse()?];
/// let request = CheckRequest { select: &words, ..CheckRequest::default() };
/// let settings = Settings::new(&request, Section::default());
/// let options = ReadOptions::default().with_check_values(true);
/// let report = settings.check(&options, Keep::All).check(b"0 HEAD\n0 INDI\n2 DATE 31 FEB 1850\n0 TRLR\n")?;
/// assert_eq!(report.findings.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules to read by.
    pub rules: &'static Rules,
    /// The standard to validate against.
    pub against: Option<Against>,
    /// True if a tag that the standard does not have is reported at each place.
    pub each_undefined: bool,
    /// The questions about facts.
    pub facts: Option<Asking>,
    /// The findings that count.
    pub choice: Choice,
    /// True if the configuration decided anything.
    pub is_configured: bool,
}

impl Settings {
    /// Joins a request with the section of a configuration; the request wins.
    pub fn new(request: &CheckRequest<'_>, section: Section) -> Settings {
        let is_selected = !request.select.is_empty();
        let is_configured = decides(request, &section);
        let Section { rules, select, ignore, deny, against, thresholds, .. } = section;
        let rules = request.rules.or(rules).unwrap_or(&Rules::WILD);
        let denied_by_config = deny.clone().unwrap_or_default();
        // Words that somebody chooses now are wanted, whatever is ignored as a rule.
        let (select, ignore) = match is_selected {
            false => (select.unwrap_or_default(), with(ignore, request.ignore)),
            true => (request.select.to_vec(), request.ignore.to_vec()),
        };
        let by_name = AskedByName::of(|code| {
            select.iter().chain(&denied_by_config).any(|word| *word == FindingWord::Code(code))
        });
        let against = held_against(request.against.or(against), rules);
        let set_aside =
            against.filter(|against| against.is_named).map(|against| against.standard.unreported_codes());
        let set_aside = set_aside.unwrap_or_default().iter().filter_map(|code| code.id().parse().ok());
        let ignore = ignore.into_iter().chain(set_aside).collect();
        Settings {
            rules,
            against,
            each_undefined: request.each_undefined,
            facts: request.facts.map(|asked| {
                let asking = asked.today.with_unlikely(asked.unlikely).with_thresholds(thresholds.apply());
                asking.with_by_name(by_name)
            }),
            choice: Choice::new(select, ignore, with(deny, request.deny)),
            is_configured,
        }
    }

    /// Returns the check of the file. `options` are those of reading any file; a tag or a value is reported by
    /// one layer alone: where a standard is named that has types of its own, by the standard.
    pub fn check<'o>(&self, options: &ReadOptions<'o>, keep: Keep) -> Check<'o> {
        let options = match self.against {
            Some(Against { standard, is_named: true }) if standard.replaces_schema() => {
                options.clone().with_check_values(false).with_check_tags(false)
            }
            _ => options.clone(),
        };
        Check {
            rules: self.rules,
            options,
            against: self.against,
            each_undefined: self.each_undefined,
            facts: self.facts,
            choice: self.choice.clone(),
            keep,
        }
    }
}

/// Tells whether a section says anything that the request does not set aside.
fn decides(request: &CheckRequest<'_>, section: &Section) -> bool {
    let is_selected = !request.select.is_empty();
    section.deny.is_some()
        || (section.rules.is_some() && request.rules.is_none())
        || ((section.select.is_some() || section.ignore.is_some()) && !is_selected)
        || (section.against.is_some() && request.against.is_none())
        || (!section.thresholds.is_empty() && request.facts.is_some())
}

fn with(words: Option<Vec<FindingWord>>, more: &[FindingWord]) -> Vec<FindingWord> {
    let mut words = words.unwrap_or_default();
    words.extend(more);
    words
}

/// The standard that files are held against which are read by those rules: the one that is named, or the one
/// whose types the rules have.
fn held_against(named: Option<HeldAgainst>, rules: &Rules) -> Option<Against> {
    match named {
        Some(HeldAgainst::Standard(standard)) => Some(Against { standard, is_named: true }),
        Some(HeldAgainst::Nothing) => None,
        None => rules.schema.default.standard().map(|standard| Against { standard, is_named: false }),
    }
}
