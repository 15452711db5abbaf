//! The notation of `req-d19.tsv`: `KIND "input" => expectation`, vectors separated by ` ; `, commentary in
//! brackets after.

use super::text::{decode_octets, decode_text, parse_quoted, split_outside};
use super::tree::Tree;
use std::fmt;

/// A vector that can be run as printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// The input.
    pub input: Input,
    /// The expected result.
    pub expected: Expected,
    /// The vector as printed, without the commentary after it.
    pub quote: String,
}

/// The input of a [`Vector`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// `FILE`: a whole file.
    File(Vec<u8>),
    /// `SCAN`: a file of which only the encoding matters.
    Scan(Vec<u8>),
    /// `LINE`: one line string.
    Line(String),
    /// `UNESC`: the payload of a structure.
    Payload(String),
    /// `VER`: a version number.
    Version(String),
    /// `XREF`: a cross-reference identifier with its at signs.
    Xref(String),
    /// `PTR`: a payload that may be a pointer.
    Pointer(String),
}

/// The expected result for an [`Input`].
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// The outcome and, if the table shows it, the tree.
    File(Outcome, Option<Tree>),
    /// The encoding, or how reading stops.
    Scan(Result<String, Stop>),
    /// The parts of the line. `None` if it is malformed.
    Line(Option<Line>),
    /// The outcome and, if the table shows it, the string.
    Payload(Outcome, Option<String>),
    /// Major, minor and revision, without leading zeros. `None` if the version is invalid.
    Version(Option<[String; 3]>),
    /// True if the input is a cross-reference identifier.
    Xref(bool),
    /// True if the payload is a pointer.
    Pointer(bool),
}

/// The outcome of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No finding that makes the source non-conformant.
    Ok,
    /// The input is not conformant, but reading continues.
    NonConformant,
    /// The reading ends.
    Stop(Stop),
    /// Any outcome. The draft leaves it open, and only the tree matters.
    Any,
}

/// Why reading ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A line string is not a line, or its level is too deep.
    MalformedLine,
    /// A structure is malformed.
    MalformedStructure,
    /// The bytes are in an encoding that cannot be read.
    Encoding,
    /// The input is not ELF.
    NotElf,
}

/// The parts of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The level.
    pub level: u32,
    /// The identifier, without at signs.
    pub xref: Option<String>,
    /// The tag.
    pub tag: String,
    /// The payload, as in a [`Tree`].
    pub payload: super::tree::Payload,
}

/// Parses the vectors of a cell that can be run as printed. Prose is skipped.
///
/// # Errors
///
/// A vector begins like one but is invalid. It must not be skipped, because it would never be run.
pub fn parse_vectors(cell: &str) -> Result<Vec<Vector>, String> {
    let mut vectors = Vec::new();
    for part in split_outside(cell, " ; ") {
        if let Some((kind, rest)) = part.split_once(' ')
            && matches!(kind, "FILE" | "SCAN" | "LINE" | "UNESC" | "VER" | "XREF" | "PTR")
            && rest.starts_with('"')
        {
            vectors.push(parse_vector(part).map_err(|error| format!("in {part:?}: {error}"))?);
        }
    }
    Ok(vectors)
}

/// Parses one vector.
///
/// # Errors
///
/// The expected and the found text, as a message.
pub fn parse_vector(text: &str) -> Result<Vector, String> {
    let (kind, rest) = text.split_once(' ').ok_or("expected a kind and an input")?;
    let (input, rest) = parse_quoted(rest)?;
    let expected = rest.strip_prefix(" => ").ok_or_else(|| format!("expected ` => `, but found {rest:?}"))?;
    let input = Input::parse(kind, input)?;
    let expected = Expected::parse(&input, expected)?;
    Ok(Vector { input, expected, quote: text.to_owned() })
}

impl Input {
    /// Parses the input of a kind, escaped as in the table.
    ///
    /// # Errors
    ///
    /// An unknown kind or an invalid escape.
    pub fn parse(kind: &str, escaped: &str) -> Result<Input, String> {
        Ok(match kind {
            "FILE" => Input::File(decode_octets(escaped)?),
            "SCAN" => Input::Scan(decode_octets(escaped)?),
            "LINE" => Input::Line(decode_text(escaped)?),
            "UNESC" => Input::Payload(decode_text(escaped)?),
            "VER" => Input::Version(decode_text(escaped)?),
            "XREF" => Input::Xref(decode_text(escaped)?),
            "PTR" => Input::Pointer(decode_text(escaped)?),
            _ => return Err(format!("expected a kind of vector, but found {kind:?}")),
        })
    }
}

