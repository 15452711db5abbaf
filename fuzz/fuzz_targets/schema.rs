//! Fuzzes the law of types: `cargo +nightly fuzz run schema fuzz/corpus/schema fuzz/seeds/schema`.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| elf_fuzz_laws::schema(octets));
