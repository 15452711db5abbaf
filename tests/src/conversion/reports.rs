//! The reports of a conversion by line, and the table of the differences that each code explains.

use elf_base::Diagnostic;
use std::collections::HashMap;

/// A difference between input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A structure is left out, with everything under it.
    Structure,
    /// Metadata is left out, with everything under it.
    Metadata,
    /// The payload of the header record is left out.
    HeadPayload,
    /// An identifier is left out.
    Identifier,
    /// An identifier changes.
    OtherIdentifier,
    /// A structure that is not a record is written with its identifier. This is advice, without a difference.
    IdentifierWithin,
    /// Characters are left out of a payload.
    Characters,
    /// Whitespace at the ends of payload lines is lost.
    Whitespace,
    /// An escape became text, or was removed when the payload was read.
    Escape,
    /// A pointer changes its target, or becomes text.
    Pointer,
    /// A definition, or another part of a schema, is left out.
    Schema,
    /// The type of a structure changes.
    Type,
    /// A malformed line is written as a structure.
    FaultyLine,
    /// The version in the header changes.
    Version,
    /// A line of the input is not part of the data.
    Line,
    /// U+FFFD replaces bytes of the input that cannot be decoded.
    Octets,
    /// Readers detect another encoding in the output.
    Encoding,
    /// A tag or an identifier is longer than some programs support. This is advice, without a difference.
    Long,
}

/// The differences that each code explains. A code that is missing explains nothing.
pub const TABLE: [(&str, &[Difference]); 25] = {
    use Difference as D;
    [
        // Advice about lines, which is given on writing too.
        ("E0208", &[D::Long]),
        ("E0209", &[D::Long]),
        ("E0801", &[D::Structure]),
        ("E0802", &[D::Identifier]),
        // The declarative draft has removed these characters before (P06).
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
        // Only in migrations, which change structures.
        ("E0819", &[]),
        ("E0820", &[]),
        ("E0821", &[]),
        // Only about archives, which the suite does not convert.
        ("E0822", &[]),
        // Only for programs that pass levels to the writer.
        ("E0823", &[]),
    ]
};

/// The reports of a conversion by line. Each must explain a difference in that line.
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
    /// Sorts the reports by line. A report without a place or with an unknown code is a fault.
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

    /// Returns whether a difference of this kind is reported for a line. The report may have explained another
    /// difference.
    pub fn is_reported_at(&self, line: u64, difference: Difference) -> bool {
        self.at(line).any(|report| report.explains.contains(&difference))
    }

    /// Returns whether a difference of this kind is reported for any line.
    pub fn is_reported(&self, difference: Difference) -> bool {
        self.by_line.values().flatten().any(|report| report.explains.contains(&difference))
    }

    /// Returns whether a difference of one of these kinds is reported for a line that defines a prefix, or that refers
    /// to a schema with prefixes.
    pub fn is_reported_for_prefixes(&self, differences: &[Difference]) -> bool {
        let of_prefixes = |report: &&Report<'_>| {
            let text = report.finding.excerpt.as_ref().map_or("", |excerpt| &*excerpt.text);
            text.contains("PRFX") || text.contains("SCHMA")
        };
        let mut all = self.by_line.values().flatten().filter(of_prefixes);
        all.any(|report| differences.iter().any(|difference| report.explains.contains(difference)))
    }

    /// Marks a report as the explanation of a difference. Each report explains one difference. Returns whether there is
    /// one.
    pub fn explain(&mut self, line: u64, difference: Difference) -> bool {
        self.use_report(line, difference).is_some()
    }

    /// Returns a report that explains a difference, and marks it as used.
    pub fn use_report(&mut self, line: u64, difference: Difference) -> Option<&'r Diagnostic> {
        let fits = |report: &&mut Report<'r>| !report.is_used && report.explains.contains(&difference);
        let report = self.by_line.get_mut(&line)?.iter_mut().find(fits)?;
        report.is_used = true;
        Some(report.finding)
    }

    /// Adds a fault if a difference is not reported.
    pub fn require_report(&mut self, line: u64, difference: Difference, what: impl FnOnce() -> String) {
        if !self.explain(line, difference) {
            self.faults.push(format!("line {line}: {difference:?} not reported: {}", what()));
        }
    }

    /// Adds a fault if no difference of these kinds is reported.
    pub fn require_any_report(
        &mut self,
        line: u64,
        differences: &[Difference],
        what: impl FnOnce() -> String,
    ) {
        if !differences.iter().any(|difference| self.explain(line, *difference)) {
            self.faults.push(format!("line {line}: {differences:?} not reported: {}", what()));
        }
    }

    /// Adds a fault that no report can explain.
    pub fn add_fault(&mut self, line: u64, what: &str) {
        self.faults.push(format!("line {line}: {what}"));
    }

    /// Returns the faults, with one for each report that explains nothing.
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
