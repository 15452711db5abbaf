//! Decides how a buffer is checked. As in `elf check`, the nearest `elf.toml` decides.

use crate::disk;
use elf_check::config::{Config, ConfigError, Section};
use elf_check::{Check, CheckRequest, FactRequest, Keep, Settings};
use elf_schema::{Encoding, Options, ReadOptions};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) const CONFIG: &str = "elf.toml";

/// The options that a client sends when it starts the server.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ClientOptions {
    /// True to report implausible facts, as `elf check --facts` does.
    pub(crate) facts: bool,
}

/// How a buffer is checked.
#[derive(Clone, Debug)]
pub(crate) struct BufferSettings {
    pub(crate) settings: Settings,
    /// The `elf.toml` that is used.
    pub(crate) config: Option<PathBuf>,
    /// The content of the `elf.toml`, to notice changes.
    content: Option<Vec<u8>>,
    /// The error in the `elf.toml`. If there is one, the configuration is ignored.
    pub(crate) fault: Option<ConfigError>,
}

impl BufferSettings {
    /// Returns the settings for a file. A buffer without a file gets the defaults.
    pub(crate) fn for_file(file: Option<&Path>, options: ClientOptions) -> BufferSettings {
        let config = file.and_then(|file| disk::find_nearest(file, CONFIG));
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
        // An editor marks every place of an unknown tag, so all are reported.
        let request = CheckRequest { each_undefined: true, facts, ..CheckRequest::default() };
        let settings = Settings::new(&request, section);
        BufferSettings { settings, config, content, fault }
    }

    /// Returns whether two settings of one buffer have the same effect.
    pub(crate) fn is_same(&self, other: &BufferSettings) -> bool {
        let fault = |settings: &BufferSettings| settings.fault.as_ref().map(ToString::to_string);
        self.config == other.config && self.content == other.content && fault(self) == fault(other)
    }

    /// Returns the check of the text in a buffer.
    pub(crate) fn check(&self) -> Check<'static> {
        self.settings.check(&read_options(), Keep::Related)
    }

    /// Returns the check of the bytes of a file, as `elf check` does it.
    pub(crate) fn check_of_bytes(&self) -> Check<'static> {
        self.settings.check(&read_options().with_octets(Options::default()), Keep::Related)
    }
}

/// Returns the options for reading a buffer. The buffer is text, so the encoding that its header
/// names is ignored.
pub(crate) fn read_options() -> ReadOptions<'static> {
    ReadOptions::default()
        .with_octets(Options::default().with_forced(Some(Encoding::Utf8)))
        .with_vendor_tags(true)
        .with_check_values(true)
        .with_each_undefined(true)
}

fn read_config(path: &Path) -> Result<(Vec<u8>, Config), ConfigError> {
    let name = path.to_string_lossy();
    match disk::read_limited(path, Config::LONGEST as u64) {
        Ok(Some(content)) => Config::parse(&name, &content).map(|config| (content, config)),
        Ok(None) => Err(ConfigError::new(name, format!("it is larger than {} bytes", Config::LONGEST))),
        Err(error) => Err(ConfigError::new(name, error.to_string())),
    }
}

/// Returns the section of a configuration that applies to a file.
fn section_of(parsed: Option<Config>, config: Option<&Path>, file: Option<&Path>) -> Section {
    let Some(parsed) = parsed else { return Section::default() };
    let beneath = file.zip(config.and_then(Path::parent)).and_then(|(file, folder)| {
        let full = file.parent()?.canonicalize().ok()?.join(file.file_name()?);
        let steps = full.strip_prefix(folder).ok()?.components();
        Some(steps.map(|step| step.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
    });
    parsed.section(beneath.as_deref(), None)
}

/// Returns the Julian day number of the current day, in UTC.
fn today() -> i64 {
    /// The Julian day number of 1 January 1970.
    const EPOCH: i64 = 2_440_588;
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    EPOCH.saturating_add_unsigned(elapsed.as_secs() / (24 * 60 * 60))
}
