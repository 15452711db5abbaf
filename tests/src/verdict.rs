//! Compares an answer with a vector.

use crate::answer::{Answer, Finding};
use crate::library::{answer_of_file, structures_to_read_back};
use crate::notation::text::escape_text;
use crate::notation::tree::Tree;
use crate::vectors::Case;
use crate::vectors::vector::{Form, Line, LinePayload, Octets, Outcome, Vector};
use elf_octets::Options;

/// What an answer may leave out.
#[derive(Clone, Copy, Debug)]
pub struct Expectations {
    /// True if the program must go on after a violation from which the draft lets it recover.
    pub must_recover: bool,
    /// True if the program reports codes of `elf`.
    pub has_codes: bool,
}

impl Expectations {
    /// Everything, as our libraries answer.
    pub const ALL: Expectations = Expectations { must_recover: true, has_codes: true };
}

/// Returns the first difference between a vector and an answer.
///
/// # Errors
///
/// The expected and the found result, as a message.
pub fn check(case: &Case, answer: &Answer, expectations: Expectations) -> Result<(), String> {
    let vector = &case.vector;
    if vector.form == Form::Written || vector.form == Form::Serialised {
        return written(case, answer, expectations);
    }
    if let Some(expected) = vector.outcome {
        let ends = outcome(vector, expected, answer, expectations)?;
        if ends {
            return Ok(());
        }
    }
    encoding_and_header(vector, answer)?;
    vector.lines.iter().try_for_each(|expected| line(expected, &answer.lines, expectations))?;
    structures(vector, answer, expectations)?;
    for (key, expected) in &vector.value {
        let found = answer.value.get(key).map_or("none", String::as_str);
        compare(key, &expected.word(), found)?;
    }
    schema(vector, answer)?;
    if !vector.tokens.is_empty() {
        compare("the tokens", &vector.tokens.join("|"), &answer.tokens.join("|"))?;
    }
    if expectations.has_codes { codes(vector, answer) } else { Ok(()) }
}

/// Compares the outcome. Returns true if the program may end where the vector goes on, and does.
fn outcome(
    vector: &Vector,
    expected: Outcome,
    answer: &Answer,
    expectations: Expectations,
) -> Result<bool, String> {
    let Some(found) = answer.outcome() else { return Ok(false) };
    let may_end = expected == Outcome::NonConformant && !expectations.must_recover;
    let ends = may_end && found == Outcome::Ends;
    if !ends {
        compare("the outcome", expected.name(), found.name())
            .map_err(|error| format!("{error}: {}", list(&answer.findings)))?;
    }
    if let (Some(expected), Some(found)) =
        (vector.violation, answer.first_error().and_then(|found| found.layer))
    {
        compare("a violation of", expected.name(), found.name())
            .map_err(|error| format!("{error}: {}", list(&answer.findings)))?;
    }
    Ok(ends)
}

fn encoding_and_header(vector: &Vector, answer: &Answer) -> Result<(), String> {
    let (encoding, header) = (&vector.encoding, &vector.header);
    for (what, expected, found) in [
        ("the detected encoding", &encoding.detected, &answer.encoding.detected),
        ("the specified encoding", &encoding.specified, &answer.encoding.specified),
        ("the encoding", &encoding.used, &answer.encoding.used),
        ("the reason of the encoding", &encoding.because, &answer.encoding.because),
        ("the ELF version", &header.elf_version, &answer.header.elf_version),
        ("the GEDCOM version", &header.gedcom_version, &answer.header.gedcom_version),
        ("the language", &header.language, &answer.header.language),
    ] {
        if let Some(expected) = expected {
            compare(what, expected, found.as_deref().unwrap_or("none"))?;
        }
    }
    if let Some(schemas) = &header.schemas {
        let found = answer.header.schemas.clone().unwrap_or_default();
        compare("the schemas", &schemas.join(" "), &found.join(" "))?;
    }
    Ok(())
}

