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

/// The owners of all rows.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    /// All vectors, in the order of their files.
    pub cases: Vec<Case>,
    /// Rows whose owner is a named test.
    pub named: Vec<Named>,
    /// Rows that no input can test, and why.
    pub untestable: Vec<Untestable>,
}

/// A vector.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file it is in, from the folder of vectors.
    pub file: String,
    /// The rows it meets.
    pub rows: Vec<String>,
    /// The rules by which it is run.
    pub rules: Rules,
    /// The name of the vector beside its row: the text of the table, or the note or input of the vector.
    pub label: String,
    /// True if it is a vector of the table, as printed.
    pub printed: bool,
    /// The steps of the vector.
    pub action: Action,
    /// The assertions of the vector.
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
        /// The encoding given from outside.
        external: Option<Encoding>,
    },
    /// Runs a vector of the January table, or one in its notation.
    January(january::Check),
    /// Reads a payload as a value.
    Value(ValueCheck),
    /// Reads the schema of a file; it is expected as [`run::print_schema`](crate::run::print_schema) prints
    /// it.
    Schema {
        /// The file.
        octets: Vec<u8>,
        /// The schema.
        expected: Option<String>,
    },
    /// Asks the schema of a file, or the default one, for the eventual supertypes of a type.
    Supertypes {
        /// The file.
        octets: Vec<u8>,
        /// The type, by its prefixed name.
        of: String,
        /// The eventual supertypes, itself first.
        expected: String,
    },
    /// Asks the dictionary of a 2017 file for the types of tags: `TAG=IRI`, with hints after.
    Dictionary {
        /// The file.
        octets: Vec<u8>,
        /// The tags and their types.
        expected: Option<String>,
    },
    /// Writes a tree.
    Write {
        /// The tree; HEAD holds the metadata.
        tree: Tree,
        /// The options of writing, and the expected file.
        output: Box<OutputExpect>,
    },
    /// Writes typed structures: gives them tags, and the schema that says so.
    Serialise {
        /// The structures.
        pattern: Pattern,
        /// A file whose schema or dictionary is available; none: the default schema, or an empty dictionary.
        base: Option<Vec<u8>>,
        /// The options of writing, and the expected file.
        output: Box<OutputExpect>,
    },
    /// Reads a file and writes it again.
    Rewrite {
        /// The file.
        octets: Vec<u8>,
        /// The rules it is read by, where not those it is written by.
        from: Option<Rules>,
        /// The options of writing, and the expected file.
        output: Box<OutputExpect>,
    },
}

/// The options of writing a file, and the expectations of it.
#[derive(Clone, Debug)]
pub struct OutputExpect {
    /// The options of writing.
    pub options: WriteOptions,
    /// All of it.
    pub whole: Option<Vec<u8>>,
    /// Octets that are in the file.
    pub has: Vec<Vec<u8>>,
    /// Octets that do not are in the file.
    pub lacks: Vec<Vec<u8>>,
    /// The octets that the file starts with.
    pub starts: Option<Vec<u8>>,
    /// The longest line, in octets with its line break.
    pub longest: Option<usize>,
    /// The error that writing is refused with.
    pub refused: Option<String>,
}

/// The assertions of a vector beside the notation's own expectation.
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
    /// The reason why the rows cannot be tested.
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
    /// An error if a file is not in the form above, or a vector asserts nothing, names a row that is none or
    /// quotes what its row does not say.
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
            let printed = printed(row).map_err(|error| format!("{id}: {error}"))?;
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
            if let Some(option) = vector.duplicates()? {
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

/// The vectors of a row that can be run as they are printed, each with its text.
///
/// # Errors
///
/// An error if a vector begins as such and does not go on so.
pub fn printed(row: &Row) -> Result<Vec<(String, Action)>, String> {
    if row.standard == Standard::Dates {
        let asked = row.test.split_once('\t').map(|(payload, expected)| {
            (payload.to_owned(), ValueCheck::of_row(&row.section, payload, expected))
        });
        let asked = asked.filter(|(_, asked)| !asked.facts.is_empty());
        return Ok(asked.map(|(label, asked)| (label, Action::Value(asked))).into_iter().collect());
    }
    let december = december::vectors(&row.test)?.into_iter().map(|vector| {
        let december::Vector { input, expected, quote } = vector;
        (quote, Action::December { input, expected: Some(expected), external: None })
    });
    let january =
        january::vectors(&row.test).into_iter().map(|vector| (vector.quote, Action::January(vector.check)));
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
