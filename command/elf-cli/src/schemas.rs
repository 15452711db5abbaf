//! The schemas of a run: the one that the arguments choose, and external schemas that files refer to.

use crate::args::{Reading, SchemaName};
use crate::cache::Cache;
use crate::console::Console;
use crate::exit::Exit;
use crate::network::Network;
use crate::reading;
use elf_base::{Diagnostic, Rules, without_credentials};
use elf_check::SHOWN_PER_CODE;
use elf_schema::source::{External, ExternalSchemas, SuppliedSchemas};
use elf_schema::{Encoding, Options, ReadOptions, Schema, term};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// The schemas that the arguments name. Every command that gives types to structures uses it.
pub(crate) struct Schemas {
    asked: Option<Arc<Schema>>,
    /// The definitions that `BASE+FILE` adds to the schema.
    additions: Option<Arc<Schema>>,
    elsewhere: SchemaStore,
}

impl Schemas {
    /// Loads the schemas that `reading` names. If the schema to use cannot be loaded, prints the reason.
    pub(crate) fn from_args(reading: &Reading, console: &mut Console) -> Result<Schemas, Exit> {
        let elsewhere = SchemaStore::from_args(reading);
        let asked = reading.schema.as_deref().map(SchemaName::split_additions);
        let mut read = |name: Option<&str>, base: Option<&Schema>| {
            name.map(|name| load_named(name, base, reading.rules(), &elsewhere, console)).transpose()
        };
        let (base, more) = asked.map_or((None, None), |(base, more)| (Some(base), more));
        let asked = read(base, None)?;
        let additions = read(more, asked.as_deref())?;
        Ok(Schemas { asked, additions, elsewhere })
    }

    /// The schema to use without a file, by `rules`. `with_vendor_tags` adds the vendor tags that all programs share.
    pub(crate) fn without_file(&self, rules: &Rules, with_vendor_tags: bool) -> Option<Arc<Schema>> {
        let default = || {
            let vendors = Schema::default_with_vendor_tags(rules, None).filter(|_| with_vendor_tags);
            vendors.or_else(|| Schema::default_of(rules))
        };
        self.named_schema().or_else(|| default().cloned())
    }

    /// The schema for comparing two files: the one that the arguments name, otherwise that of `find_common`. Additions to
    /// the completed schema keep the dictionary of vendor tags, as they do for one file.
    pub(crate) fn common(&self, find_common: impl FnOnce() -> Arc<Schema>) -> Arc<Schema> {
        let (Some(base), Some(more)) = (&self.asked, &self.additions) else {
            return self.asked.clone().unwrap_or_else(find_common);
        };
        let common = base.is_completed().then(find_common).filter(|common| common.is_completed());
        Arc::new(common.as_ref().unwrap_or(base).with_additions(more))
    }

    /// The schema that the arguments name, with the definitions that they add.
    fn named_schema(&self) -> Option<Arc<Schema>> {
        let base = self.asked.as_ref()?;
        Some(match &self.additions {
            Some(more) => Arc::new(base.with_additions(more)),
            None => Arc::clone(base),
        })
    }

    /// Returns the options to read a file with these schemas, in the encoding `forced` if there is one.
    pub(crate) fn read_options(&self, forced: Option<Encoding>) -> ReadOptions<'_> {
        ReadOptions::default()
            .with_octets(reading::decoding_options(forced))
            .with_schema(self.asked.clone())
            .with_additions(self.additions.clone())
            .with_vendor_tags(true)
            .with_external(&self.elsewhere)
    }
}

/// Loads the schema `name`: a built-in schema, an IRI or a file. Its definitions may be additions to `base`.
fn load_named(
    name: &str,
    base: Option<&Schema>,
    rules: &Rules,
    elsewhere: &SchemaStore,
    console: &mut Console,
) -> Result<Arc<Schema>, Exit> {
    let read = match SchemaName::parse(name) {
        SchemaName::Completed => return Ok(Arc::clone(Schema::completed())),
        SchemaName::Published => return Ok(Arc::clone(Schema::published())),
        SchemaName::Gedcom70 => return Ok(Arc::clone(Schema::gedcom_7())),
        // As if a header referred to this schema (docs/readings.md, S18).
        SchemaName::SchemaStore(elf_schema::DATA_MODEL) => {
            return Ok(Arc::clone(Schema::of_data_model(rules)));
        }
        SchemaName::SchemaStore(iri) => load_external(iri, base, elsewhere, console),
        SchemaName::File(path) if !path.exists() && is_iri(name) => {
            Err("expected the name of a file, `completed`, `published`, `gedcom-7`, or an http or https IRI"
                .to_owned())
        }
        SchemaName::File(path) => {
            let octets = reading::read_file(path, console).ok_or(Exit::Failed)?;
            parse_schema(name, &octets, &Options::default(), base, elsewhere, console)
        }
    };
    read.map_err(|reason| {
        console.print_error(&format!("cannot read the schema `{}`: {reason}", without_credentials(name)));
        Exit::Failed
    })
}

