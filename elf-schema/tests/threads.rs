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
