//! The vectors: what meets the rows of the requirement tables, as data.
//!
//! A file `vectors/DRAFT/AREA.toml` names the rows whose own vectors are run as the table prints them
//! (`table`) and holds further vectors, for rows in prose and for what a table leaves out:
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

mod row;

use crate::notation::tree::Tree;
use crate::notation::typed::Pattern;
use crate::notation::value::ValueCheck;
use crate::notation::{december, january};
use crate::requirements::{Requirements, Row, Standard};
use elf_base::rules::XrefErrors;
use elf_base::{Code, Rules};
use elf_octets::Encoding;
use elf_tagged::write::WriteOptions;
use row::{OneOrMany, VectorRow};
use serde::Deserialize;
use std::path::Path;

/// Everything in the files of vectors.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    /// All vectors, in the order of their files.
    pub cases: Vec<Case>,
    /// The requirements that named tests check.
    pub named: Vec<Named>,
    /// The requirements that no input can test, with the reasons.
    pub untestable: Vec<Untestable>,
}

/// A vector.
#[derive(Clone, Debug)]
pub struct Case {
    /// The path of its file, within the folder of vectors.
    pub file: String,
    /// The identifiers of the requirements that it tests.
    pub rows: Vec<String>,
    /// The rules to run it by.
    pub rules: Rules,
    /// The name of the vector after its requirement: the text in the table, or its note or input.
    pub label: String,
    /// True if the vector is printed in the table.
    pub printed: bool,
    /// What the vector runs.
    pub action: Action,
    /// The assertions in addition to the expected result.
    pub expect: Expect,
}

/// The steps of a vector.
#[derive(Clone, Debug)]
pub enum Action {
    /// Runs a vector of the December table, or one in its notation.
    December {
        /// The input.
        input: december::Input,
        /// The expected result.
        expected: Option<december::Expected>,
        /// The encoding that the caller specifies.
        external: Option<Encoding>,
    },
    /// Runs a vector of the January table, or one in its notation.
    January(january::Check),
    /// Reads a payload as a value.
    Value(ValueCheck),
    /// Reads the schema of a file and prints it with [`run::print_schema`](crate::run::print_schema).
    Schema {
        /// The file.
        octets: Vec<u8>,
        /// The schema.
        expected: Option<String>,
    },
    /// Finds the eventual supertypes of a type in the schema of a file, or in the default one.
    Supertypes {
        /// The file.
        octets: Vec<u8>,
        /// The type, by its prefixed name.
        of: String,
        /// The eventual supertypes, with the type itself first.
        expected: String,
    },
    /// Finds the types of tags in the dictionary of a 2017 file: `TAG=IRI`, followed by hints.
    Dictionary {
        /// The file.
        octets: Vec<u8>,
        /// The tags and their types.
        expected: Option<String>,
    },
    /// Writes a tree of structures.
    Write {
        /// The tree. HEAD contains the metadata.
        tree: Tree,
        /// The options of writing, and the expected file.
        output: Box<OutputExpect>,
    },
    /// Writes typed structures: chooses tags, and writes a schema that defines them.
    Serialise {
        /// The structures.
        pattern: Pattern,
        /// A file whose schema or dictionary provides tags. `None` is the default schema or an empty dictionary.
        base: Option<Vec<u8>>,
        /// The options of writing, and the expected file.
        output: Box<OutputExpect>,
    },
    /// Reads a file and writes it again.
    Rewrite {
        /// The file.
        octets: Vec<u8>,
        /// The rules to read by, if they differ from those to write by.
        from: Option<Rules>,
        /// The options of writing, and the expected file.
        output: Box<OutputExpect>,
    },
}

/// The options of writing a file, and what the output must be like.
#[derive(Clone, Debug)]
pub struct OutputExpect {
    /// The options of writing.
    pub options: WriteOptions,
    /// The whole output.
    pub whole: Option<Vec<u8>>,
    /// Bytes that the output must contain.
    pub has: Vec<Vec<u8>>,
    /// Bytes that the output must not contain.
    pub lacks: Vec<Vec<u8>>,
    /// The bytes at the start of the output.
    pub starts: Option<Vec<u8>>,
    /// The length of the longest line in bytes, with its line break.
    pub longest: Option<usize>,
    /// The error with which writing must fail.
    pub refused: Option<String>,
}

/// The assertions of a vector in addition to the expected result.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// The codes of all malformed and non-conformant findings, in order.
    pub codes: Option<Vec<Code>>,
    /// Codes that must be reported in any class.
    pub reports: Vec<Code>,
    /// Codes that must not be reported.
    pub never: Vec<Code>,
    /// The detected encoding, or `none`.
    pub detected: Option<String>,
    /// The payload of CHAR, or `none`.
    pub specified: Option<String>,
    /// The evidence that decided the encoding.
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

/// The requirements that a named test checks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// The name of the test.
    pub test: String,
    /// The identifiers of the requirements.
    pub rows: Vec<String>,
}

/// Requirements that cannot be tested.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Untestable {
    /// Why the requirements cannot be tested.
    pub reason: String,
    /// The identifiers of the requirements.
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
    /// A file is invalid, or a vector asserts nothing, names an unknown requirement, or quotes text that is not in its
    /// requirement.
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
                vectors.add(&name, &file, requirements).map_err(|error| format!("{name}: {error}"))?;
            }
        }
        Ok(vectors)
    }

    fn add(&mut self, name: &str, file: &VectorFile, requirements: &Requirements) -> Result<(), String> {
        let rules = named_rules(&file.rules)?;
        for id in &file.table {
            let row = requirements.get(id).ok_or_else(|| format!("there is no row {id}"))?;
            let printed = printed_vectors(row).map_err(|error| format!("{id}: {error}"))?;
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
        let expect = vector.to_expect()?;
        let action = vector.to_action()?;
        if !vector.asserts() {
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
            if let Some(option) = vector.parse_duplicates()? {
                rules.tagged.xref_errors = XrefErrors::Options(option);
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

/// The vectors of a requirement that can be run as printed, with their texts.
///
/// # Errors
///
/// A vector begins like one but is invalid.
pub fn printed_vectors(row: &Row) -> Result<Vec<(String, Action)>, String> {
    if row.standard == Standard::Dates {
        let asked = row.test.split_once('\t').map(|(payload, expected)| {
            (payload.to_owned(), ValueCheck::parse_row(&row.section, payload, expected))
        });
        let asked = asked.filter(|(_, asked)| !asked.facts.is_empty());
        return Ok(asked.map(|(label, asked)| (label, Action::Value(asked))).into_iter().collect());
    }
    let december = december::parse_vectors(&row.test)?.into_iter().map(|vector| {
        let december::Vector { input, expected, quote } = vector;
        (quote, Action::December { input, expected: Some(expected), external: None })
    });
    let january = january::parse_vectors(&row.test)
        .into_iter()
        .map(|vector| (vector.quote, Action::January(vector.check)));
    Ok(december.chain(january).collect())
}

fn named_rules(name: &str) -> Result<Rules, String> {
    Rules::from_name(name).copied().ok_or_else(|| format!("there are no rules {name:?}"))
}

/// Lists the entries of a folder, in order.
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