/// Returns the external schema with this IRI.
///
/// # Errors
///
/// Why it is not available.
fn load_external(
    iri: &str,
    base: Option<&Schema>,
    elsewhere: &SchemaStore,
    console: &mut Console,
) -> Result<Arc<Schema>, String> {
    console.show_progress(&format!("fetching {}", without_credentials(iri)));
    let found = elsewhere.schema(iri);
    console.clear_progress();
    match (found, elsewhere.remark(iri)) {
        (None, Some(remark)) => Err(remark.into_owned()),
        (None, None) => Err("expected an http or https IRI".to_owned()),
        (Some(found), remark) => {
            if let Some(remark) = remark {
                let iri = without_credentials(iri);
                console.print_note(&format!("the schema `{iri}` may be out of date: {remark}"));
            }
            let options = Options::default().with_external(found.encoding);
            // References of a schema to other schemas are not followed.
            parse_schema(&without_credentials(iri), &found.octets, &options, base, &(), console)
        }
    }
}

/// Returns whether a name is an IRI. A path such as `C:\a.ged` is not one.
fn is_iri(name: &str) -> bool {
    term::is_iri(name) && name.split_once(':').is_some_and(|(scheme, _)| scheme.len() > 1)
}

fn parse_schema(
    name: &str,
    octets: &[u8],
    options: &Options,
    base: Option<&Schema>,
    external: &dyn ExternalSchemas,
    console: &mut Console,
) -> Result<Arc<Schema>, String> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut report = |diagnostic: Diagnostic| {
        let count = counts.entry(diagnostic.code.id()).or_default();
        *count += 1;
        if *count <= SHOWN_PER_CODE {
            console.print_diagnostic(name, &diagnostic);
        }
    };
    let found = match base {
        Some(base) => base.read_additions(name, octets, options, external, &mut report),
        None => Schema::read(name, octets, options, external, &mut report),
    };
    for (code, count) in counts.into_iter().filter(|(_, count)| *count > SHOWN_PER_CODE) {
        console.print_note(&format!("{} more of {code} in the schema `{name}`", count - SHOWN_PER_CODE));
    }
    match found {
        Ok(Some(schema)) => Ok(Arc::new(schema)),
        Ok(None) => Err("it contains no schema: its header has no SCHMA".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// External schemas, loaded when a file refers to them: from the cache, or over the network after asking whether the
/// cached copy is still current.
struct SchemaStore {
    access: Access,
    hosts: Vec<String>,
    store: Mutex<Store>,
}

/// The schemas of earlier runs and of this one.
struct Store {
    cache: Cache,
    /// The network, opened at its first use, or the reason why it could not be opened.
    network: Option<Result<Network, String>>,
    /// The IRIs that have been requested.
    asked: HashSet<String>,
    /// The schemas at these IRIs, or why they are missing.
    got: SuppliedSchemas,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// No external schemas.
    None,
    Cache,
    Network,
}

impl SchemaStore {
    fn from_args(reading: &Reading) -> SchemaStore {
        SchemaStore {
            access: match (reading.fetch, reading.offline) {
                (true, _) => Access::Network,
                (false, true) => Access::Cache,
                (false, false) => Access::None,
            },
            hosts: reading.allow_host.clone(),
            store: Mutex::new(Store {
                cache: Cache::new(),
                network: None,
                asked: HashSet::new(),
                got: SuppliedSchemas::new(),
            }),
        }
    }

    /// Loads all `iris` that have not been requested yet, at the same time.
    fn load_missing(&self, iris: &[&str], store: &mut Store) {
        let new = iris.iter().filter(|iri| store.asked.insert((**iri).to_owned()));
        let wanted: Vec<String> = new.map(|iri| (*iri).to_owned()).collect();
        if wanted.is_empty() {
            return;
        }
        let Store { cache, network, got, .. } = store;
        match self.access {
            Access::None => {
                for iri in wanted.iter().filter(|iri| is_web_address(iri)) {
                    got.add_remark(iri, "the network is only used with `--fetch`");
                }
            }
            Access::Cache => {
                for iri in &wanted {
                    match cache.load(iri) {
                        Some(kept) => got.add_kept(iri, &kept),
                        None => got.add_remark(iri, "it is not in the cache"),
                    }
                }
            }
            Access::Network => match network.get_or_insert_with(|| Network::new(&self.hosts)) {
                Ok(network) => got.join(network.download(&wanted, cache)),
                Err(reason) => wanted.iter().for_each(|iri| got.add_remark(iri, reason)),
            },
        }
    }
}

fn is_web_address(iri: &str) -> bool {
    iri.starts_with("http://") || iri.starts_with("https://")
}

impl ExternalSchemas for SchemaStore {
    fn prepare(&self, iris: &[&str]) {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        self.load_missing(iris, &mut store);
    }

    fn schema(&self, iri: &str) -> Option<External<'_>> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        self.load_missing(&[iri], &mut store);
        let found = store.got.schema(iri)?;
        Some(External::new(found.octets.into_owned()).with_encoding(found.encoding))
    }

    fn remark(&self, iri: &str) -> Option<Cow<'_, str>> {
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let remark = store.got.remark(iri)?;
        Some(Cow::Owned(remark.into_owned()))
    }
}
