//! The configuration of `elf check`: the nearest `elf.toml` in the folder of a file or above it.
//!
//! An `elf.toml` may lie beside files that a stranger made. So it contains only words and patterns: it cannot name
//! anything to read, write or download. Unless an argument names it, it is read only if it is small and lies inside the
//! folder in which it was found, not behind a link.

use crate::args::{Check, ReportArgs};
use crate::io::{self, FileOrMember, Listed};
use crate::reading;
use elf_base::Rules;
use elf_check::CheckRequest;
use elf_check::config::{Config, ConfigError, FindingWord, Section, StandardChoice};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

const NAME: &str = "elf.toml";

/// How one file is checked, by its arguments and its configuration.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) check: elf_check::Settings,
    /// The name of the configuration that was used.
    pub(crate) config: Option<Arc<str>>,
}

/// A file and the settings to check it with.
pub(crate) struct FileToCheck {
    pub(crate) file: Listed,
    pub(crate) settings: Settings,
}

/// The arguments that the settings depend on.
#[derive(Clone, Copy)]
pub(crate) struct ConfigRequest<'a> {
    /// The configuration that `--config` names.
    config: Option<&'a Path>,
    no_config: bool,
    stdin_filename: Option<&'a Path>,
    rules: Option<&'static Rules>,
    select: &'a [FindingWord],
    ignore: &'a [FindingWord],
    deny: &'a [FindingWord],
    against: Option<StandardChoice>,
    /// True to report every place of an undefined tag, not just the first.
    each_undefined: bool,
    facts: Option<FactRequest>,
}

/// The arguments for questions about facts.
#[derive(Clone, Copy)]
struct FactRequest {
    today: Option<i64>,
    unlikely: bool,
}

impl<'a> From<&'a Check> for ConfigRequest<'a> {
    fn from(args: &'a Check) -> ConfigRequest<'a> {
        let Check { configuring, choosing, facts, .. } = args;
        ConfigRequest {
            config: configuring.config.as_deref(),
            no_config: configuring.no_config,
            stdin_filename: args.stdin_filename.as_deref(),
            rules: args.reading.rules,
            select: &choosing.select,
            ignore: &choosing.ignore,
            deny: &choosing.deny,
            against: args.against,
            each_undefined: args.all,
            facts: facts.facts.then_some(FactRequest { today: facts.today, unlikely: facts.unlikely }),
        }
    }
}

impl<'a> From<&'a ReportArgs> for ConfigRequest<'a> {
    fn from(args: &'a ReportArgs) -> ConfigRequest<'a> {
        ConfigRequest {
            config: args.config.as_deref(),
            no_config: args.no_config,
            stdin_filename: args.stdin_filename.as_deref(),
            rules: args.reading.common.rules,
            select: &args.select,
            ignore: &args.ignore,
            deny: &[],
            against: args.against,
            each_undefined: false,
            facts: Some(FactRequest { today: args.today, unlikely: true }),
        }
    }
}

/// Finds the settings of each file. Also returns the first of `outputs` that would overwrite a configuration.
pub(crate) fn find_settings<'o>(
    request: ConfigRequest<'_>,
    list: Vec<Listed>,
    outputs: impl IntoIterator<Item = &'o PathBuf>,
) -> Result<(Vec<FileToCheck>, Option<&'o PathBuf>), ConfigError> {
    let configs = Configs::new(request)?;
    let files = list.into_iter().map(|file| {
        let settings = configs.settings_for(file.place())?;
        Ok(FileToCheck { file, settings })
    });
    let files = files.collect::<Result<Vec<FileToCheck>, ConfigError>>()?;
    Ok((files, outputs.into_iter().find(|output| configs.are_overwritten_by(output))))
}

/// The configurations of a run. Each is read once.
struct Configs<'a> {
    request: ConfigRequest<'a>,
    source: ConfigSource,
    /// The current folder. Names of configurations are printed relative to it.
    here: Option<PathBuf>,
    today: i64,
    folders: Mutex<Folders>,
}

/// Where configurations come from.
enum ConfigSource {
    None,
    /// One configuration for all files.
    Named(Arc<PlacedConfig>),
    /// The nearest configuration to each file.
    Nearest,
}

/// The folders in which a configuration was looked for.
#[derive(Default)]
struct Folders {
    /// The configuration of each folder, by its full path.
    found: HashMap<PathBuf, Option<Arc<PlacedConfig>>>,
    /// The full path of each folder, by the path in the arguments.
    full: HashMap<PathBuf, Option<PathBuf>>,
}

struct PlacedConfig {
    /// The name for messages.
    name: Arc<str>,
    /// The full path of the folder that patterns are relative to.
    folder: PathBuf,
    content: Config,
}