fn line(expected: &Line, lines: &[Line], expectations: Expectations) -> Result<(), String> {
    let found = lines.iter().find(|line| line.line == expected.line);
    let found = found.ok_or_else(|| format!("expected line {}, but found none", expected.line))?;
    let without_empty = |payload: &Option<LinePayload>| {
        payload.clone().filter(|payload| *payload != LinePayload::Text(String::new()))
    };
    let same_code = expected.code.is_none() || !expectations.has_codes || expected.code == found.code;
    let same = same_code
        && expected.error == found.error
        && (expected.error
            || (expected.level, &expected.xref, &expected.tag) == (found.level, &found.xref, &found.tag)
                && without_empty(&expected.payload) == without_empty(&found.payload));
    if same { Ok(()) } else { Err(format!("expected {expected:?}\n but found {found:?}")) }
}

fn structures(vector: &Vector, answer: &Answer, expectations: Expectations) -> Result<(), String> {
    let is_like = match vector.form {
        Form::Typed => Tree::is_typed_like,
        _ => Tree::is_tagged_like,
    };
    for (what, expected, found) in [
        ("the metadata", &vector.metadata, &answer.metadata),
        ("the records", &vector.records, &answer.records),
    ] {
        let Some(expected) = expected else { continue };
        // Any string may be converted to normal form C (Basic Concepts, Strings).
        let is_equal = match expectations.has_codes {
            true => is_like(found, expected),
            false => is_like(&found.to_nfc(), &expected.to_nfc()),
        };
        if !is_equal {
            return Err(format!("expected {what} {expected}\n but found {found}"));
        }
    }
    let mut whole = answer.metadata.clone();
    whole.structures.extend(answer.records.structures.iter().cloned());
    let mut at = 0;
    for expected in &vector.somewhere {
        match whole.find_typed(expected, at) {
            Some(found) => at = found + 1,
            None => return Err(format!("expected {expected} somewhere\n but found {whole}")),
        }
    }
    Ok(())
}

fn schema(vector: &Vector, answer: &Answer) -> Result<(), String> {
    if let Some(expected) = &vector.definitions {
        // The order of definitions means nothing.
        compare("the definitions", &sorted(expected), &sorted(&answer.definitions))
            .map_err(|error| format!("{error}: {}", list(&answer.findings)))?;
    }
    for expected in &vector.types {
        let found = answer.types.iter().find(|found| found.tag == expected.tag);
        let found = found.map(|found| found.iris.join(" ")).unwrap_or_default();
        compare(&format!("the types of {}", expected.tag), &expected.iris.join(" "), &found)?;
    }
    if vector.supertypes.is_empty() {
        return Ok(());
    }
    compare("the supertypes", &sorted(&vector.supertypes), &sorted(&answer.supertypes))
}

fn sorted(parts: &[String]) -> String {
    let mut parts = parts.to_vec();
    parts.sort_unstable();
    parts.join(" ; ")
}

fn codes(vector: &Vector, answer: &Answer) -> Result<(), String> {
    let ids = |findings: &mut dyn Iterator<Item = &Finding>| {
        findings.filter_map(|found| found.code.as_deref()).collect::<Vec<_>>().join(" ")
    };
    let errors = ids(&mut answer.findings.iter().filter(|found| found.is_error()));
    let all = ids(&mut answer.findings.iter());
    for (expected, found) in [(&vector.codes.errors, errors), (&vector.codes.all, all)] {
        if let Some(expected) = expected {
            compare("the codes", &expected.join(" "), &found)
                .map_err(|error| format!("{error}: {}", list(&answer.findings)))?;
        }
    }
    let is_reported = |code: &String| answer.findings.iter().any(|found| found.code.as_ref() == Some(code));
    if let Some(code) = vector.codes.reports.iter().find(|code| !is_reported(code)) {
        return Err(format!("expected a report of {code}, but found {}", list(&answer.findings)));
    }
    match vector.codes.never.iter().find(|code| is_reported(code)) {
        Some(code) => Err(format!("expected no report of {code}, but found {}", list(&answer.findings))),
        None => Ok(()),
    }
}

