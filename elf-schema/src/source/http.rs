//! External schemas over HTTP (J19 §4.2.1): the only part of this library that uses the network.
//!
//! The address comes from a file, and so perhaps from a stranger. So only https is used, unless plain http is allowed.
//! Only public addresses are used, unless others are allowed; this is checked at every redirect, for names and for
//! numeric addresses in any spelling. No proxy is used. Redirects, bytes after decompression, time and the number of
//! schemas are limited. Schemas that a schema refers to are not fetched.
//!
//! TLS needs a provider of cryptography, which the application installs once
//! (`rustls::crypto::ring::default_provider().install_default()`); without one [`Fetcher::new`] refuses.

use super::address::is_public;
use super::{CachedSchema, SuppliedSchemas};
use core::net::IpAddr;
use elf_base::without_credentials;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{
    ACCEPT, CONTENT_TYPE, ETAG, HeaderMap, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION,
};
use reqwest::{Client, ClientBuilder, Response, StatusCode, Url, redirect};
use rustls::CertificateError;
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::task::JoinSet;

pub use reqwest;

/// The media type in the `Accept` header (J19 §4.2.1).
pub const MEDIA_TYPE: &str = "application/x-fhiso-elf1-schema";

/// Limits for fetching schemas. Start with [`Limits::default`] and change fields.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Whether plain http is allowed. Default: no.
    pub plain_http: bool,
    /// Whether private addresses are allowed, such as loopback. Default: no.
    pub private_addresses: bool,
    /// The maximum size of a document in bytes, after decompression. Default: 8 MiB.
    pub octets: usize,
    /// The maximum number of redirects. Default: 5.
    pub redirections: u32,
    /// The timeout for opening a connection. Default: 5 seconds.
    pub connecting: Duration,
    /// The timeout for one schema. Default: 20 seconds.
    pub total: Duration,
    /// The maximum number of schemas in one run. Default: 32.
    pub schemas: usize,
    /// The number of schemas that are fetched at the same time. Default: 4.
    pub at_once: usize,
    /// The maximum total size of all documents of one run in bytes, after decompression. Default: 32 MiB.
    pub octets_of_all: usize,
    /// The timeout for one run. Default: 60 seconds.
    pub time_of_all: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            plain_http: false,
            private_addresses: false,
            octets: 8 << 20,
            redirections: 5,
            connecting: Duration::from_secs(5),
            total: Duration::from_secs(20),
            schemas: 32,
            at_once: 4,
            octets_of_all: 32 << 20,
            time_of_all: Duration::from_secs(60),
        }
    }
}

/// The reason why a schema could not be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The application has not installed a cryptography provider.
    #[error("no cryptography provider for TLS is installed")]
    NoProvider,
    /// The address is not an http or https address.
    #[error("`{0}` is not an http or https address")]
    NoAddress(String),
    /// The address uses plain http.
    #[error("`{0}` does not use https")]
    NotSecure(String),
    /// The address is not on the public Internet.
    #[error("`{0}` is not on the public Internet")]
    NotPublic(String),
    /// There are too many redirects, or one is invalid.
    #[error("too many redirects, or an invalid redirect")]
    Redirections,
    /// The status of the answer is not 200.
    #[error("the server answered with status {0}")]
    Status(u16),
    /// The document is too long.
    #[error("the document is longer than {0} bytes")]
    TooLong(usize),
    /// The answer took too long.
    #[error("timeout after {0:?}")]
    TooSlow(Duration),
    /// The documents of one run are too long in total.
    #[error("the documents are longer than {0} bytes in total")]
    TooLongTogether(usize),
    /// There are too many schemas.
    #[error("more than {0} schemas are requested")]
    TooMany(usize),
    /// The connection failed.
    #[error("{message}")]
    Connection {
        /// The reason, as a sentence with the host.
        message: String,
        /// The error of the HTTP client.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The fetching task panicked. This is a bug of the client.
    #[error("the client was cancelled")]
    BrokenOff,
}

