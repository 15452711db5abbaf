//! A document back to octets.

mod groups;

use criterion::{Criterion, criterion_group, criterion_main};
use elf_base::Rules;
use elf_bench::data;
use elf_octets::{Encoding, Options};
use elf_tagged::write::{WriteOptions, write_document};
use groups::{OCTETS, beside_floors};
use std::hint::black_box;
use std::io;

fn writing(criterion: &mut Criterion) {
    let file = data::file(&data::plan(OCTETS));
    let document = elf_tagged::read(&file, &Rules::WILD, &Options::default(), &mut ());
    let document = document.expect("10 MB are under 4 GiB");
    beside_floors(criterion, "writing", &file, |group| {
        for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Ascii, Encoding::Ansel] {
            let options = WriteOptions::new().with_encoding(encoding);
            group.bench_function(encoding.name(), |bencher| {
                bencher.iter(|| {
                    write_document(black_box(&document), io::sink(), &Rules::DECEMBER_2019, &options, &mut ())
                        .expect("a sink takes what is written to it")
                });
            });
        }
    });
}

criterion_group!(benches, writing);
criterion_main!(benches);
