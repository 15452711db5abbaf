//! The server, driven as an editor drives it.

mod actions;
mod diagnostics;
mod editor;
mod navigation;
mod random_edits;
mod reading;
