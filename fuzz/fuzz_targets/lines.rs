//! Fuzzes the law of lines: `cargo +nightly fuzz run lines fuzz/corpus/lines fuzz/seeds/lines`.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| elf_fuzz_laws::lines(octets));
