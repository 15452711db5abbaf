//! The carriers: each makes one or two files in the folder of the carriers.

use super::licences::{THIRD_PARTY, third_party};
use super::staging::{DOCUMENTS, Staging, build_command, files_under, make_executable, read, write};
use super::tools::Tools;
use super::{Dist, Product};
use crate::Outcome;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The texts of our licences.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// A form in which the command or a library is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    Archive,
    Static,
    Deb,
    Npm,
    CommandWheel,
    PythonWheel,
    Web,
    Sbom,
}

impl Carrier {
    pub(super) const ALL: [Carrier; 8] = [
        Carrier::Archive,
        Carrier::Static,
        Carrier::Deb,
        Carrier::Npm,
        Carrier::CommandWheel,
        Carrier::PythonWheel,
        Carrier::Web,
        Carrier::Sbom,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Carrier::Archive => "archive",
            Carrier::Static => "static",
            Carrier::Deb => "deb",
            Carrier::Npm => "npm",
            Carrier::CommandWheel => "command",
            Carrier::PythonWheel => "python",
            Carrier::Web => "web",
            Carrier::Sbom => "sbom",
        }
    }

    /// Returns whether the carrier contains files of the staging folder.
    pub(super) const fn contains_command(self) -> bool {
        match self {
            Carrier::Archive | Carrier::Static | Carrier::Deb | Carrier::Npm | Carrier::CommandWheel => true,
            Carrier::PythonWheel | Carrier::Web | Carrier::Sbom => false,
        }
    }

    /// The names of the files that the carrier makes.
    pub(super) fn files(self, dist: &Dist) -> Vec<String> {
        let (version, platform) = (&dist.version, dist.platform);
        match self {
            Carrier::Archive => vec![format!("{}.tar.gz", dist.folder_name())],
            Carrier::Static => match installed_static_target(dist) {
                Some(target) => vec![format!("elf-{version}-{target}.tar.gz")],
                None => Vec::new(),
            },
            Carrier::Deb => match platform.debian {
                Some(architecture) => vec![format!("elf-gedcom_{version}_{architecture}.deb")],
                None => Vec::new(),
            },
            Carrier::Npm => vec![
                format!("elf-gedcom-cli-{version}.tgz"),
                format!("elf-gedcom-cli-{}-{version}.tgz", platform.npm.join("-")),
            ],
            Carrier::CommandWheel => {
                vec![format!("elf_gedcom_cli-{version}-py3-none-{}.whl", platform.wheel)]
            }
            Carrier::PythonWheel => vec![format!("elf_gedcom-{version}-cp310-abi3-{}.whl", platform.wheel)],
            Carrier::Web => vec![format!("elf-gedcom-web-{version}.tgz")],
            Carrier::Sbom => vec![
                format!("{}.cdx.json", dist.folder_name()),
                format!("elf_gedcom-{version}-{}.cdx.json", platform.target),
                format!("elf-gedcom-web-{version}.cdx.json"),
            ],
        }
    }

    /// Makes the files.
    pub(super) fn build(self, dist: &Dist, tools: &Tools, staging: Option<&Staging>) -> Outcome {
        let staging = || staging.ok_or_else(|| format!("`{}` needs the built command", self.name()));
        match self {
            Carrier::Archive => pack_folder(dist, &staging()?.folder),
            Carrier::Static => build_static(dist, tools, staging()?),
            Carrier::Deb => build_deb(dist, staging()?),
            Carrier::Npm => build_npm(dist, staging()?),
            Carrier::CommandWheel => build_command_wheel(dist, tools, staging()?),
            Carrier::PythonWheel => build_python_wheel(dist, tools),
            Carrier::Web => build_web(dist, tools),
            Carrier::Sbom => build_sbom(dist, tools),
        }?;
        match self.files(dist).into_iter().find(|file| !dist.out.join(file).exists()) {
            Some(missing) => Err(format!("`{}` did not make {missing}", self.name())),
            None => Ok(()),
        }
    }
}

/// Packs a folder as an archive with its name: the same files and times give the same bytes.
fn pack_folder(dist: &Dist, folder: &Path) -> Outcome {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Err(format!("{}: the folder has no name", folder.display()));
    };
    let name = name.to_string_lossy();
    let mut command = dist.command("tar");
    // The tar of macOS and Windows lacks these options.
    if cfg!(target_os = "linux") {
        command.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"]);
        command.arg(format!("--mtime=@{}", dist.time)).arg("--use-compress-program=gzip -9 -n");
    } else {
        command.arg("-z");
    }
    command.arg("-cf").arg(dist.out.join(format!("{name}.tar.gz")));
    dist.run(command.arg("-C").arg(parent).arg(&*name))
}

/// The target of a static command, if Rust has its standard library.
fn installed_static_target(dist: &Dist) -> Option<String> {
    let target = dist.platform.static_target()?;
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", &target]).output().ok()?;
    Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir().then_some(target)
}