/// Fetches schemas over the network.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: Client,
    limits: Limits,
    hosts: Arc<[Box<str>]>,
}

/// Fetches the schemas of one run in any number of calls. The limits apply to all calls together.
#[derive(Debug)]
pub struct FetchRun {
    fetcher: Fetcher,
    /// The remaining bytes, schemas and time of this run.
    octets: Arc<AtomicUsize>,
    schemas: usize,
    time: Duration,
}

/// A fetched document, and whether it differs from the cached one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fetched {
    /// The document.
    pub kept: CachedSchema,
    /// True if it is new and should be cached.
    pub is_new: bool,
}

/// Stores documents between runs. Can be sent to another thread.
pub trait SchemaCache: Send {
    /// Returns the cached document of `iri`.
    fn kept(&self, iri: &str) -> Option<CachedSchema>;
    /// Caches a document for `iri`.
    fn keep(&mut self, iri: &str, kept: &CachedSchema);
}

/// Caches nothing.
impl SchemaCache for () {
    fn kept(&self, _: &str) -> Option<CachedSchema> {
        None
    }

    fn keep(&mut self, _: &str, _: &CachedSchema) {}
}

impl Fetcher {
    /// Creates a fetcher with these limits.
    ///
    /// # Errors
    ///
    /// [`FetchError::NoProvider`], or another error if TLS cannot be set up.
    pub fn new(limits: Limits) -> Result<Fetcher, FetchError> {
        Fetcher::trusting(limits, [])
    }

