//! Facts about a file: its encoding, versions, producer, schema and counts.

use elf_base::{Draft, without_credentials};
use elf_schema::term::undefined_tag;
use elf_schema::{Document, Node, Resolver, Schema, TypedDocument};
use elf_tagged::elf_octets::{Decision, LineBreaks};
use elf_tagged::{Header, Recognition, recognise};
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;

/// The facts about a file, after all of it was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileFacts {
    /// The size of the file in bytes. It is 0 until you set it with [`with_octets`](FileFacts::with_octets).
    pub octets: u64,
    /// The decision on the encoding, with its evidence.
    pub decision: Decision,
    /// The header.
    pub header: Header,
    /// The schema that was used.
    pub schema: Arc<Schema>,
    /// True if a dictionary of the drafts of 2017 was used instead of a schema.
    pub has_dictionary: bool,
    /// True if the file was read to its end. Some rules stop at an error.
    pub is_complete: bool,
    /// The counts of all runs.
    pub counts: RunFacts,
}

/// The counts of one or more runs of a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RunFacts {
    /// The facts in the header, if the first line of the file is in these runs.
    pub first: Option<FirstFacts>,
    /// The number of line breaks LF.
    pub lf: u64,
    /// The number of line breaks CR.
    pub cr: u64,
    /// The number of line breaks CRLF.
    pub crlf: u64,
    /// The number of lines.
    pub lines: u64,
    /// The number of records.
    pub records: u64,
    /// The number of structures.
    pub structures: u64,
    /// The highest level.
    pub max_level: usize,
    /// The number of records of each tag.
    pub tags: BTreeMap<String, u64>,
    /// The number of structures of each type, by its IRI.
    pub types: BTreeMap<String, u64>,
    /// The number of structures with a vendor tag that the built-in dictionary contains, by the IRI of the type.
    pub vendor: BTreeMap<String, u64>,
}

/// The draft and the producer of a file, from its first lines.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FirstFacts {
    /// The draft that the header looks like.
    pub draft: Option<Draft>,
    /// The feature by which the draft was recognised.
    pub because: &'static str,
    /// The program that wrote the file.
    pub producer: Option<Producer>,
}

/// The program that wrote a file, and its version. At most one of them is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Producer {
    /// The name: HEAD.SOUR.
    pub name: String,
    /// The version: HEAD.SOUR.VERS.
    pub version: String,
}

impl FileFacts {
    /// Combines the counts of all runs with the results of the reader. Call it after the last run. `None` if `reader`
    /// has read no run.
    pub fn of<R: Read>(
        reader: &elf_tagged::Reader<R>,
        resolver: Option<&Resolver>,
        counts: RunFacts,
    ) -> Option<FileFacts> {
        let resolver = resolver?;
        Some(FileFacts {
            octets: 0,
            decision: reader.decision()?.clone(),
            header: reader.header().clone(),
            schema: Arc::clone(resolver.schema()),
            has_dictionary: resolver.dictionary().is_some(),
            is_complete: reader.is_complete(),
            counts,
        })
    }

    /// Sets the size of the file.
    #[must_use]
    pub fn with_octets(mut self, octets: u64) -> FileFacts {
        self.octets = octets;
        self
    }

    /// Returns the name of the schema that was used: `completed`, `published`, the IRIs in the header, `header` for a
    /// schema in the header itself, or `dictionary` under the drafts of 2017.
    pub fn schema_name(&self) -> String {
        if self.has_dictionary {
            return "dictionary".to_owned();
        }
        if self.schema.is_completed() {
            return "completed".to_owned();
        }
        if Arc::ptr_eq(&self.schema, Schema::published()) {
            return "published".to_owned();
        }
        let references: Vec<_> =
            self.schema.references().iter().map(|reference| without_credentials(&reference.iri)).collect();
        if references.is_empty() { "header".to_owned() } else { references.join(" ") }
    }

    /// Lists the versions in the header as written, each after the name of its format.
    pub fn versions(&self) -> String {
        let header = &self.header;
        let versions =
            [("GEDCOM", header.gedcom_version_as_written()), ("ELF", header.elf_version_as_written())];
        let named = versions.into_iter().filter_map(|(name, version)| Some(format!("{name} {}", version?)));
        named.collect::<Vec<_>>().join(", ")
    }

