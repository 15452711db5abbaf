//! Feeds the seeds of the fuzzer to the laws the fuzzer checks, so that they are kept without a fuzzer.

#![allow(
    clippy::disallowed_methods,
    reason = "seeds are files, and one is written anew where the environment says so"
)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use elf_fuzz_laws::{Input, LAWS, Law, dictionary};
use std::collections::BTreeSet;
use std::fs;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use xtask::kept;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/fuzz")
}

/// The names of what is in a folder.
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

/// The message with which an input breaks a law.
fn fault(law: Law, input: &Input<'_>) -> Option<String> {
    let panicked = panic::catch_unwind(AssertUnwindSafe(|| law(input))).err()?;
    let text = panicked.downcast_ref::<&str>().map(|text| (*text).to_owned());
    Some(text.or_else(|| panicked.downcast_ref().cloned()).unwrap_or_default())
}

/// Gives the number, the name and the law of each folder of seeds to `each`, on all cores.
///
/// Panics with what it returns.
fn assert_none_broken(each: impl Fn(usize, &'static str, Law) -> Vec<String> + Sync) {
    let (next, broken) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let number = next.fetch_add(1, Ordering::Relaxed)
                    && let Some((name, law)) = LAWS.get(number)
                {
                    let faults = each(number, name, *law);
                    broken.lock().unwrap().extend(faults);
                }
            });
        }
    });
    let mut broken = broken.into_inner().unwrap();
    broken.sort_unstable();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_seed_keeps_its_law_by_all_rules() {
    assert_none_broken(|_, name, law| {
        let folder = fuzz().join("seeds").join(name);
        let seeds = names(&folder);
        let mut broken = Vec::from_iter(seeds.is_empty().then(|| format!("{name} has no seeds")));
        for seed in seeds {
            let octets = fs::read(folder.join(&seed)).unwrap();
            // Each to read by once, with others to write by.
            for choice in (0..8).map(|number| number * 9) {
                let fault = fault(law, &Input::by(&octets, choice));
                broken.extend(fault.map(|fault| format!("{name}/{seed} by {choice}: {fault}")));
            }
        }
        broken
    });
}

#[test]
fn every_input_that_is_kept_keeps_its_law() {
    assert_none_broken(|_, name, law| {
        let file = fs::read(fuzz().join("kept").join(name)).unwrap_or_else(|error| {
            panic!("tools/fuzz/kept/{name}: {error}; `cargo xtask fuzz {name} --keep` makes it")
        });
        let inputs = kept::decode_inputs(&file).unwrap();
        assert!(!inputs.is_empty(), "{name} keeps none");
        let broken = inputs.iter().filter_map(|made| {
            let fault = fault(law, &Input::chosen(made))?;
            Some(format!("{name}: {fault}\n{}", made.escape_ascii()))
        });
        broken.collect()
    });
}

/// Every law takes the seeds of every other, cut short at some places: an input that is hard for one may be
/// easy for another.
#[test]
fn torn_seeds_keep_every_law() {
    assert_none_broken(|number, folder, _| {
        // Each folder starts at a choice of its own, so that threads need not share a counter.
        let mut choice = u8::try_from(number * 37 % 256).unwrap();
        let mut broken = Vec::new();
        let folder = fuzz().join("seeds").join(folder);
        for seed in names(&folder) {
            let octets = fs::read(folder.join(&seed)).unwrap();
            let step = octets.len() / 10 + 1;
            for end in (0..octets.len()).step_by(step) {
                choice = choice.wrapping_add(11);
                for (name, law) in LAWS {
                    let fault = fault(*law, &Input::by(&octets[..end], choice));
                    broken.extend(fault.map(|fault| {
                        format!("{name}: the first {end} octets of {seed} by {choice}: {fault}")
                    }));
                }
            }
        }
        broken
    });
}
