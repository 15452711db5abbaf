//! `cargo xtask dist`: builds what people install who do not have Rust.
//!
//! Nothing is published. On Linux, `cargo-zigbuild` links the command against an old glibc, so that it runs on every
//! system of the last ten years; elsewhere Cargo builds it for the machine itself.

mod carriers;
mod licences;
mod platform;
mod staging;
mod tools;

use crate::Outcome;
use carriers::Carrier;
use platform::Platform;
use staging::Staging;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tools::Tools;

pub(crate) const HELP: &str = "\
usage: cargo xtask dist [--plan] [--out DIR] [CARRIER…]

Builds the carriers, all by default, with SHA256SUMS, in `target/carriers` or DIR. `--plan` prints what would be built.

  archive   the command with manual pages and completions, as tar.gz
  static    the same with a command that needs no library of the system, if Rust has the target for musl
  deb       a Debian package of the same
  npm       the packages @elf-gedcom/cli and @elf-gedcom/cli-SYSTEM
  command   the wheel elf-gedcom-cli
  python    the wheel elf-gedcom
  web       the package @elf-gedcom/web
  sbom      lists of all crates in the command and in the libraries, as CycloneDX
";

/// The features of the command that is handed out.
pub(super) const FEATURES: &str = "parquet,pictures";

/// What all carriers are made from.
pub(super) struct Dist {
    root: PathBuf,
    out: PathBuf,
    /// The folder of compiled crates.
    target: PathBuf,
    version: String,
    platform: Platform,
    /// The time of the last commit, in seconds: every file gets it, so that two builds are equal.
    time: String,
}

/// A crate of this repository whose binary is in carriers.
#[derive(Clone, Copy)]
pub(super) struct Product<'a> {
    /// The folder of the crate.
    folder: &'a str,
    target: &'a str,
    /// Features beside the default ones.
    features: &'a str,
}

impl<'a> Product<'a> {
    /// The package for browsers.
    pub(super) const WEB: Product<'static> =
        Product { folder: "bindings/web", target: "wasm32-unknown-unknown", features: "" };

    /// The command for a target.
    pub(super) const fn command(target: &'a str) -> Product<'a> {
        Product { folder: "command/elf-cli", target, features: FEATURES }
    }

    /// The module for Python.
    pub(super) const fn python(target: &'a str) -> Product<'a> {
        Product { folder: "bindings/python", target, features: "" }
    }
}

/// The file with the checksums. It is there, and empty, as long as the carriers are built.
const MARK: &str = "SHA256SUMS";

/// The arguments of the command.
struct Arguments {
    plan: bool,
    out: Option<PathBuf>,
    carriers: Vec<Carrier>,
}

/// Builds the carriers that the arguments name.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Outcome {
    let arguments = parse_arguments(arguments)?;
    let dist = Dist::new(root, arguments.out)?;
    if arguments.plan {
        print!("{}", dist.plan(&arguments.carriers));
        return Ok(());
    }
    empty_folder(&dist.out).map_err(|error| format!("{}: {error}", dist.out.display()))?;
    let tools = Tools::install(&dist)?;
    let needs_command = arguments.carriers.iter().any(|carrier| carrier.contains_command());
    let staging = needs_command.then(|| Staging::fill(&dist, &tools)).transpose()?;
    for carrier in arguments.carriers {
        println!("dist: {}", carrier.name());
        carrier.build(&dist, &tools, staging.as_ref())?;
    }
    let sums = staging::checksums(&dist.out)?;
    fs::write(dist.out.join(MARK), &sums).map_err(|error| format!("{MARK}: {error}"))?;
    print!("{sums}");
    Ok(())
}

/// Makes a folder, or removes what an earlier run wrote into it, which would get into `SHA256SUMS`. Refuses a folder with
/// other files.
fn empty_folder(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        let is_empty = fs::read_dir(folder)?.next().is_none();
        if !is_empty && !folder.join(MARK).exists() {
            return Err(std::io::Error::other("expected a new folder, or one that this command has filled"));
        }
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    fs::write(folder.join(MARK), "")
}

fn parse_arguments(arguments: &[String]) -> Result<Arguments, String> {
    let mut parsed = Arguments { plan: false, out: None, carriers: Vec::new() };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--plan" => parsed.plan = true,
            "--out" => parsed.out = Some(rest.next().ok_or("expected a folder after `--out`")?.into()),
            name => {
                let carrier = Carrier::ALL.into_iter().find(|carrier| carrier.name() == name);
                parsed.carriers.push(carrier.ok_or_else(|| format!("unknown carrier `{name}`\n\n{HELP}"))?);
            }
        }
    }
    if parsed.carriers.is_empty() {
        parsed.carriers = Carrier::ALL.to_vec();
    }
    Ok(parsed)
}

