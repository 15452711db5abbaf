//! Vectors that read octets, lines and payloads.

use super::{compare, compare_option, outcome_of, tree_of};
use crate::notation::december::{self, Expected, Input, Outcome};
use crate::notation::january::{EncodingKind, Line};
use crate::notation::text::escape_text;
use crate::notation::tree::Payload;
use crate::vectors::Expect;
use elf_base::{Diagnostic, Rules};
use elf_lines::Payload as LinePayload;
use elf_octets::{Encoding, Options};
use elf_tagged::{Document, Node, Version};

/// Runs a vector in the notation of the December table.
pub(super) fn run_december(
    input: &Input,
    expected: Option<&Expected>,
    external: Option<Encoding>,
    rules: &Rules,
    expect: &Expect,
) -> Result<(), String> {
    match (input, expected) {
        (Input::File(octets), _) => {
            let mut findings = Vec::new();
            let document =
                read_file(octets, rules, &Options::default().with_external(external), &mut findings)?;
            if let Some(Expected::File(outcome, tree)) = expected {
                let found = match outcome {
                    Outcome::Any => Outcome::Any,
                    _ => outcome_of(document.is_complete(), &findings),
                };
                compare("the outcome", &outcome.to_string(), &found.to_string())
                    .map_err(|error| format!("{error}: {}", list_findings(&findings)))?;
                if let Some(tree) = tree {
                    compare("the tree", &tree.to_string(), &tree_of(&document).to_string())?;
                }
            }
            check_assertions(&document, &findings, expect)
        }
        (Input::Scan(octets), expected) => {
            let mut findings = Vec::new();
            let options = Options::default().with_external(external);
            let document = read_file(octets, rules, &options, &mut findings)?;
            let decision = document.source().decision();
            if let Some(Expected::Scan(expected)) = expected {
                // Only the scan matters, not what happens to the text later.
                let mut scanned = Vec::new();
                let source = elf_octets::Source::read(octets, rules, &options, &mut scanned)
                    .map_err(|e| e.to_string())?;
                match (expected, outcome_of(source.is_complete(), &scanned)) {
                    (Ok(name), Outcome::Ok | Outcome::NonConformant | Outcome::Any) => {
                        compare("the encoding", name, decision.used.name())?
                    }
                    // The encoding is decided, even if a byte cannot be decoded in it.
                    (Ok(name), Outcome::Stop(december::Stop::Encoding)) if are_about_body_only(&scanned) => {
                        compare("the encoding", name, decision.used.name())?;
                    }
                    (Ok(name), found) => compare("the encoding", name, &found.to_string())?,
                    (Err(stop), found) => {
                        compare("the outcome", &Outcome::Stop(*stop).to_string(), &found.to_string())?
                    }
                }
            }
            check_assertions(&document, &findings, expect)
        }
        (Input::Line(text), Some(Expected::Line(expected))) => {
            let found = elf_lines::parse(text, &rules.lines);
            match (expected, found) {
                (Some(expected), Ok(line)) => {
                    compare("the line", &expected.to_string(), &parts(&line).to_string())
                }
                (Some(expected), Err(fault)) => {
                    compare("the line", &expected.to_string(), &fault.to_string())
                }
                (None, Ok(line)) => compare("a malformed line", "", &parts(&line).to_string()),
                (None, Err(fault)) => codes_of(expect, &[fault.code]),
            }
        }
        (Input::Line(text), _) => match elf_lines::parse(text, &rules.lines) {
            Ok(line) => Err(format!("expected a malformed line, but found {}", parts(&line))),
            Err(fault) => codes_of(expect, &[fault.code]),
        },
        (Input::Payload(payload), expected) => {
            let mut findings = Vec::new();
            let file = format!("0 HEAD\n0 NOTE {payload}\n0 TRLR\n");
            let document = read_file(file.as_bytes(), rules, &utf8_options(), &mut findings)?;
            if let Some(Expected::Payload(outcome, text)) = expected {
                compare(
                    "the outcome",
                    &outcome.to_string(),
                    &outcome_of(document.is_complete(), &findings).to_string(),
                )
                .map_err(|error| format!("{error}: {}", list_findings(&findings)))?;
                if let Some(text) = text {
                    let note = document.records().next().ok_or("expected a record")?;
                    compare("the payload", &escape_text(text), &shown(note))?;
                }
            }
            check_assertions(&document, &findings, expect)
        }
        (Input::Version(text), Some(Expected::Version(expected))) => {
            let found = Version::parse(text).map(|v| [v.major(), v.minor(), v.revision()].map(str::to_owned));
            compare("the version", &format!("{expected:?}"), &format!("{found:?}"))
        }
        (Input::Xref(label), Some(Expected::Xref(expected))) => {
            let line = format!("0 {label} INDI");
            let id = label.strip_prefix('@').and_then(|label| label.strip_suffix('@'));
            let found = elf_lines::parse(&line, &rules.lines).is_ok_and(|line| line.xref() == id);
            compare("a valid identifier:", &expected.to_string(), &found.to_string())
        }
        (Input::Pointer(payload), Some(Expected::Pointer(expected))) => {
            let line = format!("0 NOTE {payload}");
            let line = elf_lines::parse(&line, &rules.lines).map_err(|fault| fault.to_string())?;
            compare("a pointer:", &expected.to_string(), &line.is_pointer().to_string())
        }
        _ => Err("the vector expects what does not fit its input".to_owned()),
    }
}

