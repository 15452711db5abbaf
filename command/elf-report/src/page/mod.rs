//! Reports on genealogical files as one HTML page: what the files are, who is in them, what was found.
//!
//! The page is one file: it needs no network, and its policy forbids access to any. You can read it without
//! scripts; its only script sorts and filters tables. Text of a file is written through one type, `Text`, so
//! that it never becomes markup.
//!
//! ```text
//! parts ── ReportReader ──► RunReport ── FileReportBuilder ──► FileReport ─┬─ Page ──► HTML
//!          on any thread                  findings ── FileFindings ─┘  Total ┘
//! ```
//!
//! A file is read in runs, in memory that grows with its persons and families only. The number of findings and
//! of kinds of tags without a type that are kept is bounded. Each [`FileReport`] is written and dropped before
//! the next; a [`Total`] keeps one row of each.
//!
//! ```
//! use elf_report::page::{FileReportBuilder, Page, ReportReader, Total};
//! use elf_schema::{ReadOptions, Reader, Rules};
//!
//! let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada <b>/King/\n1 BIRT\n2 DATE 1815\n0 TRLR\n";
//! let mut reader = Reader::new(file, &Rules::WILD, ReadOptions::default());
//! let (mut builder, mut of_runs) = (FileReportBuilder::default(), None);
//! while let Some(run) = reader.next_run(&mut ())? {
//!     let of_runs = of_runs.get_or_insert_with(|| ReportReader::new(run.schema()));
//!     builder.take(of_runs.run(&run));
//! }
//! let report = builder.finish("ada.ged", reader.tagged(), reader.resolver());
//! let mut report = report.expect("a file with a header");
//! report.facts.octets = file.len() as u64;
//! let mut total = Total::default();
//! total.add(&report);
//!
//! let (mut html, page) = (Vec::new(), Page::of(1));
//! page.start(&mut html, &total)?;
//! page.file(&mut html, 1, &report)?;
//! page.end(&mut html)?;
//! let html = String::from_utf8(html)?;
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("1810s"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounded;
mod decades;
mod excerpts;
mod facts;
mod html;
mod kinds;

mod overview;
mod people;
mod report;
mod text;
mod total;

pub use decades::{Decades, EventGroup};
pub use excerpts::{FileFindings, FindingExcerpt, SHOWN};
pub use facts::{FileFacts, FirstFacts, Producer, RunFacts};
pub use html::Page;
pub use kinds::{DateKind, DateKinds, UndefinedKinds};
pub use overview::Overview;
pub use people::{Completeness, FamilyAspect, PersonAspect};
pub use report::{FileReport, FileReportBuilder, ReportReader, RunReport};
pub use total::{FileRow, RowCounts, Total};
