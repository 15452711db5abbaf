//! How one file is checked: a section of a configuration with the defaults of what it leaves open.

use crate::check::Check;
use crate::config::{Choice, FindingWord, HeldAgainst, Section};
use crate::finding::Keep;
use elf_base::{Against, Rules};
use elf_lineage::{AskedByName, Asking};
use elf_schema::ReadOptions;
use std::sync::Arc;

/// How one file is checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules to read by.
    pub rules: &'static Rules,
    /// The findings that count.
    pub choice: Choice,
    /// The standard to validate against.
    pub against: Option<Against>,
    /// True if a tag that the standard does not have is reported at each place.
    pub each_undefined: bool,
    /// The questions about facts; `None` if the facts are not checked.
    pub facts: Option<Asking>,
    /// The name of the configuration, if it affects the check.
    pub config: Option<Arc<str>>,
}

impl Settings {
    /// Makes the settings that a section asks for. `facts` are the questions to ask, without the thresholds and names of
    /// the section.
    ///
    /// ```
    /// use elf_base::Rules;
    /// use elf_check::config::{Config, Settings};
    ///
    /// let config = Config::parse("elf.toml", b"[check]\nrules = \"2019-12\"\n")?;
    /// let settings = Settings::new(config.section(None, None), None);
    /// assert_eq!(settings.rules.name, Rules::DECEMBER_2019.name);
    /// # Ok::<(), elf_check::config::ConfigError>(())
    /// ```
    pub fn new(section: Section, facts: Option<Asking>) -> Settings {
        let Section { rules, select, ignore, deny, against, thresholds } = section;
        let [select, ignore, deny] = [select, ignore, deny].map(Option::unwrap_or_default);
        let rules = rules.unwrap_or(&Rules::WILD);
        let by_name =
            AskedByName::of(|code| select.iter().chain(&deny).any(|word| *word == FindingWord::Code(code)));
        let against = HeldAgainst::or_of_rules(against, rules);
        let set_aside =
            against.filter(|against| against.is_named).map(|against| against.standard.set_aside());
        let set_aside = set_aside.unwrap_or_default().iter().map(|code| FindingWord::Code(*code));
        let ignore = ignore.into_iter().chain(set_aside).collect();
        Settings {
            rules,
            against,
            each_undefined: false,
            facts: facts.map(|asking| asking.with_thresholds(thresholds.apply()).with_by_name(by_name)),
            choice: Choice::new(select, ignore, deny),
            config: None,
        }
    }

    /// Returns the check of the file. `options` are those of reading any file. If a standard is named that has types of
    /// its own, it reports tags and values, and the other layers do not.
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
