//! Arguments shared by the commands about people.

use super::check::parse_day;
use crate::config::today;
use clap::Args;
use elf_lineage::{LivingRule, QuestionOptions};

pub(super) use super::extract::parse_identifier;

/// The rule for living people, the same as that of `elf redact`.
#[derive(Args)]
pub(crate) struct LivingOptions {
    /// Nobody born more than YEARS years ago counts as living.
    #[arg(long, value_name = "YEARS", default_value_t = 110, help_heading = "Living people")]
    within: u32,
    /// Use this day as today, such as 2026-11-22.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day, help_heading = "Living people")]
    today: Option<QuestionOptions>,
}

impl LivingOptions {
    /// The rule. Without a day in the arguments, the current day counts.
    pub(crate) fn living_rule(&self) -> LivingRule {
        let mut rule = LivingRule::on(self.today.unwrap_or_else(today).today);
        rule.within = self.within;
        rule
    }
}

/// Checks a name to search for. Without a letter or digit it would match everyone.
pub(super) fn parse_name_query(text: &str) -> Result<String, String> {
    match text.chars().any(char::is_alphanumeric) {
        true => Ok(text.to_owned()),
        false => Err("expected a name with a letter or a digit".to_owned()),
    }
}

/// Checks a text to search for.
pub(super) fn parse_text_query(text: &str) -> Result<String, String> {
    match text.trim().is_empty() {
        true => Err("expected a text to look for".to_owned()),
        false => Ok(text.to_owned()),
    }
}
