//! The form of a vector in a file.

use super::{Action, Expect, OutputExpect};
use crate::notation::text::{decode_bracketed, decode_octets, decode_text};
use crate::notation::tree::Tree;
use crate::notation::typed::Pattern;
use crate::notation::value::ValueCheck;
use crate::notation::{december, earlier, january};
use elf_base::Code;
use elf_base::rules::Duplicates;
use elf_octets::Encoding;
use elf_tagged::write::{LineBreak, Versions, WriteOptions};
use elf_values::Datatype;
use serde::Deserialize;

/// A vector in TOML. Its `kind` decides which fields it needs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VectorRow {
    /// The identifiers of the requirements that it tests.
    pub(super) rows: Vec<String>,
    /// The rules to run it by, if they differ from those of the file.
    pub(super) rules: Option<OneOrMany>,
    kind: String,
    /// A part of the test in the table.
    pub(super) quote: Option<String>,
    pub(super) input: Option<String>,
    /// What the vector tests.
    pub(super) note: Option<String>,
    /// The expected result, in the notation of its kind.
    pub(super) expect: Option<String>,

    // What is read beside the input.
    /// The datatype of a payload, by the name of its IRI; by default `DateValue`.
    datatype: Option<String>,
    tag: Option<String>,
    encoding: Option<String>,
    external: Option<String>,
    /// The treatment of repeated identifiers: one of the four of the declarative draft.
    duplicates: Option<String>,

    // How a file is written.
    /// A file whose schema or dictionary tags are taken from.
    base: Option<String>,
    from: Option<String>,
    line_break: Option<String>,
    mark: Option<bool>,
    width: Option<u32>,
    versions: Option<String>,
    #[serde(default)]
    guard: bool,

    // What is asserted of a written file.
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
    starts: Option<String>,
    longest: Option<usize>,
    refused: Option<String>,

    // What is asserted of findings and header.
    codes: Option<Vec<String>>,
    #[serde(default)]
    reports: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
    detected: Option<String>,
    specified: Option<String>,
    because: Option<String>,
    elf_version: Option<String>,
    gedcom_version: Option<String>,
    language: Option<String>,
    schemas: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl VectorRow {
    /// The input, with each `{}` replaced by the next string of the quotation.
    fn expand_input(&self) -> Result<String, String> {
        let quoted = self.quote.as_deref().map(earlier::quoted_strings).unwrap_or_default();
        match (&self.input, quoted.first()) {
            (Some(input), _) => {
                let mut quoted = quoted.into_iter();
                let mut out = String::new();
                let mut rest = input.as_str();
                while let Some((before, after)) = rest.split_once("{}") {
                    out.push_str(before);
                    out.push_str(quoted.next().ok_or("expected a string in the quotation")?);
                    rest = after;
                }
                out.push_str(rest);
                Ok(out)
            }
            (None, Some(quoted)) => Ok((*quoted).to_owned()),
            (None, None) => Err("expected an input".to_owned()),
        }
    }

    /// Converts the row to an action.
    pub(super) fn to_action(&self) -> Result<Action, String> {
        let input = self.expand_input()?;
        let kind = match self.kind.as_str() {
            "file" => "FILE",
            "scan" => "SCAN",
            "line" => "LINE",
            "payload" => "UNESC",
            "version" => "VER",
            "xref" => "XREF",
            "pointer" => "PTR",
            _ => return self.january(&input),
        };
        let input = match kind {
            // Bytes may be written as hexadecimal digits and strings.
            "SCAN" if earlier::parse_octets(&input).is_ok() => {
                december::Input::Scan(earlier::parse_octets(&input)?)
            }
            "FILE" if earlier::parse_octets(&input).is_ok() => {
                december::Input::File(earlier::parse_octets(&input)?)
            }
            // A line string has no line break.
            "LINE" => december::Input::parse(kind, input.strip_suffix("\\n").unwrap_or(&input))?,
            _ => december::Input::parse(kind, &input)?,
        };
        let expected =
            self.expect.as_deref().map(|expect| december::Expected::parse(&input, expect)).transpose()?;
        Ok(Action::December { input, expected, external: encoding(self.external.as_deref())? })
    }

    fn january(&self, input: &str) -> Result<Action, String> {
        let expect = self.expect.as_deref().unwrap_or_default();
        let tag = || self.tag.clone().unwrap_or_else(|| "NOTE".to_owned());
        let check = match self.kind.as_str() {
            "lines" => january::parse_check("L", input, expect),
            "typed" if expect.is_empty() => {
                january::parse_check("P", input, "metadata{}").map(|check| match check {
                    // Only the findings matter.
                    january::Check::Typed { text, .. } => {
                        january::Check::Typed { text, pattern: Default::default() }
                    }
                    other => other,
                })
            }
            "typed" => january::parse_check("P", input, expect),
            "tokens" => Some(january::Check::Tokens {
                payload: decode_text(input)?,
                tokens: expect.split(',').map(str::to_owned).collect(),
            }),
            "read" => Some(january::Check::Payload {
                tag: tag(),
                payload: decode_text(input)?,
                expected: decode_bracketed(expect)?,
            }),
            "written" => Some(january::Check::Written {
                tag: tag(),
                payload: decode_text(input)?,
                encoding: self.encoding.clone(),
                expected: decode_bracketed(expect)?,
            }),
            "schema" => {
                return Ok(Action::Schema { octets: decode_octets(input)?, expected: self.expect.clone() });
            }
            "value" => {
                let name = self.datatype.as_deref().unwrap_or("DateValue");
                let datatype = Datatype::of_iri(&format!("https://terms.fhiso.org/elf/{name}"));
                let datatype = datatype.ok_or_else(|| format!("there is no datatype {name:?}"))?;
                return Ok(Action::Value(ValueCheck::parse_strict(datatype, input, expect)?));
            }
            "supertypes" => {
                return Ok(Action::Supertypes {
                    octets: decode_octets(input)?,
                    of: tag(),
                    expected: expect.to_owned(),
                });
            }
            "dictionary" => {
                return Ok(Action::Dictionary {
                    octets: decode_octets(input)?,
                    expected: self.expect.clone(),
                });
            }
            "write" => {
                return Ok(Action::Write { tree: Tree::parse(input)?, output: Box::new(self.output()?) });
            }
            "serialise" => {
                let base = self.base.as_deref().map(decode_octets).transpose()?;
                let pattern = Pattern::parse(input)?;
                return Ok(Action::Serialise { pattern, base, output: Box::new(self.output()?) });
            }
            "rewrite" => {
                let octets = earlier::parse_octets(input).or_else(|_| decode_octets(input))?;
                let from = self.from.as_deref().map(super::named_rules).transpose()?;
                return Ok(Action::Rewrite { octets, from, output: Box::new(self.output()?) });
            }
            other => return Err(format!("there is no kind {other:?}")),
        };
        check.map(Action::January).ok_or_else(|| format!("expected an expectation, but found {expect:?}"))
    }

    fn output(&self) -> Result<OutputExpect, String> {
        let mut options = WriteOptions::new()
            .with_mark(self.mark)
            .with_width(self.width)
            .with_guarded_whitespace(self.guard);
        if let Some(encoding) = encoding(self.encoding.as_deref())? {
            options = options.with_encoding(encoding);
        }
        options = options.with_line_break(match self.line_break.as_deref() {
            None | Some("lf") => LineBreak::Lf,
            Some("cr") => LineBreak::Cr,
            Some("crlf") => LineBreak::CrLf,
            Some(other) => return Err(format!("there is no line break {other:?}")),
        });
        options = options.with_versions(match self.versions.as_deref() {
            None | Some("both") => Versions::Both,
            Some("elf-if-needed") => Versions::ElfIfNeeded,
            Some("elf-alone") => Versions::ElfAlone,
            Some(other) => return Err(format!("there are no versions {other:?}")),
        });
        let all = |strings: &[String]| {
            strings.iter().map(|string| decode_octets(string)).collect::<Result<Vec<_>, _>>()
        };
        Ok(OutputExpect {
            options,
            whole: self.expect.as_deref().map(decode_octets).transpose()?,
            has: all(&self.has)?,
            lacks: all(&self.lacks)?,
            starts: self.starts.as_deref().map(earlier::parse_octets).transpose()?,
            longest: self.longest,
            refused: self.refused.clone(),
        })
    }

    /// Converts the additional assertions of the row.
    pub(super) fn to_expect(&self) -> Result<Expect, String> {
        Ok(Expect {
            codes: self.codes.as_ref().map(|ids| found_codes(ids)).transpose()?,
            reports: found_codes(&self.reports)?,
            never: found_codes(&self.never)?,
            detected: self.detected.clone(),
            specified: self.specified.clone(),
            because: self.because.clone(),
            elf_version: self.elf_version.clone(),
            gedcom_version: self.gedcom_version.clone(),
            language: self.language.clone(),
            schemas: self.schemas.clone(),
        })
    }

    /// Returns whether the vector asserts anything.
    pub(super) fn asserts(&self) -> bool {
        let words = [
            &self.expect,
            &self.detected,
            &self.specified,
            &self.because,
            &self.elf_version,
            &self.gedcom_version,
            &self.language,
            &self.starts,
            &self.refused,
        ];
        let lists = [&self.reports, &self.never, &self.has, &self.lacks];
        words.iter().any(|word| word.is_some())
            || lists.iter().any(|list| !list.is_empty())
            || self.codes.is_some()
            || self.schemas.is_some()
            || self.longest.is_some()
    }

    /// The treatment of repeated identifiers, if the vector names one.
    pub(super) fn parse_duplicates(&self) -> Result<Option<Duplicates>, String> {
        match self.duplicates.as_deref() {
            None => Ok(None),
            Some("reject-all") => Ok(Some(Duplicates::RejectAll)),
            Some("reject-bearers") => Ok(Some(Duplicates::RejectBearers)),
            Some("drop-unused") => Ok(Some(Duplicates::DropUnused)),
            Some("keep-record") => Ok(Some(Duplicates::KeepRecord)),
            Some(name) => Err(format!("there is no option {name:?}")),
        }
    }
}

fn encoding(name: Option<&str>) -> Result<Option<Encoding>, String> {
    let Some(name) = name else { return Ok(None) };
    Encoding::from_name(name).map(Some).ok_or_else(|| format!("there is no encoding {name:?}"))
}

fn found_codes(ids: &[String]) -> Result<Vec<Code>, String> {
    ids.iter().map(|id| Code::from_name(id).ok_or_else(|| format!("there is no code {id}"))).collect()
}