    /// Creates a fetcher that may also use plain http and private addresses for `hosts` (names or addresses without a
    /// port). Redirects to other hosts do not get this permission.
    ///
    /// # Errors
    ///
    /// [`FetchError::NoProvider`], or another error if TLS cannot be set up.
    pub fn trusting<'h>(
        limits: Limits,
        hosts: impl IntoIterator<Item = &'h str>,
    ) -> Result<Fetcher, FetchError> {
        let agent = concat!("elf-schema/", env!("CARGO_PKG_VERSION"));
        Fetcher::from_builder(Client::builder().user_agent(agent), limits, hosts)
    }

    /// Creates a fetcher like [`trusting`](Fetcher::trusting), with a client that the caller configures, for example
    /// with its own root certificates or user agent. Redirects, DNS and proxies are set here, because each address is
    /// checked before it is used. An address that the caller sets for a name (`ClientBuilder::resolve`) is not
    /// checked. Default headers go to every host that a file names, so do not put secrets into them.
    ///
    /// # Errors
    ///
    /// [`FetchError::NoProvider`], or another error if TLS cannot be set up.
    pub fn from_builder<'h>(
        client: ClientBuilder,
        limits: Limits,
        hosts: impl IntoIterator<Item = &'h str>,
    ) -> Result<Fetcher, FetchError> {
        let hosts: Arc<[Box<str>]> =
            hosts.into_iter().map(|host| host.to_ascii_lowercase().into_boxed_str()).collect();
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            return Err(FetchError::NoProvider);
        }
        let client = client
            // Each redirect is checked here, and proxies are not used.
            .redirect(redirect::Policy::none())
            .no_proxy()
            .connect_timeout(limits.connecting)
            .dns_resolver(PublicResolver {
                private_addresses: limits.private_addresses,
                hosts: Arc::clone(&hosts),
            })
            .build()
            .map_err(|error| FetchError::Connection {
                message: describe_chain(&error),
                source: error.into(),
            })?;
        Ok(Fetcher { client, limits, hosts })
    }

    /// Fetches the document at `iri`. If a cached document is given, it is only downloaded again if it has changed.
    ///
    /// # Errors
    ///
    /// A [`FetchError`] that says why the document could not be fetched.
    pub async fn fetch(&self, iri: &str, kept: Option<CachedSchema>) -> Result<Fetched, FetchError> {
        self.fetch_within(iri, kept, &AtomicUsize::new(self.limits.octets_of_all)).await
    }

    /// Starts a run. Its limits apply to all calls together.
    pub fn start_run(&self) -> FetchRun {
        FetchRun {
            octets: Arc::new(AtomicUsize::new(self.limits.octets_of_all)),
            schemas: self.limits.schemas,
            time: self.limits.time_of_all,
            fetcher: self.clone(),
        }
    }

    /// Fetches all documents of a [run](FetchRun) with one call.
    pub async fn fetch_all(
        &self,
        wanted: &[String],
        keeper: &mut dyn SchemaCache,
    ) -> (SuppliedSchemas, Vec<(String, FetchError)>) {
        self.start_run().fetch_all(wanted, keeper).await
    }

    /// Fetches a document. `octets` are the bytes that are left for all documents together.
    async fn fetch_within(
        &self,
        iri: &str,
        kept: Option<CachedSchema>,
        octets: &AtomicUsize,
    ) -> Result<Fetched, FetchError> {
        let result = tokio::time::timeout(self.limits.total, self.follow_redirects(iri, kept, octets)).await;
        result.unwrap_or(Err(FetchError::TooSlow(self.limits.total)))
    }

    async fn follow_redirects(
        &self,
        iri: &str,
        kept: Option<CachedSchema>,
        octets: &AtomicUsize,
    ) -> Result<Fetched, FetchError> {
        let mut url =
            Url::parse(iri).map_err(|_| FetchError::NoAddress(without_credentials(iri).into_owned()))?;
        for _ in 0..=self.limits.redirections {
            self.check_address(&url)?;
            let response = self.send_request(url.clone(), kept.as_ref()).await?;
            let status = response.status();
            if status == StatusCode::OK {
                return self.read_body(response, octets).await;
            }
            if status == StatusCode::NOT_MODIFIED
                && let Some(kept) = kept
            {
                return Ok(Fetched { kept, is_new: false });
            }
            if !status.is_redirection() {
                return Err(FetchError::Status(status.as_u16()));
            }
            let to = header_text(response.headers(), LOCATION).and_then(|to| url.join(&to).ok());
            url = to.ok_or(FetchError::Redirections)?;
        }
        Err(FetchError::Redirections)
    }

    fn check_address(&self, url: &Url) -> Result<(), FetchError> {
        let shown = || without_credentials(url.as_str()).into_owned();
        let Some(host) = url.host_str() else { return Err(FetchError::NoAddress(shown())) };
        let trusted = contains_host(&self.hosts, host);
        match url.scheme() {
            "https" => {}
            "http" if self.limits.plain_http || trusted => {}
            "http" => return Err(FetchError::NotSecure(shown())),
            _ => return Err(FetchError::NoAddress(shown())),
        }
        // Numeric addresses are not passed to the resolver, so they are checked here, in canonical form.
        let number: Result<IpAddr, _> = host.trim_matches(['[', ']']).parse();
        match number {
            Ok(address) if !self.limits.private_addresses && !trusted && !is_public(address) => {
                Err(FetchError::NotPublic(host.to_owned()))
            }
            _ => Ok(()),
        }
    }

    async fn send_request(&self, url: Url, kept: Option<&CachedSchema>) -> Result<Response, FetchError> {
        let mut request = self.client.get(url.clone()).header(ACCEPT, MEDIA_TYPE);
        if let Some(kept) = kept {
            if let Some(etag) = &kept.etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
            if let Some(date) = &kept.last_modified {
                request = request.header(IF_MODIFIED_SINCE, date);
            }
        }
        request.send().await.map_err(|error| describe_connection_error(error, &url))
    }

    /// Reads the document of an answer, chunk by chunk.
    async fn read_body(&self, mut response: Response, octets: &AtomicUsize) -> Result<Fetched, FetchError> {
        let headers = response.headers();
        let mut kept = CachedSchema {
            octets: Vec::new(),
            content_type: header_text(headers, CONTENT_TYPE),
            etag: header_text(headers, ETAG),
            last_modified: header_text(headers, LAST_MODIFIED),
        };
        let asked = response.url().clone();
        while let Some(piece) =
            response.chunk().await.map_err(|error| describe_connection_error(error, &asked))?
        {
            if kept.octets.len() + piece.len() > self.limits.octets {
                return Err(FetchError::TooLong(self.limits.octets));
            }
            let left = octets.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(piece.len()));
            if left.is_err() {
                return Err(FetchError::TooLongTogether(self.limits.octets_of_all));
            }
            kept.octets.extend_from_slice(&piece);
        }
        Ok(Fetched { kept, is_new: true })
    }
}

