//! The command with the files that are installed beside it, as they lie under `/usr` on Linux.

use super::licences::{THIRD_PARTY, third_party};
use super::tools::Tools;
use super::{Dist, FEATURES, Product};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with the built command, its manual pages, completions and licences.
pub(super) struct Staging {
    pub(super) folder: PathBuf,
    pub(super) program: PathBuf,
}

/// Where a shell looks for completions, under `/usr`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/elf"),
    ("zsh", "share/zsh/vendor-completions/_elf"),
    ("fish", "share/fish/vendor_completions.d/elf.fish"),
];

/// Where documents lie, under `/usr`.
pub(super) const DOCUMENTS: &str = "share/doc/elf-gedcom";

impl Staging {
    /// Builds the command and lets it print its manual pages and completions.
    pub(super) fn fill(dist: &Dist, tools: &Tools) -> Result<Staging, String> {
        let program = build_command(dist, tools, &dist.platform.zig_target())?;
        let parent = dist.target.join("dist-files");
        if parent.exists() {
            fs::remove_dir_all(&parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        }
        let folder = parent.join(dist.folder_name());
        let staging = Staging { program: folder.join("bin").join(dist.platform.program), folder };
        write(&staging.program, &read(&program)?)?;
        make_executable(&staging.program)?;
        for page in manual_pages(&program)? {
            let name = if page.is_empty() { "elf".to_owned() } else { format!("elf-{page}") };
            let arguments: &[&str] = if page.is_empty() { &["man"] } else { &["man", &page] };
            write(
                &staging.folder.join(format!("share/man/man1/{name}.1")),
                &output_of(&program, arguments)?,
            )?;
        }
        for (shell, path) in COMPLETIONS {
            write(&staging.folder.join(path), &output_of(&program, &["completions", shell])?)?;
        }
        for name in ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"] {
            write(&staging.folder.join(DOCUMENTS).join(name), &read(&dist.root.join(name))?)?;
        }
        let licences = third_party(dist, tools, Product::command(dist.platform.target))?;
        write(&staging.third_party(), licences.as_bytes())?;
        Ok(staging)
    }

    /// The file with the licences of what is linked into the command.
    pub(super) fn third_party(&self) -> PathBuf {
        self.folder.join(DOCUMENTS).join(THIRD_PARTY)
    }
}

/// Builds the command for a target, which may end in a version of glibc, and returns its path.
pub(super) fn build_command(dist: &Dist, tools: &Tools, target: &str) -> Result<PathBuf, String> {
    let mut command = dist.command("cargo");
    command.arg(if dist.platform.uses_zig() { "zigbuild" } else { "build" });
    command.args(["--locked", "--profile", "dist", "--package", "elf-cli", "--features", FEATURES]);
    command.args(["--target", target]);
    dist.run(tools.prepare(&mut command))?;
    let folder = target.split('.').next().unwrap_or(target);
    Ok(dist.target.join(folder).join("dist").join(dist.platform.program))
}

/// The names of the subcommands, as the help of the command lists them, and an empty one for the command itself.
fn manual_pages(program: &Path) -> Result<Vec<String>, String> {
    let help = output_of(program, &["-h"])?;
    let help = String::from_utf8_lossy(&help);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut names: Vec<String> =
        names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect();
    if names.is_empty() {
        return Err("`elf -h` lists no commands".to_owned());
    }
    names.push(String::new());
    Ok(names)
}

/// What a program prints.
pub(super) fn output_of(program: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{} {}: {}", program.display(), arguments.join(" "), output.status))
    }
}

/// Returns the lines of `SHA256SUMS` for all other files in a folder.
pub(super) fn checksums(folder: &Path) -> Result<String, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut lines = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.ends_with(super::MARK) {
            continue;
        }
        let digest = Sha256::digest(read(&path)?);
        let digest: String = digest.iter().map(|octet| format!("{octet:02x}")).collect();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        lines.push((name, digest));
    }
    lines.sort();
    Ok(lines.into_iter().map(|(name, digest)| format!("{digest}  {}\n", name.unwrap_or_default())).collect())
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The files under a folder, in the order of their names.
pub(super) fn files_under(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

/// Writes a file and the folders above it.
pub(super) fn write(path: &Path, octets: &[u8]) -> Result<(), String> {
    let written = match path.parent() {
        Some(folder) => fs::create_dir_all(folder).and_then(|()| fs::write(path, octets)),
        None => fs::write(path, octets),
    };
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// Lets everybody run a file, where a system asks for that.
pub(super) fn make_executable(path: &Path) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
