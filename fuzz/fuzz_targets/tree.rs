//! Fuzzes the law of trees: `cargo +nightly fuzz run tree fuzz/corpus/tree fuzz/seeds/tree`.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| elf_fuzz_laws::tree(octets));
