//! Reports how many instructions each layer takes for a line, next to the recorded counts.
//!
//! ```text
//! cargo run --release --no-default-features --bin instructions                 (compare)
//! cargo run --release --no-default-features --bin instructions -- --record     (record new counts)
//! ```
//!
//! On a shared machine, times vary by more than ten percent; instruction counts do not. valgrind counts them over
//! a file of 1 MB. Loading the file is counted once and subtracted, and for dates also finding their lines. The
//! recorded counts are in `tools/bench/instructions.tsv` with the compiler that made the code; another compiler
//! makes other code. This is a report: a higher count is marked, but it is not an error, and no check runs it.

use elf_bench::cases::{DATE_PAYLOADS, LOADED, named};
use elf_bench::forms::Form;
use elf_bench::{child, data};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

/// The floor of all ratios, and the layers, from the octets up, and back.
const LAYERS: [&str; 16] = [
    "floor_split",
    "source",
    "source-ansel",
    "source-utf-16le",
    "lines",
    "tree",
    "runs",
    "typed",
    "values",
    "dates",
    "dates-judged",
    "dataset",
    "written",
    "written-utf-16le",
    "written-ascii",
    "written-ansel",
];
const MEGABYTE: u64 = 1_000_000;
/// Growth above this many percent is marked.
const NOTABLE_GROWTH: u64 = 10;

fn main() -> ExitCode {
    child::main(run)
}

/// Counts the instructions of every layer and prints or records them.
fn run(arguments: &[String]) -> Result<bool, Box<dyn Error>> {
    let record = match arguments {
        [] => false,
        [argument] if argument == "--record" => true,
        other => return Err(format!("expected --record or nothing, but found {other:?}").into()),
    };
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("valgrind is not installed: instructions are not counted");
        return Ok(true);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.tsv");
    let compiler = compiler()?;
    if record {
        let mut out = format!(
            "# Instructions a line, of 1 MB of `xtask generate`; see `instructions.rs`.\n# {compiler}\n"
        );
        for (layer, count) in count()? {
            writeln!(out, "{layer}\t{count}")?;
        }
        fs::write(&path, &out)?;
        print!("{out}");
        return Ok(true);
    }
    let recorded = fs::read_to_string(&path)?;
    let same_compiler = recorded.lines().any(|line| line.strip_prefix("# ") == Some(&compiler));
    let recorded: BTreeMap<&str, u64> = recorded
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(layer, count)| Some((layer, count.parse().ok()?)))
        .collect();
    println!("{:<16} {:>8} {:>8} {:>7}", "layer", "recorded", "now", "change");
    for (layer, now) in count()? {
        let Some(&then) = recorded.get(layer) else {
            return Err(format!("{layer} is not recorded; run with --record").into());
        };
        let has_grown = now * 100 > then * (100 + NOTABLE_GROWTH);
        let change = (now as f64 / then as f64 - 1.0) * 100.0;
        println!("{layer:<16} {then:>8} {now:>8} {change:>+6.1}%{}", if has_grown { "  more" } else { "" });
    }
    if !same_compiler {
        println!("recorded with another compiler than {compiler}");
    }
    Ok(true)
}

/// The instructions that each layer takes a line.
fn count() -> Result<Vec<(&'static str, u64)>, Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("elf-bench-instructions-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let counted = count_in(&folder);
    fs::remove_dir_all(&folder)?;
    counted
}

fn count_in(folder: &Path) -> Result<Vec<(&'static str, u64)>, Box<dyn Error>> {
    let plan = data::plan(MEGABYTE);
    let mut counts = Vec::new();
    for layer in LAYERS {
        let case = named(layer).ok_or_else(|| child::unknown(layer))?;
        let (file, counts_to) = (folder.join("file"), folder.join("counts"));
        let octets = case.form.of(&plan);
        fs::write(&file, &octets)?;
        let instructions = |case| callgrind(case, &file, &counts_to);
        let nothing = if matches!(case.form, Form::Dates) { &DATE_PAYLOADS } else { &LOADED };
        let of_layer = instructions(layer)?.saturating_sub(instructions(nothing.name)?);
        counts.push((layer, of_layer / lines(&octets)));
    }
    Ok(counts)
}

fn lines(octets: &[u8]) -> u64 {
    octets.iter().filter(|octet| **octet == b'\n').count() as u64
}

/// The instructions of one run of a case.
fn callgrind(case: &str, file: &Path, counts_to: &Path) -> Result<u64, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", counts_to.display()))
        .arg(env::current_exe()?)
        .args(["--once", case])
        .arg(file)
        .output()?;
    if !output.status.success() {
        return Err(format!("{case} failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let counts = fs::read_to_string(counts_to)?;
    let total = counts.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
    total.ok_or_else(|| "expected totals in what callgrind wrote".into())
}

/// The current compiler, by its version.
fn compiler() -> Result<String, Box<dyn Error>> {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("--version").output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
