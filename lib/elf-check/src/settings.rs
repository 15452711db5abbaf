//! The settings for one file. The settings combine what the user requests with the configuration.

use crate::check::Check;
use crate::config::{Choice, FindingWord, Section, StandardChoice};
use crate::finding::Keep;
use elf_base::{Against, Rules};
use elf_lineage::{OptionalQuestions, QuestionOptions};
use elf_schema::ReadOptions;

/// The settings that the user requests, for example on the command line. Options that are not set are taken from the
/// configuration.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckRequest<'a> {
    /// The rules by which files are read, if the user names rules.
    pub rules: Option<&'static Rules>,
    /// The findings that are reported. If the list is empty, all findings are reported.
    pub select: &'a [FindingWord],
    /// The findings that are not reported.
    pub ignore: &'a [FindingWord],
    /// The findings that count as failures, in addition to format violations.
    pub deny: &'a [FindingWord],
    /// The standard against which files are validated, if the user names one.
    pub against: Option<StandardChoice>,
    /// Whether every occurrence of an unknown tag is reported.
    pub each_undefined: bool,
    /// The options for checking facts. `None` if facts are not checked.
    pub facts: Option<FactRequest>,
}

/// Options for checking facts.
#[derive(Clone, Copy, Debug)]
pub struct FactRequest {
    /// The Julian day number of the day that counts as today.
    pub today: i64,
    /// Whether facts that are only unlikely are reported too.
    pub unlikely: bool,
}

/// The settings for checking one file.
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
    /// The rules by which the file is read.
    pub rules: &'static Rules,
    /// The standard against which the file is validated.
    pub against: Option<Against>,
    /// Whether every occurrence of an unknown tag is reported.
    pub each_undefined: bool,
    /// The options for checking facts. `None` if facts are not checked.
    pub facts: Option<QuestionOptions>,
    /// The findings that are reported, and those that set the exit status.
    pub choice: Choice,
    /// Whether the configuration has changed any setting.
    pub is_configured: bool,
}

impl Settings {
    /// Combines a request with a section of the configuration. The request takes precedence over the section.
    pub fn new(request: &CheckRequest<'_>, section: Section) -> Settings {
        let is_selected = !request.select.is_empty();
        let is_configured = overrides_anything(request, &section);
        let Section { rules, select, ignore, deny, against, thresholds, .. } = section;
        let rules = request.rules.or(rules).unwrap_or(&Rules::WILD);
        let denied_by_config = deny.clone().unwrap_or_default();
        // The option `--select` overrides `ignore` of elf.toml.
        let (select, ignore) = match is_selected {
            false => (select.unwrap_or_default(), append_words(ignore, request.ignore)),
            true => (request.select.to_vec(), request.ignore.to_vec()),
        };
        let optional = OptionalQuestions::of(|code| {
            select.iter().chain(&denied_by_config).any(|word| *word == FindingWord::Code(code))
        });
        let against = choose_standard(request.against.or(against), rules);
        let set_aside =
            against.filter(|against| against.is_named).map(|against| against.standard.unreported_codes());
        let set_aside = set_aside.unwrap_or_default().iter().filter_map(|code| code.id().parse().ok());
        let ignore = ignore.into_iter().chain(set_aside).collect();
        Settings {
            rules,
            against,
            each_undefined: request.each_undefined,
            facts: request.facts.map(|asked| {
                let options = QuestionOptions::on(asked.today)
                    .with_unlikely(asked.unlikely)
                    .with_thresholds(thresholds.apply());
                options.with_optional(optional)
            }),
            choice: Choice::new(select, ignore, append_words(deny, request.deny)),
            is_configured,
        }
    }

    /// Returns the check of the file. `options` are the options for reading. If the user names a standard that has
    /// types of its own, this standard reports tags and values, and reading does not report them.
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

/// Returns whether a section contains a setting that the request does not override.
fn overrides_anything(request: &CheckRequest<'_>, section: &Section) -> bool {
    let is_selected = !request.select.is_empty();
    section.deny.is_some()
        || (section.rules.is_some() && request.rules.is_none())
        || ((section.select.is_some() || section.ignore.is_some()) && !is_selected)
        || (section.against.is_some() && request.against.is_none())
        || (!section.thresholds.is_empty() && request.facts.is_some())
}

fn append_words(words: Option<Vec<FindingWord>>, more: &[FindingWord]) -> Vec<FindingWord> {
    let mut words = words.unwrap_or_default();
    words.extend(more);
    words
}

/// Returns the standard against which files are validated. If the user names none, it is the standard that defines the
/// types of the rules.
fn choose_standard(named: Option<StandardChoice>, rules: &Rules) -> Option<Against> {
    match named {
        Some(StandardChoice::Standard(standard)) => Some(Against { standard, is_named: true }),
        Some(StandardChoice::Nothing) => None,
        None => rules.schema.default.standard().map(|standard| Against { standard, is_named: false }),
    }
}
