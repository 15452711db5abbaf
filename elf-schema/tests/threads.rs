//! Readers, documents and schemas can be used by servers: sent to threads and shared between them.

use elf_schema::source::Supplied;
use elf_schema::{ReadOptions, Reader, Schema, TypedDocument};

#[test]
fn what_a_server_holds_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<TypedDocument<'static>>();
    shared::<ReadOptions<'static>>();
    shared::<Schema>();
    shared::<Supplied>();
    fn sent<T: Send>() {}
    sent::<Reader<'static, &'static [u8]>>();
}

#[cfg(feature = "http")]
#[test]
fn an_error_of_fetching_is_an_error() {
    fn error<T: std::error::Error + Send + Sync + 'static>() {}
    error::<elf_schema::source::http::FetchError>();
}
