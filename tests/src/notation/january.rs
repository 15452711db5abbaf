//! The notation of `req-j19.tsv`: `MODE: input -> expected`, vectors separated by ` ; `, the mode left out
//! where it is the one before.

use super::earlier::parse_octets;
use super::text::{decode_bracketed, parse_quoted, split_outside};
use super::typed::Pattern;
use std::fmt;

/// A vector that can be run as printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// The input and the expected result.
    pub check: Check,
    /// The vector as it is in the table.
    pub quote: String,
}

/// The input and the expected result of a [`Vector`].
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// `B:` bytes, and what is detected about their encoding.
    Encoding {
        /// The octets.
        octets: Vec<u8>,
        /// The encoding that the vector is about.
        which: EncodingKind,
        /// The name. `None` if there is no such encoding.
        name: Option<String>,
    },
    /// `L:` text and its lines, or the last of them.
    Lines {
        /// The text.
        text: String,
        /// The lines, in order.
        lines: Vec<Line>,
        /// True if [`lines`](Check::Lines::lines) are only the last lines of the text.
        last: bool,
    },
    /// `P:` text and typed structures.
    Typed {
        /// The text.
        text: String,
        /// The structures.
        pattern: Pattern,
    },
    /// `X:` the payload of an xref structure, and the string that is read from it.
    Payload {
        /// The tag of the structure.
        tag: String,
        /// The payload, escaped.
        payload: String,
        /// The string it stands for.
        expected: String,
    },
    /// `X tokens:` a payload and its tokens.
    Tokens {
        /// The payload.
        payload: String,
        /// The tokens as written.
        tokens: Vec<String>,
    },
    /// `E:` a payload, and how it is written.
    Written {
        /// The tag of the structure.
        tag: String,
        /// The payload, not escaped.
        payload: String,
        /// The encoding of the output, if it matters.
        encoding: Option<String>,
        /// The payload as it is written.
        expected: String,
    },
}

/// The encoding that a `B:` vector is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingKind {
    /// The one that the first bytes show.
    Detected,
    /// The one that CHAR names.
    Specified,
    /// The one that is used.
    Used,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The level. `None` if the table leaves it open.
    pub level: Option<u32>,
    /// The identifier, without at signs.
    pub xref: Option<String>,
    /// The tag.
    pub tag: String,
    /// The payload, if there is one, as written.
    pub payload: Option<String>,
    /// True if the table shows only part of the line, so that there may be a payload.
    pub partly: bool,
}

/// Parses the vectors of a cell that can be run as printed. Prose is skipped.
pub fn parse_vectors(cell: &str) -> Vec<Vector> {
    let mut vectors = Vec::new();
    let mut mode = "";
    for part in &split_examples(cell) {
        let part = part.trim_end();
        let mut rest = part;
        for known in ["B: ", "L: ", "P: ", "X: ", "X tokens: ", "E: ", "S: ", "P+S: ", "V: "] {
            if let Some(after) = part.strip_prefix(known) {
                mode = known.trim_end_matches(": ");
                rest = after;
            }
        }
        if let Some((input, expected)) = rest.split_once(" -> ")
            && let Some(check) = parse_check(mode, input, expected)
        {
            vectors.push(Vector { check, quote: part.to_owned() });
        }
    }
    vectors
}

/// Splits a cell into parts with an arrow. A part without one belongs to the part before it.
fn split_examples(cell: &str) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    for part in split_outside(cell, "; ") {
        match examples.last_mut() {
            Some(before) if !part.contains(" -> ") => {
                before.push_str("; ");
                before.push_str(part);
            }
            _ => examples.push(part.to_owned()),
        }
    }
    examples
}

