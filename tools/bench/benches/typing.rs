//! Tagged structures to types.

mod groups;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use elf_base::Rules;
use elf_bench::data;
use elf_schema::{Options, ReadOptions};
use groups::{OCTETS, beside_floors};
use std::hint::black_box;

fn typing(criterion: &mut Criterion) {
    let file = data::file(&data::plan(OCTETS));
    let rules = &Rules::WILD;
    beside_floors(criterion, "typing", &file, |group| {
        group.bench_function("types of a document", |bencher| {
            bencher.iter_batched(
                || {
                    elf_tagged::read(&file, rules, &Options::default(), &mut ())
                        .expect("10 MB are under 4 GiB")
                },
                |document| elf_schema::read_document(document, &ReadOptions::default(), &mut ()),
                BatchSize::PerIteration,
            );
        });
        group.bench_function("octets to types", |bencher| {
            bencher.iter(|| elf_schema::read(black_box(&file), rules, &ReadOptions::default(), &mut ()));
        });
    });
}

criterion_group!(benches, typing);
criterion_main!(benches);
