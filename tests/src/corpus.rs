//! The corpus of real and damaged files, which lies beside the project and may be missing.

use std::path::PathBuf;

/// A file of the corpus.
#[derive(Clone, Debug)]
pub struct CorpusFile {
    /// The name.
    pub name: String,
    /// The bytes of the file.
    pub octets: Vec<u8>,
    /// The class of the bytes in the manifest: `ascii7`, `utf8-nobom`, `8bit-ansel`, …
    pub content: String,
}

/// Reads the files in the order of the manifest. If there is no corpus, prints a note and returns `None`.
#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
pub fn corpus() -> Option<Vec<CorpusFile>> {
    let folder = folder();
    let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.tsv")) else {
        eprintln!("skipped: there is no corpus in {}", folder.display());
        return None;
    };
    let mut rows = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap_or_default();
    let column = |name: &str| header.iter().position(|&title| title == name).unwrap_or(usize::MAX);
    let (name, content) = (column("file"), column("encoding"));
    let files = rows.filter_map(|row| {
        let file = (*row.get(name)?).to_owned();
        let octets = std::fs::read(folder.join(&file)).ok()?;
        Some(CorpusFile { name: file, octets, content: (*row.get(content)?).to_owned() })
    });
    Some(files.collect())
}

/// Returns the folder of the corpus, beside the project.
fn folder() -> PathBuf {
    crate::folder("..").join("..").join("shared").join("corpus")
}
