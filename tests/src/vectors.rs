//! Reads the vectors of `conformance/`, and the lists of requirements that no vector tests.

pub mod vector;

use crate::json_schema;
use crate::requirements::Requirements;
use elf_base::Rules;
use serde::Deserialize;
use std::path::Path;
use vector::Vector;

/// The folders of vectors, in the order of the tables.
pub const FOLDERS: [&str; 6] = ["2019-12", "2019-01", "2017-10", "2017-07", "declarative", "dates"];

/// All vectors, and the requirements that are tested otherwise or not at all.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    /// The vectors, in the order of their files.
    pub cases: Vec<Case>,
    /// Requirements that a test of this crate tests.
    pub named: Vec<Named>,
    /// Requirements that no input can test, and why.
    pub untestable: Vec<Untestable>,
}

/// A vector and its place.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file it is in, from the folder `conformance`.
    pub file: String,
    /// The draft of the vector, or `dates`.
    pub draft: String,
    /// The rules by which the libraries run it.
    pub rules: Rules,
    /// The vector.
    pub vector: Vector,
}

/// Requirements that a test of this crate tests.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// The name of the test.
    pub test: String,
    /// The requirements.
    pub rows: Vec<String>,
}

/// Requirements that cannot be tested.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Untestable {
    /// The reason.
    pub reason: String,
    /// The requirements.
    pub rows: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VectorFile {
    draft: String,
    vector: Vec<Vector>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedFile {
    named: Vec<Named>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UntestableFile {
    untestable: Vec<Untestable>,
}

impl Vectors {
    /// Reads all vectors in `folder`, and the named tests in the file `named`.
    ///
    /// # Errors
    ///
    /// An error if a file is not in its form, or a vector expects nothing, names a requirement that does not
    /// exist, or has an example or a clause that its requirement does not have.
    pub fn load(folder: &Path, named: &Path, requirements: &Requirements) -> Result<Vectors, String> {
        let mut vectors = Vectors {
            named: parse::<NamedFile>(named)?.named,
            untestable: parse::<UntestableFile>(&folder.join("not-testable.toml"))?.untestable,
            ..Vectors::default()
        };
        for draft in FOLDERS {
            for path in entries(&folder.join(draft))? {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                let file: VectorFile = parse(&path)?;
                for vector in file.vector {
                    let id = vector.id.clone();
                    let case = Case::new(&name, &file.draft, vector, requirements);
                    vectors.cases.push(case.map_err(|error| format!("{name}: {id}: {error}"))?);
                }
            }
        }
        Ok(vectors)
    }
}

impl Case {
    fn new(file: &str, draft: &str, vector: Vector, requirements: &Requirements) -> Result<Case, String> {
        let rules = vector.rules(draft)?;
        for id in &vector.requirements {
            let row = requirements.get(id).ok_or_else(|| format!("there is no requirement {id}"))?;
            if let Some(example) = vector.example.as_deref().filter(|example| !row.test.contains(*example)) {
                return Err(format!("{id} does not say {example:?}"));
            }
        }
        let first = vector.requirements.first().and_then(|id| requirements.get(id));
        let first = first.ok_or("expected the requirements that it tests")?;
        if first.section != vector.clause {
            return Err(format!("{} is in the clause {:?}", first.id, first.section));
        }
        if !vector.expects_something() {
            return Err("expected an expectation".to_owned());
        }
        vector.input()?;
        let draft = vector.draft.clone().unwrap_or_else(|| draft.to_owned());
        Ok(Case { file: file.to_owned(), draft, rules, vector })
    }
}

/// Returns what the JSON Schema of vectors does not allow in the files of `folder`.
///
/// # Errors
///
/// An error if a file cannot be read.
pub fn schema_problems(folder: &Path) -> Result<Vec<String>, String> {
    let path = folder.join("vector.schema.json");
    let schema = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let schema = serde_json::from_str(&schema).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut problems = Vec::new();
    for draft in FOLDERS {
        for path in entries(&folder.join(draft))? {
            let value: serde_json::Value = parse(&path)?;
            let found = json_schema::problems(&schema, &value);
            problems.extend(found.into_iter().map(|problem| format!("{}{problem}", path.display())));
        }
    }
    Ok(problems)
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
