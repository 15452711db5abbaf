//! Octets to text.

mod groups;

use criterion::{Criterion, criterion_group, criterion_main};
use elf_base::Rules;
use elf_bench::data;
use elf_bench::forms::Form;
use elf_octets::{Options, Source};
use groups::{OCTETS, beside_floors};
use std::hint::black_box;

fn octets(criterion: &mut Criterion) {
    let plan = data::plan(OCTETS);
    let file = data::file(&plan);
    beside_floors(criterion, "octets", &file, |group| {
        group.bench_function("validated, nothing else", |bencher| {
            bencher.iter(|| {
                let text =
                    encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(black_box(&file));
                text.is_some()
            });
        });
        for form in [
            Form::Gedcom,
            Form::CrLf,
            Form::Accented,
            Form::Utf16Le,
            Form::AccentedUtf16Le,
            Form::Ansel,
            Form::AccentedAnsel,
        ] {
            let file = form.of(&plan);
            group.bench_function(form.name(), |bencher| {
                bencher.iter(|| Source::read(black_box(&file), &Rules::WILD, &Options::default(), &mut ()));
            });
        }
    });
}

criterion_group!(benches, octets);
criterion_main!(benches);
