//! Fuzzes the law of parts: `cargo +nightly fuzz run parts fuzz/corpus/parts fuzz/seeds/parts`.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| elf_fuzz_laws::parts(octets));
