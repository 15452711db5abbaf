//! The reports of a conversion by line, and the table that says which difference each code may explain.

use elf_base::Diagnostic;
use std::collections::HashMap;

/// A difference between what was read and what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A structure is left out, with everything under it.
    Structure,
    /// Something of the header that says how the file is written is left out, with everything under it.
    Metadata,
    /// The payload of the header record is left out.
    HeadPayload,
    /// An identifier is left out.
    Identifier,
    /// An identifier is another one.
    OtherIdentifier,
    /// A structure that is no record is written with its identifier. Nothing differs: advice.
    IdentifierWithin,
    /// Characters are left out of a payload.
    Characters,
    /// Whitespace at the ends of payload lines is gone.
    Whitespace,
    /// An escape became text, or was removed when the payload was read.
    Escape,
    /// A pointer leads to something else, or became text.
    Pointer,
    /// A definition, or another part of a schema, is left out.
    Schema,
    /// A structure has another type.
    Type,
    /// A line that could not be read is written as a structure: to its reader it was none.
    FaultyLine,
    /// The version in the header is another one.
    Version,
    /// A line of the input is no part of the data that was read.
    Line,
    /// U+FFFD is where the input has octets that could not be decoded.
    Octets,
    /// Readers take the octets of the output for another encoding.
    Encoding,
    /// A tag or an identifier is longer than some programs take. Nothing differs: advice.
    Long,
}

/// The differences that each code may explain. A code that is not here explains nothing.
pub const TABLE: [(&str, &[Difference]); 25] = {
    use Difference as D;
    [
        // Advice of the lines, given where they are written as well.
        ("E0208", &[D::Long]),
        ("E0209", &[D::Long]),
        ("E0801", &[D::Structure]),
        ("E0802", &[D::Identifier]),
        // Characters that the declarative draft removes are gone before (P06).
        ("E0803", &[D::Characters]),
        ("E0804", &[D::Metadata, D::Line]),
        ("E0805", &[D::Pointer]),
        ("E0806", &[D::Structure, D::Metadata, D::HeadPayload]),
        ("E0807", &[D::Whitespace]),
        ("E0808", &[D::IdentifierWithin]),
        ("E0809", &[D::Schema]),
        ("E0810", &[D::Type]),
        ("E0811", &[D::OtherIdentifier]),
        ("E0812", &[D::FaultyLine]),
        ("E0813", &[D::Escape]),
        ("E0814", &[D::Version]),
        ("E0815", &[D::Metadata]),
        ("E0816", &[D::Line, D::Metadata]),
        ("E0817", &[D::Octets]),
        ("E0818", &[D::Encoding]),
        // Of a conversion to another standard by what structures mean, which is none of the same structures.
        ("E0819", &[]),
        ("E0820", &[]),
        ("E0821", &[]),
        // Of archives, which the suite does not convert.
        ("E0822", &[]),
        // Of programs that give the writer levels.
        ("E0823", &[]),
    ]
};

/// The reports of a conversion by line: each explains a difference there, or is a false alarm.
pub struct Reports<'r> {
    by_line: HashMap<u64, Vec<Report<'r>>>,
    /// The faults found so far.
    pub faults: Vec<String>,
}

struct Report<'r> {
    finding: &'r Diagnostic,
    explains: &'static [Difference],
    is_used: bool,
}

