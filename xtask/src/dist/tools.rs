//! The tools that build the carriers. They are installed in a folder of their own, in the versions that
//! `packaging/requirements.txt` names.

use super::Dist;
use std::path::PathBuf;
use std::process::Command;

/// The tool that lists the crates of the command.
const CYCLONEDX: &str = "0.5.9";

/// The folder of the tools.
pub(super) struct Tools {
    folder: PathBuf,
}

impl Tools {
    /// Installs the Python tools. Fails if their index cannot be reached.
    pub(super) fn install(dist: &Dist) -> Result<Tools, String> {
        let tools = Tools { folder: dist.target.join("dist-tools") };
        let default = if cfg!(windows) { "python" } else { "python3" };
        let python = std::env::var("PYTHON").unwrap_or_else(|_| default.to_owned());
        if !tools.program("maturin").exists() {
            dist.run(Command::new(python).args(["-m", "venv"]).arg(&tools.folder))?;
        }
        let requirements = dist.root.join("packaging/requirements.txt");
        let pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--requirement"];
        dist.run(Command::new(tools.program("python")).args(pip).arg(requirements))?;
        Ok(tools)
    }

    /// The path of a tool. `cargo-zigbuild` and `maturin` find each other and zig by the environment that
    /// [`prepare`](Tools::prepare) sets.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        if cfg!(windows) {
            self.folder.join("Scripts").join(format!("{name}.exe"))
        } else {
            self.folder.join("bin").join(name)
        }
    }

    /// Lets a program find the tools.
    pub(super) fn prepare<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folder = self.program("python").parent().map(PathBuf::from);
        let folders = folder.into_iter().chain(std::env::split_paths(&path));
        match std::env::join_paths(folders) {
            Ok(path) => command.env("PATH", path),
            Err(_) => command,
        }
    }

    /// Installs and returns the tool that lists crates. It is compiled without optimization, because it runs only a
    /// few times.
    pub(super) fn cyclonedx(&self, dist: &Dist) -> Result<PathBuf, String> {
        let program = self.program("cargo-cyclonedx");
        if !program.exists() {
            let mut command = dist.command("cargo");
            command.args(["install", "--quiet", "--locked", "--debug", "cargo-cyclonedx"]);
            command.args(["--version", CYCLONEDX, "--root"]);
            dist.run(command.arg(&self.folder))?;
        }
        Ok(program)
    }
}
