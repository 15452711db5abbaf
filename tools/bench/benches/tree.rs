//! Octets to a document of tagged structures.

mod groups;

use criterion::{Criterion, criterion_group, criterion_main};
use elf_base::Rules;
use elf_bench::data;
use elf_octets::Options;
use groups::{OCTETS, beside_floors};
use std::hint::black_box;

fn tree(criterion: &mut Criterion) {
    let file = data::file(&data::plan(OCTETS));
    beside_floors(criterion, "tree", &file, |group| {
        for rules in [&Rules::WILD, &Rules::DECEMBER_2019] {
            group.bench_function(rules.name, |bencher| {
                bencher.iter(|| elf_tagged::read(black_box(&file), rules, &Options::default(), &mut ()));
            });
        }
    });
}

criterion_group!(benches, tree);
criterion_main!(benches);
