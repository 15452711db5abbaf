//! Line strings to lines.

mod groups;

use criterion::{Criterion, criterion_group, criterion_main};
use elf_base::Rules;
use elf_bench::data;
use elf_octets::LineStrings;
use groups::{OCTETS, beside_floors};
use std::hint::black_box;

fn lines(criterion: &mut Criterion) {
    let text = data::text(&data::plan(OCTETS));
    let rules = &Rules::DECEMBER_2019;
    beside_floors(criterion, "lines", text.as_bytes(), |group| {
        group.bench_function("line strings", |bencher| {
            bencher.iter(|| LineStrings::new(black_box(&text), &rules.octets).map(black_box).count());
        });
        group.bench_function("lines", |bencher| {
            bencher.iter(|| {
                for span in LineStrings::new(black_box(&text), &rules.octets) {
                    let _ = black_box(elf_lines::parse_characters_checked(span.of(&text), &rules.lines));
                }
            });
        });
    });
}

criterion_group!(benches, lines);
criterion_main!(benches);
