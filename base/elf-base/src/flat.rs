//! Findings as programs exchange them: the shape of `docs/json.md`.

use crate::{Diagnostic, Place, Related};
use serde::{Serialize, Serializer};
use std::num::NonZero;

/// A finding as a flat list of members: the object that `elf check --format json` prints for it, which
/// `docs/json.md` describes.
///
/// Members without a value are left out, and so is the excerpt, which is for people.
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
    /// The name of the class by the rules in force.
    pub class: &'static str,
    /// The message.
    pub message: &'a str,
    /// The name of the file, where the caller gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The first column, from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The column after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u64>,
    /// The octet where it starts, from 0 at the start of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub octet: Option<u64>,
    /// The record that it is about, where the caller knows it: its identifier without at signs, or its tag,
    /// with its number where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<&'a str>,
    /// The path of the structure that it is about, where the caller knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'a str>,
    /// The clause of the rules in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<&'static str>,
    /// The help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<&'a str>,
    /// The number of places that the finding speaks for, where it is not only its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<NonZero<u64>>,
    /// Other places that have to do with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<FlatRelated<'a>>,
    /// The repair, where the caller has worked one out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<FlatFix<'a>>,
}

/// Another place that has to do with a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlatRelated<'a> {
    /// The meaning of the place.
    pub message: &'a str,
    /// The line, from 1.
    pub line: u64,
    /// The first column, from 1, in characters.
    pub column: u64,
    /// The column after the last.
    pub end_column: u64,
    /// The octet where it starts, from 0 at the start of the file.
    pub octet: u64,
}

/// The repair of a finding, line by line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlatFix<'a> {
    /// The name of its safety.
    pub safety: &'static str,
    /// The lines that change; none where the repair of another finding repairs this one too.
    pub lines: Vec<FlatLines<'a>>,
}

/// Lines that a repair changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlatLines<'a> {
    /// The number of the first, from 1.
    pub line: u64,
    /// The number of lines that go.
    pub remove: u64,
    /// The lines that come before what is left, without their line breaks.
    pub insert: Vec<&'a str>,
}

impl<'a> FlatFinding<'a> {
    /// Lists the members of a finding, without the name of a file.
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

    /// Sets the record and the path of the structure that the finding is about, as far as they are known.
    #[must_use]
    pub fn in_record(mut self, record: Option<&'a str>, path: Option<&'a str>) -> FlatFinding<'a> {
        (self.record, self.path) = (record, path.or(self.path));
        self
    }

    /// Sets the repair of the finding, if there is one.
    #[must_use]
    pub fn repaired_by(mut self, fix: Option<FlatFix<'a>>) -> FlatFinding<'a> {
        self.fix = fix;
        self
    }
}

fn flat_related(related: &Related) -> FlatRelated<'_> {
    let Related { message, place, .. } = related;
    let &Place { octet, line, column, end_column, .. } = place;
    FlatRelated { message, line, column, end_column, octet }
}

/// Serialises a finding as its [`FlatFinding`], without the name of a file.
impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        FlatFinding::new(self).serialize(serializer)
    }
}
