//! How a buffer is checked: by the nearest `elf.toml`, as for `elf check`.

use crate::disk;
use elf_check::config::{Config, ConfigError, Section};
use elf_check::{Check, CheckRequest, FactRequest, Keep, Settings};
use elf_lineage::Asking;
use elf_schema::{Encoding, Options, ReadOptions};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The name of a configuration.
pub(crate) const CONFIG: &str = "elf.toml";

/// The options that a client sends when it starts the server.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ClientOptions {
    /// True if implausible facts are reported too, as by `elf check --facts`.
    pub(crate) facts: bool,
}

/// The configuration of a buffer.
#[derive(Clone, Debug)]
pub(crate) struct BufferSettings {
    pub(crate) settings: Settings,
    /// The `elf.toml` in force.
    pub(crate) config: Option<PathBuf>,
    /// The content of the `elf.toml`, by which a change is noticed.
    content: Option<Vec<u8>>,
    /// The fault of the `elf.toml`, which then has no effect.
    pub(crate) fault: Option<ConfigError>,
}

impl BufferSettings {
    /// Returns the settings of the buffer of a file; those of a buffer without a file are the defaults.
    pub(crate) fn of(file: Option<&Path>, options: ClientOptions) -> BufferSettings {
        let config = file.and_then(|file| disk::nearest(file, CONFIG));
        let (content, parsed) = match config.as_deref().map(read_config) {
            Some(Ok((content, config))) => (Some(content), Ok(Some(config))),
            Some(Err(fault)) => (None, Err(fault)),
            None => (None, Ok(None)),
        };
        let (section, fault) = match parsed {
            Ok(parsed) => (section_of(parsed, config.as_deref(), file), None),
            Err(fault) => (Section::default(), Some(fault)),
        };
        let facts = options.facts.then(|| FactRequest { today: today(), unlikely: false });
        // An editor marks each place.
        let request = CheckRequest { each_undefined: true, facts, ..CheckRequest::default() };
        let settings = Settings::new(&request, section);
        BufferSettings { settings, config, content, fault }
    }

    /// Returns whether two settings of one buffer have the same effect.
    pub(crate) fn is_same(&self, other: &BufferSettings) -> bool {
        let fault = |settings: &BufferSettings| settings.fault.as_ref().map(ToString::to_string);
        self.config == other.config && self.content == other.content && fault(self) == fault(other)
    }

    /// The check of the buffer.
    pub(crate) fn check(&self) -> Check<'static> {
        self.settings.check(&read_options(), Keep::Related)
    }
}

/// How a buffer is read: it is text, whatever encoding its header names.
pub(crate) fn read_options() -> ReadOptions<'static> {
    ReadOptions::default()
        .with_octets(Options::default().with_forced(Some(Encoding::Utf8)))
        .with_check_values(true)
        .with_each_undefined(true)
}

/// Reads and parses a configuration.
fn read_config(path: &Path) -> Result<(Vec<u8>, Config), ConfigError> {
    let name = path.to_string_lossy();
    match disk::read(path, Config::LONGEST as u64) {
        Ok(Some(content)) => Config::parse(&name, &content).map(|config| (content, config)),
        Ok(None) => Err(ConfigError::new(name, format!("it is larger than {} bytes", Config::LONGEST))),
        Err(error) => Err(ConfigError::new(name, error.to_string())),
    }
}

/// The section of a configuration that is about a file.
fn section_of(parsed: Option<Config>, config: Option<&Path>, file: Option<&Path>) -> Section {
    let Some(parsed) = parsed else { return Section::default() };
    let beneath = file.zip(config.and_then(Path::parent)).and_then(|(file, folder)| {
        let full = file.parent()?.canonicalize().ok()?.join(file.file_name()?);
        let steps = full.strip_prefix(folder).ok()?.components();
        Some(steps.map(|step| step.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
    });
    parsed.section(beneath.as_deref(), None)
}

/// Questions on the day of the clock, in Greenwich.
fn today() -> Asking {
    /// The Julian day number of 1 January 1970.
    const EPOCH: i64 = 2_440_588;
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Asking::on(EPOCH.saturating_add_unsigned(elapsed.as_secs() / (24 * 60 * 60)))
}
