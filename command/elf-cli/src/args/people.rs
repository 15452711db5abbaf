//! The arguments that the commands about people share.

use super::check::parse_day;
use crate::config::today;
use clap::Args;
use elf_lineage::LivingRule;

pub(super) use super::extract::parse_identifier;

/// The options of the rule that decides who may be living. `elf redact` uses the same rule.
#[derive(Args)]
pub(crate) struct LivingOptions {
    /// Treat people as dead if they were born more than YEARS years ago.
    #[arg(long, value_name = "YEARS", default_value_t = 110, help_heading = "Living people")]
    within: u32,
    /// Use this day as today to decide who may be living, such as 2026-11-22.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day, help_heading = "Living people")]
    today: Option<i64>,
}

impl LivingOptions {
    /// Returns the rule. If the arguments do not name a day, the rule uses the current day.
    pub(crate) fn living_rule(&self) -> LivingRule {
        let mut rule = LivingRule::on(self.today.unwrap_or_else(today));
        rule.within = self.within;
        rule
    }
}

/// Checks a name to search for. A name without a letter or digit would match everyone, so it is an error.
pub(super) fn parse_name_query(text: &str) -> Result<String, String> {
    match text.chars().any(char::is_alphanumeric) {
        true => Ok(text.to_owned()),
        false => Err("expected a name with a letter or a digit".to_owned()),
    }
}

/// Checks that a text to search for is not blank.
pub(super) fn parse_text_query(text: &str) -> Result<String, String> {
    match text.trim().is_empty() {
        true => Err("expected a text to look for".to_owned()),
        false => Ok(text.to_owned()),
    }
}
