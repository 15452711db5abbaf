//! Fuzzes the law of editing: `cargo +nightly fuzz run edit fuzz/corpus/edit fuzz/seeds/edit`.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| elf_fuzz_laws::edit(octets));
