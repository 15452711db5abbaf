//! The threads of the command: the global pool of rayon.

use std::num::NonZero;

/// More threads than this for each core would only use memory.
const MOST_FOR_EACH_CORE: usize = 4;

/// Starts `jobs` threads, at most four for each core. The default is one for each core. If no thread can be started,
/// all work is done on the main thread.
pub(crate) fn start_pool(jobs: Option<NonZero<usize>>) {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let jobs = jobs.map_or(0, |jobs| jobs.get().min(cores.saturating_mul(MOST_FOR_EACH_CORE)));
    let alone = || rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs);
    let started = if jobs == 1 { alone() } else { pool.build_global().or_else(|_| alone()) };
    // This fails only if a pool already exists, which is fine.
    drop(started);
}
