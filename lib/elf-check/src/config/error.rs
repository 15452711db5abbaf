//! The error for an invalid configuration.

use elf_base::{Excerpt, Place};

/// The reason why a configuration is invalid.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{file}{}: {message}", format_line(.place.as_ref()))]
#[non_exhaustive]
pub struct ConfigError {
    /// The name of the configuration file.
    pub file: String,
    /// The message, which describes the error.
    pub message: String,
    /// The place of the error in the file, with its line.
    pub place: Option<ConfigPlace>,
    /// Advice about what the user can do.
    pub help: Option<&'static str>,
}

/// A place in a configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConfigPlace {
    /// The place.
    pub place: Place,
    /// The line at the place.
    pub excerpt: Excerpt,
}

impl ConfigError {
    /// Creates an error about the whole configuration, for example if the file cannot be read.
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> ConfigError {
        ConfigError { file: file.into(), message: message.into(), place: None, help: None }
    }

    /// Adds advice about what the user can do.
    pub const fn help(mut self, help: &'static str) -> ConfigError {
        self.help = Some(help);
        self
    }
}

fn format_line(place: Option<&ConfigPlace>) -> String {
    place.map(|place| format!(", line {}", place.place.line)).unwrap_or_default()
}
