//! Fuzzes the law that the environment names: `cargo xtask fuzz LAW`.
//!
//! One program serves all of them, since linking one takes as long as fuzzing one for half a minute.

#![no_main]

use elf_fuzz_laws::{Input, LAWS, Law, Material, mutated};
use std::sync::LazyLock;

/// The variable of the environment that names the law.
const VARIABLE: &str = "ELF_LAW";

/// The law, and what its inputs are made of.
static LAW: LazyLock<(Law, Material)> = LazyLock::new(|| {
    let name = std::env::var(VARIABLE).unwrap_or_default();
    match LAWS.iter().find(|(law, _)| *law == name) {
        Some((law, check)) => (*check, Material::of(law)),
        None => panic!("{VARIABLE} is {name:?}, which is no law"),
    }
});

libfuzzer_sys::fuzz_target!(|octets: &[u8]| LAW.0(&Input::chosen(octets)));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    // What knows no grammar finds what nobody thought of.
    let made = (seed % 2 == 0).then(|| data.get(..size).and_then(|octets| mutated(LAW.1, octets, seed)));
    match made.flatten() {
        Some(made) if made.len() <= max_size => {
            data[..made.len()].copy_from_slice(&made);
            made.len()
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
});