/// Parses a vector of a mode. `None` if its parts are prose.
pub fn parse_check(mode: &str, input: &str, expected: &str) -> Option<Check> {
    match mode {
        "B" => {
            let octets = parse_octets(input).ok()?;
            let (which, name) = parse_encoding(expected)?;
            Some(Check::Encoding { octets, which, name })
        }
        "L" => {
            let (expected, last) = match expected.strip_prefix("last line is ") {
                Some(line) => (line, true),
                None => match expected.strip_prefix("second line ") {
                    Some(line) => (line, true),
                    None => (expected, false),
                },
            };
            let lines = if expected.starts_with('[') {
                parse_bracket_lines(expected)
            } else {
                parse_comma_line(expected)
            }?;
            Some(Check::Lines { text: decode_bracketed(input).ok()?, lines, last })
        }
        "P" => Some(Check::Typed {
            text: decode_bracketed(input).ok()?,
            pattern: Pattern::parse(expected).ok()?,
        }),
        "X" => {
            let (tag, payload, rest) = parse_tagged(input)?;
            let expected = expected.strip_prefix("string ").unwrap_or(expected);
            let prose = !rest.is_empty() || expected.starts_with("implementation-defined");
            let expected = decode_bracketed(expected).ok()?;
            (!prose).then_some(Check::Payload { tag, payload, expected })
        }
        "X tokens" => {
            let (content, rest) = parse_quoted(input).ok()?;
            // A token may begin with a space. Commentary follows in brackets.
            let expected = expected.split_once(" (").map_or(expected, |(tokens, _)| tokens);
            let tokens = expected.split(',').map(str::to_owned).collect();
            rest.is_empty().then_some(Check::Tokens { payload: decode_bracketed(content).ok()?, tokens })
        }
        "E" => {
            let (tag, payload, rest) = parse_tagged(input)?;
            let encoding = rest.strip_prefix(" in ").map(str::to_owned);
            (rest.is_empty() || encoding.is_some()).then_some(Check::Written {
                tag,
                payload,
                encoding,
                expected: decode_bracketed(expected).ok()?,
            })
        }
        _ => None,
    }
}

/// Parses `TAG "payload"`, and returns the rest.
fn parse_tagged(text: &str) -> Option<(String, String, &str)> {
    let (tag, rest) = text.split_once(' ')?;
    let (content, rest) = parse_quoted(rest).ok()?;
    Some((tag.to_owned(), decode_bracketed(content).ok()?, rest))
}

/// Parses `UTF-8`, `none`, `detected UTF-8`, `specified ANSEL`, `no specified encoding`, `encoding ANSEL`, …
fn parse_encoding(text: &str) -> Option<(EncodingKind, Option<String>)> {
    let text = text.split_once(", unless").map_or(text, |(text, _)| text);
    if let Some(name) =
        text.strip_prefix("specified encoding ").and_then(|text| text.strip_suffix(" is found"))
    {
        return Some((EncodingKind::Specified, Some(name.to_owned())));
    }
    let (which, name) = match text.split_once(' ') {
        _ if text == "no specified encoding" => return Some((EncodingKind::Specified, None)),
        Some(("detected", name)) => (EncodingKind::Detected, name),
        Some(("specified", name)) => (EncodingKind::Specified, name),
        Some(("encoding", name)) => (EncodingKind::Used, name),
        Some(_) => return None,
        None => (EncodingKind::Detected, text),
    };
    match name {
        "none" => Some((which, None)),
        "ASCII" | "ANSEL" | "UTF-8" | "UTF-16LE" | "UTF-16BE" => Some((which, Some(name.to_owned()))),
        _ => None,
    }
}

/// Parses `[level @xref@ tag payload]` for each line. The payload may be in quotation marks.
fn parse_bracket_lines(text: &str) -> Option<Vec<Line>> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(after) = rest.strip_prefix('[') {
        let (head, _) = after.split_once([']', '"'])?;
        let mut words = head.trim_end().splitn(4, ' ').peekable();
        let level = words.peek().and_then(|word| word.parse().ok());
        if level.is_some() {
            words.next();
        }
        let label = |word: &&str| word.len() > 2 && word.starts_with('@') && word.ends_with('@');
        let xref = words.next_if(label).map(|word| word.trim_matches('@').to_owned());
        let tag = words.next()?.to_owned();
        let bare = words.collect::<Vec<_>>().join(" ");
        let payload;
        match after[head.len()..].strip_prefix(']') {
            Some(following) => {
                payload = (!bare.is_empty()).then(|| decode_bracketed(&bare)).transpose().ok()?;
                rest = following;
            }
            None => {
                let (content, following) = parse_quoted(&after[head.len()..]).ok()?;
                payload = Some(decode_bracketed(content).ok()?);
                rest = following.strip_prefix(']')?;
            }
        }
        lines.push(Line { level, xref, tag, payload, partly: false });
    }
    rest.is_empty().then_some(lines)
}

