//! Octets from outside: the encoding that is decided on, text, line strings, places, and the way back.

mod common;
mod decisions;
mod decoding;
mod encodings;
mod file_kinds;
mod guessing;
mod laws;
mod line_strings;
mod pages;
mod places;
mod streaming;
mod writing;
