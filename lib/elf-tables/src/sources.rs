//! Creates the table of sources, with the number of pointers to each source.

use crate::reader::TableReader;
use crate::rows::Rows;
use elf_lineage::RoleNode;
use elf_schema::vocabulary::elf;
use elf_schema::{Counterpart, Node, Role, TypedDocument};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The maximum number of characters that are stored of a repository's name. The name is repeated in
/// each row of the repository's sources.
const MAX_NAME_CHARS: usize = 4096;

/// The pointers of a run, and the names of its repositories.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunCitations {
    citations: Citations,
    sources: RunSources,
}

/// The source records of a run.
#[derive(Clone, Debug, Default)]
struct RunSources {
    identifiers: Vec<Box<str>>,
    /// The identifiers of the repositories that these source records cite, without duplicates.
    repositories: HashSet<Box<str>>,
}

/// The number of pointers to each identifier, and the names of repositories by identifier.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Citations {
    /// The source records of each run, to divide the document into parts.
    #[cfg_attr(feature = "parts", serde(skip))]
    sources: Vec<RunSources>,
    counts: HashMap<Box<str>, u64>,
    repositories: HashMap<Box<str>, Box<str>>,
}

impl RunCitations {
    pub(crate) fn of(reader: &TableReader, typed: &TypedDocument<'_>) -> RunCitations {
        let mut citations = Citations::default();
        for node in typed.document().structures() {
            if let Some(to) = node.pointer()
                && !typed.document().header().is_void(to)
                && !is_family_link(reader, typed, node)
            {
                citations.count_pointers(to, 1);
            }
        }
        let mut sources = RunSources::default();
        for record in reader.records(typed) {
            if record.iri() == Some(elf::SOURCE_RECORD) {
                let cited = reader.substructures(typed, record);
                let cited = cited.filter(|part| part.iri() == Some(elf::SOURCE_REPOSITORY_CITATION));
                sources.repositories.extend(cited.filter_map(|part| part.node.pointer().map(Box::from)));
            }
            let Some(identifier) = record.node.xref() else { continue };
            match record.iri() {
                Some(elf::SOURCE_RECORD) => sources.identifiers.push(identifier.into()),
                Some(elf::REPOSITORY_RECORD) => {
                    let mut parts = reader.substructures(typed, record);
                    let name = parts.find(|part| part.iri() == Some(elf::NAME_OF_REPOSITORY));
                    if let Some(name) = name {
                        citations.name_repository(identifier, &name.node.text());
                    }
                }
                _ => {}
            }
        }
        RunCitations { citations, sources }
    }
}

impl Citations {
    pub(crate) fn add_run(&mut self, run: RunCitations) {
        self.sources.push(run.sources);
        for (identifier, count) in run.citations.counts {
            self.count_pointers(&identifier, count);
        }
        for (identifier, name) in run.citations.repositories {
            self.name_repository(&identifier, &name);
        }
    }

    /// Returns the information that the rows for the sources of these runs need.
    #[cfg(feature = "parts")]
    pub(crate) fn of_runs(&self, runs: std::ops::Range<usize>) -> Citations {
        let runs = self.sources.get(runs).unwrap_or_default();
        let sources = runs.iter().flat_map(|run| &run.identifiers);
        let cited = runs.iter().flat_map(|run| &run.repositories);
        Citations {
            sources: Vec::new(),
            counts: sources.filter_map(|source| Some((source.clone(), *self.counts.get(source)?))).collect(),
            repositories: cited
                .filter_map(|cited| Some((cited.clone(), self.repositories.get(cited)?.clone())))
                .collect(),
        }
    }

    fn count_pointers(&mut self, identifier: &str, count: u64) {
        match self.counts.get_mut(identifier) {
            Some(known) => *known += count,
            None => {
                self.counts.insert(identifier.into(), count);
            }
        }
    }

    /// Sets the name of a repository. If several repositories have the same identifier, the first
    /// name is used.
    fn name_repository(&mut self, identifier: &str, name: &str) {
        if !self.repositories.contains_key(identifier) {
            let mut chars = name.chars();
            let mut name: String = chars.by_ref().take(MAX_NAME_CHARS).collect();
            if chars.next().is_some() {
                name.push('…');
            }
            self.repositories.insert(identifier.into(), name.into());
        }
    }
}

/// Returns whether a pointer links a person and a family, so that it cannot point to a source. Such
/// pointers are frequent.
fn is_family_link(reader: &TableReader, typed: &TypedDocument<'_>, node: Node<'_>) -> bool {
    use Role::{Child, FamilyAsChild, FamilyAsSpouse, Husband, Partner, Wife};
    let Some(record) = node.superstructure().filter(|above| above.superstructure().is_none()) else {
        return false;
    };
    let above = reader.find_counterpart(typed, Counterpart::DOCUMENT, record);
    let role = reader.find_counterpart(typed, above, node).role();
    matches!(role, Some(Child | FamilyAsChild | FamilyAsSpouse | Husband | Partner | Wife))
}

pub(crate) fn add_source_rows(
    reader: &TableReader,
    typed: &TypedDocument<'_>,
    citations: &Citations,
    file: &str,
    rows: &mut Rows,
) {
    for record in reader.records(typed).filter(|record| record.iri() == Some(elf::SOURCE_RECORD)) {
        let source = SourceText::of(reader, typed, citations, record);
        let xref = record.node.xref();
        let count = xref.and_then(|xref| citations.counts.get(xref)).copied().unwrap_or_default();
        rows.text(file).text_of(xref).text(&source.title).text(&source.author);
        rows.text(&source.publication).text(&source.repositories.join("; ")).integer(count);
    }
}

/// The texts of a source. If there are several texts of a kind, the first one is used. All
/// repositories are used, however.
#[derive(Debug, Default)]
struct SourceText<'d> {
    title: Cow<'d, str>,
    author: Cow<'d, str>,
    publication: Cow<'d, str>,
    /// The names of the repositories. A repository without a name is listed by its identifier.
    repositories: Vec<Cow<'d, str>>,
}

impl<'d> SourceText<'d> {
    fn of(
        reader: &TableReader,
        typed: &'d TypedDocument<'d>,
        citations: &'d Citations,
        record: RoleNode<'d>,
    ) -> SourceText<'d> {
        let mut source = SourceText::default();
        for RoleNode { node, counterpart, .. } in reader.substructures(typed, record) {
            let field = match counterpart.iri() {
                Some(elf::SOURCE_DESCRIPTIVE_TITLE) => &mut source.title,
                Some(elf::SOURCE_ORIGINATOR) => &mut source.author,
                Some(elf::SOURCE_PUBLICATION_FACTS) => &mut source.publication,
                Some(elf::SOURCE_REPOSITORY_CITATION) => {
                    let name = match node.pointer() {
                        Some(to) if node.document().header().is_void(to) => continue,
                        Some(to) => citations.repositories.get(to).map_or(to, |name| name).into(),
                        None => node.text(),
                    };
                    source.repositories.push(name);
                    continue;
                }
                _ => continue,
            };
            if field.is_empty() {
                *field = node.text();
            }
        }
        source
    }
}
