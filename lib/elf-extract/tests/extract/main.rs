//! Extracts: what is chosen is in them, and nothing of whom they leave out.

mod attacks;
mod damaged;
mod gedcom_7;
mod hidden;
mod hidden_names;
mod laws;
mod leaks;
mod silent;
