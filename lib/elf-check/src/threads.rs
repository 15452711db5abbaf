//! Work that is shared by the threads of the current rayon pool. In WebAssembly there is one thread.

/// Returns the number of threads of the current rayon pool; in WebAssembly, 1.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn thread_count() -> usize {
    rayon::current_num_threads()
}

/// Returns the number of threads of the current rayon pool; in WebAssembly, 1.
#[cfg(target_family = "wasm")]
#[must_use]
pub const fn thread_count() -> usize {
    1
}

/// Computes the result of each number below `count`.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn map_numbers<T: Send>(count: usize, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    use rayon::prelude::*;
    (0..count).into_par_iter().map(&of).collect()
}

#[cfg(target_family = "wasm")]
pub(crate) fn map_numbers<T>(count: usize, of: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(of).collect()
}

/// Hands each worker a part of the items, and returns the results in the order of the items.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn share<W: Send, I: Sync, T: Send>(
    items: &[I],
    workers: &mut [W],
    work: impl Fn(&mut W, &I) -> T + Sync,
) -> Vec<T> {
    use rayon::prelude::*;
    let parts = items.par_chunks(items.len().div_ceil(workers.len()).max(1));
    let results = workers.par_iter_mut().zip(parts);
    let results: Vec<Vec<T>> =
        results.map(|(worker, items)| items.iter().map(|item| work(worker, item)).collect()).collect();
    results.into_iter().flatten().collect()
}

#[cfg(target_family = "wasm")]
pub(crate) fn share<W, I, T>(items: &[I], workers: &mut [W], work: impl Fn(&mut W, &I) -> T) -> Vec<T> {
    let worker = workers.first_mut().into_iter();
    worker.flat_map(|worker| items.iter().map(|item| work(worker, item)).collect::<Vec<T>>()).collect()
}
