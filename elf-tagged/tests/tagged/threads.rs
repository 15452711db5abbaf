//! Documents and their handles can be shared between threads.

use elf_tagged::{Document, Node, Options, Rules, read};

#[test]
fn documents_are_read_by_several_threads() -> Result<(), elf_tagged::TooLarge> {
    fn shared<T: Send + Sync>() {}
    shared::<Document<'static>>();
    shared::<Node<'static>>();
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE a\n0 NOTE b\n0 TRLR\n";
    let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
    let counts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| document.records().count())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect::<Vec<_>>()
    });
    assert_eq!(counts, [2, 2]);
    Ok(())
}
