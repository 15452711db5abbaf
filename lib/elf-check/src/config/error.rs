//! Errors of a configuration.

use elf_base::{Excerpt, Place};

/// The reason why a configuration cannot be taken.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{file}{}: {message}", line(.place))]
#[non_exhaustive]
pub struct ConfigError {
    /// The name of the configuration.
    pub file: String,
    /// The fault.
    pub message: String,
    /// The place in it, and the line there.
    pub place: Option<(Place, Excerpt)>,
    /// A way out.
    pub help: Option<&'static str>,
}

impl ConfigError {
    /// An error about a whole configuration, such as one that cannot be read.
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> ConfigError {
        ConfigError { file: file.into(), message: message.into(), place: None, help: None }
    }

    /// Adds a way out.
    pub const fn help(mut self, help: &'static str) -> ConfigError {
        self.help = Some(help);
        self
    }
}

fn line(place: &Option<(Place, Excerpt)>) -> String {
    place.as_ref().map(|(place, _)| format!(", line {}", place.line)).unwrap_or_default()
}
