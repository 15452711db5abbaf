//! The law of configurations.

use crate::Input;
use elf_check::config::Config;

/// Any octets are a configuration, or there is an error that a person can read; what the configuration says
/// of a file can be asked.
///
/// # Panics
///
/// If the law does not hold.
pub fn config(input: &Input<'_>) {
    match Config::parse("elf.toml", input.octets) {
        Ok(config) => {
            for (beneath, inner) in [(None, None), (Some("a/b.ged"), None), (Some("a.zip"), Some("b.ged"))] {
                let _ = config.section(beneath, inner);
            }
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("elf.toml") && !message.ends_with('.'), "{message}");
        }
    }
}