/// Runs a `B:` vector.
pub(super) fn run_encoding(
    octets: &[u8],
    which: EncodingKind,
    name: Option<&str>,
    rules: &Rules,
) -> Result<(), String> {
    let decision = elf_octets::decide(octets, rules, &Options::default(), &mut ());
    let found = match which {
        EncodingKind::Detected => decision.detected.map(Encoding::name),
        EncodingKind::Specified => decision.specified.as_deref(),
        EncodingKind::Used => Some(decision.used.name()),
    };
    compare_option("the encoding", name, found)
}

/// Runs an `L:` vector.
pub(super) fn run_lines(
    text: &str,
    expected: &[Line],
    last: bool,
    rules: &Rules,
    expect: &Expect,
) -> Result<(), String> {
    let mut findings = Vec::new();
    let document = read_file(text.as_bytes(), rules, &utf8_options(), &mut findings)?;
    let mut found = lines_of(&document);
    if last {
        found.drain(..found.len().saturating_sub(expected.len()));
    }
    let same = |expected: &Line, found: &Line| {
        expected.level.is_none_or(|level| Some(level) == found.level)
            && (&expected.xref, &expected.tag) == (&found.xref, &found.tag)
            && (expected.payload == found.payload || expected.partly && expected.payload.is_none())
    };
    if expected.len() != found.len() || !expected.iter().zip(&found).all(|(e, f)| same(e, f)) {
        let print = |lines: &[Line]| lines.iter().map(Line::to_string).collect::<String>();
        compare("the lines", &print(expected), &print(&found))?;
    }
    check_assertions(&document, &findings, expect)
}

/// The lines of a document: all its nodes.
fn lines_of(document: &Document<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut root = document.head().into_iter().chain(document.records()).min_by_key(|node| node.id());
    while let Some(node) = root.filter(|node| !node.is_inserted()) {
        push_line(&mut lines, node, 0);
        let mut open: Vec<Box<dyn Iterator<Item = Node<'_>>>> = vec![Box::new(node.lines())];
        while let Some(siblings) = open.last_mut() {
            let Some(node) = siblings.next() else {
                open.pop();
                continue;
            };
            push_line(&mut lines, node, open.len());
            open.push(Box::new(node.lines()));
        }
        root = document.node(node.subtree_end());
    }
    lines
}

fn push_line(lines: &mut Vec<Line>, node: Node<'_>, depth: usize) {
    lines.push(Line {
        level: u32::try_from(depth).ok(),
        xref: node.xref().map(str::to_owned),
        tag: node.tag().to_owned(),
        payload: node.line_payload().map(str::to_owned),
        partly: false,
    });
}

/// Runs an `X:` vector.
pub(super) fn run_payload(tag: &str, payload: &str, expected: &str, rules: &Rules) -> Result<(), String> {
    let file = format!("0 HEAD\n0 {tag} {payload}\n0 TRLR\n");
    let document = read_file(file.as_bytes(), rules, &utf8_options(), &mut Vec::new())?;
    let node = document.records().next().ok_or("expected a record")?;
    compare("the payload", &escape_text(expected), &shown(node))
}

/// Runs an `X tokens:` vector. A doubled at sign is one token.
pub(super) fn run_tokens(payload: &str, expected: &[String], rules: &Rules) -> Result<(), String> {
    let found: Vec<&str> =
        elf_tagged::escape::tokens(payload, rules.tagged.escape).map(|(_, token)| token.raw()).collect();
    compare("the tokens", &expected.join("|"), &found.join("|"))
}

