//! Reports on genealogical files as one HTML page: facts about the files, their people, and the findings.
//!
//! The page is a single file. It needs no network, and its content security policy forbids network access. Its only
//! script sorts and filters tables; you can read the page without it. All text from files is written with the type
//! `Text`, which escapes it.
//!
//! ```text
//! parts ── ReportReader ──► RunReport ── FileReportBuilder ──► FileReport ─┬─ Page ──► HTML
//!          on any thread                  findings ── FileFindings ─┘  Total ┘
//! ```
//!
//! [`FileReport::read`] reads a file in memory, and [`report_html`] creates the page from several reports:
//!
//! ```
//! use elf_base::Rules;
//! use elf_check::{Check, Keep, config::Choice};
//! use elf_lineage::LivingRule;
//! use elf_report::page::{FileReport, PeopleOptions, ReportSettings, report_html};
//! use elf_schema::ReadOptions;
//!
//! let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada <b>/King/\n1 BIRT\n2 DATE 1815\n\
//!     0 @I2@ INDI\n1 NAME Young /King/\n1 BIRT\n2 DATE 2001\n0 TRLR\n";
//! let check = Check {
//!     rules: &Rules::WILD,
//!     options: ReadOptions::default(),
//!     against: None,
//!     each_undefined: false,
//!     facts: None,
//!     choice: Choice::default(),
//!     keep: Keep::All,
//! };
//! let people = PeopleOptions::hiding_living(LivingRule::on(2_461_367));
//! let settings = ReportSettings::new(check).with_people(Some(people));
//! let report = FileReport::read("ada.ged", file, &settings)?;
//! let html = report_html(&[report], None);
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("1810s"));
//! assert!(html.contains("Ada &lt;b&gt;") && !html.contains("Young"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A [`ReportReader`] reads a stream in runs. Its memory grows only with the number of people and families, and the
//! report does not list the people. The number of findings and of kinds of tags without a type is limited. A [`Page`]
//! is written in pieces, so that you can drop each [`FileReport`] before the next; a [`Total`] keeps one row for each
//! file.

mod bounded;
mod decades;
mod excerpts;
mod facts;
mod family;
mod html;
mod kinds;
mod overview;
mod people;
mod report;
mod text;
mod total;

pub use decades::{Decades, EventGroup};
pub use excerpts::{FileFindings, FindingExcerpt, MOST, SHOWN};
pub use facts::{FileFacts, FirstFacts, Producer, RunFacts};
pub use family::{FamilyBook, PeopleOptions};
pub use html::{Page, report_html};
pub use kinds::{DateKind, DateKinds, UndefinedKinds};
pub use overview::Overview;
pub use people::{Completeness, FamilyAspect, PersonAspect};
pub use report::{FileReport, FileReportBuilder, ReportReader, ReportSettings, RunReport};
pub use total::{FileRow, RowCounts, Total};
