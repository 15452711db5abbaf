//! The system that the carriers are built on and for.

use std::env::consts::{ARCH, OS};

/// The oldest glibc that the command runs with: that of 2012.
const GLIBC: &str = "2.17";

/// A system, in the words of each ecosystem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Platform {
    /// The target of Rust.
    pub(super) target: &'static str,
    /// The names of the system and the processor in Node.js.
    pub(super) npm: [&'static str; 2],
    /// The architecture in Debian; `None` on other systems.
    pub(super) debian: Option<&'static str>,
    /// The system in the file name of a wheel of the command.
    pub(super) wheel: &'static str,
    pub(super) program: &'static str,
}

impl Platform {
    pub(super) fn of_this_machine() -> Result<Platform, String> {
        let platform = |target, npm, debian, wheel, program| Platform { target, npm, debian, wheel, program };
        match (OS, ARCH) {
            ("linux", "x86_64") => Ok(platform(
                "x86_64-unknown-linux-gnu",
                ["linux", "x64"],
                Some("amd64"),
                "manylinux2014_x86_64.manylinux_2_17_x86_64",
                "elf",
            )),
            ("linux", "aarch64") => Ok(platform(
                "aarch64-unknown-linux-gnu",
                ["linux", "arm64"],
                Some("arm64"),
                "manylinux2014_aarch64.manylinux_2_17_aarch64",
                "elf",
            )),
            ("macos", "x86_64") => {
                Ok(platform("x86_64-apple-darwin", ["darwin", "x64"], None, "macosx_10_12_x86_64", "elf"))
            }
            ("macos", "aarch64") => {
                Ok(platform("aarch64-apple-darwin", ["darwin", "arm64"], None, "macosx_11_0_arm64", "elf"))
            }
            ("windows", "x86_64") => {
                Ok(platform("x86_64-pc-windows-msvc", ["win32", "x64"], None, "win_amd64", "elf.exe"))
            }
            (system, processor) => Err(format!("no carrier is defined for {system} on {processor}")),
        }
    }

    /// Returns whether the command is linked by zig against an old glibc.
    pub(super) const fn uses_zig(self) -> bool {
        self.debian.is_some()
    }

    /// The target of a static command. `None` on systems without one.
    pub(super) fn static_target(self) -> Option<String> {
        self.target.strip_suffix("-gnu").map(|start| format!("{start}-musl"))
    }

    /// The target with the version of glibc.
    pub(super) fn zig_target(self) -> String {
        if self.uses_zig() { format!("{}.{GLIBC}", self.target) } else { self.target.to_owned() }
    }
}