impl<'r> Reports<'r> {
    /// Sorts the reports by line; one without a place or with a code that is not in the table is a fault.
    pub fn new(findings: &'r [Diagnostic]) -> Reports<'r> {
        let mut reports = Reports { by_line: HashMap::new(), faults: Vec::new() };
        for finding in findings {
            let row = TABLE.iter().find(|(code, _)| *code == finding.code.id());
            let explains = row.map_or(&[] as &[Difference], |(_, explains)| explains);
            if row.is_none() {
                reports.faults.push(format!("{} is not in the table: {}", finding.code, finding.message));
            }
            let Some(place) = finding.place else {
                reports.faults.push(format!("no place: {} {}", finding.code, finding.message));
                continue;
            };
            let report = Report { finding, explains, is_used: false };
            reports.by_line.entry(place.line).or_default().push(report);
        }
        reports
    }

    /// Returns whether a difference of that kind is reported at a line, be the report used up or not.
    pub fn has(&self, line: u64, difference: Difference) -> bool {
        self.at(line).any(|report| report.explains.contains(&difference))
    }

    /// Returns whether a difference of that kind is reported at all.
    pub fn says(&self, difference: Difference) -> bool {
        self.by_line.values().flatten().any(|report| report.explains.contains(&difference))
    }

    /// Returns whether a difference of one of those kinds is reported of a line that defines a prefix, or
    /// refers to a schema that does.
    pub fn says_of_prefixes(&self, differences: &[Difference]) -> bool {
        let of_prefixes = |report: &&Report<'_>| {
            let text = report.finding.excerpt.as_ref().map_or("", |excerpt| &*excerpt.text);
            text.contains("PRFX") || text.contains("SCHMA")
        };
        let mut all = self.by_line.values().flatten().filter(of_prefixes);
        all.any(|report| differences.iter().any(|difference| report.explains.contains(difference)))
    }

    /// Tells the same as [`Reports::has`] of a difference that is there, and uses the report up: each pays
    /// for one difference.
    pub fn explain(&mut self, line: u64, difference: Difference) -> bool {
        self.take(line, difference).is_some()
    }

    /// Returns the report that a difference uses up.
    pub fn take(&mut self, line: u64, difference: Difference) -> Option<&'r Diagnostic> {
        let fits = |report: &&mut Report<'r>| !report.is_used && report.explains.contains(&difference);
        let report = self.by_line.get_mut(&line)?.iter_mut().find(fits)?;
        report.is_used = true;
        Some(report.finding)
    }

    /// Notes a difference; a fault where it is not reported.
    pub fn needs(&mut self, line: u64, difference: Difference, what: impl FnOnce() -> String) {
        if !self.explain(line, difference) {
            self.faults.push(format!("line {line}: {difference:?} not reported: {}", what()));
        }
    }

    /// Notes a difference of which there are several kinds.
    pub fn needs_any(&mut self, line: u64, differences: &[Difference], what: impl FnOnce() -> String) {
        if !differences.iter().any(|difference| self.explain(line, *difference)) {
            self.faults.push(format!("line {line}: {differences:?} not reported: {}", what()));
        }
    }

    /// Notes what no report excuses.
    pub fn fault(&mut self, line: u64, what: &str) {
        self.faults.push(format!("line {line}: {what}"));
    }

    /// Returns the faults, and the reports that explain nothing.
    pub fn into_faults(self) -> Vec<String> {
        let Reports { by_line, mut faults } = self;
        let mut alarms: Vec<(u64, &Diagnostic)> = by_line
            .into_iter()
            .flat_map(|(line, reports)| reports.into_iter().map(move |report| (line, report)))
            .filter(|(_, report)| !report.is_used)
            .map(|(line, report)| (line, report.finding))
            .collect();
        alarms.sort_by_key(|(line, finding)| (*line, finding.code.id()));
        let shown = |(line, finding): (u64, &Diagnostic)| {
            format!("line {line}: false alarm {} {}", finding.code.id(), finding.message)
        };
        faults.extend(alarms.into_iter().map(shown));
        faults
    }

    fn at(&self, line: u64) -> impl Iterator<Item = &Report<'r>> {
        self.by_line.get(&line).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_writing_is_in_the_table_once() {
        let written: Vec<&str> =
            elf_base::codes::all().map(|code| code.id()).filter(|id| id.starts_with("E08")).collect();
        let table: Vec<&str> = TABLE.iter().map(|(id, _)| *id).filter(|id| id.starts_with("E08")).collect();
        assert_eq!(table, written);
    }
}
