//! The vectors: what meets the rows of the requirement tables, as data.
//!
//! A file `vectors/DRAFT/AREA.toml` names the rows whose own vectors are run as the table prints them (`table`) and
//! holds further vectors, for rows in prose and for what a table leaves out:
//!
//! ```toml
//! rules = "2019-12"
//! table = ["D19-OCT-21", "D19-OCT-22"]
//!
//! [[vector]]
//! rows = ["D19-OCT-21"]
//! quote = '"1 CHAR UTF8" is not exact'    # found in the row, or the suite fails
//! kind = "scan"
//! input = '0 HEAD\n{}\n0 TRLR\n'          # {} is the first string of the quotation
//! expect = "UTF-8"
//! codes = ["E0103"]
//! ```

use crate::notation::text::{bracketed, characters};
use crate::notation::{december, earlier, january};
use crate::requirements::Requirements;
use elf_base::rules::{Duplicates, XrefErrors};
use elf_base::{Code, Rules};
use elf_octets::Encoding;
use serde::Deserialize;
use std::path::Path;

/// Everything that owns a row.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    /// All vectors, in the order of their files.
    pub cases: Vec<Case>,
    /// Rows whose owner is a named test.
    pub named: Vec<Named>,
    /// Rows that no input can test, and why.
    pub untestable: Vec<Untestable>,
}

/// One vector.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file it stands in, from the folder of vectors.
    pub file: String,
    /// The rows it meets.
    pub rows: Vec<String>,
    /// By which rules.
    pub rules: Rules,
    /// What it is called beside its row: the text of the table, or the note or input of the vector.
    pub label: String,
    /// Whether it is a vector of the table, as printed.
    pub printed: bool,
    /// What is done.
    pub action: Action,
    /// What is asserted.
    pub expect: Expect,
}

/// What a vector does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Runs a vector of the December table, or one in its notation.
    December {
        /// What is read.
        input: december::Input,
        /// What comes of it.
        expected: Option<december::Expected>,
        /// The encoding given from outside.
        external: Option<Encoding>,
    },
    /// Runs a vector of the January table, or one in its notation.
    January(january::Check),
}

/// What is asserted beside the notation's own expectation.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// The codes of all malformed and non-conformant findings, in order.
    pub codes: Option<Vec<Code>>,
    /// Codes that are reported, be it as advice.
    pub reports: Vec<Code>,
    /// Codes that are not reported.
    pub never: Vec<Code>,
    /// The detected encoding, or `none`.
    pub detected: Option<String>,
    /// What CHAR says, or `none`.
    pub specified: Option<String>,
    /// What decided the encoding.
    pub because: Option<String>,
    /// The ELF version, or `none`.
    pub elf_version: Option<String>,
    /// The legacy GEDCOM version, or `none`.
    pub gedcom_version: Option<String>,
    /// The default payload language, or `none`.
    pub language: Option<String>,
    /// The schema references, in order.
    pub schemas: Option<Vec<String>>,
}

/// A row that a named test meets.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// The name of the test.
    pub test: String,
    /// The rows.
    pub rows: Vec<String>,
}

