//! Fuzzes the law of values: `cargo +nightly fuzz run values fuzz/corpus/values fuzz/seeds/values`.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| elf_fuzz_laws::values(octets));
