//! The configuration of `elf check`: `elf.toml` beside the files, the nearest of those upward alone.
//!
//! It may lie beside a stranger's data. So it holds words and patterns, and nothing that names a place to
//! read, to write or to fetch from; one that is found and not named is read only if it is a file of the tree
//! that it is in, of a size that a person writes.

use crate::args::{Check, ReportArgs};
use crate::io::{self, Listed};
use crate::reading;
use elf_base::Rules;
use elf_check::CheckRequest;
use elf_check::config::{Config, ConfigError, FindingWord, Section, StandardChoice};
use elf_lineage::Asking;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The name of a configuration that is found.
const NAME: &str = "elf.toml";

/// The way in which one file is checked: what the arguments say, and what its configuration does.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) check: elf_check::Settings,
    /// The name of the configuration, if it had a say.
    pub(crate) config: Option<Arc<str>>,
}

/// The arguments that have a say beside a configuration.
#[derive(Clone, Copy)]
pub(crate) struct ConfigRequest<'a> {
    /// The configuration to take, if one is named.
    config: Option<&'a Path>,
    no_config: bool,
    stdin_filename: Option<&'a Path>,
    rules: Option<&'static Rules>,
    select: &'a [FindingWord],
    ignore: &'a [FindingWord],
    deny: &'a [FindingWord],
    against: Option<StandardChoice>,
    /// True if each place of a tag without a meaning is reported by itself.
    each_undefined: bool,
    facts: Option<FactRequest>,
}

/// The arguments about questions.
#[derive(Clone, Copy)]
struct FactRequest {
    today: Option<Asking>,
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

/// Returns the way in which each file of a list is checked, and the output that would overwrite one of the
/// configurations, if one of `outputs` would.
pub(crate) fn settings_of<'o>(
    request: ConfigRequest<'_>,
    list: &[Listed],
    outputs: impl IntoIterator<Item = &'o PathBuf>,
) -> Result<(Vec<Settings>, Option<&'o PathBuf>), ConfigError> {
    let configs = Configs::of(request)?;
    let settings = list.iter().map(|file| configs.settings(file.place()));
    let settings = settings.collect::<Result<Vec<Settings>, ConfigError>>()?;
    Ok((settings, outputs.into_iter().find(|output| configs.are_overwritten_by(output))))
}

/// The configurations of a run, each read once.
struct Configs<'a> {
    request: ConfigRequest<'a>,
    source: ConfigSource,
    /// The folder that names are printed from.
    here: Option<PathBuf>,
    /// The day of the clock.
    today: Asking,
    folders: Mutex<Folders>,
}

/// The place that configurations come from.
enum ConfigSource {
    /// None is used.
    None,
    /// One for all files.
    Named(Arc<PlacedConfig>),
    /// The nearest to each file.
    Nearest,
}

/// The configurations that were looked for.
#[derive(Default)]
struct Folders {
    /// Each folder by its full path.
    found: HashMap<PathBuf, Option<Arc<PlacedConfig>>>,
    /// Each folder as files name it, with its full path.
    full: HashMap<PathBuf, Option<PathBuf>>,
}

/// A configuration and its place.
struct PlacedConfig {
    /// The name to print.
    name: Arc<str>,
    /// The full path of the folder that its patterns start from.
    folder: PathBuf,
    content: Config,
}

