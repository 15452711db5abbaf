//! Fuzzes the law of writing: `cargo +nightly fuzz run write fuzz/corpus/write fuzz/seeds/write`.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| elf_fuzz_laws::write(octets));