impl FetchRun {
    /// Fetches the documents in `wanted`, [several at a time](Limits::at_once), and returns the reasons for those
    /// that failed. If the network fails, cached documents are used; failures are also added as remarks. The result
    /// does not depend on the order of the answers, unless a limit for the whole run is reached.
    ///
    /// Await it in a tokio runtime with network and time enabled.
    pub async fn fetch_all(
        &mut self,
        wanted: &[String],
        keeper: &mut dyn SchemaCache,
    ) -> (SuppliedSchemas, Vec<(String, FetchError)>) {
        let kept: Vec<Option<CachedSchema>> = wanted.iter().map(|iri| keeper.kept(iri)).collect();
        let limits = self.fetcher.limits;
        let most = self.schemas;
        let mut fetched = self.fetch_each(wanted, &kept).await;
        let mut supplied = SuppliedSchemas::new();
        let mut failed = Vec::new();
        for (number, (iri, kept)) in wanted.iter().zip(kept).enumerate() {
            let none = match number < most {
                true => FetchError::TooSlow(limits.time_of_all),
                false => FetchError::TooMany(limits.schemas),
            };
            match fetched.remove(&number).unwrap_or(Err(none)) {
                Ok(fetched) => {
                    if fetched.is_new {
                        keeper.keep(iri, &fetched.kept);
                    }
                    supplied.add_kept(iri, &fetched.kept);
                }
                Err(error) => {
                    if let Some(kept) = &kept {
                        supplied.add_kept(iri, kept);
                    }
                    supplied.add_remark(iri, &error.to_string());
                    failed.push((iri.clone(), error));
                }
            }
        }
        (supplied, failed)
    }

    /// Returns the answers that arrived in time, with their indices in `wanted`.
    async fn fetch_each(
        &mut self,
        wanted: &[String],
        kept: &[Option<CachedSchema>],
    ) -> HashMap<usize, Result<Fetched, FetchError>> {
        let started = tokio::time::Instant::now();
        let FetchRun { fetcher, octets, schemas, time } = self;
        let mut next = wanted.iter().zip(kept).take(*schemas).enumerate();
        *schemas = schemas.saturating_sub(wanted.len());
        let mut fetched = HashMap::new();
        // Dropping the set aborts requests that are still running.
        let mut running = JoinSet::new();
        let mut numbers = HashMap::new();
        let all = async {
            loop {
                while running.len() < fetcher.limits.at_once.max(1)
                    && let Some((number, (iri, kept))) = next.next()
                {
                    let (fetcher, octets) = (fetcher.clone(), Arc::clone(octets));
                    let (iri, kept) = (iri.clone(), kept.clone());
                    let asking =
                        running.spawn(async move { fetcher.fetch_within(&iri, kept, &octets).await });
                    numbers.insert(asking.id(), number);
                }
                let (asked, result) = match running.join_next_with_id().await {
                    Some(Ok((asked, result))) => (asked, result),
                    Some(Err(error)) => (error.id(), Err(FetchError::BrokenOff)),
                    None => break,
                };
                if let Some(number) = numbers.remove(&asked) {
                    fetched.insert(number, result);
                }
            }
        };
        // On timeout, keep the schemas fetched so far.
        let _ = tokio::time::timeout(*time, all).await;
        *time = time.saturating_sub(started.elapsed());
        fetched
    }
}