/// Parses `level N, xref_id @X@, tag T, payload "P"`. Identifier and payload are optional.
fn parse_comma_line(text: &str) -> Option<Vec<Line>> {
    let mut line = Line { level: None, xref: None, tag: String::new(), payload: None, partly: true };
    for part in split_outside(text, ", ") {
        match part.split_once(' ')? {
            ("level", level) => line.level = Some(level.parse().ok()?),
            ("xref_id", xref) => line.xref = Some(xref.trim_matches('@').to_owned()),
            ("tag", tag) => line.tag = tag.to_owned(),
            ("payload", payload) => {
                line.payload = Some(decode_bracketed(parse_quoted(payload).ok()?.0).ok()?)
            }
            _ => return None,
        }
    }
    (!line.tag.is_empty()).then_some(vec![line])
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        if let Some(level) = self.level {
            write!(f, "{level} ")?;
        }
        if let Some(xref) = &self.xref {
            write!(f, "@{xref}@ ")?;
        }
        f.write_str(&self.tag)?;
        if let Some(payload) = &self.payload {
            write!(f, " \"{}\"", super::text::escape_text(payload))?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_is_that_of_the_vector_before() {
        let found = parse_vectors("B: EF BB BF 30 -> UTF-8; FF FE 30 00 -> UTF-16LE; 20 00 30 00 -> none");
        assert_eq!(found.len(), 3);
        let check =
            Check::Encoding { octets: vec![0x20, 0, 0x30, 0], which: EncodingKind::Detected, name: None };
        assert_eq!(found[2].check, check);
    }

    #[test]
    fn lines_are_read_in_brackets_and_in_words() {
        let lines = |text: &str| match parse_check("L", "0 A", text) {
            Some(Check::Lines { lines, .. }) => lines.iter().map(Line::to_string).collect::<String>(),
            _ => "prose".to_owned(),
        };
        assert_eq!(
            lines(r#"[0 @S1@ SOUR][1 CONT b c][ERROR " ] "][1 GEDC ""]"#),
            r#"[0 @S1@ SOUR][1 CONT "b c"][ERROR " ] "][1 GEDC ""]"#
        );
        assert_eq!(lines(r#"level 0, xref_id @N1@, tag NOTE, payload "a, b""#), r#"[0 @N1@ NOTE "a, b"]"#);
        assert_eq!(lines("last line is [2 ERROR \"x\"]"), "[2 ERROR \"x\"]");
        assert_eq!(lines("implementation-defined; merging and warning recommended"), "prose");
    }

    #[test]
    fn an_expectation_may_hold_a_semicolon() {
        let found = parse_vectors("P: 0 A -> elf:A; elf:B{elf:C}");
        let Check::Typed { pattern, .. } = &found[0].check else { panic!("expected structures") };
        assert_eq!(pattern.somewhere.len(), 2);
    }

    #[test]
    fn tokens_keep_their_spaces() {
        let found = parse_check("X tokens", r#""some@#XYZ@ thing""#, "some,@#XYZ@ ,thing (type X, text YZ)");
        let Some(Check::Tokens { tokens, .. }) = found else { panic!("expected tokens") };
        assert_eq!(tokens, ["some", "@#XYZ@ ", "thing"]);
    }

    #[test]
    fn what_is_written_may_name_an_encoding() {
        let found = parse_vectors(r#"E: NOTE "Jo<U+00E3>o" in ASCII -> Jo@#UE3@ o ; X: NOTE "a" -> a"#);
        assert_eq!(found.len(), 2);
        assert!(matches!(&found[0].check, Check::Written { encoding: Some(name), payload, .. }
            if name == "ASCII" && payload == "João"));
    }
}