/// Reads a whole file.
pub(super) fn read_file<'o>(
    octets: &'o [u8],
    rules: &Rules,
    options: &Options,
    findings: &mut Vec<Diagnostic>,
) -> Result<Document<'o>, String> {
    elf_tagged::read(octets, rules, options, findings).map_err(|error| error.to_string())
}

/// The options for vectors that give text instead of bytes.
pub(super) fn utf8_options() -> Options {
    Options::default().with_forced(Some(Encoding::Utf8))
}

/// Checks the additional assertions of a vector.
pub(super) fn check_assertions(
    document: &Document<'_>,
    findings: &[Diagnostic],
    expect: &Expect,
) -> Result<(), String> {
    let Expect { codes, reports, never, .. } = expect;
    if let Some(codes) = codes {
        let ids = |codes: &mut dyn Iterator<Item = elf_base::Code>| {
            codes.map(|code| code.id()).collect::<Vec<_>>().join(" ")
        };
        let found = ids(&mut findings.iter().filter(|found| found.class.is_error()).map(|found| found.code));
        compare("the codes", &ids(&mut codes.iter().copied()), &found)
            .map_err(|e| format!("{e}: {}", list_findings(findings)))?;
    }
    for code in reports {
        if !findings.iter().any(|found| found.code == *code) {
            return Err(format!("expected a report of {code}, but found {}", list_findings(findings)));
        }
    }
    for code in never {
        if findings.iter().any(|found| found.code == *code) {
            return Err(format!("expected no report of {code}, but found {}", list_findings(findings)));
        }
    }
    let decision = document.source().decision();
    let header = document.header();
    let version = |version: Option<&Version>| version.map(Version::to_string);
    for (what, expected, found) in [
        (
            "the detected encoding",
            &expect.detected,
            decision.detected.map(|encoding| encoding.name().to_owned()),
        ),
        ("the specified encoding", &expect.specified, decision.specified.as_deref().map(str::to_owned)),
        ("the reason", &expect.because, Some(decision.because.name().to_owned())),
        ("the ELF version", &expect.elf_version, version(header.elf_version())),
        ("the GEDCOM version", &expect.gedcom_version, version(header.gedcom_version())),
        ("the language", &expect.language, header.language().map(str::to_owned)),
    ] {
        if let Some(expected) = expected {
            compare(what, expected, found.as_deref().unwrap_or("none"))?;
        }
    }
    if let Some(schemas) = &expect.schemas {
        let found: Vec<&str> = header.schemas().collect();
        compare("the schemas", &schemas.join(" "), &found.join(" "))?;
    }
    Ok(())
}

fn codes_of(expect: &Expect, found: &[elf_base::Code]) -> Result<(), String> {
    let ids = |codes: &[elf_base::Code]| codes.iter().map(|code| code.id()).collect::<Vec<_>>().join(" ");
    match &expect.codes {
        Some(codes) => compare("the codes", &ids(codes), &ids(found)),
        None => Ok(()),
    }
}

/// Returns whether all findings are about bytes that cannot be decoded, which the scan does not check.
fn are_about_body_only(findings: &[Diagnostic]) -> bool {
    findings
        .iter()
        .filter(|found| found.class.is_error())
        .all(|found| found.code == elf_base::codes::OCTET_UNDECODABLE)
}

fn parts(line: &elf_lines::Line<'_>) -> december::Line {
    let payload = match line.payload() {
        None => Payload::None,
        Some(LinePayload::Text(text)) => Payload::from_text(text.to_owned()),
        Some(LinePayload::Pointer(id)) => Payload::Pointer(id.to_owned()),
    };
    let [xref, tag] = [line.xref(), Some(line.tag())].map(|part| part.map(str::to_owned));
    december::Line { level: line.level(), xref, tag: tag.unwrap_or_default(), payload }
}

fn shown(node: Node<'_>) -> String {
    match node.payload() {
        elf_tagged::Payload::None => String::new(),
        elf_tagged::Payload::Text(text) => escape_text(&text),
        elf_tagged::Payload::Pointer(id) => format!("->{id}"),
    }
}

/// Lists findings on one line.
pub(super) fn list_findings(findings: &[Diagnostic]) -> String {
    let one = |found: &Diagnostic| {
        let line = found.place.map_or(0, |place| place.line);
        format!("{} {} at line {line} ({})", found.code, found.class, found.message)
    };
    if findings.is_empty() {
        "no report".to_owned()
    } else {
        findings.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}
