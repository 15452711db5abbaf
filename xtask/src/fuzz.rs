//! `cargo xtask fuzz [LAW…] [--seconds N]`: looks for inputs that break a law, with the stable toolchain.
//!
//! libFuzzer takes a C++ compiler to build. What is found interesting stays in `fuzz/corpus`, what breaks a
//! law in `fuzz/artifacts`; an input worth keeping goes, without its last octet, which chooses the rules, to
//! `fuzz/seeds`, which an ordinary test feeds to the laws.

use crate::Outcome;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Options of the compiler, for libFuzzer to see which branches an input takes, and what it is compared with.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Clink-dead-code -Cdebug-assertions";

/// The time for each law where nothing is said, in seconds.
const SECONDS: u64 = 60;

/// The longest input that is made, in octets: a law that takes longer than this at any of them is broken.
const LONGEST: u32 = 4096;

/// The number of sets of rules that a file may be read by.
const RULES: u8 = 8;

/// Fuzzes the laws that are named, or all of them.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Outcome {
    let folder = root.join("fuzz");
    let laws = names(&folder.join("seeds"))?;
    let (mut chosen, mut seconds) = (Vec::new(), SECONDS);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--seconds" => {
                let number = rest.next().and_then(|number| number.parse().ok());
                seconds = number.ok_or("expected a number behind `--seconds`")?;
            }
            law if laws.iter().any(|known| known == law) => chosen.push(law.to_owned()),
            other => return Err(format!("expected a law, but found {other:?}: {}", laws.join(", "))),
        }
    }
    let chosen = if chosen.is_empty() { laws } else { chosen };
    let program = build(&folder)?;
    let mut broken = Vec::new();
    for law in chosen {
        if !fuzz(&folder, &program, &law, seconds)? {
            broken.push(law);
        }
    }
    match broken.as_slice() {
        [] => Ok(()),
        broken => Err(format!("broken: {}; the inputs are in fuzz/artifacts", broken.join(", "))),
    }
}

/// The names of what stands in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Builds the fuzzer; returns its path.
fn build(folder: &Path) -> Result<PathBuf, String> {
    // A target that is named keeps the flags away from what runs while building.
    let host = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let said = String::from_utf8_lossy(&host.stdout);
    let host =
        said.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc does not name its host")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| folder.join("target"), PathBuf::from);
    let status = Command::new("cargo")
        .args(["build", "--release", "--locked", "--bin", "laws", "--target", host])
        .arg("--manifest-path")
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .env("RUSTFLAGS", FLAGS)
        .status();
    match status {
        Ok(status) if status.success() => Ok(target.join(host).join("release").join("laws")),
        Ok(_) => Err("the fuzzer was not built; libFuzzer takes a C++ compiler".to_owned()),
        Err(error) => Err(format!("cargo: {error}")),
    }
}

/// Fuzzes one law; false if it is broken.
fn fuzz(folder: &Path, program: &Path, law: &str, seconds: u64) -> Result<bool, String> {
    let [corpus, artifacts] = ["corpus", "artifacts"].map(|name| folder.join(name).join(law));
    let failed = |error: std::io::Error| format!("{law}: {error}");
    for made in [&corpus, &artifacts] {
        fs::create_dir_all(made).map_err(failed)?;
    }
    let words = folder.join("words.dict");

    plant(&folder.join("seeds").join(law), &corpus)?;
    let output = Command::new(program)
        .env("ELF_LAW", law)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={LONGEST}"))
        .arg(format!("-dict={}", words.display()))
        // A separator ends it: it is put before a name.
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args(["-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", "-verbosity=1"])
        .arg(&corpus)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    println!("{law}: {}", summary(&said));
    if !output.status.success() {
        let last: Vec<&str> = said.lines().collect();
        let from = last.len().saturating_sub(60);
        println!("{}", last.get(from..).unwrap_or_default().join("\n"));
    }
    Ok(output.status.success())
}

/// Puts each seed into the corpus, once for each set of rules.
fn plant(seeds: &Path, corpus: &Path) -> Outcome {
    for name in names(seeds)? {
        let failed = |error: std::io::Error| format!("{name}: {error}");
        let octets = fs::read(seeds.join(&name)).map_err(failed)?;
        for choice in 0..RULES {
            // Behind it stands the number that chooses the rules, and others to write by.
            let number = choice * RULES + choice;
            let planted = corpus.join(format!("seed-{name}-{choice}"));
            fs::write(planted, [&octets[..], &[number]].concat()).map_err(failed)?;
        }
    }
    Ok(())
}

/// Sums up what libFuzzer says, in a line: executions, branches at the start and the end, inputs kept.
fn summary(said: &str) -> String {
    let status: Vec<&str> =
        said.lines().filter(|line| line.starts_with('#') && line.contains(" cov: ")).collect();
    let number = |line: &&str| {
        let (_, rest) = line.split_once(" cov: ")?;
        rest.split_whitespace().next().map(str::to_owned)
    };
    let of = |name: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix("stat::")?.strip_prefix(name));
        line.map_or("?", |rest| rest.trim_start_matches(':').trim()).to_owned()
    };
    let [first, last] = [status.first(), status.last()].map(|line| line.and_then(number).unwrap_or_default());
    format!(
        "{} executions, {} a second; branches {first} -> {last}; {} inputs kept; {} MB at most",
        of("number_of_executed_units"),
        of("average_exec_per_sec"),
        of("new_units_added"),
        of("peak_rss_mb"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_the_numbers() {
        let said = "#9\tINITED cov: 12 ft: 3\n#80\tNEW    cov: 40 ft: 9\nstat::number_of_executed_units: 80\n\
                    stat::average_exec_per_sec:     8\nstat::new_units_added:          3\nstat::peak_rss_mb: 30\n";
        let expected = "80 executions, 8 a second; branches 12 -> 40; 3 inputs kept; 30 MB at most";
        assert_eq!(summary(said), expected);
    }
}
