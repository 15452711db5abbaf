//! Readers, documents and schemas can be used by servers: sent to threads and shared between them.

use elf_schema::source::SuppliedSchemas;
use elf_schema::{ReadOptions, Reader, Schema, TypedDocument};

#[test]
fn what_a_server_holds_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<TypedDocument<'static>>();
    shared::<ReadOptions<'static>>();
    shared::<Schema>();
    shared::<SuppliedSchemas>();
    fn sent<T: Send>() {}
    sent::<Reader<'static, &'static [u8]>>();
}

#[cfg(feature = "http")]
#[test]
fn an_error_of_fetching_is_an_error() {
    fn error<T: std::error::Error + Send + Sync + 'static>() {}
    error::<elf_schema::source::http::FetchError>();
}

#[test]
fn a_structure_of_another_document_has_no_type() {
    let read = || {
        let octets = b"0 HEAD\n0 INDI\n0 TRLR\n";
        elf_schema::read(octets, &elf_schema::Rules::WILD, &ReadOptions::default(), &mut ()).expect("small")
    };
    let (one, two) = (read(), read());
    let person = one.records().next().expect("a record");
    assert!(one.type_of(person).is_some() && two.type_of(person).is_none());
}
