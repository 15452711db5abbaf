//! Feeds the seeds of the fuzzer to the laws the fuzzer checks, so that they are kept without a fuzzer.

#![allow(clippy::disallowed_methods, reason = "seeds are files")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "the last seed named is the one that breaks its law")]

use elf_fuzz_laws::LAWS;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// The names of what stands in a folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_law_has_its_target_and_its_seeds() {
    let laws: BTreeSet<String> = LAWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&fuzz().join("seeds")), laws);
    let targets: BTreeSet<String> = laws.iter().map(|name| format!("{name}.rs")).collect();
    assert_eq!(names(&fuzz().join("fuzz_targets")), targets);
}

#[test]
fn every_seed_keeps_its_law() {
    for (name, law) in LAWS {
        let folder = fuzz().join("seeds").join(name);
        let seeds = names(&folder);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for seed in seeds {
            eprintln!("{name}/{seed}");
            law(&fs::read(folder.join(seed)).unwrap());
        }
    }
}

/// Every law takes the seeds of every other, cut short at every place: an input that is hard for one may be
/// easy for another.
#[test]
fn torn_seeds_keep_every_law() {
    for (folder, _) in LAWS {
        let folder = fuzz().join("seeds").join(folder);
        for seed in names(&folder) {
            let octets = fs::read(folder.join(&seed)).unwrap();
            let step = octets.len() / 40 + 1;
            for end in (0..octets.len()).step_by(step) {
                eprintln!("{seed}, the first {end} octets");
                for (_, law) in LAWS {
                    law(&octets[..end]);
                }
            }
        }
    }
}
