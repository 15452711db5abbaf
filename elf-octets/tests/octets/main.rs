//! Octets from outside: the encoding that is decided on, text, line strings, places, and the way back.

mod common;
mod decisions;
mod pages;
mod decoding;
mod encodings;
mod file_kinds;
mod guessing;
mod laws;
mod line_strings;
mod places;
mod streaming;
mod writing;