impl Expected {
    /// Parses the expected result for an input.
    ///
    /// # Errors
    ///
    /// The expected and the found text, as a message.
    pub fn parse(input: &Input, text: &str) -> Result<Expected, String> {
        let (expected, rest) = match input {
            Input::File(_) => {
                let (outcome, rest) = Outcome::parse(text)?;
                if rest.trim_start().is_empty() || rest.trim_start().starts_with('(') {
                    (Expected::File(outcome, None), rest)
                } else {
                    let (tree, rest) = Tree::parse_prefix(rest)?;
                    (Expected::File(outcome, Some(tree)), rest)
                }
            }
            Input::Scan(_) => {
                if text.starts_with("STOP") {
                    let (outcome, rest) = Outcome::parse(text)?;
                    let Outcome::Stop(stop) = outcome else { return Err("expected a stop".to_owned()) };
                    (Expected::Scan(Err(stop)), rest)
                } else {
                    let (name, rest) = word(text);
                    (Expected::Scan(Ok(name.to_owned())), rest)
                }
            }
            Input::Line(_) if text.starts_with("STOP MalformedLine") => {
                (Expected::Line(None), &text["STOP MalformedLine".len()..])
            }
            Input::Line(_) => {
                let (line, rest) = parse_line(text)?;
                (Expected::Line(Some(line)), rest)
            }
            Input::Payload(_) if text.starts_with('"') => {
                let (content, rest) = parse_quoted(text)?;
                (Expected::Payload(Outcome::Ok, Some(decode_text(content)?)), rest)
            }
            Input::Payload(_) => {
                let (outcome, rest) = Outcome::parse(text)?;
                if rest.starts_with(" \"") {
                    let (content, rest) = parse_quoted(&rest[1..])?;
                    (Expected::Payload(outcome, Some(decode_text(content)?)), rest)
                } else {
                    (Expected::Payload(outcome, None), rest)
                }
            }
            Input::Version(_) => match text.strip_prefix("invalid") {
                Some(rest) => (Expected::Version(None), rest),
                None => parse_version(text)?,
            },
            Input::Xref(_) => {
                either(text, "valid", "invalid").map(|(is, rest)| (Expected::Xref(is), rest))?
            }
            Input::Pointer(_) => {
                either(text, "pointer", "string").map(|(is, rest)| (Expected::Pointer(is), rest))?
            }
        };
        let rest = rest.trim_start();
        if rest.is_empty() || rest.starts_with('(') {
            Ok(expected)
        } else {
            Err(format!("expected the end of the expectation or commentary, but found {rest:?}"))
        }
    }
}

impl Outcome {
    fn parse(text: &str) -> Result<(Outcome, &str), String> {
        let (name, rest) = word(text);
        let outcome = match name {
            "OK" => Outcome::Ok,
            "NONCONF" => Outcome::NonConformant,
            "ANY" => Outcome::Any,
            "STOP" => {
                let (kind, rest) = word(rest.trim_start());
                let stop = match kind {
                    "MalformedLine" => Stop::MalformedLine,
                    "MalformedStructure" => Stop::MalformedStructure,
                    "Encoding" => Stop::Encoding,
                    "NotELF" => Stop::NotElf,
                    _ => return Err(format!("expected a kind of stop, but found {kind:?}")),
                };
                return Ok((Outcome::Stop(stop), rest));
            }
            _ => return Err(format!("expected OK, NONCONF or STOP, but found {name:?}")),
        };
        Ok((outcome, rest))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Ok => f.write_str("OK"),
            Outcome::NonConformant => f.write_str("NONCONF"),
            Outcome::Any => f.write_str("ANY"),
            Outcome::Stop(stop) => write!(f, "STOP {stop}"),
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::MalformedLine => "MalformedLine",
            Stop::MalformedStructure => "MalformedStructure",
            Stop::Encoding => "Encoding",
            Stop::NotElf => "NotELF",
        })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use super::text::escape_text;
        use super::tree::Payload;
        write!(
            f,
            "level={} xref={} tag={} payload=",
            self.level,
            self.xref.as_deref().unwrap_or("-"),
            self.tag
        )?;
        match &self.payload {
            Payload::None => f.write_str("\"\""),
            Payload::Text(text) => write!(f, "\"{}\"", escape_text(text)),
            Payload::Pointer(id) => write!(f, "->{id}"),
        }
    }
}