/// Compares a written file, and reads it back with our libraries.
fn written(case: &Case, answer: &Answer, expectations: Expectations) -> Result<(), String> {
    let vector = &case.vector;
    let octets = match (answer.written.as_ref().ok_or("expected a written file")?, &vector.written.refused) {
        (Ok(octets), None) => octets,
        (Ok(octets), Some(refused)) => {
            return Err(format!("expected {refused:?}, but found {}", print(octets)));
        }
        (Err(error), Some(refused)) if error.contains(refused) || !expectations.has_codes => return Ok(()),
        (Err(error), _) => return Err(error.clone()),
    };
    bytes(vector, octets)?;
    let read = answer_of_file(octets, &case.rules, &Options::default())?;
    encoding_and_header(vector, &read)?;
    if expectations.has_codes {
        codes(vector, answer)?;
    }
    let says_nothing = answer.findings.is_empty();
    if vector.form == Form::Written && says_nothing && vector.settings.from.is_none() {
        read_back(case, &read)?;
    }
    Ok(())
}

fn bytes(vector: &Vector, octets: &[u8]) -> Result<(), String> {
    let expected = &vector.written;
    let shown = print(octets);
    if let Some(whole) = &expected.whole {
        compare("the file", &print(&whole.bytes()?), &shown)?;
    }
    let contains = |part: &Octets| -> Result<bool, String> {
        let part = part.bytes()?;
        Ok(octets.windows(part.len().max(1)).any(|window| window == part))
    };
    for part in &expected.has {
        if !contains(part)? {
            return Err(format!("expected {} in the file, but found {shown}", print(&part.bytes()?)));
        }
    }
    for part in &expected.lacks {
        if contains(part)? {
            return Err(format!("expected no {} in the file, but found {shown}", print(&part.bytes()?)));
        }
    }
    if let Some(starts) = &expected.starts
        && !octets.starts_with(&starts.bytes()?)
    {
        return Err(format!("expected a file that starts with {:02X?}, but found {shown}", starts.bytes()?));
    }
    let longest = octets.split_inclusive(|&octet| octet == b'\n').map(<[u8]>::len).max().unwrap_or(0);
    match expected.longest.filter(|&expected| longest > expected) {
        Some(expected) => {
            Err(format!("expected lines of at most {expected} octets, but found one of {longest}"))
        }
        None => Ok(()),
    }
}

/// A writer that reports nothing has written a conformant file with everything in it.
fn read_back(case: &Case, read: &Answer) -> Result<(), String> {
    if read.outcome() != Some(Outcome::Conformant) {
        return Err(format!("expected a conformant file, but found {}", list(&read.findings)));
    }
    let (metadata, records) = match &case.vector.dataset {
        Some(dataset) => structures_to_read_back(dataset),
        None => {
            let input = case.vector.input()?.ok_or("expected an input")?;
            let input = answer_of_file(&input, &case.rules, &Options::default())?;
            (input.metadata, input.records)
        }
    };
    for (what, expected, found) in
        [("the metadata", &metadata, &read.metadata), ("the records", &records, &read.records)]
    {
        if !found.is_tagged_like(expected) {
            return Err(format!("expected {what} {expected} read back\n but found {found}"));
        }
    }
    Ok(())
}

fn print(octets: &[u8]) -> String {
    escape_text(&String::from_utf8_lossy(octets))
}

fn compare(what: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("expected {what} {expected}\n but found {found}")) }
}

/// Findings on one line.
fn list(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return "no finding".to_owned();
    }
    findings.iter().map(|found| found.message.as_str()).collect::<Vec<_>>().join("; ")
}
