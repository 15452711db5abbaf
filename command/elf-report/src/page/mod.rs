//! Reports on genealogical files as one HTML page: what the files are, who is in them, what was found.
//!
//! The page is whole by itself. It asks nothing of any network, and its policy forbids it to; nothing in it
//! needs a script to be read, and the only one it has sorts and filters tables. Whatever comes from a file
//! goes through one writer, which makes text of it and never markup.
//!
//! ```text
//! parts ── ReportReader ──► PartReport ── FileReportBuilder ──► FileReport ─┬─ Page ──► HTML
//!          on any thread                  findings ── FileFindings ─┘  Total ┘
//! ```
//!
//! A file is read part by part, in memory that grows with its persons and families only. What is kept of
//! findings is bounded: their numbers, and the first few of each code. So are the kinds of tags without a
//! type. Each [`FileReport`] is written and dropped before the next; a [`Total`] holds one row of each.
//!
//! ```
//! use crate::page::{FileReportBuilder, Page, ReportReader, Total};
//! use elf_schema::{ReadOptions, Reader, Rules};
//!
//! let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada <b>/King/\n1 BIRT\n2 DATE 1815\n0 TRLR\n";
//! let mut reader = Reader::new(file, &Rules::WILD, ReadOptions::default());
//! let (mut builder, mut of_parts) = (FileReportBuilder::default(), None);
//! while let Some(part) = reader.next_part(&mut ())? {
//!     let of_parts = of_parts.get_or_insert_with(|| ReportReader::new(part.schema()));
//!     builder.take(of_parts.part(&part));
//! }
//! let mut report = builder.finish("ada.ged", &reader).expect("a file with a header");
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
pub use facts::{FileFacts, FirstFacts, PartFacts, Producer};
pub use html::Page;
pub use kinds::{DateKind, DateKinds, UndefinedKinds};
pub use overview::Overview;
pub use people::{Completeness, FamilyAspect, PersonAspect};
pub use report::{FileReport, FileReportBuilder, PartReport, ReportReader};
pub use total::{FileRow, RowCounts, Total};
