//! Downloads of schemas, if this build has network access.

use crate::cache::Cache;
use elf_schema::source::SuppliedSchemas;

#[cfg(feature = "fetch")]
pub(crate) use real::Network;

#[cfg(feature = "fetch")]
mod real {
    use super::{Cache, SuppliedSchemas};
    use elf_schema::source::CachedSchema;
    use elf_schema::source::http::{FetchRun, Fetcher, Limits, SchemaCache};

    /// Downloads schemas, within the limits of one run.
    pub(crate) struct Network {
        run: FetchRun,
        runtime: tokio::runtime::Runtime,
    }

    impl Network {
        /// `hosts` may be reached over plain http and at private addresses.
        pub(crate) fn new(hosts: &[String]) -> Result<Network, String> {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(|error| error.to_string())?;
            let hosts = hosts.iter().map(String::as_str);
            let fetcher = Fetcher::trusting(Limits::default(), hosts).map_err(|error| error.to_string())?;
            Ok(Network { run: fetcher.start_run(), runtime })
        }

        /// Downloads the schemas at the IRIs `wanted`. If the cache has a schema, it is downloaded only if it has
        /// changed, and the cached copy is used if the network fails.
        pub(crate) fn download(&mut self, wanted: &[String], cache: &mut Cache) -> SuppliedSchemas {
            self.runtime.block_on(self.run.fetch_all(wanted, cache)).0
        }
    }

    impl SchemaCache for Cache {
        fn kept(&self, iri: &str) -> Option<CachedSchema> {
            Cache::load(self, iri)
        }

        fn keep(&mut self, iri: &str, kept: &CachedSchema) {
            Cache::store(self, iri, kept);
        }
    }
}

/// This build has no network access.
#[cfg(not(feature = "fetch"))]
pub(crate) enum Network {}

#[cfg(not(feature = "fetch"))]
impl Network {
    pub(crate) fn new(_: &[String]) -> Result<Network, String> {
        Err("this build of elf has no network support".to_owned())
    }

    pub(crate) fn download(&mut self, _: &[String], _: &mut Cache) -> SuppliedSchemas {
        match *self {}
    }
}