/// Parses `level=N xref=X tag=T payload=P`. A pointer reaches up to the commentary.
fn parse_line(text: &str) -> Result<(Line, &str), String> {
    use super::tree::Payload;
    let (level, rest) = field(text, "level=")?;
    let level = level.parse().map_err(|_| format!("expected a level, but found {level:?}"))?;
    let (xref, rest) = field(rest, "xref=")?;
    let xref = (xref != "-").then(|| decode_text(xref)).transpose()?;
    let (tag, rest) = field(rest, "tag=")?;
    let rest =
        rest.strip_prefix("payload=").ok_or_else(|| format!("expected a payload, but found {rest:?}"))?;
    let (payload, rest) = match rest.strip_prefix("->") {
        Some(pointer) => {
            let end = pointer.find(" (").unwrap_or(pointer.len());
            (Payload::Pointer(decode_text(&pointer[..end])?), &pointer[end..])
        }
        None => {
            let (content, rest) = parse_quoted(rest)?;
            (Payload::from_text(decode_text(content)?), rest)
        }
    };
    Ok((Line { level, xref, tag: tag.to_owned(), payload }, rest))
}

fn field<'t>(text: &'t str, name: &str) -> Result<(&'t str, &'t str), String> {
    let rest = text.strip_prefix(name).ok_or_else(|| format!("expected `{name}`, but found {text:?}"))?;
    rest.split_once(' ').ok_or_else(|| format!("expected a space after {rest:?}"))
}

/// Parses `(major,minor,revision)`.
fn parse_version(text: &str) -> Result<(Expected, &str), String> {
    let wrong = || format!("expected a version, but found {text:?}");
    let (numbers, rest) = text.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or_else(wrong)?;
    let parts: Vec<String> = numbers.split(',').map(str::to_owned).collect();
    Ok((Expected::Version(Some(parts.try_into().map_err(|_| wrong())?)), rest))
}

fn either<'t>(text: &'t str, yes: &str, no: &str) -> Result<(bool, &'t str), String> {
    match (text.strip_prefix(yes), text.strip_prefix(no)) {
        (Some(rest), _) => Ok((true, rest)),
        (_, Some(rest)) => Ok((false, rest)),
        _ => Err(format!("expected {yes} or {no}, but found {text:?}")),
    }
}

fn word(text: &str) -> (&str, &str) {
    text.split_at(text.find(' ').unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::tree::Payload;

    #[test]
    fn a_cell_holds_vectors_and_prose() {
        let cell =
            r#"prose: a ; FILE "0 A\n" => NONCONF NOTE="x" ; SCAN "" => STOP NotELF (why; so) ; build: x"#;
        let found = parse_vectors(cell).expect("vectors");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].input, Input::File(b"0 A\n".to_vec()));
        assert_eq!(found[1].expected, Expected::Scan(Err(Stop::NotElf)));
    }

    #[test]
    fn lines_have_four_fields() {
        let found = parse_vector(r#"LINE "x" => level=1 xref=- tag=NOTE payload=->home sweet home (kept)"#)
            .expect("a vector");
        let payload = Payload::Pointer("home sweet home".to_owned());
        let line = Line { level: 1, xref: None, tag: "NOTE".to_owned(), payload };
        assert_eq!(found.expected, Expected::Line(Some(line)));
    }

    #[test]
    fn payloads_may_be_kept() {
        let found = parse_vector(r#"UNESC "@#" => NONCONF "@#""#).expect("a vector");
        assert_eq!(found.expected, Expected::Payload(Outcome::NonConformant, Some("@#".to_owned())));
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        for text in
            [r#"FILE "a"#, r#"FILE "a" => MAYBE"#, r#"VER "1" => (1)"#, r#"PTR "a" => string, or not"#]
        {
            assert!(parse_vector(text).is_err(), "{text}");
        }
    }
}
