//! Fuzzes the law of octets: `cargo +nightly fuzz run octets fuzz/corpus/octets fuzz/seeds/octets`.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| elf_fuzz_laws::octets(octets));
