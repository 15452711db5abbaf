//! Promises of the command, checked from outside.
#![allow(clippy::expect_used, clippy::disallowed_methods, reason = "tests run the command and look at files")]

mod against;
mod archives;
#[cfg(feature = "parquet")]
mod at_scale;
mod baseline;
mod bearers;
mod changing;
mod check;
mod config;
mod convert;
mod damaged_lines;
mod date;
mod diff;
mod edit;
mod escapes;
mod explain;
mod extract;
mod facts;
mod faulty;
#[cfg(feature = "fetch")]
mod fetch;
mod find;
mod fix;
mod header;
mod help;
mod info;
mod killed;
mod kinship;
mod lsp;
mod many;
mod matching;
mod merge;
mod migrate;
mod migrations;
mod official;
mod out_dir;
mod output;
mod progress;
mod promises;
mod readme;
mod repairs;
mod replace;
mod report;
mod same_findings;
mod sarif;
mod schema;
mod sessions;
mod shell;
mod show;
mod signals;
mod table;
mod tags;
mod there_and_back;
mod tree;
mod vectors;
