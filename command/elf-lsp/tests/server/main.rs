//! The server, driven as an editor drives it.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::needless_pass_by_value, reason = "values that are written where they are passed")]

mod actions;
mod diagnostics;
mod editor;
#[cfg(unix)]
mod keystrokes;
mod navigation;
mod random_edits;
mod reading;
