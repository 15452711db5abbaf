//! The law of types.

use elf_base::Rules;
use elf_schema::{ReadOptions, read};

/// Every structure, by the rules of every draft, has a type whose IRI can be asked for, and whatever schema
/// the file brings, typing ends.
///
/// # Panics
///
/// If the law does not hold.
pub fn schema(octets: &[u8]) {
    for rules in Rules::PRESETS {
        let typed = read(octets, rules, &ReadOptions::default(), &mut ()).expect("no fuzzed input has 4 GiB");
        let document = typed.document();
        // In 2017 the header is a structure too.
        let head = document.head().and_then(|head| typed.typing().get(head.id()));
        let mut count = u64::from(head.is_some());
        for node in document.structures() {
            let typed = typed.type_of(node).is_some_and(|iri| !iri.is_empty());
            assert!(typed, "by {}: {} has no type", rules.name, node.tag());
            count += 1;
        }
        assert_eq!(typed.typing().counts().map(|(_, count)| count).sum::<u64>(), count);
    }
}