    /// Returns the program that wrote the file.
    pub fn producer(&self) -> Option<&Producer> {
        self.counts.first.as_ref()?.producer.as_ref()
    }

    /// Briefly describes the evidence that decided the encoding.
    pub fn encoding_reason(&self) -> &'static str {
        match self.decision.because.name() {
            "detected" => "shown by the first bytes",
            "specified" => "named by CHAR",
            "default" => "the default",
            "forced" => "chosen by you",
            _ => "detected from the content",
        }
    }
}

impl RunFacts {
    /// Counts the content of a run.
    pub fn of(run: &TypedDocument<'_>) -> RunFacts {
        let document = run.document();
        let source = document.source();
        let mut tags: BTreeMap<&str, u64> = BTreeMap::new();
        for record in document.records() {
            *tags.entry(record.tag()).or_default() += 1;
        }
        let first = (source.start().line == 1).then(|| {
            let Recognition { likely: draft, because, .. } = recognise(source.text());
            FirstFacts { draft, because, producer: Producer::of(document) }
        });
        let iri = |of| run.resolver().iri(of);
        let types = run.typing().counts().filter_map(|(of, count)| Some((iri(of)?.to_owned(), count)));
        let LineBreaks { lf, cr, crlf, .. } = document.line_breaks();
        RunFacts {
            first,
            lf,
            cr,
            crlf,
            lines: document.line_count(),
            records: tags.values().sum(),
            structures: document.structures().count() as u64,
            max_level: document.depth(),
            tags: tags.into_iter().map(|(tag, count)| (tag.to_owned(), count)).collect(),
            types: types.collect(),
            vendor: run.vendor_counts().map(|(iri, count)| (iri.to_owned(), count)).collect(),
        }
    }

    /// Adds the counts of the next run.
    pub fn add(&mut self, more: RunFacts) {
        self.first = self.first.take().or(more.first);
        self.lf += more.lf;
        self.cr += more.cr;
        self.crlf += more.crlf;
        self.lines += more.lines;
        self.records += more.records;
        self.structures += more.structures;
        self.max_level = self.max_level.max(more.max_level);
        let counts =
            [(&mut self.tags, more.tags), (&mut self.types, more.types), (&mut self.vendor, more.vendor)];
        for (all, more) in counts {
            for (name, count) in more {
                *all.entry(name).or_default() += count;
            }
        }
    }

    /// Returns the number of structures of each type that a schema defines, by the IRI of the type.
    pub fn defined(&self) -> impl Iterator<Item = (&str, u64)> {
        self.types.iter().filter(|(iri, _)| undefined_tag(iri).is_none()).map(|(iri, &count)| (&**iri, count))
    }

    /// Returns the number of structures of each tag without a type.
    pub fn undefined(&self) -> impl Iterator<Item = (&str, u64)> {
        self.types.iter().filter_map(|(iri, &count)| Some((undefined_tag(iri)?, count)))
    }

    /// Returns the number of records with a tag.
    pub fn records_of(&self, tag: &str) -> u64 {
        self.tags.get(tag).copied().unwrap_or_default()
    }

    /// Returns the kinds of line endings with their numbers, most frequent first.
    pub fn line_breaks(&self) -> Vec<(&'static str, u64)> {
        let mut kinds = vec![("LF", self.lf), ("CRLF", self.crlf), ("CR", self.cr)];
        kinds.retain(|&(_, count)| count > 0);
        kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        kinds
    }
}

impl Producer {
    /// Reads the name and version of the program that wrote the file.
    fn of(document: &Document<'_>) -> Option<Producer> {
        let program = document.metadata().find(|node| node.tag() == "SOUR")?;
        let version = program.substructure("VERS").map(Node::text).unwrap_or_default();
        let (name, version) = (program.text().trim().to_owned(), version.trim().to_owned());
        Some(Producer { name, version }).filter(|producer| !producer.words().is_empty())
    }

    /// Returns the name and the version.
    pub fn words(&self) -> String {
        format!("{} {}", self.name, self.version).trim().to_owned()
    }
}
