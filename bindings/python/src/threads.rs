//! The threads that work while the interpreter is not locked.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

/// A pool of threads, and the process that created it.
struct PoolOfProcess {
    process: u32,
    pool: Arc<ThreadPool>,
}

static POOL: Mutex<Option<PoolOfProcess>> = Mutex::new(None);

/// Runs work on the pool of this process. A forked process, as `multiprocessing` creates, has none of the threads of
/// its parent, so it gets a pool of its own.
pub(crate) fn on_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match pool() {
        Some(pool) => pool.install(work),
        // No thread could be started.
        None => work(),
    }
}

fn pool() -> Option<Arc<ThreadPool>> {
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    if let Some(of) = known.as_ref().filter(|of| of.process == process) {
        return Some(Arc::clone(&of.pool));
    }
    let pool = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    let before = known.replace(PoolOfProcess { process, pool: Arc::clone(&pool) });
    // Dropping the pool would wait for threads that this process does not have.
    std::mem::forget(before);
    Some(pool)
}
