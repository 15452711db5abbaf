//! Findings as flat JSON objects, as `docs/json.md` describes them for other programs.

use crate::{Diagnostic, Place, Related};
use serde::{Serialize, Serializer};
use std::num::NonZero;

/// A finding as the flat JSON object that `elf check --format json` prints, see `docs/json.md`.
///
/// Members without a value are omitted. The excerpt is always omitted, because it is meant for people.
///
/// ```
/// use elf_base::{Diagnostic, FlatFinding, Rules, codes};
///
/// let found = Diagnostic::new(codes::TRAILER_MISSING, &Rules::WILD, "the last record is not the trailer");
/// let record = FlatFinding::new(&found).in_file("family.ged");
/// let json = serde_json::to_string(&record)?;
/// assert!(json.starts_with(r#"{"code":"E0307","name":"trailer-missing","class":"#));
/// assert_eq!(serde_json::to_string(&found)?, serde_json::to_string(&FlatFinding::new(&found))?);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FlatFinding<'a> {
    /// The identifier of the code, such as `E0203`.
    pub code: &'static str,
    /// The name of the code, such as `level-too-deep`.
    pub name: &'static str,
    /// The name of the class that the finding has under the current rules.
    pub class: &'static str,
    /// The message of the finding.
    pub message: &'a str,
    /// The name of the file, if the caller has set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    /// The number of the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The first column, from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The column that follows the last column of the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u64>,
    /// The offset of the first byte of the place, from 0 at the start of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub octet: Option<u64>,
    /// The record, if the caller knows it: its identifier without at signs, or its tag, with a number if there are
    /// several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<&'a str>,
    /// The path of the structure, if the caller knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'a str>,
    /// The clause of the current rules that the finding cites.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<&'static str>,
    /// The help of the finding, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<&'a str>,
    /// The number of places with this problem, if the finding represents several places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<NonZero<u64>>,
    /// Other places that belong to the problem.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<FlatRelated<'a>>,
    /// The fix, if the caller has computed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<FlatFix<'a>>,
}

/// Another place that belongs to the problem of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlatRelated<'a> {
    /// The message for this place, such as `first defined here`.
    pub message: &'a str,
    /// The number of the line, from 1.
    pub line: u64,
    /// The first column, from 1, in characters.
    pub column: u64,
    /// The column that follows the last column of the place.
    pub end_column: u64,
    /// The offset of the first byte of the place, from 0 at the start of the file.
    pub octet: u64,
}

/// The fix of a finding, as the lines that it changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlatFix<'a> {
    /// The name of the fix's safety: `safe` or `unsafe`.
    pub safety: &'static str,
    /// The lines that change. The list is empty if the fix of another finding includes this one.
    pub lines: Vec<FlatLines<'a>>,
}

/// Consecutive lines that a fix replaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlatLines<'a> {
    /// The number of the first line, from 1.
    pub line: u64,
    /// The number of lines to remove.
    pub remove: u64,
    /// The lines to insert, without their line breaks.
    pub insert: Vec<&'a str>,
}

impl<'a> FlatFinding<'a> {
    /// Creates the object for a finding. The object has no file name yet.
    pub fn new(finding: &'a Diagnostic) -> FlatFinding<'a> {
        let Diagnostic {
            code,
            class,
            clause,
            message,
            place,
            excerpt: _,
            related,
            help,
            fix: _,
            count,
            path,
        } = finding;
        FlatFinding {
            code: code.id(),
            name: code.name(),
            class: class.name(),
            message,
            file: None,
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            end_column: place.map(|place| place.end_column),
            octet: place.map(|place| place.octet),
            record: None,
            path: path.as_deref(),
            clause: *clause,
            help: help.as_deref(),
            count: *count,
            related: related.iter().map(flat_related).collect(),
            fix: None,
        }
    }

    /// Sets the name of the file that the finding is about.
    #[must_use]
    pub const fn in_file(mut self, file: &'a str) -> FlatFinding<'a> {
        self.file = Some(file);
        self
    }

    /// Sets the record and the path of the structure, if they are known.
    #[must_use]
    pub fn in_record(mut self, record: Option<&'a str>, path: Option<&'a str>) -> FlatFinding<'a> {
        (self.record, self.path) = (record, path.or(self.path));
        self
    }

    /// Sets the fix, if there is one.
    #[must_use]
    pub fn with_fix(mut self, fix: Option<FlatFix<'a>>) -> FlatFinding<'a> {
        self.fix = fix;
        self
    }
}

fn flat_related(related: &Related) -> FlatRelated<'_> {
    let Related { message, place, .. } = related;
    let &Place { octet, line, column, end_column, .. } = place;
    FlatRelated { message, line, column, end_column, octet }
}

/// Serialises a finding as its [`FlatFinding`]. The object has no file name.
impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        FlatFinding::new(self).serialize(serializer)
    }
}