fn header_text(headers: &HeaderMap, name: reqwest::header::HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

fn contains_host(hosts: &[Box<str>], host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    hosts.iter().any(|trusted| trusted.trim_matches(['[', ']']) == host)
}

/// Resolves names, and leaves out addresses that are not allowed.
#[derive(Debug)]
struct PublicResolver {
    private_addresses: bool,
    hosts: Arc<[Box<str>]>,
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let private_addresses = self.private_addresses || contains_host(&self.hosts, name.as_str());
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = tokio::net::lookup_host((host.as_str(), 0)).await;
            let mut found: Vec<_> = found.map_err(|_| Unknown(host.clone()))?.collect();
            let any = !found.is_empty();
            found.retain(|address| private_addresses || is_public(address.ip()));
            if any && found.is_empty() {
                return Err(NotPublic(host).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// All addresses of a name are private.
#[derive(Debug)]
struct NotPublic(String);

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for NotPublic {}

/// Converts the error of a connection to a plain sentence with the host.
fn describe_connection_error(error: reqwest::Error, asked: &Url) -> FetchError {
    let host = asked.host_str().unwrap_or_default();
    let mut source: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(at) = source {
        if let Some(NotPublic(host)) = at.downcast_ref() {
            return FetchError::NotPublic(host.clone());
        }
        if let Some(message) = describe_cause(at, host) {
            return FetchError::Connection { message, source: error.into() };
        }
        source = at.source();
    }
    let message = match () {
        () if error.is_timeout() => format!("`{host}` did not answer in time"),
        () if error.is_body() || error.is_decode() => {
            format!("the answer of `{host}` is incomplete or damaged")
        }
        () if error.is_request() && !error.is_connect() => {
            format!("the answer of `{host}` is not HTTP, or incomplete")
        }
        () => describe_chain(&error),
    };
    FetchError::Connection { message, source: error.into() }
}

/// Returns a sentence about one error of a chain, if it explains the failed connection.
fn describe_cause(at: &(dyn Error + 'static), host: &str) -> Option<String> {
    // An I/O error may wrap another one without naming it as its source.
    let mut within = at;
    while let Some(inner) = within.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        within = inner;
    }
    if let Some(error) = within.downcast_ref::<rustls::Error>() {
        return Some(describe_tls_error(error, host));
    }
    if let Some(Unknown(host)) = at.downcast_ref() {
        return Some(format!("cannot find the address of `{host}`"));
    }
    match within.downcast_ref::<std::io::Error>()?.kind() {
        ErrorKind::ConnectionRefused => Some(format!("`{host}` refused the connection")),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            Some(format!("`{host}` closed the connection"))
        }
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            Some(format!("`{host}` cannot be reached over the network"))
        }
        _ => None,
    }
}

/// Returns why the connection is not secure.
fn describe_tls_error(error: &rustls::Error, host: &str) -> String {
    let rustls::Error::InvalidCertificate(why) = error else {
        return format!("cannot make a secure connection to `{host}`: {error}");
    };
    let why = match why {
        CertificateError::UnknownIssuer => "is not signed by a trusted authority".to_owned(),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "is not valid yet".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "is for another host".to_owned()
        }
        CertificateError::Revoked => "was revoked".to_owned(),
        // rustls uses one word for this.
        CertificateError::Other(why) if why.to_string() == "CaUsedAsEndEntity" => {
            "is a signing certificate, not that of a host".to_owned()
        }
        CertificateError::Other(_) => "cannot be trusted".to_owned(),
        other => format!("cannot be trusted: {other}"),
    };
    format!("the certificate of `{host}` {why}")
}

/// The name has no known address.
#[derive(Debug)]
struct Unknown(String);

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Unknown {}

/// Returns an error with its causes, without repetitions.
fn describe_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(at) = source {
        let cause = at.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
        source = at.source();
    }
    text
}
