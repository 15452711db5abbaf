//! Parts of `xtask` that tests and benchmarks use: the generator of realistic files, and the inputs that a fuzzer
//! found.

#![forbid(unsafe_code)]
#![allow(clippy::print_stderr, reason = "the generator says on standard error what it wrote")]
#![allow(clippy::disallowed_methods, reason = "this is one of the two places that open files")]

pub mod generate;
pub mod kept;