impl<'a> Configs<'a> {
    /// Returns the configurations that the arguments ask for; one that they name is read.
    fn of(request: ConfigRequest<'a>) -> Result<Configs<'a>, ConfigError> {
        let here = io::full_path(Path::new(".")).ok();
        let source = match request {
            ConfigRequest { no_config: true, .. } => ConfigSource::None,
            ConfigRequest { config: Some(path), .. } => {
                let name = path.to_string_lossy();
                let folder = io::full_path(folder_of(path)).map_err(|error| unread(&name, &error))?;
                ConfigSource::Named(Arc::new(PlacedConfig::read(path, &name, folder)?))
            }
            ConfigRequest { .. } => ConfigSource::Nearest,
        };
        Ok(Configs { request, source, here, today: today(), folders: Mutex::default() })
    }

    /// Returns the way in which `file` is checked; `-` stands for standard input. `inner` is the name of a
    /// file in it, where it is an archive.
    fn settings(&self, (file, inner): (&Path, Option<&str>)) -> Result<Settings, ConfigError> {
        let file = match self.request.stdin_filename {
            Some(name) if io::is_standard(file) => name,
            _ => file,
        };
        let folder = self.full_folder(file);
        let config = match (&self.source, &folder) {
            (ConfigSource::Named(config), _) => Some(Arc::clone(config)),
            (ConfigSource::Nearest, Some(folder)) => self.nearest(folder)?,
            (ConfigSource::None, _) | (ConfigSource::Nearest, None) => None,
        };
        let mut section = Section::default();
        if let Some(config) = &config {
            let beneath = folder.and_then(|folder| {
                let folder = folder.strip_prefix(&config.folder).ok()?;
                Some(slashed(&folder.join(file.file_name()?)))
            });
            section = config.content.section(beneath.as_deref(), inner);
        }
        Ok(self.merged(section, config.map(|config| Arc::clone(&config.name))))
    }

    /// The arguments win over what a configuration says.
    fn merged(&self, section: Section, name: Option<Arc<str>>) -> Settings {
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
        folders.found.values().flatten().any(|config| io::is_same(&config.folder.join(NAME), output))
    }

    /// The full path of the folder that a file is in; `None` where there is no such folder.
    fn full_folder(&self, file: &Path) -> Option<PathBuf> {
        let folder = folder_of(file);
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(full) = folders.full.get(folder) {
            return full.clone();
        }
        let full = io::full_path(folder).ok();
        folders.full.insert(folder.to_owned(), full.clone());
        full
    }

    /// The configuration of the nearest folder that has one, from `folder` upward.
    fn nearest(&self, folder: &Path) -> Result<Option<Arc<PlacedConfig>>, ConfigError> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut passed, mut found) = (Vec::new(), None);
        for folder in folder.ancestors() {
            if let Some(known) = folders.found.get(folder) {
                found.clone_from(known);
                break;
            }
            passed.push(folder.to_owned());
            let path = folder.join(NAME);
            let name = self.shown(&path);
            match io::look_beneath(folder, NAME) {
                io::Beneath::Nothing => continue,
                io::Beneath::File => {
                    found = Some(Arc::new(PlacedConfig::read(&path, &name, folder.to_owned())?));
                }
                io::Beneath::LinkOutside => {
                    let message = "it is a symbolic link out of its folder, which is not followed";
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

    /// The name of a found configuration: from the current folder, where that is not far.
    fn shown(&self, path: &Path) -> String {
        let near = self.here.as_deref().and_then(|here| relative(here, path));
        slashed(near.as_deref().unwrap_or(path))
    }
}

impl PlacedConfig {
    fn read(path: &Path, name: &str, folder: PathBuf) -> Result<PlacedConfig, ConfigError> {
        let octets = io::read_small(path, Config::LONGEST).map_err(|error| unread(name, &error))?;
        let Some(octets) = octets else {
            let message = format!("it is larger than {} bytes", Config::LONGEST);
            return Err(ConfigError::new(name, message));
        };
        Ok(PlacedConfig { name: name.into(), folder, content: Config::parse(name, &octets)? })
    }
}

fn unread(name: &str, error: &std::io::Error) -> ConfigError {
    ConfigError::new(name, io::reason(error))
}

/// Asks on the day of the clock, in Greenwich.
pub(crate) fn today() -> Asking {
    /// The Julian day number of 1 January 1970.
    const EPOCH: i64 = 2_440_588;
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Asking::on(EPOCH.saturating_add_unsigned(elapsed.as_secs() / (24 * 60 * 60)))
}

/// The folder of a file, as its path names it.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path from `folder` to `path`, both full; `None` where they have nothing but the root in common.
pub(crate) fn relative(folder: &Path, path: &Path) -> Option<PathBuf> {
    let is_step = |component: Component<'_>| matches!(component, Component::Normal(_));
    let shared = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
    if folder.components().any(is_step) && !folder.components().take(shared).any(is_step) {
        return None;
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    Some(up.chain(path.components().skip(shared)).collect())
}

/// A path with `/` between its steps on any system.
pub(crate) fn slashed(path: &Path) -> String {
    let name = reading::name(path);
    if std::path::MAIN_SEPARATOR == '/' { name } else { name.replace(std::path::MAIN_SEPARATOR, "/") }
}
