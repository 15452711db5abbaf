//! The network, as far as this build has one.

use crate::cache::Cache;
use elf_schema::source::SuppliedSchemas;

#[cfg(feature = "fetch")]
pub(crate) use real::Network;

#[cfg(feature = "fetch")]
mod real {
    use super::{Cache, SuppliedSchemas};
    use elf_schema::source::CachedSchema;
    use elf_schema::source::http::{FetchRun, Fetcher, Limits, SchemaCache};

    /// Gets schemas over HTTP, within the limits of one run.
    pub(crate) struct Network {
        run: FetchRun,
        runtime: tokio::runtime::Runtime,
    }

    impl Network {
        /// The network; `hosts` may be asked over plain http and at private addresses.
        pub(crate) fn new(hosts: &[String]) -> Result<Network, String> {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(|error| error.to_string())?;
            let hosts = hosts.iter().map(String::as_str);
            let fetcher = Fetcher::trusting(Limits::default(), hosts).map_err(|error| error.to_string())?;
            Ok(Network { run: fetcher.start_run(), runtime })
        }

        /// The schemas at the IRIs `wanted`, or why there are none. A schema that the cache has is asked for on
        /// condition, and used where the network fails.
        pub(crate) fn get(&mut self, wanted: &[String], cache: &mut Cache) -> SuppliedSchemas {
            self.runtime.block_on(self.run.fetch_all(wanted, cache)).0
        }
    }

    impl SchemaCache for Cache {
        fn kept(&self, iri: &str) -> Option<CachedSchema> {
            Cache::kept(self, iri)
        }

        fn keep(&mut self, iri: &str, kept: &CachedSchema) {
            Cache::keep(self, iri, kept);
        }
    }
}

/// No network.
#[cfg(not(feature = "fetch"))]
pub(crate) enum Network {}

#[cfg(not(feature = "fetch"))]
impl Network {
    pub(crate) fn new(_: &[String]) -> Result<Network, String> {
        Err("this build of elf has no network support".to_owned())
    }

    pub(crate) fn get(&mut self, _: &[String], _: &mut Cache) -> SuppliedSchemas {
        match *self {}
    }
}
