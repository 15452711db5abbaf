//! Criterion groups that carry the floors with them.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use elf_bench::floors::{floor_nodes, floor_split};
use std::hint::black_box;

/// The size of the file that criterion reads: more than the caches hold, less than a coffee takes.
pub(crate) const OCTETS: u64 = 10_000_000;

/// Measures `measure` over `input` in a group of that name, beside both floors over the UTF-8 text `floor`.
///
/// The two are one buffer wherever the case reads UTF-8.
pub(crate) fn beside_floors(
    criterion: &mut Criterion,
    name: &str,
    floor: &[u8],
    measure: impl FnOnce(&mut BenchmarkGroup<'_, WallTime>),
) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(floor.len() as u64)).sample_size(20);
    group.bench_function("floor_split", |bencher| bencher.iter(|| floor_split(black_box(floor))));
    group.bench_function("floor_nodes", |bencher| bencher.iter(|| floor_nodes(black_box(floor))));
    measure(&mut group);
    group.finish();
}
