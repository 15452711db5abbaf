//! Line strings to lines.

use criterion::{Criterion, criterion_group, criterion_main};
use elf_base::Rules;
use elf_bench::data;
use elf_bench::groups::{OCTETS, beside_floors};
use std::hint::black_box;

fn lines(criterion: &mut Criterion) {
    let file = data::file(OCTETS);
    let text = std::str::from_utf8(&file).expect("generated files are UTF-8");
    beside_floors(criterion, "lines", &file, |group| {
        group.bench_function("parse", |bencher| {
            bencher.iter(|| {
                for line in black_box(text).lines() {
                    let _ = black_box(elf_lines::parse(line, &Rules::DECEMBER_2019.lines));
                }
            });
        });
    });
}

criterion_group!(benches, lines);
criterion_main!(benches);
