//! Datasets from outside: built, changed, merged, compared, and written.

mod change;
mod compare;
mod comparison;
mod dataset;
mod differences;
mod first_day;
mod merge;
mod reading;
mod roundtrip;
mod schemas;