impl Dist {
    fn new(root: &Path, out: Option<PathBuf>) -> Result<Dist, String> {
        let manifest = root.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).map_err(|error| format!("Cargo.toml: {error}"))?;
        let workspace: toml::Table = text.parse().map_err(|error| format!("Cargo.toml: {error}"))?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        // Some tools run in another folder.
        let absolute = |path: PathBuf| {
            std::path::absolute(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let target = absolute(target)?;
        let time = Command::new("git").current_dir(root).args(["log", "-1", "--format=%ct"]).output();
        let time = time.map_err(|error| format!("git could not be run: {error}"))?;
        if !time.status.success() {
            return Err(
                "expected a clone of the repository: its last commit has the time of all files".to_owned()
            );
        }
        Ok(Dist {
            root: root.to_owned(),
            out: absolute(out.unwrap_or_else(|| target.join("carriers")))?,
            target,
            version: crate::release::workspace_version(&workspace).to_owned(),
            platform: Platform::of_this_machine()?,
            time: String::from_utf8_lossy(&time.stdout).trim().to_owned(),
        })
    }

    /// What would be built, one line for each file.
    fn plan(&self, carriers: &[Carrier]) -> String {
        let mut plan = format!(
            "version {}, features {FEATURES}, target {}, time {}\n",
            self.version,
            self.platform.zig_target(),
            self.time
        );
        for carrier in carriers {
            for file in carrier.files(self) {
                plan.push_str(&format!("{:<8}  {file}\n", carrier.name()));
            }
        }
        plan
    }

    /// The name of the folder in the archive, and of files about the command for this system.
    fn folder_name(&self) -> String {
        format!("elf-{}-{}", self.version, self.platform.target)
    }

    /// Runs a program in the root of the project. Fails if the program does.
    fn run(&self, command: &mut Command) -> Outcome {
        let program = command.get_program().to_string_lossy().into_owned();
        let status = command.status().map_err(|error| format!("{program} could not be run: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("{program} failed: {status}")) }
    }

    /// A program that makes the same files each time.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("SOURCE_DATE_EPOCH", &self.time);
        command.env("CARGO_TARGET_DIR", &self.target);
        // Debug information and panic messages name source files: without the folder, since it differs.
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
        command.env("CARGO_ENCODED_RUSTFLAGS", remap_folders(&self.root, home.as_deref()));
        command
    }
}

/// Options of the compiler that replace the folders of the project and of Cargo, separated as in
/// `CARGO_ENCODED_RUSTFLAGS`, where a folder may contain spaces.
fn remap_folders(root: &Path, cargo_home: Option<&Path>) -> String {
    let remap = |folder: &Path, name| format!("--remap-path-prefix={}={name}", folder.display());
    let mut flags = remap(root, "/elf");
    if let Some(home) = cargo_home {
        flags.push('\u{1f}');
        flags.push_str(&remap(home, "/cargo"));
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_may_contain_spaces() {
        let flags = remap_folders(Path::new("/a b/elf"), Some(Path::new("/home/c d/.cargo")));
        let expected = ["--remap-path-prefix=/a b/elf=/elf", "--remap-path-prefix=/home/c d/.cargo=/cargo"];
        assert_eq!(flags.split('\u{1f}').collect::<Vec<_>>(), expected);
        assert_eq!(remap_folders(Path::new("/a b/elf"), None), expected[0]);
    }

    #[test]
    fn arguments_name_carriers() {
        let parse = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            parse_arguments(&words).map(|parsed| (parsed.plan, parsed.out, parsed.carriers))
        };
        assert_eq!(parse(&[]), Ok((false, None, Carrier::ALL.to_vec())));
        let expected = (true, Some(PathBuf::from("o")), vec![Carrier::Deb, Carrier::Npm]);
        assert_eq!(parse(&["--plan", "--out", "o", "deb", "npm"]), Ok(expected));
        assert!(parse(&["rpm"]).is_err_and(|error| error.contains("unknown carrier `rpm`")));
        assert!(parse(&["--out"]).is_err());
    }

    #[test]
    fn a_folder_with_other_files_is_not_emptied() {
        let folder = std::env::temp_dir().join(format!("elf-dist-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("letters.txt"), "mine").expect("a file");
        assert!(empty_folder(&folder).is_err());
        fs::remove_file(folder.join("letters.txt")).expect("the file is there");
        empty_folder(&folder).expect("it is empty");
        fs::write(folder.join("elf.deb"), "").expect("a file");
        empty_folder(&folder).expect("it has been filled by this command");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
        fs::remove_dir_all(&folder).expect("the folder is there");
    }

    #[test]
    fn the_help_names_every_carrier() {
        for carrier in Carrier::ALL {
            assert!(HELP.contains(&format!("\n  {} ", carrier.name())), "{}", carrier.name());
        }
    }

    #[test]
    fn the_plan_names_every_file_once() {
        let root = crate::root();
        let dist = Dist::new(&root, None).unwrap();
        let plan = dist.plan(&Carrier::ALL);
        let mut files: Vec<&str> = plan.lines().skip(1).map(|line| &line[10..]).collect();
        assert!(files.len() >= Carrier::ALL.len());
        let all = files.len();
        files.sort_unstable();
        files.dedup();
        assert_eq!(files.len(), all, "{plan}");
    }
}
