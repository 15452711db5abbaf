//! Answers about files that are read.

use super::{input, text, trees, utf8};
use crate::answer::{Answer, Finding};
use crate::vectors::Case;
use crate::vectors::vector::{EncodingExpect, HeaderExpect, Line, LinePayload};
use elf_base::{Diagnostic, Rules};
use elf_octets::{Encoding, Options};
use elf_schema::ReadOptions;
use elf_tagged::{Document, Version};

/// The answer for the forms `encoding`, `lines` and `tagged`.
pub(super) fn answer(case: &Case) -> Result<Answer, String> {
    let options = Options::default().with_external(case.vector.settings.external_encoding()?);
    answer_of_file(&input(case)?, &case.rules, &options)
}

/// Returns everything about a file up to its tagged structures.
///
/// # Errors
///
/// An error if the file is too large.
pub(crate) fn answer_of_file(octets: &[u8], rules: &Rules, options: &Options) -> Result<Answer, String> {
    let mut findings = Vec::new();
    let document =
        elf_tagged::read(octets, rules, options, &mut findings).map_err(|error| error.to_string())?;
    let mut answer = of_document(&document, &findings);
    answer.lines = lines(&document, rules);
    answer.metadata = trees::tagged(document.metadata());
    answer.records = trees::tagged(document.records());
    Ok(answer)
}

/// The answer for the form `typed`.
pub(super) fn typed(case: &Case) -> Result<Answer, String> {
    let mut findings = Vec::new();
    let options = ReadOptions::default().with_octets(utf8());
    let octets = input(case)?;
    let typed = elf_schema::read(&octets, &case.rules, &options, &mut findings);
    let typed = typed.map_err(|error| error.to_string())?;
    let mut answer = of_document(typed.document(), &findings);
    answer.metadata = trees::typed(&typed, typed.metadata());
    answer.records = trees::typed(&typed, typed.records());
    Ok(answer)
}

/// The answer for the form `tokens`: a doubled at sign is a token.
pub(super) fn tokens(case: &Case) -> Result<Answer, String> {
    let payload = text(case)?;
    let tokens = elf_tagged::escape::tokens(&payload, case.rules.tagged.escape);
    Ok(Answer { tokens: tokens.map(|(_, token)| token.raw().to_owned()).collect(), ..Answer::default() })
}

/// The findings, the encodings and the header of a document.
pub(super) fn of_document(document: &Document<'_>, findings: &[Diagnostic]) -> Answer {
    let decision = document.source().decision();
    let header = document.header();
    let known = |value: Option<&str>| Some(value.unwrap_or("none").to_owned());
    let version = |version: Option<&Version>| known(version.map(Version::to_string).as_deref());
    Answer {
        findings: findings.iter().map(Finding::of_library).collect(),
        is_complete: Some(document.is_complete()),
        encoding: EncodingExpect {
            detected: known(decision.detected.map(Encoding::name)),
            specified: known(decision.specified.as_deref()),
            used: known(Some(decision.used.name())),
            because: known(Some(decision.because.name())),
        },
        header: HeaderExpect {
            elf_version: version(header.elf_version()),
            gedcom_version: version(header.gedcom_version()),
            language: known(header.language()),
            schemas: Some(header.schemas().map(str::to_owned).collect()),
        },
        ..Answer::default()
    }
}

fn lines(document: &Document<'_>, rules: &Rules) -> Vec<Line> {
    let mut locator = document.locator();
    let strings = document.source().line_strings();
    let line = |span: elf_base::Span| {
        let number = locator.place(span).line;
        let text = span.of(document.text());
        match elf_lines::parse(text, &rules.lines) {
            Ok(line) => Line {
                line: number,
                level: Some(line.level().into()),
                xref: line.xref().map(str::to_owned),
                tag: Some(line.tag().to_owned()),
                payload: line.payload().map(|payload| match payload {
                    elf_lines::Payload::Text(text) => LinePayload::Text(text.to_owned()),
                    elf_lines::Payload::Pointer(id) => LinePayload::Pointer { pointer: id.to_owned() },
                }),
                ..Line::default()
            },
            Err(fault) => Line {
                line: number,
                error: true,
                text: Some(text.to_owned()),
                code: Some(fault.code.id().to_owned()),
                ..Line::default()
            },
        }
    };
    strings.map(line).collect()
}
