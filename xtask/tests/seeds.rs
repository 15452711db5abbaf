//! Feeds the seeds of the fuzzer to the laws the fuzzer checks, so that they are kept without a fuzzer.

#![allow(
    clippy::disallowed_methods,
    reason = "seeds are files, and one is written anew where the environment says so"
)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use elf_fuzz_laws::{Input, LAWS, Law, dictionary};
use std::collections::BTreeSet;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
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
fn every_law_has_its_seeds() {
    let laws: BTreeSet<String> = LAWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&fuzz().join("seeds")), laws);
}

#[test]
fn the_dictionary_holds_the_words_of_the_mutations() {
    let file = fuzz().join("words.dict");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, dictionary()).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap() == dictionary(), "UPDATE_EXPECT=1 writes it");
}

/// Tells whether an input keeps a law; what the law says is printed.
fn keeps(law: Law, input: &Input<'_>) -> bool {
    panic::catch_unwind(AssertUnwindSafe(|| law(input))).is_ok()
}

/// Does something with each law, half of them in a thread beside this one; returns what is broken.
fn broken(each: impl Fn(usize, &'static str, Law, &mut Vec<String>) + Sync) -> Vec<String> {
    let half = |odd: usize| {
        let mut broken = Vec::new();
        for (number, (name, law)) in LAWS.iter().enumerate().filter(|(number, _)| number % 2 == odd) {
            each(number, name, *law, &mut broken);
        }
        broken
    };
    std::thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        let mut broken = half(0);
        broken.extend(odd.join().unwrap());
        broken
    })
}

#[test]
fn every_seed_keeps_its_law_by_all_rules() {
    let broken = broken(|_, name, law, broken| {
        let folder = fuzz().join("seeds").join(name);
        let seeds = names(&folder);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for seed in seeds {
            let octets = fs::read(folder.join(&seed)).unwrap();
            // Each to read by once, with others to write by.
            for choice in (0..8).map(|number| number * 9) {
                if !keeps(law, &Input::by(&octets, choice)) {
                    broken.push(format!("{name}/{seed} by {choice}"));
                }
            }
        }
    });
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Every law takes the seeds of every other, cut short at some places: an input that is hard for one may be
/// easy for another.
#[test]
fn torn_seeds_keep_every_law() {
    let broken = broken(|number, folder, _, broken| {
        // Whose seeds they are decides where the choices begin, so that folders can be read in any order.
        let mut choice = u8::try_from(number * 37 % 256).unwrap();
        let folder = fuzz().join("seeds").join(folder);
        for seed in names(&folder) {
            let octets = fs::read(folder.join(&seed)).unwrap();
            let step = octets.len() / 10 + 1;
            for end in (0..octets.len()).step_by(step) {
                choice = choice.wrapping_add(11);
                for (name, law) in LAWS {
                    if !keeps(*law, &Input::by(&octets[..end], choice)) {
                        broken.push(format!("{name}: the first {end} octets of {seed} by {choice}"));
                    }
                }
            }
        }
    });
    assert!(broken.is_empty(), "{broken:#?}");
}