/// Rows that cannot be tested.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Untestable {
    /// Why not.
    pub reason: String,
    /// The rows.
    pub rows: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VectorFile {
    rules: String,
    #[serde(default)]
    table: Vec<String>,
    #[serde(default)]
    vector: Vec<VectorRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VectorRow {
    rows: Vec<String>,
    rules: Option<OneOrMany>,
    kind: String,
    quote: Option<String>,
    input: Option<String>,
    note: Option<String>,
    expect: Option<String>,
    tag: Option<String>,
    encoding: Option<String>,
    external: Option<String>,
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
    /// One of the four ways the declarative draft has with repeated identifiers.
    duplicates: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedFile {
    #[serde(default)]
    named: Vec<Named>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UntestableFile {
    #[serde(default)]
    untestable: Vec<Untestable>,
}

impl Vectors {
    /// Reads all vectors below `folder`.
    ///
    /// # Errors
    ///
    /// Where a file is not in the form above, a vector asserts nothing, names a row that is none or quotes what its
    /// row does not say.
    pub fn load(folder: &Path, requirements: &Requirements) -> Result<Vectors, String> {
        let mut vectors = Vectors {
            named: parse::<NamedFile>(&folder.join("named-tests.toml"))?.named,
            untestable: parse::<UntestableFile>(&folder.join("not-testable.toml"))?.untestable,
            ..Vectors::default()
        };
        for draft in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            for path in entries(&draft)? {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                let file: VectorFile = parse(&path)?;
                vectors.add(&name, file, requirements).map_err(|error| format!("{name}: {error}"))?;
            }
        }
        Ok(vectors)
    }

    fn add(&mut self, name: &str, file: VectorFile, requirements: &Requirements) -> Result<(), String> {
        let rules = named_rules(&file.rules)?;
        for id in &file.table {
            let row = requirements.get(id).ok_or_else(|| format!("there is no row {id}"))?;
            let printed = printed(&row.test).map_err(|error| format!("{id}: {error}"))?;
            if printed.is_empty() {
                return Err(format!("{id} has no vector that can be run as printed"));
            }
            for (label, action) in printed {
                self.cases.push(Case {
                    file: name.to_owned(),
                    rows: vec![id.clone()],
                    rules,
                    label,
                    printed: true,
                    action,
                    expect: Expect::default(),
                });
            }
        }
        for (number, vector) in file.vector.iter().enumerate() {
            let place = || format!("vector {} ({})", number + 1, vector.rows.join(", "));
            self.add_row(name, &file.rules, vector, requirements)
                .map_err(|error| format!("{}: {error}", place()))?;
        }
        Ok(())
    }

    fn add_row(
        &mut self,
        name: &str,
        default: &str,
        vector: &VectorRow,
        requirements: &Requirements,
    ) -> Result<(), String> {
        if vector.rows.is_empty() {
            return Err("expected the rows it meets".to_owned());
        }
        for id in &vector.rows {
            let row = requirements.get(id).ok_or_else(|| format!("there is no row {id}"))?;
            if let Some(quote) = &vector.quote
                && !row.test.contains(quote.as_str())
            {
                return Err(format!("{id} does not say {quote:?}"));
            }
        }
        let expect = vector.expect()?;
        let action = vector.action()?;
        let asserts = vector.expect.is_some() || expect.asserts();
        if !asserts {
            return Err("expected an assertion".to_owned());
        }
        let names = match &vector.rules {
            None => vec![default],
            Some(OneOrMany::One(name)) => vec![name.as_str()],
            Some(OneOrMany::Many(names)) => names.iter().map(String::as_str).collect(),
        };
        let label = [&vector.note, &vector.quote, &vector.input].into_iter().flatten().next();
        for name_of_rules in names {
            let mut rules = named_rules(name_of_rules)?;
            if let Some(option) = &vector.duplicates {
                rules.tagged.xref_errors = XrefErrors::Options(duplicates(option)?);
            }
            self.cases.push(Case {
                file: name.to_owned(),
                rows: vector.rows.clone(),
                rules,
                label: label.cloned().unwrap_or_default(),
                printed: false,
                action: action.clone(),
                expect: expect.clone(),
            });
        }
        Ok(())
    }
}

impl VectorRow {
    /// The input, with the first string of the quotation in place of `{}`.
    fn input(&self) -> Result<String, String> {
        let quoted = self.quote.as_deref().map(earlier::strings).unwrap_or_default();
        match (&self.input, quoted.first()) {
            (Some(input), Some(quoted)) if input.contains("{}") => Ok(input.replace("{}", quoted)),
            (Some(input), None) if input.contains("{}") => {
                Err("expected a string in the quotation".to_owned())
            }
            (Some(input), _) => Ok(input.clone()),
            (None, Some(quoted)) => Ok((*quoted).to_owned()),
            (None, None) => Err("expected an input".to_owned()),
        }
    }

    fn action(&self) -> Result<Action, String> {
        let input = self.input()?;
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
            // Octets may be given as digits and strings.
            "SCAN" if earlier::octet_expression(&input).is_ok() => {
                december::Input::Scan(earlier::octet_expression(&input)?)
            }
            "FILE" if earlier::octet_expression(&input).is_ok() => {
                december::Input::File(earlier::octet_expression(&input)?)
            }
            // A line string is what stands before the line break.
            "LINE" => december::Input::parse(kind, input.strip_suffix("\\n").unwrap_or(&input))?,
            _ => december::Input::parse(kind, &input)?,
        };
        let expected =
            self.expect.as_deref().map(|expect| december::Expected::parse(&input, expect)).transpose()?;
        let external = match self.external.as_deref() {
            None => None,
            Some(name) => {
                Some(Encoding::from_name(name).ok_or_else(|| format!("there is no encoding {name:?}"))?)
            }
        };
        Ok(Action::December { input, expected, external })
    }

    fn january(&self, input: &str) -> Result<Action, String> {
        let expect = self.expect.as_deref().unwrap_or_default();
        let tag = || self.tag.clone().unwrap_or_else(|| "NOTE".to_owned());
        let check = match self.kind.as_str() {
            "lines" => january::check("L", input, expect),
            "typed" => january::check("P", input, expect),
            "tokens" => Some(january::Check::Tokens {
                payload: characters(input)?,
                tokens: expect.split(',').map(str::to_owned).collect(),
            }),
            "read" => Some(january::Check::Payload {
                tag: tag(),
                payload: characters(input)?,
                expected: bracketed(expect)?,
            }),
            "written" => Some(january::Check::Written {
                tag: tag(),
                payload: characters(input)?,
                encoding: self.encoding.clone(),
                expected: bracketed(expect)?,
            }),
            other => return Err(format!("there is no kind {other:?}")),
        };
        check.map(Action::January).ok_or_else(|| format!("expected an expectation, but found {expect:?}"))
    }

    fn expect(&self) -> Result<Expect, String> {
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
}

impl Expect {
    fn asserts(&self) -> bool {
        let words = [
            &self.detected,
            &self.specified,
            &self.because,
            &self.elf_version,
            &self.gedcom_version,
            &self.language,
        ];
        self.codes.is_some()
            || !self.reports.is_empty()
            || !self.never.is_empty()
            || self.schemas.is_some()
            || words.iter().any(|word| word.is_some())
    }
}

/// The vectors of a cell that can be run as they are printed, each with its text.
///
/// # Errors
///
/// Where a vector begins as such and does not go on so.
pub fn printed(cell: &str) -> Result<Vec<(String, Action)>, String> {
    let december = december::vectors(cell)?.into_iter().map(|vector| {
        let december::Vector { input, expected, quote } = vector;
        (quote, Action::December { input, expected: Some(expected), external: None })
    });
    let january =
        january::vectors(cell).into_iter().map(|vector| (vector.quote, Action::January(vector.check)));
    Ok(december.chain(january).collect())
}

fn found_codes(ids: &[String]) -> Result<Vec<Code>, String> {
    ids.iter().map(|id| Code::find(id).ok_or_else(|| format!("there is no code {id}"))).collect()
}

fn named_rules(name: &str) -> Result<Rules, String> {
    Rules::named(name).copied().ok_or_else(|| format!("there are no rules {name:?}"))
}

fn duplicates(name: &str) -> Result<Duplicates, String> {
    match name {
        "reject-all" => Ok(Duplicates::RejectAll),
        "reject-bearers" => Ok(Duplicates::RejectBearers),
        "drop-unused" => Ok(Duplicates::DropUnused),
        "keep-record" => Ok(Duplicates::KeepRecord),
        _ => Err(format!("there is no option {name:?}")),
    }
}

/// What a folder holds, in order.
fn entries(folder: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let wrong = |error| format!("{}: {error}", folder.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        entries.push(entry.map_err(wrong)?.path());
    }
    entries.sort();
    Ok(entries)
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}
