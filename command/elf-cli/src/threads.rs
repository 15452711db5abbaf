//! The threads of the command: the global pool of rayon.

use std::num::NonZero;

/// Uses `jobs` threads, or as many as the machine has cores. Where no thread can be started, the command works
/// on the main thread alone.
pub(crate) fn start(jobs: Option<NonZero<usize>>) {
    let jobs = jobs.map_or(0, NonZero::get);
    let alone = || rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs);
    let started = if jobs == 1 { alone() } else { pool.build_global().or_else(|_| alone()) };
    // It fails only if a pool exists already, which does as well.
    drop(started);
}