/// Packs the staging folder with a command that needs no library of the system.
fn build_static(dist: &Dist, tools: &Tools, staging: &Staging) -> Outcome {
    let Some(target) = installed_static_target(dist) else {
        println!("dist: skipped: Rust has no target for a static command");
        return Ok(());
    };
    let program = build_command(dist, tools, &target)?;
    let parent = dist.target.join("dist-static");
    remove(&parent)?;
    let folder = parent.join(format!("elf-{}-{target}", dist.version));
    copy_folder(&staging.folder, &folder)?;
    let copy = folder.join("bin").join(dist.platform.program);
    write(&copy, &read(&program)?)?;
    make_executable(&copy)?;
    let licences = third_party(dist, tools, Product::command(&target))?;
    write(&folder.join(DOCUMENTS).join(THIRD_PARTY), licences.as_bytes())?;
    pack_folder(dist, &folder)
}

/// Makes a Debian package with `dpkg-deb`. Manual pages are compressed, as Debian demands.
fn build_deb(dist: &Dist, staging: &Staging) -> Outcome {
    let Some(architecture) = dist.platform.debian else {
        println!("dist: skipped: Debian packages are only built on Linux");
        return Ok(());
    };
    let folder = dist.target.join("dist-deb");
    remove(&folder)?;
    copy_folder(&staging.folder, &folder.join("usr"))?;
    make_executable(&folder.join("usr/bin/elf"))?;
    let pages = folder.join("usr/share/man/man1");
    dist.run(dist.command("gzip").args(["-9", "-n", "-r"]).arg(&pages))?;

    // Debian wants all licences in one file.
    let documents = folder.join("usr").join(DOCUMENTS);
    let mut copyright = dist.template("packaging/debian/copyright")?;
    for licence in LICENCES.into_iter().chain([THIRD_PARTY]) {
        let file = documents.join(licence);
        copyright.push_str(&String::from_utf8_lossy(&read(&file)?));
        copyright.push('\n');
        fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    write(&documents.join("copyright"), copyright.as_bytes())?;
    let size = size_of(&folder)?.div_ceil(1024);
    let control = dist.template("packaging/debian/control")?;
    let control = control.replace("ARCHITECTURE", architecture).replace("SIZE", &size.to_string());
    write(&folder.join("DEBIAN/control"), control.as_bytes())?;

    let mut command = dist.command("dpkg-deb");
    command.args(["--build", "--root-owner-group", "-Zxz"]).arg(&folder);
    dist.run(command.arg(dist.out.join(format!("elf-gedcom_{}_{architecture}.deb", dist.version))))
}

/// Makes the package for all systems, and that with the program for this one.
fn build_npm(dist: &Dist, staging: &Staging) -> Outcome {
    let folder = dist.target.join("dist-npm");
    remove(&folder)?;
    let (general, own) = (folder.join("cli"), folder.join("platform"));
    copy_folder(&dist.root.join("packaging/npm/cli"), &general)?;
    write(&general.join("package.json"), dist.template("packaging/npm/cli/package.json")?.as_bytes())?;
    make_executable(&general.join("bin/elf.js"))?;

    let [system, processor] = dist.platform.npm;
    let manifest = dist.template("packaging/npm/platform/package.json")?;
    let manifest = manifest.replace("OS", system).replace("CPU", processor);
    write(&own.join("package.json"), manifest.as_bytes())?;
    write(&own.join(dist.platform.program), &read(&staging.program)?)?;
    make_executable(&own.join(dist.platform.program))?;
    write(&own.join(THIRD_PARTY), &read(&staging.third_party())?)?;
    for package in [general, own] {
        copy_licences(dist, &package)?;
        pack(dist, &package)?;
    }
    Ok(())
}

/// Makes the wheel of the command, which `pip` puts beside the interpreter.
fn build_command_wheel(dist: &Dist, tools: &Tools, staging: &Staging) -> Outcome {
    let folder = dist.target.join("dist-wheel");
    remove(&folder)?;
    let name = format!("elf_gedcom_cli-{}", dist.version);
    let program = folder.join(format!("{name}.data/scripts")).join(dist.platform.program);
    write(&program, &read(&staging.program)?)?;
    make_executable(&program)?;
    let about = folder.join(format!("{name}.dist-info"));
    let mut metadata = dist.template("packaging/wheel/METADATA")?;
    metadata.push_str(&String::from_utf8_lossy(&read(&dist.root.join("README.md"))?));
    write(&about.join("METADATA"), metadata.as_bytes())?;
    let mut wheel = "Wheel-Version: 1.0\nGenerator: elf xtask\nRoot-Is-Purelib: false\n".to_owned();
    for platform in dist.platform.wheel.split('.') {
        wheel.push_str(&format!("Tag: py3-none-{platform}\n"));
    }
    write(&about.join("WHEEL"), wheel.as_bytes())?;
    copy_licences(dist, &about.join("licenses"))?;
    write(&about.join("licenses").join(THIRD_PARTY), &read(&staging.third_party())?)?;
    let mut command = dist.command(tools.program("python"));
    dist.run(command.args(["-m", "wheel", "pack", "--dest-dir"]).arg(&dist.out).arg(&folder))
}

/// Makes the wheel of the library with maturin, which links against an old glibc on Linux.
fn build_python_wheel(dist: &Dist, tools: &Tools) -> Outcome {
    let project = dist.root.join("bindings/python");
    // maturin packs the licences that are beside its settings.
    copy_licences(dist, &project)?;
    let licences = third_party(dist, tools, Product::python(dist.platform.target))?;
    write(&project.join(THIRD_PARTY), licences.as_bytes())?;
    let mut command = dist.command(tools.program("maturin"));
    command
        .current_dir(project)
        .args(["build", "--locked", "--quiet", "--release", "--target", dist.platform.target, "--out"])
        .arg(&dist.out);
    if dist.platform.uses_zig() {
        command.args(["--zig", "--compatibility", "manylinux2014"]);
    }
    dist.run(tools.prepare(&mut command))
}

/// Makes the package for browsers.
fn build_web(dist: &Dist, tools: &Tools) -> Outcome {
    dist.run(&mut dist.command(dist.root.join("bindings/web/build")))?;
    let package = dist.root.join("bindings/web/dist/package");
    write(&package.join(THIRD_PARTY), third_party(dist, tools, Product::WEB)?.as_bytes())?;
    pack(dist, &package)
}

/// Packs an npm package.
fn pack(dist: &Dist, package: &Path) -> Outcome {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = dist.command(npm);
    dist.run(command.args(["pack", "--silent", "--pack-destination"]).arg(&dist.out).arg(package))
}

/// Lists the crates of the command and of the libraries for Python and JavaScript, with versions and licences.
fn build_sbom(dist: &Dist, tools: &Tools) -> Outcome {
    let program = tools.cyclonedx(dist)?;
    let address = address_of_project(dist)?;
    let target = dist.platform.target;
    let products = [Product::command(target), Product::python(target), Product::WEB];
    for (name, product) in Carrier::Sbom.files(dist).into_iter().zip(products) {
        let Product { folder, target, features } = product;
        let name = name.trim_end_matches(".json");
        let mut command = dist.command(&program);
        command.args(["cyclonedx", "--quiet", "--format", "json", "--target", target]);
        command.args(["--features", features, "--override-filename", name, "--manifest-path"]);
        dist.run(command.arg(dist.root.join(folder).join("Cargo.toml")))?;
        // The tool names crates of this repository by the addresses of their folders.
        let name = format!("{name}.json");
        let list = read(&dist.root.join(folder).join(&name))?;
        let list = String::from_utf8_lossy(&list).replace(&address, "file:///elf");
        write(&dist.out.join(&name), list.as_bytes())?;
        // It writes beside the manifest of each crate.
        let others = ["bindings/python", "bindings/web", "bindings/web/bindgen"].map(str::to_owned);
        for folder in crate::packages::folders(&dist.root)?.into_iter().chain(others) {
            let list = dist.root.join(folder).join(&name);
            if list.exists() {
                fs::remove_file(&list).map_err(|error| format!("{}: {error}", list.display()))?;
            }
        }
    }
    Ok(())
}

/// The address of the project's folder, `file://…`, as Cargo writes it.
fn address_of_project(dist: &Dist) -> Result<String, String> {
    let folder = "/command/elf-cli";
    let mut command = dist.command("cargo");
    command.args(["pkgid", "--locked", "--manifest-path"]).arg(dist.root.join("command/elf-cli/Cargo.toml"));
    let output = command.output().map_err(|error| format!("cargo could not be run: {error}"))?;
    let identifier = String::from_utf8_lossy(&output.stdout);
    let address = identifier.strip_prefix("path+").and_then(|rest| rest.split_once(&format!("{folder}#")));
    match address {
        Some((address, _)) => Ok(address.to_owned()),
        None => Err(format!("cargo pkgid: expected the address of {folder}, found `{}`", identifier.trim())),
    }
}

impl Dist {
    /// A file of `packaging` with the version and the addresses of the workspace.
    fn template(&self, path: &str) -> Result<String, String> {
        let text = fs::read_to_string(self.root.join(path)).map_err(|error| format!("{path}: {error}"))?;
        Ok(text.replace("VERSION", &self.version))
    }
}

/// Writes the texts of our licences into a folder.
fn copy_licences(dist: &Dist, folder: &Path) -> Outcome {
    for licence in LICENCES {
        write(&folder.join(licence), &read(&dist.root.join(licence))?)?;
    }
    Ok(())
}

/// Removes a folder of an earlier run.
fn remove(folder: &Path) -> Outcome {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> Outcome {
    for file in files_under(from)? {
        let name = file.strip_prefix(from).map_err(|error| error.to_string())?;
        write(&to.join(name), &read(&file)?)?;
    }
    Ok(())
}

/// The size of all files under a folder, in bytes.
fn size_of(folder: &Path) -> Result<u64, String> {
    let mut size = 0;
    for file in files_under(folder)? {
        size += fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?.len();
    }
    Ok(size)
}
