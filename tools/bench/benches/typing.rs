//! Tagged structures to types.

mod groups;

use criterion::{Criterion, criterion_group, criterion_main};
use elf_base::Rules;
use elf_bench::data;
use elf_schema::{Options, ReadOptions, Resolver, Schema, Typing};
use groups::{OCTETS, beside_floors};
use std::hint::black_box;

fn typing(criterion: &mut Criterion) {
    let file = data::file(&data::plan(OCTETS));
    let rules = &Rules::WILD;
    let document =
        elf_tagged::read(&file, rules, &Options::default(), &mut ()).expect("10 MB are under 4 GiB");
    beside_floors(criterion, "typing", &file, |group| {
        group.bench_function("types of a document", |bencher| {
            bencher.iter(|| {
                Typing::new(black_box(&document), Resolver::new(Schema::completed().clone()), &mut ())
            });
        });
        group.bench_function("octets to types", |bencher| {
            bencher.iter(|| elf_schema::read(black_box(&file), rules, &ReadOptions::default(), &mut ()));
        });
    });
}

criterion_group!(benches, typing);
criterion_main!(benches);
