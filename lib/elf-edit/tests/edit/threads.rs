//! Editors can be handed from thread to thread.

use elf_edit::Editor;

#[test]
fn editors_are_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Editor<'static>>();
}
