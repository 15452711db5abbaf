//! `cargo xtask fuzz [LAW…] [--seconds N] [--keep]`: searches for inputs that violate a law. It uses the stable
//! toolchain; building libFuzzer needs a C++ compiler.
//!
//! Interesting inputs are stored in `tools/fuzz/corpus`, inputs that violate a law in `tools/fuzz/artifacts`. To keep
//! an input, copy it to `tools/fuzz/seeds` without its last byte, which chooses the rules. An ordinary test runs the
//! laws on all seeds, and on `tools/fuzz/kept`: for each law a few inputs that together take all known branches. The
//! fuzzer starts with them. `--keep` selects them from `tools/fuzz/corpus` after the run; with `--seconds 0`, nothing
//! is fuzzed before. Each core works on one law.

use crate::Outcome;
use std::fs;
use std::io::ErrorKind;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use xtask::kept;

/// Compiler options that let libFuzzer see which branches an input takes and what it is compared with.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Clink-dead-code -Cdebug-assertions";

/// The default time for each law in seconds.
const SECONDS: u64 = 60;

/// The length in bytes of the longest generated input. A law must hold for it within the time limit.
const LONGEST: u32 = 4096;

/// The number of sets of rules that a file can be read by.
const RULES: u8 = 8;

/// Fuzzes the named laws, or all of them.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Outcome {
    let folder = root.join("fuzz");
    let laws = file_names(&folder.join("seeds"))?;
    let (mut chosen, mut seconds, mut keeps) = (Vec::new(), SECONDS, false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--seconds" => {
                let number = rest.next().and_then(|number| number.parse().ok());
                seconds = number.ok_or("expected a number behind `--seconds`")?;
            }
            "--keep" => keeps = true,
            law if laws.iter().any(|known| known == law) => chosen.push(law.to_owned()),
            other => return Err(format!("expected a law, but found {other:?}: {}", laws.join(", "))),
        }
    }
    let chosen = if chosen.is_empty() { laws } else { chosen };
    let program = build_fuzzer(&folder)?;
    let waiting = Mutex::new(chosen.into_iter());
    let next = || waiting.lock().ok()?.next();
    let look_at = |law: &str| {
        fill_corpus(&folder, law)?;
        if seconds > 0 && !fuzz_law(&folder, &program, law, seconds)? {
            return Err(format!("{law} is broken; the input is in tools/fuzz/artifacts"));
        }
        if keeps { select_kept(&folder, &program, law) } else { Ok(()) }
    };
    // Each law uses one core.
    let work = || std::iter::from_fn(next).filter_map(|law| look_at(&law).err()).collect::<Vec<String>>();
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut failures: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let panicked = |_| vec!["a thread panicked".to_owned()];
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_else(panicked)).collect()
    });
    failures.sort();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// The sorted names of the files in a folder.
fn file_names(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Builds the fuzzer and returns its path.
fn build_fuzzer(folder: &Path) -> Result<PathBuf, String> {
    // Naming the target keeps the flags away from build scripts.
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

/// Fills the corpus of a law: with each seed for each set of rules, and with the kept inputs.
fn fill_corpus(folder: &Path, law: &str) -> Outcome {
    let failed = |error: std::io::Error| format!("{law}: {error}");
    let [corpus, artifacts] = ["corpus", "artifacts"].map(|name| folder.join(name).join(law));
    for made in [&corpus, &artifacts] {
        fs::create_dir_all(made).map_err(failed)?;
    }
    let seeds = folder.join("seeds").join(law);
    for name in file_names(&seeds)? {
        let octets = fs::read(seeds.join(&name)).map_err(failed)?;
        for choice in 0..RULES {
            // The byte after the input chooses the rules to read by, and those to write by.
            let number = choice * RULES + choice;
            let planted = corpus.join(format!("seed-{name}-{choice}"));
            fs::write(planted, [&octets[..], &[number]].concat()).map_err(failed)?;
        }
    }
    let file = match fs::read(kept_file(folder, law)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.map_err(failed)?,
    };
    let inputs = kept::decode_inputs(&file)
        .map_err(|error| format!("{}: {error}", kept_file(folder, law).display()))?;
    for (number, input) in inputs.into_iter().enumerate() {
        fs::write(corpus.join(format!("kept-{number}")), input).map_err(failed)?;
    }
    Ok(())
}

/// The file with the kept inputs of a law.
fn kept_file(folder: &Path, law: &str) -> PathBuf {
    folder.join("kept").join(law)
}

/// Selects a few inputs from the corpus of a law that together take the same branches.
fn select_kept(folder: &Path, program: &Path, law: &str) -> Outcome {
    let failed = |error: std::io::Error| format!("{law}: {error}");
    let chosen = folder.join("chosen").join(law);
    // The fuzzer would not remove inputs that exist already.
    match fs::remove_dir_all(&chosen) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
        _ => fs::create_dir_all(&chosen).map_err(failed)?,
    }
    let artifacts = folder.join("artifacts").join(law);
    let before = file_names(&artifacts)?;
    let output = Command::new(program)
        .env("ELF_LAW", law)
        // The counts and values of a branch matter for the search, but not for this selection.
        .args(["-set_cover_merge=1", "-use_counters=0", "-use_value_profile=0"])
        .args(limit_options(folder, law))
        .args([&chosen, &folder.join("corpus").join(law)])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        return Err(format!("{law}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    // The selection skips an input that violates the law, so report it.
    if file_names(&artifacts)? != before {
        return Err(format!("{law}: an input of the corpus breaks it; see {}", artifacts.display()));
    }
    let all = file_names(&chosen)?;
    let inputs: Result<Vec<_>, _> = all.iter().map(|name| fs::read(chosen.join(name))).collect();
    let written = kept::encode_inputs(inputs.map_err(failed)?);
    println!("{law}: {} inputs kept, {} octets", all.len(), written.len());
    fs::create_dir_all(folder.join("kept")).map_err(failed)?;
    fs::write(kept_file(folder, law), written).map_err(failed)?;
    fs::remove_dir_all(&chosen).map_err(failed)
}

/// The options that limit an input, and the option for the folder of inputs that violate the law or exceed the limits.
fn limit_options(folder: &Path, law: &str) -> [String; 3] {
    let artifacts = folder.join("artifacts").join(law);
    // libFuzzer puts this before a name, so it ends with a separator.
    let artifacts = format!("-artifact_prefix={}/", artifacts.display());
    ["-timeout=20".to_owned(), "-rss_limit_mb=2048".to_owned(), artifacts]
}

/// Fuzzes one law. Returns false if it is violated.
fn fuzz_law(folder: &Path, program: &Path, law: &str, seconds: u64) -> Result<bool, String> {
    let output = Command::new(program)
        .env("ELF_LAW", law)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={LONGEST}"))
        .arg(format!("-dict={}", folder.join("words.dict").display()))
        .args(limit_options(folder, law))
        .args(["-print_final_stats=1", "-verbosity=1"])
        .arg(folder.join("corpus").join(law))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let mut told = format!("{law}: {}", summarise_output(&said));
    if !output.status.success() {
        let last: Vec<&str> = said.lines().collect();
        let from = last.len().saturating_sub(60);
        told = [&[&*told], last.get(from..).unwrap_or_default()].concat().join("\n");
    }
    // Print the lines in one call, since another law may end at the same time.
    println!("{told}");
    Ok(output.status.success())
}

/// Summarises the output of libFuzzer in a line: executions, branches at the start and the end, inputs kept.
fn summarise_output(said: &str) -> String {
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
        assert_eq!(summarise_output(said), expected);
    }
}