impl<'a> Configs<'a> {
    /// Prepares the configurations. A configuration that the arguments name is read here.
    fn new(request: ConfigRequest<'a>) -> Result<Configs<'a>, ConfigError> {
        let here = io::full_path(Path::new(".")).ok();
        let source = match request {
            ConfigRequest { no_config: true, .. } => ConfigSource::None,
            ConfigRequest { config: Some(path), .. } => {
                let name = path.to_string_lossy();
                let folder = io::full_path(folder_of(path)).map_err(|error| read_error(&name, &error))?;
                ConfigSource::Named(Arc::new(PlacedConfig::read_config(path, &name, folder)?))
            }
            ConfigRequest { .. } => ConfigSource::Nearest,
        };
        Ok(Configs { request, source, here, today: today(), folders: Mutex::default() })
    }

    /// Returns the settings of a file; `-` is standard input.
    fn settings_for(&self, file: FileOrMember<'_>) -> Result<Settings, ConfigError> {
        let path = match self.request.stdin_filename {
            Some(name) if io::is_standard(file.path) => name,
            _ => file.path,
        };
        let folder = self.full_folder_of(path);
        let config = match (&self.source, &folder) {
            (ConfigSource::Named(config), _) => Some(Arc::clone(config)),
            (ConfigSource::Nearest, Some(folder)) => self.find_nearest(folder)?,
            (ConfigSource::None, _) | (ConfigSource::Nearest, None) => None,
        };
        let mut section = Section::default();
        if let Some(config) = &config {
            let beneath = folder.and_then(|folder| {
                let folder = folder.strip_prefix(&config.folder).ok()?;
                Some(with_slashes(&folder.join(path.file_name()?)))
            });
            section = config.content.section(beneath.as_deref(), file.member);
        }
        Ok(self.merge_settings(section, config.map(|config| Arc::clone(&config.name))))
    }

    /// Combines the arguments with a section of a configuration. Arguments win.
    fn merge_settings(&self, section: Section, name: Option<Arc<str>>) -> Settings {
        let ConfigRequest { rules, select, ignore, deny, against, each_undefined, facts, .. } = self.request;
        let facts = facts.map(|asked| elf_check::FactRequest {
            today: asked.today.unwrap_or(self.today),
            unlikely: asked.unlikely,
        });
        let request = CheckRequest { rules, select, ignore, deny, against, each_undefined, facts };
        let check = elf_check::Settings::new(&request, section);
        Settings { config: name.filter(|_| check.is_configured), check }
    }

    /// Returns whether writing `output` would overwrite a configuration that was found.
    fn are_overwritten_by(&self, output: &Path) -> bool {
        let folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        folders.found.values().flatten().any(|config| io::would_overwrite(&config.folder.join(NAME), output))
    }

    /// The full path of the folder of a file. `None` if the folder does not exist.
    fn full_folder_of(&self, file: &Path) -> Option<PathBuf> {
        let folder = folder_of(file);
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(full) = folders.full.get(folder) {
            return full.clone();
        }
        let full = io::full_path(folder).ok();
        folders.full.insert(folder.to_owned(), full.clone());
        full
    }

    /// Finds the nearest configuration in `folder` or above it.
    fn find_nearest(&self, folder: &Path) -> Result<Option<Arc<PlacedConfig>>, ConfigError> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut passed, mut found) = (Vec::new(), None);
        for folder in folder.ancestors() {
            if let Some(known) = folders.found.get(folder) {
                found.clone_from(known);
                break;
            }
            passed.push(folder.to_owned());
            let path = folder.join(NAME);
            let name = self.display_name(&path);
            match io::look_up_in_folder(folder, NAME) {
                io::LookupResult::Nothing => continue,
                io::LookupResult::File => {
                    found = Some(Arc::new(PlacedConfig::read_config(&path, &name, folder.to_owned())?));
                }
                io::LookupResult::LinkOutside => {
                    let message =
                        "it is a symbolic link to a file outside its folder, which `elf` does not follow";
                    return Err(
                        ConfigError::new(name, message).help("name it with `--config`, or use `--no-config`")
                    );
                }
            }
            break;
        }
        folders.found.extend(passed.into_iter().map(|folder| (folder, found.clone())));
        Ok(found)
    }

    /// The name of a configuration for messages: relative to the current folder, unless that is far away.
    fn display_name(&self, path: &Path) -> String {
        let near = self.here.as_deref().and_then(|here| relative_path(here, path));
        with_slashes(near.as_deref().unwrap_or(path))
    }
}

impl PlacedConfig {
    fn read_config(path: &Path, name: &str, folder: PathBuf) -> Result<PlacedConfig, ConfigError> {
        let octets = io::read_small(path, Config::LONGEST).map_err(|error| read_error(name, &error))?;
        let Some(octets) = octets else {
            let message = format!("it is larger than {} bytes", Config::LONGEST);
            return Err(ConfigError::new(name, message));
        };
        Ok(PlacedConfig { name: name.into(), folder, content: Config::parse(name, &octets)? })
    }
}

fn read_error(name: &str, error: &std::io::Error) -> ConfigError {
    ConfigError::new(name, io::describe_error(error))
}

/// Returns the Julian day number of the current day, in UTC.
pub(crate) fn today() -> i64 {
    /// The Julian day number of 1 January 1970.
    const EPOCH: i64 = 2_440_588;
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    EPOCH.saturating_add_unsigned(elapsed.as_secs() / (24 * 60 * 60))
}

pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path from `folder` to `path`; both are full paths. `None` if they only share the root.
pub(crate) fn relative_path(folder: &Path, path: &Path) -> Option<PathBuf> {
    let is_step = |component: Component<'_>| matches!(component, Component::Normal(_));
    let shared = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
    if folder.components().any(is_step) && !folder.components().take(shared).any(is_step) {
        return None;
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    Some(up.chain(path.components().skip(shared)).collect())
}

/// The path with `/` between its steps, on any system.
pub(crate) fn with_slashes(path: &Path) -> String {
    let name = reading::display_name(path);
    if std::path::MAIN_SEPARATOR == '/' { name } else { name.replace(std::path::MAIN_SEPARATOR, "/") }
}
